r"""Graphviz DOT, for drawing and for the many programs that speak it.

=============  ==================================================  =========================================
edge           written as                                          read from
=============  ==================================================  =========================================
``A -> B``     ``"A" -> "B";``                                     the same; also ``dir=back`` the other way
``A <-> B``    ``"A" -> "B" [dir=both, style=dashed];``            ``dir=both``, whatever the style
``A o-> B``    ``"A" -> "B" [dir=both, arrowtail=odot];``          ``odot`` at an end is a circle
``A -- B``     ``"A" -> "B" [dir=none];``                          the same, and the edges of a ``graph``
=============  ==================================================  =========================================

The graph is named ``ADMG``, ``CPDAG`` or ``PAG``. Under any other name the marks decide what it is (see
:mod:`lurking.io.marked_edges`). Groups (``A -> {B C}``) and defaults (``edge [dir=both]``) mean what they mean in
Graphviz; other attributes are skipped.

The name of a vertex is its identifier, with one exception: where the identifiers are the numbers from 0 on and every
vertex has a label, as in the files of causal-learn, the labels are the names.

DOT has no way to write a name in which an odd number of backslashes stands before a quote, a line end or the end of
the name: such a name is refused.

>>> from lurking.graphs import ADMG
>>> print(dumps(ADMG.parse("A -> B; A <-> B")), end="")
digraph ADMG {
  "A";
  "B";
  "A" -> "B";
  "A" -> "B" [dir=both, style=dashed];
}
>>> loads("digraph { edge [dir=both]; A -> {B C} }")
ADMG.parse('A <-> B; A <-> C')
"""

from __future__ import annotations

import re
from dataclasses import replace

from lurking._errors import FormatError
from lurking.graphs import Mark
from lurking.io.dot_language import Dialect, Document, Link, parse
from lurking.io.marked_edges import (
    KINDS_OF_MARKS,
    Graph,
    Kind,
    MarkedEdge,
    edges_of,
    graph_of,
    kind_of,
    refuse_selected,
    unreadable,
)

__all__ = ["dumps", "loads"]

_BACKSLASH = "\\"
_LETTER = r"A-Za-z_\u0080-\U0010ffff"


def _unquote(inside: str) -> str:
    r"""Only ``\"`` and a backslash at a line end mean something else than they say."""
    return re.sub(r'\\(\\|"|\r?\n)', lambda m: {"\\": "\\\\", '"': '"'}.get(m[1], ""), inside)


_DOT = Dialect(
    title="The DOT text",
    kinds=("graph", "digraph"),
    word=rf"[{_LETTER}][{_LETTER}0-9]*|-?(?:\.\d+|\d+(?:\.\d*)?)(?![{_LETTER}.])",
    quoted=r'"(?:[^"\\]|\\.)*+"',
    arrow="->|--",
    unquote=_unquote,
    defaults=("graph", "node", "edge"),
    group="subgraph",
    markup=True,
)
_MARK_OF_SHAPE = {
    "odot": Mark.CIRCLE,
    "none": Mark.TAIL,
    "normal": Mark.ARROW,
    "onormal": Mark.ARROW,
    "empty": Mark.ARROW,
    "vee": Mark.ARROW,
    "open": Mark.ARROW,
    "halfopen": Mark.ARROW,
}
_SHAPE = {Mark.CIRCLE: "odot", Mark.TAIL: "none", Mark.ARROW: "normal"}
_UNWRITABLE = re.compile(r'(?<!\\)\\(?:\\\\)*(?:["\n]|\r\n|\Z)')


