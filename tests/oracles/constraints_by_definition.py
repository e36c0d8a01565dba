"""The constraints exactly as the paper writes them: Table 1 and Algorithm 1, line by line in NumPy."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from lurking._typing import FloatArray
from lurking.constraints import Form


def walk_function(A: FloatArray, form: Form, factor: float) -> FloatArray:
    """Return e^A or (I + factor·A)^d."""
    d = len(A)
    if form == "exponential":
        return np.asarray(expm(A), dtype=np.float64)
    return np.asarray(np.linalg.matrix_power(np.eye(d) + factor * A, d), dtype=np.float64)


def power_adjoint(A: FloatArray, G: FloatArray, factor: float) -> FloatArray:
    """Return factor · Σ_k (Mᵀ)^k G (Mᵀ)^(d-1-k) with M = I + factor·A, one power at a time."""
    d = len(A)
    M = (np.eye(d) + factor * A).T
    total = np.zeros((d, d))
    for k in range(d):
        total += np.linalg.matrix_power(M, k) @ G @ np.linalg.matrix_power(M, d - 1 - k)
    return factor * total


def greenery(D: FloatArray, B: FloatArray, form: Form, scale: float) -> float:
    """Return Greenery(D, B), Algorithm 1."""
    d = len(D)
    total = 0.0
    for i in range(d):
        D_f, B_f = D, B
        for _ in range(d - 1):
            t = (walk_function(B_f, form, 2.0) * D_f).sum(axis=1)
            f = np.tanh(scale * (t + np.eye(d)[i]))
            F = np.tile(f, (d, 1))
            D_f, B_f = D_f * F, B_f * F * F.T
        C = walk_function(D_f, form, 1.0) * walk_function(B_f, form, 2.0)
        total += C[:, i].sum()
    return float(total - d)


def table_1(graph_class: str, D: FloatArray, B: FloatArray, form: Form, scale: float = float(np.log(5000))) -> float:
    """Return the constraint of a class, as in Table 1 (scale only matters for "arid")."""
    walks = walk_function(D, form, 1.0)
    acyclic = float(np.trace(walks) - len(D))
    match graph_class:
        case "acyclic":
            return acyclic
        case "bow-free":
            return acyclic + float((D * B).sum())
        case "ancestral":
            return acyclic + float((walks * B).sum())
        case "arid":
            return acyclic + greenery(D, B, form, scale)
    raise AssertionError(graph_class)
