r"""The linear structural equation model of a mixed graph.

Every variable is a weighted sum of its parents plus an error, and errors may be correlated where something unmeasured
drives both variables:

.. math:: x_j = \sum_i x_i \, \delta_{ij} + \varepsilon_j, \qquad \operatorname{Cov}(\varepsilon) = \Omega .

``coef[i, j]`` is :math:`\delta_{ij}`, the direct effect of i on j, and may differ from zero only where i -> j;
``error_cov`` is :math:`\Omega`, and may differ from zero off its diagonal only where i <-> j. As row vectors
:math:`x = x\,\delta + \varepsilon`, so with :math:`M = (I - \delta)^{-1}`

.. math:: x = \varepsilon M, \qquad \Sigma = M^\top \Omega\, M .

:math:`M_{ij}` is the *total effect* of i on j: the sum, over all directed paths from i to j, of the products of the
coefficients along the path. It is what happens to j when i is raised by one unit from outside, and in general not what
a regression of j on i returns. Since the directed edges have no cycle, :math:`\det M = 1`, and the log-likelihood needs
only :math:`\Omega` and the covariance of the residuals :math:`E = (I - \delta)^\top S (I - \delta)`:

.. math:: \ell = -\tfrac n2 \left( d \ln 2\pi + \ln\det\Omega + \operatorname{tr} \Omega^{-1} E \right).

References
----------
Wright, S. (1934). The method of path coefficients. Annals of Mathematical Statistics 5, 161-215.
Drton, M., Eichler, M. and Richardson, T. S. (2009). Computing maximum likelihood estimates in recursive linear models
with correlated errors. Journal of Machine Learning Research 10, 2329-2348.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import ParameterError
from lurking._random import generator
from lurking._typing import FloatArray, RandomState
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.checks import checked_coef, checked_error_cov, moments_in_order

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ErrorShape", "FittedModel", "LinearSEM"]

ErrorShape = Literal["gaussian", "uniform", "laplace", "student", "exponential"]


class FittedModel(Protocol):
    """Anything that carries a graph with its numbers: a :class:`LinearSEM` or the result of a fit."""

    @property
    def admg(self) -> ADMG:
        """The graph."""

    @property
    def coef(self) -> FloatArray:
        """Coefficients, row is cause."""

    @property
    def error_cov(self) -> FloatArray:
        """Covariances of the errors."""


class LinearSEM:
    """A linear structural equation model: a graph, its coefficients and its error covariances. Immutable.

    Parameters
    ----------
    admg : ADMG
        The graph.
    coef : array-like of float, shape (d, d)
        ``coef[i, j]`` is the coefficient of i in the equation of j; zero where the graph has no edge i -> j.
    error_cov : array-like of float, shape (d, d)
        Symmetric positive definite; zero off the diagonal where the graph has no edge i <-> j.

    Raises
    ------
    ParameterError
        If a number stands where the graph has no edge, or ``error_cov`` is not positive definite.

    Examples
    --------
    >>> g = ADMG.parse("rain -> mud -> fall; rain <-> fall")
    >>> model = LinearSEM(
    ...     g, coef=[[0, 2, 0], [0, 0, 0.5], [0, 0, 0]], error_cov=[[1, 0, 0.3], [0, 1, 0], [0.3, 0, 1]]
    ... )
    >>> model.total_effects()
    array([[0. , 2. , 1. ],
           [0. , 0. , 0.5],
           [0. , 0. , 0. ]])
    >>> model.implied_cov()
    array([[1.  , 2.  , 1.3 ],
           [2.  , 5.  , 3.1 ],
           [1.3 , 3.1 , 2.85]])
    """

    __slots__ = ("admg", "coef", "error_cov")

    admg: ADMG
    """The graph."""
    coef: FloatArray
    """Read-only coefficients, row is cause."""
    error_cov: FloatArray
    """Read-only covariance matrix of the errors."""

    def __init__(self, admg: ADMG, coef: ArrayLike, error_cov: ArrayLike) -> None:
        coefficients, covariances = checked_coef(coef, admg), checked_error_cov(error_cov, admg)
        for attribute, value in (("admg", admg), ("coef", coefficients), ("error_cov", covariances)):
            object.__setattr__(self, attribute, value)

    @classmethod
    def from_fit(cls, fit: FittedModel) -> LinearSEM:
        """Return the model that a fit has found, such as the result of :func:`lurking.sem.ricf`."""
        return fit if isinstance(fit, cls) else cls(fit.admg, fit.coef, fit.error_cov)

    # ------------------------------------------------------------------------------------ how it shows itself

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"A LinearSEM cannot be changed; build a new one to set {attribute!r}.")

    def __delattr__(self, attribute: str) -> None:
        raise AttributeError(f"A LinearSEM cannot be changed; build a new one without {attribute!r}.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinearSEM):
            return NotImplemented
        return (
            self.names == other.names
            and self.admg == other.admg
            and np.array_equal(self.coef, other.coef)
            and np.array_equal(self.error_cov, other.error_cov)
        )

    def __hash__(self) -> int:
        return hash((self.admg, self.coef.tobytes(), self.error_cov.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return LinearSEM, (self.admg, self.coef, self.error_cov)

    def __repr__(self) -> str:
        return f"LinearSEM of {self.admg}"

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the rows and columns."""
        return self.admg.names

    @property
    def n_parameters(self) -> int:
        """The number of coefficients, error covariances and error variances."""
        return self.admg.n_edges + len(self.admg)

    # -------------------------------------------------------------------------------------- what it implies

    def total_effects(self) -> FloatArray:
        """Return the total effect of every variable on every other, ``inv(I - coef) - I``.

        Entry (i, j) is the change of j per unit when i is set from outside: the sum over the directed paths from i
        to j of the products of their coefficients. It is exactly 0 where there is no directed path, and on the
        diagonal.
        """
        effects: FloatArray = np.zeros_like(self.coef)
        for name in self.admg.topological_order():
            child = self.admg.index(name)
            effects[:, child] = self.coef[:, child] + effects @ self.coef[:, child]
        return effects

    def implied_cov(self) -> FloatArray:
        """Return the covariance matrix that the model implies, exactly symmetric."""
        propagation = self.total_effects() + np.eye(len(self.admg))
        cov: FloatArray = propagation.T @ self.error_cov @ propagation
        return (cov + cov.T) / 2

    def standardized(self) -> LinearSEM:
        """Return the same model in units in which every variable has variance 1."""
        scales = np.sqrt(np.diag(self.implied_cov()))
        # The outer product is exactly symmetric; dividing by rows and then by columns is not.
        return LinearSEM(self.admg, self.coef * scales[:, None] / scales, self.error_cov / np.outer(scales, scales))

    # ------------------------------------------------------------------------------------------- likelihood

    def loglik(self, moments: Moments) -> float:
        """Return the Gaussian log-likelihood of a table; its columns may stand in any order."""
        cov = moments_in_order(moments, self.admg).cov
        d = len(self.admg)
        residual = np.eye(d) - self.coef
        factor = np.linalg.cholesky(self.error_cov)
        log_det = 2 * float(np.log(np.diag(factor)).sum())
        fit = float(np.trace(np.linalg.solve(self.error_cov, residual.T @ cov @ residual)))
        return -moments.n_samples / 2 * (d * float(np.log(2 * np.pi)) + log_det + fit)

    def bic(self, moments: Moments) -> float:
        """Return the Bayesian information criterion, ``-2 loglik + ln(n) n_parameters``; smaller is better.

        It compares graphs only at their maximum-likelihood parameters.
        """
        return -2 * self.loglik(moments) + float(np.log(moments.n_samples)) * self.n_parameters

    # --------------------------------------------------------------------------------------------- sampling

    def sample(
        self,
        n_samples: int,
        *,
        random_state: RandomState = None,
        errors: ErrorShape = "gaussian",
        do: Mapping[str, float] | None = None,
    ) -> pd.DataFrame:
        """Draw a table from the model.

        Parameters
        ----------
        n_samples : int
            The number of rows.
        random_state : int, Generator, SeedSequence or None
            The seed.
        errors : {"gaussian", "uniform", "laplace", "student", "exponential"}, default "gaussian"
            The shape of the errors. All shapes have mean 0 and covariance ``error_cov``, so they imply the same
            covariances; "student" has 5 degrees of freedom, "exponential" is skewed. The errors are a triangular
            mixture of independent ones of this shape: independent between districts, of exactly this shape for a
            variable alone in its district.
        do : mapping of str to float, optional
            Variables that are set from outside, with their values. An intervention cuts all edges into a
            variable, directed and bidirected.

        Returns
        -------
        table : pandas.DataFrame, shape (n_samples, d)

        Examples
        --------
        >>> model = LinearSEM(ADMG.parse("A -> B"), [[0, 2], [0, 0]], [[1, 0], [0, 1]])
        >>> model.sample(10_000, random_state=0, do={"A": 3}).mean().round(1).tolist()
        [3.0, 6.0]
        """
        import pandas as pd

        if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 0:  # type: ignore[redundant-expr]
            raise ParameterError(f"n_samples must be a whole number from 0 up. Got {n_samples!r} instead.")
        rng = generator(random_state)
        d = len(self.admg)
        noise = _independent_errors(rng, errors, (int(n_samples), d)) @ np.linalg.cholesky(self.error_cov).T
        model = self
        if do:
            coef = self.coef.copy()
            for name, value in do.items():
                coef[:, self.admg.index(name)] = 0
                noise[:, self.admg.index(name)] = value
            model = LinearSEM(self.admg, coef, self.error_cov)
        return pd.DataFrame(noise @ (np.eye(d) + model.total_effects()), columns=list(self.names))


def _independent_errors(rng: np.random.Generator, shape: str, size: tuple[int, int]) -> FloatArray:
    """Return independent draws with mean 0 and variance 1."""
    match shape:
        case "gaussian":
            return rng.standard_normal(size)
        case "uniform":
            return rng.uniform(-np.sqrt(3), np.sqrt(3), size)
        case "laplace":
            return rng.laplace(scale=np.sqrt(0.5), size=size)
        case "student":
            draws: FloatArray = rng.standard_t(5, size) * np.sqrt(3 / 5)
            return draws
        case "exponential":
            return rng.exponential(size=size) - 1.0
    raise ParameterError(f"The errors must be one of {', '.join(get_args(ErrorShape))}. Got {shape!r} instead.")
