r"""From bidirected edges to explicit common causes, and why non-Gaussian data need them.

Gaussian errors are determined by their covariance matrix. Other errors are not, so "correlated uniform errors" needs a
story. The story told here is the one that a bidirected edge stands for: **one unmeasured cause for each i <-> j**,

.. math::
    \varepsilon_i = \sum_{j \leftrightarrow i} l_{ij} U_{\{i,j\}} + \eta_i , \qquad
    l_{ij} l_{ji} = \omega_{ij} , \quad \operatorname{Var}(\eta_i) = \omega_{ii} - \sum_{j \leftrightarrow i} l_{ij}^2 ,

where the U, with variance 1, and the eta are independent and have the chosen distribution. Two errors without a common
cause are then independent and not merely uncorrelated, as a missing bidirected edge says; a variable without
bidirected edges has an error of exactly the chosen shape, and one with many is nearer to a Gaussian, as in nature.
(:meth:`LinearSEM.sample <lurking.sem.LinearSEM.sample>` mixes by a triangular root instead. That works for every
covariance matrix, but makes the errors of a whole district dependent, with or without an edge, and the distribution
depends on the order of the variables.)

The loadings are :math:`l_{ij} = \pm\sqrt{|\omega_{ij}| u_j / u_i}` with positive weights u. If Omega is diagonally
dominant (the paper's generator makes it so), u = 1: both ends load equally, and the variance of eta is the own variance
that was drawn. Otherwise, with M the comparison matrix (omega_ii on the diagonal, -abs(omega_ij) off it), u = inv(M) 1
leaves :math:`\operatorname{Var}(\eta_i) = 1 / u_i`. This is positive for every i if and only if M is positive definite,
and these are exactly the covariance matrices that independent causes of at most two variables can make (Boman, Chen,
Parekh and Toledo 2005). For others, such as three errors with pairwise correlations above one half, there is an error;
simulate those from a DAG whose hidden variables have more children (:mod:`lurking.simulate.hidden`).

The result is the *canonical DAG* of the graph with its parameters; leaving the causes unmeasured gives the model back.

>>> sem = LinearSEM(ADMG.parse("A -> B; B <-> C"), [[0, 2, 0], [0] * 3, [0] * 3], [[1, 0, 0], [0, 2, -1], [0, -1, 3]])
>>> explicit = explicit_common_causes(sem)
>>> explicit.admg
ADMG.parse('A; B; C; U_B_C; A -> B; U_B_C -> B; U_B_C -> C')
>>> explicit.coef[3]
array([ 0.,  1., -1.,  0.])
"""

from __future__ import annotations

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.sem.model import LinearSEM

__all__ = ["explicit_common_causes"]


def explicit_common_causes(sem: LinearSEM) -> LinearSEM:
    """Return the model in which every bidirected edge is an explicit common cause.

    Parameters
    ----------
    sem : LinearSEM
        A model.

    Returns
    -------
    explicit : LinearSEM
        On a DAG: the variables of ``sem`` in their order, then one variable ``U_A_B`` with variance 1 for each
        bidirected edge ``A <-> B``. The covariance of the first d variables is that of ``sem``.

    Raises
    ------
    ParameterError
        If the error covariance cannot come from independent causes of two variables each.
    """
    pairs = np.argwhere(np.triu(sem.admg.bidirected))
    d, n_causes = len(sem.admg), len(pairs)
    weights = _weights(sem.error_cov)
    coef = np.zeros((d + n_causes, d + n_causes))
    coef[:d, :d] = sem.coef
    for cause, (i, j) in enumerate(pairs.tolist(), start=d):
        covariance = sem.error_cov[i, j]
        coef[cause, i] = np.sqrt(abs(covariance) * weights[j] / weights[i])
        coef[cause, j] = np.copysign(np.sqrt(abs(covariance) * weights[i] / weights[j]), covariance)
    own = _comparison_matrix(sem.error_cov) @ weights / weights
    directed = np.zeros(coef.shape, dtype=bool)
    directed[:d, :d] = sem.admg.directed
    directed[d:, :d] = coef[d:, :d] != 0
    dag = ADMG(sem.admg.names + _names_of_causes(sem.admg), directed, np.zeros_like(directed))
    return LinearSEM(dag, coef, np.diag(np.concatenate([own, np.ones(n_causes)])))


def _comparison_matrix(error_cov: FloatArray) -> FloatArray:
    matrix: FloatArray = 2.0 * np.diag(np.diag(error_cov)) - np.abs(error_cov)
    return matrix


def _weights(error_cov: FloatArray) -> FloatArray:
    """Return weights that leave every variable an error variance of its own; all 1 if they do."""
    comparison = _comparison_matrix(error_cov)
    equal: FloatArray = np.ones(len(error_cov))
    if (comparison @ equal > 0.0).all():
        return equal
    scales = np.sqrt(np.diag(error_cov))
    if np.linalg.eigvalsh(comparison / np.outer(scales, scales))[0] <= len(scales) * np.finfo(np.float64).eps:
        raise ParameterError(
            "The error covariance is too strong to come from one unmeasured cause for each bidirected edge; use "
            "gaussian errors, smaller covariances, or simulate from a DAG with hidden variables."
        )
    return np.asarray(np.linalg.solve(comparison, equal), dtype=np.float64)


def _names_of_causes(admg: ADMG) -> tuple[str, ...]:
    names = []
    for one, other in admg.bidirected_edges():
        name = f"U_{one}_{other}"
        while name in admg or name in names:
            name += "_"
        names.append(name)
    return tuple(names)
