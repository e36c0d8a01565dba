"""The function that one step of regularized RICF minimises, compiled, with its gradient and curvature.

With the pseudo-variables held fixed, line 7 of Algorithm 2 is

    minimise   ½ Σ_i v_iᵀ S v_i + ½ρh² + αh + λ Σ tanh(c·|θ|),      v_i = e_i - coef_i - M_i beta_i

over θ, the coefficients and the bidirected covariances (a tied pair counts once). M_i, from the parameters of the step
before, stands for the pseudo-variables Z_i = X M_i: column j is column j of (I - coef) times the inverse of the error
covariance without i. Everything is a function of the covariance matrix S, so no cost depends on the number of rows.

The penalty has a kink at zero and is left out here: :mod:`lurking.search.kernels.orthant_lbfgs` deals with it. What is
computed is the smooth rest and, for scaling, an estimate of the diagonal of its Hessian: exact for the least squares;
for the constraint, with w = θ² and h' the derivative by w, 2(ρh + α)h' + ρ(2θh')², which is everything but the second
derivative by the weights. Between parameters that the constraint squeezes to zero and the others it differs by many
orders of magnitude, and without this scaling a quasi-Newton method takes ten to thirty times the iterations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lurking._compile import compiled, compiled_arithmetic
from lurking._typing import BoolMatrix, FloatArray, IntArray
from lurking.constraints._dispatch import constraint_kernel
from lurking.constraints._settings import Settings

__all__ = ["InnerProblem", "inner_problem", "pack", "prepare", "smooth_part", "unpack"]


class InnerProblem(NamedTuple):
    """Data, parameters of the method and working memory of one minimisation."""

    S: FloatArray  # (d, d) covariance matrix
    M: FloatArray  # (d, d, d): M[i] makes the pseudo-variables of variable i; its column i is zero
    rows: IntArray  # (p,) the entry of the matrices that each parameter stands for
    columns: IntArray  # (p,)
    n_directed: int  # the first n_directed parameters are coefficients, the others bidirected covariances
    constraint: Settings
    rho: float
    alpha: float
    penalty: float  # λ
    sharpness: float  # c
    curvature: FloatArray  # (p,) diagonal of the Hessian of the least squares, written by ``prepare``
    coef: FloatArray  # (d, d) working memory, like all that follow
    beta: FloatArray
    grad_coef: FloatArray
    grad_beta: FloatArray
    weights: FloatArray  # (2, d, d)
    v: FloatArray  # (d,)
    Sv: FloatArray  # (d,)


def inner_problem(
    S: FloatArray,
    directed_allowed: BoolMatrix,
    bidirected_allowed: BoolMatrix,
    constraint: Settings,
    penalty: float,
    sharpness: float,
) -> InnerProblem:
    """Return the problem with ρ and α at zero; parameters that are not allowed do not exist in it."""
    d = S.shape[0]
    directed = np.argwhere(directed_allowed & ~np.eye(d, dtype=bool))
    bidirected = np.argwhere(np.triu(bidirected_allowed, 1))
    places = np.concatenate([directed, bidirected]).astype(np.int64)
    return InnerProblem(
        S=np.array(S, dtype=np.float64, order="C"),
        M=np.zeros((d, d, d)),
        rows=np.ascontiguousarray(places[:, 0]),
        columns=np.ascontiguousarray(places[:, 1]),
        n_directed=len(directed),
        constraint=constraint,
        rho=0.0,
        alpha=0.0,
        penalty=float(penalty),
        sharpness=float(sharpness),
        curvature=np.zeros(len(places)),
        coef=np.zeros((d, d)),
        beta=np.zeros((d, d)),
        grad_coef=np.zeros((d, d)),
        grad_beta=np.zeros((d, d)),
        weights=np.zeros((2, d, d)),
        v=np.zeros(d),
        Sv=np.zeros(d),
    )


@compiled
def unpack(problem: InnerProblem, theta: FloatArray, coef: FloatArray, beta: FloatArray) -> None:
    """Write a vector of parameters into the two matrices, leaving the diagonal of ``beta`` alone."""
    for p in range(problem.n_directed):
        coef[problem.rows[p], problem.columns[p]] = theta[p]
    for p in range(problem.n_directed, theta.shape[0]):
        i, j = problem.rows[p], problem.columns[p]
        beta[i, j] = theta[p]
        beta[j, i] = theta[p]


@compiled
def pack(problem: InnerProblem, coef: FloatArray, beta: FloatArray, theta: FloatArray) -> None:
    """Read the vector of parameters from the two matrices."""
    for p in range(theta.shape[0]):
        source = coef if p < problem.n_directed else beta
        theta[p] = source[problem.rows[p], problem.columns[p]]


@compiled_arithmetic
def _least_squares(problem: InnerProblem) -> float:
    """Return ½ Σ vᵀSv at ``problem.coef``, ``problem.beta`` and write its derivatives.

    Row i of ``grad_beta`` holds the derivatives by column i of beta as it enters equation i, the two entries of a tied
    pair apart.
    """
    S, coef, beta, v, Sv = problem.S, problem.coef, problem.beta, problem.v, problem.Sv
    d = S.shape[0]
    total = 0.0
    for i in range(d):
        M = problem.M[i]
        for k in range(d):
            dot = 0.0
            for j in range(d):
                dot += M[k, j] * beta[i, j]
            v[k] = -coef[k, i] - dot
        v[i] += 1.0
        for k in range(d):
            dot = 0.0
            for j in range(d):
                dot += S[k, j] * v[j]
            Sv[k] = dot
            total += v[k] * dot
            problem.grad_coef[k, i] = -dot
        for j in range(d):
            problem.grad_beta[i, j] = 0.0
        for k in range(d):
            for j in range(d):
                problem.grad_beta[i, j] -= M[k, j] * Sv[k]
    return 0.5 * total


@compiled
def smooth_part(problem: InnerProblem, theta: FloatArray, gradient: FloatArray, curvature: FloatArray) -> float:
    """Return ½ Σ vᵀSv + ½ρh² + αh, write its gradient and an estimate of the diagonal of its Hessian."""
    unpack(problem, theta, problem.coef, problem.beta)
    value: float = _least_squares(problem)
    for p in range(theta.shape[0]):
        i, j = problem.rows[p], problem.columns[p]
        curvature[p] = problem.curvature[p]
        if p < problem.n_directed:
            gradient[p] = problem.grad_coef[i, j]
        else:
            gradient[p] = problem.grad_beta[i, j] + problem.grad_beta[j, i]
    if problem.rho == 0.0 and problem.alpha == 0.0:
        return value
    D, B = problem.weights[0], problem.weights[1]
    for i in range(D.shape[0]):
        for j in range(D.shape[0]):
            D[i, j] = problem.coef[i, j] * problem.coef[i, j]
            B[i, j] = problem.beta[i, j] * problem.beta[i, j]
    h = constraint_kernel(problem.constraint, D, B, problem.grad_coef, problem.grad_beta)
    value += 0.5 * problem.rho * h * h + problem.alpha * h
    slope = problem.rho * h + problem.alpha
    for p in range(theta.shape[0]):
        i, j = problem.rows[p], problem.columns[p]
        by_weight = problem.grad_coef[i, j] if p < problem.n_directed else 2.0 * problem.grad_beta[i, j]
        by_parameter = 2.0 * theta[p] * by_weight
        gradient[p] += slope * by_parameter
        curvature[p] += 2.0 * slope * by_weight + problem.rho * by_parameter * by_parameter
    return value


@compiled
def _inverse(A: FloatArray, out: FloatArray) -> bool:
    """Write the inverse of a matrix by Gauss-Jordan elimination with pivoting; False if it is singular."""
    d = A.shape[0]
    work = A.copy()
    largest = 0.0
    for i in range(d):
        for j in range(d):
            out[i, j] = 0.0
            largest = max(largest, abs(A[i, j]))
        out[i, i] = 1.0
    for k in range(d):
        pivot = k
        for i in range(k + 1, d):
            if abs(work[i, k]) > abs(work[pivot, k]):
                pivot = i
        if not abs(work[pivot, k]) > 1e-13 * largest:
            return False
        if pivot != k:
            for j in range(d):
                work[k, j], work[pivot, j] = work[pivot, j], work[k, j]
                out[k, j], out[pivot, j] = out[pivot, j], out[k, j]
        factor = 1.0 / work[k, k]
        for j in range(d):
            work[k, j] *= factor
            out[k, j] *= factor
        for i in range(d):
            if i != k and work[i, k] != 0.0:
                factor = work[i, k]
                for j in range(d):
                    work[i, j] -= factor * work[k, j]
                    out[i, j] -= factor * out[k, j]
    return True


@compiled
def _fill_pseudo_variables(coef: FloatArray, error_cov: FloatArray, M: FloatArray) -> bool:
    """Write M[i] = (I - coef)[:, -i] (Omega without i)⁻¹ for every i; False if it does not exist.

    With P the inverse of the whole matrix, the inverse without row and column i is P - P_i P_iᵀ / P_ii, so one inverse
    serves all variables.
    """
    d = coef.shape[0]
    P, reduced = np.empty((d, d)), np.empty((d, d))
    if not _inverse(error_cov, P):
        return False
    largest = 0.0
    for i in range(d):
        largest = max(largest, abs(P[i, i]))
    for i in range(d):
        if not abs(P[i, i]) > 1e-13 * largest:
            return False
        for j in range(d):
            for k in range(d):
                reduced[j, k] = P[j, k] - P[j, i] * P[i, k] / P[i, i]
        for j in range(d):
            reduced[i, j] = 0.0
            reduced[j, i] = 0.0
        for k in range(d):
            for j in range(d):
                M[i, k, j] = reduced[k, j]
            for m in range(d):
                if coef[k, m] != 0.0:
                    for j in range(d):
                        M[i, k, j] -= coef[k, m] * reduced[m, j]
    return True


@compiled
def prepare(problem: InnerProblem, coef: FloatArray, error_cov: FloatArray) -> bool:
    """Fix the pseudo-variables and the curvature at the given parameters; False if the error covariance is singular."""
    if not _fill_pseudo_variables(coef, error_cov, problem.M):
        return False
    S = problem.S
    d = S.shape[0]
    pseudo_variances = np.zeros((d, d))  # entry (i, j) is the variance of pseudo-variable j of variable i
    for i in range(d):
        M = problem.M[i]
        for k in range(d):
            for m in range(d):
                s = S[k, m]
                for j in range(d):
                    pseudo_variances[i, j] += s * M[k, j] * M[m, j]
    for p in range(problem.rows.shape[0]):
        i, j = problem.rows[p], problem.columns[p]
        if p < problem.n_directed:
            problem.curvature[p] = S[i, i]
        else:
            problem.curvature[p] = pseudo_variances[i, j] + pseudo_variances[j, i]
    return True
