"""One compiled entrance to all built-in constraints, for loops that never leave compiled code."""

from __future__ import annotations

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.constraints._settings import Settings
from lurking.constraints.acyclic import acyclic_kernel
from lurking.constraints.ancestral import ancestral_kernel
from lurking.constraints.arid import arid_kernel
from lurking.constraints.bow_free import bow_free_kernel

__all__ = ["constraint_kernel"]


@compiled
def constraint_kernel(
    settings: Settings, D: FloatArray, B: FloatArray, grad_D: FloatArray, grad_B: FloatArray
) -> float:
    """Return h(D, B) and write its derivatives."""
    if settings.code == 1:
        return bow_free_kernel(D, B, settings, grad_D, grad_B)
    if settings.code == 2:
        return ancestral_kernel(D, B, settings, grad_D, grad_B)
    if settings.code == 3:
        return arid_kernel(D, B, settings, grad_D, grad_B)
    for i in range(B.shape[0]):
        for j in range(B.shape[0]):
            grad_B[i, j] = 0.0
    return acyclic_kernel(D, settings, grad_D)
