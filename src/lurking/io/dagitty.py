r"""DAGitty, the language of dagitty.net and of the R package of that name.

An ADMG is a ``dag`` that also has ``<->``; circles are written ``@``::

    dag { smoking -> "lung cancer" <-> asbestos }
    pag { A @-> B @-@ C }

Read: ``dag``, ``pag``, ``mag``, ``pdag``, ``graph`` and ``digraph``, bare statements (a ``dag``), and the lists of the
older language (:mod:`lurking.io.dagitty_lists`). A ``pag`` is always a PAG and a ``pdag`` a CPDAG; for the others the
marks decide, see :mod:`lurking.io.marked_edges`. ``--`` is selection in a ``mag`` or ``pag`` and a direction that is
left open elsewhere. Attributes (``[pos="1,2"]``, ``[beta=.3]``) are skipped, but for two. **Latent vertices stay in the
graph** as vertices; ``latent_names`` lists them, so that ``loads(text).latent_projection(latent_names(text))`` is the
graph of the measured ones. With vertices that are ``[selected]`` the graph is a
:class:`~lurking.graphs.SelectedADMG`, which knows that two causes of such a vertex depend on each other in the sample.
``roles`` lists exposures, outcomes and adjusted vertices.

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
from lurking.graphs import SelectedADMG
from lurking.io.dagitty_lists import is_list, parse_list
from lurking.io.dot_language import Dialect, Document, parse
from lurking.io.marked_edges import ARROWS, Graph, Kind, MarkedEdge, edges_of, graph_of, kind_of, names_of

__all__ = ["dumps", "latent_names", "loads", "roles"]

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
_WORD: dict[Kind, str] = {"admg": "dag", "cpdag": "pdag", "pag": "pag", "selected": "dag"}
_BARE = re.compile(r"[0-9A-Za-z_.]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ROLES = {
    "latent": ("latent", "l", "unobserved", "u"),
    "exposure": ("exposure", "e"),
    "outcome": ("outcome", "o"),
    "adjusted": ("adjusted", "a"),
    "selected": ("selected", "s"),
}


def dumps(graph: Graph) -> str:
    """Write a graph for DAGitty: an ADMG as ``dag``, a CPDAG as ``pdag``, a PAG as ``pag``."""
    lines = [f"{_WORD[kind_of(graph)]} {{"]
    selected = graph.selected if isinstance(graph, SelectedADMG) else ()
    lines += [f"{_quote(name)} [selected]" if name in selected else _quote(name) for name in names_of(graph)]
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
    kind : {"admg", "cpdag", "pag", "selected"}, optional
        What the text holds; by default what its first word or else its marks say.
    """
    document = _parse(text)
    edges = [MarkedEdge(link.one, *_MARKS[link.arrow], link.other, link.line) for link in document.links]
    if kind is None and (document.kind == "pag" or (document.kind == "mag" and any(e.has_two_tails for e in edges))):
        kind = "pag"
    if kind is None and document.kind == "pdag" and not any(e.has_circle for e in edges):
        kind = "cpdag"
    selected = roles(text)["selected"]
    return graph_of(list(document.vertices), edges, kind, title=_DAGITTY.title, selected=selected)


def latent_names(text: str) -> tuple[str, ...]:
    """Return the vertices that a DAGitty text declares ``latent``, in the order of the text."""
    return roles(text)["latent"]


def roles(text: str) -> dict[str, tuple[str, ...]]:
    """Return the vertices with each role, in the order of the text.

    Examples
    --------
    >>> found = roles("dag { X [exposure] Y [outcome] X -> Y }")
    >>> found["exposure"], found["outcome"], found["latent"]
    (('X',), ('Y',), ())
    """
    vertices = _parse(text).vertices
    return {
        role: tuple(name for name, attributes in vertices.items() if set(words) & set(attributes))
        for role, words in _ROLES.items()
    }


def _parse(text: str) -> Document:
    return parse_list(text) if is_list(text) else parse(text, _DAGITTY)


def _quote(name: str) -> str:
    if name in ("graph", "node") or name.endswith("\\") or _CONTROL.search(name):
        reason = "is a keyword" if name in ("graph", "node") else "ends in a backslash or holds a control character"
        raise FormatError(f"DAGitty cannot write the name {name!r}, which {reason}; rename the variable.")
    return name if _BARE.fullmatch(name) else '"' + name.replace('"', '\\"') + '"'
