r"""The back-door graph of an effect, and what may not be adjusted for, in every kind of graph.

With X the causes and Y the effects, a path is *proper* if only its first vertex is in X.

*ADMG (and DAG).* The *causal* vertices are those on proper directed paths from X to Y, without X. Forbidden are their
descendants, X and Y. The back-door graph lacks the edges from X to causal vertices.

*CPDAG, MAG, PAG* (Perković et al. 2018). A path *may* be causal if no edge of it has an arrowhead at its start or a
tail at its end. Forbidden is what may descend from a vertex on a proper path that may be causal. The graph must be
*amenable*: each such path begins with a *visible* edge out of X (:mod:`lurking.graphs.partial_ancestral`; in a CPDAG
any directed edge). Otherwise the graphs of the class disagree about the effect, or an unmeasured cause may be behind
the first edge, and no adjustment is right in all of them. In an amenable graph the sets without forbidden vertices that
separate X from Y in the back-door graph are the same for all members of the class, so one member is enough: a DAG of
the CPDAG, a MAG of the PAG, without the visible edges at the start of these paths.

*A selected sample* (:mod:`lurking.graphs.selection`) is asked as its population, with the selected variables in every
set.

A PAG without circles is a MAG, and is read as one. An ADMG is not: its edges say what they say, and nothing more is
behind them.

References
----------
E. Perković, J. Textor, M. Kalisch and M. Maathuis (2018). Complete graphical characterization and construction of
adjustment sets in Markov equivalence classes of ancestral graphs. Journal of Machine Learning Research 18.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from lurking._errors import GraphError, ParameterError
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, members, reach, singleton
from lurking.graphs.cpdag import CPDAG
from lurking.graphs.marks import MarkSets
from lurking.graphs.pag import PAG
from lurking.graphs.partial_ancestral import (
    is_visible,
    possible_ancestors,
    possible_descendants,
    possible_onward,
)
from lurking.graphs.relations import descendants
from lurking.graphs.selection import SelectedADMG
from lurking.graphs.vertices import Vertices

__all__ = ["BackdoorGraph", "CausalGraph", "backdoor_graph", "causes_and_effects"]

CausalGraph: TypeAlias = ADMG | CPDAG | PAG | SelectedADMG
"""Every graph that can be asked about effects."""


@dataclass(frozen=True, slots=True)
class BackdoorGraph:
    """What a question about adjustment comes down to.

    Attributes
    ----------
    bits : BitGraph
        The back-door graph.
    causes, effects : int
        X and Y.
    causal : int
        The vertices on proper causal paths, without X.
    forbidden : int
        What no adjustment set may hold, X and Y included.
    obstacle : str or None
        Why no set can be right, whatever it holds, or None.
    selected : int
        What every set holds because the sample was selected by it; these vertices come after the named ones.
    """

    bits: BitGraph
    causes: int
    effects: int
    causal: int
    forbidden: int
    obstacle: str | None = None
    selected: int = 0


def causes_and_effects(graph: CausalGraph, cause: Vertices, effect: Vertices) -> tuple[int, int]:
    """Return the two sets of an effect, or say why they are none."""
    if not isinstance(graph, ADMG | CPDAG | PAG | SelectedADMG):
        raise ParameterError(f"The graph must be an ADMG, a CPDAG or a PAG. Got {type(graph).__name__} instead.")
    if isinstance(cause, str) and cause == effect:
        raise GraphError(f"An effect is of one variable on another, but both are {cause!r}; name two.")
    causes, effects, _ = graph._disjoint_masks(cause, effect, ())
    return causes, effects


def backdoor_graph(graph: CausalGraph, cause: Vertices, effect: Vertices) -> BackdoorGraph:
    """Return the back-door graph of an effect.

    Raises
    ------
    GraphError
        If the causes and the effects overlap or are empty.
    GraphClassError
        If a CPDAG or PAG is not that of any graph, or has selection.
    """
    causes, effects = causes_and_effects(graph, cause, effect)
    if isinstance(graph, ADMG):
        return _of_admg(BitGraph.from_matrices(graph.directed, graph.bidirected), causes, effects)
    if isinstance(graph, SelectedADMG):
        return _of_selected(graph, causes, effects)
    if isinstance(graph, CPDAG):
        graph._refuse_invalid()
        # The marks of a CPDAG in the words of a PAG: an open direction is a circle at both ends.
        open_marks = PAG(graph.names, graph.marks_with_circles)
        return _of_class(open_marks, graph._separation_graph().bits, causes, effects, every_edge_visible=True)
    graph._refuse_selection("Effects are read")
    return _of_class(graph, graph._separation_graph().bits, causes, effects, every_edge_visible=False)


def _of_admg(bits: BitGraph, causes: int, effects: int) -> BackdoorGraph:
    first = 0
    for x in members(causes):
        first |= bits.children[x]
    causal = reach(bits.children, first, ~causes) & reach(bits.parents, effects, ~causes)
    return BackdoorGraph(
        _without_first_edges(bits, causes, causal),
        causes,
        effects,
        causal,
        descendants(bits, causal) | causes | effects,
    )


def _of_selected(graph: SelectedADMG, causes: int, effects: int) -> BackdoorGraph:
    sample = graph._separation_graph()
    found = _of_admg(sample.bits, causes, effects)
    obstacle = None
    for v in members(found.forbidden & sample.selected):
        obstacle = obstacle or (
            f"the sample was selected by {graph.population.names[v]}, which is caused by the effect or by what lies on "
            "the way to it"
        )
    return replace(found, obstacle=obstacle, selected=sample.selected)


def _of_class(graph: PAG, member: BitGraph, causes: int, effects: int, *, every_edge_visible: bool) -> BackdoorGraph:
    sets = MarkSets(graph.marks)
    leads_to_effects = possible_ancestors(sets, effects, ~causes)
    first, obstacle = 0, None
    for x in members(causes):
        for v in members(possible_onward(sets, x) & leads_to_effects & ~causes):
            first |= singleton(v)
            is_directed = bool(sets.parents(v) >> x & 1)
            if not is_directed:
                obstacle = obstacle or (
                    f"the graphs of the class disagree whether {graph.names[x]} causes {graph.names[v]}, which may "
                    "lead to the effect"
                )
            elif not every_edge_visible and not is_visible(sets, x, v):
                obstacle = obstacle or f"something unmeasured may cause both {graph.names[x]} and {graph.names[v]}"
    causal = possible_descendants(sets, first, ~causes) & leads_to_effects
    return BackdoorGraph(
        _without_first_edges(member, causes, causal),
        causes,
        effects,
        causal,
        possible_descendants(sets, causal) | causes | effects,
        obstacle,
    )


def _without_first_edges(bits: BitGraph, causes: int, causal: int) -> BitGraph:
    parents = tuple(above & ~causes if causal >> v & 1 else above for v, above in enumerate(bits.parents))
    return BitGraph(parents, bits.siblings)
