r"""Regularized RICF, Algorithm 2 of Bhattacharya et al. (2021): the primal step of the differentiable search.

RICF (Drton, Eichler and Richardson 2009) fits a Gaussian ADMG by regressing each variable on its parents and on
*pseudo-variables*, made from the residuals of the others so that their coefficients are the error covariances::

    V_i ≈ Σ_j coef_ji V_j + Σ_j beta_ij Z^(i)_j,        Z^(i) = ε_-i (beta_-i,-i)⁻¹.

Regularized RICF does all regressions at once, for a graph that is not known: with the pseudo-variables fixed it
minimises ``least squares + ½ρh² + αh + λ Σ tanh(c·|θ|)`` over all parameters θ, sets the error variances to the
variances of the residuals, and repeats until the parameters stand still.

On the covariance matrix S alone: with ``ε = X(I - coef)``, ``Z^(i) = X M^(i)``, so ::

    1/(2n) Σ_i ‖X_i - X coef_i - Z^(i) beta_i‖² = ½ Σ_i v_iᵀ S v_i,      v_i = e_i - coef_i - M^(i) beta_i.

Two statements of the paper do not hold as written, and are left as written here. The error variance
``var(ε_i)`` is not the maximum-likelihood update (for that see :func:`lurking.sem.ricf`). And because all columns are
updated at once, the error covariance need not stay positive definite on the way: about half of the dual steps at d = 10
pass through such a matrix. The pseudo-variables exist all the same. Shrinking the covariances to a positive definite
matrix before each step was tried and made no difference to the result.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lurking._typing import FloatArray
from lurking.constraints import ClassPenalty
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.kernels.inner_problem import InnerProblem, pack, prepare, unpack
from lurking.search.kernels.orthant_lbfgs import minimise
from lurking.search.kernels.scipy_split import minimise_with_scipy

__all__ = ["RegularizedFit", "regularized_ricf"]

_GRADIENT_TOLERANCE = 1e-5  # as in L-BFGS-B


@dataclass(frozen=True, slots=True)
class RegularizedFit:
    """Where Algorithm 2 stopped.

    Attributes
    ----------
    coef, error_cov : ndarray of shape (d, d)
        The parameters; the error covariance need not be positive definite.
    objective : float
        Least squares, constraint terms and penalty at the last minimum.
    n_iterations : int
        RICF iterations.
    n_evaluations : int
        Evaluations of the objective and its gradient in all of them.
    singular : bool
        Whether it stopped early because the error covariance could not be inverted.
    """

    coef: FloatArray
    error_cov: FloatArray
    objective: float
    n_iterations: int
    n_evaluations: int
    singular: bool


def regularized_ricf(
    problem: InnerProblem,
    constraint: ClassPenalty,
    coef: FloatArray,
    error_cov: FloatArray,
    max_iterations: int,
    hyperparameters: DCDHyperparameters,
) -> RegularizedFit:
    """Run Algorithm 2 from the given parameters.

    Parameters
    ----------
    problem : InnerProblem
        The data, ρ, α, λ, c, and which parameters exist.
    constraint : ClassPenalty
        The h. Built-in constraints are evaluated in compiled code, others by their ``value_and_grad``.
    coef, error_cov : ndarray of shape (d, d)
        Where to start; not changed.
    max_iterations : int
        The m of Algorithm 3.
    hyperparameters : DCDHyperparameters
        For ``ricf_tol``, ``inner_tol`` and ``inner_max_iterations``.
    """
    S = problem.S
    theta = np.empty(len(problem.rows))
    objective, n_evaluations, n_iterations = np.inf, 0, 0
    for n_iterations in range(1, max_iterations + 1):
        if not prepare(problem, coef, error_cov):
            return RegularizedFit(coef, error_cov, objective, n_iterations - 1, n_evaluations, singular=True)
        pack(problem, coef, error_cov, theta)
        if constraint.compiled_code >= 0:
            objective, _, evaluations = minimise(
                problem,
                theta,
                hyperparameters.inner_max_iterations,
                _GRADIENT_TOLERANCE,
                hyperparameters.inner_tol,
            )
        else:
            objective, _, evaluations = minimise_with_scipy(
                problem, constraint, theta, hyperparameters.inner_max_iterations, hyperparameters.inner_tol
            )
        n_evaluations += evaluations
        new_coef, new_error_cov = np.zeros_like(S), np.zeros_like(S)
        unpack(problem, theta, new_coef, new_error_cov)
        residuals = np.eye(len(S)) - new_coef
        np.fill_diagonal(new_error_cov, np.einsum("ki,kl,li->i", residuals, S, residuals))
        change = np.abs(new_coef - coef).sum() + np.abs(new_error_cov - error_cov).sum()
        coef, error_cov = new_coef, new_error_cov
        if change < hyperparameters.ricf_tol:
            break
    return RegularizedFit(coef, error_cov, objective, n_iterations, n_evaluations, singular=False)
