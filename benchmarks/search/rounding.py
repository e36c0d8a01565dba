"""Whether the last digits of the data change the end of a climb."""

from __future__ import annotations

import numpy as np
from benchmarks.search.common import tabu_climb

from lurking import Moments, simulate_admg
from lurking.search.hybrid import without_units


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
