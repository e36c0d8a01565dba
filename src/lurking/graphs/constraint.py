r"""One equation that a graph implies: an independence, in the distribution p or in a kernel made from it.

A :class:`ImpliedConstraint` is what :meth:`ADMG.implied_constraints` lists, one for each missing edge; how it is found
is told in :mod:`lurking.graphs.verma`. Here is how it is written, and what it is in numbers.

**How it is written.** ``B ⊥ C | D in p(A,B,C,D)/p(C|A)``: divisors stand from left to right in the order of fixing. A
divisor that is a conditional of p itself is written with p; one that can only be had from the kernel to its left, with
q. Without a divisor it is an ordinary independence, and only ``B ⊥ C | D`` is written.

**What it is in numbers.** Dividing by the conditional of v given Z leaves v without a distribution; to have numbers,
v is drawn on its own from now on, with the variance σ² that it has in p. In a Gaussian with precision matrix K this
replaces K by

.. math:: K - w w^\top / s^2 + e_v e_v^\top / \sigma^2, \qquad w = e_v - \sum_{z \in Z} \beta_z e_z,

β and s² being the coefficients and the residual variance of v regressed on Z. The result is always positive definite
(p = p(Z) p(v | Z) p(rest | v, Z), and only the middle factor is exchanged), so a constraint has a value on every
covariance matrix: the partial correlation of a and b given the conditioning set in the final kernel. It is zero
exactly if the constraint holds, whatever σ² is; :meth:`ImpliedConstraint.value` computes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.graphs.vertices import NamedVertices

__all__ = ["Fixing", "ImpliedConstraint"]

_SINGULAR = 1e-12
"""A correlation matrix with an eigenvalue below this, times its size, is as good as singular."""


@dataclass(frozen=True, slots=True)
class Fixing:
    """One division: the kernel is divided by the conditional of a vertex.

    Attributes
    ----------
    vertex : str
        The vertex that is fixed.
    given : tuple of str
        What its conditional is conditioned on.
    of_joint : bool
        Whether the divisor is a conditional of the joint distribution p, not only of the kernel so far.
    """

    vertex: str
    given: tuple[str, ...]
    of_joint: bool

    def __str__(self) -> str:
        condition = f"|{','.join(self.given)}" if self.given else ""
        return f"{'p' if self.of_joint else 'q'}({self.vertex}{condition})"


@dataclass(frozen=True, slots=True)
class ImpliedConstraint:
    """What one missing edge says about the distribution: an independence, in p or in a kernel.

    Attributes
    ----------
    one, other : str
        The two variables without an edge.
    given : tuple of str
        The conditioning set, as small as possible.
    variables : tuple of str
        The ancestors of the two; all other variables are summed out.
    fixings : tuple of Fixing
        What p is divided by, in order; empty for an ordinary independence.

    Examples
    --------
    >>> from lurking.graphs import ADMG
    >>> verma, = ADMG.parse("A -> B -> C -> D; B <-> D").verma_constraints()
    >>> print(verma, "and", verma.fixed, "is fixed")
    A ⊥ D in p(A,B,C,D)/p(C|B) and ('C',) is fixed
    """

    one: str
    other: str
    given: tuple[str, ...]
    variables: tuple[str, ...]
    fixings: tuple[Fixing, ...] = ()

    @property
    def is_verma(self) -> bool:
        """Whether something must be fixed, so that the statement is not an ordinary independence."""
        return bool(self.fixings)

    @property
    def fixed(self) -> tuple[str, ...]:
        """The fixed vertices in order."""
        return tuple(fixing.vertex for fixing in self.fixings)

    @property
    def kernel(self) -> str:
        """The distribution in which the independence holds, written as a ratio."""
        return "/".join([f"p({','.join(self.variables)})", *map(str, self.fixings)])

    def __str__(self) -> str:
        statement = f"{self.one} ⊥ {self.other}"
        if self.given:
            statement += f" | {', '.join(self.given)}"
        return f"{statement} in {self.kernel}" if self.fixings else statement

    def value(self, cov: ArrayLike, names: Sequence[str]) -> float:
        """Return the partial correlation that the constraint says is zero.

        Parameters
        ----------
        cov : array-like of float, shape (d, d)
            A symmetric positive definite matrix, of a model or of data; the scale does not matter.
        names : sequence of str
            The variables in the order of its rows; variables that the constraint does not mention are ignored.

        Returns
        -------
        value : float
            Between -1 and 1; zero exactly if the constraint holds in a Gaussian with that covariance.

        Raises
        ------
        DataError
            If the matrix has the wrong shape or is not positive definite.

        Examples
        --------
        >>> from lurking.graphs import ADMG
        >>> independence, = ADMG.parse("A -> B -> C").independences()
        >>> print(independence, round(independence.value([[1, 1, 1], [1, 2, 2], [1, 2, 3]], list("ABC")), 12))
        A ⊥ C | B 0.0
        """
        vertices = NamedVertices(list(names))
        matrix = np.asarray(cov, dtype=np.float64)
        if matrix.shape != (len(vertices), len(vertices)):
            raise DataError(
                f"The covariance must have shape ({len(vertices)}, {len(vertices)}), one row per name. "
                f"Got {matrix.shape} instead."
            )
        needed = self.variables if self.fixings else (self.one, self.other, *self.given)
        rows = [vertices.index(name) for name in needed]
        place = {name: i for i, name in enumerate(needed)}
        kernel: FloatArray = matrix[np.ix_(rows, rows)]
        kernel = _correlation(kernel, needed)
        for fixing in self.fixings:
            kernel = _divide_by_conditional(kernel, place[fixing.vertex], [place[name] for name in fixing.given])
        return _partial_correlation(kernel, place[self.one], place[self.other], [place[name] for name in self.given])


def _correlation(cov: FloatArray, names: Sequence[str]) -> FloatArray:
    """Return the matrix in units in which every variable has variance 1 in p; refuse one that has no inverse."""
    variances = np.diag(cov)
    if np.isfinite(cov).all() and (variances > 0).all():
        scale = np.sqrt(variances)
        correlation: FloatArray = cov / np.outer(scale, scale)
        if np.linalg.eigvalsh(correlation)[0] > _SINGULAR * len(cov):
            return correlation
    raise DataError(
        f"The covariance matrix of {', '.join(names)} is not positive definite in the precision of a computer, so the "
        "constraint has no value on it; leave out a variable that the others determine."
    )


def _divide_by_conditional(cov: FloatArray, vertex: int, given: Sequence[int]) -> FloatArray:
    """Return the covariance after dividing by the conditional of ``vertex``, which gets variance 1, in p's units.

    Of p(Z) p(v | Z) p(rest | v, Z) only the middle factor is exchanged: the covariance of Z stays, v is drawn on its
    own, and the rest follows from both by the regression that it has in ``cov``. This is the update of the precision
    matrix in the module's docstring without an inverse, and what it returns is positive definite in rounded numbers,
    too.
    """
    known = [*given, vertex]
    rest = [i for i in range(len(cov)) if i not in known]
    drawn = cov[np.ix_(known, known)].copy()
    drawn[-1, :] = drawn[:, -1] = 0.0
    drawn[-1, -1] = 1.0
    divided = np.empty_like(cov)
    divided[np.ix_(known, known)] = drawn
    if rest:
        slopes = np.linalg.solve(cov[np.ix_(known, known)], cov[np.ix_(known, rest)])
        residual = cov[np.ix_(rest, rest)] - cov[np.ix_(rest, known)] @ slopes
        divided[np.ix_(known, rest)] = drawn @ slopes
        divided[np.ix_(rest, known)] = (drawn @ slopes).T
        divided[np.ix_(rest, rest)] = (residual + residual.T) / 2.0 + slopes.T @ drawn @ slopes
    return divided


def _partial_correlation(cov: FloatArray, one: int, other: int, given: Sequence[int]) -> float:
    pair = [one, other]
    residual = cov[np.ix_(pair, pair)]
    if given:
        fitted = np.linalg.solve(cov[np.ix_(given, given)], cov[np.ix_(given, pair)])
        residual = residual - cov[np.ix_(pair, given)] @ fitted
    variances = np.maximum(np.diag(residual), np.finfo(np.float64).tiny)  # rounding can take all of a small one
    return float(np.clip(residual[0, 1] / np.sqrt(variances[0]) / np.sqrt(variances[1]), -1.0, 1.0))
