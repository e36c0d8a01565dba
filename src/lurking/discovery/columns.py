"""The columns of the table of edges: one list that terminal, page, data frame and ``result.json`` iterate over.

A new column is one more entry of ``EDGE_COLUMNS``.

>>> [column.key for column in EDGE_COLUMNS][:6]
['estimate', 'standard_error', 'standardized', 'strength', 'chi_square', 'df']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lurking._numbers import UNKNOWN, cost_text, percent, short
from lurking.discovery.analysis import Analysis
from lurking.discovery.analysis_parts import EdgeEstimate
from lurking.discovery.equivalence import class_agrees

__all__ = ["EDGE_COLUMNS", "Column", "shown_columns"]

Value = float | bool | None


@dataclass(frozen=True)
class Column:
    """One column of the table of edges.

    Attributes
    ----------
    key : str
        Its name in data frames and in JSON.
    heading : str
        Its heading for people.
    meaning : str
        What it says, in a sentence.
    value : callable
        Takes the analysis and an edge, and returns the value; None where there is none.
    text : callable
        Writes a value for people.
    for_people : bool
        Whether terminal and page show it; data frames and JSON have all columns.
    """

    key: str
    heading: str
    meaning: str
    value: Callable[[Analysis, EdgeEstimate], Value]
    text: Callable[[Value], str]
    for_people: bool = True


def _yes_or_no(value: Value) -> str:
    return UNKNOWN if value is None else "yes" if value else "no"


EDGE_COLUMNS: list[Column] = [
    Column(
        "estimate",
        "Estimate",
        "Of an arrow, by how much the effect changes when the cause changes by one unit; of a double arrow, the "
        "covariance of what is left unexplained in both.",
        lambda _, edge: edge.estimate,
        short,
    ),
    Column(
        "standard_error",
        "Std. error",
        "The standard error of the estimate if this graph is right; it does not know how uncertain the graph is.",
        lambda _, edge: edge.standard_error,
        short,
    ),
    Column(
        "standardized",
        "Standardized",
        "The estimate in units of standard deviations.",
        lambda _, edge: edge.standardized,
        short,
        for_people=False,
    ),
    Column(
        "strength",
        "Strength",
        "Of an edge of a nominal variable, the largest standardized estimate that any combination of its levels has.",
        lambda _, edge: edge.standardized if edge.by_column else None,
        short,
    ),
    Column(
        "chi_square",
        "Chi-square",
        "Of an edge of a nominal variable, Wald's statistic of the hypothesis that all its parameters are zero.",
        lambda _, edge: edge.chi_square,
        short,
    ),
    Column(
        "df",
        "Parameters",
        "Of an edge of a nominal variable, the number of its parameters, which are the degrees of freedom of the "
        "chi-square.",
        lambda _, edge: edge.df,
        lambda value: UNKNOWN if value is None else str(value),
    ),
    Column(
        "removal_cost",
        "Cost of removal",
        "How much larger the BIC of this graph becomes without the edge. It compares two graphs; it does not say how "
        "probable the edge is, because other graphs may do without it.",
        lambda _, edge: edge.removal_cost,
        cost_text,
    ),
    Column(
        "probability",
        "Prob.",
        "The posterior probability of what the edge says: that the first is a cause of the second, or that both share "
        "an unmeasured cause.",
        lambda _, edge: edge.probability,
        percent,
    ),
    Column(
        "adjacent",
        "Joined",
        "The posterior probability that the two are directly connected, by this edge or another.",
        lambda _, edge: edge.adjacent,
        percent,
    ),
    Column(
        "share",
        "Bootstrap",
        "The share of the resampled tables in which this very edge was found.",
        lambda _, edge: edge.share,
        percent,
    ),
    Column(
        "class_agrees",
        "Class agrees",
        "Whether every graph with the same independences says the same of the pair; where they do not, no number of "
        "rows decides it.",
        class_agrees,
        _yes_or_no,
    ),
]
"""The columns, in order."""


def shown_columns(analysis: Analysis) -> list[Column]:
    """Return the columns for people that have a value for at least one edge."""
    return [
        column
        for column in EDGE_COLUMNS
        if column.for_people and any(column.value(analysis, edge) is not None for edge in analysis.edge_estimates)
    ]
