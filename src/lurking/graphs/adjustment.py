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

The same functions take an ADMG, a CPDAG, a PAG, and a MAG (a PAG without circles); in a class of graphs a set is valid
if it is in every member (:mod:`lurking.graphs.backdoor`). In a selected sample it is valid if it is one together with
the selected variables (:mod:`lurking.graphs.selection`). Cause and effect may be sets: the effects of setting several
variables at once.

An effect without an adjustment set can still be identified by the model as a whole, as here: smoking acts only through
tar, and both steps can be adjusted (the front door). :mod:`lurking.graphs.identification` gives the formula, and
:mod:`lurking.sem.effects` the estimate with its standard error. An instrument is another way
(:mod:`lurking.graphs.instrumental`).

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
P. Spirtes, T. Richardson, C. Meek, R. Scheines and C. Glymour (1998). Using path diagrams as a structural equation
modeling tool. Sociological Methods and Research 27.
L. Henckel, E. Perković and M. Maathuis (2022). Graphical criteria for efficient total effect estimation via adjustment
in causal linear models. Journal of the Royal Statistical Society B 84.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from lurking._errors import GraphError
from lurking.graphs.admg import ADMG
from lurking.graphs.backdoor import BackdoorGraph, CausalGraph, backdoor_graph, causes_and_effects
from lurking.graphs.bits import BitGraph, mask_of, members
from lurking.graphs.cpdag import CPDAG
from lurking.graphs.pag import PAG
from lurking.graphs.relations import ancestors, descendants, parents_of_set
from lurking.graphs.selection import SelectedADMG
from lurking.graphs.separation import m_separated, open_walk
from lurking.graphs.separators import minimal_separators, minimum_separating_set
from lurking.graphs.vertices import Vertices

__all__ = [
    "adjustment_obstacle",
    "adjustment_set",
    "adjustment_sets",
    "direct_adjustment_set",
    "is_adjustment_set",
    "optimal_adjustment_set",
]


def adjustment_set(
    graph: CausalGraph, cause: Vertices, effect: Vertices, *, include: Vertices = (), exclude: Vertices = ()
) -> frozenset[str] | None:
    """Return a smallest valid adjustment set for a total effect, or None if there is none.

    Parameters
    ----------
    graph : ADMG, SelectedADMG, CPDAG or PAG
        The graph, with or without bows. In a selected sample the selected variables are adjusted for anyway, and are
        not listed.
    cause, effect : str or iterable of str
        Two different variables, or two sets of them without a common member.
    include : str or iterable of str
        What the set must hold.
    exclude : str or iterable of str
        What it may not hold, because it was not measured, say.

    Returns
    -------
    adjust_for : frozenset of str or None
        Variables to put into the regression of ``effect`` on ``cause``. If ``cause`` is no ancestor of ``effect`` the
        total effect is zero, and the set is one given which the regression says so.

    Examples
    --------
    >>> sorted(adjustment_set(ADMG.parse("Z -> X -> Y <- Z"), "X", "Y"))
    ['Z']
    >>> from lurking.graphs import CPDAG, PAG
    >>> sorted(adjustment_set(CPDAG.parse("A -> X; B -> X; X -> Y; B -> Y"), "X", "Y"))
    ['B']
    >>> adjustment_set(PAG.parse("A o-> X <-o B; X -> Y"), "X", "Y")
    frozenset()
    """
    found = backdoor_graph(graph, cause, effect)
    must, allowed = _wishes(graph, found, include, exclude)
    if found.obstacle is not None or must & found.forbidden:
        return None
    smallest = minimum_separating_set(found.bits, found.effects, found.causes, must, allowed)
    return None if smallest is None else graph._named(smallest & ~found.selected)


def adjustment_sets(
    graph: CausalGraph,
    cause: Vertices,
    effect: Vertices,
    *,
    include: Vertices = (),
    exclude: Vertices = (),
    limit: int = 1000,
) -> tuple[frozenset[str], ...]:
    """Return all minimal adjustment sets for a total effect, small ones first.

    Parameters
    ----------
    graph, cause, effect, include, exclude
        As for :func:`adjustment_set`.
    limit : int, default 1000
        More sets raise an error.

    Examples
    --------
    >>> graph = ADMG.parse("X <- A -> B -> Y; X -> Y")
    >>> [sorted(found) for found in adjustment_sets(graph, "X", "Y")]
    [['A'], ['B']]
    """
    found = backdoor_graph(graph, cause, effect)
    must, allowed = _wishes(graph, found, include, exclude)
    if found.obstacle is not None or must & found.forbidden:
        return ()
    listed = minimal_separators(found.bits, found.effects, found.causes, must, allowed)
    return graph._limited([mask & ~found.selected for mask in islice(listed, limit + 1)], limit)


def is_adjustment_set(graph: CausalGraph, cause: Vertices, effect: Vertices, given: Iterable[str]) -> bool:
    """Tell whether a set is a valid adjustment set for a total effect.

    Examples
    --------
    >>> graph = ADMG.parse("X -> M -> Y; X <-> Z <-> Y")
    >>> [is_adjustment_set(graph, "X", "Y", given) for given in ([], ["M"], ["Z"])]
    [True, False, False]
    """
    found = backdoor_graph(graph, cause, effect)
    chosen = mask_of(graph.index(name) for name in given)
    if found.obstacle is not None or chosen & found.forbidden:
        return False
    return m_separated(found.bits, found.causes, found.effects, chosen | found.selected)


