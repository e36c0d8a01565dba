r"""What a graph is scored by: minus twice a log-likelihood, plus what parameters and edges cost.

A search over graphs minimises

.. math:: -2\ell + \sum_{\text{districts}} \text{complexity} + c(\#\text{adjacent pairs}).

============ ==========================================================================================================
criterion    cost
============ ==========================================================================================================
``bic``      ln(n) for each parameter
``ebic``     ln(n) for each parameter and 4γ ln(d) for each edge, γ = 1/2 (Foygel and Drton 2010)
``marginal`` minus twice the logarithm of prior times marginal likelihood: Laplace's method for the parameters, and a
             prior over graphs that corrects for the number of edges that were possible
============ ==========================================================================================================

*The prior over graphs.* Each pair is adjacent with the same unknown probability, which is uniform on [0, 1] and
integrated out; so all numbers of edges are equally probable beforehand, and all sets of k of the M = d(d-1)/2 pairs are
equally probable given k. That costs :math:`2\ln\binom{M}{k}`, up to a constant. One more edge among few is expensive
when there are many variables, where chance alone makes many false ones; in a dense graph it costs nothing. No price of
an edge that is the same for all tables does both (Scott and Berger 2010). Given that a
pair is adjacent, ``->`` and ``<-`` have a prior weight of one third each, and ``<->`` less than half of that: a direct
cause is the more frequent explanation. These weights were chosen on simulated data, too.

*The parameters.* With the observed information H of all n rows at the maximum-likelihood estimates, and independent
normal priors on the coefficients and on the error covariances of the standardised variables, minus twice the logarithm
of the marginal likelihood is approximately

.. math:: -2\ell + \ln\det(H + P) - \ln\det P + \theta^\top P\,\theta ,

P being the diagonal matrix of prior precisions. Logarithms of error variances have a flat prior. Where ln(n) charges
every parameter the same, this charges what the data could have told about it. The widths were chosen on simulated data
(``benchmarks/accuracy``); nothing depends on the units of the data. Equivalent graphs have the same likelihood, but
their scores may differ by a few points, because the priors of ``->`` and ``<->`` do.

*Variables of several columns.* A nominal variable with k levels is k - 1 columns (:mod:`lurking.data.nominal`), and
an edge between variables of a and b columns has ab parameters. With ``bic`` and ``ebic`` each costs ln(n), and the
part of an edge in ``ebic`` is paid once. With ``marginal`` the prior weight of an edge counts once, too, and the
precision of each of its parameters is that of a single one times max(a, b). The columns of a variable are
uncorrelated with variance 1, and so the prior expects of each of the min(a, b) canonical correlations what it expects
of the correlation of two continuous variables. The errors of the columns of one variable have a free covariance
matrix :math:`\Omega`, whose prior is :math:`|\Omega|^{-(k + 1)/2}` for k columns: for one column, a flat prior on the
logarithm of the variance. Both priors stay the same when the columns of a variable are rotated, so the score depends
neither on which level is the reference nor on the coding.

>>> bic(1000, 10).prices[1] == np.log(1000)
np.True_
>>> marginal(1000, 50).adjacency_costs[[0, 1, 75, 76]].round(1)
array([  0. ,  14.2, 558.2, 563.6])

References
----------
G. Schwarz (1978), Estimating the dimension of a model. J. Scott and J. Berger (2010), Bayes and empirical-Bayes
multiplicity adjustment in the variable-selection problem, Annals of Statistics 38. R. Foygel and M. Drton (2010),
Extended Bayesian information criteria for Gaussian graphical models, NeurIPS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log

import numpy as np
from scipy.special import gammaln

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.sem.kernels.complexity import (
    BIDIRECTED_PRICE,
    COEFFICIENT_PRECISION,
    COVARIANCE_PRECISION,
    DIRECTED_PRICE,
    FURTHER_PRICE,
    N_PRICES,
    VARIANCE_PRICE,
)

__all__ = ["CRITERIA", "Criterion", "bic", "check_criterion", "criterion_for", "ebic", "marginal"]


@dataclass(frozen=True, eq=False)
class Criterion:
    """What parameters and edges cost on a table of a given size.

    Attributes
    ----------
    name : str
        The word for it.
    prices : ndarray of shape (6,)
        The price of a variance, of a directed and of a bidirected edge, the prior precisions of a coefficient and of an
        error covariance, and the price of each further parameter of an edge between variables of several columns.
        Precisions of 0 mean no prior: then a price is all that a parameter costs.
    adjacency_costs : ndarray of shape (d (d - 1) / 2 + 1,)
        What a graph with k adjacent pairs costs on top.
    posterior_price : float
        What each edge costs on top where scores become posterior probabilities, because a criterion without a prior
        over graphs would have three of four pairs adjacent before any data were seen.
    """

    name: str
    prices: FloatArray
    adjacency_costs: FloatArray
    posterior_price: float = 0.0

    @classmethod
    def linear(cls, name: str, n_variables: int, *, parameter: float, edge: float) -> Criterion:
        """Return a criterion with one price for all parameters and one for all edges."""
        prices = np.zeros(N_PRICES)
        prices[VARIANCE_PRICE] = parameter
        prices[[DIRECTED_PRICE, BIDIRECTED_PRICE]] = edge
        prices[FURTHER_PRICE] = parameter
        return cls(name, prices, np.zeros(_n_pairs(n_variables) + 1), posterior_price=2.0 * log(3.0))

    def price_of_arrow(self, n_samples: int, n_edges: int, sizes: tuple[int, int] = (1, 1)) -> float:
        """Return about what one more directed edge costs in a graph with so many edges.

        ``sizes`` are the numbers of columns of its two ends.
        """
        price, precision = self.prices[DIRECTED_PRICE], self.prices[COEFFICIENT_PRECISION]
        parameters = sizes[0] * sizes[1]
        price += (parameters - 1) * self.prices[FURTHER_PRICE]
        if precision > 0.0:
            price += parameters * np.log1p(n_samples / (precision * max(sizes)))
        k = min(max(n_edges, 0), len(self.adjacency_costs) - 2)
        step = self.adjacency_costs[k + 1] - self.adjacency_costs[k] if k >= 0 else 0.0
        return float(price + step)


def _n_pairs(n_variables: int) -> int:
    return n_variables * (n_variables - 1) // 2


def bic(n_samples: int, n_variables: int) -> Criterion:
    """Return the Bayesian information criterion."""
    return Criterion.linear("bic", n_variables, parameter=log(n_samples), edge=log(n_samples))


def ebic(n_samples: int, n_variables: int, gamma: float = 0.5) -> Criterion:
    """Return the extended Bayesian information criterion."""
    edge = log(n_samples) + 4.0 * gamma * log(n_variables)
    return Criterion.linear("ebic", n_variables, parameter=log(n_samples), edge=edge)


def marginal(
    n_samples: int,
    n_variables: int,
    coefficient_sd: float = 0.5,
    covariance_sd: float = 0.165,
    directed_price: float = 2.2,
    bidirected_price: float = 4.0,
) -> Criterion:
    """Return minus twice the logarithm of prior times marginal likelihood.

    Parameters
    ----------
    n_samples, n_variables : int
        The size of the table; the number of rows does not matter here.
    coefficient_sd, covariance_sd : float
        Prior standard deviations of coefficients and error covariances of standardised variables.
    directed_price, bidirected_price : float
        Minus twice the logarithm of the prior weight of ``->`` (and of ``<-``) and of ``<->``, given that a pair is
        adjacent: one third each and 0.14 by default.
    """
    pairs = _n_pairs(n_variables)
    k = np.arange(pairs + 1)
    prices = np.zeros(N_PRICES)
    prices[[DIRECTED_PRICE, BIDIRECTED_PRICE]] = directed_price, bidirected_price
    prices[[COEFFICIENT_PRECISION, COVARIANCE_PRECISION]] = coefficient_sd**-2.0, covariance_sd**-2.0
    costs = 2.0 * (gammaln(pairs + 1) - gammaln(k + 1) - gammaln(pairs - k + 1))
    return Criterion("marginal", prices, costs)


CriterionName = str
CRITERIA: dict[str, Callable[[int, int], Criterion]] = {"marginal": marginal, "bic": bic, "ebic": ebic}
"""The criteria by the name that ``criterion=`` takes: functions of the number of rows and of variables."""


def check_criterion(criterion: object, owner: str) -> None:
    """Raise an error for what is neither the name of a criterion nor a Criterion."""
    if not isinstance(criterion, Criterion) and (not isinstance(criterion, str) or criterion not in CRITERIA):
        raise ParameterError(
            f"The 'criterion' parameter of {owner} must be one of {', '.join(map(repr, CRITERIA))} or a Criterion. "
            f"Got {criterion!r} instead."
        )


def criterion_for(criterion: str | Criterion, n_samples: int, n_variables: int) -> Criterion:
    """Return the criterion of that name for a table of that size; a Criterion must have been made for that size."""
    check_criterion(criterion, "DistrictScore")
    chosen = CRITERIA[criterion](n_samples, n_variables) if isinstance(criterion, str) else criterion
    pairs = _n_pairs(n_variables)
    if len(chosen.adjacency_costs) != pairs + 1:
        raise ParameterError(
            f"The criterion {chosen.name!r} was made for {len(chosen.adjacency_costs) - 1} pairs of variables, but the "
            f"table has {pairs}; make it for {n_variables} variables."
        )
    return chosen
