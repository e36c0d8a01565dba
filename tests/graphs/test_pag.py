"""The PAG as an object: text, identity, immutability, and what it refuses."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lurking import PAG
from lurking._errors import CycleError, FormatError, GraphClassError, GraphError, UnknownVertexError
from lurking.graphs import Mark
from lurking.graphs.pag_text import arrow, parse_marked_edges, quote
from oracles.equivalence import WITH_UNDIRECTED, all_separations, ancestral, orientations, separated, skeletons
from strategies import name_lists

EXAMPLE = PAG.parse("A o-> B <-> C; C -> D; D --o E; A o-o F; D -- G; H")


@st.composite
def pags(draw: DrawFn, max_size: int = 6) -> PAG:
    """Any marks, any names."""
    names = draw(name_lists(0, max_size))
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    for i, j in combinations(range(len(names)), 2):
        if draw(st.booleans()):
            marks[i, j], marks[j, i] = draw(st.tuples(*[st.sampled_from([1, 2, 3])] * 2))
    return PAG(names, marks)


# ----------------------------------------------------------------------------------------------------- reading


def test_marks_are_read_at_the_right_end() -> None:
    assert EXAMPLE.mark("A", "B") == Mark.ARROW
    assert EXAMPLE.mark("B", "A") == Mark.CIRCLE
    assert EXAMPLE.mark("D", "C") == Mark.TAIL
    assert EXAMPLE.mark("A", "H") == Mark.NONE
    assert EXAMPLE.marks[EXAMPLE.index("C"), EXAMPLE.index("D")] == Mark.ARROW


def test_skeleton_and_size() -> None:
    assert EXAMPLE.n_edges == 6
    assert EXAMPLE.skeleton.sum() == 12
    assert (EXAMPLE.skeleton == EXAMPLE.skeleton.T).all()
    assert len(EXAMPLE) == 8
    assert "H" in EXAMPLE


@pytest.mark.parametrize(
    ("at_a", "at_b", "expected"),
    [
        (Mark.TAIL, Mark.ARROW, ("A", "->", "B")),
        (Mark.ARROW, Mark.TAIL, ("B", "->", "A")),
        (Mark.ARROW, Mark.ARROW, ("A", "<->", "B")),
        (Mark.CIRCLE, Mark.ARROW, ("A", "o->", "B")),
        (Mark.ARROW, Mark.CIRCLE, ("B", "o->", "A")),
        (Mark.CIRCLE, Mark.CIRCLE, ("A", "o-o", "B")),
        (Mark.TAIL, Mark.TAIL, ("A", "--", "B")),
        (Mark.TAIL, Mark.CIRCLE, ("A", "--o", "B")),
        (Mark.CIRCLE, Mark.TAIL, ("B", "--o", "A")),
    ],
)
def test_every_kind_of_edge_is_drawn_from_left_to_right(at_a: Mark, at_b: Mark, expected: tuple[str, str, str]) -> None:
    pag = PAG(["A", "B"], [[0, at_b], [at_a, 0]])
    assert pag.edges() == [expected]
    assert str(pag) == " ".join(expected)
    assert PAG.parse(f"A {arrow(at_a, at_b)} B") == PAG.parse(f"B {arrow(at_b, at_a)} A") == pag


def test_long_arrows_are_read_too() -> None:
    assert PAG.parse("A --> B <-- C --- D") == PAG.parse("A -> B <- C -- D")


def test_subgraph_takes_any_iterable_and_keeps_the_order() -> None:
    part = EXAMPLE.subgraph(["C", "B", "A"])
    assert part.names == ("C", "B", "A")
    assert part == PAG.parse("A o-> B <-> C")
    assert EXAMPLE.subgraph(list(EXAMPLE.names)) == EXAMPLE
    with pytest.raises(UnknownVertexError, match="'Z'"):
        EXAMPLE.subgraph(["A", "Z"])


# ------------------------------------------------------------------------------------------------- text round trip


@given(pags())
def test_text_round_trip(pag: PAG) -> None:
    assert PAG.parse(str(pag)) == pag
    again = eval(repr(pag), {"PAG": PAG})
    assert again == pag
    assert again.names == pag.names
    assert (again.marks == pag.marks).all()


def test_repr_names_the_order_only_if_it_must() -> None:
    assert repr(PAG.parse("A o-> B; C")) == "PAG.parse('A o-> B; C')"
    assert repr(PAG(["B", "A"], [[0, 1], [2, 0]])) == "PAG.parse('A o-> B', names=['B', 'A'])"


@pytest.mark.parametrize("name", ["o-o", "->", "--", "o->", "a b", 'a"b', "a;b", "a\\b", "a\nb", "-", "x-", "é"])
def test_names_that_look_like_something_else(name: str) -> None:
    text = f"{quote(name)} o-> B"
    assert parse_marked_edges(text) == ([name, "B"], [(name, Mark.CIRCLE, Mark.ARROW, "B")])


def test_names_with_hyphens_need_no_quotes() -> None:
    assert PAG.parse("foo-o-bar o-> x->y").names == ("foo-o-bar", "x->y")


def test_statements_may_be_lines_and_edges_may_repeat() -> None:
    assert PAG.parse("A o-> B\n\n B <-o A ;; C\n") == PAG.parse("A o-> B; C")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A o->", "nothing after 'A' o->; write the second name"),
        ("o-> A", "o-> after the start of a statement"),
        ("A o-> <-> B", "<-> after 'A' o->; write a name between them"),
        ("A B", "no arrow between 'A' and 'B'"),
        ("A o->B", "no arrow between 'A' and 'o->B'; write one such as o-> or -> with spaces"),
        ('A o-> "B', "unclosed quote at '\"B'"),
    ],
)
def test_unreadable_text(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        PAG.parse(text)


def test_text_that_is_no_graph() -> None:
    with pytest.raises(GraphError, match="edge from A to itself; remove it"):
        PAG.parse("A o-> A")
    with pytest.raises(GraphError, match="two different edges between B and A; keep one"):
        PAG.parse("A o-> B; B o-> A")


def test_text_with_given_names() -> None:
    pag = PAG.parse("B o-> A", names=["A", "B", "C"])
    assert pag.names == ("A", "B", "C")
    with pytest.raises(UnknownVertexError, match="'B'"):
        PAG.parse("B o-> A", names=["A", "C"])


# --------------------------------------------------------------------------------------------------- identity


@given(pags(), st.randoms(use_true_random=False))
def test_equality_and_hash_ignore_the_order_of_names(pag: PAG, random: np.random.Generator) -> None:
    order = list(pag.names)
    random.shuffle(order)
    shuffled = pag.subgraph(order)
    assert shuffled == pag
    assert hash(shuffled) == hash(pag)


def test_different_marks_names_or_types_are_not_equal() -> None:
    pag = PAG.parse("A o-> B")
    others = ["A -> B", "A <-> B", "A o-o B", "B o-> A", "A o-> C", "A; B", "A o-> B; C"]
    assert all(pag != PAG.parse(text) for text in others)
    assert len({pag, *map(PAG.parse, others)}) == 8
    assert pag != "A o-> B"


@given(pags())
def test_pickle_and_copy(pag: PAG) -> None:
    for again in (pickle.loads(pickle.dumps(pag)), copy.copy(pag), copy.deepcopy(pag)):
        assert again == pag
        assert again.names == pag.names
        assert not again.marks.flags.writeable


def test_nothing_can_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        EXAMPLE.marks[0, 1] = 3
    with pytest.raises(AttributeError, match="PAG cannot be changed"):
        EXAMPLE.marks = np.zeros((8, 8), dtype=np.int8)
    with pytest.raises(AttributeError, match="PAG cannot be changed"):
        del EXAMPLE.names


def test_the_matrix_given_is_copied() -> None:
    marks = np.array([[0, 2], [1, 0]], dtype=np.int8)
    pag = PAG(["A", "B"], marks)
    marks[:] = 0
    assert pag == PAG.parse("A o-> B")


# ---------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        (np.zeros((2, 3)), "shape (2, 2), one row per name. Got (2, 3)"),
        ([[0, 4], [1, 0]], "0 (no edge), 1 (circle), 2 (arrowhead) or 3 (tail)"),
        ([[0, 1.5], [1, 0]], "0 (no edge), 1 (circle)"),
        ([[0, float("nan")], [1, 0]], "0 (no edge), 1 (circle)"),
        ([[0, 1], [1, 2]], "edge from B to itself; set the diagonal to 0"),
        ([[0, 2], [0, 0]], "between A and B has a mark at B only; give it two marks"),
    ],
)
def test_impossible_marks(marks: object, message: str) -> None:
    with pytest.raises(GraphError, match=re.escape(message)):
        PAG(["A", "B"], np.asarray(marks))


def test_unknown_and_repeated_names() -> None:
    with pytest.raises(UnknownVertexError, match="'X'"):
        EXAMPLE.mark("A", "X")
    with pytest.raises(GraphError, match="'A' occurs again"):
        PAG(["A", "A"], np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("A o-> B", GraphClassError, "between A and B has a circle at A; a maximal ancestral graph has tails"),
        ("A -> B -> C -> A", CycleError, "A -> B -> C -> A"),
        ("A -> B -> C; A <-> C", GraphClassError, "the path A -> B -> C with A <-> C"),
        ("A -- B <- C", GraphClassError, "B has the undirected edge A -- B and an arrowhead on its edge with C"),
        ("A -- B <-> C", GraphClassError, "B has the undirected edge A -- B and an arrowhead on its edge with C"),
        (
            "A <-> B <-> C <-> D; B -> D; C -> A",
            GraphClassError,
            "A and D are not adjacent, but no set separates them, because of the inducing path A, B, C, D: add "
            "the edge A <-> D.",
        ),
    ],
)
def test_graphs_that_are_not_maximal_ancestral(text: str, error: type[GraphError], message: str) -> None:
    graph = PAG.parse(text)
    with pytest.raises(error, match=re.escape(message)):
        PAG.of_mag(graph.names, graph.marks)


@pytest.mark.parametrize("extra", [(3, 4), (1, 4), (2, 4)])
def test_following_the_advice_makes_an_ancestral_graph_maximal(extra: tuple[int, int]) -> None:
    """Adding the edges that the messages ask for leads to an accepted graph with the same separations."""
    edges = ((0, 1), (1, 2), (2, 3), (1, 3), (0, 2), extra)
    graphs = orientations(5, edges, WITH_UNDIRECTED)
    graphs = graphs[ancestral(graphs)]
    separable = np.all(np.any(all_separations(graphs, edges).reshape(len(graphs), 4, 8), axis=2), axis=1)
    not_maximal = graphs[~separable]
    assert len(not_maximal) >= 3
    for start in not_maximal:
        graph = PAG(["A", "B", "C", "D", "E"], start)
        while advice := _advice(graph):
            graph = PAG.parse(f"{graph}; {advice}", names=graph.names)
        for one, other in combinations(range(5), 2):
            others = {0, 1, 2, 3, 4} - {one, other}
            for z in (set(z) for k in range(4) for z in combinations(others, k)):
                assert separated(start, one, other, z) == separated(graph.marks, one, other, z)


def _advice(graph: PAG) -> str | None:
    try:
        PAG.of_mag(graph.names, graph.marks)
    except GraphClassError as error:
        found = re.search(r"add the edge (. <-> .)\.", str(error))
        assert found
        return found[1]
    return None


def test_every_graph_with_four_vertices_is_taken_or_refused_as_the_definition_says() -> None:
    """All graphs with at most one edge of four kinds on each pair: taken if ancestral and every gap has a separator."""
    names = ["A", "B", "C", "D"]
    generator = np.random.default_rng(0)
    taken = refused = 0
    for edges in skeletons(4):
        graphs = orientations(4, edges, WITH_UNDIRECTED)
        graphs = graphs[generator.permutation(len(graphs))[:150]]
        gaps = 6 - len(edges)
        separable = np.all(np.any(all_separations(graphs, edges).reshape(len(graphs), gaps, 4), axis=2), axis=1)
        for graph, expected in zip(graphs, ancestral(graphs) & separable, strict=True):
            try:
                PAG.of_mag(names, graph)
            except (GraphClassError, CycleError):
                assert not expected
                refused += 1
            else:
                assert expected
                taken += 1
    assert taken > 1000
    assert refused > 1000