def adjustment_obstacle(graph: CausalGraph, cause: Vertices, effect: Vertices) -> str | None:
    """Return why an effect has no adjustment set, in one sentence, or None if it has one.

    Examples
    --------
    >>> adjustment_obstacle(ADMG.parse("X -> Y; X <-> Y"), "X", "Y")
    'A path from X to Y that is not causal stays open whatever is adjusted for: X <-> Y.'
    >>> adjustment_obstacle(PAG.parse("X o-o Y"), "X", "Y")
    'No adjustment is right: the graphs of the class disagree whether X causes Y, which may lead to the effect.'
    """
    found = backdoor_graph(graph, cause, effect)
    if found.obstacle is not None:
        return f"No adjustment is right: {found.obstacle}."
    if minimum_separating_set(found.bits, found.effects, found.causes, found.selected, ~found.forbidden) is not None:
        return None
    named = [", ".join(sorted(graph._named(mask))) for mask in (found.causes, found.effects)]
    # If any set is right, then so are the ancestors of both without the forbidden ones.
    given = ancestors(found.bits, found.causes | found.effects | found.selected) & ~found.forbidden
    walk = open_walk(found.bits, found.causes, found.effects, given) or []
    names = graph.population.names if isinstance(graph, SelectedADMG) else graph.names
    opened = " ".join(part if isinstance(part, str) else names[part] for part in walk)
    return f"A path from {named[0]} to {named[1]} that is not causal stays open whatever is adjusted for: {opened}."


def optimal_adjustment_set(graph: CausalGraph, cause: str, effect: str) -> frozenset[str] | None:
    """Return the adjustment set whose regression has the smallest asymptotic variance in linear models.

    These are the parents of the vertices on causal paths, without what is forbidden (Henckel et al. 2022). It is known
    for graphs without unmeasured causes: a DAG or a CPDAG.

    Returns
    -------
    adjust_for : frozenset of str or None
        None if no set is valid.

    Raises
    ------
    GraphError
        If the graph has ``<->`` or selection, is a PAG, or the cause is no possible ancestor of the effect.

    Examples
    --------
    >>> sorted(optimal_adjustment_set(ADMG.parse("A -> X -> Y <- B; A -> B"), "X", "Y"))
    ['B']
    """
    if isinstance(graph, PAG | SelectedADMG) or (isinstance(graph, ADMG) and graph.bidirected.any()):
        raise GraphError(
            "The optimal adjustment set is known for graphs without unmeasured causes and selection, a DAG or a CPDAG; "
            "take a smallest one by adjustment_set."
        )
    found = backdoor_graph(graph, cause, effect)
    if not found.causal:
        raise GraphError(f"{cause} is no ancestor of {effect}, so its effect is zero and no set is the best one.")
    if found.obstacle is not None:
        return None
    return graph._named(parents_of_set(_directed_edges(graph), found.causal) & ~found.forbidden)


def direct_adjustment_set(
    graph: ADMG | SelectedADMG, cause: str, effect: str, *, include: Vertices = (), exclude: Vertices = ()
) -> frozenset[str] | None:
    """Return a smallest set given which a linear regression returns a direct effect, or None if there is none.

    The direct effect is the coefficient of ``cause -> effect``, what is left when all other variables are held fixed.
    Z is valid if it holds no descendant of the effect and m-separates the two in the graph without that edge (the
    *single-door* criterion; Spirtes et al. 1998).

    Parameters
    ----------
    graph : ADMG or SelectedADMG
        The graph.
    cause, effect : str
        Two different variables; without the edge the direct effect is zero, and the set is one that shows it.
    include, exclude : str or iterable of str
        What the set must hold, and what it may not.

    Examples
    --------
    >>> graph = ADMG.parse("X -> M -> Y; X -> Y; Z -> M")
    >>> sorted(direct_adjustment_set(graph, "X", "Y"))
    ['M']
    """
    if not isinstance(graph, ADMG | SelectedADMG):
        raise GraphError(
            f"A direct effect is read from an ADMG, not from a {type(graph).__name__}, whose members differ in what "
            "lies between; take one of its graphs."
        )
    causes, effects = causes_and_effects(graph, cause, effect)
    sample = graph._separation_graph()
    bits = sample.bits
    parents = tuple(above & ~causes if effects >> v & 1 else above for v, above in enumerate(bits.parents))
    without_edge = BitGraph(parents, bits.siblings)
    has_edge = any(bits.parents[v] & causes for v in members(effects))
    # Without the edge any separation shows that the effect is zero; with it, descendants of the effect would bias it.
    forbidden = causes | (descendants(bits, effects) if has_edge else effects)
    found = BackdoorGraph(without_edge, causes, effects, effects, forbidden, selected=sample.selected)
    must, allowed = _wishes(graph, found, include, exclude)
    if must & forbidden:
        return None
    smallest = minimum_separating_set(without_edge, effects, causes, must, allowed)
    return None if smallest is None else graph._named(smallest & ~sample.selected)


def _wishes(graph: CausalGraph, found: BackdoorGraph, include: Vertices, exclude: Vertices) -> tuple[int, int]:
    must, cannot = graph._mask(include), graph._mask(exclude)
    if must & cannot:
        listed = ", ".join(sorted(graph._named(must & cannot)))
        raise GraphError(f"A set cannot both include and exclude {listed}; name it once.")
    return must | found.selected, ~found.forbidden & ~cannot


def _directed_edges(graph: ADMG | CPDAG) -> BitGraph:
    return BitGraph.from_matrices(graph.directed, np.zeros_like(graph.directed))
