"""From whatever a user has to :class:`Moments`: kinds of columns, missing values, transforms, a sample of the rows.

==================  ==============================================================================================
kinds               what happens to the columns
==================  ==============================================================================================
None                all must hold numbers; an error names those that do not
``"auto"``          their kinds are found by looking (:mod:`lurking.data.kinds`); a mapping overrides what was found
==================  ==============================================================================================

==================  ==============================================================================================
missing             what happens to rows with missing values
==================  ==============================================================================================
``"refuse"``        an error names the columns and the first rows
``"drop"``          they are left out
``"em"``            mean and covariance of maximum likelihood from all rows (:mod:`lurking.data.missing`); with
                    ``margins="latent"`` multiple imputation (:mod:`lurking.data.imputed`)
``"auto"``          ``"em"``; columns of which more than 60 % is missing, or with which the estimate cannot be computed,
                    are left out
==================  ==============================================================================================

==================  ==============================================================================================
margins             what happens to the shape of the columns
==================  ==============================================================================================
None                nothing
``"rank"``          normal scores of the ranks (:mod:`lurking.data.transforms`)
``"latent"``        few distinct values are categories of a Gaussian variable (:mod:`lurking.data.latent`)
==================  ==============================================================================================

==================  ==============================================================================================
collinear           what happens to columns that are weighted sums of others
==================  ==============================================================================================
``"refuse"``        an error names them
``"drop"``          so many are left out that none is (:mod:`lurking.data.collinear`)
==================  ==============================================================================================

``clusters`` and ``weights`` name columns that are no variables but say something about the rows
(:mod:`lurking.data.row_roles`).

A table of numbers is read once, block by block; a large file is never held as a whole. On the way a sample of its rows
is kept for the audit: every k-th row, with k such that at most 20,000 stay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lurking._errors import DataError, ParameterError
from lurking._typing import FloatArray
from lurking.data.checks import checked_n_samples
from lurking.data.effective_rows import EffectiveRows, effective_rows
from lurking.data.indicators import ColumnGroup
from lurking.data.kind_notes import indicator_note
from lurking.data.missing import pairs_observed
from lurking.data.moments import Moments
from lurking.data.nominal import AnyMoments, GroupedMoments
from lurking.data.reading import Reading, TableNote
from lurking.data.reduction import Reduced, reduced, settled
from lurking.data.residual_curves import ResidualCurve, strongest_curve
from lurking.data.row_roles import RowRoles, clustered, design_effect, taken_aside
from lurking.data.sources import Source, numbers_of, opened
from lurking.data.streaming import columns_of_stream, one_pass
from lurking.data.transforms import RankTransform
from lurking.graphs.grouping import Grouping

if TYPE_CHECKING:
    pass

__all__ = ["COLLINEAR", "MARGINS", "MISSING", "Collinearity", "Kinds", "Margins", "Missing", "PreparedData", "prepare"]

Missing = Literal["refuse", "drop", "em", "auto"]
Margins = Literal["rank", "latent"]
Collinearity = Literal["refuse", "drop"]
Nominal = Literal["leave out", "indicators"]
Kinds = Literal["auto"] | Mapping[str, Any]
MISSING: tuple[Missing, ...] = ("refuse", "drop", "em", "auto")
MARGINS: tuple[Margins | None, ...] = (None, "rank", "latent")
COLLINEAR: tuple[Collinearity, ...] = ("refuse", "drop")


@dataclass(frozen=True)
class PreparedData:
    """Moments, and what is worth knowing about the table behind them.

    Attributes
    ----------
    moments : Moments or GroupedMoments
        What the searches look at.
    rows : ndarray of shape (at most 20000, d) or None
        A sample of the rows as they came, NaN where a value is missing; None if there was no table.
    n_incomplete : int
        Rows of the table in which a value is missing.
    rank_transform : RankTransform or None
        The functions of ``margins="rank"``.
    ordinal : dict of str to float
        The columns that ``margins="latent"`` took as ordinal, and how many times as uncertain their correlations are.
    latent_eigenvalue : float or None
        The smallest eigenvalue of the correlations of ``margins="latent"`` as they were put together pair by pair.
    reading : Reading or None
        What was found by looking at the table.
    notes : tuple of TableNote
        What was left out or changed.
    groups : tuple of ColumnGroup
        The variables and their columns of numbers, where kinds were looked at; a nominal one has several.
    missing : {"refuse", "drop", "em"}
        What was done about missing values.
    values : ndarray of shape (n, d) or None
        All rows of the columns that are used, before transforms, if they were held in memory.
    source : Source or None
        Where the rows can be read again.
    roles : RowRoles
        What is known about the rows, those of ``values``.
    design_effect : float
        By what factor rows that belong together raise the variance of covariances.
    """

    moments: Any  # AnyMoments; callers know whether their table has nominal columns
    rows: FloatArray | None = None
    n_incomplete: int = 0
    rank_transform: RankTransform | None = None
    ordinal: dict[str, float] = field(default_factory=dict)
    latent_eigenvalue: float | None = None
    reading: Reading | None = None
    notes: tuple[TableNote, ...] = ()
    groups: tuple[ColumnGroup, ...] = ()
    missing: Missing = "refuse"
    values: FloatArray | None = field(default=None, repr=False, compare=False)
    source: Source | None = field(default=None, repr=False, compare=False)
    roles: RowRoles = field(default_factory=RowRoles, repr=False, compare=False)
    design_effect: float = 1.0

    @property
    def columns(self) -> Moments:
        """The moments of the columns of numbers, those of ``rows`` and ``values``."""
        columns: Moments = self.moments.columns if isinstance(self.moments, GroupedMoments) else self.moments
        return columns

    @property
    def left_out(self) -> frozenset[str]:
        """The columns of the table that take no part."""
        return frozenset() if self.reading is None else frozenset(self.reading.left_out)

    def all_rows(self) -> FloatArray | None:
        """Return all rows of the columns that are used, before transforms; None if there are only moments."""
        if self.values is not None or self.source is None or self.source.moments is not None:
            return self.values
        return numbers_of(self.source, columns=self.columns.names)[1]

    @property
    def weights_of_rows(self) -> FloatArray | None:
        """The weights of the sample ``rows``; None if all count the same."""
        weights = self.roles.weights
        if weights is None or self.rows is None:
            return None
        return weights[:: -(-len(weights) // len(self.rows))]

    def moments_of(self, rows: FloatArray, margins: Margins | None, weights: FloatArray | None = None) -> AnyMoments:
        """Return the moments of some rows of the columns that are used, treated as the whole table was.

        Parameters
        ----------
        rows : ndarray of shape (n, d)
            Some of :meth:`all_rows`, or those drawn with replacement.
        weights : ndarray of shape (n,), optional
            Their weights.
        margins : {None, "rank", "latent"}
            What was done to the shape of the columns.

        Raises
        ------
        DataError
            If these rows say too little, as when a column is constant in them.
        """
        columns = reduced(self.columns.names, rows, self.missing, margins, "refuse", weights=weights).moments
        return GroupedMoments(columns, self.moments.grouping) if isinstance(self.moments, GroupedMoments) else columns

    def effective_rows(self) -> EffectiveRows | None:
        """Return how many rows the table is worth; None if there was no table."""
        rows = self._as_searched()
        if rows is None:
            return None
        worth, least = effective_rows(rows, self.moments.n_samples), rows.shape[1] + 2
        if self.missing == "em":  # an estimate from incomplete rows knows less than one from complete ones
            counted = max(min(least, worth.n_rows), round(worth.effective * pairs_observed(rows)))
            worth = replace(worth, effective=min(worth.effective, counted))
        return worth if self.roles.clusters is None else clustered(worth, self.design_effect, least)

    def residual_curve(self) -> ResidualCurve | None:
        """Return the most curved relation of two columns; None if there was no table."""
        rows = self._as_searched()
        return None if rows is None else strongest_curve(rows, self.columns.names)

    def _as_searched(self) -> FloatArray | None:
        """Return the sample of rows after transforms."""
        if self.rows is None or self.rank_transform is None:
            return self.rows
        return self.rank_transform.apply(self.rows)


def prepare(
    data: object,
    missing: Missing = "refuse",
    margins: Margins | None = None,
    *,
    kinds: Kinds | None = None,
    collinear: Collinearity = "refuse",
    nominal: Nominal = "leave out",
    clusters: str | None = None,
    weights: str | None = None,
) -> PreparedData:
    """Return the moments of a table after taking care of kinds, missing values, margins and collinear columns.

    Parameters
    ----------
    data : DataFrame, array of shape (n, d), str, Path, DataFile, Moments, GroupedMoments or PreparedData
        A table, the path of a table or of a covariance matrix, or moments, which are taken as they are. What was
        prepared already is returned as it is.
    missing : {"refuse", "drop", "em", "auto"}, default "refuse"
        What to do with missing values.
    margins : {None, "rank", "latent"}, default None
        What to do with margins that are not Gaussian.
    kinds : {None, "auto"} or mapping, default None
        Whether the kinds of the columns are looked at, and what is known of them.
    collinear : {"refuse", "drop"}, default "refuse"
        What to do with columns that are weighted sums of others.
    nominal : {"leave out", "indicators"}, default "leave out"
        What becomes of nominal columns where kinds are looked at: they are left out, or each becomes a group of columns
        of zeros and ones (:mod:`lurking.data.indicators`), and the moments are grouped (:mod:`lurking.data.nominal`).
    clusters, weights : str, optional
        The columns that say which rows belong together, and how much each row counts. They are no variables.

    Raises
    ------
    DataError
        If the table cannot be used; the columns are named.
    ParameterError
        If moments are given together with ``margins``, ``clusters`` or ``weights``.

    Examples
    --------
    >>> prepare([[1.0, 2.0], [2.0, np.nan], [3.0, 4.0], [5.0, 4.0]], missing="drop").moments.n_samples
    3
    >>> prepare([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [5.0, 10.0]], collinear="drop").moments.names
    ('X1',)
    """
    if isinstance(data, PreparedData):
        return data
    source = opened(_with_columns(data, clusters, weights))
    if source.moments is not None:
        for parameter, value in (("margins", margins), ("clusters", clusters), ("weights", weights)):
            if value is not None:
                raise ParameterError(
                    f"{parameter}={value!r} needs the table itself, not only its moments; give the table."
                )
        return PreparedData(source.moments, reading=source.reading, source=source)
    if clusters is not None or weights is not None:
        return _with_roles(source, missing, margins, kinds, collinear, nominal, clusters, weights)
    if kinds is None and missing == "refuse" and margins is None:
        names, blocks = source.blocks()
        n_rows, mean, cov, rows = one_pass(names, blocks)
        found = _with_rows(settled(names, n_rows, mean, cov, collinear), names, rows)
        reading = Reading(source.described, n_rows, (), source.file_hash) if source.is_file else None
        return _prepared(source, found, reading, ())
    if kinds is not None:
        return _by_kind(source, missing, margins, {} if kinds == "auto" else kinds, collinear, nominal)
    names, values = numbers_of(source, ordered_categories=margins == "latent")
    reading = Reading(source.described, len(values), (), source.file_hash) if source.is_file else None
    return _prepared(source, reduced(names, values, missing, margins, collinear), reading, ())


def _with_columns(data: object, *names: str | None) -> object:
    """Return a file with columns that are about its rows among those that are read."""
    from lurking.data.data_file import DataFile

    if not isinstance(data, DataFile):
        return data
    wanted = [name for name in names if name is not None]
    chosen = data.columns
    if chosen is not None:
        chosen = (*chosen, *(name for name in dict.fromkeys(wanted) if name not in chosen))
    return replace(data, columns=chosen, drop=tuple(name for name in data.drop if name not in wanted))


def _with_roles(
    source: Source,
    missing: Missing,
    margins: Margins | None,
    kinds: Kinds | None,
    collinear: Collinearity,
    nominal: Nominal,
    clusters: str | None,
    weights: str | None,
) -> PreparedData:
    """Take the columns that are about the rows aside, then prepare the others."""
    table, roles = taken_aside(source.frame(), clusters, weights)
    source = replace(source, held=table)
    if kinds is not None:
        prepared = _by_kind(source, missing, margins, {} if kinds == "auto" else kinds, collinear, nominal, roles)
    else:
        names, values = numbers_of(source, ordered_categories=margins == "latent")
        found = reduced(names, values, missing, margins, collinear, weights=roles.weights)
        reading = Reading(source.described, len(values), (), source.file_hash) if source.is_file else None
        prepared = _prepared(source, found, reading, ())
    rows = prepared.values
    if rows is None:
        raise DataError("The rows of the table are needed here; give the table.")
    if prepared.rank_transform is not None:
        rows = prepared.rank_transform.apply(rows)
    effect = 1.0 if roles.clusters is None else design_effect(rows, roles.clusters, roles.weights)
    reading = prepared.reading
    if reading is not None and reading.columns:
        reading = replace(reading, columns=(*reading.columns, *roles.reports))
    return replace(
        prepared,
        reading=reading,
        notes=(*roles.notes(prepared.moments.n_samples, effect), *prepared.notes),
        roles=roles,
        design_effect=effect,
    )


def _by_kind(
    source: Source,
    missing: Missing,
    margins: Margins | None,
    kinds: Mapping[str, Any],
    collinear: Collinearity,
    nominal: Nominal,
    roles: RowRoles | None = None,
) -> PreparedData:
    """Look at the kinds of the columns first; a large file of numbers is still read block by block."""
    from lurking.data.kinds import numbers_by_kind
    from lurking.data.tables import pandas_blocks

    if source.is_large_file and margins is None and not kinds:
        streamed = columns_of_stream(source)
        if streamed is not None:
            reading = Reading(source.described, streamed.n_rows, streamed.reports, source.file_hash)
            found = settled(streamed.names, streamed.n_rows, streamed.mean, streamed.cov, collinear)
            found = _with_rows(found, streamed.names, streamed.rows)
            groups = tuple(map(ColumnGroup.plain, streamed.names))
            return _prepared(source, replace(found, notes=(*streamed.notes, *found.notes)), reading, groups)
    frame = source.frame()
    if len(frame) <= 2:
        checked_n_samples(len(frame), max(frame.shape[1], 2))
    columns = numbers_by_kind(frame, kinds, source.marks, as_indicators=nominal == "indicators")
    reading = Reading(source.described, len(frame), columns.reports, source.file_hash)
    if not columns.names:
        reasons = " ".join(note.message for note in columns.notes[:3])
        advice = columns.notes[0].advice if columns.notes else "Give a table with columns of numbers."
        raise DataError(f"No column can be used. {reasons} {advice}")
    untouched = all(report.used and not report.n_missing for report in reading.columns)
    plain = untouched and all(dtype.kind in "biuf" for dtype in frame.dtypes if isinstance(dtype, np.dtype))
    if roles is None and plain and margins is None and all(isinstance(dtype, np.dtype) for dtype in frame.dtypes):
        blocks = pandas_blocks(frame)[1] if source.is_file else source.blocks()[1]
        n_rows, mean, cov, rows = one_pass(columns.names, blocks, allow_constant=True)
        found = _with_rows(settled(columns.names, n_rows, mean, cov, collinear), columns.names, rows)
    else:
        values = np.column_stack(columns.columns)
        weights = None if roles is None else roles.weights
        found = reduced(columns.names, values, missing, margins, collinear, leave_out_constant=True, weights=weights)
    found = replace(found, notes=(*columns.notes, *found.notes))
    return _prepared(source, found, reading, columns.groups)


def _prepared(source: Source, found: Reduced, reading: Reading | None, groups: tuple[ColumnGroup, ...]) -> PreparedData:
    names = found.moments.names
    all_groups, groups = groups, tuple(group.with_columns(names) for group in groups)
    groups = tuple(group for group in groups if group.columns)
    kept = {group.vertex for group in groups} or set(names)
    if reading is not None and reading.columns:
        determined = {name for note in found.notes if note.kind == "collinear columns" for name in note.columns}
        determined |= {group.vertex for group in all_groups if determined & set(group.columns)}
        reports = tuple(
            report
            if not report.used or report.name in kept
            else replace(report, used=False, remark=_DETERMINED if report.name in determined else _TOO_LITTLE)
            for report in reading.columns
        )
        reading = replace(reading, columns=reports)
    gone = {group.vertex for group in all_groups} - {group.vertex for group in groups}
    found = replace(found, notes=_notes_on_variables(found.notes, all_groups, groups, gone))
    moments: AnyMoments = found.moments
    if any(group.levels for group in groups):
        moments = GroupedMoments(
            found.moments,
            Grouping(
                tuple(g.vertex for g in groups),
                tuple(g.columns for g in groups),
                tuple(g.compared_with for g in groups),
            ),
        )
    return PreparedData(
        moments,
        found.rows,
        found.n_incomplete,
        found.rank_transform,
        found.ordinal,
        found.latent_eigenvalue,
        reading,
        found.notes,
        groups,
        found.missing,
        found.values,
        source,
    )


def _notes_on_variables(
    notes: Sequence[TableNote],
    all_groups: Sequence[ColumnGroup],
    groups: Sequence[ColumnGroup],
    gone: Collection[str],
) -> tuple[TableNote, ...]:
    """Return the notes with variables in the place of columns, without what is about levels of those that left."""
    variable = {column: group.vertex for group in all_groups if group.levels for column in group.columns}
    about: list[TableNote] = []
    for note in notes:
        columns = tuple(dict.fromkeys(variable.get(column, column) for column in note.columns))
        if note.kind == "nominal":
            (left,) = indicator_note([group for group in groups if group.levels], {}) or (None,)
            if left is not None:
                about.append(note if left.columns == note.columns else left)
        elif note.kind != "coded" or not set(columns) <= set(gone):
            about.append(note if columns == note.columns else replace(note, columns=columns))
    return tuple(about)


_DETERMINED, _TOO_LITTLE = "a weighted sum of other columns", "too little is known of it"


def _with_rows(found: Reduced, names: Sequence[str], rows: FloatArray) -> Reduced:
    """Add the sample of rows, without the columns that left."""
    kept = [names.index(name) for name in found.moments.names]
    return replace(found, rows=rows if len(kept) == len(names) else rows[:, kept])
