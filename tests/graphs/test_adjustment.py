from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from lurking import ADMG
from lurking._errors import GraphError, UnknownVertexError
from lurking.graphs.adjustment import adjustment_set, is_adjustment_set
from lurking.graphs.bits import BitGraph
from oracles.graph_listing import all_admgs
from oracles.graph_parts import one_per_shape

NAMES = ["A", "B", "C", "D"]


def _model(graph: BitGraph, generator: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Total effects and covariance of a random model of a graph, with or without bows."""
    directed, bidirected = graph.to_matrices()
    d = graph.n_vertices
    coef, omega = generator.uniform(0.5, 1.5, (2, d, d)) * generator.choice((-1.0, 1.0), (2, d, d))
    omega = np.tril(omega, -1) / d * bidirected
    paths = np.linalg.inv(np.eye(d) - coef * directed)
    return paths, paths.T @ (omega + omega.T + np.diag(generator.uniform(1.5, 2.5, d))) @ paths


def _slope(cov: NDArray[np.float64], x: int, y: int, given: tuple[int, ...]) -> float:
    rows = [x, *given]
    return float(np.linalg.solve(cov[np.ix_(rows, rows)], cov[rows, y])[0])


def test_valid_sets_are_exactly_those_whose_regression_returns_the_total_effect() -> None:
    """On a sample of the ADMGs with 4 vertices, bows included: all pairs, all sets, two random models."""
    generator = np.random.default_rng(0)
    counts = {True: 0, False: 0}
    without = 0
    for graph in one_per_shape(all_admgs(4).bits[::41])[::2]:
        admg = ADMG(NAMES, *graph.to_matrices())
        models = [_model(graph, generator) for _ in range(2)]
        for x, y in permutations(range(4), 2):
            valid = []
            rest = [v for v in range(4) if v not in (x, y)]
            for given in [s for size in range(3) for s in combinations(rest, size)]:
                right = all(abs(_slope(cov, x, y, given) - paths[x, y]) < 1e-9 for paths, cov in models)
                said = is_adjustment_set(admg, NAMES[x], NAMES[y], [NAMES[v] for v in given])
                assert said == right, (admg, NAMES[x], NAMES[y], given)
                counts[said] += 1
                if said:
                    valid.append(given)
            found = adjustment_set(admg, NAMES[x], NAMES[y])
            assert (found is None) == (not valid)
            without += found is None
            if found is not None:
                assert len(found) == min(map(len, valid))
                assert is_adjustment_set(admg, NAMES[x], NAMES[y], found)
    assert min(counts.values()) > 500
    assert without > 100


def test_front_door_has_no_adjustment_set() -> None:
    graph = ADMG.parse("X -> M -> Y; X <-> Y")
    assert adjustment_set(graph, "X", "Y") is None
    assert adjustment_set(graph, "X", "M") == frozenset()
    assert adjustment_set(graph, "M", "Y") == frozenset({"X"})


def test_m_bias_needs_nothing() -> None:
    graph = ADMG.parse("X -> Y; X <-> Z <-> Y")
    assert adjustment_set(graph, "X", "Y") == frozenset()
    assert not is_adjustment_set(graph, "X", "Y", ["Z"])


def test_descendants_of_mediators_are_forbidden() -> None:
    graph = ADMG.parse("X -> M -> Y; M -> W")
    assert is_adjustment_set(graph, "X", "Y", [])
    assert not is_adjustment_set(graph, "X", "Y", ["W"])
    assert not is_adjustment_set(graph, "X", "Y", ["M"])


def test_an_effect_on_itself_and_unknown_names_are_refused() -> None:
    graph = ADMG.parse("X -> Y")
    with pytest.raises(GraphError, match="both are 'X'"):
        adjustment_set(graph, "X", "X")
    with pytest.raises(UnknownVertexError):
        adjustment_set(graph, "X", "Z")
    with pytest.raises(UnknownVertexError):
        is_adjustment_set(graph, "X", "Y", ["Q"])
