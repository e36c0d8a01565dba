"""The posterior of a table that the model does not describe is averaged over subsamples of its rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from lurking import ADMG, ADMGDiscovery
from lurking.data.prepare import PreparedData
from lurking.discovery import subsamples, table_search
from lurking.discovery.subsamples import N_SUBSAMPLES, averaged_posterior
from lurking.search.posterior import Posterior, pooled, weigh
from lurking.search.status import SearchStatus


def table(curved: bool, n: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    a, b, c, d = rng.normal(size=(4, n))
    b += 0.8 * a
    c += 0.6 * b**2 if curved else 0.6 * b
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": d + 0.5 * a})


def fitted(frame: pd.DataFrame, **settings: Any) -> ADMGDiscovery:
    return ADMGDiscovery(**{"n_restarts": 1, "random_state": 0, **settings}).fit(frame)


def test_a_table_that_is_worth_its_rows_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("subsamples were searched")

    monkeypatch.setattr(table_search, "averaged_posterior", refuse)
    assert fitted(table(curved=False)).n_counted_ > 500
    fitted(table(curved=True), effective_rows="all")
    with pytest.raises(AssertionError, match="subsamples"):
        fitted(table(curved=True))


def test_it_is_the_mean_of_the_table_and_of_what_subsamples_of_that_size_say(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, searched, whole = table(curved=True), [], []

    def kept(
        posterior: Posterior, data: PreparedData, rows: Any, margins: Any, n_counted: int, search: Any, **options: Any
    ) -> Posterior:
        def spy(moments: Any, rng: Any) -> Posterior:
            found: Posterior = search(moments, rng)
            searched.append((moments.n_samples, found))
            return found

        whole.append(posterior)
        return averaged_posterior(posterior, data, rows, margins, n_counted, spy, **options)

    monkeypatch.setattr(table_search, "averaged_posterior", kept)
    model = fitted(frame)
    assert model.n_counted_ < 300
    assert [size for size, _ in searched] == [model.n_counted_] * N_SUBSAMPLES
    mean = np.mean([found.ancestry for _, found in searched], axis=0)
    np.testing.assert_allclose(model.search_.posterior.ancestry, (whole[0].ancestry + mean) / 2.0, atol=1e-9)
    assert len({found.ancestry.tobytes() for _, found in searched}) > 1


def test_same_answer_whatever_the_jobs_and_the_order_of_the_columns() -> None:
    frame = table(curved=True)
    one, two = fitted(frame), fitted(frame[["d", "b", "a", "c"]], n_jobs=2)
    expected = one.search_.posterior.reorder(two.search_.posterior.names).ancestry
    np.testing.assert_allclose(two.search_.posterior.ancestry, expected, atol=1e-12)
    assert set(map(str, one.admg_.directed_edges())) == set(map(str, two.admg_.directed_edges()))


def test_exact_solver_and_missing_values() -> None:
    frame = table(curved=True)
    frame.iloc[::5, 0] = np.nan
    for missing in ("drop", "em"):
        model = fitted(frame, solver="exact", missing=missing)
        assert 0.0 < model.search_.posterior.ancestry.max() <= 1.0
        assert len(model.search_.posterior.codes) > 4


def test_a_subsample_that_cannot_be_used_is_drawn_with_more_rows() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 2))
    rows[:, 1] = 0.0
    rows[0, 1] = 1.0  # constant in most subsamples
    data = ADMGDiscovery().prepare(rows)
    sizes = []

    def search(moments: Any, _: np.random.Generator) -> Posterior:
        sizes.append(moments.n_samples)
        return weigh([(ADMG.empty(["X1", "X2"]), 0.0)], 0.0)

    options: dict[str, Any] = {"random_state": 0, "n_jobs": 1, "progress": lambda *_: None}
    assert data.rows is not None
    start = pooled([weigh([(ADMG.empty(["X1", "X2"]), 0.0)], 0.0)])
    averaged_posterior(start, data, data.rows, None, 20, search, **options)
    assert sizes == [20] * N_SUBSAMPLES  # more were drawn, not more are counted
    assert subsamples.needs_subsamples(200, 20)


def test_an_interrupt_leaves_the_posterior_of_the_whole_table() -> None:
    def interrupt(share: float, words: str) -> None:
        if "subsamples" in words:
            raise KeyboardInterrupt

    model = fitted(table(curved=True), progress=interrupt)
    assert model.search_.status is SearchStatus.INTERRUPTED
    assert model.search_.posterior.ancestry.max() > 0.0
