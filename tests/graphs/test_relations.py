"""Kinship, orders and blankets of every ADMG with 4 vertices, against listed paths."""

from __future__ import annotations

from itertools import pairwise, permutations, product

import numpy as np

from lurking import ADMG
from lurking.graphs import relations
from lurking.graphs.bits import BitGraph, mask_of, members, singleton
from oracles.graph_classes import districts_of
from oracles.graph_listing import all_admgs, all_dags, mask, subsets
from oracles.graph_paths import ancestry, bidirected_reach, m_connections

VERTICES = (0, 1, 2, 3)


def test_ancestors_and_descendants_are_the_ends_of_directed_paths() -> None:
    graphs = all_admgs(4)
    reaches = ancestry(graphs)
    powers = 1 << np.arange(4)
    above, below = (reaches * powers[:, None]).sum(axis=1), (reaches * powers).sum(axis=2)
    for graph, up, down in zip(graphs.bits[::64], above[::64].tolist(), below[::64].tolist(), strict=True):
        assert [relations.ancestors(graph, singleton(v)) for v in VERTICES] == up
        assert [relations.descendants(graph, singleton(v)) for v in VERTICES] == down
        for several in subsets(VERTICES):
            assert relations.ancestors(graph, mask(several)) == mask_of(
                v for v in VERTICES if below_any(down, v, several)
            )


def below_any(down: list[int], vertex: int, several: tuple[int, ...]) -> bool:
    return any(down[vertex] >> v & 1 for v in several)


def test_districts_are_the_bidirected_components() -> None:
    graphs = all_admgs(4)
    joined = (bidirected_reach(graphs[:64]) * (1 << np.arange(4))).sum(axis=2).tolist()
    for graph, bidirected, together in zip(graphs.bits[:64], graphs.bidirected[:64], joined, strict=True):
        found = relations.districts(graph)
        assert {frozenset(members(m)) for m in found} == districts_of(bidirected, VERTICES)
        assert found == sorted(found, key=lambda m: m & -m)
        assert [relations.district(graph, singleton(v)) for v in VERTICES] == together
        for inside in subsets(VERTICES):
            within = {frozenset(members(m)) for m in relations.districts(graph, mask(inside))}
            assert within == districts_of(bidirected, inside)


def test_the_topological_order_is_the_first_one_that_fits() -> None:
    for matrix in all_dags(4):
        graph = BitGraph.from_matrices(matrix, np.zeros_like(matrix))
        fitting = (
            p for p in permutations(VERTICES) if not any(matrix[p[j], p[i]] for i in VERTICES for j in range(i, 4))
        )
        assert relations.topological_order(graph) == list(next(fitting))


def test_directed_paths_and_cycles_of_every_directed_graph_are_real_and_shortest() -> None:
    nothing = np.zeros((3, 3), dtype=bool)
    slots = [(i, j) for i in range(3) for j in range(3) if i != j]
    for choice in product((False, True), repeat=6):
        matrix = nothing.copy()
        for slot, edge in zip(slots, choice, strict=True):
            matrix[slot] = edge
        graph = BitGraph.from_matrices(matrix, nothing)
        lengths = walk_lengths(matrix)
        for start, end in product(range(3), repeat=2):
            path = relations.directed_path(graph, start, end)
            assert (len(path) - 1 if path else 0) == lengths[start, end]
            if path:
                assert (path[0], path[-1]) == (start, end)
                assert all(matrix[i, j] for i, j in pairwise(path))
        cycle = relations.directed_cycle(graph)
        loops = [length for length in np.diag(lengths).tolist() if length]
        assert (len(cycle) - 1 if cycle else 0) == min(loops, default=0)
        assert (relations.topological_order(graph) is None) == bool(loops)


def walk_lengths(
    matrix: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the length of a shortest walk of at least one edge, or 0 if there is none, by powers of the matrix."""
    lengths = np.zeros(matrix.shape, dtype=np.int64)
    power = np.eye(len(matrix), dtype=bool)
    for length in range(1, len(matrix) + 1):
        power = power @ matrix
        lengths[power & (lengths == 0)] = length
    return lengths


def test_the_markov_blanket_separates_and_is_part_of_every_set_that_does() -> None:
    graphs = all_admgs(4)
    connected = m_connections(graphs)
    for v in VERTICES:
        others = [u for u in VERTICES if u != v]
        blanket = np.array([relations.collider_connected(graph, v) for graph in graphs.bits])
        assert not (blanket >> v & 1).any()
        for given in subsets(tuple(others)):
            rest = [u for u in others if u not in given]
            separates = ~connected[:, v, rest, mask(given)].any(axis=1)
            # The blanket separates; so does every set that contains it; and no other set does.
            assert np.array_equal(separates, blanket & ~mask(given) == 0)


def test_names_are_put_on_every_relation() -> None:
    graph = ADMG.parse("A -> B -> C -> D; B <-> D; E <-> D; F -> B")
    assert graph.parents("B") == {"A", "F"}
    assert graph.parents(["C", "D"]) == {"B", "C"}
    assert graph.children("B") == {"C"}
    assert graph.children(["A", "C"]) == {"B", "D"}
    assert graph.siblings("D") == {"B", "E"}
    assert graph.siblings(["B", "E"]) == {"D"}
    assert graph.ancestors("C") == {"A", "F", "B", "C"}
    assert graph.descendants(["C", "E"]) == {"C", "D", "E"}
    assert graph.district("B") == {"B", "D", "E"}
    assert list(map(set, graph.districts())) == [{"A"}, {"B", "D", "E"}, {"C"}, {"F"}]
    assert graph.topological_order() == ("A", "E", "F", "B", "C", "D")
    assert graph.markov_blanket("A") == {"B", "F", "D", "E", "C"}
    assert graph.markov_blanket("E") == {"D", "B", "A", "F", "C"}
    assert graph.children([]) == graph.siblings([]) == graph.parents([]) == graph.ancestors(()) == frozenset()


def test_a_subgraph_keeps_the_edges_among_its_vertices_in_the_order_asked_for() -> None:
    graph = ADMG.parse("A -> B -> C -> D; B <-> D; A <-> B")
    part = graph.subgraph(["D", "C", "B"])
    assert part.names == ("D", "C", "B")
    assert part == ADMG.parse("B -> C -> D; B <-> D")
    assert graph.subgraph(name for name in "DCBA") == graph  # type: ignore[arg-type]
    assert graph.subgraph([]) == ADMG.empty([])
