"""The fit of a district whose vertices have several columns each, as one C function.

The district is written as one of the wide graph (:mod:`lurking.sem.kernels.blocks`). If it has several vertices, the
fit for vertices of one column (:mod:`lurking.sem.kernels.fit_call`) does the work. A district of one vertex is a
regression of all its columns on the same parents, whose maximum-likelihood estimate is ordinary least squares with
the covariance matrix of the residuals; no iteration is needed. Then the parameters are priced, edge by edge.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
from numba.np.numpy_support import carray

from lurking._compile import compiled_pointer, part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.sem.kernels.blocks import LEAST, USUAL, block_complexity, rough_block_complexity, widen
from lurking.sem.kernels.complexity import (
    BIDIRECTED_PRICE,
    DIRECTED_PRICE,
    FURTHER_PRICE,
    N_PRICES,
    VARIANCE_PRICE,
    log_determinant,
)
from lurking.sem.kernels.district import (
    COEFFICIENTS,
    LOG_VARIANCE,
    N_LISTS,
    N_PLANES,
    N_UNITS,
    N_VECTORS,
    NORMAL,
    OMEGA,
    PARENT,
    SCRATCH,
    SOLUTION,
    VARIABLES,
    VECTORS,
    B,
    DistrictWork,
    S,
    load_district,
)
from lurking.sem.kernels.district_fit import CONVERGED, NEAR_SINGULAR
from lurking.sem.kernels.fit_call import (
    COMPLEXITY,
    ERROR,
    HOPELESS_ABOVE,
    LOG_SQUARES,
    LOG_SUM,
    LOSS,
    N_FOUND,
    N_ITERATIONS,
    N_SAMPLES,
    N_SETTINGS,
    SIGNATURE,
    STATUS,
    call_fit,
)
from lurking.sem.kernels.linear_algebra import back_substitute, factor, forward_substitute

__all__ = ["block_fit_address"]

_LOG_2_PI = float(np.log(2.0 * np.pi))
_PLAIN = 1  # entry of the addresses: the fit for vertices of one column


@part
def _regress(work: DistrictWork, size: int) -> float:
    """Regress the columns of the loaded vertex on its parents; return ln det of the residual covariances, or inf."""
    parents = work.size[COEFFICIENTS] // size
    parent, correlation, normal, scratch = work.lists[PARENT], work.matrix[S], work.matrix[NORMAL], work.matrix[SCRATCH]
    slopes, omega, solution = work.matrix[B], work.matrix[OMEGA], work.matrix[VECTORS, SOLUTION]
    for k in range(parents):
        for l in range(k + 1):
            normal[k, l] = correlation[parent[k], parent[l]]
        for i in range(size):
            normal[parents + i, k] = correlation[parent[k], i]
    regular = factor(normal, parents)
    for i in range(size):
        for p in range(work.size[VARIABLES]):
            slopes[i, p] = 0.0
        for j in range(size):
            omega[i, j] = correlation[i, j]
    if not regular:
        return np.inf
    for i in range(size):
        forward_substitute(normal, parents, parents + i)
    for i in range(size):
        back_substitute(normal, parents, parents + i, solution)
        for k in range(parents):
            slopes[i, parent[k]] = solution[k]
        for j in range(size):
            for k in range(parents):
                omega[i, j] -= normal[parents + i, k] * normal[parents + j, k]
    for i in range(size):
        for j in range(i + 1):
            scratch[i, j] = omega[i, j]
    if not factor(scratch, size):
        return np.inf
    return log_determinant(scratch, size)


@part
def _price_of_edges(
    prices: FloatArray, directed: Edges, bidirected: Edges, first_column: IntArray, members: IntArray, m: int
) -> float:
    """Return what the edges and the own variances of a district cost apart from priors on parameters."""
    total = 0.0
    for i in range(m):
        vertex = members[i]
        size = first_column[vertex + 1] - first_column[vertex]
        total += 0.5 * size * (size + 1) * prices[VARIANCE_PRICE]
        for other in range(directed.shape[0]):
            further = size * (first_column[other + 1] - first_column[other]) - 1
            if directed[other, vertex]:
                total += prices[DIRECTED_PRICE] + further * prices[FURTHER_PRICE]
            elif other < vertex and bidirected[other, vertex]:
                total += prices[BIDIRECTED_PRICE] + further * prices[FURTHER_PRICE]
    return total


def _fit_blocks(
    addresses_at: Any, first_column_at: Any,
    correlation_at: Any, units_at: Any, settings_at: Any, prices_at: Any, members_at: Any, found_at: Any,
    directed_at: Any, bidirected_at: Any, coef_at: Any, error_cov_at: Any,
    size: Any, index: Any, matrix: Any, hessian: Any, step: Any, prior: Any,
    d: int, newton: int, m: int, warm: int,
) -> None:  # fmt: skip
    """Fit the district of the first m members, vertices of several columns; see ``_fit_members`` of ``fit_call``."""
    addresses, first_column = carray(addresses_at, 2), carray(first_column_at, d + 1)
    columns = first_column[d]
    work = DistrictWork(
        carray(size, 4),
        carray(index, (N_LISTS, columns * columns + 1)),
        carray(matrix, (N_PLANES, columns + N_VECTORS, columns)),
        carray(hessian, (newton + 1, newton)),
        carray(step, columns * (columns + 1) // 2),
        carray(prior, 2),
    )
    correlation, units = carray(correlation_at, (columns, columns)), carray(units_at, (N_UNITS, columns))
    members = carray(members_at, d)
    directed, bidirected = carray(directed_at, (d, d)), carray(bidirected_at, (d, d))
    coef, error_cov = carray(coef_at, (columns, columns)), carray(error_cov_at, (columns, columns))
    settings, found = carray(settings_at, N_SETTINGS), carray(found_at, N_FOUND)
    prices = carray(prices_at, N_PRICES)
    n = settings[N_SAMPLES]
    wide_directed = np.empty((columns, columns), dtype=np.uint8)
    wide_bidirected = np.empty((columns, columns), dtype=np.uint8)
    widen(directed, bidirected, first_column, wide_directed, wide_bidirected)
    inside, block, width = (
        np.empty(columns, dtype=np.int64),
        np.empty(columns, dtype=np.int64),
        np.empty(d, dtype=np.int64),
    )
    count = 0
    for vertex in range(d):
        width[vertex] = first_column[vertex + 1] - first_column[vertex]
        for c in range(first_column[vertex], first_column[vertex + 1]):
            block[c] = vertex
    for i in range(m):
        for c in range(first_column[members[i]], first_column[members[i] + 1]):
            inside[count] = c
            count += 1
    least = rough_block_complexity(prices, n, LEAST, directed, bidirected, first_column, members, m)
    if m == 1:
        load_district(work, correlation, units, wide_directed, wide_bidirected, inside, count)
        log_volume = _regress(work, count)
        found[STATUS] = CONVERGED if log_volume < np.inf else NEAR_SINGULAR
        found[LOSS] = count * (1.0 + _LOG_2_PI) + (log_volume if log_volume < np.inf else 0.0)
        for i in range(count):
            found[LOSS] += work.matrix[VECTORS, LOG_VARIANCE, i]
        found[LOSS] *= n
        found[ERROR] = 0.0
        found[N_ITERATIONS] = 0
    else:
        threshold = settings[HOPELESS_ABOVE]
        settings[HOPELESS_ABOVE] = threshold - least
        call_fit(
            addresses[_PLAIN], addresses, first_column, correlation, units, settings, np.zeros(N_PRICES), inside,
            found, wide_directed, wide_bidirected, coef, error_cov,
            work.size, work.lists, work.matrix, work.hessian, work.step, work.prior, columns, newton, count, warm,
        )  # fmt: skip
        settings[HOPELESS_ABOVE] = threshold
    found[LOG_SUM] = 0.0
    found[LOG_SQUARES] = 0.0
    found[COMPLEXITY] = least
    if not found[ERROR] < 0.0:
        edges = _price_of_edges(prices, directed, bidirected, first_column, members, m)
        usual = rough_block_complexity(prices, n, USUAL, directed, bidirected, first_column, members, m)
        found[COMPLEXITY] = block_complexity(work, prices, n, least, usual, edges, block, width)


@cache
def block_fit_address() -> int:
    """Return the address of the compiled fit in this process; the first call loads it from disk or compiles it."""
    function = compiled_pointer(SIGNATURE, _fit_blocks)
    _keep_alive.append(function)
    return cast(int, function.address)


_keep_alive: list[object] = []
