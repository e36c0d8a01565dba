"""10 variables, the paper's simulation, in each class."""

from __future__ import annotations

import joblib
import numpy as np
from benchmarks.search.common import N_JOBS, Case, Effort, Noises, f1, measured

from lurking._typing import GraphClass


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
