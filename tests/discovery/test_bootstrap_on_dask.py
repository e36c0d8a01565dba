"""The bootstrap on a real Dask cluster on this machine, two of whose processes are killed while it runs."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import joblib
import pytest
from distributed import Client

from dask_cluster import local_cluster
from lurking import bootstrap, simulate_admg

DATA = simulate_admg(5, 300, random_state=2).data

# the garbage collector, not Dask, closes the socket of a worker that was killed
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


@pytest.fixture
def client() -> Iterator[Client]:
    with local_cluster(2) as cluster, Client(cluster) as client:
        yield client


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_lost_workers_lose_nothing(client: Client) -> None:
    expected = bootstrap({"n_restarts": 1}, DATA, n_replicates=16, random_state=1, n_jobs=1)
    left = list(client.run(os.getpid).values())
    assert len(left) == 2

    def kill_one_by_one(share: float, doing: str) -> None:
        if left and share >= (0.6 if len(left) == 1 else 0.2):
            os.kill(left.pop(), signal.SIGKILL)

    with joblib.parallel_config(backend="dask"):
        found = bootstrap({"n_restarts": 1}, DATA, n_replicates=16, random_state=1, progress=kill_one_by_one)
    assert left == []
    assert found.replicates == expected.replicates
    assert len(set(found.replicates)) > 1


def test_restarts_stay_on_their_worker_and_the_table_at_home(client: Client) -> None:
    """The paper's solver runs its restarts through joblib too; inside a replicate they must not become new tasks."""
    client.wait_for_workers(2, timeout=60)  # with one alone, joblib would do the work here
    model = {"solver": "dcd", "n_restarts": 3}
    expected = bootstrap(model, DATA, n_replicates=2, random_state=1)
    before = tasks_seen(client)
    with joblib.parallel_config(backend="dask"):
        assert bootstrap(model, DATA, n_replicates=2, random_state=1).replicates == expected.replicates
    # a table that was sent ahead would be a key of its own, and lost with the only worker that holds it
    assert {task.rsplit("-", 1)[0] for task in tasks_seen(client) - before} == {"batch_of__search_1_calls"}


def tasks_seen(client: Client) -> set[str]:
    """The keys of everything that the scheduler was ever asked to compute or hold."""
    found: set[str] = client.run_on_scheduler(
        lambda dask_scheduler: {str(entry[0]) for entry in dask_scheduler.transition_log}
    )
    return found
