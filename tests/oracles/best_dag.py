"""The best DAG, found by looking at all of them: one by one, or by dynamic programming over sets of variables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from lurking._typing import BoolMatrix, FloatArray


def regression_bic(cov: FloatArray, n: int, vertex: int, parents: tuple[int, ...]) -> float:
    """The part of the BIC that belongs to one vertex: -2 loglik of its regression + ln(n) (parents + 1)."""
    p = list(parents)
    explained = cov[vertex, p] @ np.linalg.solve(cov[np.ix_(p, p)], cov[p, vertex]) if p else 0.0
    variance = cov[vertex, vertex] - explained
    return float(n * (math.log(2 * math.pi * variance) + 1.0) + math.log(n) * (len(p) + 1))


def dag_bic(cov: FloatArray, n: int, directed: BoolMatrix) -> float:
    columns = (tuple(np.flatnonzero(column).tolist()) for column in directed.T)
    return sum(regression_bic(cov, n, vertex, parents) for vertex, parents in enumerate(columns))


def all_dags(d: int) -> Iterator[BoolMatrix]:
    """Every DAG on d vertices: each pair has no edge or one of two, and no power of the matrix has a trace."""
    pairs = list(combinations(range(d), 2))
    for states in product(range(3), repeat=len(pairs)):
        directed = np.zeros((d, d), dtype=bool)
        for (i, j), state in zip(pairs, states, strict=True):
            directed[i, j], directed[j, i] = state == 1, state == 2
        walks = np.linalg.matrix_power(np.eye(d, dtype=int) + directed, d)
        if not np.any(walks * walks.T > np.eye(d, dtype=int)):
            yield directed


def best_bic_by_subsets(cov: FloatArray, n: int, allowed_edges: BoolMatrix | None = None) -> float:
    """The smallest BIC of any DAG: the best graph on a set has a last vertex, and is best on the others too."""
    d = len(cov)
    allowed = np.ones((d, d), dtype=bool) if allowed_edges is None else allowed_edges

    def best_regression(vertex: int, before: tuple[int, ...]) -> float:
        candidates = [other for other in before if allowed[other, vertex]]
        subsets = (s for size in range(len(candidates) + 1) for s in combinations(candidates, size))
        return min(regression_bic(cov, n, vertex, parents) for parents in subsets)

    best: dict[tuple[int, ...], float] = {(): 0.0}
    for size in range(1, d + 1):
        for members in combinations(range(d), size):
            best[members] = min(
                best[others] + best_regression(last, others)
                for last in members
                for others in [tuple(v for v in members if v != last)]
            )
    return best[tuple(range(d))]
