"""Edges as the caller gives them, checked: pairs of names, and matrices of 0 and 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import GraphError
from lurking._typing import BoolMatrix
from lurking.graphs.text import Edge
from lurking.graphs.vertices import NamedVertices

__all__ = ["boolean_matrix", "matrices_of_pairs", "pairs_of_names", "symmetric_matrix"]


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


def symmetric_matrix(matrix: ArrayLike, kind: str, arrow: str, names: tuple[str, ...]) -> BoolMatrix:
    """Return a read-only boolean copy of a symmetric matrix, or say what is wrong with it."""
    checked = boolean_matrix(matrix, kind, names)
    lopsided = np.argwhere(checked & ~checked.T)
    if lopsided.size:
        one, other = (names[i] for i in lopsided[0])
        raise GraphError(
            f"The {kind} matrix must be symmetric, but has {one} {arrow} {other} in one direction only; "
            "set both entries."
        )
    return checked


def matrices_of_pairs(
    directed: Iterable[Edge], symmetric: Iterable[Edge], kind: str, names: Sequence[str] | None
) -> tuple[tuple[str, ...], BoolMatrix, BoolMatrix]:
    """Return names and two matrices from lists of edges, (cause, effect) and pairs in either order.

    Without names they are those of the edges, in the order of appearance.
    """
    causes, pairs = pairs_of_names(directed, "directed"), pairs_of_names(symmetric, kind)
    if names is None:
        names = list(dict.fromkeys(name for edge in causes + pairs for name in edge))
    vertices = NamedVertices(names)
    matrices = np.zeros((2, len(vertices), len(vertices)), dtype=bool)
    for cause, effect in causes:
        matrices[0, vertices.index(cause), vertices.index(effect)] = True
    for one, other in pairs:
        i, j = vertices.index(one), vertices.index(other)
        matrices[1, i, j] = matrices[1, j, i] = True
    return vertices.names, matrices[0], matrices[1]
