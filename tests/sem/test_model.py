"""The linear model: what it implies, its likelihood, its samples, its interventions."""

from __future__ import annotations

import pickle
import re
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kurtosis, multivariate_normal, skew

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.model import ErrorShape, LinearSEM
from sem.random_models import random_model
from strategies import admgs

VERMA = ADMG.parse("A -> B -> C -> D; B <-> D")


def effects_by_paths(model: LinearSEM) -> FloatArray:
    """Return the total effects by walking every directed path."""
    d = len(model.names)
    effects = np.zeros((d, d))

    def walk(start: int, here: int, product: float) -> None:
        for child in np.flatnonzero(model.admg.directed[here]):
            effects[start, child] += product * model.coef[here, child]
            walk(start, int(child), product * model.coef[here, child])

    for start in range(d):
        walk(start, start, 1.0)
    return effects


class TestImplications:
    @settings(max_examples=60)
    @given(admgs(1, 6), st.integers(0, 999))
    def test_total_effects_are_sums_over_paths(self, admg: ADMG, seed: int) -> None:
        model = random_model(admg, seed)
        effects = model.total_effects()
        np.testing.assert_allclose(effects, effects_by_paths(model), atol=1e-12)
        np.testing.assert_allclose(
            effects, np.linalg.inv(np.eye(len(admg)) - model.coef) - np.eye(len(admg)), atol=1e-9
        )
        for i, cause in enumerate(admg.names):
            for j, effect in enumerate(admg.names):
                if i == j or cause not in admg.ancestors(effect):
                    assert effects[i, j] == 0

    @settings(max_examples=40)
    @given(admgs(1, 6), st.integers(0, 999))
    def test_implied_covariance_solves_the_equations(self, admg: ADMG, seed: int) -> None:
        """Cov(x - x coef) must be the covariance of the errors."""
        model = random_model(admg, seed)
        cov = model.implied_cov()
        residual = np.eye(len(admg)) - model.coef
        np.testing.assert_allclose(residual.T @ cov @ residual, model.error_cov, atol=1e-9)
        np.testing.assert_array_equal(cov, cov.T)

    def test_by_hand(self) -> None:
        model = LinearSEM(
            ADMG.parse("A -> B; B <-> C"),
            [[0, 3, 0], [0, 0, 0], [0, 0, 0]],
            [[2.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, 4.0]],
        )
        np.testing.assert_allclose(model.implied_cov(), [[2.0, 6.0, 0.0], [6.0, 19.0, 0.5], [0.0, 0.5, 4.0]])
        np.testing.assert_allclose(model.total_effects(), [[0, 3, 0], [0, 0, 0], [0, 0, 0]])
        assert model.n_parameters == 5

    def test_standardized(self) -> None:
        model = random_model(VERMA)
        cov = model.implied_cov()
        scales = np.sqrt(np.diag(cov))
        np.testing.assert_allclose(model.standardized().implied_cov(), cov / np.outer(scales, scales), atol=1e-12)


class TestLikelihood:
    @settings(max_examples=25)
    @given(admgs(1, 5), st.integers(0, 999))
    def test_equals_the_density_summed_over_rows(self, admg: ADMG, seed: int) -> None:
        table = np.random.default_rng(seed).standard_normal((30, len(admg))) * 2 + 5
        model = random_model(admg, seed + 1)
        density = multivariate_normal(table.mean(axis=0), model.implied_cov())
        moments = Moments.from_table(table, names=admg.names)
        assert model.loglik(moments) == pytest.approx(float(np.sum(density.logpdf(table))), rel=1e-9)

    def test_bic(self) -> None:
        model = random_model(VERMA)
        moments = Moments(model.implied_cov(), 200, VERMA.names)
        assert model.bic(moments) == pytest.approx(-2 * model.loglik(moments) + np.log(200) * (4 + 4))

    def test_columns_in_any_order(self) -> None:
        model = random_model(VERMA)
        moments = Moments(random_model(VERMA, 1).implied_cov(), 200, VERMA.names)
        assert model.loglik(moments.reorder(["D", "B", "A", "C"])) == pytest.approx(model.loglik(moments), rel=1e-14)

    def test_the_truth_is_most_likely(self) -> None:
        model = random_model(VERMA)
        moments = Moments(model.implied_cov(), 200, VERMA.names)
        best = -100 * (4 * np.log(2 * np.pi) + np.linalg.slogdet(moments.cov)[1] + 4)
        assert model.loglik(moments) == pytest.approx(best)
        assert random_model(VERMA, 1).loglik(moments) < best - 1

    def test_names_must_match(self) -> None:
        model = random_model(VERMA)
        wide = Moments(np.eye(5), 200, ["A", "B", "C", "D", "E"])
        with pytest.raises(
            DataError, match=r"The table has 'E', but the graph has no such vertex; use moments\.subset"
        ):
            model.loglik(wide)
        with pytest.raises(DataError, match="The graph has 'C' and 'D', but the table has no such column"):
            model.loglik(Moments(np.eye(2), 200, ["A", "B"]))


