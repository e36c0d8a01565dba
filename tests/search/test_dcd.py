"""The paper's solver with its restarts: class, seed, workers, column order, knowledge, and what it records."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.data import Moments
from lurking.discovery import Knowledge
from lurking.search.dcd import dcd_search
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.status import DCDStatus
from lurking.sem import ricf
from lurking.simulate import simulate_admg


@pytest.fixture(scope="module")
def moments() -> Moments:
    return Moments.from_table(simulate_admg(5, 1000, random_state=4).data)


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_every_graph_is_in_its_class_and_judged_by_exact_bic(moments: Moments, graph_class: GraphClass) -> None:
    result = dcd_search(moments, graph_class, n_restarts=3, random_state=0)
    assert isinstance(result.status, DCDStatus)
    for candidate in result.candidates:
        assert candidate.admg.witness(graph_class) is None
        assert candidate.score == pytest.approx(ricf(moments, candidate.admg).bic, abs=1e-4)
    assert result.score == pytest.approx(min(run.score for run in result.runs), abs=1e-4)


def test_runs_record_the_augmented_lagrangian(moments: Moments) -> None:
    result = dcd_search(moments, n_restarts=2, random_state=0)
    for run in result.runs:
        assert run.detail is not None
        trace = run.detail.trace
        assert run.detail.h == trace[-1].h
        assert trace[-1].h <= 1e-8 or run.detail.status is not DCDStatus.CONVERGED
        assert all(later.rho >= earlier.rho for earlier, later in pairwise(trace))


def test_answer_depends_on_the_seed_only(moments: Moments) -> None:
    alone = dcd_search(moments, n_restarts=3, random_state=1, n_jobs=1)
    together = dcd_search(moments, n_restarts=3, random_state=1, n_jobs=2)
    assert alone.admg == together.admg
    assert [run.score for run in alone.runs] == [run.score for run in together.runs]
    backwards = dcd_search(moments.reorder(moments.names[::-1]), n_restarts=3, random_state=1)
    assert backwards.admg == alone.admg
    assert backwards.admg.names == moments.names[::-1]


def test_knowledge_is_obeyed(moments: Moments) -> None:
    first, second, third, *_ = moments.names
    knowledge = Knowledge(tiers=((third,), (first, second)), required=(f"{third} -> {first}",), unconfounded=(second,))
    result = dcd_search(moments, n_restarts=2, allowed_edges=knowledge.allowed_edges(moments.names), random_state=0)
    for candidate in result.candidates:
        assert knowledge.violations(candidate.admg) == ()


def test_a_larger_penalty_gives_fewer_edges(moments: Moments) -> None:
    edges = [
        dcd_search(
            moments, hyperparameters=DCDHyperparameters(penalty=penalty), n_restarts=1, random_state=0
        ).admg.n_edges
        for penalty in (0.005, 5.0)
    ]
    assert edges[0] > edges[1]


def test_progress_is_told(moments: Moments) -> None:
    shares: list[float] = []
    dcd_search(moments, n_restarts=2, random_state=0, progress=lambda share, _: shares.append(share))
    assert np.allclose(shares, [0.5, 1.0])
