"""The measures of fit as rows of a table, each with a word on how to read it."""

from __future__ import annotations

from lurking._numbers import short
from lurking._wording import counted
from lurking.sem.fit_measures import FitMeasures

__all__ = ["fit_rows"]


def fit_rows(measures: FitMeasures) -> tuple[tuple[str, str, str], ...]:
    """Return the rows of a table of fit: name, value, how to read it.

    Parameters
    ----------
    measures : FitMeasures
        From :func:`lurking.sem.fit_measures`.

    Examples
    --------
    >>> import numpy as np
    >>> measures = FitMeasures(12.3, 8, 0.14, 0.02, (0.0, 0.05), 0.99, 0.01, -9.0, 26.0, 27.0, 13, 500, (), np.eye(0))
    >>> [name for name, _, _ in fit_rows(measures)]
    ['Chi-square', 'RMSEA', 'CFI', 'SRMR', 'Log-likelihood', 'BIC', 'EBIC']
    """
    low, high = measures.rmsea_interval
    if measures.df:
        p = "p < 0.001" if measures.p_value < 0.001 else f"p = {measures.p_value:.3f}"
        chi_square = f"{measures.chi_square:.2f} on {measures.df} df, {p}"
        verdict = (
            "The data contradict at least one independence of the graph; the next rows tell how much it matters."
            if measures.p_value < 0.05
            else "The data do not contradict the graph. For a graph chosen on the same data this p-value is too large."
        )
    else:
        chi_square = "0 on 0 df"
        verdict = "The graph has no restriction that could fail, so its fit is no evidence for it."
    return (
        ("Chi-square", chi_square, verdict),
        (
            "RMSEA",
            f"{measures.rmsea:.3f} (90 % interval {low:.3f} to {high:.3f})",
            "Misfit per degree of freedom. Below 0.05 is usually called close, above 0.10 poor.",
        ),
        ("CFI", short(measures.cfi), "Share of all association that the graph explains. Above 0.95 is usual."),
        ("SRMR", short(measures.srmr), "Average correlation left unexplained. Below 0.05 is usually called close."),
        ("Log-likelihood", _exact(measures.loglik), f"With {counted(measures.n_parameters, 'parameter')}."),
        (
            "BIC",
            _exact(measures.bic),
            "Smaller is better; compare graphs on the same rows only. 10 is a lot, 2 nothing.",
        ),
        ("EBIC", _exact(measures.ebic), "BIC with an extra penalty for choosing among many graphs."),
    )


def _exact(value: float) -> str:
    """Write a log-likelihood or criterion with a decimal, because differences of a few points count."""
    return f"{value:,.1f}".replace("-", "−")
