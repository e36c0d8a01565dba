"""Markov equivalence against listed separations."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lurking import ADMG
from lurking._errors import GraphError
from lurking.graphs.bits import BitGraph, members
from lurking.graphs.equivalence import distinguishing_separation, markov_equivalent_mags
from lurking.graphs.marks import MarkMatrix
from lurking.graphs.orientation import pag_of_mag
from lurking.graphs.projection import mag_projection
from oracles.equivalence import (
    DIRECTED_AND_BIDIRECTED,
    WITH_UNDIRECTED,
    Edges,
    mags_on,
    separated,
    skeletons,
    unlabelled_skeletons,
)
from oracles.graph_listing import Graphs, all_admgs, sampled_admgs
from oracles.graph_paths import m_connections


def _check_difference(one: MarkMatrix, other: MarkMatrix) -> None:
    """The separation that is returned must hold in exactly one of the graphs."""
    found = distinguishing_separation(one, other)
    assert found is not None
    a, b, given = found
    assert a < b
    answers = [separated(graph, a, b, set(members(given))) for graph in (one, other)]
    assert answers in ([True, False], [False, True])


@pytest.mark.parametrize(
    ("d", "chosen"), [(4, list(skeletons(4))), (5, [e for e in unlabelled_skeletons(5) if len(e) < 10])]
)
def test_classes_on_one_skeleton(d: int, chosen: list[Edges]) -> None:
    generator = np.random.default_rng(1)
    n_differences = 0
    for edges in chosen:
        mags = mags_on(d, edges, WITH_UNDIRECTED)
        representatives = []
        for number in range(len(mags.shared)):
            group = mags.marks[mags.classes == number]
            first, second = group[generator.integers(len(group), size=2)]
            assert distinguishing_separation(first, second) is None
            representatives.append(first)
        pairs = list(combinations(representatives, 2))
        for i in generator.permutation(len(pairs))[:60].tolist():
            _check_difference(*pairs[i])
            n_differences += 1
    assert n_differences > 500


def test_graphs_on_different_skeletons() -> None:
    generator = np.random.default_rng(2)
    groups = [mags_on(4, edges, WITH_UNDIRECTED).marks for edges in skeletons(4)]
    for _ in range(200):
        i, j = generator.choice(len(groups), size=2, replace=False)
        _check_difference(generator.choice(groups[i]), generator.choice(groups[j]))


def _partition_by_separations(graphs: Graphs) -> list[bytes]:
    return [row.tobytes() for row in m_connections(graphs).reshape(len(graphs), -1)]


def test_pags_and_separations_divide_all_admgs_with_four_vertices_alike() -> None:
    """All 34,752, bows included: one PAG per set of separations and one set of separations per PAG."""
    graphs = all_admgs(4)
    known: dict[BitGraph, bytes] = {}
    pags = []
    for mag in map(mag_projection, graphs.bits):
        if mag not in known:
            known[mag] = pag_of_mag(mag).tobytes()
        pags.append(known[mag])
    separations = _partition_by_separations(graphs)
    assert len(set(pags)) == len(set(separations)) == len(set(zip(pags, separations, strict=True))) == 248


def _admg(bits: BitGraph) -> ADMG:
    return ADMG([f"X{i}" for i in range(bits.n_vertices)], *bits.to_matrices())


def test_admgs_with_three_vertices_pairwise() -> None:
    graphs = all_admgs(3)
    separations = _partition_by_separations(graphs)
    first_of_class = {key: i for i, key in reversed(list(enumerate(separations)))}
    assert len(first_of_class) == 11
    objects = [_admg(bits) for bits in graphs.bits]
    mags = [mag_projection(bits) for bits in graphs.bits]
    for i, key in enumerate(separations):
        for other_key, j in first_of_class.items():
            assert objects[i].markov_equivalent(objects[j]) == (key == other_key)
            assert markov_equivalent_mags(mags[i], mags[j]) == (key == other_key)


def test_admgs_with_five_vertices_that_differ_in_one_edge() -> None:
    """Graphs that are nearly the same, so that both answers are common."""
    generator = np.random.default_rng(4)
    some = sampled_admgs(5, 250, seed=8)
    directed, bidirected = some.directed.copy(), some.bidirected.copy()
    for g in range(len(some)):
        i, j = generator.choice(5, size=2, replace=False)
        if directed[g, i, j]:
            directed[g, i, j] = False
        else:
            bidirected[g, i, j] = bidirected[g, j, i] = not bidirected[g, i, j]
    changed = Graphs(directed, bidirected)
    truth = [
        one == other
        for one, other in zip(_partition_by_separations(some), _partition_by_separations(changed), strict=True)
    ]
    found = [_admg(a).markov_equivalent(_admg(b)) for a, b in zip(some.bits, changed.bits, strict=True)]
    assert found == truth
    assert 20 < sum(truth) < 230


def test_order_of_names_does_not_matter() -> None:
    graph = ADMG.parse("A -> B -> C -> D; B <-> D")
    assert graph.markov_equivalent(graph.subgraph(["D", "B", "A", "C"]))


def test_other_names_are_refused() -> None:
    with pytest.raises(GraphError, match="same variables can be equivalent; C, D"):
        ADMG.parse("A -> B; C").markov_equivalent(ADMG.parse("A -> B; D"))


def test_number_of_classes_of_dags_and_mags_on_three_vertices() -> None:
    """The chain A - B - C has two classes: the collider, and all others."""
    mags = mags_on(3, ((0, 1), (1, 2)), DIRECTED_AND_BIDIRECTED)
    assert sorted(np.bincount(mags.classes).tolist()) == [4, 5]
