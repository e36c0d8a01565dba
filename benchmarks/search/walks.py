"""What walks between the rounds are worth, on seeds from 2000 on."""

from __future__ import annotations

import time
from typing import NamedTuple

import joblib
import numpy as np
from benchmarks.search.common import N_JOBS

from lurking import Moments, load_sachs, simulate_admg
from lurking._typing import GraphClass
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.hybrid import hybrid_search, without_units
from lurking.search.order_based import best_dag
from lurking.search.reinsertion import ReinsertionChain


class Plan(NamedTuple):
    """What each chain does: phases of rounds and a walk of so many sweeps; before the last one all join."""

    legs: int
    rounds: int
    sweeps: int


PLANS = (Plan(2, 180, 0), Plan(3, 73, 300), Plan(3, 36, 300), Plan(3, 36, 900), Plan(3, 24, 1200))


PROTEIN_ROUNDS = (None, 232)


def planned_search(moments: Moments, graph_class: GraphClass, plan: Plan) -> tuple[float, float]:
    """Return the score that five chains reach by a plan, and the processor seconds."""
    start = time.process_time()
    data = without_units(moments)[0]
    mask = all_edges_allowed(moments.n_variables)
    first = [best_dag(data, random_state=0).admg, None]
    chains = [ReinsertionChain(data, graph_class, np.random.default_rng(k), mask, first[k % 2]) for k in range(5)]
    for leg in range(plan.legs):
        best = min(chains, key=lambda chain: chain.score)
        for chain in chains:
            if leg == plan.legs - 1:
                chain.join(best)
            chain.run(plan.rounds)
            if plan.sweeps:
                chain.walk(None, plan.sweeps)
    for chain in chains:
        chain.polish(tabu_steps=3 * moments.n_variables)
    return min(chain.score for chain in chains), time.process_time() - start


def planned(seed: int, truth_class: GraphClass, graph_class: GraphClass) -> list[tuple[float, float]]:
    """Search one data set by every plan."""
    moments = Moments.from_table(simulate_admg(10, 1000, graph_class=truth_class, random_state=seed).data)
    return [planned_search(moments, graph_class, plan) for plan in PLANS]


def protein(n_rounds: int | None, seed: int) -> float:
    """Search the protein data; return the best score."""
    moments = Moments.from_table(load_sachs())
    return hybrid_search(moments, criterion="bic", n_restarts=5, n_rounds=n_rounds, random_state=seed).score


def walks(seeds: range) -> None:
    """Compare plans with and without walks: how far they end above the best of all, and what they cost."""
    run = joblib.Parallel(n_jobs=N_JOBS)
    for truth_class, graph_class in (("arid", "bow-free"), ("ancestral", "ancestral")):
        found = np.array(run(joblib.delayed(planned)(seed, truth_class, graph_class) for seed in seeds))
        above = found[:, :, 0] - found[:, :, 0].min(axis=1, keepdims=True)
        print(f"\n{graph_class}, {len(seeds)} data sets; above the best: mean, worst; reached; processor s")
        for k, plan in enumerate(PLANS):
            print(f"  {plan}: {above[:, k].mean():.2f} {above[:, k].max():.1f}", end="  ")
            print(f"{(above[:, k] < 0.01).mean():.2f}  {found[N_JOBS:, k, 1].mean():.1f}", flush=True)
    print("\nprotein data, BIC with seeds 0 to 3, by the rounds of the hybrid (None: the default)")
    for n_rounds in PROTEIN_ROUNDS:
        print(
            f"  {n_rounds}:", *(f"{score:.1f}" for score in run(joblib.delayed(protein)(n_rounds, s) for s in range(4)))
        )
