"""MAG -> PAG: the complete rules against the definition of a PAG, and each rule on a graph that needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lurking import ADMG, PAG
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.marks import Mark, MarkMatrix, MarkSets, marks_of_graph
from lurking.graphs.mixed_ancestral import anterior, check_maximal_ancestral
from lurking.graphs.orientation import ALL_RULES, apply_rules, orient, pag_of_mag, pag_of_marks
from lurking.graphs.projection import mag_projection
from lurking.graphs.separators import minimum_separator
from oracles.equivalence import (
    DIRECTED_AND_BIDIRECTED,
    WITH_UNDIRECTED,
    Edges,
    mags_on,
    skeletons,
    unlabelled_skeletons,
)
from oracles.equivalence_rules import pag_by_the_book
from strategies import admgs

Kinds = tuple[tuple[int, int], ...]


def _check_against_definition(d: int, chosen: Sequence[Edges], kinds: Kinds, per_class: int) -> tuple[int, int]:
    """Check the PAG of up to ``per_class`` members of each class on each skeleton; return how many there are."""
    n_graphs = n_classes = 0
    for edges in chosen:
        mags = mags_on(d, edges, kinds)
        checked = np.zeros(len(mags.shared), dtype=int)
        for mag, number in zip(mags.marks, mags.classes, strict=True):
            if checked[number] < per_class:
                checked[number] += 1
                np.testing.assert_array_equal(pag_of_marks(mag), mags.shared[number], err_msg=f"the MAG {mag.tolist()}")
        n_graphs += len(mags.marks)
        n_classes += len(mags.shared)
    return n_graphs, n_classes


@pytest.mark.parametrize(
    ("d", "kinds", "expected"),
    [
        (2, DIRECTED_AND_BIDIRECTED, (4, 2)),
        (3, DIRECTED_AND_BIDIRECTED, (56, 11)),
        (3, WITH_UNDIRECTED, (72, 11)),
        (4, DIRECTED_AND_BIDIRECTED, (2492, 248)),
        (4, WITH_UNDIRECTED, (3045, 251)),
    ],
)
def test_pag_of_every_small_mag_has_the_marks_of_its_whole_class(
    d: int, kinds: Kinds, expected: tuple[int, int]
) -> None:
    assert _check_against_definition(d, list(skeletons(d)), kinds, per_class=10**6) == expected


@pytest.mark.parametrize(
    ("kinds", "expected"), [(DIRECTED_AND_BIDIRECTED, (12231, 755)), (WITH_UNDIRECTED, (13850, 768))]
)
def test_pag_of_mags_with_five_vertices_has_the_marks_of_its_whole_class(
    kinds: Kinds, expected: tuple[int, int]
) -> None:
    """All classes, up to renaming the vertices, on every skeleton but the complete one, which has a single class."""
    chosen = [edges for edges in unlabelled_skeletons(5) if len(edges) < 10]
    assert len(chosen) == 33
    assert _check_against_definition(5, chosen, kinds, per_class=3) == expected


def test_pag_of_sampled_mags_with_six_vertices_has_the_marks_of_its_whole_class() -> None:
    generator = np.random.default_rng(20)
    pairs = list(combinations(range(6), 2))
    chosen = [tuple(sorted(pairs[i] for i in generator.choice(15, size=8, replace=False))) for _ in range(4)]
    n_graphs, n_classes = _check_against_definition(6, chosen, DIRECTED_AND_BIDIRECTED, per_class=3)
    assert n_graphs > 1000
    assert n_classes > 50


def test_complete_skeleton_tells_nothing() -> None:
    complete = ADMG.parse("A -> B -> C -> D -> E; A -> C; A <-> D; A <-> E; B -> D; B -> E; C -> E")
    assert (complete.to_pag().marks == np.ones((5, 5)) - np.eye(5)).all()


# ------------------------------------------------------------------------- larger graphs: the rules word by word


def _random_mag(generator: np.random.Generator, d: int, selection: bool) -> MarkMatrix:
    """A maximal ancestral graph; with selection its first vertices are joined by undirected edges only."""
    n_selected = int(generator.integers(3, d)) if selection else 0
    density, bidirected_share = generator.uniform(0.2, 0.5), generator.uniform(0, 0.6)
    directed: list[tuple[int, int]] = []
    bidirected: list[tuple[int, int]] = []
    undirected: list[tuple[int, int]] = []
    for i, j in combinations(range(d), 2):
        if j < n_selected:
            if generator.random() < 0.6:
                undirected.append((i, j))
        elif generator.random() < density:
            confounded = generator.random() < bidirected_share and i >= n_selected
            (bidirected if confounded else directed).append((i, j))
    # No arrowhead meets an undirected edge, so inducing paths and ancestors ignore the undirected edges.
    marks = marks_of_graph(mag_projection(BitGraph.from_edges(d, directed, bidirected)))
    for i, j in undirected:
        marks[i, j] = marks[j, i] = Mark.TAIL
    order = generator.permutation(d)
    return marks[np.ix_(order, order)]


@pytest.mark.parametrize("selection", [False, True])
def test_searches_find_what_listing_all_paths_finds(selection: bool) -> None:
    generator = np.random.default_rng(7)
    for _ in range(500):
        mag = _random_mag(generator, int(generator.integers(6, 9)), selection)
        check_maximal_ancestral("ABCDEFGH"[: len(mag)], mag)
        np.testing.assert_array_equal(pag_of_marks(mag), pag_by_the_book(mag), err_msg=f"the MAG {mag.tolist()}")


def test_long_discriminating_path() -> None:
    """The end of a path through ten vertices is told apart from a collider by R4, both ways."""
    inner = [f"Q{i}" for i in range(10)]
    path = " <-> ".join(inner)
    into_y = "; ".join(f"{q} -> Y" for q in inner)
    collider = ADMG.parse(f"X -> {path} <-> V <-> Y; {into_y}")
    other = ADMG.parse(f"X -> {path}; V -> Q9; V -> Y; {into_y}")
    assert collider.is_mag()
    assert other.is_mag()
    assert collider.to_pag().mark("V", "Y") == other.to_pag().mark("V", "Y") == Mark.ARROW
    assert collider.to_pag().mark("Y", "V") == Mark.ARROW
    assert other.to_pag().mark("Y", "V") == Mark.TAIL
    assert not collider.markov_equivalent(other)


# ----------------------------------------------------------------------------------------- each rule by itself

NEEDS_RULE = {
    # Y structure
    1: ("A -> C; B -> C; C -> D", "A o-> C; B o-> C; C -> D"),
    # E -> C and C has an arrowhead at D by R1 and R0, so D <-o C cannot be D <- C with a tail at C
    2: ("A -> E; B -> D; C <-> D; E -> C; D <-> E", "A o-> E; B o-> D; C <-> D; E -> C; D <-> E"),
    # the diamond of Meek's third rule
    3: ("A -> C; D -> A; B -> C; B -> D; D -> C", "A o-> C; A o-o D; B o-> C; B o-o D; D o-> C"),
    # the shortest discriminating path, (A, D, C, B) for C: not a collider here, a collider in the next graph
    4: ("A -> D; C -> B; D -> B; C -> D", "A o-> D; C -> B; D -> B; C o-> D"),
    4.5: ("A -> D; B <-> C; D -> B; C <-> D", "A o-> D; B <-> C; D -> B; C <-> D"),
    # the square without a chord: only selection explains it
    5: ("A -- C -- B -- D -- A", "A -- C -- B -- D -- A"),
    6: ("B -- D -- C -- E -- B; E -> A", "B -- D -- C -- E -- B; E --o A"),
    # a wheel: the hub E has no arrowhead, because its neighbours A and B are not adjacent
    7: (
        "A -- C -- B -- D -- A; A -- E; B -- E; C -- E; D -- E",
        "A -- C -- B -- D -- A; A -- E; B -- E; C -- E; D -- E",
    ),
    # A -> F -> E with A o-> E
    8: (
        "B -> A; A -> E; A -> F; G -> A; B -> E; C -> D; D -> E; F -> D; G -> D; F -> E; G -> E; G -> F",
        "B o-> A; A -> E; A -> F; G o-> A; B o-> E; C o-> D; D -> E; F -> D; G -> D; F -> E; G -> E; G -> F",
    ),
    # a collider at one corner of a square
    9: ("C -> A; D -> A; B -> C; B -> D", "C -> A; D -> A; B o-o C; B o-o D"),
    # E o-> A with C -> A <- D and the paths (E, C), (E, D)
    10: (
        "C -> A; D -> A; E -> A; B -> C; B -> D; B -> E; E -> C; D -> E",
        "C -> A; D -> A; E -> A; B o-o C; B o-o D; B o-o E; C o-o E; D o-o E",
    ),
}


@pytest.mark.parametrize("case", NEEDS_RULE)
def test_each_rule_is_needed(case: float) -> None:
    text, expected = NEEDS_RULE[case]
    mag = PAG.parse(text)
    assert PAG.of_mag(mag.names, mag.marks) == PAG.parse(expected)
    without = PAG(mag.names, pag_of_marks(mag.marks, rules=ALL_RULES - {int(case)}))
    assert without != PAG.parse(expected)
    changed = without.marks != pag_of_marks(mag.marks)
    assert (without.marks[changed] == Mark.CIRCLE).all()


def test_rules_for_selection_never_apply_without_undirected_edges() -> None:
    generator = np.random.default_rng(3)
    for _ in range(300):
        mag = _random_mag(generator, 8, selection=False)
        np.testing.assert_array_equal(pag_of_marks(mag, rules=ALL_RULES - {5, 6, 7}), pag_of_marks(mag))


def test_the_short_way_for_graphs_without_undirected_edges_gives_the_same() -> None:
    """``pag_of_mag`` on all MAGs with up to four vertices, and on larger ones with long districts."""
    generator = np.random.default_rng(11)
    small = [
        mag for d in (2, 3, 4) for edges in skeletons(d) for mag in mags_on(d, edges, DIRECTED_AND_BIDIRECTED).marks
    ]
    assert len(small) == 4 + 56 + 2492
    larger = [_random_mag(generator, int(generator.integers(6, 16)), selection=False) for _ in range(400)]
    for mag in (*small, *larger):
        found = pag_of_mag(MarkSets(mag).to_bit_graph())
        np.testing.assert_array_equal(found, pag_of_marks(mag), err_msg=f"the MAG {mag.tolist()}")


# ------------------------------------------------------------------------------------------------- invariances


@st.composite
def graphs_and_orders(draw: DrawFn) -> tuple[ADMG, list[str]]:
    graph = draw(admgs(max_size=8))
    return graph, draw(st.permutations(graph.names))


@given(graphs_and_orders())
def test_order_of_the_variables_does_not_matter(case: tuple[ADMG, list[str]]) -> None:
    graph, order = case
    assert graph.subgraph(order).to_pag() == graph.to_pag()


@given(admgs(max_size=8))
def test_pag_is_that_of_the_mag_and_keeps_only_its_marks(graph: ADMG) -> None:
    mag = graph.to_mag()
    pag = graph.to_pag()
    marks = marks_of_graph(BitGraph.from_matrices(mag.directed, mag.bidirected))
    assert pag == mag.to_pag() == PAG.of_mag(mag.names, marks)
    kept = pag.marks != Mark.CIRCLE
    assert (pag.marks[kept] == marks[kept]).all()


# ------------------------------------------------------------------------- the same rules for constraint-based search


def _anterior_set(mag: BitGraph, a: int, b: int) -> int:
    pair = singleton(a) | singleton(b)
    return anterior(MarkSets(marks_of_graph(mag)), pair) & ~pair


def _smallest_set(mag: BitGraph, a: int, b: int) -> int:
    found = minimum_separator(mag, a, b)
    assert found is not None
    return found


def _pag_from_separating_sets(mag: BitGraph, separating_set: Callable[[BitGraph, int, int], int]) -> MarkMatrix:
    return orient(
        marks_of_graph(mag) != Mark.NONE,
        is_collider=lambda a, b, c: not separating_set(mag, a, c) >> b & 1,
        ends_in_collider=lambda path: not separating_set(mag, path[0], path[-1]) >> path[-2] & 1,
    )


@pytest.mark.parametrize("separating_set", [_anterior_set, _smallest_set])
def test_separating_sets_lead_to_the_same_pag_as_the_graph(
    separating_set: Callable[[BitGraph, int, int], int],
) -> None:
    generator = np.random.default_rng(11)
    for _ in range(150):
        mag = MarkSets(_random_mag(generator, 8, selection=False)).to_bit_graph()
        np.testing.assert_array_equal(_pag_from_separating_sets(mag, separating_set), pag_of_mag(mag))


def test_hundred_vertices() -> None:
    mag = mag_projection(_sparse_graph(100, degree=4, seed=11))
    pag = pag_of_mag(mag)
    np.testing.assert_array_equal(_pag_from_separating_sets(mag, _anterior_set), pag)
    assert np.count_nonzero(pag == Mark.CIRCLE) < np.count_nonzero(pag) / 3


def _sparse_graph(d: int, degree: float, seed: int) -> BitGraph:
    generator = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(d), 2) if generator.random() < degree / (d - 1)]
    confounded = generator.random(len(pairs)) < 0.4
    return BitGraph.from_edges(
        d,
        directed=[pair for pair, hidden in zip(pairs, confounded, strict=True) if not hidden],
        bidirected=[pair for pair, hidden in zip(pairs, confounded, strict=True) if hidden],
    )


class _Witness:
    """Answers from a MAG and remembers what it was asked."""

    def __init__(self, marks: MarkMatrix) -> None:
        self.marks = marks
        self.triples: list[tuple[int, int, int]] = []
        self.paths: list[Sequence[int]] = []

    def is_collider(self, a: int, b: int, c: int) -> bool:
        self.triples.append((a, b, c))
        return bool(self.marks[a, b] == self.marks[c, b] == Mark.ARROW)

    def ends_in_collider(self, path: Sequence[int]) -> bool:
        self.paths.append(path)
        return bool(self.marks[path[-1], path[-2]] == Mark.ARROW)


def test_questions_are_about_real_unshielded_triples_and_discriminating_paths() -> None:
    """Each triple is asked about once, each end of an edge at most once, and paths fit the definition in the MAG."""
    generator = np.random.default_rng(5)
    lengths = set()
    for _ in range(300):
        marks = _random_mag(generator, 8, selection=False)
        witness = _Witness(marks)
        orient(marks != Mark.NONE, witness.is_collider, witness.ends_in_collider)
        assert len(set(witness.triples)) == len(witness.triples)
        for a, b, c in witness.triples:
            assert a < c
            assert marks[a, b] != Mark.NONE != marks[b, c]
            assert marks[a, c] == Mark.NONE
        assert len({tuple(path[-2:]) for path in witness.paths}) == len(witness.paths)
        for path in witness.paths:
            assert len(path) == len(set(path)) >= 4
            assert marks[path[0], path[-1]] == Mark.NONE != marks[path[-2], path[-1]]
            for u, v, w in zip(path, path[1:-2], path[2:], strict=False):
                assert marks[u, v] == marks[w, v] == Mark.ARROW
                assert (marks[v, path[-1]], marks[path[-1], v]) == (Mark.ARROW, Mark.TAIL)
            lengths.add(len(path))
    assert lengths >= {4, 5, 6}


def _never(_: Sequence[int]) -> bool:
    return False


@given(st.integers(0, 10**6), st.booleans())
def test_known_marks_are_kept_and_a_second_run_changes_nothing(seed: int, answer: bool) -> None:
    """Whatever the input says, even if no MAG agrees with it."""
    generator = np.random.default_rng(seed)
    d = int(generator.integers(2, 8))
    upper = np.triu(generator.random((d, d)) < 0.6, 1)
    marks = ((upper | upper.T) * generator.choice([1, 1, 2, 3], size=(d, d))).astype(np.int8)
    before = marks.copy()
    after = apply_rules(marks, lambda _: answer)
    assert (marks == before).all()
    assert ((after == before) | (before == Mark.CIRCLE)).all()
    assert (apply_rules(after, lambda _: answer) == after).all()


def test_background_knowledge_spreads() -> None:
    """One tail that somebody knows orients the rest of a chain."""
    chain = PAG.parse("A o-o B o-o C o-o D")
    assert (apply_rules(chain.marks, _never) == chain.marks).all()
    known = PAG.parse("A -> B o-o C o-o D")
    assert PAG(known.names, apply_rules(known.marks, _never)) == PAG.parse("A -> B -> C -> D")


def test_contradiction_is_left_as_it_is() -> None:
    """R1 would turn the tail at C into an arrowhead; it does not apply at all."""
    odd = PAG.parse("A -> B o-- C")
    assert (apply_rules(odd.marks, _never) == odd.marks).all()


def test_empty_and_tiny_graphs() -> None:
    assert pag_of_mag(BitGraph((), ())).shape == (0, 0)
    assert pag_of_mag(BitGraph((0,), (0,))).tolist() == [[0]]
    assert pag_of_mag(BitGraph.from_edges(2, [(1, 0)])).tolist() == [[0, 1], [1, 0]]


# ---------------------------------------------------------------------------------------------- marks as sets


@given(admgs(max_size=6, bow_free=True))
def test_marks_as_sets_round_trip(graph: ADMG) -> None:
    bits = BitGraph.from_matrices(graph.directed, graph.bidirected)
    marks = marks_of_graph(bits)
    sets = MarkSets(marks)
    np.testing.assert_array_equal(sets.to_matrix(), marks)
    assert sets.to_bit_graph() == bits
    for i, j in np.argwhere(marks).tolist():
        assert sets.mark(i, j) == marks[i, j]
        assert sets.adjacent[i] >> j & 1
        assert sets.near[marks[i, j]][j] >> i & 1
        assert sets.far[marks[i, j]][i] >> j & 1


def test_marks_are_placed_together_or_not_at_all() -> None:
    sets = MarkSets(PAG.parse("A o-o B -> C").marks)
    assert not sets.place((0, 1, Mark.TAIL), (2, 1, Mark.ARROW))  # the tail at B on B -> C stays
    assert sets.mark(0, 1) == Mark.CIRCLE
    assert sets.place((0, 1, Mark.ARROW), (1, 2, Mark.ARROW))  # the second one is there already
    assert sets.mark(0, 1) == Mark.ARROW
    assert not sets.place((0, 1, Mark.ARROW))
    assert list(members(sets.near[Mark.CIRCLE][0])) == [1]
