"""From rows of numbers to :class:`Moments`: missing values, margins, and columns that others determine.

What is decided without being asked (``missing="auto"``, ``collinear="drop"``) does not depend on the order of the
columns, and is said in a :class:`~lurking.data.reading.TableNote`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking._wording import counted, setting
from lurking.data.checks import checked_n_samples, listed
from lurking.data.collinear import AS_GOOD_AS_EXACT, Relation, collinear_sets
from lurking.data.imputed import imputed_latent_covariance
from lurking.data.latent import latent_covariance
from lurking.data.missing import check_not_infinite, complete_rows, gaussian_em
from lurking.data.moments import Moments
from lurking.data.reading import TableNote
from lurking.data.row_roles import effective_number
from lurking.data.streaming import MOST_ROWS
from lurking.data.transforms import RankTransform

if TYPE_CHECKING:
    from lurking.data.prepare import Collinearity, Margins, Missing

__all__ = ["MOST_MISSING", "Reduced", "reduced", "settled"]

MOST_MISSING = 0.6
"""A column of which a larger share is missing is left out by ``missing="auto"``."""

_ABOUT_MISSING = (
    "leave these rows out by " + setting("missing", "drop") + ", or use them by " + setting("missing", "em")
)
_ROUNDING = 16 * np.finfo(float).eps
_MOST_RELATIONS = 4
_PATIENCE = 3_000
"""Steps of EM after which ``missing="auto"`` leaves a column out, rather than waiting for an estimate at infinity."""
_FEWER_GAPS = "Give more rows, or choose fewer columns with missing values."


@dataclass(frozen=True)
class Reduced:
    """The result; the fields are those of :class:`~lurking.data.prepare.PreparedData`."""

    moments: Moments
    rows: FloatArray | None = None
    n_incomplete: int = 0
    rank_transform: RankTransform | None = None
    ordinal: dict[str, float] = field(default_factory=dict)
    latent_eigenvalue: float | None = None
    missing: Missing = "refuse"
    values: FloatArray | None = None
    notes: tuple[TableNote, ...] = ()


def settled(names: Sequence[str], n_rows: int, mean: FloatArray, cov: FloatArray, collinear: Collinearity) -> Reduced:
    """Return moments from means and covariances without the columns that never change or that others determine."""
    moving = _moving(mean, cov)
    notes = _constant_notes([name for name, moves in zip(names, moving, strict=True) if not moves])
    kept = [j for j, moves in enumerate(moving) if moves]
    if not kept:
        raise DataError("No column changes from row to row, so nothing can be learnt; give a table with others.")
    names, mean, cov = [names[j] for j in kept], mean[kept], cov[np.ix_(kept, kept)]
    if collinear == "drop" and n_rows > len(names):
        names, mean, cov, more = _without_collinear(names, mean, cov)
        notes += more
    return Reduced(Moments(cov, n_rows, names, mean=mean), notes=notes)


@dataclass(frozen=True)
class _Table:
    """Rows of numbers, and what was said about the columns that left."""

    names: tuple[str, ...]
    values: FloatArray
    notes: tuple[TableNote, ...] = ()
    weights: FloatArray | None = None

    def without(self, out: Collection[str], *notes: TableNote) -> _Table:
        kept = [j for j, name in enumerate(self.names) if name not in out]
        names = tuple(self.names[j] for j in kept)
        return _Table(names, self.values[:, kept], (*self.notes, *notes), self.weights)

    @property
    def share_missing(self) -> dict[str, float]:
        """The share of the values that is missing, for each column."""
        return dict(zip(self.names, np.isnan(self.values).mean(axis=0).tolist(), strict=True))


@dataclass(frozen=True)
class _Policy:
    """What may be done without asking."""

    missing: Missing
    margins: Margins | None
    drops_collinear: bool
    drops_constant: bool
    auto: bool


def reduced(
    names: Sequence[str],
    values: FloatArray,
    missing: Missing,
    margins: Margins | None,
    collinear: Collinearity,
    *,
    leave_out_constant: bool = False,
    weights: FloatArray | None = None,
) -> Reduced:
    """Return the moments of rows of numbers; the parameters are those of :func:`~lurking.data.prepare.prepare`.

    Parameters
    ----------
    names : sequence of str
        The columns.
    values : ndarray of shape (n, d)
        The rows, NaN where a value is missing. They are not changed.
    leave_out_constant : bool, default False
        Whether columns that never change are left out instead of being refused.
    weights : ndarray of shape (n,), optional
        How much each row counts, 1 on average; the moments then have as many rows as
        :func:`~lurking.data.row_roles.effective_number` says.
    """
    check_not_infinite(names, values)
    n_incomplete = int(np.isnan(values).any(axis=1).sum())
    if n_incomplete and missing == "refuse":
        which = [name for name, gaps in zip(names, np.isnan(values).T, strict=True) if gaps.any()]
        raise DataError(
            f"Values of {listed(which)} are missing in {n_incomplete} of {len(values)} rows; " + _ABOUT_MISSING + "."
        )
    table = _Table(tuple(names), values, weights=weights)
    auto = missing == "auto"
    if auto:
        table = _without_mostly_missing(table)
        n_incomplete = int(np.isnan(table.values).any(axis=1).sum())
        missing = "em" if n_incomplete else "refuse"
    policy = _Policy(missing, margins, collinear == "drop", leave_out_constant, auto)
    found: Reduced | _Table = table
    while isinstance(found, _Table):  # each time with fewer columns
        found = _attempt(found, policy, n_incomplete)
    said = _about_missing(margins, n_incomplete, len(values)) if auto and n_incomplete else ()
    return replace(found, notes=(*found.notes, *said))


def _attempt(table: _Table, policy: _Policy, n_incomplete: int) -> Reduced | _Table:
    """Return the moments, or the same table without the columns that have to leave first."""
    names = table.names
    rows = table.values[:: -(-len(table.values) // MOST_ROWS)] if len(table.values) else table.values
    values, weights = table.values, table.weights
    if policy.missing != "em":
        values = complete_rows(names, values)
        weights = None if weights is None else weights[~np.isnan(table.values).any(axis=1)]
    anything = ~np.isnan(values).all(axis=1)
    n_rows = int(anything.sum()) if weights is None else int(effective_number(weights[anything]))
    if policy.drops_constant:
        constant = [name for name, column in zip(names, values.T, strict=True) if _is_constant(column)]
        if constant:
            if len(constant) == len(names):
                raise DataError("No column changes from row to row, so nothing can be learnt; give another table.")
            return table.without(constant, *_constant_notes(constant))
    if len(values) <= len(names) and policy.auto and np.isnan(table.values).any():
        return _without_most_incomplete(table, f"there are only {len(values)} rows")
    checked_n_samples(len(values), len(names))
    rank = RankTransform.fitted_to(values) if policy.margins == "rank" else None
    if rank is not None:
        values = rank.apply(values)
    if policy.margins == "latent":
        check_no_constant(names, values)
        if np.isnan(values).any():
            try:
                cov, inflation, eigenvalue = imputed_latent_covariance(
                    names, values[anything], weights=None if weights is None else weights[anything]
                )
            except DataError as error:
                if not policy.auto:
                    raise
                return _without_most_incomplete(table, str(error).rstrip(".").split(";", maxsplit=1)[0])
        else:
            cov, inflation, eigenvalue = latent_covariance(values, names, weights=weights)
        ordinal = {names[j]: times for j, times in inflation.items()}
        means = np.array([np.average(c[~np.isnan(c)], weights=_there(weights, c)) for c in values.T])
        mean = np.where(np.isin(np.arange(len(names)), list(inflation)), 0.0, means)
        moments = Moments(cov, checked_n_samples(n_rows, len(names)), names, mean=mean)
        return Reduced(
            moments, rows, n_incomplete, None, ordinal, eigenvalue, policy.missing, table.values, table.notes
        )
    if policy.drops_collinear:
        relations = _holding_relations(names, values)
        if relations:
            return table.without([one.column for one in relations], collinear_note(relations))
    if policy.missing == "em" and np.isnan(values).any():
        try:
            estimate = gaussian_em(names, values, max_iterations=_PATIENCE if policy.auto else 10_000, weights=weights)
        except DataError as error:
            if not policy.auto:
                raise
            return _without_most_incomplete(table, str(error).rstrip(".").split(";", maxsplit=1)[0])
        if policy.drops_collinear and (sets := collinear_sets(estimate.cov, names)).left_out:
            return table.without(sets.left_out, collinear_note(sets.relations))
        rows_counted = estimate.n_samples if weights is None else checked_n_samples(n_rows, len(names))
        moments = Moments(estimate.cov, rows_counted, names, mean=estimate.mean)
    elif weights is not None:
        check_no_constant(names, values)
        cov = np.atleast_2d(np.cov(values, rowvar=False, bias=True, aweights=weights))
        mean = np.average(values, axis=0, weights=weights)
        moments = Moments(cov, checked_n_samples(n_rows, len(names)), names, mean=mean)
    else:
        moments = Moments.from_table(values, names=names)
    return Reduced(moments, rows, n_incomplete, rank, {}, None, policy.missing, table.values, table.notes)


def check_no_constant(names: Sequence[str], values: FloatArray) -> None:
    """Refuse columns that never change."""
    constant = [name for name, column in zip(names, values.T, strict=True) if np.nanmin(column) == np.nanmax(column)]
    if constant:
        verb = "never changes" if len(constant) == 1 else "never change"
        raise DataError(f"{listed(constant)} {verb}, so nothing can be learnt from it; leave it out.")


# ----------------------------------------------------------------------------------------------- columns that leave


def _there(weights: FloatArray | None, column: FloatArray) -> FloatArray | None:
    """Return the weights of the rows in which a column is observed."""
    return None if weights is None else weights[~np.isnan(column)]


def _moving(mean: FloatArray, cov: FloatArray) -> list[bool]:
    """Tell for each column whether it changes by more than rounding errors."""
    return [bool(v > (_ROUNDING * m) ** 2) for m, v in zip(mean.tolist(), np.diag(cov).tolist(), strict=True)]


def _is_constant(column: FloatArray) -> bool:
    there = column[~np.isnan(column)]
    return len(there) == 0 or bool(np.ptp(there) <= _ROUNDING * np.abs(there).max())


def _constant_notes(names: Sequence[str]) -> tuple[TableNote, ...]:
    if not names:
        return ()
    are, they = ("are", "they never change") if len(names) > 1 else ("is", "it never changes")
    message = f"{listed(names)} {are} left out: {they} in the rows that can be used."
    return (
        TableNote("no variable", tuple(names), float(len(names)), message, "Nothing can be learnt from a constant."),
    )


def _without_mostly_missing(table: _Table) -> _Table:
    out = {name: share for name, share in table.share_missing.items() if share > MOST_MISSING}
    if not out:
        return table
    if len(out) == len(table.names):
        raise DataError(
            f"More than {MOST_MISSING:.0%} of the values of every column are missing, which is too much to learn from; "
            "look at how missing values are written in the file."
        )
    described = ", ".join(f"{name!r} ({share:.0%})" for name, share in list(out.items())[:6])
    more = f" and {len(out) - 6} more" if len(out) > 6 else ""
    note = TableNote(
        "left out",
        tuple(out),
        max(out.values()),
        f"Left out because more than {MOST_MISSING:.0%} of the values are missing: {described}{more}.",
        "Perhaps the question was not put to every row; use them by "
        + setting("missing", "em")
        + ", or search the rows that have them.",
    )
    return table.without(out, note)


def _without_most_incomplete(table: _Table, why: str) -> _Table:
    """Leave out the column with most missing values, of equals the last in the alphabet."""
    worst = max(table.names, key=lambda name: (table.share_missing[name], name.casefold(), name))
    share = table.share_missing[worst]
    if not share or len(table.names) == 1:
        raise DataError(f"The missing values leave too little to learn from: {why}; leave incomplete columns out.")
    before = next((note for note in table.notes if note.advice == _FEWER_GAPS), None)
    out = (worst,) if before is None else (*before.columns, worst)
    are, their = ("are", "their") if len(out) > 1 else ("is", "its")
    note = TableNote(
        "left out",
        out,
        share if before is None else max(share, before.size),
        f"{listed(out)} {are} left out, with up to {max(share, before.size if before else 0.0):.0%} of {their} values "
        f"missing, because {why[:1].lower()}{why[1:]}.",
        _FEWER_GAPS,
    )
    return replace(table.without([worst], note), notes=(*(n for n in table.notes if n is not before), note))


def _without_collinear(
    names: Sequence[str], mean: FloatArray, cov: FloatArray
) -> tuple[list[str], FloatArray, FloatArray, tuple[TableNote, ...]]:
    found = collinear_sets(cov, names)
    kept = [j for j, name in enumerate(names) if name not in found.left_out]
    notes = (collinear_note(found.relations),) if found.left_out else ()
    return [names[j] for j in kept], mean[kept], cov[np.ix_(kept, kept)], notes


def _holding_relations(names: Sequence[str], values: FloatArray) -> tuple[Relation, ...]:
    """Return the relations of the complete rows that hold in all rows in which their columns are observed."""
    complete = values[~np.isnan(values).any(axis=1)]
    if len(complete) <= len(names) + 1:
        return ()
    cov = np.atleast_2d(np.cov(complete, rowvar=False, bias=True))
    moving = _moving(complete.mean(axis=0), cov)
    kept = [j for j, moves in enumerate(moving) if moves]
    found = collinear_sets(cov[np.ix_(kept, kept)], [names[j] for j in kept])
    if len(complete) == len(values):
        return found.relations
    return tuple(relation for relation in found.relations if _holds(relation, list(names), values))


def _holds(relation: Relation, names: list[str], values: FloatArray) -> bool:
    columns = values[:, [names.index(name) for name in relation.columns]]
    there = columns[~np.isnan(columns).any(axis=1)]
    rest = there[:, 0] - there[:, 1:] @ np.array(relation.coefficients)
    return bool(rest.std() <= np.sqrt(AS_GOOD_AS_EXACT) * there[:, 0].std())


def collinear_note(relations: Sequence[Relation]) -> TableNote:
    """Return the sentence on columns that left because others determine them."""
    short = sorted(relations, key=lambda relation: (len(relation.others), relation.column))
    words = "; ".join(relation.words for relation in short[:_MOST_RELATIONS])
    more = f"; and {len(short) - _MOST_RELATIONS} more" if len(short) > _MOST_RELATIONS else ""
    out = tuple(relation.column for relation in relations)
    are, it = ("are", "them") if len(out) > 1 else ("is", "it")
    return TableNote(
        "collinear columns",
        out,
        float(len(out)),
        f"{listed(out)} {are} left out, because other columns determine {it}, but for a constant: {words}{more}.",
        "To keep one of them, leave out another column of its equation.",
    )


def _about_missing(margins: Margins | None, n_incomplete: int, n_rows: int) -> tuple[TableNote, ...]:
    share = f"Values are missing in {n_incomplete:,} of {counted(n_rows, 'row')}"
    how = "multiple imputation" if margins == "latent" else "maximum likelihood (EM)"
    message = f"{share}; all rows were used by {how}, which assumes that values are missing at random."
    advice = (
        "Missing at random means that what is observed explains why a value is missing; if that depends on the missing "
        "value itself, no method repairs it."
    )
    return (TableNote("missing", (), float(n_incomplete), message, advice),)
