"""Algorithm 2 of the paper on the rows of the data, as it is printed: the twin of the compiled covariance version."""

from __future__ import annotations

import numpy as np

from lurking._typing import FloatArray


def pseudo_variables(X: FloatArray, coef: FloatArray, error_cov: FloatArray, i: int) -> FloatArray:
    """Return Z^(i): zero in column i, the residuals of the others times the inverse of their covariance elsewhere."""
    others = [j for j in range(X.shape[1]) if j != i]
    residuals = X - X @ coef
    Z = np.zeros_like(X)
    Z[:, others] = residuals[:, others] @ np.linalg.inv(error_cov[np.ix_(others, others)]).T
    return Z


def least_squares(
    X: FloatArray, coef: FloatArray, beta: FloatArray, old_coef: FloatArray, old_error_cov: FloatArray
) -> float:
    """Return LS(θ) = 1/(2n) Σ_i ‖X_i - X coef_i - Z^(i) beta_i‖² with Z from the parameters of the step before."""
    d = X.shape[1]
    total = 0.0
    for i in range(d):
        Z = pseudo_variables(X, old_coef, old_error_cov, i)
        total += float(np.sum((X[:, i] - X @ coef[:, i] - Z @ beta[:, i]) ** 2))
    return total / (2.0 * len(X))
