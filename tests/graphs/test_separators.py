from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lurking import ADMG, CPDAG, PAG
from lurking._errors import GraphError
from lurking.graphs.bits import BitGraph, mask_of, members
from lurking.graphs.separation import m_separated
from lurking.graphs.separators import minimal_separators, minimum_separating_set, minimum_separator
from oracles.graph_listing import all_admgs, each, sampled_admgs


def _brute_force_size(graph: BitGraph, one: int, other: int, allowed: int) -> int | None:
    """Try all subsets of the allowed vertices, smaller ones first."""
    rest = [v for v in members(allowed & graph.everything) if v not in (one, other)]
    for size in range(len(rest) + 1):
        for chosen in combinations(rest, size):
            if m_separated(graph, 1 << one, 1 << other, sum(1 << v for v in chosen)):
                return size
    return None


@pytest.mark.parametrize("allowed", [0b111111, 0b011011])
def test_the_set_separates_and_none_is_smaller(allowed: int) -> None:
    graphs = [*each(all_admgs(4).bits, 17), *sampled_admgs(6, 300, seed=3).bits]
    separable = 0
    for graph in graphs:
        for one, other in combinations(range(graph.n_vertices), 2):
            found = minimum_separator(graph, one, other, allowed)
            expected = _brute_force_size(graph, one, other, allowed)
            assert (found is None) == (expected is None)
            if found is not None:
                separable += 1
                assert found & ~allowed == 0
                assert found.bit_count() == expected
                assert m_separated(graph, 1 << one, 1 << other, found)
    assert separable > 1000


def test_of_equal_sets_the_nearest_to_the_first_vertex_is_taken() -> None:
    chain = BitGraph.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    assert minimum_separator(chain, 3, 0) == 0b0100
    assert minimum_separator(chain, 0, 3) == 0b0010


def test_several_vertices_are_cut_where_several_paths_run() -> None:
    # Three disjoint chains of length two from 0 to 7, one of them through the confounder of 5 and 6.
    graph = BitGraph.from_edges(
        8, directed=[(0, 1), (1, 2), (2, 7), (0, 3), (3, 4), (4, 7), (0, 5), (6, 7), (5, 7)], bidirected=[(0, 6)]
    )
    found = minimum_separator(graph, 7, 0)
    assert found is not None
    assert sorted(members(found)) == [2, 4, 5, 6]


def _sparse_graphs(n_graphs: int) -> list[BitGraph]:
    generator = np.random.default_rng(5)
    found = []
    for _ in range(n_graphs):
        order = generator.permutation(6).tolist()
        pairs = list(combinations(order, 2))
        directed = [pair for pair in pairs if generator.random() < 0.35]
        found.append(BitGraph.from_edges(6, directed, [pair for pair in pairs if generator.random() < 0.1]))
    return found


def _separating(graph: BitGraph, ones: int, others: int, include: int, allowed: int) -> list[int]:
    """Return every set with ``include`` and otherwise inside ``allowed`` that separates."""
    rest = list(members(allowed & graph.everything & ~ones & ~others & ~include))
    sets = [mask_of(s) | include for size in range(len(rest) + 1) for s in combinations(rest, size)]
    return [s for s in sets if m_separated(graph, ones, others, s)]


@pytest.mark.parametrize(
    ("ones", "others", "include", "allowed"),
    [
        (0b000001, 0b000010, 0, -1),
        (0b000001, 0b001000, 0b000100, -1),
        (0b000001, 0b001000, 0, 0b010111),
        (0b000011, 0b001000, 0, -1),
        (0b000001, 0b001010, 0b010000, 0b111011),
    ],
)
def test_all_minimal_sets_are_found_and_the_minimum_is_the_smallest(
    ones: int, others: int, include: int, allowed: int
) -> None:
    several = 0
    for graph in _sparse_graphs(400):
        separating = _separating(graph, ones, others, include, allowed)
        minimal = {s for s in separating if not any(smaller & ~s == 0 and smaller != s for smaller in separating)}
        found = list(minimal_separators(graph, ones, others, include, allowed))
        assert len(found) == len(set(found))
        assert set(found) == minimal
        smallest = minimum_separating_set(graph, ones, others, include, allowed)
        assert (smallest is None) == (not separating)
        if smallest is not None:
            assert smallest in minimal
            assert smallest.bit_count() == min(s.bit_count() for s in separating)
        several += len(minimal)
    assert several > 50


