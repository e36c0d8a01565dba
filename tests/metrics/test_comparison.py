"""Comparing graphs: the paper's rates on examples done by hand, and properties that must always hold."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking.graphs import ADMG, CPDAG, PAG, Mark
from lurking.metrics import Comparison, Rates, compare


def small_graph(seed: int, d: int = 5) -> ADMG:
    """A random graph with bows, its names in random order."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((2, d, d)) < rng.uniform(0.1, 0.7), 1)
    names = [f"V{i}" for i in rng.permutation(d)]
    return ADMG(names, upper[0], upper[1] | upper[1].T)


seeds = st.integers(0, 2**32 - 1)


# ------------------------------------------------------------------------------------------------- by hand


def test_wrong_collider_by_hand() -> None:
    # PAG of the truth: A o-> C <-o B, C -> D; of the estimate: A o-> D <-o B, D -> C
    result = compare(ADMG.parse("A -> C <- B; C -> D"), ADMG.parse("A -> D <- B; D -> C"))
    assert result.skeleton == Rates(n_true=3, n_estimated=3, n_shared=1)
    assert result.arrowhead == Rates(n_true=3, n_estimated=3, n_shared=0)
    assert result.tail == Rates(n_true=1, n_estimated=1, n_shared=0)
    assert result.directed == Rates(n_true=3, n_estimated=3, n_shared=0)
    assert (result.shd, result.pag_shd) == (5, 5)
    assert {d.pair: d.kind for d in result.differences} == {
        ("A", "C"): "missing",
        ("C", "B"): "missing",
        ("A", "D"): "extra",
        ("B", "D"): "extra",
        ("C", "D"): "reversed",
    }


def test_chain_for_collider_by_hand() -> None:
    # PAG of the estimate: A o-o C o-o D, no mark at all
    result = compare(ADMG.parse("A -> C <- B; C -> D"), ADMG.parse("A -> C -> D; B"))
    assert (result.skeleton.tpr, result.skeleton.fdr) == (2 / 3, 0.0)
    assert (result.arrowhead.tpr, result.arrowhead.fdr) == (0.0, 0.0)
    assert (result.tail.tpr, result.tail.fdr) == (0.0, 0.0)
    assert result.shd == 1
    assert result.pag_shd == 3


def test_bidirected_edge_has_two_arrowheads() -> None:
    # The PAG of A -> B <-> C <- D is A o-> B <-> C <-o D: four arrowheads.
    truth, estimate = ADMG.parse("A -> B <-> C <- D"), ADMG.parse("A -> B -> C <- D")
    result = compare(truth, estimate)
    # The PAG of the estimate is A o-o B o-> C <-o D: two arrowheads, both right.
    assert result.arrowhead == Rates(n_true=4, n_estimated=2, n_shared=2)
    assert result.skeleton == Rates(n_true=3, n_estimated=3, n_shared=3)
    assert result.bidirected == Rates(n_true=1, n_estimated=0, n_shared=0)
    assert result.directed == Rates(n_true=2, n_estimated=3, n_shared=2)


def test_false_discoveries_by_hand() -> None:
    # B and C are confounded in truth; the estimate adds an edge and with it a wrong mark at B.
    truth = PAG(["A", "B", "C"], [[0, 2, 0], [1, 0, 2], [0, 2, 0]])  # A o-> B <-> C
    estimate = PAG(["A", "B", "C"], [[0, 2, 2], [3, 0, 2], [1, 3, 0]])  # A -> B -> C; A o-> C
    result = compare(truth, estimate)
    assert result.level == "PAG"
    assert result.directed is result.bidirected is None
    assert (result.skeleton.tpr, result.skeleton.fdr) == (1.0, 1 / 3)
    assert result.arrowhead == Rates(n_true=3, n_estimated=3, n_shared=2)
    assert result.tail == Rates(n_true=0, n_estimated=2, n_shared=0)
    assert math.isnan(result.tail.tpr)
    assert result.tail.fdr == 1.0
    assert result.shd == result.pag_shd == 3


