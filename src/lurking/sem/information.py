r"""How precise the estimates are: standard errors from the Fisher information.

For n rows from a Gaussian model with covariance :math:`\Sigma(\theta)`, the expected information on the parameters is

.. math::

    I_{ab} = \frac n2 \operatorname{tr}\left( \Sigma^{-1} \frac{\partial\Sigma}{\partial\theta_a}
    \Sigma^{-1} \frac{\partial\Sigma}{\partial\theta_b} \right),

and the maximum-likelihood estimate has, for large n, the covariance matrix :math:`I^{-1}`. With
:math:`M = (I - \delta)^{-1}` and :math:`\Sigma = M^\top \Omega M` (see :mod:`lurking.sem.model`) the derivatives are

.. math::

    \frac{\partial\Sigma}{\partial\delta_{ij}} = A + A^\top,\; A = \Sigma e_i e_j^\top M, \qquad
    \frac{\partial\Sigma}{\partial\omega_{ij}} = M^\top (e_i e_j^\top + e_j e_i^\top) M \quad (i \ne j), \qquad
    \frac{\partial\Sigma}{\partial\omega_{jj}} = M^\top e_j e_j^\top M .

A smooth function :math:`f(\theta)` of the estimates, such as a total effect, has the variance
:math:`\nabla f^\top I^{-1} \nabla f` (the *delta method*); for total effects
:math:`\partial M_{kl} / \partial \delta_{ij} = M_{ki} M_{jl}`.

The information is *singular* where different parameters give the same covariances, for example in a bow. The
likelihood is then flat along some directions: whatever depends on them has an infinite standard error, and whatever
does not has a finite one, computed from the other directions. All this is about one given graph; it does not include
the uncertainty about the graph itself, which is what the bootstrap is for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from lurking._status import Status
from lurking._typing import FloatArray
from lurking._wording import mention
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.checks import moments_in_order
from lurking.sem.model import FittedModel, LinearSEM

__all__ = [
    "InformationStatus",
    "Parameter",
    "StandardErrors",
    "fisher_information",
    "free_parameters",
    "standard_errors",
]

_FLAT = 1e-9
"""Eigenvalues of the information, scaled to a unit diagonal, at or below this are flat directions."""

_DEPENDS = 1e-5
"""Share of a gradient along flat directions from which a quantity counts as dependent on them."""


class InformationStatus(Status):
    """Whether the data determine every parameter of the graph."""

    REGULAR = "Every parameter is determined by the covariances."
    SINGULAR = (
        "The covariances do not determine every parameter; those with an infinite standard error can change without "
        "changing the fit: use an arid graph ("
        + mention("arid_projection", "admg.arid_projection()")
        + "), or do not interpret them."
    )


@dataclass(frozen=True)
class Parameter:
    """One number of a model that is estimated: ``coef[row, column]`` or ``error_cov[row, column]``."""

    kind: Literal["coef", "error_cov"]
    row: int
    column: int
    label: str
    """``A -> B`` for a coefficient, ``A <-> B`` for an error covariance, ``A <-> A`` for an error variance."""


def free_parameters(admg: ADMG) -> tuple[Parameter, ...]:
    """Return the parameters of a graph: coefficients, then error covariances, then error variances.

    Within each kind they follow the order of the rows, then the columns.

    Examples
    --------
    >>> [parameter.label for parameter in free_parameters(ADMG.parse("A -> B <-> C"))]
    ['A -> B', 'B <-> C', 'A <-> A', 'B <-> B', 'C <-> C']
    """
    names = admg.names
    coefficients = [
        Parameter("coef", i, j, f"{names[i]} -> {names[j]}") for i, j in np.argwhere(admg.directed).tolist()
    ]
    pairs = [*np.argwhere(np.triu(admg.bidirected)).tolist(), *((i, i) for i in range(len(names)))]
    return (*coefficients, *(Parameter("error_cov", i, j, f"{names[i]} <-> {names[j]}") for i, j in pairs))


def fisher_information(fit: FittedModel, n_samples: int) -> FloatArray:
    """Return the expected information of ``n_samples`` rows about the :func:`free_parameters`.

    Parameters
    ----------
    fit : LinearSEM or a result with ``admg``, ``coef`` and ``error_cov``
        The model.
    n_samples : int
        The number of rows.

    Returns
    -------
    information : ndarray, shape (p, p)
    """
    model = LinearSEM.from_fit(fit)
    d = len(model.names)
    propagation = np.eye(d) + model.total_effects()
    cov = model.implied_cov()
    whiten = np.linalg.inv(np.linalg.cholesky(cov))
    # The derivative by each parameter is an outer product plus its transpose; whitened, its halves are these columns.
    sources = {"coef": whiten @ cov, "error_cov": whiten @ propagation.T}
    targets = whiten @ propagation.T
    parameters = free_parameters(model.admg)
    u = np.stack([sources[p.kind][:, p.row] for p in parameters])
    v = np.stack([targets[:, p.column] for p in parameters])
    # tr((u v' + v u')(x y' + y x')) = 2 (u'y v'x + u'x v'y); for a variance u = v, and one of the halves is enough
    weight = np.array([0.5 if p.kind == "error_cov" and p.row == p.column else 1.0 for p in parameters])
    crossed = u @ v.T
    information: FloatArray = n_samples * np.outer(weight, weight) * (crossed * crossed.T + (u @ u.T) * (v @ v.T))
    return information


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Standard errors of the parameters of one graph, and of everything computed from them.

    Attributes
    ----------
    parameters : tuple of Parameter
        The p parameters in the order of :func:`free_parameters`.
    estimates : ndarray, shape (p,)
        Their values.
    covariance : ndarray, shape (p, p)
        The covariance matrix of the estimates; rows and columns of parameters that are not determined are inf.
    coef, error_cov : ndarray, shape (d, d)
        The standard errors where the model has its parameters: nan where there is no edge, inf where the covariances do
        not determine the number.
    status : InformationStatus
        Whether every parameter is determined.
    """

    parameters: tuple[Parameter, ...]
    estimates: FloatArray
    covariance: FloatArray
    coef: FloatArray
    error_cov: FloatArray
    status: InformationStatus
    _directions: _Directions = field(repr=False)
    _model: LinearSEM = field(repr=False)

    @cached_property
    def total_effects(self) -> FloatArray:
        """Standard errors of the total effects by the delta method: nan where there is no directed path, (d, d)."""
        effects = _total_effect_errors(self._model, self.parameters, self._directions)
        effects.flags.writeable = False
        return effects

    @property
    def undetermined(self) -> tuple[str, ...]:
        """The labels of the parameters with an infinite standard error."""
        infinite = np.isinf(np.diag(self.covariance))
        return tuple(p.label for p, flat in zip(self.parameters, infinite, strict=True) if flat)

    def of(self, gradient: FloatArray) -> FloatArray:
        """Return the standard errors of functions of the parameters by the delta method.

        Parameters
        ----------
        gradient : ndarray, shape (..., p)
            The derivatives of each function by the parameters.

        Returns
        -------
        standard_errors : ndarray, shape (...)
            inf for a function that depends on what the covariances do not determine.
        """
        return self._directions.standard_errors(np.asarray(gradient, dtype=float))


