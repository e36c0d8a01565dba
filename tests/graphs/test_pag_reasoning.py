"""What a PAG says about its MAGs, against lists of all MAGs with the same m-separations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product

import numpy as np
import pytest

from lurking import ADMG, PAG
from lurking._errors import GraphClassError, GraphError
from lurking.graphs import Mark
from lurking.graphs.bits import BitGraph
from lurking.graphs.marks import MarkMatrix, MarkSets
from lurking.graphs.projection import mag_projection
from oracles.equivalence import (
    DIRECTED_AND_BIDIRECTED,
    WITH_UNDIRECTED,
    MagsOnSkeleton,
    ancestors_or_self,
    mags_on,
    separated,
    skeletons,
    unlabelled_skeletons,
)
from oracles.graph_listing import each

NAMES = list("ABCD")


@pytest.fixture(scope="module")
def classes() -> list[tuple[PAG, MarkMatrix]]:
    """Every PAG on four vertices, up to relabelling of the skeleton, with the marks of all its MAGs."""
    found = []
    for edges in unlabelled_skeletons(4):
        mags: MagsOnSkeleton = mags_on(4, edges, DIRECTED_AND_BIDIRECTED)
        for number, shared in enumerate(mags.shared):
            found.append((PAG(NAMES, shared), mags.marks[mags.classes == number]))
    return found


Classes = list[tuple[PAG, MarkMatrix]]


def test_a_class_gives_its_mags_and_is_valid(classes: Classes) -> None:
    assert len(classes) == 41
    for pag, marks in classes:
        assert pag.is_valid()
        expected = {PAG(NAMES, mag) for mag in marks}
        assert set(pag.mags()) == expected
        assert len(pag.mags()) == len(marks)
        assert pag.to_mag() in expected


def test_possible_and_certain_ancestors(classes: Classes) -> None:
    certain_without_path = 0
    for pag, marks in classes:
        above = ancestors_or_self(marks)
        for v, name in enumerate(NAMES):
            assert pag.possible_ancestors(name) == {NAMES[u] for u in np.flatnonzero(above[:, :, v].any(axis=0))}
            assert pag.possible_descendants(name) == {NAMES[u] for u in np.flatnonzero(above[:, v].any(axis=0))}
            certain = {NAMES[u] for u in np.flatnonzero(above[:, :, v].all(axis=0))}
            assert pag.ancestors(name) == certain
            certain_without_path += len(certain - ADMG.parse(_directed(pag), names=NAMES).ancestors(name))
    assert certain_without_path > 0


def _directed(pag: PAG) -> str:
    return "; ".join([*NAMES, *(f"{one} -> {other}" for one, arrow, other in pag.edges() if arrow == "->")])


def test_an_edge_is_visible_if_confounding_behind_it_would_show(classes: Classes) -> None:
    seen = {True: 0, False: 0}
    for pag, marks in classes:
        for a, b in permutations(range(4), 2):
            if not all(mag[a, b] == Mark.ARROW and mag[b, a] == Mark.TAIL for mag in marks):
                assert not pag.is_visible(NAMES[a], NAMES[b])
                continue
            shows = all(_confounding_shows(MarkSets(mag).to_bit_graph(), a, b) for mag in marks)
            assert pag.is_visible(NAMES[a], NAMES[b]) == shows, (str(pag), NAMES[a], NAMES[b])
            assert ((NAMES[a], NAMES[b]) in pag.visible_edges()) == shows
            seen[shows] += 1
    assert min(seen.values()) > 5


def _confounding_shows(mag: BitGraph, a: int, b: int) -> bool:
    siblings = list(mag.siblings)
    siblings[a] |= 1 << b
    siblings[b] |= 1 << a
    return mag_projection(BitGraph(mag.parents, tuple(siblings))) != mag


def _questions() -> list[tuple[int, int, tuple[int, ...]]]:
    found = []
    for a, b in combinations(range(4), 2):
        rest = [v for v in range(4) if v not in (a, b)]
        found += [(a, b, given) for size in range(3) for given in combinations(rest, size)]
    return found


def test_separations_are_those_of_the_mags_and_the_marks_decide_them(classes: Classes) -> None:
    undecided = 0
    for pag, marks in classes:
        for a, b, given in _questions():
            one, other, names = NAMES[a], NAMES[b], [NAMES[v] for v in given]
            expected = marks[0, a, b] == Mark.NONE and separated(marks[0], a, b, set(given))
            assert pag.m_separated(one, other, names) == expected
            said = pag.separation(one, other, names)
            assert said in (("separated", "undecided") if expected else ("connected", "undecided"))
            undecided += said == "undecided"
    assert undecided < 0.2 * len(classes) * len(_questions())


def test_what_the_marks_say_holds_however_the_circles_are_replaced() -> None:
    generator = np.random.default_rng(0)
    said: dict[str, int] = {"separated": 0, "connected": 0, "undecided": 0}
    for _ in range(60):
        marks = np.zeros((4, 4), dtype=np.int8)
        for i, j in combinations(range(4), 2):
            if generator.random() < 0.6:
                marks[i, j], marks[j, i] = generator.integers(1, 4, size=2)
        graph = PAG(NAMES, marks)
        for a, b, given in _questions():
            answer = graph.separation(NAMES[a], NAMES[b], [NAMES[v] for v in given])
            said[answer] += 1
            if answer == "undecided":
                continue
            for filled in _fillings(marks):
                apart = filled[a, b] == Mark.NONE and separated(filled, a, b, set(given))
                assert apart == (answer == "separated"), (
                    str(graph),
                    str(PAG(NAMES, filled)),
                    NAMES[a],
                    NAMES[b],
                    given,
                )
    assert min(said.values()) > 50


def _fillings(marks: MarkMatrix) -> list[MarkMatrix]:
    """Replace the circles in every way that keeps unshielded circle-circle triples non-colliders."""
    circles = np.argwhere(marks == Mark.CIRCLE).tolist()
    found = []
    for chosen in product((Mark.ARROW, Mark.TAIL), repeat=len(circles)):
        filled = marks.copy()
        for (i, j), mark in zip(circles, chosen, strict=True):
            filled[i, j] = mark
        new = any(
            marks[a, b] == marks[c, b] == Mark.CIRCLE and not marks[a, c] and filled[a, b] == filled[c, b] == Mark.ARROW
            for a, b, c in permutations(range(len(marks)), 3)
        )
        if not new:
            found.append(filled)
    return found


def test_only_pags_and_mags_are_valid() -> None:
    """All 1000 graphs with marks on three vertices; undirected edges (selection) included."""
    valid = set()
    for edges in skeletons(3):
        mags = mags_on(3, edges, WITH_UNDIRECTED)
        valid |= {PAG(NAMES[:3], marks) for marks in mags.marks} | {PAG(NAMES[:3], marks) for marks in mags.shared}
    ends = list(product((Mark.CIRCLE, Mark.ARROW, Mark.TAIL), repeat=2))
    counts = {True: 0, False: 0}
    for kinds in product([None, *ends], repeat=3):
        marks = np.zeros((3, 3), dtype=np.int8)
        for (i, j), kind in zip(combinations(range(3), 2), kinds, strict=True):
            if kind is not None:
                marks[i, j], marks[j, i] = kind
        graph = PAG(NAMES[:3], marks)
        assert graph.is_valid() == (graph in valid), str(graph)
        assert graph.is_valid() == (graph.witness() is None)
        counts[graph.is_valid()] += 1
    assert counts[True] == len(valid)
    assert counts[False] > 500


def test_only_pags_and_mags_are_valid_on_four_vertices() -> None:
    """On each skeleton: with up to three edges all graphs with marks, with more a part unless all are asked for."""
    ends = list(product((Mark.CIRCLE, Mark.ARROW, Mark.TAIL), repeat=2))
    counts = {True: 0, False: 0}
    for edges in unlabelled_skeletons(4):
        mags = mags_on(4, edges, WITH_UNDIRECTED)
        valid = {marks.tobytes() for marks in (*mags.marks.astype(np.int8), *mags.shared.astype(np.int8))}
        for kinds in each(list(product(ends, repeat=len(edges))), {4: 7, 5: 97, 6: 997}.get(len(edges), 1)):
            marks = np.zeros((4, 4), dtype=np.int8)
            for (i, j), kind in zip(edges, kinds, strict=True):
                marks[i, j], marks[j, i] = kind
            graph = PAG(NAMES, marks)
            assert graph.is_valid() == (marks.tobytes() in valid), str(graph)
            counts[graph.is_valid()] += 1
    assert min(counts.values()) > 50


def test_why_a_graph_is_no_pag() -> None:
    assert "has other marks between A and B: A o-o B, not A o-> B." in str(PAG.parse("A o-> B o-> C").witness())
    assert "cannot be directed without a cycle" in str(PAG.parse("A o-o B o-o C o-o D o-o A").witness())
    assert "ancestral graph cannot have" in str(PAG.parse("A -> B -> C; A <-> C").witness())
    questions: list[Callable[[PAG], object]] = [
        lambda graph: graph.to_mag(),
        lambda graph: graph.mags(),
        lambda graph: graph.m_separated("A", "C"),
        lambda graph: graph.separators("A", "C"),
    ]
    for question in questions:
        with pytest.raises(GraphClassError, match=r"The graph is not the PAG of any MAG\. The PAG of its MAG"):
            question(PAG.parse("A o-> B o-> C"))


def test_all_mags_with_undirected_edges() -> None:
    """Every class on four vertices, up to the names of the vertices, selection included."""
    n_classes = 0
    for edges in unlabelled_skeletons(4):
        mags = mags_on(4, edges, WITH_UNDIRECTED)
        for number, shared in enumerate(mags.shared):
            pag = PAG(NAMES, shared)
            expected = [PAG(NAMES, marks) for marks in mags.marks[mags.classes == number]]
            found = pag.mags(selection=True)
            assert set(found) == set(expected)
            assert len(found) == len(expected)
            n_classes += 1
    assert n_classes > 41


def test_mags_of_a_pag_that_shows_selection() -> None:
    square = PAG.of_mag(NAMES, PAG.parse("A -- B -- C -- D -- A").marks)
    assert square.mags() == (square,)
    with_circle = PAG.of_mag([*NAMES, "E"], PAG.parse("A -- B -- C -- D -- A; D -> E").marks)
    assert [str(mag) for mag in with_circle.mags()] == [
        "A -- B; A -- D; B -- C; C -- D; D -- E",
        "A -- B; A -- D; B -- C; C -- D; D -> E",
    ]
    assert with_circle.to_mag() == PAG.parse("A -- B -- C -- D -- A; D -> E")
    with pytest.raises(GraphClassError, match="more than 3 MAGs"):
        PAG.parse("A o-o B").mags(limit=3, selection=True)


def test_too_many_mags_are_refused() -> None:
    pag = PAG.parse("A o-o B; A o-o C; B o-o C")
    assert len(pag.mags()) == 19
    with pytest.raises(GraphClassError, match="more than 18 MAGs; raise the limit"):
        pag.mags(limit=18)


def test_relations_of_several_vertices_and_statuses() -> None:
    pag = PAG.parse("A o-> C <-o B; C -> D; C <-> E; F")
    assert pag.possible_district("C") == {"A", "B", "C", "E"}
    assert pag.possible_ancestors(["D", "F"]) == {"A", "B", "C", "D", "F"}
    assert pag.path_status("A", "C", "B") == "collider"
    assert pag.path_status("A", "C", "D") == "non-collider"
    assert PAG.parse("A o-> B o-o C; A -> C").path_status("A", "B", "C") == "undecided"
    with pytest.raises(GraphError, match="C must have an edge to A and another to F"):
        pag.path_status("A", "C", "F")


def test_a_hundred_variables_take_less_than_a_second() -> None:
    from time import process_time

    from lurking.simulate import random_admg

    graph = random_admg(
        100, graph_class="ancestral", directed_probability=0.02, bidirected_probability=0.008, random_state=0
    )
    pag = graph.to_pag()
    fresh = PAG(pag.names, pag.marks)
    start = process_time()
    fresh.possible_ancestors(fresh.names[-1])
    fresh.ancestors(fresh.names[-1])
    one, other = next((a, b) for a, b in combinations(fresh.names, 2) if len(fresh.minimum_separator(a, b) or ()) > 1)
    assert fresh.separators(one, other)
    assert process_time() - start < 3.0  # a second on an idle machine; three leave room for a busy one
