"""Our own JSON, the format that keeps everything and that other programs can read without knowing us.

An ADMG and a CPDAG are two lists of edges each, a PAG is one list of (name, arrow, name). An ADMG with selected
vertices lists them::

    {"schema": "lurking/graph@1", "kind": "admg", "names": ["A", "B"], "directed": [["A", "B"]], "bidirected": []}
    {"schema": "lurking/graph@1", "kind": "cpdag", "names": ["A", "B"], "directed": [], "undirected": [["A", "B"]]}
    {"schema": "lurking/graph@1", "kind": "selected", "names": ["X", "S"], "selected": ["S"], "directed": [["X", "S"]],
     "bidirected": []}
    {"schema": "lurking/graph@1", "kind": "pag", "names": ["A", "B"], "edges": [["A", "o->", "B"]]}

The number after ``@`` is the version of the schema. It changes when a file that was written before could be
misread, and a reader refuses a version it does not know rather than guess. ``kind`` may be left out: ``edges`` means
a PAG, ``undirected`` a CPDAG, and ``selected`` an ADMG with selected vertices.

>>> from lurking.graphs import ADMG
>>> loads(dumps(ADMG.parse("A -> B; B <-> C")))
ADMG.parse('A -> B; B <-> C')
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lurking._errors import FormatError
from lurking.graphs import Mark, SelectedADMG
from lurking.io.marked_edges import (
    ARROWS,
    KINDS,
    Graph,
    Kind,
    MarkedEdge,
    edges_of,
    graph_of,
    kind_of,
    names_of,
    unreadable,
)

__all__ = ["SCHEMA", "VERSION", "dumps", "from_document", "loads", "to_document"]

SCHEMA = "lurking/graph"
VERSION = 1

_TITLE = "The JSON text"
_KEYS: dict[Kind, frozenset[str]] = {
    "admg": frozenset({"schema", "kind", "names", "directed", "bidirected"}),
    "cpdag": frozenset({"schema", "kind", "names", "directed", "undirected"}),
    "pag": frozenset({"schema", "kind", "names", "edges"}),
    "selected": frozenset({"schema", "kind", "names", "selected", "directed", "bidirected"}),
}


def to_document(graph: Graph) -> dict[str, Any]:
    """Return the graph as plain dicts, lists and strings, to be a part of a larger document.

    Examples
    --------
    >>> from lurking.graphs import ADMG
    >>> to_document(ADMG.parse("A <-> B"))["bidirected"]
    [['A', 'B']]
    """
    kind = kind_of(graph)
    document: dict[str, Any] = {"schema": f"{SCHEMA}@{VERSION}", "kind": kind, "names": list(names_of(graph))}
    if isinstance(graph, SelectedADMG):
        document["selected"] = list(graph.selected)
    edges = edges_of(graph)
    if kind == "pag":
        document["edges"] = [[edge.one, edge.arrow, edge.other] for edge in edges]
    elif kind == "cpdag":
        document["directed"] = [[edge.one, edge.other] for edge in edges if not edge.has_two_tails]
        document["undirected"] = [[edge.one, edge.other] for edge in edges if edge.has_two_tails]
    else:
        document["directed"] = [[edge.one, edge.other] for edge in edges if edge.at_one == Mark.TAIL]
        document["bidirected"] = [[edge.one, edge.other] for edge in edges if edge.at_one == Mark.ARROW]
    return document


def from_document(document: object, kind: Kind | None = None) -> Graph:
    """Return the graph of a document that :func:`to_document` made.

    Raises
    ------
    FormatError
        If the schema, its version or a part of the document is not what it must be.
    """
    if not isinstance(document, dict):
        raise unreadable(_TITLE, f"a graph is an object with the key 'schema', but this is {_named(document)}.")
    _check_schema(document.get("schema"))
    declared: Kind = document.get("kind", _kind_of_keys(document))
    if declared not in KINDS:
        raise unreadable(_TITLE, f"the kind must be one of {', '.join(KINDS)}, but it is {declared!r}.")
    unknown = sorted(set(document) - _KEYS[declared])
    if unknown:
        known = ", ".join(sorted(_KEYS[declared]))
        raise unreadable(_TITLE, f"{unknown[0]!r} is no key of a graph of kind {declared}, which has {known}.")
    names, selected = _names(document, "names"), _names(document, "selected") if declared == "selected" else []
    stranger = next((name for name in selected if name not in names), None)
    if stranger is not None:
        raise unreadable(_TITLE, f"'selected' has {stranger!r}, which is not among the names; add it there.")
    if declared == "pag":
        edges = [_marked(edge) for edge in _strings(document, "edges", 3)]
    else:
        edges = [MarkedEdge(one, Mark.TAIL, Mark.ARROW, other) for one, other in _strings(document, "directed", 2)]
        edges += [MarkedEdge(one, Mark.ARROW, Mark.ARROW, other) for one, other in _strings(document, "bidirected", 2)]
        edges += [MarkedEdge(one, Mark.TAIL, Mark.TAIL, other) for one, other in _strings(document, "undirected", 2)]
    return graph_of(names, edges, kind or declared, title=_TITLE, selected=selected)


def dumps(graph: Graph) -> str:
    """Write a graph as JSON, one edge a line."""
    document = to_document(graph)
    lines = []
    for key, value in document.items():
        written = json.dumps(value, ensure_ascii=False)
        if key in ("directed", "bidirected", "undirected", "edges") and value:
            written = "[\n    " + ",\n    ".join(json.dumps(edge, ensure_ascii=False) for edge in value) + "\n  ]"
        lines.append(f'  "{key}": {written}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read a graph from JSON.

    Parameters
    ----------
    text : str
        The document.
    kind : {"admg", "cpdag", "pag", "selected"}, optional
        Read the edges as this kind of graph, whatever the text says.
    """
    try:
        document = json.loads(text, object_pairs_hook=_without_repetition)
    except json.JSONDecodeError as error:
        raise unreadable(_TITLE, f"it is not JSON ({error.msg}, column {error.colno}).", error.lineno) from error
    except RecursionError as error:
        raise unreadable(_TITLE, "its lists are nested too deeply for a graph.") from error
    return from_document(document, kind)


