from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG, Moments
from lurking._errors import GraphClassError, GraphError, ParameterError, UnknownVertexError
from lurking.graphs import equivalence_class
from lurking.sem import Identification, LinearSEM, causal_effects, effect_ranges, ricf
from lurking.simulate.parameters import draw_parameters

CHAIN = ADMG.parse("A -> B -> C -> D; B <-> D")
FRONT_DOOR = ADMG.parse("X -> M -> Y; X <-> Y")
NOT_ARID = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D; C <-> B", names=list("ABCD"))


def _population(model: LinearSEM, n: int = 1000) -> Moments:
    return Moments(model.implied_cov(), n, model.names)


def _sample(model: LinearSEM, n: int, seed: int) -> Moments:
    rows = np.random.default_rng(seed).standard_normal((n, len(model.names)))
    return Moments(np.cov((rows @ np.linalg.cholesky(model.implied_cov()).T).T, bias=True), n, model.names)


class TestGivenTheGraph:
    @pytest.mark.parametrize(
        "graph", [CHAIN, FRONT_DOOR, ADMG.parse("A -> B -> D; A -> C -> D; B <-> C; A <-> E -> D")]
    )
    def test_total_effects_are_what_an_intervention_does(self, graph: ADMG) -> None:
        """Simulate setting the cause to 0 and to 1, and compare the means of the effect."""
        model = draw_parameters(graph, random_state=1)
        effects = causal_effects(_population(model), graph)
        for cause in graph.names:
            high, low = (model.sample(40_000, random_state=2, do={cause: value}).mean() for value in (1.0, 0.0))
            for effect in graph.names:
                if effect == cause:
                    continue
                if effect in graph.descendants(cause):
                    # The same errors are drawn twice, so the difference has no sampling error at all.
                    assert effects.of(cause, effect).total == pytest.approx(high[effect] - low[effect], abs=1e-5)
                else:
                    assert high[effect] == pytest.approx(low[effect])
                    nothing = effects.of(cause, effect)
                    assert (nothing.total, nothing.total_error, nothing.direct, nothing.direct_error) == (0, 0, 0, 0)
                    assert nothing.interval() == (0, 0)
                    assert nothing.identified is not Identification.NOT_HERE
            with pytest.raises(ParameterError, match="on itself"):
                effects.of(cause, cause)

    def test_regression_on_the_adjustment_set_gives_the_same_effect(self) -> None:
        graph = ADMG.parse("Z -> X -> M -> Y <- Z; X <-> W -> Y")
        model = draw_parameters(graph, random_state=4)
        found = causal_effects(_population(model), graph).of("X", "Y")
        assert found.adjustment_set is not None
        rows = [graph.index(name) for name in ("X", *sorted(found.adjustment_set))]
        cov = model.implied_cov()
        slope = np.linalg.solve(cov[np.ix_(rows, rows)], cov[rows, graph.index("Y")])[0]
        assert found.total == pytest.approx(slope, abs=1e-6)

    def test_without_confounding_the_error_is_that_of_least_squares(self) -> None:
        model = draw_parameters(ADMG.parse("X -> Y"), random_state=0)
        moments = _sample(model, 200, seed=1)
        found = causal_effects(moments, model.admg).of("X", "Y")
        residual = moments.cov[1, 1] - moments.cov[0, 1] ** 2 / moments.cov[0, 0]
        assert found.total == found.direct == pytest.approx(moments.cov[0, 1] / moments.cov[0, 0])
        assert found.total_error == pytest.approx(np.sqrt(residual / moments.cov[0, 0] / 200))
        low, high = found.interval(0.9)
        assert high - low == pytest.approx(2 * 1.6448536 * found.total_error)

    def test_direct_effect_of_a_missing_edge_is_zero_without_error(self) -> None:
        found = causal_effects(_population(draw_parameters(CHAIN, random_state=0)), CHAIN).of("A", "D")
        assert found.direct == 0
        assert np.isnan(found.direct_error)
        assert found.total != 0

    def test_identification(self) -> None:
        arid = causal_effects(_population(draw_parameters(CHAIN, random_state=0)), CHAIN)
        assert {e.identified for e in arid} == {Identification.EVERYWHERE}
        other = causal_effects(_population(draw_parameters(NOT_ARID, random_state=0)), NOT_ARID)
        assert {e.identified for e in other} <= {Identification.ALMOST_EVERYWHERE, Identification.NOT_HERE}
        assert Identification.NOT_HERE.message.endswith("do not interpret it.")

    def test_an_effect_that_is_not_determined_is_said_to_be_so(self) -> None:
        """In C -> D -> B with A <-> D, A <-> B, A -> C, C <-> B and no A -> C effect, the coefficient D -> B is not."""
        directed = np.array(NOT_ARID.directed, dtype=float)
        coef = directed * 0.8
        coef[0, 2] = 0.0
        coef[2, 3] = 0.0
        error_cov = np.eye(4) + 0.3 * NOT_ARID.bidirected
        found = causal_effects(_population(LinearSEM(NOT_ARID, coef, error_cov)), NOT_ARID)
        for effect in found:
            assert (effect.identified is Identification.NOT_HERE) == np.isinf(effect.total_error)

    def test_ninety_five_per_cent_intervals_cover(self) -> None:
        """A small version of benchmarks/effects_coverage.py: 250 data sets, six effects in the chain."""
        model = draw_parameters(CHAIN, random_state=5)
        truth = model.total_effects()
        hits = []
        for seed in range(250):
            for effect in causal_effects(_sample(model, 1000, seed), CHAIN):
                low, high = effect.interval()
                hits.append(low <= truth[CHAIN.index(effect.cause), CHAIN.index(effect.effect)] <= high)
        assert len(hits) == 1500
        assert 0.92 < np.mean(hits) < 0.98

    def test_table(self) -> None:
        effects = causal_effects(_population(draw_parameters(FRONT_DOOR, random_state=0)), FRONT_DOOR)
        frame = effects.to_frame()
        assert frame["total"].tolist() == [e.total for e in effects]
        assert frame.set_index(["cause", "effect"])["adjust_for"].to_dict() == {
            ("X", "M"): "",
            ("X", "Y"): "none exists",
            ("M", "Y"): "X",
        }
        assert len(effects) == 3
        assert effects.fit.converged

    def test_errors(self) -> None:
        effects = causal_effects(_population(draw_parameters(FRONT_DOOR, random_state=0)), FRONT_DOOR)
        with pytest.raises(UnknownVertexError):
            effects.of("X", "Q")
        with pytest.raises(ParameterError, match=r"range \(0, 1\)"):
            effects.of("X", "Y").interval(95)
        with pytest.raises(GraphClassError, match="bow"):
            causal_effects(
                _population(draw_parameters(ADMG.parse("X -> Y"), random_state=0)), ADMG.parse("X -> Y; X <-> Y")
            )


