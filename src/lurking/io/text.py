"""The arrows one writes on paper: ``A -> B <-> C`` for an ADMG, ``A o-> B`` for a PAG, ``A -> B -- C`` for a CPDAG.

The grammar is that of :mod:`lurking.graphs.text`, with more arrows: each end is ``o`` (a circle), ``<`` or ``>`` (an
arrowhead) or ``-`` (a tail). An arrow with a circle needs a space on each side, because ``o`` is also a letter.

The form says nothing about the kind of graph, so its marks decide (see :mod:`lurking.io.marked_edges`): with a circle
it is a PAG, with ``--`` otherwise a CPDAG, else an ADMG. A PAG whose marks all happen to be known reads back as another
kind unless it is read as ``kind="pag"``.

>>> print(loads("A o-> B <-> C; D"))
A o-> B; B <-> C; D
>>> loads('smoking -> "lung cancer" <-> asbestos')
ADMG.parse('smoking -> "lung cancer"; "lung cancer" <-> asbestos')
"""

from __future__ import annotations

import re

from lurking._errors import FormatError
from lurking.graphs import Mark
from lurking.graphs.text import parse_edges, quote
from lurking.io.marked_edges import ARROWS, Graph, Kind, MarkedEdge, edges_of, graph_of, refuse_selected, unreadable

__all__ = ["dumps", "loads"]

_TITLE = "The graph text"
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_ONLY_IN_PAGS = "|".join(arrow for arrow in ARROWS if "o" in arrow or set(arrow) == {"-"})
_CIRCLE_OR_UNDIRECTED = re.compile(rf"{_QUOTED}|(?<![^\s;])(?P<arrow>{_ONLY_IN_PAGS})(?![^\s;])", re.DOTALL)
_TOKEN = re.compile(rf'(?P<quoted>{_QUOTED})|(?P<end>[;\n])|(?P<space>[^\S\n]+)|(?P<bare>[^\s;"]+)', re.DOTALL)


def dumps(graph: Graph) -> str:
    """Write a graph as arrows, one statement a line."""
    refuse_selected(graph, "The text format")
    edges = edges_of(graph)
    if not graph.names:
        raise FormatError("The text format cannot hold a graph without variables; use JSON.")
    order = dict.fromkeys(name for edge in edges for name in (edge.one, edge.other))
    statements = [str(edge) for edge in edges]
    if list(order) != list(graph.names):
        statements = [quote(name) for name in graph.names] + statements
    return "\n".join(statements) + "\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read a graph from arrows.

    Parameters
    ----------
    text : str
        Statements, separated by semicolons or line ends.
    kind : {"admg", "cpdag", "pag"}, optional
        What the text holds; by default what its marks say.
    """
    if not text.strip():
        raise unreadable(_TITLE, "it is empty; write a graph such as A -> B; B <-> C.")
    if any(found["arrow"] for found in _CIRCLE_OR_UNDIRECTED.finditer(text)):
        names, edges = _parse_marked(text)
    else:
        names, directed, bidirected = parse_edges(text)
        edges = [MarkedEdge(one, Mark.TAIL, Mark.ARROW, other) for one, other in directed]
        edges += [MarkedEdge(one, Mark.ARROW, Mark.ARROW, other) for one, other in bidirected]
    return graph_of(names, edges, kind, title=_TITLE)


def _parse_marked(text: str) -> tuple[list[str], list[MarkedEdge]]:
    """Read statements in which a name and an arrow take turns, so that even a vertex may be called o-o."""
    names: dict[str, None] = {}
    edges: list[MarkedEdge] = []
    previous: str | None = None
    arrow: str | None = None
    line, position = 1, 0
    while position <= len(text):
        found = _TOKEN.match(text, position)
        if found is None and position < len(text):
            raise unreadable(_TITLE, f"the quote at {text[position : position + 20]!r} is not closed.", line)
        kind, token = (found.lastgroup, found.group()) if found else ("end", "")
        position = found.end() if found else len(text) + 1
        if kind == "end":
            if arrow is not None:
                raise unreadable(_TITLE, f"nothing follows {previous!r} {arrow}; write the second name.", line)
            previous = None
        elif kind != "space" and previous is not None and arrow is None:
            if token not in ARROWS:
                reason = f"after {previous!r} comes {token!r}, not an arrow; put spaces around arrows, as in A o-> B."
                raise unreadable(_TITLE, reason, line)
            arrow = token
        elif kind != "space":
            if kind == "bare" and ("->" in token or "<-" in token):
                raise unreadable(_TITLE, f"put spaces around the arrow in {token!r}, or quotes around the name.", line)
            name = parse_edges(token)[0][0] if kind == "quoted" else token
            names.setdefault(name)
            if previous is not None and arrow is not None:
                edges.append(MarkedEdge(previous, *ARROWS[arrow], name, line))
            previous, arrow = name, None
        line += token.count("\n")
    return list(names), edges
