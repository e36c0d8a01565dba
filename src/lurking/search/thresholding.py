"""From numbers to a graph: threshold the parameters, then repair what is outside the class.

The paper keeps i -> j if ``|coef[i, j]| > ω`` and i <-> j if ``|error_cov[i, j]| > ω``. A constraint that is only
almost zero can leave a graph outside its class (a cycle of strong edges cannot pass, but a c-tree of weak ones can; see
:mod:`lurking.constraints.arid`). The repair: as long as there is a witness against the class - a directed
cycle, a bow, an almost directed cycle or a c-tree - its weakest edge is dropped, weak as the threshold counts it.

>>> coef = np.array([[0.0, 0.9, 0.0], [0.0, 0.0, 0.7], [0.06, 0.0, 0.0]])
>>> result = threshold_to_admg(coef, np.eye(3), "ancestral", names=["A", "B", "C"])
>>> result.admg, result.dropped
(ADMG.parse('A -> B; B -> C'), ('C -> A',))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import ParameterError
from lurking._typing import GRAPH_CLASSES, BoolMatrix, GraphClass
from lurking.graphs import ADMG
from lurking.graphs.bits import BitGraph, members
from lurking.graphs.classes import find_almost_directed_cycle, find_bow, find_c_tree
from lurking.graphs.relations import directed_cycle, topological_order

__all__ = ["ThresholdedGraph", "threshold_to_admg"]


@dataclass(frozen=True, slots=True)
class ThresholdedGraph:
    """A graph of the class, and what had to be dropped for that.

    Parameters
    ----------
    admg : ADMG
        A graph of the class.
    dropped : tuple of str
        The edges above the threshold that the repair took out, in order, such as ``"A <-> B"``.
    """

    admg: ADMG
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Edge:
    one: int
    other: int
    bidirected: bool

    def strength(self, coef: np.ndarray, error_cov: np.ndarray) -> float:
        return float(abs((error_cov if self.bidirected else coef)[self.one, self.other]))


def threshold_to_admg(
    coef: ArrayLike,
    error_cov: ArrayLike,
    graph_class: GraphClass | None = "bow-free",
    *,
    threshold: float = 0.05,
    names: Sequence[str] | None = None,
) -> ThresholdedGraph:
    """Return the graph of the parameters above a threshold, repaired to be in a class.

    Parameters
    ----------
    coef : array-like of shape (d, d)
        ``coef[i, j]`` is the coefficient of i in the equation of j.
    error_cov : array-like of shape (d, d)
        Symmetric; its diagonal is not used.
    graph_class : {"ancestral", "arid", "bow-free"} or None, default="bow-free"
        The class of the answer; None asks only that it be acyclic.
    threshold : float, default=0.05
        The paper's ω.
    names : sequence of str, optional
        The variables, by default X1, X2, ...
    """
    coefficients = np.asarray(coef, dtype=np.float64)
    covariances = np.asarray(error_cov, dtype=np.float64)
    d = len(coefficients)
    if coefficients.shape != (d, d) or covariances.shape != (d, d):
        raise ParameterError(
            "The coef and error_cov must be square matrices of the same shape. "
            f"Got {coefficients.shape} and {covariances.shape} instead."
        )
    if graph_class is not None and graph_class not in GRAPH_CLASSES:
        raise ParameterError(f"The graph_class must be one of {', '.join(GRAPH_CLASSES)}. Got {graph_class!r} instead.")
    if not threshold >= 0:
        raise ParameterError(f"The threshold must be a number from 0 up. Got {threshold!r} instead.")
    labels = tuple(names) if names is not None else tuple(f"X{i + 1}" for i in range(d))
    off_diagonal = ~np.eye(d, dtype=bool)
    directed: BoolMatrix = (np.abs(coefficients) > threshold) & off_diagonal
    bidirected: BoolMatrix = (np.abs(covariances) > threshold) & off_diagonal
    dropped = []
    while (offence := _offence(directed, bidirected, graph_class)) is not None:
        weakest = min(offence, key=lambda edge: edge.strength(coefficients, covariances))
        one, other = labels[weakest.one], labels[weakest.other]
        if weakest.bidirected:
            bidirected[weakest.one, weakest.other] = bidirected[weakest.other, weakest.one] = False
            dropped.append(f"{one} <-> {other}")
        else:
            directed[weakest.one, weakest.other] = False
            dropped.append(f"{one} -> {other}")
    return ThresholdedGraph(ADMG(labels, directed, bidirected), tuple(dropped))


def _offence(directed: BoolMatrix, bidirected: BoolMatrix, graph_class: GraphClass | None) -> list[_Edge] | None:
    """Return the edges of one witness against the class, or None."""
    graph = BitGraph.from_matrices(directed, bidirected)
    if topological_order(graph) is None:
        return list(_path_edges(directed_cycle(graph) or []))
    match graph_class:
        case "bow-free":
            bow = find_bow(graph)
            return [_Edge(*bow, bidirected=False), _Edge(*bow, bidirected=True)] if bow else None
        case "ancestral":
            path = find_almost_directed_cycle(graph)
            return [*_path_edges(path), _Edge(path[0], path[-1], bidirected=True)] if path else None
        case "arid":
            tree = find_c_tree(graph)
            return list(_inside(list(members(tree[1])), directed, bidirected)) if tree else None
    return None


def _path_edges(path: list[int]) -> Iterator[_Edge]:
    for one, other in pairwise(path):
        yield _Edge(one, other, bidirected=False)


def _inside(vertices: list[int], directed: BoolMatrix, bidirected: BoolMatrix) -> Iterator[_Edge]:
    """Yield every edge between vertices of a c-tree."""
    for one in vertices:
        for other in vertices:
            if directed[one, other]:
                yield _Edge(one, other, bidirected=False)
            if one < other and bidirected[one, other]:
                yield _Edge(one, other, bidirected=True)
