r"""Counting walks: the matrix functions inside every constraint, and their derivatives.

If A is a non-negative matrix, entry (i, j) of A^k adds up the weights of all walks of k edges from i to j (the weight
of a walk is the product of the weights of its edges). Both

- the *exponential* form, e^A = Σ_k A^k / k!, and
- the *power* form, (I + cA)^d = Σ_k C(d, k) c^k A^k,

therefore add up all walks with positive factors, and an entry is zero exactly if there is no walk (walks longer than d
edges repeat a vertex, so the power form loses nothing: Corollary 2 of Bhattacharya et al. 2021).

**Without the identity.** What is computed is W(A) = f(A) - I, never f(A) itself. From (I + W)² - I = 2W + W² squaring
needs no subtraction, all numbers stay non-negative, and a sum of walks of 1e-30 does not drown in the 1 of the
diagonal. Structural zeros come out as exact zeros.

**Few products.** A power costs at most 2·log2(d) products by repeated squaring. The exponential is a Taylor sum of
A/2^s followed by s squarings; for non-negative matrices no term cancels another, so it is accurate entry by entry.

**The adjoint.** If f has real coefficients and G is the derivative of some number h by W, then the derivative of h by A
is L_f(Aᵀ, G), the directional derivative of f at Aᵀ in the direction G. For the power form that is
c Σ_k (Mᵀ)^k G (Mᵀ)^(d-1-k) with M = I + cA. It comes from carrying a pair (W, dW) through the same squarings, where
dW becomes 2dW + dW·W + W·dW: two products a step instead of d separate powers.

>>> import numpy as np
>>> chain = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
>>> walk_sums(chain, "power")
array([[0., 3., 3.],
       [0., 0., 3.],
       [0., 0., 0.]])
>>> walk_sums(chain, "exponential")
array([[0. , 1. , 0.5],
       [0. , 0. , 1. ],
       [0. , 0. , 0. ]])
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from lurking._typing import FloatArray
from lurking.constraints._walk_kernels import chain_length, walk_adjoint_kernel, walk_kernel, walk_scratch

__all__ = ["FORMS", "Form", "walk_sums", "walk_sums_adjoint"]

Form: TypeAlias = Literal["power", "exponential"]
FORMS: tuple[Form, ...] = ("power", "exponential")


def walk_sums(A: FloatArray, form: Form = "power", factor: float = 1.0) -> FloatArray:
    """Return f(A) - I for a non-negative matrix A.

    Parameters
    ----------
    A : ndarray of shape (d, d)
        Non-negative weights.
    form : {"power", "exponential"}, default="power"
        (I + factor·A)^d or e^A.
    factor : float, default=1.0
        The c of the power form; ignored by the exponential form.

    Returns
    -------
    walks : ndarray of shape (d, d)
        Entry (i, j) is zero exactly if no walk leads from i to j. The cost is O(d³ log d) for the power form and
        about (14 + s)·d³, s the logarithm of the largest row sum, for the exponential form.
    """
    d = A.shape[0]
    chain = np.empty((chain_length(d), d, d))
    scratch = walk_scratch(d)
    out = np.empty((d, d))
    walk_kernel(np.ascontiguousarray(A, dtype=np.float64), d, d, factor, form == "exponential", chain, scratch, out)
    return out


def walk_sums_adjoint(A: FloatArray, gradient: FloatArray, form: Form = "power", factor: float = 1.0) -> FloatArray:
    """Return the derivative by A of a number whose derivative by ``walk_sums(A)`` is ``gradient``.

    The cost is about three times that of :func:`walk_sums`.

    Examples
    --------
    The trace of e^A has the derivative e^A transposed:

    >>> A = np.array([[0.0, 2.0], [0.5, 0.0]])
    >>> slope = walk_sums_adjoint(A, np.eye(2), "exponential")
    >>> bool(np.allclose(slope, walk_sums(A, "exponential").T + np.eye(2)))
    True
    """
    d = A.shape[0]
    weights = np.ascontiguousarray(A, dtype=np.float64)
    chain = np.empty((chain_length(d), d, d))
    scratch = walk_scratch(d)
    out = np.empty((d, d))
    exponential = form == "exponential"
    walk_kernel(weights, d, d, factor, exponential, chain, scratch, out)
    seed = np.ascontiguousarray(gradient, dtype=np.float64)
    walk_adjoint_kernel(weights, d, d, factor, exponential, chain, seed, scratch, out)
    return out
