"""Random coefficients and error covariances for a graph, in the ranges of the paper.

Bhattacharya et al. (2021, section 6), with delta the coefficients and beta the covariance of the errors:

- for each i -> j, delta_ij is uniform on ±[0.5, 2.0];
- for each i <-> j, beta_ij is uniform on ±[0.4, 0.7];
- beta_ii is uniform on [0.7, 1.2], plus the sum of abs(beta_ij) over all other j.

The sign is drawn apart from the size, each with probability one half. The last line makes beta strictly diagonally
dominant, and so positive definite whatever the graph and the signs. The paper prints the range of the diagonal as
±[0.7, 1.2]; a variance cannot be negative (and a negative draw would lose the dominance it is there for), so the sign
is taken for a slip and left out.

So the errors of variables with many bidirected edges have larger variances: with k of them, 0.7 + 0.4 k at least.

>>> sem = draw_parameters(ADMG.parse("A -> B; B <-> C"), random_state=0)
>>> bool(0.5 <= abs(sem.coef[0, 1]) <= 2.0), bool(0.4 <= abs(sem.error_cov[1, 2]) <= 0.7)
(True, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lurking._errors import ParameterError
from lurking._random import generator
from lurking._typing import FloatArray, RandomState
from lurking.graphs import ADMG
from lurking.sem.model import LinearSEM

__all__ = ["PAPER_RANGES", "ParameterRanges", "draw_parameters"]


@dataclass(frozen=True, slots=True)
class ParameterRanges:
    """The ranges from which parameters are drawn uniformly.

    Parameters
    ----------
    coef : (float, float), default (0.5, 2.0)
        The absolute value of a coefficient.
    bidirected : (float, float), default (0.4, 0.7)
        The absolute value of the covariance of two errors that a bidirected edge joins.
    own_variance : (float, float), default (0.7, 1.2)
        The variance of an error, beyond the sum of its absolute covariances; above 0.

    Examples
    --------
    >>> ParameterRanges(coef=(0.2, 0.8))
    ParameterRanges(coef=(0.2, 0.8), bidirected=(0.4, 0.7), own_variance=(0.7, 1.2))
    """

    coef: tuple[float, float] = (0.5, 2.0)
    bidirected: tuple[float, float] = (0.4, 0.7)
    own_variance: tuple[float, float] = (0.7, 1.2)

    def __post_init__(self) -> None:
        for name in ("coef", "bidirected", "own_variance"):
            low, high = getattr(self, name)
            if not (0.0 <= low <= high and math.isfinite(high)):
                raise ParameterError(
                    f"The range of {name!r} must be two numbers with 0 <= low <= high. Got ({low}, {high}) instead."
                )
        if self.own_variance[0] <= 0.0:
            raise ParameterError(
                f"The range of 'own_variance' must start above 0, or the errors can be degenerate. "
                f"Got {self.own_variance} instead."
            )


PAPER_RANGES = ParameterRanges()
"""The ranges of the paper."""


def draw_parameters(
    admg: ADMG, *, ranges: ParameterRanges = PAPER_RANGES, random_state: RandomState = None
) -> LinearSEM:
    """Draw the parameters of a linear structural equation model on a graph.

    Parameters
    ----------
    admg : ADMG
        Any graph; bows are allowed.
    ranges : ParameterRanges, default the paper's
        Where the absolute values come from.
    random_state : int, Generator or None
        The seed.

    Returns
    -------
    sem : LinearSEM
        ``sem.coef`` and ``sem.error_cov`` are zero exactly where the graph has no edge.
    """
    rng = generator(random_state)
    d = len(admg)
    coef = np.where(admg.directed, _signed(rng, ranges.coef, d), 0.0)
    upper = np.where(np.triu(admg.bidirected), _signed(rng, ranges.bidirected, d), 0.0)
    error_cov = upper + upper.T
    error_cov += np.diag(rng.uniform(*ranges.own_variance, size=d) + np.abs(error_cov).sum(axis=1))
    return LinearSEM(admg, coef, error_cov)


def _signed(rng: np.random.Generator, magnitudes: tuple[float, float], d: int) -> FloatArray:
    """Draw a d x d matrix with uniform magnitudes and fair signs."""
    drawn: FloatArray = rng.uniform(*magnitudes, size=(d, d)) * rng.choice([-1.0, 1.0], size=(d, d))
    return drawn
