r"""The mean log-likelihood per row of data under a fitted model: what ``ADMGDiscovery.score`` returns.

New rows are measured from the means of the rows that the model was fitted to, so a shift counts against the model:

.. math:: \frac1m \sum_{r=1}^m \ln \varphi(x_r;\; \hat\mu,\; \hat\Sigma).

If the means are not known, because the model was fitted to a covariance matrix alone or the new data are one, the new
data's own means are used. A transform is part of the model: ``"rank"`` sends new values through the functions that
the fitted rows defined, so scores with and without it are on different scales and cannot be compared. With ``"latent"``
the new data's own latent correlations are scored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking._wording import setting
from lurking.data import GroupedMoments
from lurking.data.checks import listed
from lurking.data.imputed import imputed_latent_covariance
from lurking.data.indicators import ColumnGroup
from lurking.data.latent import latent_covariance
from lurking.data.missing import check_not_infinite, observed_loglik
from lurking.data.prepare import Missing
from lurking.data.sources import Source, numbers_of, opened
from lurking.data.text_columns import cleaned
from lurking.data.transforms import RankTransform
from lurking.sem import LinearSEM

__all__ = ["mean_loglik", "rows_in_order"]


def mean_loglik(
    model: LinearSEM,
    mean: FloatArray | None,
    data: object,
    *,
    missing: Missing = "refuse",
    rank_transform: RankTransform | None = None,
    ordinal: Collection[str] | None = None,
    groups: Sequence[ColumnGroup] = (),
) -> float:
    """Return the mean log-likelihood per row of a table, a file or moments.

    Parameters
    ----------
    model : LinearSEM
        The fitted model.
    mean : ndarray of shape (d,) or None
        The means of the data it was fitted to.
    data : DataFrame, array of shape (m, d), str, Path or Moments
        The data to score. The columns of a data frame may stand in any order; those of an array are in the model's.

    Other Parameters
    ----------------
    missing : {"refuse", "drop", "em"}
        What to do with missing values; ``"em"`` takes the likelihood of the values that are there.
    rank_transform : RankTransform, optional
        What was done to the columns before the fit.
    ordinal : collection of str, optional
        If the model was fitted to latent correlations, the columns that were taken as ordinal.
    groups : sequence of ColumnGroup, optional
        The variables of the table that the model was fitted to, if kinds were looked at: what words stand for.
    """
    cov = model.implied_cov()
    source = opened(data)
    if source.moments is not None:
        given = source.moments
        here = (given.columns if isinstance(given, GroupedMoments) else given).reorder(model.names)
        away = np.zeros(len(cov)) if mean is None or here.mean is None else here.mean - mean
        return _mean_loglik_of_cov(here.cov + np.outer(away, away), cov)
    if any(group.levels or group.words for group in groups):
        values = rows_with_words(model.names, source, groups)
    else:
        values = rows_in_order(model.names, source if source.is_file else data, ordered_categories=ordinal is not None)
    values = _without_missing(model.names, values, missing)
    if ordinal is not None:
        which = [j for j, name in enumerate(model.names) if name in ordinal]
        incomplete = np.isnan(values).any()
        own = (
            imputed_latent_covariance(model.names, values, which)
            if incomplete
            else latent_covariance(values, model.names, which)
        ).cov
        measured = ~np.isin(np.arange(len(cov)), which)
        away = np.zeros(len(cov)) if mean is None else np.where(measured, np.nanmean(values, axis=0) - mean, 0.0)
        return _mean_loglik_of_cov(own + np.outer(away, away), cov)
    if rank_transform is not None:
        values = rank_transform.apply(values)
    centre = np.nanmean(values, axis=0) if mean is None else mean
    return observed_loglik(values, centre, cov) / len(values)


def rows_in_order(names: Sequence[str], data: object, *, ordered_categories: bool = False) -> FloatArray:
    """Return the numbers of a table with its columns in the order of ``names``, or say which column is lacking."""
    import narwhals.stable.v1 as nw

    found, values = numbers_of(data, ordered_categories=ordered_categories)
    is_frame = isinstance(nw.from_native(data, pass_through=True), nw.DataFrame | nw.LazyFrame)
    if not is_frame and not isinstance(data, Source | str | Path):
        if len(found) != len(names):
            raise DataError(
                f"X has {len(found)} features, but ADMGDiscovery is expecting {len(names)} features as input."
            )
        return values
    lacking = [name for name in names if name not in found]
    if lacking:
        raise DataError(f"The data have no column {listed(lacking)}; give the columns that the model was fitted to.")
    return values[:, [found.index(name) for name in names]]


def rows_with_words(names: Sequence[str], source: Source, groups: Sequence[ColumnGroup]) -> FloatArray:
    """Return the numbers of a table with words, which stand for what they stood for in the table that was searched."""
    frame = source.frame()
    lacking = [group.vertex for group in groups if group.vertex not in frame.columns]
    if lacking:
        raise DataError(f"The data have no column {listed(lacking)}; give the columns that the model was fitted to.")
    columns: dict[str, FloatArray] = {}
    for group in groups:
        column = cleaned(frame[group.vertex])
        if group.levels or group.words:
            texts = column.values
            if column.is_numeric:  # numbers that only name levels
                texts = np.array([None if np.isnan(v) else f"{v:.10g}" for v in texts.tolist()], dtype=object)
            columns |= dict(zip(group.columns, group.values(texts).T, strict=True))
        elif column.is_numeric:
            columns[group.vertex] = column.values
        else:
            raise DataError(f"{group.vertex!r} holds text, and was a column of numbers in fit; turn it into numbers.")
    return np.column_stack([columns[name] for name in names])


def _without_missing(names: Sequence[str], values: FloatArray, missing: Missing) -> FloatArray:
    check_not_infinite(names, values)
    gaps = np.isnan(values)
    if gaps.any() and missing == "refuse":
        which = [name for name, column in zip(names, gaps.T, strict=True) if column.any()]
        raise DataError(
            f"Values of {listed(which)} are missing (NaN); fill them in, or fit with "
            + setting("missing", "em")
            + " or 'drop'."
        )
    kept: FloatArray = values[~(gaps.all(axis=1) if missing == "em" else gaps.any(axis=1))]
    if not len(kept):
        raise DataError("There is no complete row to score; give at least one.")
    return kept


def _mean_loglik_of_cov(sample: FloatArray, cov: FloatArray) -> float:
    log_det = float(np.linalg.slogdet(cov)[1])
    fit = float(np.trace(np.linalg.solve(cov, sample)))
    return -0.5 * (len(cov) * float(np.log(2 * np.pi)) + log_det + fit)
