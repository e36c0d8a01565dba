"""The constraints exactly as the paper writes them: Table 1 and Algorithm 1, line by line in NumPy.

Everything is analytic, so it also takes complex weights, and the imaginary part of h(x + i·1e-30·v) / 1e-30 is the
derivative along v to full precision (the complex step: a finite difference without cancellation or truncation). The
step sizes that a real difference would need do not exist here: tanh(scale·t) can go from 0 to 1 within 1e-4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

from lurking._typing import FloatArray
from lurking.constraints import Form

Weights = NDArray[Any]
SCALE = float(np.log(5000))
_STEP = 1e-30


def walk_function(A: Weights, form: Form, factor: float) -> Weights:
    """Return e^A or (I + factor·A)^d."""
    d = len(A)
    return np.asarray(expm(A) if form == "exponential" else np.linalg.matrix_power(np.eye(d) + factor * A, d))


def power_adjoint(A: FloatArray, G: FloatArray, factor: float) -> FloatArray:
    """Return factor · Σ_k (Mᵀ)^k G (Mᵀ)^(d-1-k) with M = I + factor·A, one power at a time."""
    d = len(A)
    M = (np.eye(d) + factor * A).T
    total = np.zeros((d, d))
    for k in range(d):
        total += np.linalg.matrix_power(M, k) @ G @ np.linalg.matrix_power(M, d - 1 - k)
    return factor * total


def greenery(D: Weights, B: Weights, form: Form, scale: float = SCALE, directed_factor: float = 1.0) -> Any:
    """Return Greenery(D, B), Algorithm 1."""
    d = len(D)
    total: Any = 0.0
    for i in range(d):
        D_f, B_f = D, B
        for _ in range(d - 1):
            t = (walk_function(B_f, form, 2.0) * D_f).sum(axis=1)
            f = np.tanh(scale * (t + np.eye(d)[i]))
            F = np.tile(f, (d, 1))
            D_f, B_f = D_f * F, B_f * F * F.T
        C = walk_function(D_f, form, directed_factor) * walk_function(B_f, form, 2.0)
        total += C[:, i].sum()
    return total - d


def table_1(graph_class: str, D: Weights, B: Weights, form: Form, directed_factor: float = 1.0) -> Any:
    """Return the constraint of a class, as in Table 1."""
    walks = walk_function(D, form, directed_factor)
    acyclic = np.trace(walks) - len(D)
    match graph_class:
        case "acyclic":
            return acyclic
        case "bow-free":
            return acyclic + (D * B).sum()
        case "ancestral":
            return acyclic + (walks * B).sum()
        case "arid":
            return acyclic + greenery(D, B, form, directed_factor=directed_factor)
    raise AssertionError(graph_class)


def derivative_along(
    graph_class: str, D: FloatArray, B: FloatArray, form: Form, step_D: FloatArray, step_B: FloatArray
) -> float:
    """Return the derivative of the constraint along a direction of the weights."""
    value = table_1(graph_class, D + 1j * _STEP * step_D, B + 1j * _STEP * step_B, form)
    return float(np.imag(value) / _STEP)
