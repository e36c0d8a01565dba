"""Powers and exponentials less the identity, and their adjoints, compiled.

The mathematics is in :mod:`lurking.constraints.walk_sums`. All kernels work on the leading m x m block of their
matrices, so that one piece of memory serves every size.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled, compiled_arithmetic
from lurking._typing import FloatArray

__all__ = [
    "chain_length",
    "symmetric_walk_adjoint_kernel",
    "walk_adjoint_kernel",
    "walk_kernel",
    "walk_scratch",
]

_TAYLOR_TERMS = 14  # with a norm of at most 1/2 the rest of the series is below one part in 1e16
_SCRATCH = 7  # matrices that the adjoint of the exponential needs at once


@compiled
def walk_scratch(d: int) -> FloatArray:
    """Return the working memory that the kernels below want for matrices of up to d rows."""
    return np.empty((_SCRATCH, d, d))


@compiled
def chain_length(exponent: int) -> int:
    """Return how many matrices repeated squaring passes through on the way to a power, both ends included."""
    length = 1
    while exponent > 1:
        length += 1 + (exponent & 1)
        exponent >>= 1
    return length


@compiled_arithmetic
def _add_product(X: FloatArray, Y: FloatArray, m: int, out: FloatArray) -> None:
    """Add the product of the leading m x m blocks to ``out``, in tiles of 2 x 4 sums that stay in registers."""
    whole_rows, whole_columns = m - m % 2, m - m % 4
    for i in range(0, whole_rows, 2):
        for j in range(0, whole_columns, 4):
            a0, a1, a2, a3 = out[i, j], out[i, j + 1], out[i, j + 2], out[i, j + 3]
            b0, b1, b2, b3 = out[i + 1, j], out[i + 1, j + 1], out[i + 1, j + 2], out[i + 1, j + 3]
            for k in range(m):
                x, z = X[i, k], X[i + 1, k]
                y0, y1, y2, y3 = Y[k, j], Y[k, j + 1], Y[k, j + 2], Y[k, j + 3]
                a0 += x * y0
                a1 += x * y1
                a2 += x * y2
                a3 += x * y3
                b0 += z * y0
                b1 += z * y1
                b2 += z * y2
                b3 += z * y3
            out[i, j], out[i, j + 1], out[i, j + 2], out[i, j + 3] = a0, a1, a2, a3
            out[i + 1, j], out[i + 1, j + 1], out[i + 1, j + 2], out[i + 1, j + 3] = b0, b1, b2, b3
        for j in range(whole_columns, m):
            a0, b0 = out[i, j], out[i + 1, j]
            for k in range(m):
                a0 += X[i, k] * Y[k, j]
                b0 += X[i + 1, k] * Y[k, j]
            out[i, j], out[i + 1, j] = a0, b0
    if whole_rows < m:
        for k in range(m):
            x = X[whole_rows, k]
            for j in range(m):
                out[whole_rows, j] += x * Y[k, j]


@compiled
def _product(X: FloatArray, Y: FloatArray, m: int, out: FloatArray) -> None:
    """Write the product of the leading m x m blocks."""
    for i in range(m):
        for j in range(m):
            out[i, j] = 0.0
    _add_product(X, Y, m, out)


@compiled
def _highest_bit(exponent: int) -> int:
    bit = 1
    while bit * 2 <= exponent:
        bit *= 2
    return bit


@compiled
def _power(A: FloatArray, m: int, exponent: int, factor: float, chain: FloatArray) -> int:
    """Fill ``chain`` with (I + factor·A)^k - I for the exponents k that repeated squaring visits; return the last."""
    base = chain[0]
    for i in range(m):
        for j in range(m):
            base[i, j] = factor * A[i, j]
    last = 0
    bit = _highest_bit(exponent) >> 1
    while bit:
        W, squared = chain[last], chain[last + 1]
        for i in range(m):
            for j in range(m):
                squared[i, j] = 2.0 * W[i, j]
        _add_product(W, W, m, squared)
        last += 1
        if exponent & bit:
            W, longer = chain[last], chain[last + 1]
            for i in range(m):
                for j in range(m):
                    longer[i, j] = W[i, j] + base[i, j]
            _add_product(W, base, m, longer)
            last += 1
        bit >>= 1
    return last


@compiled
def _power_adjoint(
    m: int, exponent: int, factor: float, chain: FloatArray, G: FloatArray, scratch: FloatArray, out: FloatArray
) -> None:
    """Carry the direction ``factor·G`` through the squarings of the transposed chain.

    Everything is held transposed, so that the products read the chain as it was stored, row by row.
    """
    base_slope, slope, spare = scratch[0], scratch[1], scratch[2]
    base = chain[0]
    for i in range(m):
        for j in range(m):
            base_slope[i, j] = slope[i, j] = factor * G[j, i]
    last = 0
    bit = _highest_bit(exponent) >> 1
    while bit:
        W = chain[last]
        for i in range(m):
            for j in range(m):
                spare[i, j] = 2.0 * slope[i, j]
        _add_product(slope, W, m, spare)
        _add_product(W, slope, m, spare)
        slope, spare = spare, slope
        last += 1
        if exponent & bit:
            # the derivative of W·Q + W + Q, Q the base, which commutes with W
            W = chain[last]
            for i in range(m):
                for j in range(m):
                    spare[i, j] = slope[i, j] + base_slope[i, j]
            _add_product(base, slope, m, spare)
            _add_product(base_slope, W, m, spare)
            slope, spare = spare, slope
            last += 1
        bit >>= 1
    for i in range(m):
        for j in range(m):
            out[i, j] = slope[j, i]


@compiled
def _symmetric_power_adjoint(
    m: int, exponent: int, factor: float, chain: FloatArray, G: FloatArray, scratch: FloatArray, out: FloatArray
) -> None:
    """Do the same if the matrix and G are symmetric: W·dW is then the transpose of dW·W, and one product is saved."""
    base_slope, slope, product = scratch[0], scratch[1], scratch[2]
    for i in range(m):
        for j in range(m):
            base_slope[i, j] = slope[i, j] = factor * G[i, j]
    last = 0
    bit = _highest_bit(exponent) >> 1
    while bit:
        _product(slope, chain[last], m, product)
        for i in range(m):
            for j in range(m):
                slope[i, j] = 2.0 * slope[i, j] + product[i, j] + product[j, i]
        last += 1
        if exponent & bit:
            for i in range(m):
                for j in range(m):
                    product[i, j] = slope[i, j] + base_slope[i, j]
            _add_product(chain[0], slope, m, product)
            _add_product(base_slope, chain[last], m, product)
            # symmetric only in exact arithmetic, and the squarings above rely on it
            for i in range(m):
                for j in range(m):
                    slope[i, j] = 0.5 * (product[i, j] + product[j, i])
            last += 1
        bit >>= 1
    for i in range(m):
        for j in range(m):
            out[i, j] = slope[i, j]


@compiled
def _halvings(A: FloatArray, m: int) -> int:
    """Return how often A must be halved until no row sums to more than 1/2."""
    norm = 0.0
    for i in range(m):
        total = 0.0
        for j in range(m):
            total += A[i, j]
        norm = max(norm, total)
    count = 0
    while norm > 0.5 and count < 1024:
        norm *= 0.5
        count += 1
    return count


@compiled
def _exponential(A: FloatArray, m: int, terms: int, scratch: FloatArray, out: FloatArray) -> None:
    """Write e^A - I."""
    Y, term, spare = scratch[0], scratch[1], scratch[2]
    halvings = _halvings(A, m)
    scale = 0.5**halvings
    for i in range(m):
        for j in range(m):
            Y[i, j] = term[i, j] = out[i, j] = scale * A[i, j]
    for k in range(2, terms + 1):
        _product(term, Y, m, spare)
        for i in range(m):
            for j in range(m):
                term[i, j] = spare[i, j] / k
                out[i, j] += term[i, j]
    for _ in range(halvings):
        _product(out, out, m, spare)
        for i in range(m):
            for j in range(m):
                out[i, j] = 2.0 * out[i, j] + spare[i, j]


@compiled
def _exponential_adjoint(
    A: FloatArray, m: int, terms: int, G: FloatArray, scratch: FloatArray, out: FloatArray
) -> None:
    """Write the directional derivative of the exponential at Aᵀ in the direction G."""
    Y, E, term, term_slope, W, spare, other = (
        scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5], scratch[6],
    )  # fmt: skip
    halvings = _halvings(A, m)
    scale = 0.5**halvings
    for i in range(m):
        for j in range(m):
            Y[i, j] = term[i, j] = W[i, j] = scale * A[j, i]
            E[i, j] = term_slope[i, j] = out[i, j] = scale * G[i, j]
    for k in range(2, terms + 1):
        _product(term_slope, Y, m, spare)
        _product(term, E, m, other)
        for i in range(m):
            for j in range(m):
                term_slope[i, j] = (spare[i, j] + other[i, j]) / k
                out[i, j] += term_slope[i, j]
        _product(term, Y, m, spare)
        for i in range(m):
            for j in range(m):
                term[i, j] = spare[i, j] / k
                W[i, j] += term[i, j]
    for _ in range(halvings):
        _product(out, W, m, spare)
        _product(W, out, m, other)
        for i in range(m):
            for j in range(m):
                out[i, j] = 2.0 * out[i, j] + spare[i, j] + other[i, j]
        _product(W, W, m, spare)
        for i in range(m):
            for j in range(m):
                W[i, j] = 2.0 * W[i, j] + spare[i, j]


@compiled
def walk_kernel(
    A: FloatArray,
    m: int,
    exponent: int,
    factor: float,
    exponential: bool,
    chain: FloatArray,
    scratch: FloatArray,
    out: FloatArray,
) -> None:
    """Write f(A) - I of the leading m x m block of A.

    ``exponent`` is that of the power form, and the least number of terms of the exponential: the number of vertices of
    the whole graph. ``chain`` (at least ``chain_length(exponent)`` matrices) is kept for :func:`walk_adjoint_kernel`;
    ``scratch`` is from :func:`walk_scratch`.
    """
    if exponential:
        _exponential(A, m, max(exponent, _TAYLOR_TERMS), scratch, out)
        return
    last = _power(A, m, exponent, factor, chain)
    for i in range(m):
        for j in range(m):
            out[i, j] = chain[last, i, j] if exponent > 0 else 0.0


@compiled
def walk_adjoint_kernel(
    A: FloatArray,
    m: int,
    exponent: int,
    factor: float,
    exponential: bool,
    chain: FloatArray,
    G: FloatArray,
    scratch: FloatArray,
    out: FloatArray,
) -> None:
    """Write the derivative by A, given the derivative G by f(A) - I and the ``chain`` that the forward pass left.

    ``exponent`` must be positive.
    """
    if exponential:
        _exponential_adjoint(A, m, max(exponent, _TAYLOR_TERMS), G, scratch, out)
    else:
        _power_adjoint(m, exponent, factor, chain, G, scratch, out)


@compiled
def symmetric_walk_adjoint_kernel(
    A: FloatArray,
    m: int,
    exponent: int,
    factor: float,
    exponential: bool,
    chain: FloatArray,
    G: FloatArray,
    scratch: FloatArray,
    out: FloatArray,
) -> None:
    """Do the same for symmetric A and G, with half of the products in the power form."""
    if exponential:
        _exponential_adjoint(A, m, max(exponent, _TAYLOR_TERMS), G, scratch, out)
    else:
        _symmetric_power_adjoint(m, exponent, factor, chain, G, scratch, out)
