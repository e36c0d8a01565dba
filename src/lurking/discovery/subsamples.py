"""The posterior averaged over subsamples of the rows, for tables that the linear Gaussian model does not describe.

Where no graph of the model is right, several wrong ones come equally near to the table, and the posterior is sure of
one of them: which one is decided by chance, and another sample of the same size gives another one. The average of the
posteriors of random subsamples shows that: it is sure only of what nearly all subsamples are sure of. This is the
bagged posterior (Bühlmann 2014, Huggins and Miller 2023), with subsamples in place of bootstrap samples, because
rows that are drawn twice make edges that are not there. The posterior of the whole table
counts as much as that of all subsamples together: it has less noise, and with it as many directions are right and
fewer are left open (``docs/real-tables.md``).

A table that is worth its rows (:mod:`lurking.data.effective_rows`), or four fifths of them, is searched as a whole. Of
any other one, ``N_SUBSAMPLES`` subsamples are searched as well, each of as many rows as the table is worth. (If that
is very few, three rows are drawn for each column, but not more are counted.)
``python -m benchmarks.real_tables`` and ``python -m benchmarks.violations`` measure what this is good for.

References
----------
P. Bühlmann (2014), Discussion of Big Bayes stories and BayesBag, Statistical Science 29. J. Huggins and J. Miller
(2023), Reproducible model selection using bagged posteriors, Bayesian Analysis 18.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lurking._errors import DataError
from lurking._parallel import left_quietly
from lurking._progress import Progress
from lurking._random import children
from lurking._typing import FloatArray, RandomState
from lurking.data import AnyMoments
from lurking.data.prepare import Margins, PreparedData
from lurking.search.posterior import Posterior, pooled

__all__ = ["N_SUBSAMPLES", "averaged_posterior", "needs_subsamples"]

N_SUBSAMPLES = 6
"""How many subsamples are searched, each by one run. Shorter runs in their place are worse: their walks stay near the
graph they start from, and what it says is found again in every subsample."""

_NEARLY_ALL = 0.8
"""The share of the rows from which on subsamples would hardly differ from the whole table."""

_ROWS_OF_A_COLUMN = 3  # drawn at least; a covariance matrix of fewer is hardly regular
_MORE = 1.25  # times as many rows are drawn if a subsample cannot be used, as when a rare category is not in it

SearchOfSubsample = Callable[[AnyMoments, np.random.Generator], Posterior]


def needs_subsamples(n_rows: int, n_counted: int) -> bool:
    """Tell whether a table is worth so much less than its rows that subsamples are searched.

    >>> needs_subsamples(1000, 700), needs_subsamples(1000, 900)
    (True, False)
    """
    return n_counted < _NEARLY_ALL * n_rows


def averaged_posterior(
    whole: Posterior,
    data: PreparedData,
    rows: FloatArray,
    margins: Margins | None,
    n_counted: int,
    search: SearchOfSubsample,
    *,
    random_state: RandomState,
    n_jobs: int | None,
    progress: Progress,
) -> Posterior:
    """Search subsamples of a table; return the mean of their posteriors and, with equal weight, that of the table.

    Parameters
    ----------
    whole : Posterior
        That of the whole table.
    data : PreparedData
        The table.
    rows : ndarray of shape (n, d)
        Its rows, or an evenly spaced sample of them, before transforms.
    margins : {None, "rank", "latent"}
        What is done to the shape of the columns, in each subsample anew.
    n_counted : int
        The rows that the table is worth.
    search : callable
        Returns the posterior of moments; the random numbers are its own.
    random_state : int, Generator or None
        The seed. The same rows are drawn whatever the order of the columns.
    n_jobs : int, optional
        How many are searched at the same time; it does not change the answer.
    progress : callable
        Told the share that is done.
    """
    drawn = list(_subsamples(data, rows, margins, n_counted, children(random_state, N_SUBSAMPLES)))
    found: list[Posterior] = []
    import joblib

    parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator", pre_dispatch="all")
    with left_quietly(parallel(joblib.delayed(search)(*one) for one in drawn)) as results:
        for posterior in results:
            found.append(posterior)
            progress(len(found) / N_SUBSAMPLES, f"searching subsamples of the rows, {len(found)} of {N_SUBSAMPLES}")
    return pooled([whole, pooled(found)])


def _subsamples(
    data: PreparedData, rows: FloatArray, margins: Margins | None, n_counted: int, seeds: list[np.random.Generator]
) -> Iterator[tuple[AnyMoments, np.random.Generator]]:
    """Yield the moments of subsamples; one that cannot be used is drawn anew with more rows."""
    usable = 1.0 if data.missing == "em" else float((~np.isnan(rows)).all(axis=1).mean())
    size = round(max(n_counted, _ROWS_OF_A_COLUMN * rows.shape[1]) / usable)
    size = min(size, len(rows))
    weights = data.weights_of_rows
    for rng in seeds:
        n_rows = size
        while True:
            chosen = np.sort(rng.choice(len(rows), n_rows, replace=False))
            try:
                moments = data.moments_of(rows[chosen], margins, None if weights is None else weights[chosen])
            except DataError:
                if n_rows == len(rows):
                    raise
                n_rows = min(len(rows), int(np.ceil(_MORE * n_rows)))
            else:
                yield moments.with_n_samples(min(n_counted, moments.n_samples)), rng
                break
