"""Effects of and on nominal variables: against the wide graph, in any coding, and against simulated interventions."""

from __future__ import annotations

from argparse import Namespace

import numpy as np
import pandas as pd
import pytest
from benchmarks.mixed.effects import KINDS, counted

import lurking
from lurking import ADMG, Moments
from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking.data import GroupedMoments, grouped_moments
from lurking.discovery import Analysis, EffectPosterior, dumps_result, loads_result
from lurking.graphs import Grouping
from lurking.report import effect_text, report_html
from lurking.search.posterior import weigh
from lurking.sem import causal_effects, effects_in_graphs, regression, ricf
from sem.grouped_data import mixed_moments, mixed_table

GRAPH = "A -> B -> C; A <-> C; C -> D"
MOMENTS = mixed_moments(GRAPH, {"B": 3, "D": 4}, n=800)
GRAPHS = ["A -> B -> C; A <-> C; C -> D", "A -> B; B -> C; C -> D; B <-> D", "B -> A; B -> C; D -> C"]


@pytest.mark.parametrize("text", GRAPHS)
def test_effects_are_those_of_the_wide_graph(text: str) -> None:
    graph = ADMG.parse(text, names=list("ABCD"))
    wide = MOMENTS.grouping.widened(graph)
    # where the graph fits exactly, expected and observed information agree
    exact = GroupedMoments(Moments(ricf(MOMENTS.columns, wide).implied_cov(), 800, wide.names), MOMENTS.grouping)
    of_wide = {(e.cause, e.effect): e for e in causal_effects(exact.columns, wide)}
    found = EffectPosterior.of(exact, weigh([(graph, 0.0)], 0.0))
    assert found.columns.grouping is not None
    for one in found.estimates():
        if one.effect not in wide.names:
            others = found.columns.grouping.columns[found.columns.variable_number(one.effect)]
            total = sum(of_wide[one.cause, o].total if (one.cause, o) in of_wide else 0.0 for o in others)
            assert one.mean == pytest.approx(-total, abs=1e-6)
            continue
        wanted = of_wide.get((one.cause, one.effect))
        assert one.mean == pytest.approx(0.0 if wanted is None else wanted.total, abs=1e-6)
        assert one.direct_mean == pytest.approx(0.0 if wanted is None else wanted.direct, abs=1e-6)
        if wanted is not None:
            low, high = wanted.interval()
            assert (one.low, one.high) == pytest.approx((low, high), abs=2e-4 * (1 + abs(high - low)))


def test_closed_form_and_fit_agree() -> None:
    graph = ADMG.parse("A -> B; C -> B; B -> D", names=list("ABCD"))
    wide = MOMENTS.grouping.widened(graph)
    by_fit, closed = (
        effects_in_graphs(MOMENTS.columns, [wide.directed], [wide.bidirected], blocks=blocks)
        for blocks in (False, True)
    )
    np.testing.assert_allclose(by_fit.total, closed.total, atol=1e-6)
    np.testing.assert_allclose(by_fit.total_error, closed.total_error, rtol=1e-3)


def test_one_column_each_gives_what_plain_moments_give() -> None:
    table = mixed_table("A -> B <-> C", {}, n=300)
    posterior = weigh([(ADMG.parse("A -> B <-> C"), 0.0), (ADMG.parse("A -> B -> C"), 1.0)], 0.0)
    plain = EffectPosterior.of(Moments.from_table(table), posterior)
    grouped = EffectPosterior.of(grouped_moments(table, []), posterior)
    assert plain.estimates() == grouped.estimates()
    assert plain.effect("A", "B").adjustment == grouped.effect("A", "B").adjustment


def test_the_reference_is_only_a_coding() -> None:
    table = mixed_table("A -> B -> C", {"B": 3}, n=800)
    posterior = weigh([(ADMG.parse("A -> B -> C"), 0.0)], 0.0)
    one = grouped_moments(table, ["B"])
    assert one.grouping.references == (None, "level 2", None)
    # the same table with the first level as the reference
    names = ("A", "B=level 2", "B=level 1", "C")
    change = np.eye(4)
    change[1] = [0.0, -1.0, -1.0, 0.0]  # level 2 is what levels 0 and 1 leave
    other = GroupedMoments(
        Moments(change @ one.columns.cov @ change.T, 800, names),
        Grouping(("A", "B", "C"), (("A",), names[1:3], ("C",)), (None, "level 0", None)),
    )
    assert one.columns.names == ("A", "B=level 0", "B=level 1", "C")
    first, second = (EffectPosterior.of(moments, posterior) for moments in (one, other))
    for name in ("B=level 0", "B=level 1", "B=level 2"):
        here, there = first.effect("A", name), second.effect("A", name)
        assert (here.mean, here.low, here.high) == pytest.approx((there.mean, there.low, there.high), abs=1e-9)
        assert here.is_share
        assert here.adjustment[0].estimate == pytest.approx(here.mean)
    forward, back = first.effect("B=level 0", "C"), second.effect("B=level 2", "C")
    assert (forward.mean, forward.low, forward.high) == pytest.approx((-back.mean, -back.high, -back.low))
    assert (forward.against, back.against) == ("level 2", "level 0")


