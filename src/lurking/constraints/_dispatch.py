"""One compiled entrance to all built-in constraints, for loops that never leave compiled code."""

from __future__ import annotations

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.constraints.acyclic import acyclic_kernel
from lurking.constraints.ancestral import ancestral_kernel
from lurking.constraints.arid import arid_kernel
from lurking.constraints.bow_free import bow_free_kernel

__all__ = ["constraint_kernel", "model_constraint_kernel"]


@compiled
def constraint_kernel(
    code: int,
    exponential: bool,
    scale: float,
    only_nonzero: bool,
    D: FloatArray,
    B: FloatArray,
    grad_D: FloatArray,
    grad_B: FloatArray,
) -> float:
    """Return h(D, B) and write its derivatives; ``code`` is the constraint's ``compiled_code``.

    ``scale`` and ``only_nonzero`` are those of :func:`lurking.constraints.arid.arid_kernel`; the others ignore them.
    """
    if code == 1:
        return bow_free_kernel(D, B, exponential, grad_D, grad_B)
    if code == 2:
        return ancestral_kernel(D, B, exponential, grad_D, grad_B)
    if code == 3:
        return arid_kernel(D, B, exponential, scale, only_nonzero, grad_D, grad_B)
    for i in range(B.shape[0]):
        for j in range(B.shape[0]):
            grad_B[i, j] = 0.0
    return acyclic_kernel(D, exponential, grad_D)


@compiled
def model_constraint_kernel(
    code: int,
    exponential: bool,
    scale: float,
    coef: FloatArray,
    error_cov: FloatArray,
    weights: FloatArray,
    grad_coef: FloatArray,
    grad_error_cov: FloatArray,
) -> float:
    """Return h of a model and write its derivatives by the parameters (Corollary 1); ``weights`` is (2, d, d)."""
    d = coef.shape[0]
    D, B = weights[0], weights[1]
    for i in range(d):
        for j in range(d):
            D[i, j] = coef[i, j] * coef[i, j]
            B[i, j] = error_cov[i, j] * error_cov[i, j]
        B[i, i] = 0.0
    value = constraint_kernel(code, exponential, scale, True, D, B, grad_coef, grad_error_cov)
    for i in range(d):
        for j in range(d):
            grad_coef[i, j] *= 2.0 * coef[i, j]
            grad_error_cov[i, j] *= 2.0 * error_cov[i, j]
        grad_error_cov[i, i] = 0.0
    return value
