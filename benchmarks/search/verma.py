"""4 variables: the hybrid search against all graphs."""

from __future__ import annotations

import numpy as np
from benchmarks.search.common import Effort, timed_search

from lurking import Moments, simulate_admg
from lurking.graphs.model_equivalence import model_equivalent
from lurking.search.exhaustive import exhaustive_search
from lurking.simulate import VERMA_GRAPHS


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