class TestSampling:
    @pytest.mark.parametrize("errors", get_args(ErrorShape))
    def test_covariance_converges_for_every_shape(self, errors: ErrorShape) -> None:
        model = random_model(VERMA)
        table = model.sample(200_000, random_state=1, errors=errors)
        assert tuple(table.columns) == VERMA.names
        cov = model.implied_cov()
        scales = np.sqrt(np.diag(cov))
        np.testing.assert_allclose(
            np.cov(table.T.to_numpy()) / np.outer(scales, scales), cov / np.outer(scales, scales), atol=0.02
        )
        np.testing.assert_allclose(table.mean() / scales, 0, atol=0.01)

    @pytest.mark.parametrize(
        ("errors", "skewness", "excess"),
        [("gaussian", 0, 0), ("uniform", 0, -1.2), ("laplace", 0, 3), ("student", 0, 6), ("exponential", 2, 6)],
    )
    def test_shapes_have_their_moments(self, errors: ErrorShape, skewness: float, excess: float) -> None:
        model = LinearSEM(ADMG.parse("A"), [[0]], [[9]])
        draws = model.sample(400_000, random_state=2, errors=errors)["A"].to_numpy()
        assert draws.var() == pytest.approx(9, rel=0.02)
        if errors == "student":  # its fourth moment exists, but the sample's converges too slowly to be compared
            assert kurtosis(draws) > 2
        else:
            assert skew(draws) == pytest.approx(skewness, abs=0.1)
            assert kurtosis(draws) == pytest.approx(excess, abs=0.5)

    def test_seed(self) -> None:
        model = random_model(VERMA)
        first = model.sample(5, random_state=7)
        assert first.equals(model.sample(5, random_state=7))
        assert first.equals(model.sample(5, random_state=np.random.default_rng(7)))
        assert not first.equals(model.sample(5, random_state=8))
        assert model.sample(0, random_state=0).shape == (0, 4)

    @settings(max_examples=30)
    @given(admgs(2, 6), st.integers(0, 999))
    def test_total_effects_are_what_interventions_do(self, admg: ADMG, seed: int) -> None:
        """With the same errors, setting x to 1 instead of 0 moves every row by the total effects."""
        model = random_model(admg, seed)
        for i, name in enumerate(admg.names):
            high = model.sample(3, random_state=5, do={name: 1}).to_numpy()
            low = model.sample(3, random_state=5, do={name: 0}).to_numpy()
            expected = model.total_effects()[i].copy()
            expected[i] = 1
            np.testing.assert_allclose(high - low, np.tile(expected, (3, 1)), atol=1e-9)

    def test_an_intervention_cuts_both_kinds_of_edges(self) -> None:
        model = random_model(VERMA)
        doses = np.linspace(-2, 2, 5)
        tables = [model.sample(20_000, random_state=k, do={"B": dose}) for k, dose in enumerate(doses)]
        assert all((table["B"] == dose).all() for table, dose in zip(tables, doses, strict=True))
        means = [table.mean() for table in tables]
        slope = np.polyfit(doses, [mean["D"] for mean in means], 1)[0]
        assert slope == pytest.approx(model.total_effects()[1, 3], abs=0.03)
        np.testing.assert_allclose([mean["A"] for mean in means], 0, atol=0.05)
        regression = model.implied_cov()[1, 3] / model.implied_cov()[1, 1]
        assert abs(regression - model.total_effects()[1, 3]) > 0.1

    def test_bad_requests(self) -> None:
        model = random_model(VERMA)
        with pytest.raises(ParameterError, match=r"must be one of gaussian, uniform, .* Got 'cauchy' instead"):
            model.sample(5, errors="cauchy")  # type: ignore[arg-type]
        with pytest.raises(UnknownVertexError, match="no variable named 'E'"):
            model.sample(5, do={"E": 1})
        for bad in (-1, 2.5, True):
            with pytest.raises(ParameterError, match="n_samples must be a whole number from 0 up"):
                model.sample(bad)  # type: ignore[arg-type]


