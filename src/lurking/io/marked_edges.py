"""A graph as a list of edges with a mark at each end: what every format is translated to and from.

A reader of a format only has to find the names and the edges in a text; :func:`graph_of` then makes the graph, and
refuses what cannot be one with the line it stands in. A writer gets the same list from :func:`edges_of`.

Which graph it is, if the text does not say so itself, follows from the marks:

==============================================  ====================================================================
the edges of the text                           the graph
==============================================  ====================================================================
only ``->`` and ``<->``                         an ADMG
a circle somewhere                              a PAG
``--`` somewhere, but no circle and no ``<->``  a CPDAG (or another pattern): the direction of ``--`` is open
``--`` and ``<->``                              refused: in a pattern ``--`` is a direction that is left open, in a MAG
                                                or PAG it is selection, and only the user can know
==============================================  ====================================================================

Where the text says that some vertices are selected, ``->`` and ``<->`` make a
:class:`~lurking.graphs.SelectedADMG`, and every other edge is refused: in a MAG or PAG selection is ``--`` alone.

>>> from lurking.graphs import Mark
>>> graph_of(["A", "B"], [MarkedEdge("A", Mark.TAIL, Mark.ARROW, "B")], title="The text")
ADMG.parse('A -> B')
>>> print(graph_of(["A", "B"], [MarkedEdge("A", Mark.CIRCLE, Mark.ARROW, "B")], title="The text"))
A o-> B
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lurking._errors import FormatError, GraphError, ParameterError
from lurking._wording import Words, mention
from lurking.graphs import ADMG, CPDAG, PAG, Mark, SelectedADMG
from lurking.graphs.text import quote

__all__ = [
    "ARROWS",
    "KINDS",
    "KINDS_OF_MARKS",
    "Graph",
    "Kind",
    "MarkedEdge",
    "edges_of",
    "graph_of",
    "kind_of",
    "names_of",
    "refuse_selected",
    "selection_lost",
    "unreadable",
]

Graph: TypeAlias = ADMG | CPDAG | PAG | SelectedADMG
"""What a format holds."""

Kind: TypeAlias = Literal["admg", "cpdag", "pag", "selected"]
KINDS: tuple[Kind, ...] = ("admg", "cpdag", "pag", "selected")
KINDS_OF_MARKS: tuple[Kind, ...] = ("admg", "cpdag", "pag")
"""The kinds that edges and their marks tell; the fourth, an ADMG with selected vertices, needs their names."""

_LEFT = {"<": Mark.ARROW, "o": Mark.CIRCLE, "-": Mark.TAIL}
_RIGHT = {">": Mark.ARROW, "o": Mark.CIRCLE, "-": Mark.TAIL}

ARROWS: dict[str, tuple[Mark, Mark]] = {
    f"{left}-{right}": (_LEFT[left], _RIGHT[right]) for left in _LEFT for right in _RIGHT
} | {"->": (Mark.TAIL, Mark.ARROW), "<-": (Mark.ARROW, Mark.TAIL), "--": (Mark.TAIL, Mark.TAIL)}
"""Every way to draw an edge, long (``-->``) and short (``->``), with the marks at its left and its right end."""

_DRAWN = {marks: arrow for arrow, marks in ARROWS.items()}  # the short form, which comes last, wins


@dataclass(frozen=True, slots=True)
class MarkedEdge:
    """An edge between ``one`` and ``other`` with the mark at each end, and the line of the text where it stands."""

    one: str
    at_one: Mark
    at_other: Mark
    other: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{quote(self.one)} {self.arrow} {quote(self.other)}"

    @property
    def arrow(self) -> str:
        """The edge as it is drawn between the two names, in its short form."""
        return _DRAWN[self.at_one, self.at_other]

    @property
    def has_circle(self) -> bool:
        """Tell whether an end is left open."""
        return Mark.CIRCLE in (self.at_one, self.at_other)

    @property
    def has_two_tails(self) -> bool:
        """Tell whether the edge is undirected."""
        return self.at_one == self.at_other == Mark.TAIL


def unreadable(title: str, reason: str, line: int | None = None) -> FormatError:
    """Return the error of a text that cannot be read: one sentence, with the line if it is known."""
    place = "" if line is None else f" at line {line}"
    return FormatError(f"{title} cannot be read{place}: " + reason)


def kind_of(graph: Graph) -> Kind:
    """Return ``"admg"``, ``"cpdag"``, ``"pag"``, or ``"selected"`` for an ADMG with selected vertices."""
    if isinstance(graph, ADMG):
        return "admg"
    if isinstance(graph, CPDAG):
        return "cpdag"
    if isinstance(graph, PAG):
        return "pag"
    if isinstance(graph, SelectedADMG):
        return "selected"
    raise ParameterError(f"The graph must be an ADMG, a CPDAG or a PAG. Got {type(graph).__name__} instead.")


def names_of(graph: Graph) -> tuple[str, ...]:
    """Return the vertices of a graph, selected ones last."""
    return graph.population.names if isinstance(graph, SelectedADMG) else graph.names


def refuse_selected(graph: Graph, format: str) -> None:
    """Refuse to write selected vertices in a format that has no word for them."""
    if isinstance(graph, SelectedADMG):
        raise selection_lost(graph, format)


def selection_lost(graph: SelectedADMG, format: str) -> FormatError:
    """Return the error of a format that has no word for selected vertices."""
    return FormatError(
        f"{format} cannot say that {graph.selected[0]!r} is selected; use JSON, DAGitty or Tetrad, or write the PAG of "
        "the sample, graph.to_pag()."
    )


def edges_of(graph: Graph) -> list[MarkedEdge]:
    """Return the edges of a graph, in an order that depends on the graph alone.

    Examples
    --------
    >>> [str(edge) for edge in edges_of(ADMG.parse("B <-> A -> B"))]
    ['A -> B', 'B <-> A']
    """
    if isinstance(graph, SelectedADMG):
        return edges_of(graph.population)
    if isinstance(graph, PAG | CPDAG):
        return [MarkedEdge(one, *ARROWS[arrow], other) for one, arrow, other in graph.edges()]
    edges = [MarkedEdge(cause, Mark.TAIL, Mark.ARROW, effect) for cause, effect in graph.directed_edges()]
    return edges + [MarkedEdge(one, Mark.ARROW, Mark.ARROW, other) for one, other in graph.bidirected_edges()]


def graph_of(
    names: Sequence[str],
    edges: Iterable[MarkedEdge],
    kind: Kind | None = None,
    *,
    title: str,
    selected: Sequence[str] = (),
) -> Graph:
    """Make the graph that a text describes.

    Parameters
    ----------
    names : sequence of str
        All vertices, in order.
    edges : iterable of MarkedEdge
        The edges; one that is written twice counts once.
    kind : {"admg", "cpdag", "pag", "selected"}, optional
        What the text says it holds; by default the marks decide, see above.
    title : str
        What the text is called in an error, such as "The DOT text".
    selected : sequence of str
        The vertices that decide who is in the sample.

    Raises
    ------
    FormatError
        If the edges do not form such a graph.
    """
    if kind is not None and kind not in KINDS:
        raise ParameterError(f"The kind must be one of {', '.join(KINDS)}. Got {kind!r} instead.")
    edges = list(edges)
    known = set(names)
    for edge in edges:
        if edge.one == edge.other:
            raise unreadable(title, f"{edge} joins a variable to itself; remove it.", edge.line)
        for name in (edge.one, edge.other):
            if name not in known:
                listed = ", ".join(map(repr, list(names)[:8])) + (", ..." if len(names) > 8 else "")
                reason = f"the edge {edge} names {name!r}, which is not among the variables {listed}; add it there."
                raise unreadable(title, reason, edge.line)
    if kind is None:
        kind = "selected" if selected else _kind_of_marks(edges, title)
    if (kind == "selected") != bool(selected):
        reason = f"{selected[0]!r} is selected, which a graph of kind {kind} cannot say" if selected else "none is"
        raise unreadable(title, f"a graph of kind selected is one with selected variables, and {reason}.")
    try:
        match kind:
            case "selected":
                return SelectedADMG(_admg(names, edges, title, selected[0]), selected)
            case "admg":
                return _admg(names, edges, title)
            case "cpdag":
                return _cpdag(names, edges, title)
            case "pag":
                return _pag(names, edges, title)
    except GraphError as error:  # names that cannot be, cycles
        raise FormatError(f"{title} does not describe a graph: {error}") from error


def _kind_of_marks(edges: list[MarkedEdge], title: str) -> Kind:
    if any(edge.has_circle for edge in edges):
        return "pag"
    undirected = next((edge for edge in edges if edge.has_two_tails), None)
    if undirected is None:
        return "admg"
    for edge in edges:
        if edge.at_one == edge.at_other == Mark.ARROW:
            reason = (
                f"{undirected} leaves a direction open if this is a pattern (CPDAG) and is selection if it is a MAG or "
                f"PAG, and {edge} is not an edge of a pattern"
                + mention("kind of both", "; read it as kind='pag' if it is a MAG or PAG", "pag")
                + "."
            )
            raise unreadable(title, reason, undirected.line)
    return "cpdag"


def _admg(names: Sequence[str], edges: list[MarkedEdge], title: str, selected: str | None = None) -> ADMG:
    directed, bidirected = [], []
    for edge in edges:
        match edge.at_one, edge.at_other:
            case Mark.TAIL, Mark.ARROW:
                directed.append((edge.one, edge.other))
            case Mark.ARROW, Mark.TAIL:
                directed.append((edge.other, edge.one))
            case Mark.ARROW, Mark.ARROW:
                bidirected.append((edge.one, edge.other))
            case _:
                advice = mention("kind", "; read it as kind='pag'.", "pag")
                if selected is not None:
                    advice = Words(
                        f"; where {selected!r} is selected other edges have no meaning: in a MAG -- says it all."
                    )
                reason = f"{edge} is not an edge of an ADMG, which has only -> and <->" + advice
                raise unreadable(title, reason, edge.line)
    return ADMG.from_edges(directed, bidirected, names)


def _cpdag(names: Sequence[str], edges: list[MarkedEdge], title: str) -> CPDAG:
    pairs: dict[frozenset[str], MarkedEdge] = {}
    for edge in edges:
        if edge.has_circle or edge.at_one == edge.at_other == Mark.ARROW:
            raise unreadable(title, f"{edge} is not an edge of a CPDAG, which has only -> and --.", edge.line)
        first = pairs.setdefault(frozenset((edge.one, edge.other)), edge)
        if (first.one, first.at_one, first.at_other) != (edge.one, edge.at_one, edge.at_other) and (
            first.other,
            first.at_other,
            first.at_one,
        ) != (edge.one, edge.at_one, edge.at_other):
            reason = f"a pair has one edge in a CPDAG, but there are {first} and {edge}; keep one of them."
            raise unreadable(title, reason, edge.line)
    directed = [
        (edge.one, edge.other) if edge.at_other == Mark.ARROW else (edge.other, edge.one)
        for edge in pairs.values()
        if not edge.has_two_tails
    ]
    undirected = [(edge.one, edge.other) for edge in pairs.values() if edge.has_two_tails]
    return CPDAG.from_edges(directed, undirected, names)


def _pag(names: Sequence[str], edges: list[MarkedEdge], title: str) -> PAG:
    number = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    for edge in edges:
        i, j = number[edge.one], number[edge.other]
        if marks[i, j] and (marks[j, i], marks[i, j]) != (edge.at_one, edge.at_other):
            first = MarkedEdge(edge.one, Mark(marks[j, i]), Mark(marks[i, j]), edge.other)
            reason = f"a pair has one edge in a PAG, but there are {first} and {edge}; keep one of them."
            raise unreadable(title, reason, edge.line)
        marks[j, i], marks[i, j] = edge.at_one, edge.at_other
    return PAG(names, marks)
