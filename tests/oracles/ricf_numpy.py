"""RICF as in Drton, Eichler and Richardson (2009), on the covariance matrix, whole graph at once, in plain NumPy."""

from __future__ import annotations

import numpy as np

from lurking._typing import BoolMatrix, FloatArray


def minus_two_loglik(cov: FloatArray, n_samples: int, coef: FloatArray, error_cov: FloatArray) -> float:
    residual = np.eye(len(cov)) - coef
    logdet = np.linalg.slogdet(error_cov)[1]
    trace = np.trace(np.linalg.solve(error_cov, residual.T @ cov @ residual))
    return float(n_samples * (len(cov) * np.log(2 * np.pi) + logdet + trace))


def ricf_sweep(
    cov: FloatArray, directed: BoolMatrix, bidirected: BoolMatrix, coef: FloatArray, error_cov: FloatArray
) -> None:
    """Update every vertex once, in place."""
    d = len(cov)
    for i in range(d):
        parents, siblings = np.flatnonzero(directed[:, i]), np.flatnonzero(bidirected[:, i])
        others = np.delete(np.arange(d), i)
        inverse = np.linalg.inv(error_cov[np.ix_(others, others)])
        # all regressors as linear combinations of the variables: parents, then pseudo-variables of the siblings
        pseudo = (np.eye(d) - coef)[:, others] @ inverse[:, np.searchsorted(others, siblings)]
        regressors = np.hstack([np.eye(d)[:, parents], pseudo])
        solution = np.linalg.solve(regressors.T @ cov @ regressors, regressors.T @ cov[:, i])
        slopes, covariances = solution[: len(parents)], solution[len(parents) :]
        variance = cov[i, i] - solution @ (regressors.T @ cov[:, i])
        coef[:, i] = 0.0
        coef[parents, i] = slopes
        error_cov[i, siblings] = error_cov[siblings, i] = covariances
        row = error_cov[i, others]
        error_cov[i, i] = variance + row @ inverse @ row


def ricf_numpy(
    cov: FloatArray,
    n_samples: int,
    directed: BoolMatrix,
    bidirected: BoolMatrix,
    tolerance: float = 1e-10,
    max_sweeps: int = 10_000,
) -> tuple[FloatArray, FloatArray, float]:
    """Return coefficients, error covariances and minus twice the log-likelihood.

    The start is regression on the parents with independent errors; stops when a sweep gains less than the tolerance.
    """
    d = len(cov)
    coef, error_cov = np.zeros((d, d)), np.zeros((d, d))
    for i in range(d):
        parents = np.flatnonzero(directed[:, i])
        slopes = np.linalg.solve(cov[np.ix_(parents, parents)], cov[parents, i])
        coef[parents, i] = slopes
        error_cov[i, i] = cov[i, i] - slopes @ cov[parents, i]
    value = minus_two_loglik(cov, n_samples, coef, error_cov)
    for _ in range(max_sweeps):
        ricf_sweep(cov, directed, bidirected, coef, error_cov)
        before, value = value, minus_two_loglik(cov, n_samples, coef, error_cov)
        if before - value < tolerance:
            break
    return coef, error_cov, value
