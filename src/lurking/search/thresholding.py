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

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import ParameterError
from lurking._typing import BoolMatrix, GraphClass
from lurking.graphs import ADMG
from lurking.graphs.bits import BitGraph
from lurking.graphs.classes import CLASSES, WitnessEdge
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
    if graph_class is not None and graph_class not in CLASSES:
        raise ParameterError(f"The graph_class must be one of {', '.join(CLASSES)}. Got {graph_class!r} instead.")
    if not threshold >= 0:
        raise ParameterError(f"The threshold must be a number from 0 up. Got {threshold!r} instead.")
    labels = tuple(names) if names is not None else tuple(f"X{i + 1}" for i in range(d))
    off_diagonal = ~np.eye(d, dtype=bool)
    directed: BoolMatrix = (np.abs(coefficients) > threshold) & off_diagonal
    bidirected: BoolMatrix = (np.abs(covariances) > threshold) & off_diagonal
    dropped = []
    while (offence := _offence(directed, bidirected, graph_class)) is not None:
        i, j, shared = min(offence, key=lambda edge: abs((covariances if edge[2] else coefficients)[edge[0], edge[1]]))
        if shared:
            bidirected[i, j] = bidirected[j, i] = False
        else:
            directed[i, j] = False
        dropped.append(f"{labels[i]} {'<->' if shared else '->'} {labels[j]}")
    return ThresholdedGraph(ADMG(labels, directed, bidirected), tuple(dropped))


def _offence(directed: BoolMatrix, bidirected: BoolMatrix, graph_class: GraphClass | None) -> list[WitnessEdge] | None:
    """Return the edges of one witness against the class, or None."""
    graph = BitGraph.from_matrices(directed, bidirected)
    if topological_order(graph) is None:
        return [(one, other, False) for one, other in pairwise(directed_cycle(graph) or [])]
    offence = None if graph_class is None else CLASSES[graph_class].find(graph)
    return None if offence is None else list(offence.edges)
