"""Where the centre of similar noise may lie.

With ``noise_scale="similar"`` the logarithms of the error variances are assumed to lie around a centre that is not
known. The score of a graph is minimised over it, but a search compares graphs at a given centre, and a centre that
suits one graph can hide another: the score has several valleys along it. So a search starts with several centres.
"""

from __future__ import annotations

import numpy as np

from lurking._typing import FloatArray
from lurking.data import Moments

__all__ = ["possible_centres"]


def possible_centres(moments: Moments, count: int) -> FloatArray:
    """Return centres between two extremes: errors that are all the others leave unexplained, and no causes at all.

    Examples
    --------
    >>> possible_centres(Moments([[1.0, 0.6], [0.6, 1.0]], 100), 3).round(3)
    array([-0.446, -0.223,  0.   ])
    """
    smallest = -np.log(np.diag(np.linalg.inv(moments.cov)))
    return np.linspace(smallest.mean(), np.log(np.diag(moments.cov)).mean(), count)
