"""Random bow-free graphs, and moments of samples from them."""

from __future__ import annotations

import numpy as np

from lurking import ADMG
from lurking.data import Moments
from sem.random_models import random_model


def random_graph(rng: np.random.Generator, d: int, directed: float, bidirected: float) -> ADMG:
    order = rng.permutation(d)
    matrices = np.zeros((2, d, d), dtype=bool)
    for a in range(d):
        for b in range(a + 1, d):
            i, j = order[a], order[b]
            if rng.random() < directed:
                matrices[0, i, j] = True
            elif rng.random() < bidirected:
                matrices[1, i, j] = matrices[1, j, i] = True
    return ADMG([f"V{i}" for i in range(d)], matrices[0], matrices[1])


def random_moments(rng: np.random.Generator, d: int, n: int = 500) -> Moments:
    """Moments of a sample from a random model of a random graph, standardised."""
    truth = random_model(random_graph(rng, d, 0.4, 0.3), int(rng.integers(2**31)))
    rows = rng.multivariate_normal(np.zeros(d), truth.implied_cov(), n)
    return Moments(np.atleast_2d(np.corrcoef(rows.T)), n, truth.admg.names)
