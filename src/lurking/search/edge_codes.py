"""Graphs as arrays of edge codes (:mod:`lurking.graphs.edge_kinds`), and back: what pools and walks keep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lurking._typing import BoolMatrix
from lurking.graphs import ADMG
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED

__all__ = ["EdgeCodes", "codes_of", "graph_of", "matrices_of"]

EdgeCodes = NDArray[np.uint8]
"""``codes[i, j]`` for i < j is the edge of the pair; everything else is zero."""


def graph_of(codes: EdgeCodes, names: tuple[str, ...]) -> ADMG:
    """Return the graph whose pairs i < j have the given edges."""
    return ADMG(names, *matrices_of(codes))


def matrices_of(codes: EdgeCodes) -> tuple[BoolMatrix, BoolMatrix]:
    """Return the directed and the bidirected edges of a graph, or of many: the last two axes are the variables."""
    bidirected = codes == BIDIRECTED
    return (codes == ARROW_ON) | (codes == ARROW_BACK).swapaxes(-1, -2), bidirected | bidirected.swapaxes(-1, -2)


def codes_of(admg: ADMG) -> EdgeCodes:
    """Return the edges of the pairs i < j of a bow-free graph."""
    directed, bidirected = admg.directed.astype(np.uint8), admg.bidirected.astype(np.uint8)
    codes: EdgeCodes = np.triu(ARROW_ON * directed + ARROW_BACK * directed.T + BIDIRECTED * bidirected)
    return codes
