"""Where a search that assumes similar noise may start: with which centre, and at which graph.

With ``noise_scale="similar"`` the logarithms of the error variances are assumed to lie around a centre that is not
known. The score of a graph is minimised over it, but a search compares graphs at a given centre, and a centre that
suits one graph can hide another: the score has several minima along it. So a search starts with several centres.

If the errors have similar variances, the variable with the smallest variance has no causes among the others; given that
one, the same holds of the variable with the smallest variance that is left; and so on (Chen, Drton and Wang 2019, On
causal discovery with an equal-variance assumption, Biometrika). Hidden common causes change this order without removing
it, so the best DAG along it is a good start.
"""

from __future__ import annotations

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import BoolMatrix, FloatArray
from lurking._wording import setting
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.graphs import ADMG
from lurking.search.order_based import best_dag

__all__ = ["dag_by_noise", "order_by_noise", "possible_centres", "without_groups"]

_DIGITS = 9  # of logarithms of variances: those of standardised data are equal, and rounding must not order them


def possible_centres(moments: Moments, count: int) -> FloatArray:
    """Return centres between two extremes: errors that are all the others leave unexplained, and no causes at all.

    Examples
    --------
    >>> possible_centres(Moments([[1.0, 0.6], [0.6, 1.0]], 100), 3).round(3)
    array([-0.446, -0.223,  0.   ])
    """
    smallest = -np.log(np.diag(np.linalg.inv(moments.cov)))
    return np.linspace(smallest.mean(), np.log(np.diag(moments.cov)).mean(), count)


def without_groups(moments: AnyMoments) -> Moments:
    """Return moments of variables of one column each, or say why similar noise cannot be assumed of others."""
    if isinstance(moments, GroupedMoments):
        raise ParameterError(
            "Similar noise has no meaning for variables of several columns, such as nominal ones; leave "
            + setting("noise_scale", "free")
            + "."
        )
    return moments


def order_by_noise(moments: Moments, arrows: BoolMatrix) -> list[int]:
    """Put the variables in the causal order that equal error variances would give them, as far as that is allowed.

    ``arrows[i, j]`` says if i -> j is allowed: where only that direction is, i comes first.

    Examples
    --------
    >>> everything = np.ones((3, 3), dtype=bool)
    >>> order_by_noise(Moments([[2.0, 1.0, 3.0], [1.0, 1.0, 1.0], [3.0, 1.0, 9.0]], 100), everything)
    [1, 0, 2]
    """
    rest = moments.cov.copy()  # the covariances of what the variables so far leave unexplained
    left = list(range(moments.n_variables))
    order: list[int] = []
    while left:
        unpreceded = [j for j in left if not (arrows[left, j] & ~arrows[j, left]).any()]
        j = min(unpreceded or left, key=lambda k: round(float(np.log(rest[k, k])), _DIGITS))
        rest -= np.outer(rest[:, j], rest[j]) / rest[j, j]
        left.remove(j)
        order.append(j)
    return order


def dag_by_noise(moments: Moments, arrows: BoolMatrix, rng: np.random.Generator) -> ADMG:
    """Return the DAG with the best BIC along the order by noise."""
    order = order_by_noise(moments, arrows)
    rank = np.argsort(order)
    return best_dag(moments, allowed_edges=arrows & (rank[:, None] < rank), random_state=rng).admg
