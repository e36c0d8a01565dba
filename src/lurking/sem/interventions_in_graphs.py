r"""Several variables set at once, in each of many graphs on the same data.

Setting the variables S from outside cuts all edges into them. With :math:`B'` the coefficients without those into S, a
change :math:`\Delta` of the variables in S changes the mean of every other variable j by

.. math:: \sum_{s \in S} \Delta_s T'_{sj}, \qquad T' = (I - B')^{-1} ,

so :math:`T'_{sj}` is the *controlled* effect of s on j: what passes through no other variable of S. By the delta method
with :math:`\partial T'_{sj} / \partial B_{ic} = T'_{si} T'_{cj}` for c outside of S, the controlled effects of all s on
j have a covariance matrix.

::

    A -> B -> C,  A -> C        A and B are set: A acts on C by the edge A -> C alone

>>> from lurking.graphs import ADMG
>>> from lurking.sem import LinearSEM
>>> graph = ADMG.parse("A -> B -> C; A -> C")
>>> model = LinearSEM(graph, [[0, 2, 1], [0, 0, 3], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
>>> moments = Moments(model.implied_cov(), 1000, graph.names)
>>> found = interventions_in_graphs(moments, [graph.directed], [graph.bidirected], [0, 1])
>>> found.change[0, :, 2].round(6)
array([1., 3.])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lurking._typing import BoolMatrix, FloatArray, IntArray
from lurking.data import Moments
from lurking.sem.district_estimates import Districts
from lurking.sem.effects_in_graphs import closure

__all__ = ["GraphInterventions", "interventions_in_graphs"]


@dataclass(frozen=True, eq=False)
class GraphInterventions:
    """The controlled effects of the variables that are set, in each graph, in the units of the data.

    Attributes
    ----------
    change : ndarray of shape (number of graphs, s, d)
        The change of j per unit of the k-th variable that is set.
    covariance : ndarray of shape (number of graphs, s, s, d)
        Of the changes of j. Infinite where the graph does not determine them.
    """

    change: FloatArray
    covariance: FloatArray


def interventions_in_graphs(
    moments: Moments,
    directed: Sequence[BoolMatrix] | BoolMatrix,
    bidirected: Sequence[BoolMatrix] | BoolMatrix,
    chosen: Sequence[int],
    *,
    blocks: bool = False,
) -> GraphInterventions:
    """Return what setting some variables changes in each of several bow-free graphs.

    Parameters
    ----------
    moments : Moments
        The data.
    directed, bidirected : ndarray of bool, shape (number of graphs, d, d), or a sequence
        The graphs, in the order of the variables of the moments.
    chosen : sequence of int
        The numbers of the variables that are set.
    blocks : bool, default False
        Whether several columns belong to one variable, as for :func:`~lurking.sem.effects_in_graphs`.
    """
    districts = Districts(moments, blocks=blocks)
    d, s = moments.n_variables, len(chosen)
    at: IntArray = np.array(chosen, dtype=np.int64)
    is_set: BoolMatrix = np.zeros(d, dtype=bool)
    is_set[at] = True
    change, covariance = np.zeros((len(directed), s, d)), np.zeros((len(directed), s, s, d))
    for k, (arrows, lines) in enumerate(zip(directed, bidirected, strict=True)):
        coef = np.zeros((d, d))
        parts = districts.of_graph(arrows, lines)
        for part in parts:
            coef[part.parent, part.child] = part.estimate
        coef[:, is_set] = 0.0
        cut = arrows & ~is_set
        propagation = np.where(closure(cut) | np.eye(d, dtype=bool), np.linalg.inv(np.eye(d) - coef), 0.0)
        change[k] = propagation[at]
        for part in parts:
            above = propagation[np.ix_(at, part.parent)] * ~is_set[part.child]
            gradient = above[:, None, :] * propagation[part.child].T[None, :, :]
            spread = part.spread(gradient)
            known: BoolMatrix = np.all(np.isfinite(spread), axis=(0, 2))
            finite = np.where(known[None, :, None], spread, 0.0)
            covariance[k] += np.where(known, np.einsum("ajr,bjr->abj", finite, finite), np.inf)
    scales = moments.scales
    units = scales[None, :] / scales[at, None]
    change[:, :, at] = np.eye(s)  # what is set follows nothing else
    covariance[:, :, :, at] = 0.0
    return GraphInterventions(change * units, covariance * (units[:, None, :] * units[None, :, :]))
