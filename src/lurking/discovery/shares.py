"""How often a bootstrap joined each pair, and with which edge.

>>> from lurking import Moments, bootstrap
>>> moments = Moments([[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]], 500, ["A", "B", "C"])
>>> result = bootstrap({"solver": "exact"}, moments, n_replicates=4, random_state=0)
>>> (pair,) = (pair for pair in pair_shares(result) if pair.joined > 0.5)
>>> pair.one, pair.other, pair.joined, pair.pag["o-o"]
('A', 'B', 1.0, 1.0)
"""

from __future__ import annotations

from lurking.discovery.analysis_parts import PairShares
from lurking.discovery.bootstrap import BootstrapResult
from lurking.graphs import Mark
from lurking.graphs.pag_text import arrow

__all__ = ["pair_shares"]

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
