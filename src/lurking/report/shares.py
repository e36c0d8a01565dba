"""Shares for a report: how often a bootstrap joined each pair, found each edge, and how probable adjacencies are.

>>> from lurking import Moments, bootstrap
>>> moments = Moments([[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]], 500, ["A", "B", "C"])
>>> result = bootstrap({"solver": "exact"}, moments, n_replicates=4, random_state=0)
>>> (pair,) = (pair for pair in pair_shares(result) if pair.joined > 0.5)
>>> pair.one, pair.other, pair.joined, pair.pag["o-o"]
('A', 'B', 1.0, 1.0)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from lurking.discovery import BootstrapResult
from lurking.graphs import ADMG, Mark
from lurking.graphs.pag_text import arrow
from lurking.report.content import EdgeEstimate, PairShares
from lurking.search.posterior import Posterior

__all__ = ["edges_with_posterior", "edges_with_shares", "pair_shares", "probable_but_apart"]

_ADMG_ARROWS = ("", "->", "<-", "<->")
_PAG_ARROWS = {(a, b): arrow(a, b) for a in Mark for b in Mark if a and b} | {(Mark.NONE, Mark.NONE): ""}


def pair_shares(result: BootstrapResult) -> tuple[PairShares, ...]:
    """Return the shares of every pair that any replicate joins, the most often joined first.

    Parameters
    ----------
    result : BootstrapResult
        The bootstrap.

    Returns
    -------
    pairs : tuple of PairShares
        What was never found is left out of the mappings.
    """
    pairs = []
    for i, one in enumerate(result.names):
        for j in range(i + 1, len(result.names)):
            admg = dict(zip(_ADMG_ARROWS, result.frequencies[i, j].tolist(), strict=True))
            pag = {text: float(result.pag_frequencies[i, j, a, b]) for (a, b), text in _PAG_ARROWS.items()}
            if admg[""] < 1 or pag[""] < 1:  # an inducing path joins a pair in the PAG only
                found = ({text: share for text, share in shares.items() if share > 0} for shares in (admg, pag))
                pairs.append(PairShares(one, result.names[j], *found))
    return tuple(sorted(pairs, key=lambda pair: -pair.joined))


def edges_with_shares(edges: Iterable[EdgeEstimate], result: BootstrapResult) -> tuple[EdgeEstimate, ...]:
    """Return edges, each with the share of the replicates that have this very edge."""
    index = {name: k for k, name in enumerate(result.names)}

    def share(edge: EdgeEstimate) -> float:
        shares = result.frequencies[index[edge.one], index[edge.other]]
        return float(shares[_ADMG_ARROWS.index(edge.arrow)])

    return tuple(replace(edge, share=share(edge)) for edge in edges)


def edges_with_posterior(edges: Iterable[EdgeEstimate], posterior: Posterior) -> tuple[EdgeEstimate, ...]:
    """Return edges, each with the posterior probability that its pair is adjacent."""
    index = {name: k for k, name in enumerate(posterior.consensus.names)}
    return tuple(
        replace(edge, adjacent=1.0 - float(posterior.weights[index[edge.one], index[edge.other], 0])) for edge in edges
    )


def probable_but_apart(admg: ADMG, posterior: Posterior) -> list[tuple[str, str, float]]:
    """Return the pairs that the graph leaves apart though they are more likely adjacent than not, likeliest first."""
    index = {name: k for k, name in enumerate(posterior.consensus.names)}
    pairs = [
        (one, other, 1.0 - float(posterior.weights[index[one], index[other], 0]))
        for (i, one), (j, other) in combinations(enumerate(admg.names), 2)
        if not admg.skeleton[i, j]
    ]
    return sorted((pair for pair in pairs if pair[2] > 0.5), key=lambda pair: -pair[2])
