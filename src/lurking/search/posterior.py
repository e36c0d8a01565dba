"""The posterior over graphs: the probability of each edge from all good graphs together, not from the best one alone.

A score says more than which graph is best. exp(-BIC / 2) approximates how probable the data are under a graph, and with
a prior over graphs that is their posterior. For the BIC it says that a pair is adjacent or not with equal odds, and
that the three kinds of an edge, ``->``, ``<-`` and ``<->``, share theirs: each edge divides the weight of a graph by
three. (With equal weights for all graphs, three of four pairs would be adjacent before any data were seen.)

With many variables the best graph has very little of the posterior. Very many graphs are a few points above it, and
what they have in common is more often true than what the best of them says. There are too many to be listed, so the
hybrid solver samples them by Metropolis walks (:mod:`lurking.search.kernels.metropolis`) from different graphs. The
exact solver, and the paper's, weigh the graphs that they kept.

The *consensus* is the graph, among those met, whose adjacencies agree best with the posterior: it has the largest
expected number of pairs that are rightly joined or rightly not. Of several with the same adjacencies it is the one with
the best score. The hybrid solver then looks for the best edges that these adjacencies can have, met or not.

Walks are short and the posterior has many modes, so weights are estimates: two seeds may differ by a tenth or two
on a pair that the data leave open. Equivalent graphs are counted one by one; a model with many has more weight.

Examples
--------
>>> candidates = [(ADMG.parse("A -> B"), 10.0), (ADMG.parse("A <-> B"), 10.0), (ADMG.parse("A; B"), 10.0)]
>>> weigh(candidates, edge_price=2.0 * np.log(3.0)).weights[0, 1].round(2)
array([0.6, 0.2, 0. , 0.2])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE
from lurking.search.edge_codes import EdgeCodes, codes_of, graph_of
from lurking.search.ties import SCORE_DIGITS

__all__ = ["Posterior", "Walked", "pooled", "posterior_of_walks", "weigh"]

_CHUNK = 4_000_000  # entries of the matrices whose transitive closure is computed at once

Walked = tuple[EdgeCodes, FloatArray]
"""The graphs of a walk, ``edges[k]`` for the k-th, and their scores."""

_REVERSED = np.array([NO_EDGE, ARROW_BACK, ARROW_ON, BIDIRECTED], dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior over graphs, as the distinct graphs that were met with their probabilities.

    Attributes
    ----------
    names : tuple of str
        The variables.
    codes : ndarray of shape (k, d, d)
        The distinct graphs, in the code of :mod:`lurking.search.edge_codes`, most probable first.
    shares : ndarray of shape (k,)
        Their probabilities; they sum to 1.
    consensus : ADMG
        The graph, among those met, whose adjacencies agree best with them.
    score_gap : float
        How far its score is above the best one.
    sampled : bool
        Whether graphs were sampled by walks; otherwise these are the graphs that a search kept, weighed by their
        scores as if there were no others.
    """

    names: tuple[str, ...]
    codes: EdgeCodes
    shares: FloatArray
    consensus: ADMG
    score_gap: float
    sampled: bool

    @cached_property
    def graphs(self) -> tuple[ADMG, ...]:
        """The distinct graphs, most probable first."""
        return tuple(graph_of(code, self.names) for code in self.codes)

    @cached_property
    def weights(self) -> FloatArray:
        """``weights[i, j]`` are the probabilities of: no edge, i -> j, j -> i, i <-> j; they sum to 1."""
        d = len(self.names)
        first, second = np.triu_indices(d, 1)
        kinds = self.codes[:, first, second]
        # sums of columns, not products of matrices: rounding must not depend on the order of the variables
        shares = np.stack([(self.shares[:, None] * (kinds == kind)).sum(axis=0) for kind in range(4)], axis=1)
        weights = np.zeros((d, d, 4))
        weights[:, :, 0] = np.eye(d)  # a variable has no edge to itself
        weights[first, second] = shares
        weights[second, first] = shares[:, [0, ARROW_BACK, ARROW_ON, BIDIRECTED]]
        return weights

    @cached_property
    def ancestry(self) -> FloatArray:
        """``ancestry[i, j]``: the probability that i is a cause of j, directly or through other variables."""
        total = np.zeros(self.codes.shape[1:])
        for reached, shares in self._ancestors():
            total += np.tensordot(shares, reached, axes=1)
        return np.clip(np.round(total, 12), 0.0, 1.0)  # what holds in all graphs has the probability 1

    def _ancestors(self) -> Iterator[tuple[NDArray[np.bool_], FloatArray]]:
        """Yield the ancestral relations of a part of the graphs, ``[k, i, j]``, with their probabilities."""
        d = self.codes.shape[1]
        step = max(1, _CHUNK // max(1, d * d))
        for first in range(0, len(self.codes), step):
            codes = self.codes[first : first + step]
            reached = (codes == ARROW_ON) | (codes == ARROW_BACK).transpose(0, 2, 1)
            for k in range(d):  # Warshall's algorithm on all graphs at once
                reached |= reached[:, :, k, None] & reached[:, None, k, :]
            yield reached, self.shares[first : first + step]

    def reorder(self, names: Sequence[str]) -> Posterior:
        """Return the same with the variables in another order."""
        order = [self.names.index(name) for name in names]
        codes = self.codes + self.codes.transpose(0, 2, 1)
        lower = np.tril_indices(len(names), -1)
        codes[:, lower[0], lower[1]] = _REVERSED[codes[:, lower[0], lower[1]]]
        codes = np.triu(codes[:, order][:, :, order])
        return replace(self, names=tuple(names), codes=codes, consensus=self.consensus.subgraph(names))


def posterior_of_walks(walks: Sequence[Walked], names: tuple[str, ...], best_score: float) -> Posterior:
    """Count the graphs of walks; ``best_score`` is the best score that the search knows."""
    edges = np.concatenate([edges for edges, _ in walks])
    scores = np.concatenate([scores for _, scores in walks])
    return _posterior(edges, np.ones(len(scores)), scores - best_score, names, sampled=True)


def weigh(graphs: Iterable[tuple[ADMG, float]], edge_price: float) -> Posterior:
    """Weigh graphs by their scores, with ``edge_price`` for each edge on top, as if there were no others."""
    admgs, scores = zip(*graphs, strict=True)
    edges = np.stack([codes_of(admg) for admg in admgs])
    minus_twice_log = np.array(scores) + edge_price * np.array([admg.n_edges for admg in admgs])
    share = np.exp(-(minus_twice_log - minus_twice_log.min()) / 2.0)
    score_gap = np.array(scores) - min(scores)
    return _posterior(edges, share, score_gap, admgs[0].names, sampled=False)


def pooled(posteriors: Sequence[Posterior]) -> Posterior:
    """Return the mean of several posteriors of the same variables in the same order, each with the same weight.

    What counts as the best score is not comparable between tables, so ``score_gap`` is 0, and of the graphs that agree
    best with all the most probable one is the consensus.

    >>> one = weigh([(ADMG.parse("A -> B"), 0.0)], 0.0)
    >>> two = weigh([(ADMG.parse("A; B"), 0.0)], 0.0)
    >>> pooled([one, two]).weights[0, 1]
    array([0.5, 0.5, 0. , 0. ])
    """
    edges = np.concatenate([posterior.codes for posterior in posteriors])
    shares = np.concatenate([posterior.shares / len(posteriors) for posterior in posteriors])
    sampled = all(posterior.sampled for posterior in posteriors)
    return _posterior(edges, shares, np.zeros(len(shares)), posteriors[0].names, sampled=sampled)


def _posterior(
    edges: EdgeCodes,
    share: FloatArray,
    score_gap: FloatArray,
    names: tuple[str, ...],
    *,
    sampled: bool,
) -> Posterior:
    first, second = np.triu_indices(len(names), 1)
    share = share / share.sum()
    kinds, index, which = np.unique(edges[:, first, second], axis=0, return_index=True, return_inverse=True)
    shares: FloatArray = np.bincount(which.ravel(), weights=share, minlength=len(index)).astype(np.float64)
    order = np.lexsort((index, -np.round(shares, 12)))
    codes, shares, kinds, score_gap = edges[index[order]], shares[order], kinds[order], score_gap[index[order]]
    adjacent = shares @ (kinds > 0)
    agreement = np.where(kinds > 0, adjacent, 1.0 - adjacent).sum(axis=1)
    best = np.lexsort((np.round(score_gap, SCORE_DIGITS), -np.round(agreement, 9)))[0]
    consensus = graph_of(codes[best], names)
    return Posterior(names, codes, shares, consensus, max(0.0, float(score_gap[best])), sampled)
