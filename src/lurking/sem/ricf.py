r"""Exact maximum likelihood of a linear Gaussian model with a bow-free graph.

The model of an ADMG is :math:`X = B^\top X + \varepsilon`, with a coefficient for each directed edge and a covariance
matrix :math:`\Omega` of the errors that is zero where there is no bidirected edge. From the covariance S of n rows,

.. math::

   \ell(B, \Omega) = -\tfrac n2
   \bigl(d \ln 2\pi + \ln\det\Omega + \operatorname{tr}\,\Omega^{-1} (I-B)^\top S (I-B)\bigr),

because :math:`\det(I - B) = 1`. It is a sum over the districts of the graph, and each is maximised on its own: by
residual iterative conditional fitting (RICF), and then by Newton's method, which makes the last digits cheap
(:mod:`lurking.sem.kernels.ricf_sweep` and :mod:`lurking.sem.kernels.newton` have the formulas). The work is done on
correlations, so units do not matter.

With no bow (no pair with both edges) the parameters are determined by the covariance matrix almost everywhere (Brito
and Pearl 2002); in an arid graph they are everywhere (Drton, Foygel and Sullivant 2011). So:

- an arid graph that is near the truth has one maximum in practice, though the likelihood of a graph that fits badly
  can have several (Drton and Richardson 2004);
- a bow-free graph with a c-tree can, in addition, have its supremum at infinitely large coefficients, which no
  method reaches. The fit then ends with the status ``DIVERGED``, and its log-likelihood is a lower bound.

The starts are always the same (:mod:`lurking.sem.kernels.starts`), and so is the result: the best maximum that they
lead to.

References
----------
Drton, Eichler and Richardson (2009). Computing maximum likelihood estimates in recursive linear models with
correlated errors. Journal of Machine Learning Research 10.

Drton and Richardson (2004). Multimodality of the likelihood in the bivariate seemingly unrelated regressions model.
Biometrika 91.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking._parameters import check_count, check_positive
from lurking._status import Status
from lurking._typing import FloatArray
from lurking._wording import mention
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.graphs import ADMG
from lurking.sem.criterion import bic as bic_criterion
from lurking.sem.kernels.fit_call import LOSS, MAX_ITERATIONS, N_ITERATIONS, STATUS
from lurking.sem.kernels.score_state import new_score_state, new_scored_graph
from lurking.sem.kernels.scores import score_graph

__all__ = ["USUAL_ITERATIONS", "FitStatus", "RICFResult", "bow_free_graph_of", "ricf", "wide_fit"]


class FitStatus(Status):
    """How a fit ended; ``status.message`` says what to do next."""

    CONVERGED = "The fit is at a maximum of the likelihood; nothing needs to be done."
    MAX_ITERATIONS = (
        "The fit was still improving when it ran out of iterations; raise max_iterations, and if that does not help "
        "look for edges with large standard errors and remove one."
    )
    DIVERGED = (
        "The likelihood keeps rising, ever more slowly, while coefficients grow and errors become collinear: its "
        "maximum is at infinity, as can happen if the graph is not arid; remove an edge of the c-tree that "
        "admg.witness('arid') names, or use " + mention("arid_projection", "admg.arid_projection()") + "."
    )
    NEAR_SINGULAR = (
        "The fit stopped where variables or errors are collinear to working precision, so the estimates are not "
        "reliable; leave out one of the nearly redundant variables or edges."
    )


USUAL_ITERATIONS = 500
_STATUS = (FitStatus.CONVERGED, FitStatus.MAX_ITERATIONS, FitStatus.DIVERGED, FitStatus.NEAR_SINGULAR)


@dataclass(frozen=True, eq=False)
class RICFResult:
    """A fitted linear Gaussian model.

    Attributes
    ----------
    admg : ADMG
        The graph, its vertices in the order of the moments; rows and columns of the matrices follow it.
    n_samples : int
        The number of rows of the data.
    coef : ndarray of shape (d, d)
        ``coef[i, j]`` is the coefficient of i in the equation of j. Read-only, as all arrays here.
    error_cov : ndarray of shape (d, d)
        The covariance matrix of the errors.
    loglik, bic : float
        The log-likelihood and ``-2 loglik + ln(n) * n_parameters``.
    status : FitStatus
        How the fit ended; ``status.message`` says what to do next.
    n_iterations : int
        RICF sweeps and Newton steps of the district that needed most, over all its starts.
    """

    admg: ADMG
    n_samples: int
    coef: FloatArray
    error_cov: FloatArray
    loglik: float
    bic: float
    status: FitStatus
    n_iterations: int

    @property
    def names(self) -> tuple[str, ...]:
        """The variables in the order of the rows and columns."""
        return self.admg.names

    @property
    def converged(self) -> bool:
        """Whether the fit is at a maximum of the likelihood."""
        return self.status is FitStatus.CONVERGED

    @property
    def n_parameters(self) -> int:
        """The number of edges plus the number of variables."""
        return self.admg.n_edges + len(self.admg.names)

    def implied_cov(self) -> FloatArray:
        """Return the covariance matrix of the variables under the model."""
        paths = np.linalg.inv(np.eye(len(self.coef)) - self.coef)
        implied: FloatArray = paths.T @ self.error_cov @ paths
        return implied


def ricf(moments: Moments, admg: ADMG, *, tol: float = 1e-10, max_iterations: int = USUAL_ITERATIONS) -> RICFResult:
    """Fit a bow-free ADMG to moments by exact maximum likelihood.

    Parameters
    ----------
    moments : Moments
        Covariance matrix, number of rows, names.
    admg : ADMG
        A bow-free graph on the same names, in any order.
    tol : float, default 1e-10
        Stop when the log-likelihood is estimated to be less than this below its maximum. A last Newton step is still
        made then, after which it is much nearer.
    max_iterations : int, default 500
        The most sweeps and Newton steps per start; a district that is hard to fit is fitted from four starts.

    Returns
    -------
    result : RICFResult
        Estimates, log-likelihood, BIC and status. A fit that did not converge is returned too, and says so.

    Raises
    ------
    GraphClassError
        If the graph has a bow.
    GraphError
        If graph and moments are not on the same variables.

    Notes
    -----
    For a district with p parameters a Newton step costs O(p³) (about 15 microseconds at d = 10); the number of rows
    does not matter.

    Examples
    --------
    >>> moments = Moments([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]], 200, ["A", "B", "C"])
    >>> fit = ricf(moments, ADMG.parse("A -> B; B <-> C"))
    >>> fit.status.name, fit.coef.round(3)[0, 1], fit.error_cov.round(3)[1, 2]
    ('CONVERGED', np.float64(0.418), np.float64(0.275))
    """
    check_positive("tol", tol, "ricf")
    check_count("max_iterations", max_iterations, owner="ricf")
    graph = bow_free_graph_of(moments, admg)
    n, scales = moments.n_samples, moments.scales
    criterion = bic_criterion(n, len(graph))
    state = new_score_state(
        moments.correlation, scales, n, criterion.prices, criterion.adjacency_costs, cache_size=1, tolerance=2.0 * tol
    )
    state.settings[MAX_ITERATIONS] = max_iterations
    fitted = new_scored_graph(len(moments.names))
    fitted.directed[:] = graph.directed
    fitted.bidirected[:] = graph.bidirected
    bic = float(score_graph(state, fitted, 0))
    districts = np.unique(fitted.district)
    status = _STATUS[int(fitted.local[districts, STATUS].max())]
    had_time = status is not FitStatus.MAX_ITERATIONS or max_iterations >= USUAL_ITERATIONS
    if status is not FitStatus.CONVERGED and had_time and not graph.is_arid():
        status = FitStatus.DIVERGED
    coef = fitted.coef * (scales[None, :] / scales[:, None])
    error_cov = fitted.error_cov * np.outer(scales, scales)
    coef.flags.writeable = error_cov.flags.writeable = False
    return RICFResult(
        admg=graph,
        n_samples=n,
        coef=coef,
        error_cov=error_cov,
        loglik=-0.5 * float(fitted.local[districts, LOSS].sum()),
        bic=bic,
        status=status,
        n_iterations=int(fitted.local[districts, N_ITERATIONS].max()),
    )


def wide_fit(moments: AnyMoments, admg: ADMG) -> RICFResult:
    """Fit a bow-free ADMG; of variables of several columns, its wide graph (:mod:`lurking.graphs.grouping`).

    Parameters
    ----------
    moments : Moments or GroupedMoments
        The data.
    admg : ADMG
        A bow-free graph on the variables.

    Returns
    -------
    result : RICFResult
        The fit, on the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from lurking.data import grouped_moments
    >>> table = pd.DataFrame({"dose": [1.0, 2.0, 4.0, 3.0, 2.0], "colour": ["red", "blue", "red", "green", "blue"]})
    >>> wide_fit(grouped_moments(table, ["colour"]), ADMG.parse("dose; colour")).n_parameters
    4
    """
    if isinstance(moments, GroupedMoments):
        return ricf(moments.columns, moments.grouping.widened(bow_free_graph_of(moments, admg)))
    return ricf(moments, admg)


def bow_free_graph_of(moments: AnyMoments, admg: ADMG) -> ADMG:
    """Return the graph with its vertices in the order of the moments, or say why it cannot be fitted to them."""
    if not isinstance(moments, Moments | GroupedMoments):
        raise ParameterError(
            f"The data must be Moments, such as Moments.from_table(table). Got {type(moments).__name__} instead."
        )
    only = [
        f"{', '.join(map(repr, odd))} {'is' if len(odd) == 1 else 'are'} only in the {where}"
        for odd, where in (
            (sorted(set(admg.names) - set(moments.names)), "graph"),
            (sorted(set(moments.names) - set(admg.names)), "data"),
        )
        if odd
    ]
    if only:
        raise GraphError(
            f"Graph and data must be on the same variables, but {' and '.join(only)}; "
            + mention("graph and data", "use admg.subgraph or moments.subset to leave them out")
            + "."
        )
    bow = admg.witness("bow-free")
    if bow is not None:
        raise GraphClassError(
            f"Only a bow-free graph can be fitted, but this one has {bow}; remove one of the two edges, "
            "or use " + mention("arid_projection", "admg.arid_projection()") + "."
        )
    return admg if admg.names == moments.names else admg.subgraph(moments.names)
