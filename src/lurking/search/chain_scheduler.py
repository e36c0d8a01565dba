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
from dataclasses import dataclass
from threading import Timer
from typing import Protocol

import numpy as np

from lurking._progress import Progress
from lurking.graphs import ADMG
from lurking.search.kernels.climb import Stop
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.status import SearchStatus

__all__ = ["ChainScheduler", "MakeChain", "Turn", "stop_after"]

MakeChain = Callable[[Stop], ReinsertionChain]
"""Makes a chain, given the flag that stops it."""

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


class Turn(Protocol):
    """What a chain does in its turn, a slice at a time."""

    starts_chains: bool
    """Whether a chain that has not started is started for it; otherwise it is left out."""

    def __call__(self, chain: ReinsertionChain) -> bool:
        """Do a slice of it; tell if there is more to do."""


@dataclass
class Rounds:
    """Bring a chain to so many rounds of re-insertion."""

    rounds: int
    starts_chains: bool = True

    def __call__(self, chain: ReinsertionChain) -> bool:
        """Run a slice of rounds."""
        left = self.rounds - len(chain.best_scores)
        if left > 0:
            chain.run(min(_SLICE, left))
        return len(chain.best_scores) < self.rounds


@dataclass
class Walks:
    """Walk from some graphs, one after the other; None is the best graph of the chain, and such a walk is not kept."""

    starts: Sequence[ADMG | None]
    n_sweeps: int
    starts_chains: bool = False
    done: int = 0

    def __call__(self, chain: ReinsertionChain) -> bool:
        """Make one walk."""
        if self.done < len(self.starts):
            chain.walk(self.starts[self.done], self.n_sweeps)
            self.done += 1
        return self.done < len(self.starts)


@dataclass
class Polish:
    """Search around the best graph of a chain."""

    tabu_steps: int
    starts_chains: bool = False

    def __call__(self, chain: ReinsertionChain) -> bool:
        """Do all of it."""
        chain.polish(self.tabu_steps)
        return False


class ChainScheduler:
    """Chains that run in turn, slice by slice, in as many threads as there are workers.

    Parameters
    ----------
    chains : list of ReinsertionChain or None
        None for a chain that has not started.
    make : sequence of callable
        For each chain what makes it, given the flag that stops it.
    stop : ndarray of shape (1,)
        The flag; see :func:`stop_after`.
    ends : callable
        Returns when the part of the search that runs now has to end, on the clock of ``time.monotonic``.
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
        make: Sequence[MakeChain],
        stop: Stop,
        ends: Callable[[], float],
        n_workers: int,
        rounds: int,
        sweeps: int,
        progress: Progress,
    ) -> None:
        self._chains, self._make, self._stop, self._n_workers = chains, make, stop, n_workers
        self._ends, self._progress = ends, progress
        self._n_polished = 0
        # a start and a polish count as a slice each
        self._total = len(chains) * (rounds + 2 * _SLICE) + sweeps / _ROUND

    def run(self, rounds: int) -> SearchStatus:
        """Bring every chain to so many rounds, unless time is up or the user interrupts."""
        return self._in_turn([Rounds(rounds) for _ in self._chains])

    def explore(self, n_sweeps: int) -> SearchStatus:
        """Let every chain, all of which have started, walk from its best graph, with the same two exceptions."""
        return self.walk([None] * len(self._chains), n_sweeps)

    def walk(self, starts: Sequence[ADMG | None], n_sweeps: int) -> SearchStatus:
        """Let the chains, all of which have started, share walks from the given graphs, with the same two exceptions.

        None is the best graph of the chain whose turn it is; such a walk is not kept.
        """
        n = len(self._chains)
        return self._in_turn([Walks(starts[k::n], n_sweeps) for k in range(n)])

    def polish(self, tabu_steps: int) -> SearchStatus:
        """Let every chain, all of which have started, search around its best graph, with the same two exceptions."""
        status = self._in_turn([Polish(tabu_steps) for _ in self._chains])
        self._n_polished = len(self._chains)
        return status

    def _in_turn(self, turns: Sequence[Turn]) -> SearchStatus:
        """Let the chains take turns, until none says that it has more to do."""
        waiting = deque(range(len(self._chains)))
        running: dict[Future[bool], int] = {}
        with ThreadPoolExecutor(self._n_workers) as pool:
            try:
                while waiting or running:
                    while waiting and len(running) < self._n_workers and (not self._stop[0] or self._nothing(running)):
                        k = waiting.popleft()
                        running[pool.submit(self._take, k, turns[k])] = k
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

    def _take(self, k: int, turn: Turn) -> bool:
        """Start chain k, or let it do the next slice of its turn; tell if there is more to do."""
        chain = self._chains[k]
        if chain is not None:
            return turn(chain)
        if turn.starts_chains:
            self._chains[k] = self._make[k](self._stop)
        return turn.starts_chains

    def _nothing(self, running: dict[Future[bool], int]) -> bool:
        """Tell if no chain has started: however short the time, there has to be an answer."""
        return not running and all(chain is None for chain in self._chains)

    def _done(self) -> float:
        ready = [chain for chain in self._chains if chain is not None]
        ran = sum(_SLICE + len(chain.best_scores) + chain.n_sweeps / _ROUND for chain in ready)
        return ran + _SLICE * self._n_polished
