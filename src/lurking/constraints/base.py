"""What a constraint is: a smooth function of edge weights that is zero exactly on one class of graphs.

A constraint h takes the non-negative weights of the directed edges, D (row is cause), and of the bidirected edges, B
(symmetric, zero diagonal), and is zero exactly if the graph of the non-zero weights is in the class (Theorem 1 of
Bhattacharya et al. 2021). For a linear structural equation model the weights are squares,

    D = coef ∘ coef,      B = offdiag(error_cov) ∘ offdiag(error_cov)                                (Corollary 1)

so that h is smooth in the parameters. h is never negative, hence both h and its gradient by the parameters vanish on
the class: the class is where h has its minimum, not where it crosses zero.

To add a constraint, write one class with one method, ``value_and_grad_weights``; see ``bow_free.py`` for the shortest.
The solver accepts any such object.

Derivatives by a symmetric matrix follow the Frobenius convention: a symmetric matrix g such that h changes by
``sum(g * change)``; moving the tied pair (i, j), (j, i) by ε each changes h by 2·g[i, j]·ε.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.constraints._settings import Settings
from lurking.constraints.walk_sums import FORMS, Form

__all__ = ["ClassPenalty"]


class ClassPenalty(ABC):
    """A class of graphs as a smooth function that is zero exactly on it.

    Parameters
    ----------
    form : {"power", "exponential"}, default="power"
        How walks are added up: (I + cA)^d, which the paper uses in its experiments, or e^A, which it uses in its
        proofs.
    directed_factor : float, default=1.0
        The c of the power form for directed edges (any c > 0 is valid: Corollary 2). With c = 1/d the power form is
        close to the exponential form, (1 + x/d)^d ≈ e^x; with c = 1 it grows much faster with the weights.
    """

    graph_class: ClassVar[str]
    """The class on which the constraint is zero."""

    compiled_code: ClassVar[int] = -1
    """Number under which the compiled solver knows the constraint; -1 lets it call ``value_and_grad`` instead."""

    def __init__(self, form: Form = "power", directed_factor: float = 1.0) -> None:
        if form not in FORMS:
            raise ParameterError(f"The form of a constraint must be 'power' or 'exponential'. Got {form!r} instead.")
        self.form: Form = form
        self.directed_factor = positive_number(directed_factor, "directed_factor")

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"

    def settings(self, *, only_nonzero: bool = False) -> Settings:
        """Return the settings for the compiled kernels."""
        return Settings(self.compiled_code, self.form == "exponential", self.directed_factor, only_nonzero=only_nonzero)

    @abstractmethod
    def value_and_grad_weights(self, D: ArrayLike, B: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return h(D, B) and its derivatives by D and by B.

        Parameters
        ----------
        D : array-like of shape (d, d)
            Non-negative weights of the directed edges, row is cause.
        B : array-like of shape (d, d)
            Non-negative weights of the bidirected edges, symmetric with zero diagonal.

        Returns
        -------
        value : float
            Zero exactly if the graph is in the class.
        grad_D, grad_B : ndarray of shape (d, d)
            ``grad_B`` is symmetric. Also defined where weights are zero.
        """

    def value(self, D: ArrayLike, B: ArrayLike) -> float:
        """Return h(D, B) for non-negative weights; zero exactly if the graph is in the class."""
        return self.value_and_grad_weights(D, B)[0]

    def value_and_grad(self, coef: ArrayLike, error_cov: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return h of a structural equation model and its derivatives by the parameters (Corollary 1).

        Parameters
        ----------
        coef : array-like of shape (d, d)
            ``coef[i, j]`` is the coefficient of variable i in the equation of j.
        error_cov : array-like of shape (d, d)
            Symmetric; its diagonal plays no part.

        Returns
        -------
        value : float
            h(coef ∘ coef, offdiag ∘ offdiag).
        grad_coef, grad_error_cov : ndarray of shape (d, d)
            The second is symmetric with a zero diagonal.
        """
        coefficients = np.asarray(coef, dtype=np.float64)
        covariances = np.array(error_cov, dtype=np.float64)
        if covariances.ndim == 2:
            np.fill_diagonal(covariances, 0.0)
        value, grad_D, grad_B = self.value_and_grad_weights(coefficients**2, covariances**2)
        return value, 2.0 * coefficients * grad_D, 2.0 * covariances * grad_B


def positive_number(value: float, name: str) -> float:
    """Return the number, or say that it must be positive."""
    if not (value > 0 and math.isfinite(value)):
        raise ParameterError(f"The {name} of a constraint must be a positive number. Got {value!r} instead.")
    return float(value)


def checked_weights(D: ArrayLike, B: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the two weight matrices as contiguous arrays, or say what is wrong with them."""
    directed = np.ascontiguousarray(D, dtype=np.float64)
    bidirected = np.ascontiguousarray(B, dtype=np.float64)
    if directed.ndim != 2 or directed.shape[0] != directed.shape[1] or directed.shape[0] == 0:
        raise ParameterError(f"The weights D must be a square matrix. Got shape {directed.shape} instead.")
    if bidirected.shape != directed.shape:
        raise ParameterError(
            f"The weights B must have the shape of D, {directed.shape}. Got {bidirected.shape} instead."
        )
    if not (np.isfinite(directed).all() and np.isfinite(bidirected).all()):
        raise ParameterError("The weights D and B must be finite numbers; replace the missing and infinite ones.")
    if (directed < 0).any() or (bidirected < 0).any():
        raise ParameterError("The weights D and B must not be negative; pass squares, or use value_and_grad instead.")
    if not np.array_equal(bidirected, bidirected.T) or np.diag(bidirected).any():
        raise ParameterError("The weights B must be symmetric with a zero diagonal; B[i, j] is the edge i <-> j.")
    return directed, bidirected
