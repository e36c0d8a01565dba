"""Fixing from its definition: cut the edges, look at the graph that is left, try every order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oracles.graph_listing import Bools, Graphs, mask, subsets
from oracles.graph_paths import ancestry, bidirected_reach


def after_fixing(graphs: Graphs, fixed: tuple[int, ...]) -> Graphs:
    """Remove every edge with an arrowhead at a fixed vertex."""
    directed, bidirected = graphs.directed.copy(), graphs.bidirected.copy()
    directed[:, :, list(fixed)] = False
    bidirected[:, :, list(fixed)] = False
    bidirected[:, list(fixed), :] = False
    return Graphs(directed, bidirected)


def reachable_sets(graphs: Graphs, *, primal: bool = False) -> Bools:
    """Return ``[g, R]``: some order of fixing leads from all vertices to the random set with bit mask R.

    All orders are followed: R is reached if it is everything, or if one more vertex v makes a set that is reached
    and in whose graph v can be fixed.
    """
    d = graphs.n_vertices
    reached = np.zeros((len(graphs), 1 << d), dtype=bool)
    reached[:, -1] = True
    for fixed in subsets(range(d)):
        left = after_fixing(graphs, fixed)
        same_district, below = bidirected_reach(left), left.directed if primal else ancestry(left)
        random = tuple(v for v in range(d) if v not in fixed)
        for v in random:
            kin = [same_district[:, v, u] & below[:, v, u] for u in random if u != v]
            blocked = np.any(kin, axis=0) if kin else np.zeros(len(graphs), dtype=bool)
            reached[:, mask(random) ^ (1 << v)] |= reached[:, mask(random)] & ~blocked
    return reached


def connected_sets(graphs: Graphs) -> Bools:
    """Return ``[g, S]``: the set with bit mask S is not empty and bidirected edges inside it connect it."""
    d = graphs.n_vertices
    connected = np.zeros((len(graphs), 1 << d), dtype=bool)
    for inside in subsets(range(d))[1:]:
        outside = tuple(v for v in range(d) if v not in inside)
        joined = bidirected_reach(after_fixing(graphs, outside))
        connected[:, mask(inside)] = joined[:, inside[0], list(inside)].all(axis=1)
    return connected


def smallest_supersets(reached: Bools, vertices: int) -> NDArray[np.int64]:
    """Return, for each graph, the intersection of all reachable sets that contain ``vertices``."""
    masks = np.arange(reached.shape[1])
    holds = masks & vertices == vertices
    return np.asarray(np.bitwise_and.reduce(np.where(reached & holds, masks, -1), axis=1))