class TestOverTheClass:
    @pytest.mark.parametrize(
        ("text", "n_members"), [("A -> B -> C; A -> C; C -> D; B <-> D", 3), ("A -> B -> C; A -> C; C -> D", 31)]
    )
    def test_ranges_are_those_of_fitting_every_member(self, text: str, n_members: int) -> None:
        graph = ADMG.parse(text)
        moments = _sample(draw_parameters(graph, random_state=3), 500, seed=3)
        ranges = effect_ranges(moments, graph)
        members = equivalence_class(graph).members
        assert ranges.n_graphs == len(members) == n_members
        fits = [ricf(moments, member) for member in members]
        best = max(fit.loglik for fit in fits)
        assert all(fit.loglik == pytest.approx(best, abs=1e-5) for fit in fits if fit.converged)
        totals = np.array([LinearSEM.from_fit(fit).total_effects() for fit in fits])
        assert ranges.low == pytest.approx(totals.min(axis=0), abs=1e-4)
        assert ranges.high == pytest.approx(totals.max(axis=0), abs=1e-4)
        causal = np.array([[[e in m.descendants(c) for e in m.names] for c in m.names] for m in members])
        off_diagonal = ~np.eye(4, dtype=bool)
        assert ranges.share_causal[off_diagonal] == pytest.approx(causal.mean(axis=0)[off_diagonal])

    def test_a_graph_alone_in_its_class_decides_everything(self) -> None:
        graph = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=list("ABCD"))
        moments = _sample(draw_parameters(graph, random_state=1), 800, seed=1)
        ranges = effect_ranges(moments, graph)
        for effect in causal_effects(moments, graph):
            found = ranges.of(effect.cause, effect.effect)
            assert found.decided
            assert found.share_causal == 1
            assert found.low == pytest.approx(effect.total, abs=1e-8)
            assert str(found).endswith("in all 1 equivalent graphs")
        assert ranges.of("B", "A").high == 0
        assert ranges.of("B", "A").share_causal == 0

    def test_verma_constraint_decides_more_than_the_pag(self) -> None:
        moments = _sample(draw_parameters(CHAIN, random_state=2), 800, seed=2)
        ranges = effect_ranges(moments, CHAIN)
        assert ranges.of("C", "D").decided
        assert not ranges.of("A", "B").decided
        assert ranges.of("A", "B").share_causal == 0.5
        assert 0 in (ranges.of("A", "B").low, ranges.of("A", "B").high)

    def test_column_order_and_units(self) -> None:
        moments = _sample(draw_parameters(CHAIN, random_state=2), 800, seed=2)
        scale = np.diag([1.0, 10.0, 0.1, -1.0])
        rescaled = Moments(scale @ moments.cov @ scale, 800, CHAIN.names).reorder(list("DCBA"))
        one, other = effect_ranges(moments, CHAIN).of("B", "D"), effect_ranges(rescaled, CHAIN).of("B", "D")
        assert other.high == pytest.approx(one.high * -1 / 10)

    def test_errors(self) -> None:
        moments = _sample(draw_parameters(CHAIN, random_state=2), 800, seed=2)
        with pytest.raises(UnknownVertexError):
            effect_ranges(moments, CHAIN).of("A", "Q")
        with pytest.raises(GraphError, match="limit"):
            effect_ranges(moments, CHAIN, limit=3)
