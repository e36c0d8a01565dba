"""The committed graphs of ``lurking experiment random-graphs`` against a climb from the truth."""

from __future__ import annotations

from itertools import product

import joblib
import numpy as np
import pandas as pd
from benchmarks.search.common import N_JOBS, RESULTS, floor_of

from lurking.experiments.random_graphs import TRUTHS


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