def test_skeleton_is_that_of_the_admgs_unless_one_is_a_pag() -> None:
    truth = ADMG.parse("A -> B -> C -> D; B <-> D")
    same_separations = truth.to_mag()  # has an edge between A and D, where the truth has a Verma constraint
    of_admgs = compare(truth, same_separations)
    assert of_admgs.level == "ADMG"
    assert of_admgs.skeleton == Rates(n_true=4, n_estimated=5, n_shared=4)
    assert of_admgs.arrowhead.tpr == 1.0
    assert of_admgs.pag_shd == 0
    pairs: list[tuple[ADMG | PAG, ADMG | PAG]] = [
        (truth, truth.to_pag()),
        (truth.to_pag(), truth),
        (truth.to_pag(), same_separations),
    ]
    for first, second in pairs:
        of_pags = compare(first, second)
        assert of_pags.level == "PAG"
        assert of_pags.skeleton == Rates(n_true=5, n_estimated=5, n_shared=5)
        assert of_pags.shd == 0


def test_verma_graphs_of_the_paper_are_equivalent_in_their_marks() -> None:
    result = compare(ADMG.parse("A -> B -> C -> D; B <-> D"), ADMG.parse("A <-> B -> C -> D; B <-> D"))
    assert (result.skeleton.tpr, result.skeleton.fdr) == (1.0, 0.0)
    assert (result.arrowhead.tpr, result.arrowhead.fdr) == (1.0, 0.0)
    assert (result.shd, result.pag_shd) == (1, 0)


def test_empty_graphs() -> None:
    empty = ADMG.empty(["A", "B"])
    result = compare(empty, empty)
    assert math.isnan(result.skeleton.tpr)
    assert result.skeleton.fdr == 0.0
    assert result.shd == 0


# ------------------------------------------------------------------------------------------ always true


def slow_marks(pag: PAG, mark: Mark) -> set[tuple[str, str]]:
    return {(a, b) for a in pag.names for b in pag.names if a != b and pag.mark(a, at=b) == mark}


def slow_pairs(graph: ADMG) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in graph.directed_edges() + graph.bidirected_edges()}


@settings(deadline=None, max_examples=60)
@given(seeds, seeds)
def test_rates_equal_those_of_named_sets(first: int, second: int) -> None:
    truth, estimate = small_graph(first), small_graph(second)
    result = compare(truth, estimate)
    true_pag, estimated_pag = truth.to_pag(), estimate.to_pag()
    for rates, true_set, estimated_set in (
        (result.skeleton, slow_pairs(truth), slow_pairs(estimate)),
        (result.arrowhead, slow_marks(true_pag, Mark.ARROW), slow_marks(estimated_pag, Mark.ARROW)),
        (result.tail, slow_marks(true_pag, Mark.TAIL), slow_marks(estimated_pag, Mark.TAIL)),
        (result.directed, set(truth.directed_edges()), set(estimate.directed_edges())),
    ):
        assert rates == Rates(len(true_set), len(estimated_set), len(set(true_set) & set(estimated_set)))


@settings(deadline=None, max_examples=60)
@given(seeds, seeds)
def test_distance_is_symmetric_and_bounded(first: int, second: int) -> None:
    truth, estimate = small_graph(first), small_graph(second)
    result, mirrored = compare(truth, estimate), compare(estimate, truth)
    assert (result.shd, result.pag_shd) == (mirrored.shd, mirrored.pag_shd)
    assert (result.shd == 0) == (truth == estimate)
    assert result.shd == len(result.differences) <= 10
    wrong_pairs = result.skeleton.n_true + result.skeleton.n_estimated - 2 * result.skeleton.n_shared
    assert result.shd >= wrong_pairs
    assert wrong_pairs == sum(d.kind in ("missing", "extra") for d in result.differences)
    assert result.skeleton.n_shared == mirrored.skeleton.n_shared


@settings(deadline=None, max_examples=40)
@given(seeds)
def test_a_graph_is_like_itself(seed: int) -> None:
    graph = small_graph(seed)
    result = compare(graph, graph)
    for rates in (result.skeleton, result.arrowhead, result.tail, result.directed, result.bidirected):
        assert rates is not None
        assert rates.tpr == 1.0 or rates.n_true == 0
        assert rates.fdr == 0.0
    assert result.shd == result.pag_shd == 0


@settings(deadline=None, max_examples=40)
@given(seeds, seeds, st.permutations(range(5)))
def test_the_order_of_the_names_does_not_matter(first: int, second: int, order: list[int]) -> None:
    truth, estimate = small_graph(first), small_graph(second)
    names = [truth.names[i] for i in order]
    expected = compare(truth, estimate)
    assert compare(truth, estimate.subgraph(names)) == expected
    reordered = compare(truth.subgraph(names), estimate)
    assert reordered.to_dict() == pytest.approx(expected.to_dict(), nan_ok=True)
    assert {frozenset(d.pair) for d in reordered.differences} == {frozenset(d.pair) for d in expected.differences}


