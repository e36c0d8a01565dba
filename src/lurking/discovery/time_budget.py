"""A time budget for a whole answer: reading, search, analysis and report.

The ``time_budget`` of :class:`~lurking.TableSearch` is for :meth:`~lurking.TableSearch.fit`: everything from the
table to the fitted graph. A whole answer needs more: its analysis, and the page and the file, whose time grows with the
number of variables. Here the fit gets what these leave of the budget, by the cost model of
:mod:`lurking.search.search_plan`. Models can be wrong and machines busy, so the analysis has a bound too: the parts of
it that can be left out are not begun after that, and the answer says so (:func:`lurking.discovery.analyse`).

What comes before the fit and what cannot be left out is not cut: starting Python takes a second or two, and the
one-time compilation a minute. The fit keeps at least a tenth of the budget.

>>> share_of_fit(900.0, n_variables=500, spent=5.0, with_report=True) < 850.0
True
>>> share_of_fit(2.0, n_variables=10, spent=30.0, with_report=True)
0.2
"""

from __future__ import annotations

import time
from math import inf

from lurking.data.prepare import PreparedData
from lurking.discovery.table_search import TableSearch
from lurking.search.search_plan import seconds_left_for, seconds_of_analysis, seconds_of_report

__all__ = ["fit_within_budget", "share_of_fit"]


def share_of_fit(budget: float, n_variables: int, spent: float, *, with_report: bool) -> float:
    """Return how many seconds of a budget the fit may take, after some were spent already."""
    report = seconds_of_report(n_variables) if with_report else 0.0
    return seconds_left_for(budget, spent, seconds_of_analysis(n_variables) + report)


def fit_within_budget(model: TableSearch, data: PreparedData, began: float, *, with_report: bool) -> float:
    """Fit a model so that what follows has its share of the model's time budget.

    Parameters
    ----------
    model : TableSearch
        With or without a time budget.
    data : PreparedData
        The data.
    began : float
        When the budget began, on the clock of ``time.monotonic``.
    with_report : bool
        Whether a page and a file are to be written too.

    Returns
    -------
    deadline : float
        When the analysis has to end, on the same clock; inf without a budget.
    """
    budget = model.time_budget
    if budget is None:
        model.fit(data)
        return inf
    d = data.moments.n_variables
    spent = time.monotonic() - began
    model.time_budget = share_of_fit(budget, d, spent, with_report=with_report)
    try:
        model.fit(data)
    finally:
        model.time_budget = budget
    report = seconds_of_report(d) if with_report else 0.0
    return began + budget - report
