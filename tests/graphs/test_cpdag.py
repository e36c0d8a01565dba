"""The CPDAG against a list of all DAGs with the same d-separations, and as an object."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given

from lurking import ADMG, CPDAG, PAG
from lurking._errors import CycleError, GraphClassError, GraphError, UnknownVertexError
from lurking.graphs import Mark
from lurking.graphs.marks import MarkMatrix
from oracles.graph_listing import Graphs, all_dags
from oracles.graph_paths import ancestry, m_connections
from strategies import badly_named_cpdags
from svg_pictures import read_picture

NAMES = list("ABCD")


def dags_by_class(d: int) -> list[list[ADMG]]:
    """Group all DAGs with d vertices by all their d-separations, found by listing paths."""
    directed = all_dags(d)
    connected = m_connections(Graphs(directed, np.zeros_like(directed)))
    groups: dict[bytes, list[ADMG]] = {}
    for matrix, connections in zip(directed, connected, strict=True):
        groups.setdefault(connections.tobytes(), []).append(ADMG(NAMES[:d], matrix, np.zeros_like(matrix)))
    return list(groups.values())


@pytest.fixture(scope="module")
def classes() -> list[list[ADMG]]:
    return dags_by_class(4)


def shared_marks(dags: list[ADMG]) -> MarkMatrix:
    always = np.all([dag.directed for dag in dags], axis=0)
    marks = np.where(dags[0].skeleton, Mark.TAIL, Mark.NONE).astype(np.int8)
    marks[always] = Mark.ARROW
    return marks


def test_there_are_as_many_classes_as_is_known(classes: list[list[ADMG]]) -> None:
    assert len(classes) == 185  # Andersson, Madigan and Perlman (1997), table 1
    assert sum(map(len, classes)) == 543


def test_the_cpdag_has_the_marks_that_all_equivalent_dags_share(classes: list[list[ADMG]]) -> None:
    for dags in classes:
        marks = shared_marks(dags)
        for dag in dags:
            assert np.array_equal(dag.to_cpdag().marks, marks), str(dag)


def test_the_dags_of_a_cpdag_are_its_class(classes: list[list[ADMG]]) -> None:
    for dags in classes:
        cpdag = dags[0].to_cpdag()
        assert cpdag.is_valid()
        listed = cpdag.dags()
        assert len(listed) == len(set(listed))
        assert set(listed) == set(dags)
        assert cpdag.to_dag() in dags
        assert cpdag.to_pag() == dags[0].to_pag()
        assert cpdag.completed() == cpdag


def test_relations_and_separations_are_those_of_the_dags(classes: list[list[ADMG]]) -> None:
    for dags in classes:
        cpdag = dags[0].to_cpdag()
        reach = ancestry(Graphs(np.array([dag.directed for dag in dags]), np.array([dag.bidirected for dag in dags])))
        for v, name in enumerate(NAMES):
            named = {NAMES[u] for u in np.flatnonzero(reach[:, :, v].any(axis=0))}
            assert cpdag.possible_ancestors(name) == named
            assert cpdag.possible_descendants(name) == {NAMES[u] for u in np.flatnonzero(reach[:, v].any(axis=0))}
            assert cpdag.ancestors(name) <= {NAMES[u] for u in np.flatnonzero(reach[:, :, v].all(axis=0))}
        for one, other in combinations(NAMES, 2):
            for chosen in product((False, True), repeat=2):
                rest = [name for name in NAMES if name not in (one, other)]
                given = [name for name, taken in zip(rest, chosen, strict=True) if taken]
                assert cpdag.m_separated(one, other, given) == dags[0].m_separated(one, other, given)


def all_patterns(d: int) -> list[CPDAG]:
    """Every graph with d vertices of -> and -- without a directed cycle."""
    pairs = list(combinations(range(d), 2))
    found = []
    for kinds in product(range(4), repeat=len(pairs)):
        matrices = np.zeros((2, d, d), dtype=bool)
        for (i, j), kind in zip(pairs, kinds, strict=True):
            if kind == 3:
                matrices[1, i, j] = matrices[1, j, i] = True
            elif kind:
                matrices[0, *((i, j) if kind == 1 else (j, i))] = True
        try:
            found.append(CPDAG(NAMES[:d], *matrices))
        except CycleError:
            continue
    return found


def unshielded_colliders(
    directed: MarkMatrix | np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> set[tuple[int, ...]]:
    adjacent = directed | directed.T
    d = len(directed)
    return {
        (a, b, c)
        for a, b, c in product(range(d), repeat=3)
        if a < c and directed[a, b] and directed[c, b] and not adjacent[a, c]
    }


def test_any_pattern_has_exactly_the_dags_that_extend_it() -> None:
    dags = {d: [ADMG(NAMES[:d], m, np.zeros_like(m)) for m in all_dags(d)] for d in (3, 4)}
    without = 0
    for pattern in [*all_patterns(3), *all_patterns(4)[::7]]:
        visible = {
            triple for triple in unshielded_colliders(pattern.directed) if not pattern.skeleton[triple[0], triple[2]]
        }
        extending = {
            dag
            for dag in dags[len(pattern)]
            if np.array_equal(dag.skeleton, pattern.skeleton)
            and not (pattern.directed & ~dag.directed).any()
            and unshielded_colliders(dag.directed) == visible
        }
        if not extending:
            without += 1
            with pytest.raises(GraphClassError, match="stands for no DAG"):
                pattern.dags()
            assert "No DAG has" in str(pattern.witness())
            continue
        assert set(pattern.dags()) == extending
        assert np.array_equal(pattern.completed().marks, shared_marks(list(extending)))
        assert pattern.is_valid() == any(pattern == dag.to_cpdag() for dag in extending)
    assert without > 40


def test_why_a_graph_is_no_cpdag() -> None:
    assert CPDAG.parse("A -> B -- C").witness() is not None
    assert CPDAG.parse("A -> B; C -> B; B -- D").witness() == "All its DAGs have B -> D, but the graph does not."
    assert CPDAG.parse("A -- B -- C -- D -- A").witness() == (
        "No DAG has its skeleton, its directed edges and no other colliders."
    )
    assert CPDAG.parse("A -> B; C -> B").witness() is None


def test_too_many_dags_are_refused() -> None:
    complete = ADMG(NAMES, np.triu(np.ones((4, 4)), 1), np.zeros((4, 4))).to_cpdag()
    assert len(complete.dags()) == 24
    with pytest.raises(GraphClassError, match="more than 23 DAGs; raise the limit"):
        complete.dags(limit=23)


def test_unmeasured_causes_have_no_cpdag() -> None:
    with pytest.raises(GraphClassError, match=r"A <-> B is one; use to_pag\(\)"):
        ADMG.parse("A <-> B").to_cpdag()


@given(graph=badly_named_cpdags(min_size=1))
def test_text_pickles_and_marks_come_back(graph: CPDAG) -> None:
    assert CPDAG.parse(str(graph), names=graph.names) == graph
    assert eval(repr(graph), {"CPDAG": CPDAG}) == graph
    assert pickle.loads(pickle.dumps(graph)) == graph == copy.deepcopy(graph)
    assert CPDAG.of_marks(graph.names, graph.marks) == graph
    assert graph.subgraph(graph.names[::-1]) == graph
    assert hash(graph.subgraph(graph.names[::-1])) == hash(graph)


def test_it_is_immutable_and_other_graphs_are_not_equal() -> None:
    graph = CPDAG.parse("A -> B -- C")
    with pytest.raises(ValueError, match="read-only"):
        graph.undirected[0, 1] = True
    with pytest.raises(AttributeError, match="A CPDAG cannot be changed"):
        graph.names = ("X",)
    assert graph != PAG.parse("A -> B -- C")
    assert graph != CPDAG.parse("A -> B -> C")


def test_matrices_that_are_no_graph_are_refused() -> None:
    with pytest.raises(GraphError, match="must have shape"):
        CPDAG(["A", "B"], [[0, 1], [0, 0]], [[0]])
    with pytest.raises(GraphError, match="must be symmetric"):
        CPDAG(["A", "B"], [[0, 0], [0, 0]], [[0, 1], [0, 0]])
    with pytest.raises(GraphError, match="join A to itself"):
        CPDAG(["A", "B"], [[0, 0], [0, 0]], [[1, 0], [0, 0]])
    with pytest.raises(GraphError, match="A and B have a directed and an undirected edge"):
        CPDAG(["A", "B"], [[0, 1], [0, 0]], [[0, 1], [1, 0]])
    with pytest.raises(CycleError):
        CPDAG.parse("A -> B -> C -> A")
    with pytest.raises(GraphError, match="only -> and --, but A and B have another edge"):
        CPDAG.parse("A <-> B")
    with pytest.raises(UnknownVertexError):
        CPDAG.parse("A -- B", names=["A"])


def test_the_picture_says_what_is_open() -> None:
    svg = CPDAG.parse("A -> B -- C").to_svg(title="classes")
    assert "A is a direct cause of B, if everything relevant was measured." in svg
    assert "B causes C or C causes B" in svg
    assert len(read_picture(svg).edges) == 2
    assert CPDAG.parse("A -- B")._repr_html_() == CPDAG.parse("A -- B").to_svg()
