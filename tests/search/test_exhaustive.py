"""All graphs: how many there are, and that the best one of them is found."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from lurking import ADMG, Moments, simulate_admg
from lurking._errors import CycleError, ParameterError
from lurking._typing import GRAPH_CLASSES, GraphClass, IntArray
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.edge_codes import graph_of
from lurking.search.exhaustive import exhaustive_search
from lurking.search.kernels.enumeration import enumerate_graphs
from lurking.search.kernels.moves import CLASS_CODE
from lurking.search.kernels.pool import new_pool
from lurking.sem import CRITERIA, DistrictScore
from lurking.sem.kernels.score_state import new_scored_graph


def data(d: int, n: int, seed: int) -> Moments:
    return Moments.from_table(simulate_admg(d, n, random_state=seed).data)


def all_graphs(names: tuple[str, ...], graph_class: GraphClass) -> list[ADMG]:
    found = []
    for edges in product(("", "->", "<-", "<->"), repeat=len(names) * (len(names) - 1) // 2):
        pairs = zip(combinations(names, 2), edges, strict=True)
        text = "; ".join([*names, *(f"{a} {edge} {b}" for (a, b), edge in pairs if edge)])
        try:
            graph = ADMG.parse(text)
        except CycleError:
            continue
        if graph.witness(graph_class) is None:
            found.append(graph)
    return found


def no_first_edges() -> IntArray:
    return np.zeros(0, dtype=np.int64)


@pytest.mark.parametrize(("graph_class", "number"), [("bow-free", 3608), ("arid", 3560), ("ancestral", 2504)])
def test_number_of_graphs_on_four_variables(graph_class: GraphClass, number: int) -> None:
    moments = data(4, 200, 0)
    score, pool = DistrictScore(moments), new_pool(4, 4)
    pairs = np.array(list(combinations(range(4), 2)), dtype=np.int64)
    lowest = np.array([np.inf])
    mask, code = all_edges_allowed(4), CLASS_CODE[graph_class]
    counted = enumerate_graphs(
        score.state, new_scored_graph(4), pool, mask, code, no_first_edges(), pairs, 10.0, lowest
    )
    assert counted == number
    assert lowest[0] == pytest.approx(pool.score.min(), abs=1e-4)
    # the same in pieces
    pieces = [
        enumerate_graphs(
            score.state, new_scored_graph(4), pool, mask, code, np.array([a, b], dtype=np.int64), pairs, 10.0, lowest
        )
        for a, b in product(range(4), repeat=2)
    ]
    assert sum(pieces) == number
    assert len(set(pieces)) > 1


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_three_variables_one_graph_at_a_time(graph_class: GraphClass, criterion: str) -> None:
    moments = data(3, 60, 1)
    result = exhaustive_search(moments, graph_class, criterion=criterion, window=6.0)
    score = DistrictScore(moments, criterion=criterion, tolerance=1e-7)
    by_hand = {str(graph): score.score(graph) for graph in all_graphs(moments.names, graph_class)}
    best = min(by_hand.values())
    expected = {text: value for text, value in by_hand.items() if value <= best + 6.0}
    found = {str(candidate.admg): candidate.score for candidate in result.candidates}
    assert found.keys() == expected.keys()
    assert len(found) > 3
    for text, value in found.items():
        assert value == pytest.approx(expected[text], abs=1e-4)
    assert result.score == pytest.approx(best, abs=1e-6)


def test_similar_noise_is_minimised_over_its_centre() -> None:
    moments = data(3, 60, 2)
    result = exhaustive_search(moments, criterion="bic", noise_spread=0.5, window=3.0)
    assert result.noise_centre is not None
    score = DistrictScore(moments, tolerance=1e-8)
    values = []
    for graph in all_graphs(moments.names, "bow-free"):
        per_centre = []
        for centre in result.noise_centre + np.linspace(-1.0, 1.0, 9):
            score.assume_similar_noise(float(centre), 0.5)
            per_centre.append(score.score(graph))
        values.append(min(per_centre))
    assert result.score <= min(values) + 1e-4  # no graph is better at any of these centres
    assert result.score == pytest.approx(min(values), abs=0.2)


def test_the_mask_is_obeyed() -> None:
    moments = data(4, 200, 3)
    allowed_edges = all_edges_allowed(4)
    allowed_edges[0, 1] = [0, 0, 0, 1]
    allowed_edges[2, 3, 1:] = 0
    for candidate in exhaustive_search(moments, allowed_edges=allowed_edges, window=20.0).candidates:
        assert candidate.admg.bidirected[0, 1]
        assert not candidate.admg.skeleton[2, 3]


def test_too_many_variables_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"at most 5 variables.*Got 6 instead; use solver='hybrid'"):
        exhaustive_search(data(6, 100, 0))


def test_pool_of_the_enumeration_holds_graphs_of_the_class() -> None:
    moments = data(4, 200, 4)
    score, pool = DistrictScore(moments, tolerance=1e-8), new_pool(4, 64)
    pairs = np.array(list(combinations(range(4), 2)), dtype=np.int64)
    lowest = np.array([np.inf])
    enumerate_graphs(
        score.state, new_scored_graph(4), pool, all_edges_allowed(4), CLASS_CODE["ancestral"], no_first_edges(),
        pairs, 10.0, lowest,
    )  # fmt: skip
    for k in np.flatnonzero(pool.score < lowest[0] + 10.0):
        graph = graph_of(pool.edges[k], moments.names)
        assert graph.is_ancestral()
        assert pool.score[k] == pytest.approx(score.score(graph), abs=1e-5)
