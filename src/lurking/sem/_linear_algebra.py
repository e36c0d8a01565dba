"""Cholesky factors of small dense matrices, written out for the compiler.

Everything that RICF and Newton's method need: a symmetric positive definite matrix A is factored as R'R with R upper
triangular, in place and in the upper triangle only. Columns to the right of the matrix are carried along: factoring
``[A | b]`` leaves ``[R | y]`` with ``R'y = b``, so that one back substitution solves ``A x = b``, and
``y'y = b' A^-1 b`` comes for free (the reduction of a least-squares problem, the decrement of a Newton step).

Rows are combined four at a time. At the sizes met here (3 to 100 columns) this is as fast as a call of LAPACK at its
best, and it can be called from compiled loops.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled_arithmetic
from lurking._typing import FloatArray

__all__ = ["SMALLEST_PIVOT", "factor", "invert_factored", "solve_factored"]

# A pivot is what is left of a diagonal entry after the rows above are taken out. Less than this share of the entry
# means that the matrix is singular to working precision.
SMALLEST_PIVOT = 1e-12


@compiled_arithmetic
def factor(a: FloatArray, size: int, width: int) -> bool:
    """Factor the leading matrix in place and carry ``width - size`` columns along; tell if it is positive definite."""
    for i in range(size):
        smallest = SMALLEST_PIVOT * a[i, i]
        k = 0
        while k + 3 < i:
            first, second, third, fourth = a[k, i], a[k + 1, i], a[k + 2, i], a[k + 3, i]
            for j in range(i, width):
                a[i, j] -= first * a[k, j] + second * a[k + 1, j] + third * a[k + 2, j] + fourth * a[k + 3, j]
            k += 4
        while k < i:
            first = a[k, i]
            for j in range(i, width):
                a[i, j] -= first * a[k, j]
            k += 1
        pivot = a[i, i]
        if not (pivot > smallest and pivot < np.inf):
            return False
        scale = 1.0 / np.sqrt(pivot)
        for j in range(i, width):
            a[i, j] *= scale
    return True


@compiled_arithmetic
def solve_factored(a: FloatArray, size: int, column: int, x: FloatArray) -> None:
    """Solve ``R x = a[:, column]`` by back substitution."""
    for i in range(size - 1, -1, -1):
        rest = a[i, column]
        for j in range(i + 1, size):
            rest -= a[i, j] * x[j]
        x[i] = rest / a[i, i]


@compiled_arithmetic
def invert_factored(r: FloatArray, size: int, inverse: FloatArray) -> None:
    """Write ``(R'R)^-1``, both triangles, from the upper factor R, which is destroyed.

    First R is replaced by ``T = R^-1``, then the inverse is ``T T'``.
    """
    for i in range(size):
        r[i, i] = 1.0 / r[i, i]
    for j in range(size):  # column j of T, from the bottom up, kept as row j of the result
        inverse[j, j] = r[j, j]
        for i in range(j - 1, -1, -1):
            rest = 0.0
            for k in range(i + 1, j + 1):
                rest += r[i, k] * inverse[j, k]
            inverse[j, i] = -rest * r[i, i]
    for i in range(size):
        for j in range(i, size):
            r[i, j] = inverse[j, i]
    for i in range(size):
        for j in range(i, size):
            total = 0.0
            for k in range(j, size):
                total += r[i, k] * r[j, k]
            inverse[i, j] = total
    for i in range(size):
        for j in range(i):
            inverse[i, j] = inverse[j, i]
