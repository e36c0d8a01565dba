"""Final rescoring: graphs that a search met are scored once more, exactly.

During a search a fit starts at the parameters of a neighbouring graph and stops early. What is reported must not
depend on the way there, so the final scores come from the same start as :func:`lurking.sem.ricf`. With similar noise a
fit has many local optima, and that start may miss what the search had found; so there is a second one, where the search
ended, and the better of the two counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

from lurking._progress import Progress, silent
from lurking.data import AnyMoments
from lurking.graphs import ADMG
from lurking.search.result import Candidate
from lurking.search.ties import SCORE_DIGITS
from lurking.sem import Criterion, DistrictScore
from lurking.sem.kernels.score_state import ScoredGraph

__all__ = ["EndOfSearch", "exact_candidates"]

_TOLERANCE = 1e-7


class EndOfSearch(NamedTuple):
    """Where a search with similar noise ended: its best graph, fitted, if it has one, and the centre of the noise."""

    graph: ScoredGraph | None
    noise_centre: float


def exact_candidates(
    moments: AnyMoments,
    met: Iterable[tuple[ADMG, int]],
    noise_spread: float | None,
    window: float,
    deadline: float = inf,
    best_met: EndOfSearch | None = None,
    known: Mapping[ADMG, float] | None = None,
    progress: Progress = silent,
    criterion: str | Criterion = "bic",
) -> tuple[tuple[Candidate, ...], float]:
    """Score graphs exactly; return those within ``window`` of the best, best first, and its centre of similar noise.

    With similar noise each score is minimised over the centre. There may be several minima
    (:mod:`lurking.search.similar_noise`): one is entered at the centre that a graph has without the assumption, one at
    that of ``best_met``. Equal scores (to four digits) are put in the order of the graphs' texts. After the
    ``deadline``, on the clock of ``time.monotonic``, no further graph is scored, but the first one always is; the
    others then keep the scores by which they are ``known`` to the search. ``progress`` hears of every graph, which is
    where Ctrl-C is noticed.
    """
    starts = [None] if best_met is None else [None, best_met]
    scores = [
        DistrictScore(moments, criterion=criterion, tolerance=_TOLERANCE) for _ in starts
    ]  # each remembers fits of its own start

    def rescored(graph: ADMG) -> tuple[float, float]:
        if noise_spread is None:
            return scores[0].score(graph), 0.0
        return min(_profiled(score, graph, noise_spread, start) for score, start in zip(scores, starts, strict=True))

    candidates: list[Candidate] = []
    met = list(met)
    for k, (graph, times) in enumerate(met):
        progress(k / len(met), "scoring the good graphs")
        if not candidates or time.monotonic() <= deadline:
            candidates.append(Candidate(graph, rescored(graph)[0], times))
        elif known is not None:
            candidates.append(Candidate(graph, known[graph], times))
    progress(1.0, "scoring the good graphs")
    candidates.sort(key=lambda candidate: (round(candidate.score, SCORE_DIGITS), str(candidate.admg)))
    best = candidates[0]
    return tuple(c for c in candidates if c.score <= best.score + window), rescored(best.admg)[1]


def _profiled(score: DistrictScore, graph: ADMG, noise_spread: float, start: EndOfSearch | None) -> tuple[float, float]:
    """Return the score of a graph with similar noise, minimised over the centre, and that centre."""
    if start is None:
        near = None
        score.assume_similar_noise(0.0, inf)  # nothing
    else:
        near = start.graph
        score.assume_similar_noise(start.noise_centre, noise_spread)
    for _ in range(50):
        centre = score.log_own_variances(graph, near)[0] / len(graph)
        if abs(centre - score.noise_centre) < 1e-6:
            break
        score.assume_similar_noise(centre, noise_spread)
    return score.score(graph, near), score.noise_centre
