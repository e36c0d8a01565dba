from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, kstest, norm

from lurking import ADMG, Moments
from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking.graphs.bits import BitGraph
from lurking.sem import LinearSEM, adjusted_p_values, constraint_test, implied_tests, ricf
from lurking.simulate.parameters import draw_parameters
from oracles.graph_parts import random_covariance

FIGURE_1C = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=list("ABCD"))
CHAIN = ADMG.parse("A -> B -> C -> D; B <-> D")
NOT_MAXIMAL = ADMG.parse("A <-> B <-> C <-> D; B -> D; C -> A")


def _sample(model: LinearSEM, n: int, generator: np.random.Generator) -> Moments:
    rows = generator.standard_normal((n, len(model.names))) @ np.linalg.cholesky(model.implied_cov()).T
    return Moments(np.cov(rows.T, bias=True), n, model.names)


def _random_moments(names: tuple[str, ...], n: int, seed: int) -> Moments:
    rows = np.random.default_rng(seed).normal(size=(3 * len(names), len(names)))
    return Moments(rows.T @ rows / len(rows), n, names)


class TestAgainstClosedForms:
    def test_a_chain_is_tested_by_its_partial_correlation(self) -> None:
        """For A -> B -> C the likelihood ratio of A -> C is -n ln(1 - r²), r the partial correlation given B."""
        moments = _random_moments(("A", "B", "C"), 150, seed=1)
        (test,) = implied_tests(moments, ADMG.parse("A -> B -> C"))
        precision = np.linalg.inv(moments.cov)
        partial = -precision[0, 2] / np.sqrt(precision[0, 0] * precision[2, 2])
        assert test.value == pytest.approx(partial)
        assert test.chi_square == pytest.approx(-150 * np.log(1 - partial**2))
        assert test.p_value == pytest.approx(chi2.sf(test.chi_square, 1))
        assert test.value_p_value == pytest.approx(2 * norm.sf(abs(np.arctanh(partial)) * np.sqrt(150 - 1 - 3)))
        assert (test.kind, test.statement, test.added) == ("independence", "A ⊥ C | B", "A -> C")

    def test_one_missing_edge_of_a_saturated_graph_is_the_fit_of_the_graph(self) -> None:
        """Figure 1(c) with C -> B is saturated: the test of its Verma constraint is the chi-square of the graph."""
        moments = _random_moments(("A", "B", "C", "D"), 400, seed=2)
        (test,) = implied_tests(moments, FIGURE_1C)
        saturated = -400 / 2 * (4 * np.log(2 * np.pi) + np.linalg.slogdet(moments.cov)[1] + 4)
        assert test.chi_square == pytest.approx(2 * (saturated - ricf(moments, FIGURE_1C).loglik), abs=1e-5)
        assert (test.kind, test.added, test.added_arid) == ("verma", "C -> B", True)

    def test_no_deviation_in_the_population(self) -> None:
        for graph in (FIGURE_1C, CHAIN, NOT_MAXIMAL):
            model = draw_parameters(graph, random_state=3)
            for test in implied_tests(Moments(model.implied_cov(), 10_000, graph.names), graph):
                assert test.chi_square == pytest.approx(0, abs=1e-5)
                assert test.converged
                if test.constraint:
                    assert test.value == pytest.approx(0, abs=1e-8)

    def test_benjamini_hochberg(self) -> None:
        """Numbers of scipy.stats.false_discovery_control([0.01, 0.04, 0.03, 0.5, 0.02])."""
        assert adjusted_p_values([0.01, 0.04, 0.03, 0.5, 0.02]) == pytest.approx([0.05, 0.05, 0.05, 0.5, 0.05])
        assert adjusted_p_values([]).shape == (0,)
        assert adjusted_p_values([0.9, 0.95]).max() <= 1


class TestDeltaMethod:
    def test_standard_error_is_the_spread_over_samples(self) -> None:
        """The z of the Verma constraint has variance 1 when the constraint does not hold, too: add C -> B."""
        graph = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D; C -> B", names=list("ABCD"))
        model = draw_parameters(graph, random_state=6)
        (constraint,) = FIGURE_1C.verma_constraints()
        truth = constraint.value(model.implied_cov(), model.names)
        generator = np.random.default_rng(0)
        values, p_values = zip(
            *(constraint_test(_sample(model, 1000, generator), constraint) for _ in range(300)), strict=True
        )
        z = [norm.isf(p / 2) * np.sign(v) for v, p in zip(values, p_values, strict=True)]
        assert abs(truth) > 0.02
        assert np.mean(values) == pytest.approx(truth, abs=0.01)
        assert np.std(z) == pytest.approx(1, abs=0.15)


class TestCalibration:
    """Small versions of benchmarks/verma_power.py."""

    def test_p_values_are_uniform_if_the_graph_is_right(self) -> None:
        generator = np.random.default_rng(0)
        ratio, value = [], []
        for seed in range(250):
            (test,) = implied_tests(_sample(draw_parameters(FIGURE_1C, random_state=seed), 500, generator), FIGURE_1C)
            assert test.converged
            ratio.append(test.p_value)
            value.append(test.value_p_value)
        assert kstest(ratio, "uniform").pvalue > 0.01
        assert kstest(value, "uniform").pvalue > 0.01

    def test_power_grows_with_the_number_of_rows(self) -> None:
        larger = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D; C -> B", names=list("ABCD"))
        generator = np.random.default_rng(1)
        models = []
        for seed in range(80):
            model = draw_parameters(larger, random_state=seed)
            coef = model.coef.copy()
            coef[2, 1] = 0.15
            models.append(LinearSEM(larger, coef, model.error_cov))
        rejected = []
        for n in (100, 1000, 10_000):
            tests = [implied_tests(_sample(model, n, generator), FIGURE_1C)[0] for model in models]
            rejected.append(np.mean([[test.p_value < 0.05, test.value_p_value < 0.05] for test in tests], axis=0))
        assert (rejected[0] < rejected[1]).all()
        assert (rejected[1] < rejected[2]).all()
        assert (rejected[2] > 0.9).all()


