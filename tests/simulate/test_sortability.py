"""Varsortability and R²-sortability against path enumeration and regression."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.simulate import draw_parameters, r2_sortability, random_admg, varsortability


def slow_share(scores: FloatArray, graph: ADMG) -> float:
    """List every directed path, keep (start, end, length) once, and look at its two scores."""
    paths: list[tuple[str, ...]] = list(graph.directed_edges())
    found = set()
    while paths:
        path = paths.pop()
        found.add((path[0], path[-1], len(path) - 1))
        paths += [(*path, child) for child in graph.children(path[-1])]
    if not found:
        return math.nan
    score = dict(zip(graph.names, scores.tolist(), strict=True))
    return float(np.mean([increasing(score[a], score[b]) for a, b, _ in found]))


def increasing(start: float, end: float) -> float:
    return 0.5 if math.isclose(start, end, rel_tol=1e-9) else float(start < end)


def slow_r_squared(cov: FloatArray) -> FloatArray:
    """Regress each variable on the others."""
    values = []
    for i in range(len(cov)):
        others = [j for j in range(len(cov)) if j != i]
        slopes = np.linalg.solve(cov[np.ix_(others, others)], cov[others, i])
        values.append(cov[i, others] @ slopes / cov[i, i])
    return np.array(values)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**9), st.integers(1, 6))
def test_against_enumeration_of_paths(seed: int, d: int) -> None:
    graph = random_admg(d, random_state=seed)
    cov = draw_parameters(graph, random_state=seed).implied_cov()
    assert varsortability(cov, graph) == pytest.approx(slow_share(np.diag(cov), graph), nan_ok=True)
    assert r2_sortability(cov, graph) == pytest.approx(slow_share(slow_r_squared(cov), graph), nan_ok=True)


def test_known_values() -> None:
    chain = ADMG.parse("A -> B -> C")
    assert varsortability(np.diag([1.0, 2.0, 3.0]), chain) == 1.0
    assert varsortability(np.diag([3.0, 2.0, 1.0]), chain) == 0.0
    assert varsortability(np.eye(3), chain) == 0.5
    # Paths A -> B (up), B -> C (down), A -> B -> C (up).
    assert varsortability(np.diag([1.0, 3.0, 2.0]), chain) == pytest.approx(2 / 3)
    # A -> C and A -> B -> C are two paths of different length between the same ends.
    triangle = ADMG.parse("A -> B -> C; A -> C")
    assert varsortability(np.diag([1.0, 3.0, 2.0]), triangle) == pytest.approx(3 / 4)


def test_bidirected_edges_are_no_paths() -> None:
    assert varsortability(np.diag([1.0, 2.0, 3.0]), ADMG.parse("A -> B; B <-> C")) == 1.0
    assert varsortability(np.diag([1.0, 2.0, 0.5]), ADMG.parse("A -> B; B <-> C")) == 1.0
    assert math.isnan(varsortability(np.eye(2), ADMG.parse("A <-> B")))


def test_rounding_is_a_tie() -> None:
    assert varsortability(np.diag([1.0, 1.0 + 1e-15]), ADMG.parse("A -> B")) == 0.5
    assert varsortability(np.diag([1e-20, 2e-20]), ADMG.parse("A -> B")) == 1.0


def test_r_squared_does_not_depend_on_units() -> None:
    graph = random_admg(6, random_state=2)
    cov = draw_parameters(graph, random_state=3).implied_cov()
    units = 10.0 ** np.arange(6)
    assert r2_sortability(cov * np.outer(units, units), graph) == r2_sortability(cov, graph)
    assert varsortability(cov * np.outer(units, units), graph) != varsortability(cov, graph)


def test_bad_covariances() -> None:
    graph = ADMG.parse("A -> B")
    with pytest.raises(DataError, match=r"shape \(2, 2\)"):
        varsortability(np.eye(3), graph)
    with pytest.raises(DataError, match="variance of B"):
        varsortability(np.diag([1.0, 0.0]), graph)
    with pytest.raises(DataError, match="positive definite"):
        r2_sortability([[1.0, 1.0], [1.0, 1.0]], graph)
