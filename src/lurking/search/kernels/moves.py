"""Single-edge moves that stay inside a graph class, compiled.

A move gives one pair another edge, in the code of :mod:`lurking.graphs.edge_kinds`, which cannot hold bows. Taking
an edge away never leaves a class. Putting one in can, and only through structures that contain the new edge, so the
check looks at nothing else:

- a *cycle* needs a directed path from the new child back to the new parent;
- an *almost directed cycle* that uses i -> j needs a bidirected edge from an ancestor of i to a descendant of j; one
  that uses i <-> j needs a directed path between the two;
- a *c-tree* that uses the new edge holds both of its ends, so they must be in one district, and its root is a
  descendant of j (for i -> j), or of both (for i <-> j). Those roots are tried by primal fixing inside the district.

The check costs O(d²), or O(d³) for arid graphs when the new edge lies inside a district.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled, exact_part
from lurking._errors import ParameterError
from lurking._typing import Edges, GraphClass
from lurking.graphs.classes import CLASSES
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, set_edge
from lurking.search.kernels.class_checks import address_of_check, call_check

__all__ = ["CLASS_CODE", "may_set"]

_ANCESTRAL, _ARID, _BOW_FREE = 0, 1, 2


class _Codes(dict[GraphClass, int]):
    """What compiled functions call a class: a code; for a class that this file does not know, where its check is."""

    def __missing__(self, graph_class: GraphClass) -> int:
        stays = CLASSES[graph_class].stays
        if stays is None:
            raise ParameterError(
                f"The class {graph_class!r} has no check of moves; give its ClassRules one as 'stays'."
            )
        return address_of_check(stays)


CLASS_CODE = _Codes({"ancestral": _ANCESTRAL, "arid": _ARID, "bow-free": _BOW_FREE})


@exact_part
def _mark_reachable(edges: Edges, start: int, backwards: bool, among: Edges, marked: Edges) -> None:
    """Mark ``start`` and everything that the edges (or their reversal) lead to inside ``among``."""
    d = edges.shape[0]
    stack = np.empty(d, dtype=np.int64)
    marked[:] = 0
    marked[start] = 1
    stack[0] = start
    size = 1
    while size:
        size -= 1
        vertex = stack[size]
        for other in range(d):
            if among[other] and not marked[other] and (edges[other, vertex] if backwards else edges[vertex, other]):
                marked[other] = 1
                stack[size] = other
                size += 1


@exact_part
def _is_root_of_c_tree(directed: Edges, bidirected: Edges, root: int) -> bool:
    """Tell whether primal fixing of everything but the root gets stuck."""
    d = directed.shape[0]
    random = np.empty(d, dtype=np.uint8)
    district = np.empty(d, dtype=np.uint8)
    _mark_reachable(bidirected, root, False, np.ones(d, dtype=np.uint8), random)
    fixed_one = True
    while fixed_one:
        fixed_one = False
        for vertex in range(d):
            if vertex == root or not random[vertex]:
                continue
            _mark_reachable(bidirected, vertex, False, random, district)
            stuck = False
            for child in range(d):
                if directed[vertex, child] and random[child] and district[child]:
                    stuck = True
                    break
            if not stuck:
                random[vertex] = 0
                fixed_one = True
    for vertex in range(d):
        if random[vertex] and vertex != root:
            return True
    return False


@exact_part
def _in_class_with_edge(directed: Edges, bidirected: Edges, one: int, other: int, kind: int, graph_class: int) -> bool:
    """Check the structures that contain the edge one -> other (kind ARROW_ON) or one <-> other, which is in place."""
    d = directed.shape[0]
    everything = np.ones(d, dtype=np.uint8)
    below = np.empty(d, dtype=np.uint8)
    _mark_reachable(directed, other, False, everything, below)
    if below[one] and kind == ARROW_ON:
        return False
    if graph_class > _BOW_FREE:
        return call_check(graph_class, directed, bidirected, one, other, kind == BIDIRECTED)
    if graph_class == _ANCESTRAL:
        beside = np.empty(d, dtype=np.uint8)
        if kind == BIDIRECTED:
            _mark_reachable(directed, one, False, everything, beside)
            return not (below[one] or beside[other])
        _mark_reachable(directed, one, True, everything, beside)
        for ancestor in range(d):
            if beside[ancestor]:
                for descendant in range(d):
                    if below[descendant] and bidirected[ancestor, descendant]:
                        return False
        return True
    if graph_class == _ARID:
        district = np.empty(d, dtype=np.uint8)
        _mark_reachable(bidirected, one, False, everything, district)
        if not district[other]:
            return True
        roots = below.copy()
        if kind == BIDIRECTED:
            _mark_reachable(directed, one, False, everything, below)
            roots &= below
        for root in range(d):
            if roots[root] and district[root] and _is_root_of_c_tree(directed, bidirected, root):
                return False
    return True


@compiled
def may_set(directed: Edges, bidirected: Edges, i: int, j: int, edge: int, graph_class: int) -> bool:
    """Tell whether the graph, now in its class, stays there when the pair i < j gets another edge.

    The matrices are changed during the check and are as before when it returns.
    """
    if edge == NO_EDGE:
        return True
    before = set_edge(directed, bidirected, i, j, edge)
    one, other, kind = i, j, edge
    if edge == ARROW_BACK:
        one, other, kind = j, i, ARROW_ON
    fine = _in_class_with_edge(directed, bidirected, one, other, kind, graph_class)
    set_edge(directed, bidirected, i, j, before)
    return fine