def separations(graph: ADMG) -> frozenset[tuple[str, str, tuple[str, ...]]]:
    found = []
    for a, b in combinations("ABCD", 2):
        rest = [v for v in "ABCD" if v not in (a, b)]
        sets = chain.from_iterable(combinations(rest, size) for size in range(3))
        found += [(a, b, given) for given in sets if graph.m_separated(a, b, given)]
    return frozenset(found)


def test_graphs_with_the_same_separations_get_perfect_marks() -> None:
    rng = np.random.default_rng(0)
    classes = defaultdict(set)
    for _ in range(250):
        kind = np.triu(rng.integers(0, 3, (4, 4)), 1)
        names = rng.permutation(list("ABCD")).tolist()
        mag = ADMG(names, kind == 1, (kind == 2) | (kind == 2).T).to_mag()
        classes[separations(mag)].add(mag)
    several = [sorted(group, key=str) for group in classes.values() if len(group) > 1]
    assert len(several) > 15
    for group in several:
        for estimate in group[1:]:
            result = compare(group[0], estimate)
            assert result.pag_shd == 0
            assert result.skeleton.fdr == result.arrowhead.fdr == result.tail.fdr == 0.0
            assert result.arrowhead.n_shared == result.arrowhead.n_true
            assert result.tail.n_shared == result.tail.n_true
    first, second = several[0][0], several[-1][0]
    assert compare(first, second).pag_shd > 0


# ------------------------------------------------------------------------------------ errors and tables


def test_graphs_on_other_names_are_refused() -> None:
    with pytest.raises(GraphError, match=r"B, C are in one of them only"):
        compare(ADMG.parse("A -> B"), ADMG.parse("A -> C"))
    with pytest.raises(GraphError, match=r"but C is in one of them only"):
        compare(ADMG.parse("A -> B"), ADMG.parse("A -> B; C"))


def test_what_is_not_a_graph_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"The estimate must be an ADMG, a CPDAG or a PAG\. Got ndarray"):
        compare(ADMG.parse("A -> B"), np.eye(2))  # type: ignore[arg-type]


def test_row_for_a_table() -> None:
    row = compare(ADMG.parse("A -> C <- B; C -> D"), ADMG.parse("A -> C -> D; B")).to_dict()
    assert list(row) == [
        *("skeleton_tpr", "skeleton_fdr", "arrowhead_tpr", "arrowhead_fdr", "tail_tpr", "tail_fdr"),
        *("directed_tpr", "directed_fdr", "bidirected_tpr", "bidirected_fdr", "shd", "pag_shd"),
    ]
    assert row["skeleton_tpr"] == 2 / 3
    assert math.isnan(row["bidirected_tpr"])
    of_pags = compare(ADMG.parse("A -> B").to_pag(), ADMG.parse("A -> B")).to_dict()
    assert "directed_tpr" not in of_pags


def test_text_of_a_comparison() -> None:
    result = compare(ADMG.parse("A -> C <- B; C -> D"), ADMG.parse("A -> C <- B; D"))
    assert isinstance(result, Comparison)
    assert "skeleton   0.67  0.00     3          2       2" in str(result)
    assert str(result).endswith("SHD 1 of 6 pairs (ADMG), 1 of 6 pairs (PAG)")
    assert str(compare(ADMG.parse("A -> B").to_pag(), ADMG.parse("A; B"))).endswith("SHD 1 of 1 pairs (PAG)")


def test_cpdags_are_compared_as_cpdags_and_with_dags() -> None:
    truth = ADMG.parse("A -> C <- B; C -> D; D -> E")
    estimate = CPDAG.parse("A -- C; B; C -- D; D -- E")
    for comparison in (compare(truth, estimate), compare(truth.to_cpdag(), estimate)):
        assert comparison.level == "CPDAG"
        assert comparison.shd == 4
        assert comparison.directed is not None
        assert (comparison.directed.n_true, comparison.directed.n_estimated) == (4, 0)
        assert comparison.bidirected is None
        assert str(comparison.differences[0]) == "A -> C became A -- C (other kind)"
        assert "4 of 10 pairs (CPDAG)" in str(comparison)
    assert compare(ADMG.parse("A -> B; B <-> C"), CPDAG.parse("A -- B; C")).level == "PAG"
    assert compare(truth, truth.to_cpdag()).shd == 0
    with pytest.raises(GraphClassError, match="stands for no DAG"):
        compare(ADMG.empty(list("ABCD")), CPDAG.parse("A -- B -- C -- D -- A"))
