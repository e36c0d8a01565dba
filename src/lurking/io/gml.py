r"""GML, which networkx, igraph, yEd, Gephi and dowhy write.

A list of keys and values, in which lists have brackets::

    graph [
      directed 1
      node [ id 0 label "smoking" ]
      node [ id 1 label "cancer" ]
      edge [ source 0 target 1 ]
    ]

The name of a vertex is its ``label``, or else its ``id``; ``source`` and ``target`` are ids. An edge is ``->`` in a
graph with ``directed 1`` and ``--`` in any other, unless it says ``arrow "<->"``, which is our addition to the
language; so is ``kind "admg"`` of the graph. Without it the marks decide (see :mod:`lurking.io.marked_edges`). Every
other key is skipped, but ``observed "no"`` of a vertex (dowhy) makes it latent: it stays in the graph, and
``latent_names`` lists it.

Letters beyond ASCII, ``"`` and ``&`` are written as ``&#228;``, as the language asks.

>>> text = 'graph[directed 1 node[id "X" label "X"] node[id "Y" label "Y"] edge[source "X" target "Y"]]'
>>> loads(text)
ADMG.parse('X -> Y')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.entities import name2codepoint
from typing import TypeAlias

from lurking.graphs import Mark
from lurking.io.marked_edges import (
    ARROWS,
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

__all__ = ["dumps", "latent_names", "loads"]

_TITLE = "The GML text"
_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|^\#[^\n]*)
  | (?P<bracket>[\[\]])
  | (?P<string>"[^"]*")
  | (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:INF|NAN)\b)
  | (?P<key>[A-Za-z_][\w.]*)
    """,
    re.VERBOSE | re.MULTILINE,
)
_DEEPEST = 50


@dataclass
class _Block:
    """A list of keys: the last plain value of each key, and the lists of each key."""

    line: int
    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[_Block]] = field(default_factory=dict)


_Token: TypeAlias = tuple[str, str, int]


