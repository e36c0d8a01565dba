"""How near the hybrid solver comes to the best graph, how accurate that graph is, and what it costs.

    python benchmarks/search.py verma --datasets 100     # 4 variables: hybrid against all graphs
    python benchmarks/search.py ten --datasets 50        # 10 variables, the paper's simulation, bow-free and ancestral
    python benchmarks/search.py arid --datasets 50       # the same inside the class of arid graphs
    python benchmarks/search.py units --datasets 50      # if raw and standardised data are the same to the search
    python benchmarks/search.py starts --datasets 20     # what each kind of start is worth, one chain each
    python benchmarks/search.py walks --datasets 16      # what walks between the rounds are worth, seeds from 2000 on
    python benchmarks/search.py costs --datasets 16      # if hidden common causes cost more than ln(n)
    python benchmarks/search.py rounding --datasets 50   # if the last digits of the data change the end of a climb
    python benchmarks/search.py floors                   # the committed graphs of lurking experiment random-graphs
    python benchmarks/search.py large                    # 15 variables at the paper's density; sparse graphs up to 50

"Above the floor" is the score minus that of a tabu climb that starts at the true graph: zero or less means that the
search found at least what knowing the truth would have found. Seeds count up from ``--first``, by default 0, so a rerun
gives the same table. Settings of the search were chosen on some of the first 60 seeds, walks and prior on seeds 2000 to
2019. Times are processor seconds of one call, shared by two jobs, so that other work on the machine matters little;
compilation is not counted, since the first data set warms up.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd

from lurking import Moments, compare, load_sachs, simulate_admg
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.experiments.published import MarkRates
from lurking.experiments.random_graphs import SEARCHED, TRUTHS
from lurking.graphs import ADMG
from lurking.graphs.model_equivalence import model_equivalent
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.dcd import dcd_search
from lurking.search.exhaustive import exhaustive_search
from lurking.search.hybrid import hybrid_search, without_units
from lurking.search.order_based import best_dag
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.result import Candidate, SearchResult
from lurking.search.search_plan import default_rounds
from lurking.simulate import VERMA_GRAPHS, sparse_admg

N_JOBS = 2
RESULTS = Path(__file__).parents[1] / "results"
WINDOW = 25.0  # of the good graphs among which an extra cost chooses


def oracle_floor(moments: Moments, truth: ADMG, graph_class: GraphClass, spread: float | None) -> float:
    """Return the score that a tabu climb reaches from the true graph."""
    data, offset = (moments, 0.0) if spread is not None else without_units(moments)
    return tabu_climb(data, truth, graph_class, spread) + offset


def tabu_climb(moments: Moments, start: ADMG, graph_class: GraphClass, spread: float | None) -> float:
    """Return the score that a descent and tabu search behind it reach from a graph."""
    mask = all_edges_allowed(moments.n_variables)
    chain = ReinsertionChain(moments, graph_class, np.random.default_rng(0), mask, start, spread)
    chain.polish(tabu_steps=40)
    return chain.score


class Effort(NamedTuple):
    """How much the search may do; ``n_rounds`` None is the default."""

    n_restarts: int
    n_rounds: int | None


def timed_search(
    moments: Moments,
    graph_class: GraphClass,
    spread: float | None,
    effort: Effort,
    n_jobs: int = N_JOBS,
    **settings: Any,
) -> tuple[SearchResult, float]:
    start = time.process_time()
    result = hybrid_search(
        moments,
        graph_class,
        criterion="bic",
        noise_spread=spread,
        random_state=0,
        n_jobs=n_jobs,
        **effort._asdict(),
        **settings,
    )
    return result, (time.process_time() - start) / N_JOBS


def verma(seeds: range, spread: float, effort: Effort) -> None:
    """Compare with the exhaustive optimum, and count how often the true equivalence class is found."""
    print(f"{'n':>5} {'optimum found':>14} {'seconds':>8} {'true class, free':>17} {'consensus':>10}", end=" ")
    print(f"{f'similar ({spread})':>15}")
    for n in (500, 1000, 1500, 2000):
        same, seconds, free, consensus, similar = 0, [], 0, 0, 0
        for seed in seeds:
            truth = VERMA_GRAPHS[seed % 3]
            moments = Moments.from_table(simulate_admg(truth, n, random_state=seed).data)
            best = exhaustive_search(moments, criterion="bic")
            result, taken = timed_search(moments, "bow-free", None, effort)
            seconds.append(taken)
            same += abs(result.score - best.score) < 1e-6
            free += model_equivalent(result.admg, truth)
            consensus += model_equivalent(result.consensus, truth)
            similar += model_equivalent(timed_search(moments, "bow-free", spread, effort)[0].admg, truth)
        optimum, true, agreed, assumed = (count / len(seeds) for count in (same, free, consensus, similar))
        print(f"{n:>5} {optimum:>14.2f} {np.median(seconds[1:]):>8.2f} {true:>17.2f} {agreed:>10.2f}", end=" ")
        print(f"{assumed:>15.2f}", flush=True)


Noises = tuple[float | None, ...]
"""Spreads of similar noise to assume, None for free noise."""


class Case(NamedTuple):
    """One block of the table of 10 variables."""

    graph_class: GraphClass
    truth_class: GraphClass
    standardize: bool
    spread: float | None


class Measured(NamedTuple):
    """What one data set gives."""

    above: float
    seconds: float
    rates: list[float]
    """tpr and fdr of skeleton, arrowheads and tails."""
    consensus: list[float]
    """The same for the graph that agrees best with all good graphs."""
    averaged: tuple[float, float]
    """tpr and fdr of the skeleton of the pairs that are more probably adjacent than not."""


def measured(seed: int, case: Case, effort: Effort) -> Measured:
    """Search one data set of 10 variables in this process; seconds are processor seconds shared by two jobs."""
    simulation = simulate_admg(10, 1000, graph_class=case.truth_class, standardize=case.standardize, random_state=seed)
    moments = Moments.from_table(simulation.data)
    result, seconds = timed_search(moments, case.graph_class, case.spread, effort, n_jobs=1)
    floor = oracle_floor(moments, simulation.admg, case.graph_class, case.spread)
    return Measured(
        result.score - floor,
        seconds,
        all_rates(simulation.admg, result.admg),
        all_rates(simulation.admg, result.consensus),
        skeleton_rates(simulation.admg, result.weights[:, :, 0] < 0.5),
    )


def ten(seeds: range, graph_class: GraphClass, truth_class: GraphClass, noises: Noises, effort: Effort) -> None:
    """Distance to the floor and accuracy at 10 variables, on raw and on standardised data."""
    cases = [Case(graph_class, truth_class, False, noise) for noise in noises]
    # similar noise is an assumption about the raw units; with free noise the search sees the same data (see units)
    cases += [Case(graph_class, truth_class, True, None) for noise in noises if noise is None]
    for case in cases:
        count = -(-len(seeds) // 5) if case.standardize else len(seeds)
        found = joblib.Parallel(n_jobs=N_JOBS)(joblib.delayed(measured)(seed, case, effort) for seed in seeds[:count])
        above = np.array([one.score_gap for one in found])
        seconds = [one.seconds for one in found[N_JOBS:] or found]  # each process warms up with its first
        noise = "free" if case.spread is None else f"similar ({case.spread:g})"
        print(f"\n{graph_class}, {'standardised' if case.standardize else 'raw'}, noise {noise}:", end=" ")
        print(f"{count} data sets, {np.mean(seconds):.1f} s each (most {max(seconds):.1f})")
        distances = np.percentile(above, [50, 75, 90, 95, 100]).round(1).tolist()
        print(f"  at or below the floor: {np.mean(above <= 0.01):.2f}; above it at 50/75/90/95/100 %: {distances}")
        for title, rates in (
            ("best graph", np.array([one.rates for one in found])),
            ("consensus", np.array([one.consensus for one in found])),
        ):
            means, errors = np.nanmean(rates, axis=0), np.nanstd(rates, axis=0) / np.sqrt(count)
            for k, part in enumerate(("skeleton", "arrowhead", "tail")):
                tpr, fdr = means[2 * k : 2 * k + 2]
                print(f"  {title if k == 0 else '':<10} {part:<9} tpr {tpr:.3f} ± {errors[2 * k]:.3f}", end="")
                print(f"  fdr {fdr:.3f} ± {errors[2 * k + 1]:.3f}", f" F1 {f1(tpr, fdr):.3f}" if k == 0 else "")
        tpr, fdr = np.mean([one.averaged for one in found], axis=0).tolist()
        print(f"  pairs with a posterior above 0.5: tpr {tpr:.3f}  fdr {fdr:.3f}  F1 {f1(tpr, fdr):.3f}", flush=True)


def units(n_datasets: int) -> None:
    """Count the data sets that, raw and standardised, are the same to the last bit when the search sees them."""

    def seen(seed: int, truth_class: GraphClass, standardize: bool) -> np.ndarray:
        simulation = simulate_admg(10, 1000, graph_class=truth_class, standardize=standardize, random_state=seed)
        return without_units(Moments.from_table(simulation.data))[0].correlation

    for truth_class in GRAPH_CLASSES:
        same = sum(
            np.array_equal(seen(seed, truth_class, False), seen(seed, truth_class, True)) for seed in range(n_datasets)
        )
        print(f"{truth_class}: the same data raw and standardised in {same} of {n_datasets}")


def all_rates(truth: ADMG, found: ADMG) -> list[float]:
    """Return tpr and fdr of skeleton, arrowheads and tails."""
    rates = compare(truth, found).to_dict()
    return [rates[name] for name in MarkRates._fields]


def f1(tpr: float, fdr: float) -> float:
    return 2 * tpr * (1 - fdr) / (tpr + 1 - fdr)


def skeleton_rates(truth: ADMG, adjacent: np.ndarray) -> tuple[float, float]:
    shared = (truth.skeleton & adjacent).sum()
    return shared / truth.skeleton.sum(), 1.0 - shared / max(1, adjacent.sum())


def large(n_datasets: int, effort: Effort) -> None:
    """Distance to the floor and time for more variables, with a budget of wall-clock seconds for each size."""
    print(f"{'graph':<24} {'budget':>7} {'seconds':>8} {'above the floor':>16} {'skeleton tpr':>13} {'fdr':>6}")
    for d, degree, budget in ((15, None, 60.0), (20, 3.0, 60.0), (30, 3.0, 120.0), (50, 3.0, 300.0)):
        for seed in range(n_datasets):
            graph = d if degree is None else sparse_admg(d, degree, graph_class="arid", random_state=seed)
            kind: GraphClass | None = "arid" if degree is None else None
            simulation = simulate_admg(graph, 1000, graph_class=kind, random_state=seed)
            moments = Moments.from_table(simulation.data)
            start = time.perf_counter()
            result, _ = timed_search(moments, "bow-free", None, effort, time_budget=budget)
            taken = time.perf_counter() - start
            floor = oracle_floor(moments, simulation.admg, "bow-free", None)
            against = compare(simulation.admg, result.admg)
            title = f"{d} variables, " + ("paper's density" if degree is None else f"degree {degree:g}")
            print(f"{title:<24} {budget:>7.0f} {taken:>8.1f} {result.score - floor:>16.1f}", end=" ")
            print(f"{against.skeleton.tpr:>13.2f} {against.skeleton.fdr:>6.2f}", flush=True)


def floors(n_datasets: int) -> None:
    """Distance to the floor of the graphs in ``results/random-graphs``, which took hours; the floors take minutes."""
    rows = pd.read_csv(RESULTS / "random-graphs" / "results.csv")
    rows = rows[(rows["method"] == "hybrid-free") & (rows["dataset"] < n_datasets)]
    run = joblib.Parallel(n_jobs=N_JOBS)
    for d, truth_class in product(sorted(rows["variables"].unique()), TRUTHS):
        own = rows[(rows["variables"] == d) & (rows["truth"] == truth_class)]
        above = own["bic"] - run(joblib.delayed(floor_of)(seed, d, truth_class) for seed in own["seed"].tolist())
        distances = np.percentile(above, [50, 75, 90, 95, 100]).round(1).tolist()
        print(f"{truth_class}, {d} variables, noise free, {len(own)} data sets:", end=" ")
        print(f"at or below the floor: {np.mean(above <= 0.01):.2f}; above it at 50/75/90/95/100 %: {distances}")


def floor_of(seed: int, d: int, truth_class: GraphClass) -> float:
    simulation = simulate_admg(d, 1000, graph_class=truth_class, random_state=seed)
    return oracle_floor(Moments.from_table(simulation.data), simulation.admg, SEARCHED[truth_class], None)


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


def rounding(n_datasets: int) -> None:
    """Climb from the true graph on correlations, and on the same ones changed by 1e-12."""
    differences = []
    for seed in range(n_datasets):
        simulation = simulate_admg(10, 1000, graph_class="arid", random_state=seed)
        data = without_units(Moments.from_table(simulation.data))[0]
        noise = np.triu(np.random.default_rng(seed).normal(size=(10, 10)), 1) * 1e-12
        changed = Moments(data.correlation + noise + noise.T, data.n_samples, data.names)
        differences.append(
            tabu_climb(changed, simulation.admg, "arid", None) - tabu_climb(data, simulation.admg, "arid", None)
        )
    size = np.abs(differences)
    print(f"another end in {(size > 0.01).sum()} of {n_datasets} climbs; the largest difference is {size.max():.1e}")


COSTS = (0.0, 0.25, 0.5, 1.0)


def preferred(graphs: Sequence[Candidate], extra: float) -> ADMG:
    """Return the graph with the least score if each bidirected edge cost so much more."""
    return min(graphs, key=lambda good: round(good.score + extra * good.admg.bidirected.sum() / 2, 4)).admg


def with_costs(seed: int, graph_class: GraphClass, truth_class: GraphClass, effort: Effort) -> list[list[float]]:
    """Search one data set; return rates and number of bidirected edges of the good graph that each cost prefers."""
    simulation = simulate_admg(10, 1000, graph_class=truth_class, random_state=seed)
    moments = Moments.from_table(simulation.data)
    graphs = timed_search(moments, graph_class, None, effort, n_jobs=1, window=WINDOW)[0].candidates
    rows = []
    for cost in COSTS:
        best = preferred(graphs, cost * np.log(1000))
        rows.append([*all_rates(simulation.admg, best), best.bidirected.sum() / 2])
    return [*rows, [0.0] * 6 + [simulation.admg.bidirected.sum() / 2]]  # of the truth only that number is shown


def verma_with_costs(seed: int, n: int) -> list[bool]:
    """Tell for each cost if the best of all graphs is in the true class."""
    truth = VERMA_GRAPHS[seed % 3]
    graphs = exhaustive_search(
        Moments.from_table(simulate_admg(truth, n, random_state=seed).data), criterion="bic", window=WINDOW
    ).candidates
    return [model_equivalent(preferred(graphs, cost * np.log(n)), truth) for cost in COSTS]


def costs(n_datasets: int, effort: Effort) -> None:
    """Would it help if a hidden common cause cost more than ln(n)? Choose among the good graphs met accordingly."""
    run = joblib.Parallel(n_jobs=N_JOBS)
    print("extra cost / ln(n):                      ", *(f"{cost:>5g}" for cost in COSTS))
    for n in (500, 1000, 2000):
        shares = np.mean(run(joblib.delayed(verma_with_costs)(seed, n) for seed in range(99)), axis=0)
        print(f"true Verma class among all graphs, n = {n:<4}", *(f"{share:>5.2f}" for share in shares), flush=True)
    print(f"\n{'extra cost / ln(n)':<26} {'skeleton':>13} {'arrowheads':>13} {'tails':>13} {'bidirected':>11}")
    for graph_class, truth_class in (("bow-free", "arid"), ("ancestral", "ancestral")):
        calls = (joblib.delayed(with_costs)(seed, graph_class, truth_class, effort) for seed in range(n_datasets))
        means = np.nanmean(np.array(run(calls)), axis=0)
        for cost, row in zip((*COSTS, None), means, strict=True):
            title = f"{truth_class}, " + ("truth" if cost is None else f"{cost:g}")
            rates = " ".join(f"{tpr:>8.2f}/{fdr:.2f}" for tpr, fdr in row[:6].reshape(3, 2))
            print(f"{title:<26} {'' if cost is None else rates:>41} {row[6]:>11.1f}", flush=True)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what", choices=["verma", "ten", "arid", "units", "starts", "walks", "costs", "rounding", "floors", "large"]
    )
    parser.add_argument("--datasets", type=int, default=None)
    parser.add_argument("--first", type=int, default=0, help="the first seed of verma, ten and arid")
    parser.add_argument("--spread", type=float, default=0.25, help="assumed spread of similar noise")
    parser.add_argument("--noise", choices=["free", "similar", "both"], default="both", help="in ten and arid")
    parser.add_argument("--restarts", type=int, default=5, help="chains per search")
    parser.add_argument("--rounds", type=int, default=None, help="rounds per chain")
    options = parser.parse_args()
    effort = Effort(options.restarts, options.rounds)
    noises: Noises = {"free": (None,), "similar": (options.spread,), "both": (None, options.spread)}[options.noise]

    def seeds(default: int) -> range:
        return range(options.first, options.first + (options.datasets or default))

    match options.what:
        case "verma":
            verma(seeds(100), options.spread, effort)
        case "ten":
            ten(seeds(50), "bow-free", "arid", noises, effort)
            ten(seeds(50), "ancestral", "ancestral", noises, effort)
        case "arid":
            ten(seeds(50), "arid", "arid", noises, effort)
        case "units":
            units(options.datasets or 50)
        case "starts":
            starts(options.datasets or 20, options.rounds or default_rounds(10, "bow-free"))
        case "walks":
            walks(range(options.first or 2000, (options.first or 2000) + (options.datasets or 16)))
        case "costs":
            costs(options.datasets or 16, effort)
        case "rounding":
            rounding(options.datasets or 50)
        case "floors":
            floors(options.datasets or 100)
        case "large":
            large(options.datasets or 3, effort)


if __name__ == "__main__":
    main()
