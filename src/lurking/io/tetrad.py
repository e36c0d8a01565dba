r"""The graph files of Tetrad, which causal-cmd, py-tetrad and causal-learn share.

A list of names and a numbered list of edges::

    Graph Nodes:
    A;B;C

    Graph Edges:
    1. A --> B
    2. B <-> C
    3. A o-> C

Read: names separated by ``;`` or ``,``, or, in older files, by spaces, on one line or several; flags (``dd pd nl pl``)
and bootstrap shares (``[A o-> B]:0.98;[no edge]:0.02;``) after an edge, and any other section, are skipped. A name in
round brackets is a latent vertex for Tetrad; it **stays in the graph**, and ``latent_names`` lists them. One in square
brackets is a selected vertex: the graph is then a :class:`~lurking.graphs.SelectedADMG`.

The files do not say what they hold, so the marks decide (see :mod:`lurking.io.marked_edges`): with ``---`` and without
circles it is a CPDAG, as PC, FGES and BOSS write them. A CPDAG or PAG that we wrote carries the line
``Graph Kind: pag``, which Tetrad skips.

Tetrad splits names at white space, commas and semicolons and takes brackets for itself; each such character is
written ``_``, and a section at the end that Tetrad skips keeps the true names.

>>> from lurking.graphs import ADMG
>>> print(dumps(ADMG.parse('age -> "lung cancer"')))
Graph Nodes:
age;lung_cancer
<BLANKLINE>
Graph Edges:
1. age --> lung_cancer
<BLANKLINE>
Graph Names:
written lung_cancer for "lung cancer"
<BLANKLINE>
>>> loads("Graph Nodes:\nX1,X2\n\nGraph Edges:\n1. X1 --> X2 dd nl [X1 --> X2]:0.98;[no edge]:0.02;\n")
ADMG.parse('X1 -> X2')
"""

from __future__ import annotations

import re

from lurking.graphs import SelectedADMG
from lurking.io.aliases import alias_lines, aliases, read_aliases
from lurking.io.marked_edges import (
    ARROWS,
    KINDS_OF_MARKS,
    Graph,
    Kind,
    MarkedEdge,
    edges_of,
    graph_of,
    kind_of,
    names_of,
    unreadable,
)

__all__ = ["dumps", "latent_names", "loads"]

Lines = list[tuple[int, str]]
"""Lines with their numbers."""

_TITLE = "The Tetrad text"
_LONG = {marks: arrow for arrow, marks in ARROWS.items() if len(arrow) == 3}
_UNFIT = re.compile(r"[\s,;()\[\]\x00-\x1f\x7f]")
_ARROW = re.compile(r"(?<!\S)([<o-]-[o>-])(?=\s)")
_REMARK = re.compile(r"(?:\s+(?:dd|pd|nl|pl))*(?:\s+[\[(].*)?")
_NUMBER = re.compile(r"\d+\.\s*")


