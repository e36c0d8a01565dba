"""What each kind of start is worth, one chain each."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from lurking import Moments, simulate_admg
from lurking.graphs import ADMG
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.dcd import dcd_search
from lurking.search.order_based import best_dag
from lurking.search.reinsertion import ReinsertionChain


def agreement(one: ADMG, other: ADMG) -> ADMG:
    """Return the graph of the edges that two graphs share: a recombination leaves open what they do not agree on."""
    return ADMG(one.names, one.directed & other.directed, one.bidirected & other.bidirected)


def chains_from(moments: Moments, start: ADMG | None, seeds: range, n_rounds: int) -> list[tuple[float, ADMG]]:
    """Run a chain for each seed; return the best graph of each with its score."""
    mask = all_edges_allowed(moments.n_variables)
    found = []
    for seed in seeds:
        chain = ReinsertionChain(moments, "bow-free", np.random.default_rng(seed), mask, start)
        chain.run(n_rounds)
        found.append((chain.score, next(chain.graphs())[0]))
    return found


START_MAKERS: dict[str, Callable[[Moments], ADMG | None]] = {
    "no edges": lambda moments: None,
    "best DAG": lambda moments: best_dag(moments, random_state=0).admg,
    "paper's solver, raw": lambda moments: dcd_search(moments, n_restarts=2, random_state=0).admg,
    "paper's solver, standardised": lambda moments: (
        dcd_search(moments.standardized(), n_restarts=2, random_state=0).admg
    ),
}


def starts(n_datasets: int, n_rounds: int) -> None:
    """Run two chains from each kind of start; compare what they reach with the best score of all."""
    above: dict[str, list[float]] = {}
    seconds: dict[str, float] = {}
    for seed in range(n_datasets):
        moments = Moments.from_table(simulate_admg(10, 1000, graph_class="arid", random_state=seed).data)
        reached: dict[str, list[tuple[float, ADMG]]] = {}
        for name, make in START_MAKERS.items():
            began = time.process_time()
            reached[name] = chains_from(moments, make(moments), range(2), n_rounds)
            seconds[name] = seconds.get(name, 0.0) + time.process_time() - began
        # What to do with two more chains, after those of the two kinds that need no other solver?
        first, second = sorted(reached["no edges"] + reached["best DAG"], key=lambda found: found[0])[:2]
        for name, start in {
            "then: what the best two share": agreement(first[1], second[1]),
            "then: on from the best": first[1],
        }.items():
            began = time.process_time()
            more = chains_from(moments, start, range(2, 4), n_rounds)
            seconds[name] = seconds.get(name, 0.0) + time.process_time() - began
            reached[name] = [min(first, found, key=lambda pair: pair[0]) for found in more]
        lowest = min(score for found in reached.values() for score, _ in found)
        for name, found in reached.items():
            above.setdefault(name, []).extend(score - lowest for score, _ in found)
    print(f"{n_datasets} data sets, two chains of {n_rounds} rounds each; above the best score of all:")
    print(f"{'start':<30} {'mean':>6} {'median':>7} {'worst':>6} {'reached':>8} {'CPU s/chain':>12}")
    for name, distances in above.items():
        values = np.array(distances)
        print(f"{name:<30} {values.mean():>6.1f} {np.median(values):>7.1f} {values.max():>6.1f}", end=" ")
        print(f"{(values < 0.1).mean():>8.2f} {seconds[name] / len(values):>12.1f}")
