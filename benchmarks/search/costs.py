"""Whether hidden common causes should cost more than ln(n)."""

from __future__ import annotations

from collections.abc import Sequence

import joblib
import numpy as np
from benchmarks.search.common import N_JOBS, Effort, all_rates, timed_search

from lurking import Moments, simulate_admg
from lurking._typing import GraphClass
from lurking.graphs import ADMG
from lurking.graphs.model_equivalence import model_equivalent
from lurking.search.exhaustive import exhaustive_search
from lurking.search.result import Candidate
from lurking.simulate import VERMA_GRAPHS

WINDOW = 25.0  # of the good graphs among which an extra cost chooses


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
