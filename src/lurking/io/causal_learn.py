"""causal-learn: a graph to and from its ``GeneralGraph``.

``GeneralGraph.graph[i, j]`` is the mark **at i** on the edge between i and j (ours is the mark at j):

===============  =================  =================
edge             ``graph[i, j]``    ``graph[j, i]``
===============  =================  =================
``i -> j``       -1                 1
``i <-> j``      1                  1
``i o-> j``      2                  1
``i o-o j``      2                  2
``i -- j``       -1                 -1
both ``i -> j``  4                  5
and ``i <-> j``
===============  =================  =================

The matrix is filled directly: the method ``add_edge`` silently drops an edge between a circle and a tail.

What a ``GeneralGraph`` holds is told by its flag ``pag``, which FCI sets, and else by its marks (see
:mod:`lurking.io.marked_edges`): the graph of PC or GES with an undirected edge is a CPDAG. A bare matrix, such as
``cg.G.graph``, is read with a list of names.

>>> from_causal_learn([[0, -1, 0], [1, 0, -1], [0, -1, 0]], names=["A", "B", "C"])
CPDAG.parse('A -> B; B -- C')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lurking._errors import FormatError
from lurking.graphs import Mark
from lurking.io.marked_edges import Graph, Kind, MarkedEdge, edges_of, graph_of, kind_of, refuse_selected
from lurking.io.optional import require

__all__ = ["from_causal_learn", "to_causal_learn"]

_CODE = {Mark.TAIL: -1, Mark.ARROW: 1, Mark.CIRCLE: 2}
_MARK = {code: mark for mark, code in _CODE.items()}
_TAIL_AND_ARROW, _ARROW_AND_ARROW = 4, 5


def to_causal_learn(graph: Graph) -> Any:
    """Return the graph as causal-learn's.

    Returns
    -------
    general_graph : causallearn.graph.GeneralGraph.GeneralGraph
        Its nodes are ``GraphNode`` objects with our names; ``is_pag()`` tells whether it is a PAG.
    """
    refuse_selected(graph, "causal-learn")
    general_graph = require("causallearn.graph.GeneralGraph", "causal-learn").GeneralGraph
    node = require("causallearn.graph.GraphNode", "causal-learn").GraphNode
    number = {name: i for i, name in enumerate(graph.names)}
    codes = np.zeros((len(number), len(number)), dtype=int)
    for edge in edges_of(graph):  # directed edges come first
        i, j = number[edge.one], number[edge.other]
        if codes[i, j]:  # a bow: the end with the tail gets one code, the end with two arrowheads another
            tail, head = (i, j) if codes[i, j] == _CODE[Mark.TAIL] else (j, i)
            codes[tail, head], codes[head, tail] = _TAIL_AND_ARROW, _ARROW_AND_ARROW
        else:
            codes[i, j], codes[j, i] = _CODE[edge.at_one], _CODE[edge.at_other]
    converted = general_graph([node(name) for name in graph.names])
    converted.graph = codes
    converted.reconstitute_dpath(converted.get_graph_edges())
    converted.set_pag(kind_of(graph) == "pag")
    return converted


def from_causal_learn(general_graph: Any, kind: Kind | None = None, names: Sequence[str] | None = None) -> Graph:
    """Return the ADMG, the CPDAG or the PAG of a ``GeneralGraph``.

    Parameters
    ----------
    general_graph : causallearn.graph.GeneralGraph.GeneralGraph
        For the result of ``pc`` or ``fci``, its attribute ``G`` or its first item. Or its matrix ``graph`` alone, of
        shape (d, d), with ``names``.
    kind : {"admg", "cpdag", "pag"}, optional
        What it is; by default what its flag ``pag`` and its marks say.
    names : sequence of str, optional
        The variables; needed for a matrix, and for a graph in the place of its own names.

    Raises
    ------
    FormatError
        If it has an edge that such a graph cannot have.
    """
    is_matrix = isinstance(general_graph, list | np.ndarray)
    if names is None and is_matrix:
        raise FormatError("A matrix of causal-learn has no names; give them as names=[...].")
    if names is None:
        names = [str(name) for name in general_graph.get_node_names()]
    codes = np.asarray(general_graph if is_matrix else general_graph.graph).astype(int)
    if codes.shape != (len(names), len(names)):
        raise FormatError(
            f"The matrix of causal-learn must have shape ({len(names)}, {len(names)}), one row per name. "
            f"Got {codes.shape} instead."
        )
    edges: list[MarkedEdge] = []
    for i, j in np.argwhere(np.triu((codes != 0) | (codes.T != 0), 1)).tolist():
        at_one, at_other = int(codes[i, j]), int(codes[j, i])
        if (at_one, at_other) in ((_TAIL_AND_ARROW, _ARROW_AND_ARROW), (_ARROW_AND_ARROW, _TAIL_AND_ARROW)):
            tail, head = (i, j) if at_one == _TAIL_AND_ARROW else (j, i)
            edges.append(MarkedEdge(names[tail], Mark.TAIL, Mark.ARROW, names[head]))
            edges.append(MarkedEdge(names[tail], Mark.ARROW, Mark.ARROW, names[head]))
        elif at_one in _MARK and at_other in _MARK:
            edges.append(MarkedEdge(names[i], _MARK[at_one], _MARK[at_other], names[j]))
        else:
            raise FormatError(
                f"The GeneralGraph has the codes {at_one} and {at_other} between {names[i]!r} and {names[j]!r}, "
                "which are no edge of an ADMG or a PAG; remove it."
            )
    if kind is None and not is_matrix and general_graph.is_pag():
        kind = "pag"
    return graph_of(names, edges, kind, title="The GeneralGraph")