def test_regressions_hold_all_levels_of_the_cause() -> None:
    moments = mixed_moments("A -> B -> C; A -> C", {"B": 3}, n=800)
    graph = ADMG.parse("A -> B -> C; A -> C")
    level, other = moments.grouping.columns[1]
    (choice,) = EffectPosterior.of(moments, weigh([(graph, 0.0)], 0.0)).effect(level, "C").adjustment
    assert choice.variables == ("A",)
    assert choice.estimate == regression(moments.columns, level, "C", ["A", other]).estimate


@pytest.fixture(scope="module")
def words() -> pd.DataFrame:
    return mixed_table(GRAPH, {"B": 3}, n=600).rename(columns={"B": "sex"})


@pytest.fixture(scope="module")
def answer(words: pd.DataFrame) -> Analysis:
    return lurking.discover(words, solver="exact", knowledge="A < sex < C < D")


def test_an_answer_has_the_effects_of_all_columns(words: pd.DataFrame, answer: Analysis) -> None:
    levels = words["sex"].value_counts().index.tolist()
    table = answer.effects
    pairs = set(zip(table["cause"], table["effect"], strict=True))
    assert ("A", "C") in pairs
    assert {("A", f"sex={level}") for level in levels} <= pairs
    assert {(f"sex={level}", "C") for level in levels[1:]} <= pairs
    assert (f"sex={levels[0]}", "C") not in pairs
    assert set(table.loc[table["cause"].str.startswith("sex"), "against"]) == {levels[0]}
    shares = table[(table["cause"] == "A") & table["is_share"]]
    assert shares["mean"].sum() == pytest.approx(0.0, abs=1e-6)
    assert "the share of sex=" in effect_text(answer, answer.effect("A", f"sex={levels[1]}")).replace("\n", " ")
    assert f"and not {levels[0]}" in " ".join(effect_text(answer, answer.effect(f"sex={levels[1]}", "C")).split())
    assert "Effect of sex=" in report_html(answer)
    assert "Effects of nominal" not in " ".join(answer.messages)


def test_nothing_is_lost_in_the_file(answer: Analysis) -> None:
    back = loads_result(dumps_result(answer))
    pd.testing.assert_frame_equal(back.effects, answer.effects)
    level = next(column for column in answer.moments.names if column.startswith("sex="))
    assert back.effect(level, "C").mean == pytest.approx(answer.effect(level, "C").mean)


def test_levels_are_set_by_their_names(words: pd.DataFrame, answer: Analysis) -> None:
    reference, one, _ = words["sex"].value_counts().index
    changes = answer.contrast({"sex": one}, {"sex": reference}).set_index("variable")
    assert changes.loc["C", "mean"] == pytest.approx(answer.effect(f"sex={one}", "C").mean, rel=0.1)
    assert "sex=level 0" not in changes.index
    both = answer.contrast({"A": 1.0}, {"A": 0.0}).set_index("variable")
    assert {f"sex={one}", "C"} <= set(both.index)
    rows = answer.predict(words.head(5), {"sex": one}, "C")
    same = (words["sex"].head(5) == one).to_numpy()
    np.testing.assert_allclose(rows["mean"][same], rows["observed"][same])
    assert (rows["mean"][~same] != rows["observed"][~same]).all()
    with pytest.raises(ParameterError, match="one of its levels"):
        answer.contrast({"sex": 1.0}, {"sex": reference})
    with pytest.raises(DataError, match="no level 'level 9'"):
        answer.predict(words.head(5).assign(sex="level 9"), {"sex": one}, "C")
    with pytest.raises(ParameterError, match="contrast"):
        answer.predict(words, {"A": 1.0}, "sex")


def test_errors_are_one_sentence(answer: Analysis) -> None:
    reference = answer.effect_columns.against("sex=level 0") or answer.effect_columns.against("sex=level 1")
    level = answer.effect_columns.causes[1]
    with pytest.raises(ParameterError, match="'sex' has levels; name one of them as the cause"):
        answer.effect("sex", "C")
    with pytest.raises(ParameterError, match="'sex' has levels; name one of them as the effect"):
        answer.effect("A", "sex")
    with pytest.raises(ParameterError, match="compared with"):
        answer.effect(f"sex={reference}", "C")
    with pytest.raises(ParameterError, match="two variables"):
        answer.effect(level, f"sex={reference}")
    with pytest.raises(UnknownVertexError, match="sexx"):
        answer.effect("A", "sexx")


def test_intervals_hold_what_simulated_interventions_change() -> None:
    found = counted(Namespace(datasets=15, rows=1000, searched=0))
    kinds = {kind: [one[0] for (*_, what), rows in found.items() if what == kind for one in rows] for kind in KINDS}
    for kind, inside in kinds.items():
        assert len(inside) > 100
        assert 0.88 < np.mean(inside) < 0.99, kind
    assert 0.92 < np.mean([one for inside in kinds.values() for one in inside]) < 0.97
