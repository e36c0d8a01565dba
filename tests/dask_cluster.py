"""A real Dask cluster of processes on this machine, on loopback only and on free ports, so that two do not collide."""

from __future__ import annotations

import logging

from distributed import LocalCluster


def local_cluster(n_workers: int, threads_per_worker: int = 1) -> LocalCluster:
    """Start a cluster, to be closed by ``with``; closing ends all its processes."""
    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=threads_per_worker,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
