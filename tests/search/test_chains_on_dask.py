"""The chains of a search on a real Dask cluster on this machine, one process of which is killed while they run."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest
from distributed import Client

from dask_cluster import local_cluster
from lurking import Moments, simulate_admg
from lurking.data import AnyMoments
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.cluster_scheduler import on_cluster
from lurking.search.hybrid import hybrid_search
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.result import SearchResult
from lurking.search.status import SearchStatus
from sem.grouped_data import mixed_moments

MOMENTS = Moments.from_table(simulate_admg(8, 400, random_state=4).data)

# the garbage collector, not Dask, closes the socket of a worker that was killed
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with local_cluster(2) as cluster, Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


def same(one: SearchResult, other: SearchResult) -> None:
    assert one == other
    np.testing.assert_array_equal(one.posterior.codes, other.posterior.codes)
    np.testing.assert_array_equal(one.posterior.shares, other.posterior.shares)
    assert one.central == other.central


@pytest.mark.parametrize("moments", [MOMENTS, mixed_moments("A -> B -> C; A <-> C; D -> C", {"B": 3})])
def test_a_cluster_gives_the_same_answer(client: Client, moments: AnyMoments) -> None:
    settings: dict[str, Any] = {"n_restarts": 3, "n_rounds": 25, "random_state": 5}
    expected = hybrid_search(moments, **settings, n_jobs=2)
    shares: list[float] = []
    with joblib.parallel_config(backend="dask", client=client):
        assert on_cluster()
        found = hybrid_search(moments, **settings, progress=lambda share, words: shares.append(share))
    assert not on_cluster()
    same(found, expected)
    assert shares == sorted(shares)
    assert len(set(shares)) > 10


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_worker_that_is_killed_costs_only_its_own_turn(client: Client) -> None:
    settings: dict[str, Any] = {"n_restarts": 4, "n_rounds": 60, "random_state": 1}
    expected = hybrid_search(MOMENTS, **settings)
    before = set(client.run(os.getpid).values())
    left = list(before)[:1]

    def kill_one(share: float, words: str) -> None:
        if left and share > 0.3:
            os.kill(left.pop(), signal.SIGKILL)

    with joblib.parallel_config(backend="dask", client=client):
        found = hybrid_search(MOMENTS, **settings, progress=kill_one)
    assert left == []
    same(found, expected)
    erred = client.run_on_scheduler(lambda dask_scheduler: [t for t in dask_scheduler.tasks.values() if t.exception])
    assert erred == []


def test_a_time_budget_holds_there_too(client: Client) -> None:
    began = time.monotonic()
    with joblib.parallel_config(backend="dask", client=client):
        found = hybrid_search(MOMENTS, n_restarts=3, n_rounds=1_000_000, time_budget=4.0, random_state=0)
        none = hybrid_search(MOMENTS, n_restarts=3, time_budget=1e-9, random_state=0)
    assert found.status is SearchStatus.TIME_BUDGET
    assert found.posterior.sampled
    assert time.monotonic() - began < 60.0
    assert len(none.runs) == 1


def test_an_interrupt_keeps_the_best_so_far(client: Client) -> None:
    def interrupt(share: float, words: str) -> None:
        if share > 0.2:
            raise KeyboardInterrupt

    with joblib.parallel_config(backend="dask", client=client):
        found = hybrid_search(MOMENTS, n_restarts=3, n_rounds=30, random_state=0, progress=interrupt)
    assert found.status is SearchStatus.INTERRUPTED
    assert found.admg.is_bow_free()


def test_a_chain_goes_on_where_it_was_after_it_was_sent() -> None:
    d = MOMENTS.n_variables
    here = ReinsertionChain(MOMENTS, "arid", np.random.default_rng(2), all_edges_allowed(d), criterion="marginal")
    here.run(5)
    there = pickle.loads(pickle.dumps(here))
    for chain in (here, there):
        chain.run(20)
        chain.walk(None, 30)
        chain.walk(next(chain.graphs())[0], 30)
        chain.polish(10)
    assert here.best_scores == there.best_scores
    assert list(here.graphs()) == list(there.graphs())
    np.testing.assert_array_equal(here.walks[0][0], there.walks[0][0])