def dumps(graph: Graph) -> str:
    """Write a graph as Tetrad does."""
    written = aliases(names_of(graph), lambda name: _UNFIT.sub("_", name))
    selected = graph.selected if isinstance(graph, SelectedADMG) else ()
    nodes = [f"[{alias}]" if name in selected else alias for name, alias in written.items()]
    lines = ["Graph Nodes:", ";".join(nodes), "", "Graph Edges:"]
    for number, edge in enumerate(edges_of(graph), start=1):
        lines.append(f"{number}. {written[edge.one]} {_LONG[edge.at_one, edge.at_other]} {written[edge.other]}")
    if kind_of(graph) not in ("admg", "selected"):
        lines += ["", f"Graph Kind: {kind_of(graph)}"]
    replaced = alias_lines(written)
    if replaced:
        lines += ["", "Graph Names:", *replaced]
    return "\n".join(lines) + "\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read a graph that Tetrad wrote.

    Parameters
    ----------
    text : str
        A text with a section ``Graph Nodes:``.
    kind : {"admg", "cpdag", "pag", "selected"}, optional
        What the text holds; by default what its marks say.
    """
    sections = _sections(text)
    nodes = _nodes(sections)
    written = [_plain(name) for name in nodes]
    true_names = read_aliases(line for _, line in sections.get("Graph Names:", []))
    names = {name: true_names.get(name, name) for name in written}
    edges = [_edge(line, number, names) for number, line in sections.get("Graph Edges:", [])]
    selected = [names[_plain(name)] for name in nodes if _bracketed(name, "[]")]
    if kind is None:
        kind = next((known for known in KINDS_OF_MARKS if f"Graph Kind: {known}" in sections), None)
    return graph_of([names[name] for name in written], edges, kind, title=_TITLE, selected=selected)


def latent_names(text: str) -> tuple[str, ...]:
    """Return the vertices that a Tetrad text declares latent, by round brackets."""
    return tuple(_plain(name) for name in _nodes(_sections(text)) if _bracketed(name, "()"))


def _sections(text: str) -> dict[str, Lines]:
    """Return the lines of each section with their numbers; a line that begins with "Graph" opens one."""
    sections: dict[str, Lines] = {}
    current: Lines = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if line.startswith("Graph ") and ":" in line:
            current = sections.setdefault(line, [])
        elif line:
            current.append((number, line))
        elif current or current is not sections.get("Graph Nodes:"):
            current = []  # a blank line ends a section, except before the names
    if "Graph Nodes:" not in sections:
        found = repr(text.strip()[:20]) if text.strip() else "nothing"
        raise unreadable(_TITLE, f"expected a line 'Graph Nodes:', but found {found}.")
    return sections


def _nodes(sections: dict[str, Lines]) -> list[str]:
    lines = sections["Graph Nodes:"]
    # Older versions of Tetrad put spaces between the names; newer ones a semicolon, and spaces may be part of a name.
    between = "[;,]" if any(mark in line for _, line in lines for mark in ";,") or _one_is_a_name(sections) else r"\s+"
    return [name for _, line in lines for name in filter(None, map(str.strip, re.split(between, line)))]


def _one_is_a_name(sections: dict[str, Lines]) -> bool:
    """Tell whether each line of names without ; and , is one name with spaces: then edges use it as a whole."""
    whole = [line for _, line in sections["Graph Nodes:"] if " " in line]
    return bool(whole) and all(any(name in line for _, line in sections.get("Graph Edges:", [])) for name in whole)


def _plain(name: str) -> str:
    return name[1:-1] if _bracketed(name, "()") or _bracketed(name, "[]") else name


def _bracketed(name: str, brackets: str) -> bool:
    return len(name) > 2 and name[0] == brackets[0] and name[-1] == brackets[1]


def _edge(line: str, number: int, names: dict[str, str]) -> MarkedEdge:
    """Read one edge; the names, each with the true name it stands for, tell where a name with spaces ends."""
    body = _NUMBER.sub("", line, count=1)
    arrows = list(_ARROW.finditer(body))
    if not arrows:
        raise unreadable(_TITLE, f"expected an edge such as '1. A --> B', but found {line[:40]!r}.", number)
    readings = []
    for arrow in arrows:
        left, right = body[: arrow.start()].strip(), body[arrow.end() :].strip()
        if left in names:
            others = [name for name in names if right.startswith(name) and _REMARK.fullmatch(right[len(name) :])]
            readings += [MarkedEdge(names[left], *ARROWS[arrow[1]], names[other], number) for other in others]
    if len(readings) == 1:
        return readings[0]
    if readings:
        shown = " or ".join(str(reading) for reading in readings)
        raise unreadable(_TITLE, f"{line[:40]!r} may mean {shown}; rename the variables without spaces.", number)
    listed = ", ".join(map(repr, list(names)[:8])) + (", ..." if len(names) > 8 else "")
    raise unreadable(_TITLE, f"{line[:40]!r} does not join two of the variables {listed}.", number)