def test_every_kind_of_graph_answers() -> None:
    chain = [frozenset("B"), frozenset("C")]
    for graph in (ADMG.parse("A -> B -> C -> D"), CPDAG.parse("A -- B -- C -- D"), PAG.parse("A o-o B o-o C o-o D")):
        assert list(graph.separators("A", "D")) == chain
        assert graph.minimum_separator("A", "D", exclude="B") == frozenset("C")
        assert graph.separators("A", "D", include="B", exclude="C") == (frozenset("B"),)
        assert graph.separators("A", "B") == ()
        assert graph.minimum_separator("A", "B") is None
        assert [(i.one, i.other) for i in graph.independence_basis()] == [("A", "C"), ("A", "D"), ("B", "D")]


def test_selection_is_conditioned_on() -> None:
    square = PAG.parse("A -- B -- C -- D -- A")
    assert square.separators("A", "C") == (frozenset("BD"),)
    assert square.m_separated("A", "C", ["B", "D"])
    assert not square.m_separated("A", "C", "B")
    assert [str(i) for i in square.independence_basis()] == ["A ⊥ C | B, D", "B ⊥ D | A, C"]


def test_too_many_sets_and_overlaps_are_refused() -> None:
    ladder = ADMG.parse("; ".join(f"A -> B{i} -> C{i} -> D" for i in range(6)))
    assert len(ladder.separators("A", "D")) == 64
    with pytest.raises(GraphError, match="more than 63 minimal sets; raise the limit"):
        ladder.separators("A", "D", limit=63)
    with pytest.raises(GraphError, match="cannot both include and exclude B0"):
        ladder.separators("A", "D", include="B0", exclude="B0")
    with pytest.raises(GraphError, match="must not overlap"):
        ladder.separators("A", "D", include="A")


Pairwise = tuple[int, int, int]


def _closure(statements: set[Pairwise], d: int) -> set[Pairwise]:
    """Close pairwise independences (a, b, given) under the axioms of compositional graphoids."""
    known = set(statements)
    while True:
        new = set()
        for a, b, given in known:
            for x, y in ((a, b), (b, a)):
                for z in range(d):
                    if z in (x, y):
                        continue
                    with_y, with_z = given | 1 << y, given | 1 << z
                    if not given >> z & 1:
                        if _has(known, x, z, with_y):  # contraction: x ⊥ y | C and x ⊥ z | Cy
                            new |= {(x, z, given), (x, y, with_z)}
                        if _has(known, x, z, given):  # composition
                            new |= {(x, y, with_z), (x, z, with_y)}
                    elif _has(known, x, z, (given | 1 << y) & ~(1 << z)):  # intersection: x ⊥ y | Cz and x ⊥ z | Cy
                        new |= {(x, y, given & ~(1 << z)), (x, z, given & ~(1 << z))}
        new = {(min(a, b), max(a, b), given) for a, b, given in new}
        if new <= known:
            return known
        known |= new


def _has(known: set[Pairwise], a: int, b: int, given: int) -> bool:
    return (min(a, b), max(a, b), given) in known


def test_all_separations_follow_from_the_basis() -> None:
    names = list("ABCD")
    sizes = 0
    for graph in each(all_admgs(4).bits, 97):
        admg = ADMG(names, *graph.to_matrices())
        basis = {
            (admg.index(s.one), admg.index(s.other), mask_of(map(admg.index, s.given)))
            for s in admg.independence_basis()
        }
        everything = {
            (a, b, given)
            for a, b in combinations(range(4), 2)
            for given in range(16)
            if not given >> a & 1 and not given >> b & 1 and m_separated(graph, 1 << a, 1 << b, given)
        }
        assert _closure(basis, 4) == everything, str(admg)
        sizes += len(everything)
    assert sizes > 100
