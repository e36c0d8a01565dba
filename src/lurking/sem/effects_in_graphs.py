r"""The effects in each of many graphs on the same data, with standard errors: what a posterior over graphs mixes.

The coefficients of each graph are estimated district by district (:mod:`lurking.sem.district_estimates`), and graphs
that share a district share its estimates. A total effect is a function of the coefficients alone. Its standard error
follows by the delta method as in :mod:`lurking.sem.information`; it is infinite where the covariances do not determine
the effect.

>>> moments = Moments([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]], 200, ["A", "B", "C"])
>>> from lurking.graphs import ADMG
>>> graphs = [ADMG.parse("A -> B -> C"), ADMG.parse("A -> B <-> C")]
>>> found = effects_in_graphs(moments, [g.directed for g in graphs], [g.bidirected for g in graphs])
>>> found.total[:, 0, 2].round(3), found.total_error[:, 0, 2].round(3)
(array([0.2, 0. ]), array([0.041, 0.   ]))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lurking._typing import BoolMatrix, FloatArray
from lurking.data import Moments
from lurking.sem.district_estimates import DistrictEstimates, Districts

__all__ = ["GraphEffects", "closure", "effects_in_graphs"]


@dataclass(frozen=True, eq=False)
class GraphEffects:
    """The effects in each graph, all arrays of shape (number of graphs, d, d), row is cause, in the units of the data.

    With ``outcomes`` the last axis is theirs.

    Attributes
    ----------
    total, total_error : ndarray
        The total effect and its standard error; both are 0 where no directed path leads from i to j. The error is
        infinite where the graph does not determine the effect.
    direct, direct_error : ndarray
        The coefficient of the edge and its standard error; both are 0 without an edge.
    """

    total: FloatArray
    total_error: FloatArray
    direct: FloatArray
    direct_error: FloatArray


def effects_in_graphs(
    moments: Moments,
    directed: Sequence[BoolMatrix] | BoolMatrix,
    bidirected: Sequence[BoolMatrix] | BoolMatrix,
    outcomes: FloatArray | None = None,
    *,
    blocks: bool = False,
) -> GraphEffects:
    """Return all total and direct effects in each of several bow-free graphs.

    Parameters
    ----------
    moments : Moments
        The data.
    directed, bidirected : ndarray of bool, shape (number of graphs, d, d), or a sequence
        The graphs, in the order of the variables of the moments.
    outcomes : ndarray of shape (d, k), optional
        Sums of variables, one in each column: effects are on them; by default on the variables themselves.
    blocks : bool, default False
        Whether the graphs are on columns, of which several belong to one variable (:class:`~lurking.graphs.Grouping`);
        districts that are one such variable are then estimated in closed form.

    Returns
    -------
    effects : GraphEffects

    Notes
    -----
    A district of one variable costs about 50 microseconds, a larger one about a fit; a graph costs one product of
    matrices with d² rows and as many columns as it has directed edges.
    """
    districts = Districts(moments, blocks=blocks)
    d = moments.n_variables
    scales = moments.scales
    sums, widths = None, scales
    if outcomes is not None:
        widths = np.sqrt(np.einsum("iq,ij,jq->q", outcomes, moments.cov, outcomes))
        sums = outcomes * scales[:, None] / widths
    total, total_error, direct, direct_error = (np.zeros((len(directed), d, len(widths))) for _ in range(4))
    for k, (arrows, lines) in enumerate(zip(directed, bidirected, strict=True)):
        parts = districts.of_graph(arrows, lines)
        into = (total[k], total_error[k], direct[k], direct_error[k])
        if sums is None:
            _fill_effects(parts, closure(arrows), into)
        else:
            _fill_sums(parts, closure(arrows), sums, into)
    units = widths[None, :] / scales[:, None]
    found = GraphEffects(total * units, total_error * units, direct * units, direct_error * units)
    for array in (found.total, found.total_error, found.direct, found.direct_error):
        array.flags.writeable = False
    return found


def closure(directed: BoolMatrix) -> BoolMatrix:
    """Return the transitive closure."""
    reached = directed
    while not ((wider := reached | (reached @ reached)) == reached).all():
        reached = wider
    return reached


def _fill_effects(
    parts: Sequence[DistrictEstimates], causes: BoolMatrix, into: tuple[FloatArray, FloatArray, FloatArray, FloatArray]
) -> None:
    total, total_error, direct, direct_error = into
    for part in parts:
        direct[part.parent, part.child] = part.estimate
        direct_error[part.parent, part.child] = part.errors(np.eye(len(part.parent)))
    propagation = np.linalg.inv(np.eye(len(direct)) - direct)
    total[causes] = propagation[causes]
    above, below = np.nonzero(causes)
    squares = np.zeros(len(above))
    for part in parts:
        gradient = propagation[above][:, part.parent] * propagation[part.child][:, below].T
        squares += part.errors(gradient) ** 2
    total_error[above, below] = np.sqrt(squares)


def _fill_sums(
    parts: Sequence[DistrictEstimates],
    causes: BoolMatrix,
    sums: FloatArray,
    into: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
) -> None:
    """Do the same for effects on sums of variables, the columns of ``sums``."""
    total, total_error, direct, direct_error = into
    d = len(sums)
    coef, edges = np.zeros((d, d)), np.zeros((d, d), dtype=bool)
    for part in parts:
        coef[part.parent, part.child], edges[part.parent, part.child] = part.estimate, True
    propagation = np.linalg.inv(np.eye(d) - coef)
    reached = propagation @ sums
    holds = sums != 0.0
    for onto, error, there, change, before, after in (
        (total, total_error, causes @ holds, reached, propagation, reached),
        (direct, direct_error, edges @ holds, coef @ sums, np.eye(d), sums),
    ):
        above, below = np.nonzero(there)
        onto[above, below] = change[above, below]
        squares = np.zeros(len(above))
        for part in parts:
            gradient = before[above][:, part.parent] * after[part.child][:, below].T
            squares += part.errors(gradient) ** 2
        error[above, below] = np.sqrt(squares)
