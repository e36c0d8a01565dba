"""What a search found, and how sure it can be of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.search.differentiable import DCDStatus, DifferentiableResult

__all__ = ["Candidate", "Run", "SearchResult", "SearchStatus", "edge_weights"]

_CONSENSUS_TEMPERATURE = 6.0
_ROOM_PER_VARIABLE = 0.5  # that the consensus may be above the best score: with more variables more is undecided
_SAME_SCORE = 1e-3  # equivalent graphs agree far better than this, others hardly ever do


class SearchStatus(Enum):
    """How a search ended; ``status.message`` says what to do next."""

    COMPLETE = "The search ran to its end; to be more certain of the optimum, raise n_restarts."
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
        The best score so far after each round; runs of the hybrid join at the best graph after half of the rounds.
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
        The distinct graphs within ``window`` of the best score that the search met, best first. There may be others:
        each run keeps 256, and the exhaustive search 512.
    runs : tuple of Run
        The runs; those of the hybrid solver are independent for the first half of their rounds.
    status : SearchStatus or DCDStatus
        How the search, or the best run of the paper's solver, ended.
    noise_centre : float or None
        With similar noise, the logarithm of the error variance around which the errors were assumed to be.
    """

    candidates: tuple[Candidate, ...]
    runs: tuple[Run, ...]
    status: SearchStatus | DCDStatus
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

    @cached_property
    def weights(self) -> FloatArray:
        """Weights of the edges, averaged over the candidates; see :func:`edge_weights`."""
        return edge_weights(self.candidates)

    @cached_property
    def consensus(self) -> ADMG:
        """The candidate whose adjacencies agree best with all candidates, and whose score is nearly the best.

        Small differences of the score do not decide between two graphs, and with many variables there are many such
        pairs. Among the graphs within half a point for each variable, this one is the best guess at the adjacencies. Of
        several with the same adjacencies it is the one with the best score. It is inside the class, as they all are.

        Candidates count by :func:`edge_weights` with temperature 6: a posterior (2) trusts the lowest valley too much.
        """
        absent = edge_weights(self.candidates, _CONSENSUS_TEMPERATURE)[:, :, 0]
        highest = self.score + _ROOM_PER_VARIABLE * len(self.admg)
        return max(
            (candidate.admg for candidate in self.candidates if candidate.score <= highest),
            key=lambda admg: round(float(np.where(admg.skeleton, 1.0 - absent, absent).sum()), 9),
        )


def edge_weights(candidates: tuple[Candidate, ...], temperature: float = 2.0) -> FloatArray:
    """Average the edges of graphs with weights exp(-score / temperature), shared by the graphs of the same model.

    Equivalent graphs have the same score. They are one explanation of the data, however many of them a search met, so
    they share one weight; otherwise models with many graphs, the dense ones, would count many times.

    Parameters
    ----------
    candidates : tuple of Candidate
        The graphs with their scores.
    temperature : float, default 2
        2 makes the weights those of an approximate posterior over the candidates. A search keeps one graph of each
        valley, not the many around it, so a higher temperature can do more justice to the valleys.

    Returns
    -------
    weights : ndarray of shape (d, d, 4)
        ``weights[i, j]`` are the weights of: no edge, i -> j, j -> i, i <-> j; they sum to 1.

    Examples
    --------
    >>> candidates = Candidate(ADMG.parse("A -> B"), 10.0, 1), Candidate(ADMG.parse("A <-> B"), 10.0, 1)
    >>> edge_weights(candidates)[0, 1]
    array([0. , 0.5, 0. , 0.5])
    """
    scores = np.array([candidate.score for candidate in candidates])
    share = np.exp(-(scores - scores.min()) / temperature) / _sizes_of_ties(scores)
    share /= share.sum()
    names = candidates[0].admg.names
    d = len(names)
    weights = np.zeros((d, d, 4))
    for candidate, weight in zip(candidates, share, strict=True):
        graph = candidate.admg
        weights[:, :, 1] += weight * graph.directed
        weights[:, :, 2] += weight * graph.directed.T
        weights[:, :, 3] += weight * graph.bidirected
        weights[:, :, 0] += weight * ~graph.skeleton
    return weights


def _sizes_of_ties(scores: FloatArray) -> FloatArray:
    """Return for each score how many scores are the same, up to the precision of a fit."""
    order = np.argsort(scores)
    tie = np.empty(len(scores), dtype=np.intp)
    tie[order] = np.concatenate([[0], np.cumsum(np.diff(scores[order]) > _SAME_SCORE)])
    sizes: FloatArray = np.bincount(tie)[tie].astype(float)
    return sizes
