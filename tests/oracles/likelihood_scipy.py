"""The Gaussian likelihood of an ADMG maximised head-on: all free parameters in one vector, and scipy's L-BFGS."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lurking._typing import BoolMatrix, FloatArray


class DirectLikelihood:
    """Minus twice the log-likelihood per row, as a function of coefficients and error covariances, with gradient."""

    def __init__(self, cov: FloatArray, directed: BoolMatrix, bidirected: BoolMatrix) -> None:
        self.cov = cov
        self.d = len(cov)
        self.arrows = np.nonzero(directed)
        self.lines = np.nonzero(np.triu(bidirected, 1))
        self.n_arrows, self.n_lines = len(self.arrows[0]), len(self.lines[0])

    def pack(self, coef: FloatArray, error_cov: FloatArray) -> FloatArray:
        return np.concatenate([coef[self.arrows], error_cov[self.lines], np.diag(error_cov)])

    def unpack(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        coef, error_cov = np.zeros((self.d, self.d)), np.zeros((self.d, self.d))
        coef[self.arrows] = theta[: self.n_arrows]
        error_cov[self.lines] = theta[self.n_arrows : self.n_arrows + self.n_lines]
        error_cov += error_cov.T
        error_cov[np.diag_indices(self.d)] = theta[self.n_arrows + self.n_lines :]
        return coef, error_cov

    def value_and_grad(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Return a large number where the error covariance is not positive definite; the line search then backs off."""
        coef, error_cov = self.unpack(theta)
        try:
            factor = np.linalg.cholesky(error_cov)
        except np.linalg.LinAlgError:
            return 1e4, np.zeros_like(theta)
        residual = np.eye(self.d) - coef
        root = np.linalg.inv(factor)
        inverse = root.T @ root
        weighted = inverse @ residual.T @ self.cov  # K (I - B)' S
        value = self.d * np.log(2 * np.pi) + 2 * np.log(np.diag(factor)).sum() + np.trace(weighted @ residual)
        slope_grad = -2 * weighted.T
        error_grad = inverse - weighted @ residual @ inverse
        grad = np.concatenate([slope_grad[self.arrows], 2 * error_grad[self.lines], np.diag(error_grad)])
        return float(value), grad

    def minimum_from(self, coef: FloatArray, error_cov: FloatArray, max_iterations: int = 500) -> float:
        """Return the minimum that quasi-Newton descents from the given parameters reach."""
        theta, value, before = self.pack(coef, error_cov), np.inf, np.inf
        while not value > before - 1e-10:  # each descent starts with a fresh approximation of the Hessian
            before = value
            with threadpool_limits(1):  # matrices are tiny: threads would only wait for each other
                theta = minimize(
                    self.value_and_grad,
                    theta,
                    jac=True,
                    method="L-BFGS-B",
                    options={"maxiter": max_iterations, "ftol": 1e-15, "gtol": 1e-7, "maxcor": 20},
                ).x
            value = self.value_and_grad(theta)[0]
        return value
