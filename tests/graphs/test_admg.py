"""The ADMG as an object: ways in, equality, immutability, errors."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking import ADMG
from lurking._errors import CycleError, GraphError, UnknownVertexError
from strategies import admgs, badly_named_admgs

NOTHING = np.zeros((2, 2), dtype=bool)
A_TO_B = np.array([[False, True], [False, False]])


# ------------------------------------------------------------------------------------------------- ways in


def test_matrices_edges_and_text_give_the_same_graph() -> None:
    expected = ADMG.parse("A -> B -> C; B <-> C; D")
    assert ADMG.from_edges([("A", "B"), ("B", "C")], [("C", "B")], names=["A", "B", "C", "D"]) == expected
    assert ADMG(list("ABCD"), expected.directed, expected.bidirected) == expected
    assert expected.directed.tolist()[0] == [False, True, False, False]
    assert expected.bidirected.tolist()[1] == [False, False, True, False]


def test_integers_floats_lists_and_frames_are_read_as_matrices() -> None:
    expected = ADMG.parse("A -> B")
    for matrix in ([[0, 1], [0, 0]], np.array([[0.0, 1.0], [0.0, 0.0]]), pd.DataFrame([[0, 1], [0, 0]])):
        assert ADMG(["A", "B"], matrix, np.zeros((2, 2))) == expected


def test_names_may_be_any_iterable_of_strings() -> None:
    assert ADMG((n for n in ("A", "B")), A_TO_B, NOTHING).names == ("A", "B")  # type: ignore[arg-type]
    named = ADMG(pd.Index(["A", "B"]), A_TO_B, NOTHING)  # type: ignore[arg-type]
    assert [type(name) for name in named.names] == [str, str]
    assert [type(n) for n in ADMG(np.array(["A", "B"]), A_TO_B, NOTHING).names] == [str, str]  # type: ignore[arg-type]
    assert ADMG.parse("A -> B", names=(n for n in "BA")).names == ("B", "A")  # type: ignore[arg-type]


def test_edges_give_their_names_in_the_order_of_appearance() -> None:
    assert ADMG.from_edges([("C", "A")], [("B", "A")]).names == ("C", "A", "B")
    assert ADMG.from_edges() == ADMG.empty([])
    assert len(ADMG.from_edges(names=["X"])) == 1


def test_counts_edges_and_skeleton() -> None:
    graph = ADMG.parse("A -> B -> C; A <-> B; C <-> A; D")
    assert graph.n_edges == 4
    assert graph.directed_edges() == [("A", "B"), ("B", "C")]
    assert graph.bidirected_edges() == [("A", "B"), ("A", "C")]
    assert graph.skeleton.astype(int).tolist() == [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert len(graph) == 4
    assert "D" in graph
    assert "E" not in graph
    assert graph.index("C") == 2


# ---------------------------------------------------------------------------------- equality, text, copies


@given(badly_named_admgs())
def test_repr_evaluates_to_the_graph(graph: ADMG) -> None:
    again = eval(repr(graph), {"ADMG": ADMG})
    assert again == graph
    assert again.names == graph.names


@given(badly_named_admgs())
def test_pickles_and_copies_are_equal_and_keep_the_order(graph: ADMG) -> None:
    copies = [pickle.loads(pickle.dumps(graph, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*copies, copy.copy(graph), copy.deepcopy(graph)):
        assert again == graph
        assert hash(again) == hash(graph)
        assert again.names == graph.names
        assert not again.directed.flags.writeable
        assert not again.bidirected.flags.writeable


@given(admgs(max_size=6), st.data())
def test_equality_and_hash_do_not_depend_on_the_order_of_the_names(graph: ADMG, data: st.DataObject) -> None:
    shuffled = graph.subgraph(data.draw(st.permutations(graph.names)))
    assert shuffled == graph
    assert hash(shuffled) == hash(graph)
    assert len({graph, shuffled}) == 1


@given(admgs(min_size=2, max_size=5), st.data())
def test_graphs_that_differ_in_one_edge_or_name_are_different(graph: ADMG, data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(range(len(graph))))[:2]
    bidirected = graph.bidirected.copy()
    bidirected[one, other] = bidirected[other, one] = not bidirected[one, other]
    assert ADMG(graph.names, graph.directed, bidirected) != graph
    renamed = ["renamed" if i == one else name for i, name in enumerate(graph.names)]
    assert ADMG(renamed, graph.directed, graph.bidirected) != graph
    assert graph != str(graph)


def test_the_direction_of_an_edge_matters_to_equality() -> None:
    assert len({ADMG.parse("A -> B"), ADMG.parse("A <- B"), ADMG.parse("A <-> B"), ADMG.parse("A; B")}) == 4


# --------------------------------------------------------------------------------------------- immutability


def test_nothing_about_a_graph_can_be_changed() -> None:
    graph: Any = ADMG.parse("A -> B; A <-> B")
    for attribute in ("names", "directed", "bidirected", "_bits", "colour"):
        with pytest.raises(AttributeError, match=f"An? ADMG cannot be changed; build a new one to set '{attribute}'"):
            setattr(graph, attribute, None)
        with pytest.raises(AttributeError, match=f"cannot be changed; build a new one without '{attribute}'"):
            delattr(graph, attribute)
    for matrix in (graph.directed, graph.bidirected):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 1] = False
    assert graph == ADMG.parse("A -> B; A <-> B")


def test_the_callers_arrays_are_neither_changed_nor_shared() -> None:
    directed, bidirected, names = A_TO_B.copy(), NOTHING.copy(), ["A", "B"]
    graph = ADMG(names, directed, bidirected)
    assert directed.flags.writeable
    assert np.array_equal(directed, A_TO_B)
    directed[0, 1] = False
    bidirected[:] = True
    names[0] = "Z"
    assert graph == ADMG.parse("A -> B")


@given(admgs(max_size=5))
def test_no_method_changes_the_graph(graph: ADMG) -> None:
    before = copy.deepcopy(graph)
    graph.to_mag()
    graph.arid_projection()
    graph.latent_projection(graph.names[:1])
    graph.subgraph(graph.names[1:])
    graph.intrinsic_sets()
    graph.skeleton[:] = True
    assert graph == before


# --------------------------------------------------------------------------------------------------- errors


def expect(message: str) -> Any:
    return pytest.raises(GraphError, match=re.escape(message))


def test_a_cycle_is_shown_with_its_names_and_is_the_shortest() -> None:
    with pytest.raises(CycleError) as caught:
        ADMG.parse("A -> B -> C -> D -> A; C -> B; D -> E")
    assert caught.value.cycle in (("B", "C", "B"), ("C", "B", "C"))
    assert " -> ".join(caught.value.cycle) + "; an ADMG has none: remove or reverse one of these edges" in str(
        caught.value
    )


def test_a_matrix_of_the_wrong_shape_is_refused() -> None:
    with expect("The directed matrix must have shape (2, 2), one row per name. Got (3, 3) instead."):
        ADMG(["A", "B"], np.zeros((3, 3)), NOTHING)
    with expect("The bidirected matrix must have shape (2, 2), one row per name. Got (2,) instead."):
        ADMG(["A", "B"], NOTHING, [0, 0])
    with expect("The directed matrix must have shape (2, 2), but its rows differ in length."):
        ADMG(["A", "B"], [[0, 1], [0]], NOTHING)
    with expect("Got (2, 2) instead"):
        ADMG([], NOTHING, NOTHING)


@pytest.mark.parametrize("bad", [0.3, -1, 2, np.nan, "x", None])
def test_a_matrix_that_holds_anything_but_0_and_1_is_refused(bad: Any) -> None:
    with expect("The directed matrix must hold only 0 and 1; threshold the weights, as in abs(weights) > 0.05."):
        ADMG(["A", "B"], [[0, bad], [0, 0]], NOTHING)
    with expect("The bidirected matrix must hold only 0 and 1"):
        ADMG(["A", "B"], NOTHING, [[0, bad], [bad, 0]])


def test_an_edge_from_a_variable_to_itself_is_refused() -> None:
    with expect("The directed edges join B to itself; remove that edge (the diagonal must be 0)."):
        ADMG(["A", "B"], [[0, 0], [0, 1]], NOTHING)
    with expect("The bidirected edges join A to itself; remove that edge (the diagonal must be 0)."):
        ADMG(["A", "B"], NOTHING, np.eye(2))


def test_a_bidirected_matrix_that_is_not_symmetric_is_refused() -> None:
    with expect("The bidirected matrix must be symmetric, but has A <-> B in one direction only; set both entries."):
        ADMG(["A", "B"], NOTHING, A_TO_B)


def test_names_that_cannot_be_names_are_refused() -> None:
    with expect("Each name may occur once, but 'A' occurs again; rename it."):
        ADMG(["A", "A"], NOTHING, NOTHING)
    with expect("A variable's name must be a non-empty string, but one is ''; rename it."):
        ADMG(["A", ""], NOTHING, NOTHING)
    with expect("A variable's name must be a non-empty string, but one is 1; rename it."):
        ADMG(["A", 1], NOTHING, NOTHING)  # type: ignore[list-item]
    with expect("The names must be a sequence of strings, not the one string 'AB'; put it in a list."):
        ADMG("AB", NOTHING, NOTHING)
    with expect("not the one string 'AB'"):
        ADMG.parse("A -> B").subgraph("AB")
    with expect("'A' occurs again"):
        ADMG.parse("A -> B").subgraph(["A", "A"])
    with expect("'A', 'B' occurs again"):
        ADMG.empty(["A", "B", "A", "B"])


def test_an_edge_that_is_not_a_pair_of_names_is_refused() -> None:
    bad: list[Any] = ["AB", ("A", "B", "C"), ("A",), ("A", 1)]
    for edge in bad:
        with expect(f"Each directed edge must be a pair of names, but one is {edge!r}; write ('A', 'B')."):
            ADMG.from_edges([edge])
        with expect("Each bidirected edge must be a pair of names"):
            ADMG.from_edges(bidirected=[edge])


def test_an_unknown_name_is_met_with_the_nearest_ones() -> None:
    graph = ADMG.parse("smoking -> tar -> cancer")
    for call in (graph.parents, graph.children, graph.siblings, graph.ancestors, graph.descendants, graph.district):
        with pytest.raises(UnknownVertexError, match="no variable named 'smokin'; did you mean 'smoking'"):
            call("smokin")
    for several in (graph.markov_blanket, graph.reachable_closure, graph.index, graph.latent_projection):
        with pytest.raises(
            UnknownVertexError, match="no variable named 'XYZ'; the names are 'smoking', 'tar', 'cancer'"
        ):
            several("XYZ")
    with pytest.raises(UnknownVertexError, match="no variable named 'age'"):
        ADMG.from_edges([("age", "tar")], names=["tar"])
    with pytest.raises(UnknownVertexError, match=r"no variable named \['tar'\]"):
        graph.index(["tar"])  # type: ignore[arg-type]
    with pytest.raises(UnknownVertexError, match="no variable named 'tra'"):
        graph.subgraph(["tra"])


def test_only_graphs_on_the_same_variables_can_be_equivalent() -> None:
    with expect("Only graphs on the same variables can be equivalent; A, C is in one only."):
        ADMG.parse("A -> B").markov_equivalent(ADMG.parse("B -> C"))
