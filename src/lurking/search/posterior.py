"""How sure the data are of each edge: all good graphs together, not the best one alone.

A score says more than which graph is best. exp(-BIC / 2) approximates how probable the data are under a graph, and with
a prior over graphs that is their posterior. The prior here says that a pair is adjacent or not with equal odds, and
that the three kinds of an edge, ``->``, ``<-`` and ``<->``, share theirs: each edge divides the weight of a graph by
three. (With equal weights for all graphs, three of four pairs would be adjacent before any data were seen.)

With many variables the best graph has next to none of the posterior. Very many graphs are a few points above it, and
what they have in common is more often true than what the best of them says. Their number forbids to list them, so the
hybrid solver walks among them (:mod:`lurking.search._walk`), from different good graphs, and counts. The exact solver,
and the paper's, weigh the graphs that they kept.

The *consensus* is the graph, among those met, whose adjacencies agree best with the posterior: it has the largest
expected number of pairs that are rightly joined or rightly not. Of several with the same adjacencies it is the one with
the best score. The hybrid solver then looks for the best edges that these adjacencies can have, met or not.

Walks are short and good graphs lie in many valleys, so weights are estimates: two seeds may differ by a tenth or two
on a pair that the data leave open. Equivalent graphs are counted one by one; a model with many has more weight.

Examples
--------
>>> candidates = [(ADMG.parse("A -> B"), 10.0), (ADMG.parse("A <-> B"), 10.0), (ADMG.parse("A; B"), 10.0)]
>>> weigh(candidates).weights[0, 1].round(2)
array([0.6, 0.2, 0. , 0.2])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.search.edge_codes import EdgeCodes, codes_of, graph_of
from lurking.search.ties import SCORE_DIGITS
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED

__all__ = ["EDGE_COST", "Posterior", "Walked", "posterior_of_walks", "weigh"]

EDGE_COST = 2.0 * log(3.0)
"""What the prior adds to the score for each edge."""

Walked = tuple[EdgeCodes, FloatArray]
"""The graphs of a walk, ``edges[k]`` for the k-th, and their scores."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """What all good graphs together say.

    Attributes
    ----------
    weights : ndarray of shape (d, d, 4)
        ``weights[i, j]`` are the posterior probabilities of: no edge, i -> j, j -> i, i <-> j; they sum to 1.
    consensus : ADMG
        The graph, among those met, whose adjacencies agree best with them.
    above : float
        How far its score is above the best one.
    """

    weights: FloatArray
    consensus: ADMG
    above: float

    def reorder(self, names: Sequence[str]) -> Posterior:
        """Return the same with the variables in another order."""
        order = [self.consensus.names.index(name) for name in names]
        return Posterior(self.weights[np.ix_(order, order)], self.consensus.subgraph(names), self.above)


def posterior_of_walks(walks: Sequence[Walked], names: tuple[str, ...], lowest: float) -> Posterior:
    """Count the graphs of walks; ``lowest`` is the best score that the search knows."""
    edges = np.concatenate([edges for edges, _ in walks])
    scores = np.concatenate([scores for _, scores in walks])
    return _posterior(edges, np.ones(len(scores)), scores - lowest, names)


def weigh(graphs: Iterable[tuple[ADMG, float]]) -> Posterior:
    """Weigh graphs by their scores and the prior, as if there were no others."""
    admgs, scores = zip(*graphs, strict=True)
    edges = np.stack([codes_of(admg) for admg in admgs])
    minus_twice_log = np.array(scores) + EDGE_COST * np.array([admg.n_edges for admg in admgs])
    share = np.exp(-(minus_twice_log - minus_twice_log.min()) / 2.0)
    return _posterior(edges, share, np.array(scores) - min(scores), admgs[0].names)


def _posterior(edges: EdgeCodes, share: FloatArray, above: FloatArray, names: tuple[str, ...]) -> Posterior:
    d = len(names)
    first, second = np.triu_indices(d, 1)
    kinds = edges[:, first, second]
    share = share / share.sum()
    shares = np.stack([share @ (kinds == kind) for kind in range(4)], axis=1)
    weights = np.zeros((d, d, 4))
    weights[:, :, 0] = np.eye(d)  # a variable has no edge to itself
    weights[first, second] = shares
    weights[second, first] = shares[:, [0, ARROW_BACK, ARROW_ON, BIDIRECTED]]
    adjacent = 1.0 - shares[:, 0]
    agreement = np.where(kinds > 0, adjacent, shares[:, 0]).sum(axis=1)
    best = np.lexsort((np.round(above, SCORE_DIGITS), -np.round(agreement, 9)))[0]
    return Posterior(weights, graph_of(edges[best], names), max(0.0, float(above[best])))