def standard_errors(moments: Moments, fit: FittedModel) -> StandardErrors:
    """Return the standard errors of a maximum-likelihood fit from the expected information.

    Parameters
    ----------
    moments : Moments
        What the model was fitted to; only the number of rows enters, and the names are compared.
    fit : RICFResult or LinearSEM
        The fit.

    Examples
    --------
    With one regressor the result is the textbook's: sqrt(residual variance / (n variance of the regressor)).

    >>> from lurking.data import Moments
    >>> from lurking.sem import LinearSEM
    >>> model = LinearSEM(ADMG.parse("A -> B"), [[0, 2], [0, 0]], [[4, 0], [0, 1]])
    >>> errors = standard_errors(Moments(model.implied_cov(), 100, ["A", "B"]), model)
    >>> round(float(errors.coef[0, 1]), 6), errors.status.name
    (0.05, 'REGULAR')
    """
    model = LinearSEM.from_fit(fit)
    moments_in_order(moments, model.admg)
    parameters = free_parameters(model.admg)
    directions = _Directions.of_information(fisher_information(model, moments.n_samples))
    estimates = np.array([getattr(model, p.kind)[p.row, p.column] for p in parameters])
    matrices = {kind: np.full_like(model.coef, np.nan) for kind in ("coef", "error_cov")}
    for parameter, error in zip(parameters, directions.standard_errors(np.eye(len(parameters))), strict=True):
        matrices[parameter.kind][parameter.row, parameter.column] = error
        if parameter.kind == "error_cov":
            matrices["error_cov"][parameter.column, parameter.row] = error
    covariance = directions.covariance()
    for array in (estimates, covariance, *matrices.values()):
        array.flags.writeable = False
    return StandardErrors(
        parameters=parameters,
        estimates=estimates,
        covariance=covariance,
        coef=matrices["coef"],
        error_cov=matrices["error_cov"],
        status=InformationStatus.SINGULAR if directions.flat.shape[1] else InformationStatus.REGULAR,
        _directions=directions,
        _model=model,
    )


