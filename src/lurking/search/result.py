"""What a search found, and how sure it can be of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.search.pag_posterior import PagPosterior, central_graph
from lurking.search.posterior import Posterior
from lurking.search.status import DCDStatus, SearchStatus

if TYPE_CHECKING:
    from lurking.search.differentiable import DifferentiableResult

__all__ = ["Candidate", "Run", "SearchResult"]


@dataclass(frozen=True)
class Candidate:
    """A graph that a search met.

    Attributes
    ----------
    admg : ADMG
        The graph.
    score : float
        Its score; smaller is better.
    visits : int
        How many rounds of all runs ended in it since the scores last changed; 1 if the search does not count.
    """

    admg: ADMG
    score: float
    visits: int


@dataclass(frozen=True)
class Run:
    """One run of the search.

    Attributes
    ----------
    start : str
        Where it started.
    score : float
        The best score that it found on its own.
    best_scores : tuple of float
        The best score so far after each round; runs of the hybrid join at the best graph after two thirds.
    detail : DifferentiableResult or None
        All that a run of the paper's solver recorded.
    """

    start: str
    score: float
    best_scores: tuple[float, ...]
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
    posterior : Posterior
        The posterior over graphs: what the walks of the hybrid solver sampled; for the other solvers, and for a search
        that ended before its walks, what the candidates weigh.
    """

    candidates: tuple[Candidate, ...]
    runs: tuple[Run, ...]
    status: SearchStatus | DCDStatus
    posterior: Posterior = field(compare=False)
    noise_centre: float | None = None

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

    @property
    def weights(self) -> FloatArray:
        """Posterior probabilities of the edges: ``weights[i, j]`` of none, i -> j, j -> i, i <-> j."""
        return self.posterior.weights

    @cached_property
    def _central(self) -> tuple[ADMG, PagPosterior]:
        return central_graph(self.posterior, (self.admg, self.posterior.consensus))

    @property
    def central(self) -> ADMG:
        """The graph whose PAG has the fewest wrong edges in expectation (:mod:`lurking.search.pag_posterior`)."""
        return self._central[0]

    @property
    def pag_posterior(self) -> PagPosterior:
        """Posterior probabilities of the edges and marks of the PAG."""
        return self._central[1]

    @property
    def consensus(self) -> ADMG:
        """The graph that agrees best with all good graphs on what is adjacent (:mod:`lurking.search.posterior`)."""
        return self.posterior.consensus
