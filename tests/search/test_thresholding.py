"""From parameters to a graph of the class."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import ParameterError
from lurking._typing import GRAPH_CLASSES, FloatArray, GraphClass
from lurking.graphs import ADMG
from lurking.search.thresholding import threshold_to_admg


def weights(text: str, **strengths: float) -> tuple[FloatArray, FloatArray]:
    """Return parameters of size 1 on the edges of a graph that may have cycles, given as ``A -> B; B <-> C``."""
    coef, error_cov = np.zeros((4, 4)), np.eye(4)
    for edge in text.split("; "):
        one, mark, other = edge.split(" ")
        i, j = "ABCD".index(one), "ABCD".index(other)
        strength = strengths.get(one + other, 1.0)
        if mark == "->":
            coef[i, j] = strength
        else:
            error_cov[i, j] = error_cov[j, i] = strength
    return coef, error_cov


def repaired(text: str, graph_class: GraphClass | None, **strengths: float) -> tuple[str, ...]:
    coef, error_cov = weights(text, **strengths)
    result = threshold_to_admg(coef, error_cov, graph_class, names=list("ABCD"))
    if graph_class is not None:
        assert result.admg.witness(graph_class) is None
    return result.dropped


def test_the_threshold_is_strict_and_counts_absolute_values() -> None:
    coef, error_cov = weights("A -> B; B -> C; C <-> D", AB=-0.051, BC=0.05, CD=-0.2)
    result = threshold_to_admg(coef, error_cov, names=list("ABCD"))
    assert result.admg == ADMG.parse("A -> B; C <-> D", names=list("ABCD"))
    assert result.dropped == ()
    assert threshold_to_admg(coef, error_cov, threshold=0.2).admg.n_edges == 0
    assert threshold_to_admg(coef, error_cov, threshold=0.0).admg.n_edges == 3


def test_the_weakest_edge_of_a_cycle_goes() -> None:
    assert repaired("A -> B; B -> C; C -> A", None, BC=0.3) == ("B -> C",)
    assert repaired("A -> B; B -> A; B -> C; C -> B", "arid", BA=0.5, BC=0.4) == ("B -> A", "B -> C")


def test_the_weaker_edge_of_a_bow_goes() -> None:
    coef, error_cov = weights("A -> B; C -> D")
    error_cov[0, 1] = error_cov[1, 0] = 0.9
    error_cov[2, 3] = error_cov[3, 2] = 1.1
    result = threshold_to_admg(coef, error_cov, "bow-free", names=list("ABCD"))
    assert result.dropped == ("A <-> B", "C -> D")
    assert threshold_to_admg(coef, error_cov, None, names=list("ABCD")).dropped == ()


def test_almost_directed_cycles_and_c_trees_lose_their_weakest_edge() -> None:
    path = "A -> B; B -> C; A <-> C"
    assert repaired(path, "bow-free") == ()
    assert repaired(path, "arid") == ()
    assert repaired(path, "ancestral", BC=0.7) == ("B -> C",)
    assert repaired(path, "ancestral", AC=0.7) == ("A <-> C",)
    tree = "A -> B; B -> C; C -> D; A <-> C; A <-> D; B <-> D"
    assert repaired(tree, "bow-free") == ()
    assert repaired(tree, "arid", BD=0.7) == ("B <-> D",)
    assert repaired(tree, "arid", CD=0.7) == ("C -> D",)


@settings(max_examples=60, deadline=None)
@given(
    d=st.integers(1, 7),
    seed=st.integers(0, 10**6),
    graph_class=st.sampled_from(GRAPH_CLASSES),
    density=st.sampled_from([0.1, 0.4, 1.0]),
)
def test_the_answer_is_in_the_class_and_only_loses_what_it_names(
    d: int, seed: int, graph_class: GraphClass, density: float
) -> None:
    rng = np.random.default_rng(seed)
    coef = rng.normal(size=(d, d)) * (rng.random((d, d)) < density)
    upper = np.triu(rng.normal(size=(d, d)) * (rng.random((d, d)) < density), 1)
    error_cov = upper + upper.T + np.eye(d)
    before = coef.copy(), error_cov.copy()
    result = threshold_to_admg(coef, error_cov, graph_class)
    assert np.array_equal(coef, before[0])
    assert np.array_equal(error_cov, before[1])
    assert result.admg.witness(graph_class) is None
    above = int((np.abs(coef) > 0.05).sum() - (np.abs(np.diag(coef)) > 0.05).sum() + (np.abs(upper) > 0.05).sum())
    assert result.admg.n_edges + len(result.dropped) == above
    again = threshold_to_admg(coef * result.admg.directed, error_cov * result.admg.bidirected, graph_class)
    assert again.admg == result.admg
    assert again.dropped == ()


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ParameterError, match="square matrices"):
        threshold_to_admg(np.zeros((2, 3)), np.eye(2))
    with pytest.raises(ParameterError, match="ancestral, arid, bow-free"):
        threshold_to_admg(np.zeros((2, 2)), np.eye(2), "tree")
    with pytest.raises(ParameterError, match="threshold"):
        threshold_to_admg(np.zeros((2, 2)), np.eye(2), threshold=-1.0)
