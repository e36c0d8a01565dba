r"""The posterior of the marks of the PAG, and the graph that agrees best with it.

The graph with the best score is one of very many that are nearly as good, and the marks of its PAG are those of one of
them. What a user acts on are single marks: is there an edge, is its end at Y an arrowhead. So each graph that was drawn
from the posterior is turned into its PAG, and the marks of all pairs are counted.

The *central graph* is the one, among those drawn and the best one, with the smallest expected number of pairs whose
edge in the PAG is wrong. It is the Bayes estimate for the distance by which estimates are usually judged, restricted to
graphs that exist: a PAG put together from the most probable edge of each pair may be the PAG of no graph.

Marks cost a conversion for each graph, so they are counted on a systematic sample: ``count`` graphs at equal distances
along the cumulated shares, the most probable ones first. Its error is below that of the walks it is taken from.

>>> graphs = [ADMG.parse(text) for text in ("A -> B <- C", "A -> B <-> C", "A -> B; C")]
>>> found = pag_posterior([(graphs[0], 0.4), (graphs[1], 0.3), (graphs[2], 0.3)])
>>> found.marks[0, 1].round(2)  # at B, on the edge A-B: none, circle, arrow, tail
array([0. , 0.3, 0.7, 0. ])
>>> found.agreement(graphs[2].to_pag())
1.6
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lurking._typing import FloatArray
from lurking.graphs import ADMG, PAG
from lurking.search.edge_codes import graph_of
from lurking.search.posterior import Posterior

__all__ = ["PagPosterior", "central_graph", "draw", "pag_posterior", "thinned"]

_MOST_DRAWS, _MOST_WORK = 400, 8000  # graphs, and graphs times variables, that are turned into PAGs


@dataclass(frozen=True, eq=False)
class PagPosterior:
    """Posterior probabilities of the edges of the PAG.

    Attributes
    ----------
    edges : ndarray of shape (d, d, 4, 4)
        ``edges[i, j, a, b]`` is the probability that the edge of i and j has the mark a at i and b at j, in the code of
        :class:`~lurking.graphs.Mark`; no edge is (0, 0).
    """

    edges: FloatArray

    @property
    def marks(self) -> FloatArray:
        """``marks[i, j]``: probabilities of none, circle, arrow and tail at j on the edge of i and j."""
        marks: FloatArray = self.edges.sum(axis=2)
        return marks

    def agreement(self, pag: PAG) -> float:
        """Return the expected number of pairs whose edge is the one that a PAG has."""
        i, j = np.triu_indices(len(pag.marks), 1)
        return float(self.edges[i, j, pag.marks[j, i], pag.marks[i, j]].sum())


def pag_posterior(graphs: Iterable[tuple[ADMG, float]]) -> PagPosterior:
    """Return the probabilities of the edges of the PAG, given graphs and their weights."""
    return _count([(admg.to_pag(), weight) for admg, weight in graphs])


def _count(pags: Sequence[tuple[PAG, float]]) -> PagPosterior:
    d = len(pags[0][0].marks)
    i, j = np.indices((d, d))
    edges = np.zeros((d, d, 4, 4))
    for pag, weight in pags:
        edges[i, j, pag.marks.T, pag.marks] += weight
    return PagPosterior(edges / sum(weight for _, weight in pags))


def draw(posterior: Posterior, count: int | None = None) -> list[tuple[ADMG, float]]:
    """Return a systematic sample of the posterior: distinct graphs and their weights, which sum to one.

    Parameters
    ----------
    posterior : Posterior
        What a search sampled.
    count : int, optional
        The number of draws; by default 400, fewer for more than 20 variables.
    """
    which, weights = _systematic(posterior, count)
    names = posterior.names
    return [(graph_of(posterior.codes[k], names), weight) for k, weight in zip(which, weights.tolist(), strict=True)]


def thinned(posterior: Posterior, count: int | None = None) -> Posterior:
    """Return the systematic sample of :func:`draw` as a posterior of its own."""
    which, weights = _systematic(posterior, count)
    order = np.lexsort((which, -np.round(weights, 12)))
    chosen = which[order]
    return replace(posterior, codes=posterior.codes[chosen], shares=weights[order])


def _systematic(posterior: Posterior, count: int | None) -> tuple[NDArray[np.intp], FloatArray]:
    """Return the numbers of the graphs drawn and their weights."""
    draws = max(50, min(_MOST_DRAWS, _MOST_WORK // max(1, len(posterior.names)))) if count is None else count
    reached = np.cumsum(posterior.shares)
    # a position that falls on a limit between two graphs must not be decided by rounding
    chosen = np.searchsorted(reached / reached[-1] + 1e-9, (np.arange(draws) + 0.5) / draws)
    which, times = np.unique(chosen, return_counts=True)
    return which, times / draws


def central_graph(posterior: Posterior, others: Sequence[ADMG] = ()) -> tuple[ADMG, PagPosterior]:
    """Return the graph whose PAG has the fewest wrong edges in expectation, and the posterior that says so.

    Parameters
    ----------
    posterior : Posterior
        What a search sampled.
    others : sequence of ADMG
        Graphs that may be the answer besides those drawn; of equally good ones the first of these is taken.
    """
    drawn = draw(posterior)
    pags = [(admg.to_pag(), weight) for admg, weight in drawn]
    marks = _count(pags)
    candidates = [*others, *(admg for admg, _ in drawn)]
    all_pags = [*(admg.to_pag() for admg in others), *(pag for pag, _ in pags)]
    agreement = [round(marks.agreement(pag), 9) for pag in all_pags]
    return candidates[int(np.argmax(agreement))], marks
