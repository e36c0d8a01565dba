"""The minimisation of :mod:`lurking.search.kernels.orthant_lbfgs` by SciPy's L-BFGS-B, for constraints in Python.

The parameters are split, θ = θ⁺ - θ⁻ with both parts >= 0, and both halves are handed to the bounded optimiser. One or
two orders of magnitude slower, and able to call anything.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from lurking._typing import FloatArray
from lurking.constraints import ClassPenalty
from lurking.search.kernels.inner_problem import InnerProblem, smooth_part, unpack

__all__ = ["minimise_with_scipy"]


def minimise_with_scipy(
    problem: InnerProblem,
    constraint: ClassPenalty,
    theta: FloatArray,
    max_iterations: int,
    value_tolerance: float,
) -> tuple[float, int, int]:
    """Move ``theta`` to a local minimum, as :func:`lurking.search.kernels.orthant_lbfgs.minimise` does."""
    size, d = len(theta), len(problem.S)
    least_squares = problem._replace(rho=0.0, alpha=0.0)
    gradient, curvature = np.empty(size), np.empty(size)
    coef, error_cov = np.zeros((d, d)), np.zeros((d, d))
    directed = np.arange(size) < problem.n_directed

    def split_objective(halves: FloatArray) -> tuple[float, FloatArray]:
        plus, minus = halves[:size], halves[size:]
        signed = plus - minus
        value = smooth_part(least_squares, signed, gradient, curvature)
        unpack(problem, signed, coef, error_cov)
        h, by_coef, by_error_cov = constraint.value_and_grad(coef, error_cov)
        by_parameter = np.where(directed, by_coef[problem.rows, problem.columns], 0.0)
        by_parameter += np.where(directed, 0.0, 2.0 * by_error_cov[problem.rows, problem.columns])
        smooth = gradient + (problem.rho * h + problem.alpha) * by_parameter
        level = np.tanh(problem.sharpness * (plus + minus))
        slope = problem.penalty * problem.sharpness * (1.0 - level**2)
        value += 0.5 * problem.rho * h * h + problem.alpha * h + problem.penalty * float(level.sum())
        return value, np.concatenate([smooth + slope, slope - smooth])

    found = minimize(
        split_objective,
        np.concatenate([np.maximum(theta, 0.0), np.maximum(-theta, 0.0)]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * (2 * size),
        options={"maxiter": max_iterations, "maxfun": 10 * max_iterations, "ftol": value_tolerance},
    )
    theta[:] = found.x[:size] - found.x[size:]
    return float(found.fun), int(found.nit), int(found.nfev)
