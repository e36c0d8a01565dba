"""The last judgement: graphs that a search met are scored once more, exactly and from a cold start.

During a search a fit starts at the parameters of a neighbouring graph and stops early. What is reported must not
depend on the way there, so the final scores come from the same start as :func:`lurking.sem.ricf`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from math import inf

from numpy import uint8
from numpy.typing import NDArray

from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.search.result import Candidate
from lurking.sem import DistrictScore
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED

__all__ = ["exact_candidates", "graph_of"]

_TOLERANCE = 1e-7


def graph_of(edges: NDArray[uint8], names: tuple[str, ...]) -> ADMG:
    """Return the graph whose pairs i < j have the given edges."""
    bidirected = edges == BIDIRECTED
    return ADMG(names, (edges == ARROW_ON) | (edges == ARROW_BACK).T, bidirected | bidirected.T)


def exact_candidates(
    moments: Moments,
    met: Iterable[tuple[ADMG, int]],
    noise_spread: float | None,
    window: float,
    deadline: float = inf,
) -> tuple[tuple[Candidate, ...], float]:
    """Score graphs exactly; return those within ``window`` of the best, best first, and its centre of similar noise.

    Equal scores (to four digits) are put in the order of the graphs' texts. After the ``deadline``, on the clock of
    :func:`time.monotonic`, no further graph is scored; the first one always is.
    """
    score = DistrictScore(moments, tolerance=_TOLERANCE)
    candidates: list[Candidate] = []
    for graph, times in met:
        candidates.append(Candidate(graph, _profiled(score, graph, noise_spread), times))
        if time.monotonic() > deadline:
            break
    candidates.sort(key=lambda candidate: (round(candidate.score, 4), str(candidate.admg)))
    best = candidates[0]
    _profiled(score, best.admg, noise_spread)
    return tuple(c for c in candidates if c.score <= best.score + window), score.noise_centre


def _profiled(score: DistrictScore, graph: ADMG, noise_spread: float | None) -> float:
    """Return the score of a graph; with similar noise, minimised over the centre."""
    if noise_spread is None:
        return score.score(graph)
    for _ in range(50):
        centre = score.log_own_variances(graph)[0] / len(graph)
        if abs(centre - score.noise_centre) < 1e-6:
            break
        score.assume_similar_noise(centre, noise_spread)
    return score.score(graph)
