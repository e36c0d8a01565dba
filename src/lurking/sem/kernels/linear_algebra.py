"""Cholesky factors of small dense matrices, written out for the compiler.

Everything that RICF and Newton's method need. A symmetric positive definite matrix A is factored as L L' in place, in
the lower triangle; the diagonal of the result holds the reciprocals of that of L. Rows below the matrix are carried
along: with b as row ``size``, the row holds y with ``L y = b`` afterwards, so that one back substitution solves
``A x = b``, and ``y'y = b' A^-1 b`` needs no further work (the reduction of a least-squares problem, the decrement of a
Newton step).

Two rows and two columns are combined at a time, so that each number read is used twice, and all inner loops run along
rows. At the sizes met here (3 to 300) this is faster than a call of LAPACK, and compiled loops can call it.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled_arithmetic
from lurking._typing import FloatArray

__all__ = ["SMALLEST_PIVOT", "back_substitute", "factor", "forward_substitute", "invert_factor", "invert_factored"]

# A pivot is what is left of a diagonal entry after the columns before are taken out. Less than this share of the entry
# means that the matrix is singular to working precision.
SMALLEST_PIVOT = 1e-12


@compiled_arithmetic
def factor(a: FloatArray, size: int) -> bool:
    """Factor the leading matrix in place; tell if it is positive definite."""
    for i in range(0, size - 1, 2):
        for j in range(0, i, 2):
            upper_left, upper_right, lower_left, lower_right = a[i, j], a[i, j + 1], a[i + 1, j], a[i + 1, j + 1]
            for k in range(j):
                upper_left -= a[i, k] * a[j, k]
                upper_right -= a[i, k] * a[j + 1, k]
                lower_left -= a[i + 1, k] * a[j, k]
                lower_right -= a[i + 1, k] * a[j + 1, k]
            upper_left *= a[j, j]
            lower_left *= a[j, j]
            a[i, j] = upper_left
            a[i + 1, j] = lower_left
            a[i, j + 1] = (upper_right - upper_left * a[j + 1, j]) * a[j + 1, j + 1]
            a[i + 1, j + 1] = (lower_right - lower_left * a[j + 1, j]) * a[j + 1, j + 1]
        first, between, second = a[i, i], a[i + 1, i], a[i + 1, i + 1]
        for k in range(i):
            first -= a[i, k] * a[i, k]
            between -= a[i + 1, k] * a[i, k]
            second -= a[i + 1, k] * a[i + 1, k]
        if not (first > SMALLEST_PIVOT * a[i, i] and first < np.inf):
            return False
        a[i, i] = 1.0 / np.sqrt(first)
        between *= a[i, i]
        second -= between * between
        if not (second > SMALLEST_PIVOT * a[i + 1, i + 1] and second < np.inf):
            return False
        a[i + 1, i] = between
        a[i + 1, i + 1] = 1.0 / np.sqrt(second)
    if size % 2 == 1:
        last = size - 1
        pivot = a[last, last]
        forward_substitute(a, last, last)
        for k in range(last):
            pivot -= a[last, k] * a[last, k]
        if not (pivot > SMALLEST_PIVOT * a[last, last] and pivot < np.inf):
            return False
        a[last, last] = 1.0 / np.sqrt(pivot)
    return True


@compiled_arithmetic
def forward_substitute(a: FloatArray, size: int, row: int) -> None:
    """Replace the given row b by y with ``L y = b``."""
    for j in range(size):
        rest = a[row, j]
        for k in range(j):
            rest -= a[row, k] * a[j, k]
        a[row, j] = rest * a[j, j]


@compiled_arithmetic
def back_substitute(a: FloatArray, size: int, row: int, x: FloatArray) -> None:
    """Solve ``L' x = y`` for the y in the given row, which stays."""
    for i in range(size):
        x[i] = a[row, i]
    for i in range(size - 1, -1, -1):
        x[i] *= a[i, i]
        for k in range(i):
            x[k] -= x[i] * a[i, k]


@compiled_arithmetic
def invert_factor(a: FloatArray, size: int, scratch: FloatArray) -> None:
    """Replace the factor by ``T = L^-1``, whose diagonal is what it says; ``scratch`` is a row of that length."""
    for i in range(size):
        for j in range(i):
            scratch[j] = 0.0
        for k in range(i):
            weight = -a[i, k] * a[i, i]
            for j in range(k + 1):
                scratch[j] += weight * a[k, j]
        for j in range(i):
            a[i, j] = scratch[j]


@compiled_arithmetic
def invert_factored(a: FloatArray, size: int, inverse: FloatArray) -> None:
    """Write ``(L L')^-1``, both triangles; the factor is replaced by ``T = L^-1``, and the inverse is ``T' T``."""
    invert_factor(a, size, inverse[0])
    for i in range(size):
        for j in range(i + 1):
            inverse[i, j] = 0.0
        for k in range(i, size):
            weight = a[k, i]
            for j in range(i + 1):
                inverse[i, j] += weight * a[k, j]
    for i in range(size):
        for j in range(i):
            inverse[j, i] = inverse[i, j]
