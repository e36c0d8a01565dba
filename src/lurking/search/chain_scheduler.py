"""Chains that run side by side until they are done, time is up, or the user interrupts.

A time budget must hold however long a round takes. So the clock is not looked at between rounds: a timer, another
thread, sets a flag when the time is up, and the compiled loops look at the flag after every move, walks after every
sweep. An interrupt from the keyboard sets the same flag.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Timer

import numpy as np

from lurking._progress import Progress
from lurking.graphs import ADMG
from lurking.search.kernels.climb import Stop
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.status import SearchStatus

__all__ = ["ChainScheduler", "stop_after"]

_ROUND = 30  # sweeps that take about as long as a round
_SLICE = 10  # rounds until the next chain has its turn and progress is told


@contextmanager
def stop_after(deadline: float, stop: Stop) -> Iterator[None]:
    """Set ``stop`` when the time is up: the compiled loops look at it after every move."""

    def ring() -> None:
        stop[0] = 1

    if deadline == np.inf:
        yield
        return
    timer = Timer(max(0.0, deadline - time.monotonic()), ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class ChainScheduler:
    """Chains that run in turn, slice by slice, in as many threads as there are workers.

    Parameters
    ----------
    chains : list of ReinsertionChain or None
        None for a chain that has not started.
    start : callable
        Puts the chain with a given number into the list.
    stop : ndarray of shape (1,)
        The flag; see :func:`stop_after`.
    n_workers : int
        The number of threads.
    rounds, sweeps : int
        How many rounds each chain, and how many sweeps all of them, will have made in the end, for the progress.
    progress : callable
        Told the share that is done.
    """

    def __init__(
        self,
        chains: list[ReinsertionChain | None],
        start: Callable[[int], None],
        stop: Stop,
        n_workers: int,
        rounds: int,
        sweeps: int,
        progress: Progress,
    ) -> None:
        self._chains, self._start, self._stop, self._n_workers = chains, start, stop, n_workers
        self._progress = progress
        self._polished: set[int] = set()  # threads add to it, and a set loses none
        # a start and a polish count as a slice each
        self._total = len(chains) * (rounds + 2 * _SLICE) + sweeps / _ROUND

    def run(self, rounds: int) -> SearchStatus:
        """Bring every chain to so many rounds, unless time is up or the user interrupts."""
        return self._in_turn(lambda k: self._advance(k, rounds))

    def explore(self, n_sweeps: int) -> SearchStatus:
        """Let every chain, all of which have started, walk from its best graph, with the same two exceptions."""
        return self.walk([None] * len(self._chains), n_sweeps)

    def walk(self, starts: Sequence[ADMG | None], n_sweeps: int) -> SearchStatus:
        """Let the chains, all of which have started, share walks from the given graphs, with the same two exceptions.

        None is the best graph of the chain whose turn it is; such a walk is not kept.
        """
        waiting = [deque(starts[k :: len(self._chains)]) for k in range(len(self._chains))]
        return self._in_turn(lambda k: self._walk(k, waiting[k], n_sweeps))

    def polish(self, tabu_steps: int) -> SearchStatus:
        """Let every chain, all of which have started, search around its best graph, with the same two exceptions."""
        return self._in_turn(lambda k: self._polish(k, tabu_steps))

    def _in_turn(self, take_turn: Callable[[int], bool]) -> SearchStatus:
        """Let the chains take turns, until none says that it has more to do."""
        waiting = deque(range(len(self._chains)))
        running: dict[Future[bool], int] = {}
        with ThreadPoolExecutor(self._n_workers) as pool:
            try:
                while waiting or running:
                    while waiting and len(running) < self._n_workers and (not self._stop[0] or self._nothing(running)):
                        k = waiting.popleft()
                        running[pool.submit(take_turn, k)] = k
                    if not running:
                        return SearchStatus.TIME_BUDGET
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        k = running.pop(future)
                        if future.result():
                            waiting.append(k)
                    self._progress(self._done() / self._total, "searching")
            except KeyboardInterrupt:
                self._stop[0] = 1
                wait(running)
                if self._nothing({}):
                    raise
                return SearchStatus.INTERRUPTED
        return SearchStatus.COMPLETE

    def _advance(self, k: int, rounds: int) -> bool:
        """Start chain k, or run its next slice; tell if there is more to do."""
        chain = self._chains[k]
        if chain is None:
            self._start(k)
            return rounds > 0
        chain.run(min(_SLICE, rounds - len(chain.best_scores)))
        return len(chain.best_scores) < rounds

    def _walk(self, k: int, starts: deque[ADMG | None], n_sweeps: int) -> bool:
        chain = self._chains[k]
        if chain is not None and starts:
            chain.walk(starts.popleft(), n_sweeps)
        return len(starts) > 0

    def _polish(self, k: int, tabu_steps: int) -> bool:
        chain = self._chains[k]
        if chain is not None:
            chain.polish(tabu_steps)
        self._polished.add(k)
        return False

    def _nothing(self, running: dict[Future[bool], int]) -> bool:
        """Tell if no chain has started: however short the time, there has to be an answer."""
        return not running and all(chain is None for chain in self._chains)

    def _done(self) -> float:
        ready = [chain for chain in self._chains if chain is not None]
        ran = sum(_SLICE + len(chain.best_scores) + chain.n_sweeps / _ROUND for chain in ready)
        return ran + _SLICE * len(self._polished)
