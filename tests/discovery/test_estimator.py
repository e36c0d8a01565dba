"""The estimator: scikit-learn's contract, and what a user may rely on."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from lurking import ADMG, ADMGDiscovery, Knowledge, Moments, bootstrap, simulate_admg
from lurking._errors import DataError, ParameterError
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.search.status import SearchStatus
from lurking.sem import LinearSEM, ricf

DATA = simulate_admg(5, 400, random_state=1).data
SMALL: dict[str, Any] = {"n_restarts": 2, "random_state": 0}

EXCUSED = {
    "check_complex_data": "the error names the columns that hold complex numbers, in other words than scikit-learn's",
    "check_dtype_object": "a column that holds no numbers is a DataError (a ValueError) with its name, not a TypeError",
    "check_estimators_empty_data_messages": "the error says that there are no columns, in other words",
    "check_estimators_nan_inf": "the error names the columns and rows of the missing values, without the word NaN",
    "check_fit2d_1sample": "the error says that there must be more rows than columns, in other words",
}


MODELS = [ADMGDiscovery(n_restarts=1, random_state=0)]


@parametrize_with_checks(MODELS, expected_failed_checks=lambda _: EXCUSED)  # type: ignore[untyped-decorator]
def test_scikit_learn_contract(estimator: ADMGDiscovery, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def test_clone_pickle_and_parameters() -> None:
    model = ADMGDiscovery("arid", noise_scale="similar", noise_spread=0.3, window=4.0, **SMALL).fit(DATA)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "admg_")
    thawed = pickle.loads(pickle.dumps(model))
    assert thawed.admg_ == model.admg_
    assert thawed.score(DATA) == model.score(DATA)
    assert thawed.status_ is SearchStatus.COMPLETE


def test_the_answer_can_be_the_consensus() -> None:
    data = simulate_admg(6, 200, random_state=0).data
    best = ADMGDiscovery(answer="best", criterion="bic", **SMALL).fit(data)
    consensus = ADMGDiscovery(answer="consensus", criterion="bic", **SMALL).fit(data)
    assert best.admg_ == consensus.search_.admg != consensus.admg_ == best.search_.consensus
    assert consensus.bic_ == pytest.approx(ricf(consensus.moments_, consensus.admg_).bic)
    assert best.bic_ < consensus.bic_ < best.bic_ + best.window
    assert consensus.bic_ - best.bic_ == pytest.approx(best.search_.posterior.score_gap, abs=0.01)


def test_grid_search_over_the_spread_of_the_noise() -> None:
    grid = GridSearchCV(
        ADMGDiscovery(noise_scale="similar", criterion="bic", n_restarts=1, random_state=0),
        {"noise_spread": [0.1, 2.0]},
        cv=3,
    )
    grid.fit(DATA.iloc[:, :4])
    assert set(grid.cv_results_["param_noise_spread"]) == {0.1, 2.0}
    assert np.isfinite(grid.cv_results_["mean_test_score"]).all()
    assert len(set(grid.cv_results_["mean_test_score"])) == 2
    assert isinstance(grid.best_estimator_.admg_, ADMG)


def test_grid_search_over_the_penalty_of_the_paper() -> None:
    table = DATA.iloc[:, :3]
    grid = GridSearchCV(ADMGDiscovery(solver="dcd", n_restarts=1, random_state=0), {"penalty": [0.05, 5.0]}, cv=2)
    grid.fit(table)
    scores = grid.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1]  # so heavy a penalty leaves no edge
    assert grid.best_params_ == {"penalty": 0.05}


def test_the_paper_takes_no_assumption_about_the_noise() -> None:
    model = ADMGDiscovery(solver="dcd", noise_scale="similar", random_state=0)
    with pytest.raises(ParameterError, match="assume similar noise in any case"):
        model.fit(DATA.iloc[:, :3])
    free = ADMGDiscovery(solver="dcd", n_restarts=1, random_state=0).fit(DATA.iloc[:, :3])
    assert free.decided_by_assumption_ == ()


def test_last_step_of_a_pipeline() -> None:
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), ADMGDiscovery(**SMALL)).fit(DATA)
    assert pipeline[-1].pag_ == ADMGDiscovery(**SMALL).fit(DATA).pag_
    assert pipeline[-1].feature_names_in_.tolist() == list(DATA.columns)


# ------------------------------------------------------------------------------------------------------ input


def test_every_kind_of_input_gives_the_same_answer(tmp_path: Path) -> None:
    expected = ADMGDiscovery(**SMALL).fit(DATA)
    DATA.to_csv(tmp_path / "table.csv", index=False)
    DATA.to_parquet(tmp_path / "table.parquet")
    inputs = [pl.DataFrame(DATA), Moments.from_table(DATA), tmp_path / "table.csv", str(tmp_path / "table.parquet")]
    for table in inputs:
        model = ADMGDiscovery(**SMALL).fit(table)
        assert model.pag_ == expected.pag_
        assert model.feature_names_in_.tolist() == list(DATA.columns)
        assert model.n_features_in_ == 5
        assert model.score(table) == pytest.approx(expected.score(DATA), abs=1e-9)
    array = ADMGDiscovery(**SMALL).fit(DATA.to_numpy())
    assert array.feature_names_in_.tolist() == ["X1", "X2", "X3", "X4", "X5"]
    assert np.array_equal(array.pag_.marks, expected.pag_.marks)


def test_names_are_kept_everywhere() -> None:
    names = ["blood pressure", "Ångström", "x -> y", "№", "a;b"]
    model = ADMGDiscovery(**SMALL).fit(DATA.set_axis(names, axis=1))
    assert model.admg_.names == model.pag_.names == model.moments_.names == model.search_.admg.names == tuple(names)


@pytest.mark.parametrize("parameters", [{}, {"missing": "em"}, {"margins": "rank"}, {"margins": "latent"}])
def test_the_input_is_left_alone(parameters: dict[str, str]) -> None:
    table = DATA.copy()
    table["V1"] = (table["V1"] > 0).astype(int)
    if "missing" in parameters:
        table.iloc[3, 2] = np.nan
    before = table.copy()
    array = table.to_numpy()
    array_before = array.copy()
    model = ADMGDiscovery(n_restarts=1, random_state=0, **parameters).fit(table)  # type: ignore[arg-type]
    model.score(table)
    ADMGDiscovery(n_restarts=1, random_state=0, **parameters).fit(array)  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(table, before)
    assert np.array_equal(array, array_before, equal_nan=True)


# -------------------------------------------------------------------------------------------------- invariance


def test_order_of_columns_does_not_matter() -> None:
    expected = ADMGDiscovery(**SMALL).fit(DATA)
    model = ADMGDiscovery(**SMALL).fit(DATA[["V4", "V2", "V5", "V1", "V3"]])
    assert model.admg_ == expected.admg_
    assert model.bic_ == pytest.approx(expected.bic_, abs=1e-6)
    assert model.feature_names_in_.tolist() == ["V4", "V2", "V5", "V1", "V3"]


@pytest.mark.parametrize("units", [(1, -1, 1, -1, -1), (1e-6, 1.0, 30.0, 2e5, 1.0), (-0.1, 1.0, -1e4, 1.0, 3.0)])
def test_signs_and_units_do_not_matter(units: tuple[float, ...]) -> None:
    # several graphs can fit equally well, and rounding decides which one is named: score and PAG are the same
    scale = np.array(units)
    plain, scaled = ADMGDiscovery(**SMALL).fit(DATA), ADMGDiscovery(**SMALL).fit(DATA * scale + 7.0)
    assert scaled.bic_ - 400 * np.log(scale**2).sum() == pytest.approx(plain.bic_, abs=1e-5)
    assert scaled.pag_ == plain.pag_
    again = ricf(Moments.from_table(DATA), scaled.admg_)
    assert again.bic == pytest.approx(plain.bic_, abs=1e-5)
    assert np.allclose(scaled.coef_ * scale[:, None] / scale, again.coef, atol=1e-6)


def test_units_do_matter_with_similar_noise() -> None:
    found = {
        str(ADMGDiscovery(noise_scale="similar", noise_spread=0.2, **SMALL).fit(DATA * [1, 1, scale, 1, 1]).admg_)
        for scale in (0.05, 20.0)
    }
    assert len(found) > 1


def test_seed_and_jobs() -> None:
    first, again, parallel = (ADMGDiscovery(n_restarts=3, random_state=5, n_jobs=jobs).fit(DATA) for jobs in (1, 1, 2))
    assert first.search_ == again.search_ == parallel.search_
    assert np.array_equal(first.coef_, parallel.coef_)


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_results_are_in_class_and_consistent(graph_class: GraphClass) -> None:
    model = ADMGDiscovery(graph_class, **SMALL).fit(DATA)
    assert model.admg_.witness(graph_class) is None
    fit = ricf(Moments.from_table(DATA), model.admg_)
    assert (model.bic_, model.loglik_) == (fit.bic, fit.loglik)
    by_bic = ADMGDiscovery(graph_class, criterion="bic", answer="best", **SMALL).fit(DATA)
    assert by_bic.bic_ == pytest.approx(by_bic.search_.score, abs=1e-4)
    assert model.pag_ == model.admg_.to_pag()
    assert np.array_equal(model.coef_ != 0, model.admg_.directed)
    assert model.decided_by_assumption_ == ()
    similar = ADMGDiscovery(graph_class, noise_scale="similar", **SMALL).fit(DATA)
    assert similar.admg_.witness(graph_class) is None
    for text in similar.decided_by_assumption_:
        cause, effect = text.split(" -> ")
        assert (cause, effect) in similar.admg_.directed_edges()
        assert "CIRCLE" in (similar.pag_.mark(cause, effect).name, similar.pag_.mark(effect, cause).name)


def test_exact_and_hybrid_agree_on_four_variables() -> None:
    table = DATA[["V1", "V2", "V3", "V4"]].iloc[:120]
    exact, hybrid = (ADMGDiscovery(solver=solver, **SMALL).fit(table) for solver in ("exact", "hybrid"))
    assert exact.bic_ == pytest.approx(hybrid.bic_, abs=1e-6)
    assert exact.search_.weights.shape == (4, 4, 4)
    assert np.allclose(exact.search_.weights.sum(axis=2), 1)


def test_a_long_search_says_what_to_expect(caplog: pytest.LogCaptureFixture) -> None:
    def told(d: int, **settings: Any) -> list[str]:
        caplog.clear()
        with caplog.at_level("INFO", logger="lurking"):
            ADMGDiscovery(n_jobs=2, **settings)._say_what_to_expect(d)
        return [record.getMessage() for record in caplog.records]

    assert told(10) == []
    assert told(200)[0].startswith("200 variables: the answer takes ")
    assert " on 2 cores; with a time budget it comes earlier" in told(200)[0]
    assert told(200, time_budget=60.0) == []
    assert "more than the 200" in told(201, time_budget=60.0)[0]


def test_time_budget_and_interrupt() -> None:
    table = simulate_admg(9, 300, random_state=2).data
    model = ADMGDiscovery("ancestral", n_restarts=50, random_state=0, time_budget=0.2).fit(table)
    assert model.status_ is SearchStatus.TIME_BUDGET
    assert "time" in model.status_.message
    assert model.admg_.is_ancestral()

    calls: list[str] = []

    def stop(share: float, doing: str) -> None:
        calls.append(doing)
        if len(calls) > 2:
            raise KeyboardInterrupt

    stopped = ADMGDiscovery("arid", random_state=0, progress=stop).fit(table)
    assert stopped.status_ is SearchStatus.INTERRUPTED
    assert stopped.admg_.is_arid()


# ------------------------------------------------------------------------------------------------------- score


def test_score_is_the_mean_log_density_around_the_training_means() -> None:
    train, new = DATA.iloc[:300] + 50.0, DATA.iloc[300:] + 50.0
    model = ADMGDiscovery(**SMALL).fit(train)
    density = multivariate_normal(train.mean().to_numpy(), LinearSEM.from_fit(model.fit_).implied_cov())
    assert model.score(new) == pytest.approx(float(np.mean(density.logpdf(new.to_numpy()))))
    assert model.score(train) == pytest.approx(model.loglik_ / 300)
    assert model.score(new + 3.0) < model.score(new)
    assert model.score(new[list(new.columns[::-1])]) == pytest.approx(model.score(new))
    assert model.score(new.iloc[:1]) == pytest.approx(float(density.logpdf(new.to_numpy()[0])))
    assert model.score(Moments.from_table(new)) == pytest.approx(model.score(new))


def test_score_without_means_uses_those_of_the_new_data() -> None:
    moments = Moments.from_table(DATA)
    model = ADMGDiscovery(**SMALL).fit(Moments(moments.cov, moments.n_samples, moments.names))
    assert model.mean_ is None
    assert model.score(DATA + 1000.0) == pytest.approx(model.score(DATA), abs=1e-6)
    assert model.score(moments) == pytest.approx(model.loglik_ / 400)


def test_score_with_missing_values_and_margins() -> None:
    holes = DATA.copy()
    holes.iloc[5, 1] = holes.iloc[9, 0] = np.nan
    plain = ADMGDiscovery(**SMALL).fit(DATA)
    with pytest.raises(DataError, match="Values of 'V1' and 'V2' are missing"):
        plain.score(holes)
    dropping = ADMGDiscovery(missing="drop", **SMALL).fit(DATA)
    assert dropping.score(holes) == pytest.approx(plain.score(holes.dropna()))
    by_em = ADMGDiscovery(missing="em", **SMALL).fit(holes)
    assert by_em.mean_ is not None
    density = multivariate_normal(by_em.mean_[1:], LinearSEM.from_fit(by_em.fit_).implied_cov()[1:, 1:])
    one = DATA.iloc[[0]].assign(V1=np.nan)
    assert by_em.score(one) == pytest.approx(float(density.logpdf(DATA.iloc[0, 1:].to_numpy(dtype=float))))
    ranked = ADMGDiscovery(margins="rank", **SMALL).fit(np.exp(DATA / DATA.std()))
    assert ranked.score(np.exp(DATA / DATA.std())) == pytest.approx(ranked.loglik_ / 400)
    binary = DATA.assign(V1=DATA["V1"] > 0)
    latent = ADMGDiscovery(margins="latent", **SMALL).fit(binary)
    assert latent.score(binary) == pytest.approx(latent.loglik_ / 400)
    with pytest.raises(DataError, match="no column 'V2'"):
        plain.score(DATA.drop(columns="V2"))
    with pytest.raises(DataError, match="X has 4 features, but ADMGDiscovery is expecting 5"):
        plain.score(DATA.to_numpy()[:, :4])


# ------------------------------------------------------------------------------------- missing values and margins


def test_missing_values_are_used_by_em() -> None:
    rng = np.random.default_rng(0)
    holes = DATA.where(rng.random(DATA.shape) > 0.1)
    with pytest.raises(DataError, match="'V1' is missing in row"):
        ADMGDiscovery(**SMALL).fit(holes)
    by_em = ADMGDiscovery(missing="em", **SMALL).fit(holes)
    dropping = ADMGDiscovery(missing="drop", **SMALL).fit(holes)
    assert by_em.moments_.n_samples == 400
    assert dropping.moments_.n_samples == len(holes.dropna()) < 300
    assert [finding.kind for finding in by_em.audit_] == ["missing"]


def test_rank_margins_undo_increasing_functions() -> None:
    bent = pd.DataFrame(np.exp(DATA / DATA.std()))
    plain, ranked, both = (
        ADMGDiscovery(margins=margins, **SMALL).fit(table)  # type: ignore[arg-type]
        for table, margins in ((DATA, "rank"), (bent, "rank"), (bent, None))
    )
    assert ranked.pag_ == plain.pag_
    assert np.allclose(ranked.moments_.correlation, plain.moments_.correlation)
    assert ranked.rank_transform_ is not None
    assert both.rank_transform_ is None
    assert not np.allclose(both.moments_.correlation, ranked.moments_.correlation, atol=0.02)


def test_latent_margins_see_through_categories() -> None:
    table = simulate_admg(4, 4000, random_state=3).data
    coarse = table.assign(V1=(table["V1"] > table["V1"].mean()).astype(int), V3=np.sign(table["V3"] - 0.1))
    latent = ADMGDiscovery(margins="latent", **SMALL).fit(coarse)
    correlation = Moments.from_table(table).correlation
    assert np.allclose(latent.moments_.correlation, correlation, atol=0.06)
    assert not np.allclose(Moments.from_table(coarse).correlation, correlation, atol=0.06)


def test_latent_score_knows_which_columns_were_ordinal() -> None:
    table = simulate_admg(3, 900, random_state=3).data
    table["V3"] = 10.0 * np.digitize(table["V3"], np.quantile(table["V3"], [0.2, 0.4, 0.6, 0.8]))
    model = ADMGDiscovery(margins="latent", **SMALL).fit(table.iloc[:600])
    few, many = model.score(table.iloc[600:614]), model.score(table.iloc[600:])
    assert abs(few - many) < 3.0  # 14 rows have five categories, too many to be taken as ordinal by themselves


def test_a_covariance_file_is_data_everywhere(tmp_path: Path) -> None:
    (tmp_path / "m.cov").write_text("100\nA B\n1\n0.5 1\n")
    model = ADMGDiscovery(solver="exact").fit(tmp_path / "m.cov")
    assert model.score(tmp_path / "m.cov") == pytest.approx(model.loglik_ / 100)
    assert bootstrap(model, tmp_path / "m.cov", n_replicates=2, random_state=0).n_replicates == 2


def test_what_knowledge_decides_does_not_rest_on_the_assumption() -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 300, random_state=1).data
    assumed = ADMGDiscovery(solver="exact", noise_scale="similar").fit(data)
    assert assumed.decided_by_assumption_ == ("A -> B",)
    known = Knowledge(tiers=(("A",), ("B",)), unconfounded=("A",))
    informed = ADMGDiscovery(solver="exact", noise_scale="similar", knowledge=known).fit(data)
    assert informed.admg_ == assumed.admg_
    assert informed.decided_by_assumption_ == ()


# ------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    "parameters",
    [
        {"graph_class": "dag"},
        {"solver": "magic"},
        {"noise_scale": "equal"},
        {"answer": "worst"},
        {"n_restarts": 0},
        {"n_jobs": 0},
        {"n_jobs": "2"},
        {"progress": 3},
        {"noise_spread": -1.0},
        {"penalty": 0.0},
        {"window": np.inf},
        {"time_budget": 0},
        {"missing": "ignore"},
        {"margins": "log"},
        {"random_state": -1},
    ],
)
def test_bad_parameters_are_refused_in_fit(parameters: dict[str, object]) -> None:
    (name,) = parameters
    model = ADMGDiscovery(**parameters)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=name):
        model.fit(DATA)


def test_sparse_tables_are_refused() -> None:
    with pytest.raises(DataError, match=r"Sparse tables are not supported.*toarray"):
        ADMGDiscovery().fit(csr_array(DATA.to_numpy()))


@pytest.mark.parametrize("solver", ["dcd", "exact"])
def test_a_time_budget_is_not_ignored(solver: str) -> None:
    model = ADMGDiscovery(solver=solver, time_budget=1.0)  # type: ignore[arg-type]
    with pytest.raises(
        ParameterError, match=f"time_budget works with solver='hybrid' only, not with solver='{solver}'"
    ):
        model.fit(DATA)