class TestTheObject:
    def test_nothing_can_be_changed(self) -> None:
        model = random_model(VERMA)
        with pytest.raises(ValueError, match="read-only"):
            model.coef[0, 1] = 7
        with pytest.raises(ValueError, match="read-only"):
            model.error_cov[0, 0] = 7
        with pytest.raises(AttributeError, match="cannot be changed"):
            model.admg = VERMA
        with pytest.raises(AttributeError, match="cannot be changed"):
            del model.admg

    def test_the_callers_arrays_are_copied(self) -> None:
        coef, error_cov = np.zeros((2, 2)), np.eye(2)
        model = LinearSEM(ADMG.parse("A -> B"), coef, error_cov)
        coef[0, 1] = error_cov[0, 0] = 5
        assert model.coef[0, 1] == 0
        assert model.error_cov[0, 0] == 1

    def test_equality_pickle_repr(self) -> None:
        model = random_model(VERMA)
        again = pickle.loads(pickle.dumps(model))
        assert again == model
        assert hash(again) == hash(model)
        assert not again.coef.flags.writeable
        assert model != random_model(VERMA, 1)
        assert model != 3
        assert repr(model) == f"LinearSEM of {VERMA}"

    def test_from_fit(self) -> None:
        model = random_model(VERMA)
        fit: Any = SimpleNamespace(admg=VERMA, coef=model.coef, error_cov=model.error_cov)
        assert LinearSEM.from_fit(fit) == model
        assert LinearSEM.from_fit(model) is model


EDGE = ADMG.parse("A -> B; C", names=["A", "B", "C"])
I3 = np.eye(3)
BAD: dict[str, tuple[Any, Any, str]] = {
    "coef shape": (np.zeros((2, 2)), I3, "coef must have shape (3, 3), one row per vertex. Got (2, 2) instead."),
    "error_cov shape": (np.zeros((3, 3)), np.eye(4), "error_cov must have shape (3, 3)"),
    "coef nan": (np.full((3, 3), np.nan), I3, "coef['A', 'A'] must be a finite number. Got nan instead."),
    "coef without edge": (
        [[0, 1, 0], [0, 0, 0.5], [0, 0, 0]],
        I3,
        "coef['B', 'C'] is 0.5, but the graph has no edge B -> C; add the edge or set the number to 0.",
    ),
    "coef against the edge": ([[0, 0, 0], [2, 0, 0], [0, 0, 0]], I3, "the graph has no edge B -> A"),
    "error_cov without edge": (
        np.zeros((3, 3)),
        [[1, 0, 0.1], [0, 1, 0], [0.1, 0, 1]],
        "error_cov['A', 'C'] is 0.1, but the graph has no edge A <-> C",
    ),
    "no variance": (np.zeros((3, 3)), np.diag([1, 0, 1]), "The error variance of 'B' must be positive. Got 0 instead."),
}


class TestBadNumbers:
    @pytest.mark.parametrize("case", BAD)
    def test_is_refused_with_a_reason(self, case: str) -> None:
        coef, error_cov, reason = BAD[case]
        with pytest.raises(ParameterError, match=re.escape(reason)):
            LinearSEM(EDGE, coef, error_cov)

    def test_error_cov_must_be_symmetric_positive_definite(self) -> None:
        g = ADMG.parse("A <-> B")
        with pytest.raises(ParameterError, match="its two entries for 'A' and 'B' differ"):
            LinearSEM(g, np.zeros((2, 2)), [[1, 0.5], [0.4, 1]])
        with pytest.raises(ParameterError, match=r"correlation matrix is -0\.5; make"):
            LinearSEM(g, np.zeros((2, 2)), [[1, 1.5], [1.5, 1]])
        rough = LinearSEM(g, np.zeros((2, 2)), [[1, 0.5], [0.5 + 1e-13, 1]]).error_cov
        np.testing.assert_array_equal(rough, rough.T)
