"""Small tables with nominal columns, and their moments."""

from __future__ import annotations

from itertools import combinations, product

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


def all_graphs(names: tuple[str, ...]) -> list[ADMG]:
    """Return all bow-free acyclic graphs."""
    pairs = list(combinations(range(len(names)), 2))
    found = []
    for kinds in product(range(4), repeat=len(pairs)):
        directed, bidirected = (np.zeros((len(names), len(names)), dtype=bool) for _ in range(2))
        for (i, j), kind in zip(pairs, kinds, strict=True):
            directed[i, j], directed[j, i] = kind == 1, kind == 2
            bidirected[i, j] = bidirected[j, i] = kind == 3
        paths = np.linalg.matrix_power(np.eye(len(names)) + directed, len(names))
        if not (np.triu(paths > 0, 1) & np.tril(paths > 0, -1).T).any():
            found.append(ADMG(names, directed, bidirected))
    return found
