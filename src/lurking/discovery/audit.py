r"""What looks wrong in a table before any graph is sought.

Not every departure from the linear Gaussian model matters. The scores use means and covariances only, and
those are right for any shape of the errors; skewed columns make the search less certain, not biased. A handful of wild
values, though, can make a covariance on its own, columns that nearly repeat each other make directions a matter of
rounding, and few rows make everything uncertain. The audit says where such things are, how large they are, and what
people do about them. It changes nothing.

=====================  =================================================================================================
finding                when
=====================  =================================================================================================
``few rows``           fewer than 10 rows for each variable, or fewer than for each pair of variables
``curved``             the table is worth less than half of its rows, because relations are curved
``disagreement``       the same, because correlations of values and of ranks disagree
``dependent``          the same, because rows depend on their neighbours
``joint extremes``     the same, because few rows are extreme in several columns
``copies``             the same, because rows are repeated
``missing``            some rows are incomplete (and were dropped, or used by EM)
``left out``           a column that may matter was left out: too much of it is missing, it is nominal, or it holds
                       numbers and words
``no variable``        a column was left out that is none: labels of the rows, a constant, free text, a copy, a date
``collinear columns``  columns that others determine were left out
``structural``         another column decides when a column is missing (:mod:`lurking.data.structural`)
``clusters``           rows that belong together count as fewer rows
``weights``            rows were weighted
``coded``              words with two levels became 0 and 1
``sentinel``           a value such as -999 that may stand for a missing one
``discrete``           a column has at most 10 distinct values
``uneven``             the categories of an ordinal column make its correlations three times as uncertain as the search
                       takes them to be (:mod:`lurking.data.latent`)
``contradictory``      the correlations behind ordinal columns, found pair by pair, contradicted each other and were
                       moved
``units``              similar noise is assumed, but the columns are standardised or their units differ wildly
``skewed``             the skewness is above 2 in size (an exponential distribution has exactly 2)
``outliers``           values further than 8 robust standard deviations from the median
``collinear``          a few other columns explain a column up to 1 % of its variance
``repeated``           columns have correlations above 0.99 in size
``undetermined``       the covariances do not determine every parameter of the graph (:func:`lurking.discovery.analyse`)
``unsupported``        the data do not support an edge that the knowledge requires (:func:`lurking.discovery.analyse`)
=====================  =================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lurking._typing import FloatArray
from lurking._wording import counted, setting
from lurking.data import AnyMoments, Moments
from lurking.data.checks import listed
from lurking.data.effective_rows import EffectiveRows, Reason
from lurking.data.latent import MOST_CATEGORIES, SMALLEST_EIGENVALUE, is_discrete
from lurking.data.near_relations import COPY, UNEXPLAINED, near_copies, nearly_determined
from lurking.data.prepare import PreparedData

__all__ = ["Finding", "audit"]

WARNINGS = frozenset(
    {
        *("few rows", "curved", "disagreement", "dependent", "joint extremes", "copies"),
        *("outliers", "collinear", "repeated"),
        *("uneven", "contradictory", "units", "undetermined", "unsupported", "left out", "collinear columns"),
        "sentinel",
        "structural",
    }
)
"""The kinds of finding that can change the answer, as against those that make it less certain."""

_SKEWED = 2.0
_ROBUST_DISTANCE = 8.0
_ROWS_PER_VARIABLE = 10
_MOST_NAMED = 8
_UNEVEN = 3.0
_WORTH = 0.5
_REASON = 1.5  # by which factor a reason lowers the number of rows, to be named
_STANDARDISED = 1.0 + 1e-6  # the ratio of the largest to the smallest variance
_WILD_UNITS = 1e8


@dataclass(frozen=True)
class Finding:
    """One thing that looks wrong.

    Attributes
    ----------
    kind : str
        A word, such as "few rows"; the table above has all of them.
    columns : tuple of str
        The columns it is about; empty if it is about the whole table.
    size : float
        How large it is, in the unit of its kind (skewness, number of outliers, variance inflation, ...).
    message : str
        One sentence that says what was seen.
    advice : str
        What people do about it.
    """

    kind: str
    columns: tuple[str, ...]
    size: float
    message: str
    advice: str

    @property
    def severity(self) -> Literal["warning", "note"]:
        """Whether it can change the answer ("warning"), or only makes it less certain ("note")."""
        return "warning" if self.kind in WARNINGS else "note"

    def __str__(self) -> str:
        return f"{self.message} {self.advice}"


def audit(data: PreparedData, similar_noise: bool = False, worth: EffectiveRows | None = None) -> tuple[Finding, ...]:
    """Return what looks wrong in the data.

    Parameters
    ----------
    data : PreparedData
        The moments and, if there was a table, a sample of its rows.
    similar_noise : bool, default False
        Whether the search will assume that the errors have similar variances in the units given.
    worth : EffectiveRows, optional
        How many rows the table is worth.

    Examples
    --------
    >>> from lurking.data.prepare import prepare
    >>> rng = np.random.default_rng(0)
    >>> table = np.column_stack([rng.normal(size=500), np.exp(2 * rng.normal(size=500))])
    >>> [(finding.kind, finding.columns) for finding in audit(prepare(table))]
    [('skewed', ('X2',)), ('outliers', ('X2',))]
    """
    findings = [*_few_rows(data.moments), *(() if worth is None else _worth(worth))]
    findings += [Finding(note.kind, note.columns, note.size, note.message, note.advice) for note in data.notes]
    if data.n_incomplete and not any(note.kind == "missing" for note in data.notes):
        findings.append(
            Finding(
                "missing",
                (),
                float(data.n_incomplete),
                f"Values are missing in {counted(data.n_incomplete, 'row')}.",
                "Ask why they are missing: if that depends on the missing values themselves, no method repairs it.",
            )
        )
    if data.rows is not None:
        indicators = {column for group in data.groups if group.levels for column in group.columns}
        for name, column in zip(data.columns.names, data.rows.T, strict=True):
            if name in indicators:
                continue
            findings += _column_findings(name, column[~np.isnan(column)], name in data.ordinal)
    findings += _ordinal(data)
    if similar_noise and isinstance(data.moments, Moments):
        findings += _units(data, data.moments)
    findings += _collinear(_uncorrelated_within(data.moments))
    return tuple(findings)


def _few_rows(moments: AnyMoments) -> Iterator[Finding]:
    n, d = moments.n_samples, moments.n_variables
    n_pairs = d * (d - 1) // 2
    wanted = max(_ROWS_PER_VARIABLE * d, n_pairs)
    if n < wanted:
        yield Finding(
            "few rows",
            (),
            n / wanted,
            f"There are {n} rows for {d} variables, which form {n_pairs} pairs.",
            "Expect weak effects to be missed; a bootstrap shows what is stable, and fewer variables would help.",
        )


def _worth(worth: EffectiveRows) -> Iterator[Finding]:
    """Yield why a table is worth far fewer rows than it has, the strongest reason first."""
    if worth.share > _WORTH:
        return
    counted_as = f"the {worth.n_rows:,} rows count as {worth.effective:,}"
    words: dict[Reason, tuple[float, str, str]] = {
        "curved": (
            worth.curvature,
            f"Relations are curved (squares explain {worth.curvature:.0%} of what straight lines leave of a column): "
            f"{counted_as}.",
            "Transform columns so that relations become straight (a logarithm, a ratio), or leave such columns out.",
        ),
        "disagreement": (
            worth.disagreement,
            "Correlations of values and of ranks disagree, as they do when some rows are of another kind: "
            f"{counted_as}.",
            "Look for rows that do not belong to the others, and for columns of which a few values are very large; "
            "compare the answer with that of " + setting("margins", "rank") + ".",
        ),
        "dependent": (
            worth.dependence,
            f"Rows resemble their neighbours, as in a time series or in sorted blocks: {counted_as}.",
            "If rows follow each other in time, give differences or one row for each unit.",
        ),
        "joint extremes": (
            worth.extremes,
            f"Few rows are extreme in several columns at once: {counted_as}.",
            "Look at these rows; " + setting("margins", "rank") + " takes away their force.",
        ),
        "copies": (
            worth.repeated,
            f"Each row stands {worth.repeated:.1f} times in the table: {counted_as}.",
            "Give each unit one row.",
        ),
    }
    for reason, left in worth.by_reason().items():
        if _REASON * left <= worth.n_rows:
            size, message, advice = words[reason]
            yield Finding(reason, (), size, message, advice)


def _column_findings(name: str, column: FloatArray, as_ordinal: bool) -> Iterator[Finding]:
    if len(column) < 3:
        return
    if is_discrete(column):
        count = len(np.unique(column))
        if not as_ordinal:
            yield Finding(
                "discrete",
                (name,),
                float(count),
                f"{name!r} has only {count} distinct values (at most {MOST_CATEGORIES} count as few).",
                "If they are ordered categories, "
                + setting("margins", "latent")
                + " treats them as such; codes of unordered "
                "categories mean nothing here and should be left out.",
            )
        return
    standard = (column - column.mean()) / column.std()
    skewness = float((standard**3).mean())
    if abs(skewness) > _SKEWED:
        yield Finding(
            "skewed",
            (name,),
            skewness,
            f"{name!r} is skewed (skewness {skewness:.1f}).",
            "If the column is positive, its logarithm may be nearer to what the model assumes; "
            + setting("margins", "rank")
            + " needs "
            "no such choice.",
        )
    distance = np.abs(column - np.median(column))
    spread = 1.4826 * float(np.median(distance))  # the standard deviation, if the column were Gaussian
    if spread > 0:
        count = int((distance > _ROBUST_DISTANCE * spread).sum())
        if count:
            yield Finding(
                "outliers",
                (name,),
                float(count),
                f"{name!r} has {counted(count, 'value')} further than {_ROBUST_DISTANCE:.0f} robust standard "
                f"deviations from its median (of {counted(len(column), 'value')} looked at).",
                "Check whether they are errors; " + setting("margins", "rank") + " takes away their weight.",
            )


def _ordinal(data: PreparedData) -> Iterator[Finding]:
    for name, times in data.ordinal.items():
        if times > _UNEVEN:
            yield Finding(
                "uneven",
                (name,),
                times,
                f"The categories of {name!r} are so uneven that its correlations are {times:.1f} times as uncertain "
                "(in variance) as the search takes them to be.",
                "An edge to it may be chance; a bootstrap shows what is stable. Without "
                + setting("margins", "latent")
                + " its "
                "correlations are weaker, but as certain as they look.",
            )
    if data.latent_eigenvalue is not None and data.latent_eigenvalue < SMALLEST_EIGENVALUE:
        yield Finding(
            "contradictory",
            tuple(data.ordinal),
            data.latent_eigenvalue,
            "The correlations behind the ordinal columns, found pair by pair, contradict each other (smallest "
            f"eigenvalue {data.latent_eigenvalue:.2g}); nearby ones that do not were taken.",
            "Join rare categories, or leave the column with the most uneven ones out.",
        )


def _units(data: PreparedData, moments: Moments) -> Iterator[Finding]:
    variances = np.diag(moments.cov)
    small, large = int(variances.argmin()), int(variances.argmax())
    ratio = float(variances[large] / variances[small])
    advice = "Similar noise in these units is unlikely; give the data in comparable units of their own, or use "
    advice += (
        setting("noise_scale", "free") + " with " + setting("solver", "hybrid") + ", which does not depend on units."
    )
    if data.ordinal:
        words = f"What is behind {listed(data.ordinal)} has no units: its variance is taken to be 1."
        yield Finding("units", tuple(data.ordinal), 1.0, words, advice)
    if len(variances) > 1 and ratio < _STANDARDISED:
        yield Finding("units", (), ratio, "All columns have the same variance, as after standardising.", advice)
    elif ratio > _WILD_UNITS:
        columns = moments.names[large], moments.names[small]
        words = f"{columns[0]!r} has {ratio:.0e} times the variance of {columns[1]!r}."
        yield Finding("units", columns, ratio, words, advice)


def _uncorrelated_within(moments: AnyMoments) -> Moments:
    """Return moments of columns that are uncorrelated within each variable, which says nothing about the data."""
    if isinstance(moments, Moments):
        return moments
    return Moments(moments.whitened()[0], moments.n_samples, moments.columns.names)


def _collinear(moments: Moments) -> Iterator[Finding]:
    correlation = moments.correlation
    copies = near_copies(correlation, moments.names)
    for kept, *others in copies:
        pair = [correlation[moments.index(kept), moments.index(name)] for name in others]
        size = float(min(pair, key=abs))
        said = f"{kept!r} and {others[0]!r} have the correlation {size:.4f}."
        if len(others) > 1:
            said = f"{listed((kept, *others))} nearly repeat each other (correlations beyond {COPY:g} connect them)."
        yield Finding(
            "repeated",
            (kept, *others),
            size,
            said,
            f"If they measure the same thing, leave out {listed(others)}: which of them gets an edge is a matter of "
            "chance.",
        )
    repeated = {name for group in copies for name in group}
    relations = nearly_determined(correlation, moments.names)
    for relation in relations:
        if relation.column not in repeated and len(relation.others) <= _MOST_NAMED:
            yield Finding(
                "collinear",
                (relation.column, *relation.others),
                1.0 / relation.unexplained,
                f"{listed(relation.others)} explain all but {relation.unexplained:.2%} of {relation.column!r}.",
                f"If it is computed from them (a total, a difference), leave out {relation.column!r} or one of them.",
            )
    many = tuple(one.column for one in relations if one.column not in repeated and len(one.others) > _MOST_NAMED)
    if many:
        yield Finding(
            "collinear",
            many,
            float(len(many)),
            f"More than {_MOST_NAMED} other columns together explain all but {UNEXPLAINED:.0%} of {listed(many)}"
            f"{', of each' if len(many) > 1 else ''}.",
            "Leave out columns that measure nearly the same; with few rows for each column it may also be chance.",
        )
