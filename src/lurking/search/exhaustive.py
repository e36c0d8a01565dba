"""The best of all graphs, for up to five variables.

There are 3608 bow-free graphs on four labelled variables, of which 3560 are arid and 2504 ancestral, and about half a
million on five. Their scores are sums over districts, and all graphs together have far fewer districts than there are
graphs, so most scores come from the cache. The result is the optimum, and the reference for the other
solvers.
"""

from __future__ import annotations

from collections import deque
from itertools import combinations, product

import numpy as np

from lurking._errors import ParameterError
from lurking._parameters import check_choice
from lurking._progress import Progress, silent
from lurking._typing import GraphClass
from lurking._wording import setting
from lurking.data import AnyMoments
from lurking.graphs import ADMG
from lurking.graphs.classes import CLASSES
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.candidates import EndOfSearch, exact_candidates
from lurking.search.edge_codes import graph_of
from lurking.search.kernels.climb import AllowedEdges
from lurking.search.kernels.enumeration import enumerate_graphs
from lurking.search.kernels.moves import CLASS_CODE
from lurking.search.kernels.pool import new_pool
from lurking.search.posterior import weigh
from lurking.search.result import Run, SearchResult
from lurking.search.similar_noise import possible_centres, without_groups
from lurking.search.status import SearchStatus
from lurking.sem import Criterion, DistrictScore

__all__ = ["MOST_VARIABLES", "exhaustive_search"]

MOST_VARIABLES = 5
_POOL_SIZE = 512
_N_CENTRES = 5
_MOST_PASSES = 25
_PIECES = 3  # pairs whose edges are fixed for one piece of the work


def exhaustive_search(
    moments: AnyMoments,
    graph_class: GraphClass = "bow-free",
    *,
    criterion: str | Criterion = "marginal",
    noise_spread: float | None = None,
    allowed_edges: AllowedEdges | None = None,
    window: float = 10.0,
    progress: Progress = silent,
) -> SearchResult:
    """Score every graph of a class and return the best ones.

    Parameters
    ----------
    moments : Moments
        The data, on at most five variables.
    graph_class : {"ancestral", "arid", "bow-free"}
        The class.

    Other Parameters
    ----------------
    criterion : str or Criterion, default "marginal"
        What graphs are scored by (:mod:`lurking.sem.criterion`).
    noise_spread : float, optional
        Assume similar noise, as in :func:`~lurking.search.hybrid.hybrid_search`. All graphs are scored with several
        centres, the good ones then each with its own best centre, and all once more with that of the best graph.
    allowed_edges : ndarray of shape (d, d, 4), optional
        Which of the edges none, i -> j, j -> i, i <-> j the pair i < j may have.
    window : float, default 10
        Graphs with a score up to this above the best one are returned too.
    progress : callable
        Told the share that is done.

    Returns
    -------
    result : SearchResult
    """
    d = moments.n_variables
    check_choice("graph_class", graph_class, tuple(CLASSES), "exhaustive_search")
    if d > MOST_VARIABLES:
        raise ParameterError(
            f"The exact solver takes at most {MOST_VARIABLES} variables, because there are too many graphs on more. "
            f"Got {d} instead; use " + setting("solver", "hybrid") + "."
        )
    mask = all_edges_allowed(d) if allowed_edges is None else allowed_edges
    score = DistrictScore(moments, criterion=criterion, tolerance=1e-6)
    pairs = np.array(list(combinations(range(d), 2)), dtype=np.int64).reshape(-1, 2)
    pieces = list(product(range(4), repeat=min(_PIECES, len(pairs))))
    graph = score.empty_graph()
    centres = deque([0.0] if noise_spread is None else possible_centres(without_groups(moments), _N_CENTRES).tolist())
    passes = 1 if noise_spread is None else len(centres) + 2  # the last ones with the centre of the best graph
    met: dict[ADMG, int] = {}
    for done in range(_MOST_PASSES):
        if noise_spread is not None:
            score.assume_similar_noise(centres[0], noise_spread)
        last = centres.popleft()
        pool = new_pool(d, _POOL_SIZE)
        best_score = np.array([np.inf])
        for part, piece in enumerate(pieces):
            first = np.array(piece, dtype=np.int64)
            enumerate_graphs(score.state, graph, pool, mask, CLASS_CODE[graph_class], first, pairs, window, best_score)
            progress(min(1.0, (done + (part + 1) / len(pieces)) / passes), "scoring all graphs")
        met |= {graph_of(pool.edges[k], moments.names): 1 for k in np.flatnonzero(pool.score < np.inf)}
        if centres:
            continue
        best_met = None if noise_spread is None else EndOfSearch(None, last)
        candidates, centre = exact_candidates(
            moments, met.items(), noise_spread, window, criterion=score.criterion, best_met=best_met
        )
        if noise_spread is None or abs(centre - last) < 0.01:
            break
        centres.append(centre)  # once more, with the centre of the best graph itself
    progress(1.0, "scoring all graphs")
    run = Run("all graphs", candidates[0].score, (candidates[0].score,))
    posterior = weigh([(one.admg, one.score) for one in candidates], score.criterion.posterior_price)
    return SearchResult(candidates, (run,), SearchStatus.COMPLETE, posterior, None if noise_spread is None else centre)
