"""Vertices of several columns: a graph on vertices as a graph on columns, and what its parameters cost.

A nominal variable is a vertex made of several columns, its *block*. An edge of the vertex is one of all its columns:
V -> W becomes an edge from every column of V to every column of W, V <-> W one between all pairs, and the errors of the
columns of one vertex are free among themselves, a complete set of bidirected edges. This *wide graph* of a bow-free
graph is an ordinary bow-free graph, and its districts are those of the graph on vertices, each vertex replaced by its
columns.

What an edge costs is explained in :mod:`lurking.sem.criterion`.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.sem.kernels.complexity import (
    BIDIRECTED_PRICE,
    COEFFICIENT_PRECISION,
    COVARIANCE_PRECISION,
    DIRECTED_PRICE,
    FURTHER_PRICE,
    LEAST_COEFFICIENT,
    LEAST_COVARIANCE,
    LEAST_VARIANCE,
    VARIANCE_PRICE,
    log_determinant,
)
from lurking.sem.kernels.district import (
    ACCEPTED,
    COEFFICIENTS,
    EDGE_COLUMN,
    EDGE_ROW,
    ENTRIES,
    FIRST_PARENT,
    MEMBERS,
    OMEGA,
    PARENT,
    SCRATCH,
    TRIAL,
    VARIABLE,
    B,
    DistrictWork,
    copy_parameters,
)
from lurking.sem.kernels.linear_algebra import factor
from lurking.sem.kernels.newton import fill_hessian
from lurking.sem.kernels.objective import evaluate

__all__ = ["LEAST", "USUAL", "block_complexity", "rough_block_complexity", "widen"]

# shares of n that the information of a variance, of a covariance inside a block, of a coefficient and of a covariance
# is taken to be
LEAST = (LEAST_VARIANCE, LEAST_VARIANCE, LEAST_COEFFICIENT, LEAST_COVARIANCE)
USUAL = (0.5, 1.0, 1.0, 1.0)


@part
def widen(
    directed: Edges, bidirected: Edges, first_column: IntArray, wide_directed: Edges, wide_bidirected: Edges
) -> None:
    """Write the graph on columns."""
    d = directed.shape[0]
    for v in range(d):
        for w in range(d):
            joined = 1 if v == w else bidirected[v, w]
            for i in range(first_column[v], first_column[v + 1]):
                for j in range(first_column[w], first_column[w + 1]):
                    wide_directed[i, j] = directed[v, w]
                    wide_bidirected[i, j] = joined if i != j else 0


@part
def rough_block_complexity(
    prices: FloatArray,
    n: float,
    shares: tuple[float, float, float, float],
    directed: Edges,
    bidirected: Edges,
    first_column: IntArray,
    members: IntArray,
    m: int,
) -> float:
    """Return what the parameters of a district would cost if their information were these shares of n.

    Without priors that is what they cost. With the shares ``LEAST`` it is what they cost at least, whatever the data.
    """
    total = 0.0
    own = inside = prices[VARIANCE_PRICE]
    of_coefficient, of_covariance = prices[COEFFICIENT_PRECISION], prices[COVARIANCE_PRECISION]
    if of_coefficient > 0.0:
        own += np.log(shares[0] * n)
        inside += np.log(shares[1] * n)
    for i in range(m):
        vertex = members[i]
        size = first_column[vertex + 1] - first_column[vertex]
        total += size * own + 0.5 * size * (size - 1) * inside
        for other in range(directed.shape[0]):
            width = first_column[other + 1] - first_column[other]
            parameters, larger = size * width, max(size, width)
            if directed[other, vertex]:
                total += prices[DIRECTED_PRICE] + (parameters - 1) * prices[FURTHER_PRICE]
                if of_coefficient > 0.0:
                    total += parameters * np.log1p(shares[2] * n / (of_coefficient * larger))
            elif other < vertex and bidirected[other, vertex]:
                total += prices[BIDIRECTED_PRICE] + (parameters - 1) * prices[FURTHER_PRICE]
                if of_covariance > 0.0:
                    total += parameters * np.log1p(shares[3] * n / (of_covariance * larger))
    return total


@part
def _log_volume_of_blocks(work: DistrictWork, block: IntArray) -> float:
    """Return the sum over the blocks of (k + 1) ln det of their error covariances."""
    m, omega, scratch = work.size[MEMBERS], work.matrix[OMEGA], work.matrix[SCRATCH]
    total = 0.0
    first = 0
    while first < m:
        size = 0
        while first + size < m and block[work.lists[VARIABLE, first + size]] == block[work.lists[VARIABLE, first]]:
            size += 1
        for i in range(size):
            for j in range(i + 1):
                scratch[i, j] = omega[first + i, first + j]
        if not factor(scratch, size):
            return np.inf
        total += (size + 1) * log_determinant(scratch, size)
        first += size
    return total


@part
def _precision(precision: float, block: IntArray, width: IntArray, i: int, j: int) -> float:
    """Return the prior precision of a parameter between two columns."""
    return float(precision * max(width[block[i]], width[block[j]]))


@part
def block_complexity(
    work: DistrictWork,
    prices: FloatArray,
    n: float,
    least: float,
    usual: float,
    edges: float,
    block: IntArray,
    width: IntArray,
) -> float:
    """Return what the parameters of the loaded district cost at its estimates, those in the planes B and OMEGA.

    ``least`` is what they cost at least, and what is returned without priors and where the information cannot be
    computed; ``usual`` serves for a district of too many parameters. ``edges`` is the price of the edges alone.
    ``block`` names the vertex of each column, ``width`` the number of columns of each vertex.
    """
    of_coefficient, of_covariance = prices[COEFFICIENT_PRECISION], prices[COVARIANCE_PRECISION]
    m, coefficients, entries = work.size[MEMBERS], work.size[COEFFICIENTS], work.size[ENTRIES]
    size = coefficients + entries
    if of_coefficient <= 0.0:
        return least
    variable, parent, first = work.lists[VARIABLE], work.lists[PARENT], work.lists[FIRST_PARENT]
    row, column, hessian = work.lists[EDGE_ROW], work.lists[EDGE_COLUMN], work.hessian
    prior = volume = 0.0  # theta' P theta and ln det P
    for i in range(m):
        for k in range(first[i], first[i + 1]):
            precision = _precision(of_coefficient, block, width, variable[i], variable[parent[k]])
            slope = work.matrix[B, i, parent[k]]
            prior += precision * slope * slope
            volume += np.log(precision)
    for e in range(entries):
        one, other = variable[row[e]], variable[column[e]]
        if block[one] != block[other]:
            precision = _precision(of_covariance, block, width, one, other)
            covariance = work.matrix[OMEGA, row[e], column[e]]
            prior += precision * covariance * covariance
            volume += np.log(precision)
    if size > work.hessian.shape[1]:
        return usual + prior
    copy_parameters(work, work.matrix[ACCEPTED], work.matrix[TRIAL])
    if not evaluate(work) < np.inf:
        return least
    information = np.inf
    concave = 1.0
    while concave >= 0.0 and information == np.inf:  # a Hessian that is not definite is replaced by its convex part
        fill_hessian(work, concave)
        for k in range(size):
            for l in range(k + 1):
                hessian[k, l] *= 0.5 * n
        for i in range(m):
            for k in range(first[i], first[i + 1]):
                hessian[k, k] += _precision(of_coefficient, block, width, variable[i], variable[parent[k]])
        for e in range(entries):
            one, other = variable[row[e]], variable[column[e]]
            if block[one] != block[other]:
                hessian[coefficients + e, coefficients + e] += _precision(of_covariance, block, width, one, other)
        if factor(hessian, size):
            information = log_determinant(hessian, size)
        concave -= 1.0
    total = information - volume + _log_volume_of_blocks(work, block) + edges
    if not total < np.inf:
        return least
    return total + prior
