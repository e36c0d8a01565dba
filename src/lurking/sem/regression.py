r"""The regression of one variable on others, from moments alone: the estimate that an adjustment set asks for.

With the covariance matrix S (divisor n), regressors R and outcome y, the coefficients are
:math:`b = S_{RR}^{-1} S_{Ry}`, the residual variance is :math:`s^2 = (S_{yy} - b^\top S_{Ry})\, n / (n - |R| - 1)`, and
the covariance matrix of the coefficients is :math:`s^2 S_{RR}^{-1} / n`: ordinary least squares with an intercept.

*How much an unmeasured cause would change.* A regression on an adjustment set is right only if nothing unmeasured acts
on both. With t = estimate / standard error on f degrees of freedom and :math:`q = |t| / \sqrt f`, an unmeasured cause
that explains the share

.. math:: R = \tfrac12 \left( \sqrt{q^4 + 4 q^2} - q^2 \right)

of what the regressors leave unexplained, both of the cause and of the effect, brings the estimate to 0, and a weaker
one does not (Cinelli and Hazlett 2020, who call R the robustness value). For the interval q is smaller by
:math:`t^* / \sqrt{f - 1}`, with :math:`t^*` the quantile of Student's distribution on f - 1 degrees.

>>> moments = Moments([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]], 200, ["A", "B", "C"])
>>> found = regression(moments, "A", "C", ["B"])
>>> round(found.estimate, 3), round(found.standard_error, 3), found.degrees_of_freedom
(0.133, 0.075, 197)
>>> round(found.robustness(), 3), found.robustness(level=0.95)
(0.119, 0.0)

References
----------
C. Cinelli and C. Hazlett (2020). Making sense of sensitivity: extending omitted variable bias. Journal of the Royal
Statistical Society B 82.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lurking._errors import ParameterError, UnknownVertexError
from lurking.data import Moments

__all__ = ["RegressionEstimate", "regression"]


@dataclass(frozen=True, slots=True)
class RegressionEstimate:
    """The coefficient of one regressor.

    Attributes
    ----------
    estimate, standard_error : float
        The coefficient and its standard error.
    degrees_of_freedom : int
        Of the residual variance.
    """

    estimate: float
    standard_error: float
    degrees_of_freedom: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval that Student's distribution gives."""
        from scipy.special import stdtrit

        half = float(stdtrit(self.degrees_of_freedom, (1 + level) / 2)) * self.standard_error
        return self.estimate - half, self.estimate + half

    def robustness(self, level: float | None = None) -> float:
        """Return how strong an unmeasured cause must be to bring the estimate, or the interval, to 0.

        Parameters
        ----------
        level : float, optional
            The coverage of the interval; without it, the estimate.

        Returns
        -------
        share : float
            The partial R² that it must have with both the cause and the effect, given the regressors.
        """
        from scipy.special import stdtrit

        if self.standard_error == 0.0:
            return 1.0
        freedom = self.degrees_of_freedom
        q = abs(self.estimate / self.standard_error) / np.sqrt(freedom)
        if level is not None:
            q = q - float(stdtrit(freedom - 1, (1 + level) / 2)) / np.sqrt(freedom - 1) if freedom > 1 else 0.0
        return float((np.sqrt(q**4 + 4 * q**2) - q**2) / 2) if q > 0.0 else 0.0


def regression(moments: Moments, cause: str, effect: str, given: Iterable[str] = ()) -> RegressionEstimate:
    """Regress ``effect`` on ``cause`` and the variables ``given``; return the coefficient of ``cause``.

    Parameters
    ----------
    moments : Moments
        The data.
    cause, effect : str
        Two variables.
    given : iterable of str
        Other variables.

    Raises
    ------
    UnknownVertexError
        If a variable is not there.
    ParameterError
        If one is named twice.
    """
    chosen = [cause, *sorted(given)]
    for name in (*chosen, effect):
        if name not in moments.names:
            raise UnknownVertexError(name, moments.names)
    if len({*chosen, effect}) != len(chosen) + 1:
        raise ParameterError(f"A regression of {effect!r} on {', '.join(map(repr, chosen))} names a variable twice.")
    regressors, outcome = [moments.names.index(name) for name in chosen], moments.names.index(effect)
    freedom = moments.n_samples - len(regressors) - 1  # at least 1, because moments have more rows than variables
    among, with_outcome = moments.cov[np.ix_(regressors, regressors)], moments.cov[regressors, outcome]
    inverse = np.linalg.inv(among)
    coefficients = inverse @ with_outcome
    left = max(float(moments.cov[outcome, outcome] - coefficients @ with_outcome), 0.0)
    return RegressionEstimate(
        estimate=float(coefficients[0]),
        standard_error=float(np.sqrt(left * inverse[0, 0] / freedom)),
        degrees_of_freedom=freedom,
    )
