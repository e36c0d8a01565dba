"""The edge of a pair as one number, for compiled loops.

A bow-free graph is two matrices of 0 and 1, ``directed`` (row is cause) and ``bidirected`` (symmetric). Each pair has
one edge or none:

====  ==============
code  edge of (i, j)
====  ==============
0     none
1     i -> j
2     j -> i
3     i <-> j
====  ==============
"""

from __future__ import annotations

from lurking._compile import compiled
from lurking._typing import Edges

__all__ = ["ARROW_BACK", "ARROW_ON", "BIDIRECTED", "NO_EDGE", "edge_of", "set_edge"]

NO_EDGE, ARROW_ON, ARROW_BACK, BIDIRECTED = 0, 1, 2, 3


@compiled
def edge_of(directed: Edges, bidirected: Edges, i: int, j: int) -> int:
    """Return the code of the edge of the pair (i, j)."""
    if directed[i, j]:
        return ARROW_ON
    if directed[j, i]:
        return ARROW_BACK
    if bidirected[i, j]:
        return BIDIRECTED
    return NO_EDGE


@compiled
def set_edge(directed: Edges, bidirected: Edges, i: int, j: int, edge: int) -> int:
    """Give the pair (i, j) another edge, in place and without any check, and return the one it had."""
    before = edge_of(directed, bidirected, i, j)
    directed[i, j] = edge == ARROW_ON
    directed[j, i] = edge == ARROW_BACK
    bidirected[i, j] = bidirected[j, i] = edge == BIDIRECTED
    return before