class TestWhichEdgeIsAdded:
    def test_the_larger_model_stays_in_the_class(self) -> None:
        for seed in range(20):
            draw = np.triu(np.random.default_rng(seed).random((5, 5)), 1)
            graph = ADMG(list("ABCDE"), (draw > 0) & (draw < 0.3), (draw + draw.T > 0.3) & (draw + draw.T < 0.5))
            for test in implied_tests(_random_moments(graph.names, 300, seed), graph):
                larger = ADMG.parse(f"{graph}; {test.added}", names=graph.names)
                assert larger.n_edges == graph.n_edges + 1
                assert larger.is_bow_free()
                assert test.added_arid == larger.is_arid()
                if graph.is_mag():
                    assert larger.is_ancestral()

    def test_direction_follows_the_ancestors(self) -> None:
        moments = _random_moments(("A", "B", "C"), 300, seed=0)
        assert implied_tests(moments, ADMG.parse("C -> B -> A", names=list("ABC")))[0].added == "C -> A"
        assert implied_tests(moments, ADMG.parse("A -> B <- C"))[0].added == "A <-> C"

    def test_a_missing_edge_without_an_independence_is_linear(self) -> None:
        """Richardson and Spirtes' graph that is not maximal: A and D cannot be separated, by any set or fixing."""
        moments = _random_moments(NOT_MAXIMAL.names, 300, seed=5)
        (test,) = implied_tests(moments, NOT_MAXIMAL)
        assert (test.kind, test.constraint, test.statement) == ("linear", None, "no edge A <-> D in the linear model")
        assert np.isnan(test.value)
        assert np.isnan(test.value_p_value)
        assert test.chi_square > 0


class TestTable:
    def test_order_of_columns_does_not_matter(self) -> None:
        moments = _random_moments(CHAIN.names, 300, seed=7)
        straight, shuffled = implied_tests(moments, CHAIN), implied_tests(moments.reorder(list("DBAC")), CHAIN)
        for one, other in zip(straight, shuffled, strict=True):
            assert one.statement == other.statement
            assert one.chi_square == pytest.approx(other.chi_square, abs=1e-6)

    def test_signs_and_units_do_not_matter(self) -> None:
        moments = _random_moments(CHAIN.names, 300, seed=7)
        scale = np.diag([-1.0, 100.0, 0.01, -3.0])
        other = implied_tests(Moments(scale @ moments.cov @ scale, 300, CHAIN.names), CHAIN)
        for one, two in zip(implied_tests(moments, CHAIN), other, strict=True):
            assert one.p_value == pytest.approx(two.p_value, abs=1e-6)
            assert one.value_p_value == pytest.approx(two.value_p_value, abs=1e-6)

    def test_lookup_rejection_and_frame(self) -> None:
        tests = implied_tests(_random_moments(CHAIN.names, 5000, seed=8), CHAIN)
        assert len(tests) == 2
        assert tests.of("D", "A") is tests[1]
        refuted = tests.rejected(0.01)
        assert {t.statement for t in refuted} == {t.statement for t in tests if t.adjusted_p_value <= 0.01}
        assert [t.p_value for t in refuted] == sorted(t.p_value for t in refuted)
        frame = tests.to_frame()
        assert frame["statement"].tolist() == [t.statement for t in tests]
        assert frame["adjusted_p_value"].tolist() == adjusted_p_values([t.p_value for t in tests]).tolist()

    def test_a_saturated_graph_has_no_test(self) -> None:
        saturated = ADMG.parse("A -> B; A -> C; B <-> C")
        tests = implied_tests(_random_moments(("A", "B", "C"), 100, seed=0), saturated)
        assert len(tests) == 0
        assert tests.rejected() == ()
        assert tests.to_frame().empty

    def test_errors(self) -> None:
        moments = _random_moments(("A", "B", "C"), 100, seed=0)
        with pytest.raises(GraphClassError, match="bow"):
            implied_tests(moments, ADMG.parse("A -> B; A <-> B; C"))
        with pytest.raises(GraphError, match="'D'"):
            implied_tests(moments, ADMG.parse("A -> B; C; D"))
        tests = implied_tests(moments, ADMG.parse("A -> B; C"))
        with pytest.raises(ParameterError, match="'A' and 'B' is not missing"):
            tests.of("A", "B")
        with pytest.raises(ParameterError, match=r"range \(0, 1\)"):
            tests.rejected(1.5)


def test_population_values_agree_with_random_covariances_of_larger_graphs() -> None:
    """The two tests agree on what is violated: a covariance of a larger graph refutes exactly the added edge's pair."""
    generator = np.random.default_rng(2)
    larger = ADMG.parse("A -> B -> C -> D; B <-> D; A -> D")
    sigma = random_covariance(BitGraph.from_matrices(larger.directed, larger.bidirected), generator)
    tests = implied_tests(Moments(sigma, 2000, larger.names), CHAIN)
    assert tests.of("A", "C").value_p_value == pytest.approx(1)
    assert tests.of("A", "D").value_p_value < 1e-6
    assert tests.of("A", "D").p_value < 1e-6
