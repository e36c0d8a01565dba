"""Models with random numbers for a given graph."""

from __future__ import annotations

import numpy as np

from lurking.graphs import ADMG
from lurking.sem.model import LinearSEM


def random_model(admg: ADMG, seed: int = 0) -> LinearSEM:
    """Return a model with coefficients and covariances well away from zero."""
    rng = np.random.default_rng(seed)
    d = len(admg)
    coef = admg.directed * rng.uniform(0.4, 1.2, (d, d)) * rng.choice([-1, 1], (d, d))
    upper = np.triu(admg.bidirected * rng.uniform(0.3, 0.6, (d, d)) * rng.choice([-1, 1], (d, d)))
    error_cov = upper + upper.T
    error_cov += np.diag(np.abs(error_cov).sum(axis=0) + rng.uniform(0.5, 1.5, d))
    return LinearSEM(admg, coef, error_cov)
