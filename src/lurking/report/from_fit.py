"""From a graph and data to the content of a report: estimates, standard errors, costs, fit, tests.

This is all that one can say of a graph, wherever it came from: given by hand (``lurking check``) or learnt
(:mod:`lurking.report.from_discovery`, which adds how it was found).

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> moments = Moments([[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]], 100, ["A", "B", "C"])
>>> content = graph_content(moments, ADMG.parse("A -> B -> C"), title="A chain")
>>> [(edge.one, edge.arrow, edge.other, round(edge.estimate, 2)) for edge in content.edges]
[('A', '->', 'B', 0.5), ('B', '->', 'C', 0.5)]
>>> [(test.text, round(test.p_value, 2)) for test in content.constraints]
[('A ⊥ C | B', 1.0)]
"""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from math import isfinite

import numpy as np

from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.report.citations import citations
from lurking.report.content import ConstraintTest, EdgeEstimate, Finding, ReportContent
from lurking.report.fit_rows import fit_rows
from lurking.sem import FitStatus, InformationStatus, RICFResult, fit_measures, implied_tests, ricf, standard_errors

__all__ = ["edge_estimates", "graph_content", "hash_of_moments", "software_versions", "tested_constraints"]

_PACKAGES = ("lurking", "numpy", "scipy", "numba", "scikit-learn")


def graph_content(
    moments: Moments,
    admg: ADMG,
    *,
    title: str,
    data_name: str | None = None,
    data_hash: str | None = None,
    created: str | None = None,
) -> ReportContent:
    """Fit a graph to data and return everything that can be said of it.

    Parameters
    ----------
    moments : Moments
        The data.
    admg : ADMG
        A bow-free graph on the same variables.
    title : str
        The heading of the report.
    data_name, data_hash, created : str, optional
        Where the data came from, their hash (by default one of the moments), and when the report was made.

    Raises
    ------
    GraphClassError
        If the graph has a bow.
    GraphError
        If graph and data are not on the same variables.

    Notes
    -----
    The cost is about one fit for each pair of variables.
    """
    fit = ricf(moments, admg)
    return ReportContent(
        title=title,
        admg=fit.admg,
        pag=fit.admg.to_pag(),
        edges=edge_estimates(moments, fit),
        data_name=data_name,
        n_samples=moments.n_samples,
        created=created,
        status=None if fit.status is FitStatus.CONVERGED else fit.status.message,
        fit=fit_rows(fit_measures(moments, fit)),
        constraints=tested_constraints(moments, fit.admg),
        findings=undetermined_parameters(moments, fit),
        versions=software_versions(),
        data_hash=data_hash or hash_of_moments(moments),
        citations=citations(solver=None, graph_class=None, constraints_tested=True),
    )


def edge_estimates(moments: Moments, fit: RICFResult) -> tuple[EdgeEstimate, ...]:
    """Return each edge with its estimate, standard error, standardised estimate and what its removal costs.

    Parameters
    ----------
    moments : Moments
        The data.
    fit : RICFResult
        The graph, fitted to them.

    Returns
    -------
    edges : tuple of EdgeEstimate
        The directed edges first. A standard error is None where the covariances do not determine the number.
    """
    errors = standard_errors(moments, fit)
    scales = moments.scales
    noise = np.sqrt(np.diag(fit.error_cov))
    found = []
    for i, j in np.argwhere(fit.admg.directed).tolist():
        estimate, error = float(fit.coef[i, j]), float(errors.coef[i, j])
        standardized = float(estimate * scales[i] / scales[j])
        found.append(_estimate(moments, fit, i, j, "directed", estimate, error, standardized))
    for i, j in np.argwhere(np.triu(fit.admg.bidirected)).tolist():
        estimate, error = float(fit.error_cov[i, j]), float(errors.error_cov[i, j])
        standardized = float(estimate / (noise[i] * noise[j]))
        found.append(_estimate(moments, fit, i, j, "bidirected", estimate, error, standardized))
    return tuple(found)


def _estimate(
    moments: Moments, fit: RICFResult, i: int, j: int, kind: str, estimate: float, error: float, standardized: float
) -> EdgeEstimate:
    names = fit.admg.names
    return EdgeEstimate(
        names[i],
        names[j],
        "directed" if kind == "directed" else "bidirected",
        estimate=estimate,
        standard_error=error if isfinite(error) else None,
        standardized=standardized,
        removal_cost=ricf(moments, _without(fit.admg, i, j, kind)).bic - fit.bic,
    )


def _without(admg: ADMG, i: int, j: int, kind: str) -> ADMG:
    directed, bidirected = admg.directed.copy(), admg.bidirected.copy()
    if kind == "directed":
        directed[i, j] = False
    else:
        bidirected[i, j] = bidirected[j, i] = False
    return ADMG(admg.names, directed, bidirected)


def tested_constraints(moments: Moments, admg: ADMG) -> tuple[ConstraintTest, ...]:
    """Test on data what each missing edge of a graph implies, by likelihood ratio."""
    return tuple(
        ConstraintTest(
            test.statement,
            "verma" if test.kind == "verma" else "independence",
            test.chi_square,
            test.p_value,
            test.adjusted_p_value,
        )
        for test in implied_tests(moments, admg)
    )


def undetermined_parameters(moments: Moments, fit: RICFResult) -> tuple[Finding, ...]:
    """Return a finding if the covariances do not determine every parameter of the graph."""
    errors = standard_errors(moments, fit)
    if errors.status is InformationStatus.REGULAR:
        return ()
    which = ", ".join(errors.undetermined)
    return (Finding(f"The data do not determine {which}.", advice=errors.status.message, severity="warning"),)


def software_versions() -> dict[str, str]:
    """Return the versions of what took part in the computation."""
    return {"Python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}


def hash_of_moments(moments: Moments) -> str:
    """Return a hash of names, number of rows and covariances, for data that did not come from a file."""
    digest = hashlib.sha256()
    for name in moments.names:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(str(moments.n_samples).encode())
    digest.update(np.ascontiguousarray(moments.cov).tobytes())
    return f"moments-sha256:{digest.hexdigest()}"
