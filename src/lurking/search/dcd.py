"""The paper's solver with its restarts: continuous optimisation from several random starts, compared by exact BIC.

One run is :func:`lurking.search.differentiable.differentiable_discovery`. The graphs that the runs end in are fitted
exactly, and the one with the best BIC is the answer, as in section 6 of Bhattacharya et al. (2021).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from lurking._parameters import check_choice, check_count, check_n_jobs
from lurking._progress import Progress, silent
from lurking._random import children
from lurking._typing import GraphClass, RandomState
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.graphs.classes import CLASSES
from lurking.graphs.edge_kinds import NO_EDGE, edge_of, set_edge
from lurking.search.allowed_edges import all_edges_allowed, allowed_arrows, allowed_lines, demanded_graph, reordered
from lurking.search.candidates import exact_candidates
from lurking.search.differentiable import DifferentiableResult, differentiable_discovery
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.kernels.climb import AllowedEdges
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.search.posterior import weigh
from lurking.search.result import Candidate, Run, SearchResult
from lurking.sem.criterion import bic

__all__ = ["dcd_search"]


def dcd_search(
    moments: Moments,
    graph_class: GraphClass = "bow-free",
    hyperparameters: DCDHyperparameters | None = None,
    *,
    n_restarts: int = 5,
    allowed_edges: AllowedEdges | None = None,
    window: float = 10.0,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: Progress = silent,
) -> SearchResult:
    """Search by the paper's procedure from several random starts.

    Parameters
    ----------
    moments : Moments
        The data, in units that the method depends on.
    graph_class : {"ancestral", "arid", "bow-free"}
        The class to search in.
    hyperparameters : DCDHyperparameters, optional
        By default the paper's.

    Other Parameters
    ----------------
    n_restarts : int, default 5
        The number of random starts.
    allowed_edges : ndarray of shape (d, d, 4), optional
        Which of the edges none, i -> j, j -> i, i <-> j the pair i < j may have. Edges that are demanded are put into
        the final graph of each run before its own.
    window : float, default 10
        Graphs with a BIC up to this above the best one are returned too.
    random_state : int, Generator or None
        The seed.
    n_jobs : int, optional
        The number of runs at the same time; it does not change the answer.
    progress : callable
        Told the share that is done.

    Returns
    -------
    result : SearchResult
        Its status is that of the best run, and each run carries its trace in ``detail``.
    """
    check_choice("graph_class", graph_class, tuple(CLASSES), "dcd_search")
    check_count("n_restarts", n_restarts, owner="dcd_search")
    check_n_jobs(n_jobs, "dcd_search")
    order = sorted(range(moments.n_variables), key=lambda i: moments.names[i])
    data = moments.reorder([moments.names[i] for i in order])
    mask = all_edges_allowed(len(order)) if allowed_edges is None else reordered(allowed_edges, order)
    directed, bidirected = allowed_arrows(mask), allowed_lines(mask)
    done = 0

    def run(rng: np.random.Generator) -> DifferentiableResult:
        nonlocal done
        result = differentiable_discovery(
            data,
            graph_class,
            hyperparameters,
            random_state=rng,
            directed_allowed=directed,
            bidirected_allowed=bidirected,
        )
        done += 1
        progress(done / n_restarts, "optimising")
        return result

    seeds = children(random_state, n_restarts)
    import joblib

    results = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(joblib.delayed(run)(rng) for rng in seeds)
    graphs = [_with_demanded_edges(result, mask) for result in results]
    candidates, _ = exact_candidates(data, Counter(graphs).items(), None, np.inf)
    scores = {candidate.admg: candidate.score for candidate in candidates}
    best = graphs.index(candidates[0].admg)
    runs = tuple(
        Run("random parameters", scores[graph], (scores[graph],), result)
        for graph, result in zip(graphs, results, strict=True)
    )
    near = tuple(
        Candidate(candidate.admg.subgraph(moments.names), candidate.score, candidate.visits)
        for candidate in candidates
        if candidate.score <= candidates[0].score + window
    )
    posterior = weigh([(one.admg, one.score) for one in near], bic(data.n_samples, data.n_variables).posterior_price)
    return SearchResult(near, runs, results[best].status, posterior)


def _with_demanded_edges(result: DifferentiableResult, mask: AllowedEdges) -> ADMG:
    """Return the graph of a run; where other edges are demanded, these come first and the rest as the class permits."""
    if mask[np.triu_indices(len(mask), 1)][:, NO_EDGE].all():
        return result.admg
    names, code = result.admg.names, CLASS_CODE[result.graph_class]
    found = result.admg.directed.astype(np.uint8), result.admg.bidirected.astype(np.uint8)
    strength = np.abs(result.coef) + np.abs(result.coef).T + np.abs(result.error_cov)
    graph = demanded_graph(mask, names, result.graph_class)
    for i, j in sorted(combinations(range(len(names)), 2), key=lambda pair: -strength[pair]):
        edge = edge_of(*found, i, j)
        if mask[i, j, edge] and may_set(*graph, i, j, edge, code):
            set_edge(*graph, i, j, edge)
    return ADMG(names, graph[0].astype(bool), graph[1].astype(bool))
