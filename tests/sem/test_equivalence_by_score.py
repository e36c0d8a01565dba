"""What must be shown, part 3: exact arithmetic and exhaustive BIC find the same equivalence classes."""

from __future__ import annotations

import numpy as np

from lurking import ADMG, Moments
from lurking.graphs import equivalence_class
from lurking.sem import ricf
from oracles.graph_parts import bow_free_graphs

NAMES = list("ABCD")


def test_grouping_all_four_variable_graphs_by_bic_on_a_generic_covariance() -> None:
    """Shpitser et al. (2014): graphs with the same score on data that fit none of them form a class."""
    rows = np.random.default_rng(1).normal(size=(12, 4))
    moments = Moments(np.cov(rows.T, bias=True), 1000, NAMES)
    graphs = [ADMG(NAMES, *graph.to_matrices()) for graph in bow_free_graphs(4)]
    fits = [(fit.bic, graph) for graph in graphs for fit in [ricf(moments, graph)] if fit.converged]
    assert len(fits) == len(graphs) == 3608
    fits.sort(key=lambda entry: entry[0])
    scores = np.array([bic for bic, _ in fits])
    gaps = np.diff(scores)
    assert not ((gaps > 1e-9) & (gaps < 1e-5)).any()  # equal or different, nothing between
    group = np.concatenate([[0], np.cumsum(gaps > 1e-7)])
    by_score: dict[int, set[ADMG]] = {}
    for number, (_, graph) in zip(group.tolist(), fits, strict=True):
        by_score.setdefault(number, set()).add(graph)
    assert len(by_score) == 368
    for found in by_score.values():
        assert set(equivalence_class(next(iter(found)))) == found
