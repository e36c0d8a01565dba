"""The differences between two graphs, pair by pair."""

from __future__ import annotations

import pytest

from lurking.graphs import ADMG, PAG
from lurking.metrics.differences import DifferenceKind, EdgeDifference, edge_differences


@pytest.mark.parametrize(
    ("truth", "estimate", "in_words"),
    [
        ("A -> B", "A; B", ("A -> B", "no edge", "missing")),
        ("A; B", "A <-> B", ("no edge", "A <-> B", "extra")),
        ("A -> B", "B -> A", ("A -> B", "B -> A", "reversed")),
        ("A -> B", "A <-> B", ("A -> B", "A <-> B", "other kind")),
        ("A -> B; A <-> B", "A <-> B", ("A -> B, A <-> B", "A <-> B", "other kind")),
        ("A -> B; A <-> B", "B -> A; A <-> B", ("A -> B, A <-> B", "B -> A, A <-> B", "reversed")),
        ('"a b" -> C', '"a b"; C', ('"a b" -> C', "no edge", "missing")),
    ],
)
def test_each_kind_of_difference(truth: str, estimate: str, in_words: tuple[str, str, DifferenceKind]) -> None:
    graph = ADMG.parse(truth)
    expected = EdgeDifference((graph.names[0], graph.names[1]), *in_words)
    assert edge_differences(graph, ADMG.parse(estimate)) == (expected,)


def test_differences_of_pags() -> None:
    truth = PAG(["A", "B", "C"], [[0, 2, 1], [1, 0, 2], [1, 2, 0]])  # A o-> B; A o-o C; B <-> C
    estimate = PAG(["A", "B", "C"], [[0, 1, 1], [2, 0, 3], [1, 2, 0]])  # B o-> A; A o-o C; C -> B
    assert [(d.truth, d.estimate, d.kind) for d in edge_differences(truth, estimate)] == [
        ("A o-> B", "B o-> A", "reversed"),
        ("B <-> C", "C -> B", "other kind"),
    ]


def test_no_difference_whatever_the_order_of_the_names() -> None:
    truth = ADMG.parse("A -> B; A <-> B; B <-> C")
    assert edge_differences(truth, truth.subgraph(["C", "B", "A"])) == ()


def test_differences_come_in_the_order_of_the_truth() -> None:
    truth, estimate = ADMG.parse("C; B; A"), ADMG.parse("A -> B -> C; A -> C")
    assert [d.pair for d in edge_differences(truth, estimate)] == [("C", "B"), ("C", "A"), ("B", "A")]
    assert str(edge_differences(truth, estimate)[0]) == "no edge became B -> C (extra)"
