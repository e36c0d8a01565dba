"""Effects after a search: against a slow mixture, in all units, with all that a search can be told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import lurking
from lurking import ADMG, ADMGDiscovery, Knowledge, Moments, simulate_admg
from lurking._errors import ParameterError, UnknownVertexError
from lurking.discovery import Analysis, EffectPosterior, analyse, dumps_result, loads_result
from lurking.discovery import effects as effects_module
from lurking.report import effect_text, report_html
from lurking.search.posterior import Posterior, weigh
from lurking.sem import causal_effects, regression

TRUTH = ADMG.parse("A -> B -> C -> D; B <-> D", names=list("ABCD"))
GRAPHS = [
    (TRUTH, 0.0),
    (ADMG.parse("A -> B -> C -> D; A -> D", names=list("ABCD")), 1.0),
    (ADMG.parse("A <-> B; B -> C -> D; B <-> D", names=list("ABCD")), 0.5),
    (ADMG.parse("A <- B <- C; D", names=list("ABCD")), 3.0),
]


@pytest.fixture(scope="module")
def moments() -> Moments:
    return Moments.from_table(simulate_admg(TRUTH, 150, random_state=5).data)


@pytest.fixture(scope="module")
def posterior() -> Posterior:
    return weigh(GRAPHS, 0.0)


@pytest.fixture(scope="module")
def answer() -> Analysis:
    return lurking.discover(simulate_admg(TRUTH, 800, random_state=2).data, random_state=0)


def test_the_mixture_is_that_of_draws_from_each_graph(moments: Moments, posterior: Posterior) -> None:
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(posterior.shares), 200_000, p=posterior.shares)
    of_graph = [causal_effects(moments, graph) for graph in posterior.graphs]
    effects = EffectPosterior.of(moments, posterior)
    for cause, effect in (("A", "D"), ("A", "B"), ("B", "D"), ("D", "A")):
        each = [found.of(cause, effect) for found in of_graph]
        draws = rng.normal(np.array([e.total for e in each])[chosen], np.array([e.total_error for e in each])[chosen])
        found = effects.effect(cause, effect)
        assert found.probability == pytest.approx(np.mean(draws != 0.0), abs=0.005)
        wanted = np.quantile(draws, [0.025, 0.25, 0.5, 0.75, 0.975])
        said = [found.low, found.low_50, found.median, found.high_50, found.high]
        np.testing.assert_allclose(said, wanted, atol=0.02)
        assert found.mean == pytest.approx(draws.mean(), abs=0.005)
        if found.mean_if_cause is not None:
            assert found.mean_if_cause == pytest.approx(draws[draws != 0.0].mean(), abs=0.005)
            ends = np.quantile(draws[draws != 0.0], [0.025, 0.975])
            assert (found.low_if_cause, found.high_if_cause) == pytest.approx(tuple(ends), abs=0.02)


def test_a_probability_that_is_known_better_sets_the_mass_at_zero(moments: Moments, posterior: Posterior) -> None:
    causes = np.full((4, 4), 0.4)
    found = EffectPosterior.of(moments, posterior, causes).effect("A", "B")
    plain = EffectPosterior.of(moments, posterior).effect("A", "B")
    assert (found.probability, found.distribution.at_zero) == pytest.approx((0.4, 0.6))
    assert found.median == 0.0
    assert found.mean_if_cause == pytest.approx(plain.mean_if_cause)
    assert found.mean == pytest.approx(0.4 * plain.mean / plain.probability)


def test_the_distribution_says_what_the_row_says(moments: Moments, posterior: Posterior) -> None:
    found = EffectPosterior.of(moments, posterior).effect("A", "D")
    row = [found.low, found.low_50, found.median, found.high_50, found.high]
    np.testing.assert_allclose(found.distribution.quantiles([0.025, 0.25, 0.5, 0.75, 0.975]), row, atol=1e-9)
    grid = np.linspace(-3, 3, 20_001)
    assert np.trapezoid(found.distribution.density(grid), grid) == pytest.approx(found.probability, abs=1e-4)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        found.distribution.quantiles([1.0])


def test_units_and_order_of_the_variables_do_not_matter(moments: Moments, posterior: Posterior) -> None:
    plain = {(e.cause, e.effect): e for e in EffectPosterior.of(moments, posterior).estimates()}
    factors = np.array([10.0, 1.0, -0.5, 3.0])
    other = moments.subset(["C", "A", "D", "B"])
    scale = dict(zip("ABCD", factors, strict=True))
    by = np.array([scale[name] for name in other.names])
    scaled = Moments(other.cov * np.outer(by, by), other.n_samples, other.names)
    for found in EffectPosterior.of(scaled, posterior).estimates():
        one, factor = plain[found.cause, found.effect], scale[found.effect] / scale[found.cause]
        assert found.probability == pytest.approx(one.probability)
        assert found.mean == pytest.approx(one.mean * factor)
        ends = (one.low * factor, one.high * factor)
        assert (found.low, found.high) == pytest.approx((min(ends), max(ends)), abs=1e-9)


def test_per_standard_deviation(moments: Moments, posterior: Posterior) -> None:
    found = EffectPosterior.of(moments, posterior).effect("B", "D")
    scaled = found.per_deviation()
    deviations = np.sqrt(np.diag(moments.cov))
    factor = deviations[1] / deviations[3]
    assert (scaled.mean, scaled.low, scaled.direct_high) == pytest.approx(
        (found.mean * factor, found.low * factor, found.direct_high * factor)
    )
    assert scaled.adjustment[0].low == pytest.approx(found.adjustment[0].low * factor)
    assert scaled.distribution.quantiles([0.5])[0] == pytest.approx(found.median * factor)
    assert scaled.per_deviation() is scaled


def test_graphs_that_do_not_determine_an_effect_are_left_out_and_counted(moments: Moments) -> None:
    posterior = weigh(GRAPHS[:2], 0.0)
    effects = EffectPosterior.of(moments, posterior)
    total_error = effects.in_graphs.total_error.copy()
    total_error[0, 0, 3] = np.inf
    changed = replace(effects, in_graphs=replace(effects.in_graphs, total_error=total_error))
    found = changed.effect("A", "D")
    alone = causal_effects(moments, posterior.graphs[1]).of("A", "D")
    assert found.undetermined == pytest.approx(posterior.shares[0])
    assert (found.mean, found.low, found.high) == pytest.approx((alone.total, *alone.interval()), rel=1e-3)
    assert found.probability == 1.0


def test_adjustment_sets_have_the_share_of_the_graphs_in_which_they_are_valid(moments: Moments) -> None:
    direct = ADMG.parse("A -> B -> C -> D; A -> C; A -> D", names=list("ABCD"))
    posterior = weigh([(TRUTH, 0.0), (direct, 1.0)], 0.0)
    one, other = EffectPosterior.of(moments, posterior).effect("C", "D").adjustment
    assert (one.variables, other.variables) == (("B",), ("A",))  # B <-> D in the first
    assert (one.share, other.share) == pytest.approx(tuple(posterior.shares))
    wanted = regression(moments, "C", "D", ["B"])
    assert (one.estimate, one.standard_error) == (wanted.estimate, wanted.standard_error)
    assert EffectPosterior.of(moments, weigh(GRAPHS[:1], 0.0)).effect("B", "D").adjustment == ()


def test_an_answer_has_all_ordered_pairs(answer: Analysis) -> None:
    table = answer.effects
    assert table.columns.tolist()[:6] == ["cause", "effect", "probability", "mean", "low", "high"]
    assert sorted(zip(table["cause"], table["effect"], strict=True)) == [
        (a, b) for a in "ABCD" for b in "ABCD" if a != b
    ]
    assert (table["low"] <= table["low_50"]).all()
    assert (table["low_50"] <= table["high_50"]).all()
    assert (table["high_50"] <= table["high"]).all()
    assert (table["direct_probability"] <= table["probability"] + 1e-9).all()
    assert table["probability"].round(2).is_monotonic_decreasing
    causes = {(s.first, s.second): s.probability for s in answer.statement_list if s.kind == "causes"}
    for row in answer.effect_list:
        assert causes.get((row.cause, row.effect), row.probability) == row.probability
        one = answer.effect(row.cause, row.effect)
        assert (one.mean, one.low, one.high) == pytest.approx((row.mean, row.low, row.high), abs=1e-9)


def test_nothing_is_lost_in_the_file(answer: Analysis) -> None:
    back = loads_result(dumps_result(answer))
    pd.testing.assert_frame_equal(back.effects, answer.effects)
    one, other = back.effect("B", "C"), answer.effect("B", "C")
    assert (one.mean, one.adjustment, one.n_graphs) == (other.mean, other.adjustment, other.n_graphs)


def test_what_is_known_beforehand_is_in_the_effects() -> None:
    data = simulate_admg(ADMG.parse("A -> B -> C"), 500, random_state=1).data
    known = lurking.discover(data, knowledge="C < B < A", solver="exact")
    assert known.effect("A", "B").probability == 0.0
    assert (known.effect("A", "B").low, known.effect("A", "B").high) == (0.0, 0.0)
    required = lurking.discover(data, knowledge=Knowledge(required=("A -> B",)), solver="exact")
    assert required.effect("A", "B").probability == 1.0


def test_missing_values_widen_the_interval() -> None:
    data = simulate_admg(ADMG.parse("A -> B"), 600, random_state=1).data
    holes = data.mask(np.random.default_rng(0).random(data.shape) < 0.4)
    known = Knowledge(required=("A -> B",))
    complete = lurking.discover(data, knowledge=known, solver="exact").effect("A", "B")
    holed = lurking.discover(holes, knowledge=known, solver="exact", missing="drop").effect("A", "B")
    assert holed.high - holed.low > 1.2 * (complete.high - complete.low)


def test_each_solver_leaves_effects() -> None:
    data = simulate_admg(ADMG.parse("A -> B -> C"), 300, random_state=1).data
    for solver in ("exact", "dcd", "hybrid"):
        model = ADMGDiscovery(solver=solver, n_restarts=2, random_state=0).fit(data)
        assert len(analyse(model).effects) == 6, solver


def test_of_many_variables_only_what_is_not_improbable_is_listed(
    moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    effects = EffectPosterior.of(moments, weigh(GRAPHS, 0.0))
    monkeypatch.setattr(effects_module, "MOST_LISTED", 11)
    listed = effects.estimates()
    assert 0 < len(listed) < 12
    assert min(one.probability for one in listed) >= 0.05
    assert effects.effect("D", "C").probability == 0.0


def test_errors_are_one_sentence(answer: Analysis, moments: Moments) -> None:
    with pytest.raises(UnknownVertexError, match="'E'"):
        answer.effect("A", "E")
    with pytest.raises(ParameterError, match="name two variables"):
        answer.effect("A", "A")
    given = analyse((moments, TRUTH))
    assert given.effects.empty
    assert given.effects.columns.tolist() == answer.effects.columns.tolist()
    with pytest.raises(ParameterError, match="causal_effects"):
        given.effect("A", "B")


def test_an_effect_that_no_graph_determines_has_no_number(moments: Moments, answer: Analysis) -> None:
    effects = EffectPosterior.of(moments, weigh(GRAPHS, 0.0))
    total_error = np.where(effects.in_graphs.total_error > 0.0, np.inf, 0.0)
    changed = replace(effects, in_graphs=replace(effects.in_graphs, total_error=total_error))
    found = changed.effect("A", "D")
    assert np.isnan([found.mean, found.low, found.high, found.median]).all()
    assert (found.mean_if_cause, found.probability) == (None, effects.effect("A", "D").probability)
    assert found.distribution.at_zero == pytest.approx(1.0 - found.probability)
    assert np.isnan(found.distribution.quantiles([0.5])).all()
    assert "No graph in which A is a cause of D determines the effect" in " ".join(effect_text(answer, found).split())
    written = replace(answer, effect_list=changed.estimates())
    back = loads_result(dumps_result(written))
    pd.testing.assert_frame_equal(back.effects, written.effects)
    assert 'id="effects"' not in report_html(written)
