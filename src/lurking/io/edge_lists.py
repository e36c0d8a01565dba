"""An ADMG as plain Python lists, which the constructors of other libraries take.

With ``lists = to_edge_lists(graph)``:

=============  ======================================================================================================
library        its graph
=============  ======================================================================================================
pywhy-graphs   ``g = pywhy_graphs.ADMG(lists["directed"], lists["bidirected"]); g.add_nodes_from(lists["vertices"])``
ananke         ``ananke.graphs.ADMG(lists["vertices"], di_edges=lists["directed"], bi_edges=lists["bidirected"])``
pgmpy          ``g = ADMG(lists["directed"], lists["bidirected"]); g.add_nodes_from(lists["vertices"])``
=============  ======================================================================================================

(pgmpy adds the directed edges first; added after bidirected ones it takes them for cycles.)

>>> to_edge_lists(ADMG.parse("A -> B; A <-> C"))
{'vertices': ['A', 'B', 'C'], 'directed': [('A', 'B')], 'bidirected': [('A', 'C')]}
>>> from_edge_lists({"directed": [("A", "B")]})
ADMG.parse('A -> B')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from lurking._errors import ParameterError
from lurking.graphs import ADMG

__all__ = ["EdgeLists", "from_edge_lists", "to_edge_lists"]


class EdgeLists(TypedDict):
    """The vertices in order, the pairs (cause, effect), and the pairs that share an unmeasured cause, each once."""

    vertices: list[str]
    directed: list[tuple[str, str]]
    bidirected: list[tuple[str, str]]


def to_edge_lists(graph: ADMG) -> EdgeLists:
    """Return the vertices and the edges of an ADMG as lists."""
    return EdgeLists(vertices=list(graph.names), directed=graph.directed_edges(), bidirected=graph.bidirected_edges())


def from_edge_lists(lists: Mapping[str, Any]) -> ADMG:
    """Return the ADMG of the lists.

    Parameters
    ----------
    lists : mapping
        ``directed`` and ``bidirected``, iterables of pairs of names, and ``vertices``, an iterable of names; each may
        be left out, the vertices if every one has an edge.
    """
    unknown = sorted(set(lists) - {"vertices", "directed", "bidirected"})
    if unknown:
        raise ParameterError(f"The lists must be vertices, directed and bidirected. Got {unknown[0]!r} instead.")
    names = list(lists["vertices"]) if "vertices" in lists else None
    return ADMG.from_edges(lists.get("directed", ()), lists.get("bidirected", ()), names)
