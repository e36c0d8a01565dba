"""Whether raw and standardised data are the same to the search."""

from __future__ import annotations

import numpy as np

from lurking import Moments, simulate_admg
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.search.hybrid import without_units


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
