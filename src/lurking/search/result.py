"""What a search found, and how sure it can be of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.search.differentiable import DCDStatus, DifferentiableResult
from lurking.search.posterior import Posterior, weigh

__all__ = ["Candidate", "Run", "SearchResult", "SearchStatus"]


class SearchStatus(Enum):
    """How a search ended; ``status.message`` says what to do next."""

    COMPLETE = (
        "The search ran to its end; unless it tried all graphs, raise n_restarts to be more certain of the optimum."
    )
    TIME_BUDGET = (
        "The search stopped at its time budget with the best graph so far; allow more time to be more certain."
    )
    INTERRUPTED = "The search was interrupted and returns the best graph so far; let it run on to be more certain."

    @property
    def message(self) -> str:
        """What the status means and what to do next."""
        return self.value


@dataclass(frozen=True)
class Candidate:
    """A graph that a search met.

    Attributes
    ----------
    admg : ADMG
        The graph.
    score : float
        Its score; smaller is better.
    met : int
        How many rounds of all runs ended in it since the scores last changed; 1 if the search does not count.
    """

    admg: ADMG
    score: float
    met: int


@dataclass(frozen=True)
class Run:
    """One run of the search.

    Attributes
    ----------
    start : str
        Where it started.
    score : float
        The best score that it found on its own.
    lowest : tuple of float
        The best score so far after each round; runs of the hybrid join at the best graph after two thirds.
    detail : DifferentiableResult or None
        All that a run of the paper's solver recorded.
    """

    start: str
    score: float
    lowest: tuple[float, ...]
    detail: DifferentiableResult | None = None


@dataclass(frozen=True)
class SearchResult:
    """The best graph that a search found, the other good ones, and how it went.

    Attributes
    ----------
    candidates : tuple of Candidate
        The distinct graphs within ``window`` of the best score in which rounds of the search ended, or that were the
        best so far; best first. There may be others: each run keeps 256, and the exhaustive search 512.
    runs : tuple of Run
        The runs; those of the hybrid solver are independent for the first two thirds of their rounds.
    status : SearchStatus or DCDStatus
        How the search, or the best run of the paper's solver, ended.
    noise_centre : float or None
        With similar noise, the logarithm of the error variance around which the errors were assumed to be.
    counted : Posterior or None
        What the walks of the hybrid solver counted, or what the candidates of the exact one weigh; None for the paper's
        solver, and for a search that ended before its walks.
    """

    candidates: tuple[Candidate, ...]
    runs: tuple[Run, ...]
    status: SearchStatus | DCDStatus
    noise_centre: float | None = None
    counted: Posterior | None = field(default=None, compare=False)

    @property
    def admg(self) -> ADMG:
        """The best graph."""
        return self.candidates[0].admg

    @property
    def score(self) -> float:
        """The best score."""
        return self.candidates[0].score

    @property
    def n_reached(self) -> int:
        """How many of the runs reached the best score on their own."""
        return sum(run.score <= self.score + 0.01 for run in self.runs)

    @cached_property
    def posterior(self) -> Posterior:
        """What all good graphs together say of each edge; if none were counted, what the candidates say."""
        return self.counted or weigh((candidate.admg, candidate.score) for candidate in self.candidates)

    @property
    def weights(self) -> FloatArray:
        """Posterior probabilities of the edges: ``weights[i, j]`` of none, i -> j, j -> i, i <-> j."""
        return self.posterior.weights

    @property
    def consensus(self) -> ADMG:
        """The graph that agrees best with all good graphs on what is adjacent (:mod:`lurking.search.posterior`)."""
        return self.posterior.consensus
