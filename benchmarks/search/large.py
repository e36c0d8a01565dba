"""15 variables at the paper's density, and sparse graphs of up to 50."""

from __future__ import annotations

import time

from benchmarks.search.common import Effort, oracle_floor, timed_search

from lurking import Moments, compare, simulate_admg
from lurking._typing import GraphClass
from lurking.simulate import sparse_admg


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
