"""Chains that take their turns on a cluster, through the joblib backend that the caller has chosen.

A turn (:mod:`lurking.search.chain_scheduler`) depends on nothing but its chain: the data, the random numbers and
everything that the chain has met are in it. So a chain is sent to a worker, takes its turn there, and comes back. The
answer is the one of a search in threads. If a worker is lost, the turn is taken once more on another one, from the
chain as it was sent; the turns of other workers are not touched. A chain is about 14 megabytes, most of it the table of
districts, and is sent once for each of the five or six parts of a search.

>>> on_cluster()
False

With a Dask cluster, lurking installed on every worker::

    from distributed import Client

    with Client("tcp://scheduler:8786"), joblib.parallel_config(backend="dask"):
        model.fit(table)

The clock of a worker may differ from the clock here, which matters only for a time budget: a turn ends when its worker
thinks that the time is up.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence

import joblib
import numpy as np
from joblib.parallel import LokyBackend, MultiprocessingBackend, SequentialBackend, ThreadingBackend, get_active_backend

from lurking._parallel import left_quietly
from lurking.search.chain_scheduler import ChainScheduler, MakeChain, Turn, stop_after
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.status import SearchStatus

__all__ = ["ClusterScheduler", "on_cluster"]

_OF_THIS_MACHINE = (LokyBackend, MultiprocessingBackend, SequentialBackend, ThreadingBackend)


def on_cluster() -> bool:
    """Tell whether the caller has chosen a joblib backend that is not one of this machine."""
    return not isinstance(get_active_backend()[0], _OF_THIS_MACHINE)


class ClusterScheduler(ChainScheduler):
    """Chains whose turns are taken by the workers of a cluster; parameters as of :class:`ChainScheduler`."""

    def _in_turn(self, turns: Sequence[Turn]) -> SearchStatus:
        """Let all chains take their turns; one whose turn was not finished stays as it was."""
        deadline = self._ends()
        ends = time.time() + (deadline - time.monotonic())
        parallel = joblib.Parallel(n_jobs=-1, return_as="generator", pre_dispatch="all", batch_size=1)
        taking = [k for k, turn in enumerate(turns) if self._chains[k] is not None or turn.starts_chains]
        nothing_yet = all(chain is None for chain in self._chains)
        tasks = [
            joblib.delayed(_taken)(
                self._chains[k], self._make[k], turns[k], ends, must_start=nothing_yet and k == taking[0]
            )
            for k in taking
        ]
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
                with left_quietly(parallel(tasks)) as results:
                    for k, chain in zip(taking, results, strict=True):
                        if chain is not None:
                            chain.stop_with(self._stop)
                        self._chains[k] = chain
                        self._progress(self._done() / self._total, "searching")
        except KeyboardInterrupt:
            if all(chain is None for chain in self._chains):
                raise
            return SearchStatus.INTERRUPTED
        return SearchStatus.TIME_BUDGET if time.monotonic() > deadline else SearchStatus.COMPLETE


def _taken(
    chain: ReinsertionChain | None, make: MakeChain, turn: Turn, ends: float, *, must_start: bool
) -> ReinsertionChain | None:
    """Take the turn of a chain, or of one that is made here, until the clock says that the time is up."""
    stop = np.zeros(1, dtype=np.uint8)
    if chain is None and time.time() > ends and not must_start:
        return None
    with stop_after(time.monotonic() + (ends - time.time()), stop):
        if chain is None:
            chain = make(stop)
        chain.stop_with(stop)
        while not stop[0] and turn(chain):
            pass
    return chain
