"""Small tables with nominal columns, and their moments."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lurking import ADMG
from lurking.data import GroupedMoments, grouped_moments
from sem.random_models import random_model


def mixed_table(text: str, levels: dict[str, int], n: int = 400, seed: int = 1) -> pd.DataFrame:
    """Return rows from a model of a graph; some columns are cut into levels, whose names have no order."""
    rng = np.random.default_rng(seed)
    table = random_model(ADMG.parse(text), seed).sample(n, random_state=seed)
    for name, k in levels.items():
        cuts = np.quantile(table[name], np.sort(rng.uniform(0.1, 0.9, k - 1)) if k > 2 else [0.4])
        table[name] = np.array([f"level {i}" for i in rng.permutation(k)])[np.searchsorted(cuts, table[name])]
    return table


def mixed_moments(text: str, levels: dict[str, int], n: int = 400, seed: int = 1) -> GroupedMoments:
    return grouped_moments(mixed_table(text, levels, n, seed), list(levels))
