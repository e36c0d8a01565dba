r"""DAGitty, the language of dagitty.net and of the R package of that name.

An ADMG is a ``dag`` that also has ``<->``; circles are written ``@``::

    dag { smoking -> "lung cancer" <-> asbestos }
    pag { A @-> B @-@ C }

Read: ``dag``, ``pag``, ``mag``, ``pdag``, ``graph`` and ``digraph``, or bare statements (a ``dag``). A ``pag`` is
always a PAG; for the others the marks decide, see :mod:`lurking.io.marked_edges`. ``--`` is an edge without
arrowheads in a ``mag`` or ``pag``; in the others it leaves the direction open, which no ADMG or PAG can say, and is
refused. Attributes (``[exposure]``, ``[pos="1,2"]``, ``[beta=.3]``) are skipped. **Latent vertices stay in the graph**
as vertices; ``latent_names`` lists them, so that ``loads(text).latent_projection(latent_names(text))`` is the
graph of the measured ones.

DAGitty cannot write a name that ends in a backslash, that holds a control character such as a line end, or that is
``graph`` or ``node``: these are refused.

>>> text = 'dag { X [exposure] U [latent] X -> Y  U -> {X Y} }'
>>> loads(text), latent_names(text)
(ADMG.parse('X; U; Y; X -> Y; U -> X; U -> Y'), ('U',))
>>> loads(text).latent_projection(latent_names(text))
ADMG.parse('X -> Y; X <-> Y')
"""

from __future__ import annotations

import re

from lurking._errors import FormatError
from lurking.io.dot_language import Dialect, Document, Link, parse
from lurking.io.marked_edges import ARROWS, Graph, Kind, MarkedEdge, edges_of, graph_of, kind_of, unreadable

__all__ = ["dumps", "latent_names", "loads"]

_MARKS = {"--" if a == "---" else a.replace("o", "@"): m for a, m in ARROWS.items() if a not in ("-->", "<--")}
_ARROW = {marks: arrow for arrow, marks in _MARKS.items()}

_DAGITTY = Dialect(
    title="The DAGitty text",
    kinds=("dag", "pag", "mag", "pdag", "graph", "digraph"),
    word=r"-?[\w.]+",
    quoted=r'"(?:\\"|[^"])*+"',
    arrow="|".join(sorted(map(re.escape, _MARKS), key=len, reverse=True)),
    unquote=lambda inside: re.sub(r'\\(?:(")|[\r\n]+)', lambda m: m[1] or "", inside),
    defaults=("graph", "node"),
    default_kind="dag",
)
_BARE = re.compile(r"[0-9A-Za-z_.]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LATENT = frozenset({"latent", "l", "unobserved", "u"})


def dumps(graph: Graph) -> str:
    """Write a graph for DAGitty: an ADMG as ``dag``, a PAG as ``pag``."""
    lines = ["pag {" if kind_of(graph) == "pag" else "dag {"]
    lines += [_quote(name) for name in graph.names]
    lines += [
        f"{_quote(edge.one)} {_ARROW[edge.at_one, edge.at_other]} {_quote(edge.other)}" for edge in edges_of(graph)
    ]
    return "\n".join(lines) + "\n}\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read a graph that DAGitty wrote.

    Parameters
    ----------
    text : str
        A graph such as ``dag { A -> B }``, or its statements alone.
    kind : {"admg", "pag"}, optional
        What the text holds; by default a PAG if it opens with ``pag``, else what its marks say.
    """
    document = parse(text, _DAGITTY)
    edges = [_marked(link, document) for link in document.links]
    if kind is None and (document.kind == "pag" or (document.kind == "mag" and any(e.has_two_tails for e in edges))):
        kind = "pag"
    return graph_of(list(document.vertices), edges, kind, title=_DAGITTY.title)


def latent_names(text: str) -> tuple[str, ...]:
    """Return the vertices that a DAGitty text declares ``latent``, in the order of the text."""
    vertices = parse(text, _DAGITTY).vertices
    return tuple(name for name, attributes in vertices.items() if _LATENT & set(attributes))


def _quote(name: str) -> str:
    if name in ("graph", "node") or name.endswith("\\") or _CONTROL.search(name):
        reason = "is a keyword" if name in ("graph", "node") else "ends in a backslash or holds a control character"
        raise FormatError(f"DAGitty cannot write the name {name!r}, which {reason}; rename the variable.")
    return name if _BARE.fullmatch(name) else '"' + name.replace('"', '\\"') + '"'


def _marked(link: Link, document: Document) -> MarkedEdge:
    edge = MarkedEdge(link.one, *_MARKS[link.arrow], link.other, link.line)
    if edge.has_two_tails and document.kind not in ("mag", "pag"):
        reason = f"{edge} leaves its direction open in a {document.kind}; write an arrow, or pag {{ }} and @-@."
        raise unreadable(_DAGITTY.title, reason, link.line)
    return edge