def _total_effect_errors(model: LinearSEM, parameters: tuple[Parameter, ...], directions: _Directions) -> FloatArray:
    d = len(model.names)
    propagation = np.eye(d) + model.total_effects()
    coefficients = [a for a, parameter in enumerate(parameters) if parameter.kind == "coef"]
    rows = [parameters[a].row for a in coefficients]
    columns = [parameters[a].column for a in coefficients]
    errors = np.full((d, d), np.nan)
    for effect, name in enumerate(model.names):
        causes = [model.names.index(cause) for cause in model.admg.ancestors(name) if cause != name]
        if causes:
            gradient = np.zeros((len(causes), len(parameters)))
            gradient[:, coefficients] = propagation[np.ix_(causes, rows)] * propagation[columns, effect]
            errors[causes, effect] = directions.standard_errors(gradient)
    return errors


@dataclass(frozen=True, eq=False)
class _Directions:
    """The information split into directions that the data determine and flat ones.

    Everything is in units in which the information has a unit diagonal, so that the split does not depend on the
    scales of the variables.
    """

    units: FloatArray
    """One standard error of each parameter if all others were known, shape (p,)."""
    root: FloatArray
    """Columns whose outer products add up to the (pseudo-)inverse of the scaled information, shape (p, p - k)."""
    flat: FloatArray
    """Orthonormal columns along which the likelihood is flat, shape (p, k)."""

    @classmethod
    def of_information(cls, information: FloatArray) -> _Directions:
        units = 1 / np.sqrt(np.diag(information))
        values, vectors = np.linalg.eigh(information * np.outer(units, units))
        steep = values > _FLAT
        return cls(units, vectors[:, steep] / np.sqrt(values[steep]), vectors[:, ~steep])

    def standard_errors(self, gradient: FloatArray) -> FloatArray:
        scaled = gradient * self.units
        errors: FloatArray = np.linalg.norm(scaled @ self.root, axis=-1)
        along_flat = np.linalg.norm(scaled @ self.flat, axis=-1)
        return np.where(along_flat > _DEPENDS * np.linalg.norm(scaled, axis=-1), np.inf, errors)

    def covariance(self) -> FloatArray:
        root = self.units[:, None] * self.root
        covariance: FloatArray = root @ root.T
        undetermined = np.isinf(self.standard_errors(np.eye(len(self.units))))
        covariance[undetermined, :] = np.inf
        covariance[:, undetermined] = np.inf
        return covariance