def _names(document: dict[str, Any], key: str) -> list[str]:
    names = document.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise unreadable(_TITLE, f"{key!r} must be a list of strings, but it is {_named(names)}.")
    return names


def _kind_of_keys(document: dict[str, Any]) -> Kind:
    if "selected" in document:
        return "selected"
    return "pag" if "edges" in document else "cpdag" if "undirected" in document else "admg"


def _check_schema(schema: object) -> None:
    expected = f"{SCHEMA}@{VERSION}"
    if not isinstance(schema, str):
        raise unreadable(_TITLE, f"'schema' must be {expected!r}, but it is {_named(schema)}.")
    family, _, version = schema.partition("@")
    if family != SCHEMA:
        raise unreadable(_TITLE, f"'schema' must be {expected!r}, but it is {schema!r}, which is not a graph.")
    if version != str(VERSION):
        raise unreadable(_TITLE, f"it has schema {schema!r}, and this lurking reads {expected!r}; update lurking.")


def _strings(document: dict[str, Any], key: str, length: int) -> list[list[str]]:
    edges = document.get(key, [])
    shape = "[name, name]" if length == 2 else "[name, arrow, name]"
    if not isinstance(edges, list):
        raise unreadable(_TITLE, f"{key!r} must be a list of {shape}, but it is {_named(edges)}.")
    for edge in edges:
        if not isinstance(edge, list) or len(edge) != length or not all(isinstance(part, str) for part in edge):
            raise unreadable(_TITLE, f"each entry of {key!r} must be {shape}, but one is {_named(edge)}.")
    return edges


def _marked(edge: list[str]) -> MarkedEdge:
    one, arrow, other = edge
    if arrow not in ARROWS:
        raise unreadable(_TITLE, f"the arrow between {one!r} and {other!r} is {arrow!r}; write one such as o->.")
    return MarkedEdge(one, *ARROWS[arrow], other)


def _without_repetition(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for key, value in pairs:
        if key in document:
            raise FormatError(f"{_TITLE} cannot be read: the key {key!r} occurs twice; keep one of them.")
        document[key] = value
    return document


def _named(value: object) -> str:
    written = "missing" if value is None else json.dumps(value, ensure_ascii=False)
    return written if len(written) <= 40 else written[:37] + "..."
