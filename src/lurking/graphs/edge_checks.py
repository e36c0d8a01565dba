"""Edges as the caller gives them, checked: pairs of names, and matrices of 0 and 1."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import GraphError
from lurking._typing import BoolMatrix
from lurking.graphs.text import Edge

__all__ = ["boolean_matrix", "pairs_of_names"]


def pairs_of_names(edges: Iterable[Edge], kind: str) -> list[Edge]:
    """Return the edges as pairs of names, or say which one is not such a pair."""
    pairs = []
    for edge in edges:
        ends: tuple[object, ...] = (edge,) if isinstance(edge, str) else tuple(edge)  # type: ignore[redundant-expr]
        match ends:
            case (str() as one, str() as other):
                pairs.append((one, other))
            case _:
                raise GraphError(f"Each {kind} edge must be a pair of names, but one is {edge!r}; write ('A', 'B').")
    return pairs


def boolean_matrix(matrix: ArrayLike, kind: str, names: tuple[str, ...]) -> BoolMatrix:
    """Return a read-only boolean copy, or say what is wrong with the matrix."""
    d = len(names)
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise GraphError(f"The {kind} matrix must have shape ({d}, {d}), but its rows differ in length.") from None
    if array.shape != (d, d):
        raise GraphError(f"The {kind} matrix must have shape ({d}, {d}), one row per name. Got {array.shape} instead.")
    if array.dtype != bool and not np.isin(array, (0, 1)).all():
        raise GraphError(f"The {kind} matrix must hold only 0 and 1; threshold the weights, as in abs(weights) > 0.05.")
    checked = array.astype(bool)
    loops = np.flatnonzero(np.diag(checked))
    if loops.size:
        name = names[loops[0]]
        raise GraphError(f"The {kind} edges join {name} to itself; remove that edge (the diagonal must be 0).")
    checked.flags.writeable = False
    return checked