def dumps(graph: Graph) -> str:
    """Write a graph in DOT."""
    refuse_selected(graph, "DOT")
    lines = [f"digraph {kind_of(graph).upper()} {{"]
    for name in graph.names:
        quoted = _quote(name)
        # Graphviz shows a name as its label, but takes a % before it for its own, and backslashes unless doubled.
        shown = _quote(name.replace(_BACKSLASH, 2 * _BACKSLASH))
        label = f" [label={shown}]" if name.startswith("%") or _BACKSLASH in name else ""
        lines.append(f"  {quoted}{label};")
    lines += [f"  {_quote(edge.one)} -> {_quote(edge.other)}{_attributes(edge)};" for edge in edges_of(graph)]
    return "\n".join(lines) + "\n}\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read a graph from DOT.

    Parameters
    ----------
    text : str
        A ``digraph`` or ``graph``.
    kind : {"admg", "cpdag", "pag"}, optional
        What the text holds; by default what its name says, else what its marks say.
    """
    document = parse(text, _DOT)
    if kind is None and (document.name or "").lower() in KINDS_OF_MARKS:
        kind = next(known for known in KINDS_OF_MARKS if known == (document.name or "").lower())
    edges = [_marked(link, document) for link in document.links]
    if document.strict:
        _check_strict(document)
    names = _labels(document) or {vertex: vertex for vertex in document.vertices}
    edges = [replace(edge, one=names[edge.one], other=names[edge.other]) for edge in edges]
    return graph_of(list(names.values()), edges, kind, title=_DOT.title)


def _labels(document: Document) -> dict[str, str] | None:
    """Return the label of each vertex if the identifiers are mere numbers, as in the files of causal-learn."""
    numbered = set(document.vertices) == {str(i) for i in range(len(document.vertices))}
    labels = {vertex: attributes.get("label", "") for vertex, attributes in document.vertices.items()}
    return labels if numbered and all(labels.values()) else None


def _quote(name: str) -> str:
    if _UNWRITABLE.search(name) or "\0" in name:
        raise FormatError(f"DOT cannot write the name {name!r} because of its backslash or null; rename the variable.")
    return '"' + name.replace('"', '\\"') + '"'


def _attributes(edge: MarkedEdge) -> str:
    match edge.at_one, edge.at_other:
        case Mark.TAIL, Mark.ARROW:
            return ""
        case Mark.ARROW, Mark.ARROW:
            return " [dir=both, style=dashed]"
        case Mark.TAIL, Mark.TAIL:
            return " [dir=none]"
    return f" [dir=both, arrowtail={_SHAPE[edge.at_one]}, arrowhead={_SHAPE[edge.at_other]}]"


def _marked(link: Link, document: Document) -> MarkedEdge:
    expected = "->" if document.kind == "digraph" else "--"
    if link.arrow != expected:
        raise unreadable(_DOT.title, f"the edges of a {document.kind} are written {expected}.", link.line)
    drawn = link.attributes.get("dir", "forward" if document.kind == "digraph" else "none")
    if drawn not in ("forward", "back", "both", "none"):
        raise unreadable(_DOT.title, f"dir must be forward, back, both or none, but it is {drawn!r}.", link.line)
    at_one = _mark(link, "arrowtail") if drawn in ("back", "both") else Mark.TAIL
    at_other = _mark(link, "arrowhead") if drawn in ("forward", "both") else Mark.TAIL
    return MarkedEdge(link.one, at_one, at_other, link.other, link.line)


def _mark(link: Link, attribute: str) -> Mark:
    shape = link.attributes.get(attribute, "normal")
    if shape not in _MARK_OF_SHAPE:
        reason = f"{attribute}={shape} is none of the shapes with a meaning here: {', '.join(_MARK_OF_SHAPE)}."
        raise unreadable(_DOT.title, reason, link.line)
    return _MARK_OF_SHAPE[shape]


def _check_strict(document: Document) -> None:
    seen: set[frozenset[str] | tuple[str, str]] = set()
    for link in document.links:
        pair = (link.one, link.other) if document.kind == "digraph" else frozenset((link.one, link.other))
        if pair in seen:
            reason = (
                f"a strict {document.kind} merges the edges between {link.one!r} and {link.other!r}; drop 'strict'."
            )
            raise unreadable(_DOT.title, reason, link.line)
        seen.add(pair)
