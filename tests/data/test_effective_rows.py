"""How many rows a table is worth: each reason on data made to show it, and none on clean data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.signal import lfilter

from lurking import ADMGDiscovery, bootstrap, simulate_admg
from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.data.effective_rows import GAIN, EffectiveRows, effective_rows
from lurking.data.prepare import prepare
from lurking.discovery.audit import audit


def chain(n: int, seed: int, bend: float = 0.0) -> FloatArray:
    rng = np.random.default_rng(seed)
    x, *noise = rng.normal(size=(4, n))
    y = 0.7 * x + bend * (x**2 - 1.0) + noise[0]
    return np.column_stack([x, y, 0.7 * y + noise[1], noise[2]])


@pytest.mark.parametrize("n", [200, 1000, 5000])
def test_clean_tables_keep_nearly_all_rows(n: int) -> None:
    worths = [effective_rows(simulate_admg(10, n, random_state=seed).data.to_numpy(), n) for seed in range(20)]
    shares = [worth.share for worth in worths]
    assert np.mean(shares) > 0.93
    assert np.median(shares) == 1.0
    assert all(worth.repeated == 1.0 and worth.dependence < 1.2 and worth.extremes < 1.2 for worth in worths)


def test_units_and_shifts_do_not_matter() -> None:
    rows = chain(1000, 1, bend=0.5)
    moved = rows * [1e-3, 5.0, 1e4, 1.0] + [1.0, -7.0, 0.0, 1e3]
    one, other = effective_rows(rows, 1000), effective_rows(moved, 1000)
    assert one.effective == other.effective
    assert one.curvature == pytest.approx(other.curvature, abs=1e-6)


def test_the_order_of_columns_does_not_matter() -> None:
    rows = chain(1000, 2, bend=0.5)
    one, other = effective_rows(rows, 1000), effective_rows(rows[:, ::-1], 1000)
    assert one.effective == other.effective


def test_curved_relations_bound_the_rows_however_many_there_are() -> None:
    worths = [effective_rows(chain(n, 3, bend=0.5), n) for n in (2000, 5000, 20_000)]
    assert all(worth.curvature > 0.04 for worth in worths)
    assert all(worth.effective < GAIN / 0.04 for worth in worths)
    assert worths[2].effective == pytest.approx(worths[1].effective, rel=0.3)


def test_neighbouring_rows_that_depend_on_each_other_count_less() -> None:
    rng = np.random.default_rng(4)
    n, memory = 4000, 0.8
    independent = rng.normal(size=(n, 3))
    series = np.asarray(lfilter([1.0], [1.0, -memory], independent, axis=0))
    worth = effective_rows(series, n)
    theory = (1.0 + memory**2) / (1.0 - memory**2)  # Bartlett's formula for two such series
    assert worth.dependence == pytest.approx(theory, rel=0.2)
    assert worth.effective == pytest.approx(n / theory, rel=0.25)
    shuffled = rng.permutation(series)
    assert effective_rows(shuffled, n).dependence == 1.0


def test_repeated_rows_count_once_but_few_categories_may_repeat() -> None:
    rows = chain(300, 5)
    assert effective_rows(np.repeat(rows, 4, axis=0), 1200).effective == 300
    coins = np.random.default_rng(6).integers(0, 2, size=(1000, 3)).astype(float)
    assert effective_rows(coins, 1000).repeated == 1.0


def test_joint_extremes_count_less_and_single_ones_do_not() -> None:
    rng = np.random.default_rng(7)
    single = rng.standard_t(5, size=(20_000, 4))
    joint = rng.normal(size=(20_000, 4)) * np.sqrt(5.0 / rng.chisquare(5, size=(20_000, 1)))
    assert effective_rows(single, 20_000).extremes < 1.1
    assert effective_rows(joint, 20_000).extremes > 1.7  # a multivariate t on 5 degrees of freedom: 3 in theory


def test_too_few_rows_to_tell_count_in_full() -> None:
    rows = np.random.default_rng(8).normal(size=(30, 10))
    assert effective_rows(rows, 30).effective == 30


def test_gaps_are_left_out_and_samples_stand_for_the_table() -> None:
    rows = chain(3000, 9, bend=0.5)
    gaps = rows.copy()
    gaps[::7, 1] = np.nan
    assert effective_rows(gaps, 3000).effective == pytest.approx(effective_rows(rows, 3000).effective, rel=0.2)
    assert effective_rows(rows[::3], 3000).effective == pytest.approx(effective_rows(rows, 3000).effective, rel=0.5)


def test_the_search_counts_what_the_table_is_worth() -> None:
    table = pd.DataFrame(chain(1000, 10, bend=1.5), columns=list("ABCD"))
    small: dict[str, Any] = {"n_restarts": 1, "random_state": 0, "window": 3.0}
    auto, full, some = (ADMGDiscovery(effective_rows=rows, **small).fit(table) for rows in ("auto", "all", 200))
    assert auto.effective_rows_ is not None
    assert auto.n_counted_ == auto.effective_rows_.effective < 200
    assert (full.n_counted_, some.n_counted_) == (1000, 200)
    assert auto.search_.posterior.weights[2, 3, 0] != full.search_.posterior.weights[2, 3, 0]
    assert auto.loglik_ == pytest.approx(ADMGDiscovery(effective_rows="all", **small).fit(table).loglik_) or (
        auto.admg_ != full.admg_
    )


def test_moments_count_in_full_and_wrong_numbers_are_refused() -> None:
    moments = prepare(chain(1000, 11, bend=0.5)).moments
    assert ADMGDiscovery(n_restarts=1, random_state=0).fit(moments).n_counted_ == 1000
    with pytest.raises(ParameterError, match="1000 rows, so effective_rows=2000 is too many"):
        ADMGDiscovery(effective_rows=2000).fit(moments)
    with pytest.raises(ParameterError, match="The 'effective_rows' parameter of ADMGDiscovery"):
        ADMGDiscovery(effective_rows="some").fit(moments)


def test_resamples_count_the_share_that_the_table_is_worth() -> None:
    table = pd.DataFrame(chain(600, 12, bend=0.6), columns=list("ABCD"))
    modest = bootstrap({"n_restarts": 1}, table, n_replicates=3, random_state=0)
    full = bootstrap({"n_restarts": 1, "effective_rows": "all"}, table, n_replicates=3, random_state=0)
    assert modest.frequencies[:, :, 0].sum() > full.frequencies[:, :, 0].sum()  # more pairs without an edge


def test_the_audit_names_the_reasons() -> None:
    data = prepare(chain(2000, 13, bend=0.6))
    (finding,) = [found for found in audit(data, worth=data.effective_rows()) if found.kind == "curved"]
    assert finding.severity == "warning"
    assert "the 2,000 rows count as" in finding.message
    copies = prepare(np.repeat(chain(300, 14), 3, axis=0))
    assert "copies" in {found.kind for found in audit(copies, worth=copies.effective_rows())}


def test_contaminated_rows_make_values_and_ranks_disagree() -> None:
    rng = np.random.default_rng(15)
    rows = chain(1000, 15)
    wild = rng.random(1000) < 0.1
    rows[wild] += 5.0 * np.outer(rng.normal(size=int(wild.sum())), [1.0, -1.0, 0.5, 1.0])
    worth = effective_rows(rows, 1000)
    assert worth.disagreement > 0.05
    assert worth.effective < 300
    assert next(iter(worth.by_reason())) == "disagreement"
    assert effective_rows(chain(1000, 15), 1000).disagreement == 0.0


def test_skewed_errors_alone_are_no_disagreement_worth_half_of_the_rows() -> None:
    rng = np.random.default_rng(16)
    x, *noise = rng.exponential(size=(4, 1000))
    rows = np.column_stack([x, 0.7 * x + noise[0], noise[1], noise[2]])
    assert effective_rows(rows, 1000).by_reason()["disagreement"] > 500


def test_reasons_are_listed_by_the_rows_that_they_leave() -> None:
    worth = EffectiveRows(1000, 40, repeated=2.0, dependence=4.0, curvature=0.1)
    assert worth.by_reason() == {
        "curved": round(1.0 / (1 / 1000 + 0.1 / GAIN)),
        "dependent": 250,
        "copies": 500,
        "disagreement": 1000,
        "joint extremes": 1000,
    }