def dumps(graph: Graph) -> str:
    """Write a graph in GML."""
    refuse_selected(graph, "GML")
    number = {name: i for i, name in enumerate(graph.names)}
    lines = ["graph [", "  directed 1", f'  kind "{kind_of(graph)}"']
    lines += [f'  node [\n    id {i}\n    label "{_escape(name)}"\n  ]' for name, i in number.items()]
    for edge in edges_of(graph):
        arrow = "" if edge.arrow == "->" else f'\n    arrow "{_escape(edge.arrow)}"'
        lines.append(f"  edge [\n    source {number[edge.one]}\n    target {number[edge.other]}{arrow}\n  ]")
    return "\n".join(lines) + "\n]\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read a graph from GML.

    Parameters
    ----------
    text : str
        A text with ``graph [ ... ]``.
    kind : {"admg", "cpdag", "pag"}, optional
        What the text holds; by default what it says, else what its marks say.
    """
    graph = _graph(text)
    names = _names(graph)
    drawn = "->" if graph.values.get("directed") == "1" else "--"
    edges = []
    for edge in graph.lists.get("edge", []):
        arrow = edge.values.get("arrow", drawn)
        if arrow not in ARROWS:
            raise unreadable(_TITLE, f"the arrow {arrow!r} is none; write one such as <->.", edge.line)
        ends = []
        for key in ("source", "target"):
            if edge.values.get(key) not in names:
                found = edge.values.get(key, "missing")
                raise unreadable(_TITLE, f"the {key} of an edge is {found!r}, which is no id of a node.", edge.line)
            ends.append(names[edge.values[key]])
        edges.append(MarkedEdge(ends[0], *ARROWS[arrow], ends[1], edge.line))
    if kind is None:
        kind = next((known for known in KINDS_OF_MARKS if known == graph.values.get("kind")), None)
    if kind is None and drawn == "->":
        _check_both_ways(edges)
    return graph_of(list(names.values()), edges, kind, title=_TITLE)


def latent_names(text: str) -> tuple[str, ...]:
    """Return the vertices with ``observed "no"``, in the order of the text."""
    graph = _graph(text)
    names = _names(graph)
    hidden = [node.values["id"] for node in graph.lists.get("node", []) if node.values.get("observed") == "no"]
    return tuple(names[identifier] for identifier in hidden)


def _check_both_ways(edges: list[MarkedEdge]) -> None:
    """Refuse A -> B together with B -> A, by which some programs mean a bidirected or an undirected edge."""
    directed = {(edge.one, edge.other) for edge in edges if edge.at_one == Mark.TAIL and edge.at_other == Mark.ARROW}
    for edge in edges:
        if (edge.one, edge.other) in directed and (edge.other, edge.one) in directed:
            reason = f'{edge} and its reverse are both there; write one edge with arrow "<->" or arrow "--".'
            raise unreadable(_TITLE, reason, edge.line)


def _names(graph: _Block) -> dict[str, str]:
    """Return the name of each id."""
    names: dict[str, str] = {}
    for node in graph.lists.get("node", []):
        if "id" not in node.values:
            raise unreadable(_TITLE, "a node has no id.", node.line)
        if node.values["id"] in names:
            raise unreadable(_TITLE, f"the id {node.values['id']!r} occurs twice.", node.line)
        names[node.values["id"]] = node.values.get("label", node.values["id"])
    return names


def _graph(text: str) -> _Block:
    tokens = _tokens(text)
    whole, rest = _block(tokens, 0, 1, 0)
    if rest < len(tokens):
        raise unreadable(_TITLE, "a ] closes nothing.", tokens[rest][2])
    graphs = whole.lists.get("graph", [])
    if len(graphs) != 1:
        raise unreadable(_TITLE, f"expected one graph [ ... ], but found {len(graphs) or 'none'}.")
    return graphs[0]


def _block(tokens: list[_Token], position: int, line: int, depth: int) -> tuple[_Block, int]:
    """Read keys up to a closing bracket; return them and where it is."""
    if depth > _DEEPEST:
        raise unreadable(_TITLE, f"lists are nested more than {_DEEPEST} deep.", line)
    block = _Block(line)
    while position < len(tokens) and tokens[position][1] != "]":
        kind, key, at = tokens[position]
        if kind != "key":
            raise unreadable(_TITLE, f"expected a key such as node, but found {key[:20]!r}.", at)
        kind, value, at = tokens[position + 1] if position + 1 < len(tokens) else ("", "the end of the text", at)
        if kind in ("string", "number"):
            block.values[key] = _unescape(value[1:-1]) if kind == "string" else value
            position += 2
        elif value == "[":
            inner, position = _block(tokens, position + 2, at, depth + 1)
            if position == len(tokens):
                raise unreadable(_TITLE, f"the [ of {key} is not closed.", at)
            block.lists.setdefault(key, []).append(inner)
            position += 1
        else:
            raise unreadable(_TITLE, f"expected a value of {key}, but found {value[:20]!r}.", at)
    return block, position


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    position, line = 0, 1
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise unreadable(_TITLE, f"expected a key, a value or a bracket, but found {text[position:][:20]!r}.", line)
        if found.lastgroup is not None and found.lastgroup != "skip":
            tokens.append((found.lastgroup, found.group(), line))
        line += found.group().count("\n")
        position = found.end()
    return tokens


def _unescape(text: str) -> str:
    """Return the letters that ``&#228;`` and ``&auml;`` stand for; half characters and unknown words are left alone."""

    def letter(found: re.Match[str]) -> str:
        code = int(found[1]) if found[1] else name2codepoint.get(found[2], -1)
        return chr(code) if 0 <= code < 0xD800 or 0xE000 <= code < 0x110000 else found[0]

    return re.sub(r"&(?:#([0-9]{1,7})|(\w+));", letter, text)


def _escape(text: str) -> str:
    return "".join(letter if " " <= letter <= "~" and letter not in '"&' else f"&#{ord(letter)};" for letter in text)
