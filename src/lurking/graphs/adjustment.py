r"""Adjustment sets: what to put into a regression so that it returns a causal effect.

Regressing y on x and a set Z gives the total effect of x on y if Z is a valid *adjustment set* (Shpitser, VanderWeele
and Robins 2010; Perković et al. 2018):

1. Z holds nothing that x acts on along the way: no vertex on a directed path from x to y other than x, and no
   descendant of such a vertex;
2. Z blocks everything else: it m-separates x and y in the *back-door graph*, in which the first edge of each directed
   path from x to y has been removed.

These conditions are sound and complete: a set outside them fails for some distribution of the graph (and in linear
models for almost all parameters).

::

    smoking -> tar -> cancer,  smoking <-> cancer        no set for smoking and cancer: the confounder is unmeasured
                                                         tar on cancer: adjust for smoking

An effect without an adjustment set can still be identified by the model as a whole, as here: smoking acts only through
tar, and both steps can be adjusted (the front door). :mod:`lurking.sem.effects` returns it with its standard error.

>>> from lurking.graphs import ADMG
>>> graph = ADMG.parse("smoking -> tar -> cancer; smoking <-> cancer")
>>> adjustment_set(graph, "smoking", "cancer"), adjustment_set(graph, "tar", "cancer")
(None, frozenset({'smoking'}))

References
----------
I. Shpitser, T. VanderWeele and J. Robins (2010). On the validity of covariate adjustment for estimating causal effects.
UAI.
E. Perković, J. Textor, M. Kalisch and M. Maathuis (2018). Complete graphical characterization and construction of
adjustment sets in Markov equivalence classes of ancestral graphs. Journal of Machine Learning Research 18.
"""

from __future__ import annotations

from collections.abc import Iterable

from lurking._errors import GraphError
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, mask_of, members, singleton
from lurking.graphs.relations import ancestors, descendants
from lurking.graphs.separation import m_separated
from lurking.graphs.separators import minimum_separator

__all__ = ["adjustment_set", "is_adjustment_set"]


def adjustment_set(graph: ADMG, cause: str, effect: str) -> frozenset[str] | None:
    """Return a smallest valid adjustment set for a total effect, or None if there is none.

    Parameters
    ----------
    graph : ADMG
        The graph, with or without bows.
    cause, effect : str
        Two different variables.

    Returns
    -------
    adjust_for : frozenset of str or None
        Variables to put into the regression of ``effect`` on ``cause``. If ``cause`` is no ancestor of ``effect`` the
        total effect is zero, and the set is one given which the regression says so.

    Examples
    --------
    >>> sorted(adjustment_set(ADMG.parse("Z -> X -> Y <- Z"), "X", "Y"))
    ['Z']
    """
    start, end = _two_vertices(graph, cause, effect)
    backdoor, forbidden = _backdoor(graph, start, end)
    found = minimum_separator(backdoor, end, start, allowed=~forbidden)
    return None if found is None else frozenset(graph.names[v] for v in members(found))


def is_adjustment_set(graph: ADMG, cause: str, effect: str, given: Iterable[str]) -> bool:
    """Tell whether a set is a valid adjustment set for a total effect.

    Examples
    --------
    >>> graph = ADMG.parse("X -> M -> Y; X <-> Z <-> Y")
    >>> [is_adjustment_set(graph, "X", "Y", given) for given in ([], ["M"], ["Z"])]
    [True, False, False]
    """
    start, end = _two_vertices(graph, cause, effect)
    backdoor, forbidden = _backdoor(graph, start, end)
    chosen = mask_of(graph.index(name) for name in given)
    return not chosen & forbidden and m_separated(backdoor, singleton(start), singleton(end), chosen)


def _two_vertices(graph: ADMG, cause: str, effect: str) -> tuple[int, int]:
    if cause == effect:
        raise GraphError(f"An effect is of one variable on another, but both are {cause!r}; name two.")
    return graph.index(cause), graph.index(effect)


def _backdoor(graph: ADMG, start: int, end: int) -> tuple[BitGraph, int]:
    """Return the back-door graph and the vertices that no adjustment set may hold, the two ends included."""
    bits = BitGraph.from_matrices(graph.directed, graph.bidirected)
    on_the_way = descendants(bits, singleton(start)) & ancestors(bits, singleton(end)) & ~singleton(start)
    parents = tuple(above & ~singleton(start) if on_the_way >> v & 1 else above for v, above in enumerate(bits.parents))
    forbidden = descendants(bits, on_the_way) | singleton(start) | singleton(end)
    return BitGraph(parents, bits.siblings), forbidden
