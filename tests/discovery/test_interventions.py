"""Several variables set at once: against simulation, the delta method by finite differences, and single effects."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import lurking
from lurking import ADMG, Moments, simulate_admg
from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking.discovery import Analysis, EffectPosterior
from lurking.discovery.interventions import contrast, would_have_been
from lurking.search.posterior import Posterior, weigh
from lurking.sem import LinearSEM, interventions_in_graphs, ricf, standard_errors
from lurking.simulate.parameters import draw_parameters

TRUTH = ADMG.parse("A -> B -> C -> D; A -> C; B <-> D; A -> D", names=list("ABCD"))
OTHERS = [(TRUTH, 0.0), (ADMG.parse("A -> B -> C; B <-> D; C <-> D", names=list("ABCD")), 1.0)]


@pytest.fixture(scope="module")
def model() -> LinearSEM:
    return draw_parameters(TRUTH, random_state=3)


@pytest.fixture(scope="module")
def moments(model: LinearSEM) -> Moments:
    return Moments(model.implied_cov(), 400, TRUTH.names)


@pytest.fixture(scope="module")
def posterior() -> Posterior:
    return weigh(OTHERS, 0.0)


def test_a_contrast_is_what_two_simulated_experiments_differ_by(model: LinearSEM, moments: Moments) -> None:
    do, against = {"A": 2.0, "C": -1.0}, {"A": 0.0, "C": 0.5}
    one, other = (model.sample(10, random_state=0, do=setting) for setting in (do, against))
    found = contrast(moments, weigh([(TRUTH, 0.0)], 0.0), do, against).set_index("variable")
    np.testing.assert_allclose(found["mean"], (one - other).mean()[["B", "D"]], atol=1e-6)
    assert found["probability"].tolist() == [1.0, 1.0]


def test_standard_errors_are_those_of_the_delta_method(moments: Moments) -> None:
    fit = ricf(moments, TRUTH)
    errors = standard_errors(moments, fit)
    chosen, step, j = [0, 2], np.array([2.0, -1.5]), 3

    def change(values: np.ndarray) -> float:
        coef = np.zeros((4, 4))
        for parameter, value in zip(errors.parameters, values, strict=True):
            if parameter.kind == "coef" and parameter.column not in chosen:
                coef[parameter.row, parameter.column] = value
        return float(step @ np.linalg.inv(np.eye(4) - coef)[chosen, j])

    gradient = np.array(
        [
            (change(errors.estimates + 1e-6 * unit) - change(errors.estimates - 1e-6 * unit)) / 2e-6
            for unit in np.eye(len(errors.estimates))
        ]
    )
    found = interventions_in_graphs(moments, [TRUTH.directed], [TRUTH.bidirected], chosen)
    assert step @ found.change[0, :, j] == pytest.approx(change(errors.estimates))
    assert step @ found.covariance[0, :, :, j] @ step == pytest.approx(
        gradient @ errors.covariance @ gradient, rel=1e-4
    )


def test_one_variable_alone_has_its_total_effect(moments: Moments, posterior: Posterior) -> None:
    effects = EffectPosterior.of(moments, posterior)
    for row in contrast(moments, posterior, {"B": 3.0}, {"B": 1.0}).itertuples():
        one = effects.effect("B", str(row.variable))
        found = (row.probability, row.mean, row.low, row.high, row.median)
        assert found == pytest.approx(
            (one.probability, 2 * one.mean, 2 * one.low, 2 * one.high, 2 * one.median), abs=1e-8
        )


def test_rows_are_shifted_by_their_own_distance_to_what_is_set(model: LinearSEM, moments: Moments) -> None:
    table = model.sample(30, random_state=1)
    do = {"A": 1.0, "C": 0.0}
    alone = weigh([(TRUTH, 0.0)], 0.0)
    found = would_have_been(moments, alone, table.set_index(np.arange(30) + 100), do, "D")
    assert found.index.tolist() == list(range(100, 130))
    # the errors of each row, sent through the model with A and C set
    coef = model.coef.copy()
    noise = table.to_numpy() @ (np.eye(4) - model.coef)
    coef[:, [0, 2]] = 0.0
    noise[:, [0, 2]] = [1.0, 0.0]
    np.testing.assert_allclose(found["mean"], (noise @ np.linalg.inv(np.eye(4) - coef))[:, 3], atol=1e-6)
    assert (found["low"] < found["mean"]).all()
    assert (found["mean"] < found["high"]).all()


def test_a_row_that_has_the_values_already_stays_as_it_is(moments: Moments, posterior: Posterior) -> None:
    table = pd.DataFrame({"A": [1.0, 2.0], "D": [5.0, 5.0]})
    found = would_have_been(moments, posterior, table, {"A": 1.0}, "D")
    assert found.iloc[0].tolist() == [5.0, 5.0, 5.0, 5.0]
    assert found["mean"].iloc[1] != 5.0


def test_an_analysis_answers() -> None:
    data = simulate_admg(ADMG.parse("A -> B -> C"), 500, random_state=1).data
    answer = lurking.discover(data, solver="exact", knowledge="A < B < C")
    changes = answer.contrast({"A": 1}, {"A": 0})
    assert changes["variable"].tolist() == ["B", "C"]
    assert changes["mean"].iloc[0] == pytest.approx(answer.effect("A", "B").mean, rel=1e-6)
    assert len(answer.predict(data.head(3), {"A": 0}, "C")) == 3


def test_errors_are_one_sentence(moments: Moments, posterior: Posterior) -> None:
    table = pd.DataFrame({"A": [1.0, np.nan], "D": [5.0, 5.0]})
    with pytest.raises(ParameterError, match="same variables"):
        contrast(moments, posterior, {"A": 1}, {"B": 1})
    with pytest.raises(ParameterError, match="at least one variable"):
        contrast(moments, posterior, {}, {})
    with pytest.raises(ParameterError, match="finite number"):
        contrast(moments, posterior, {"A": np.inf}, {"A": 0})
    with pytest.raises(ParameterError, match="sets all variables"):
        contrast(moments, posterior, dict.fromkeys("ABCD", 1.0), dict.fromkeys("ABCD", 0.0))
    with pytest.raises(UnknownVertexError, match="'E'"):
        would_have_been(moments, posterior, table, {"A": 1}, "E")
    with pytest.raises(ParameterError, match="itself set"):
        would_have_been(moments, posterior, table, {"A": 1}, "A")
    with pytest.raises(DataError, match="no column 'B'"):
        would_have_been(moments, posterior, table, {"B": 1}, "D")
    with pytest.raises(DataError, match="missing"):
        would_have_been(moments, posterior, table, {"A": 1}, "D")


def test_a_search_on_other_margins_does_not_predict(moments: Moments) -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 300, random_state=1).data
    answer: Analysis = lurking.discover(data, solver="exact", margins="rank")
    with pytest.raises(ParameterError, match="margins='rank'"):
        answer.predict(data, {"A": 1}, "B")
