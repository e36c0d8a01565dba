"""Searches among variables of several columns: the best of all graphs, knowledge, orders, restarts."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG, Knowledge
from lurking._errors import ParameterError
from lurking._typing import GRAPH_CLASSES
from lurking.search import best_dag, exhaustive_search, hybrid_search
from lurking.sem import DistrictScore
from oracles.graph_listing import all_dags
from sem.grouped_data import all_graphs, mixed_moments

MOMENTS = mixed_moments("A -> B -> C; B <-> D; C -> D", {"B": 3, "D": 4}, n=500, seed=4)


def test_exhaustive_search_finds_the_best_of_all_graphs() -> None:
    moments = MOMENTS.subset(["A", "B", "D"])
    score = DistrictScore(moments, criterion="marginal", tolerance=1e-8)
    scores = sorted(score.score(admg) for admg in all_graphs(moments.names))
    found = exhaustive_search(moments, window=20.0)
    assert found.score == pytest.approx(scores[0], abs=1e-4)
    assert len(found.candidates) == sum(value <= scores[0] + 20.0 for value in scores)


@pytest.mark.parametrize("criterion", ["marginal", "bic"])
def test_hybrid_search_finds_what_exhaustive_search_finds(criterion: str) -> None:
    best = exhaustive_search(MOMENTS, criterion=criterion)
    found = hybrid_search(MOMENTS, criterion=criterion, n_restarts=2, random_state=0)
    assert found.score == pytest.approx(best.score, abs=1e-3)
    assert found.admg.names == MOMENTS.names
    assert found.posterior.sampled


def test_the_order_of_variables_does_not_matter() -> None:
    found = hybrid_search(MOMENTS, n_restarts=1, random_state=0)
    other = hybrid_search(MOMENTS.reorder(MOMENTS.names[::-1]), n_restarts=1, random_state=0)
    assert other.admg.subgraph(MOMENTS.names) == found.admg


def test_knowledge_speaks_of_variables() -> None:
    knowledge = Knowledge(forbidden=("A -> B", "A <-> B"), required=("C -> D",))
    allowed = knowledge.allowed_edges(MOMENTS.names)
    for found in (
        exhaustive_search(MOMENTS, allowed_edges=allowed),
        hybrid_search(MOMENTS, n_restarts=1, allowed_edges=allowed, random_state=0),
    ):
        assert not knowledge.violations(found.admg)
        assert ("C", "D") in found.admg.directed_edges()


@pytest.mark.parametrize("seed", range(3))
def test_best_dag_is_the_best_of_all_dags(seed: int) -> None:
    moments = mixed_moments("A -> B -> C; A -> C; C -> D", {"B": 3, "D": 4}, n=300, seed=seed + 10)
    score = DistrictScore(moments)
    dags = [ADMG(moments.names, directed, np.zeros((4, 4), dtype=bool)) for directed in all_dags(4)]
    assert len(dags) == 543
    found = best_dag(moments, n_restarts=5, random_state=0)
    assert found.bic == pytest.approx(min(score.score(admg) for admg in dags), abs=1e-4)
    assert found.bic == pytest.approx(score.score(found.admg), abs=1e-6)


def test_best_dag_obeys_what_is_allowed_and_prices() -> None:
    allowed = np.triu(np.ones((4, 4)))
    found = best_dag(MOMENTS, allowed_edges=allowed, n_restarts=2, random_state=0)
    assert not (found.admg.directed & (allowed == 0)).any()
    assert best_dag(MOMENTS, price=np.full((4, 4), 1e6), n_restarts=1).admg.n_edges == 0
    with pytest.raises(ParameterError, match="price"):
        best_dag(MOMENTS, price=np.zeros((4, 4)))
    with pytest.raises(ParameterError, match="GroupedMoments"):
        best_dag(MOMENTS.columns, price=np.ones((7, 7)))


@pytest.mark.parametrize("search", [exhaustive_search, hybrid_search])
def test_similar_noise_is_refused(search) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match="several columns"):
        search(MOMENTS, noise_spread=0.5)


def test_all_classes_are_searched() -> None:
    for graph_class in GRAPH_CLASSES:
        found = hybrid_search(MOMENTS, graph_class, criterion="ebic", n_restarts=1, n_rounds=10, random_state=0)
        assert found.admg.witness(graph_class) is None
