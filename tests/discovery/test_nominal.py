"""Nominal columns from the table to the answer: estimates, edges, tests, files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import lurking
from lurking import ADMG, ADMGDiscovery
from lurking._errors import DataError, ParameterError
from lurking.data import GroupedMoments, grouped_moments
from lurking.discovery import Analysis, bootstrap
from lurking.discovery.analyse import analyse
from lurking.discovery.result_file import dumps_result, loads_result
from lurking.sem import implied_tests, ricf, standard_errors, wide_fit
from sem.grouped_data import mixed_moments, mixed_table

GRAPH = "A -> B -> C; A <-> C; C -> D"
MOMENTS = mixed_moments(GRAPH, {"B": 3, "D": 4}, n=800)


@pytest.fixture(scope="module")
def answer() -> Analysis:
    return lurking.discover(MOMENTS, random_state=0, n_restarts=2)


def test_the_answer_speaks_of_variables(answer: Analysis) -> None:
    names = set("ABCD")
    assert answer.names == answer.admg.names == answer.pag.names == tuple("ABCD")
    assert set(answer.statements["first"]) | set(answer.statements["second"]) <= names
    assert len(answer.edges) == answer.admg.n_edges
    assert "level" not in str(answer)


def test_an_edge_has_its_parameters_and_two_numbers_for_all(answer: Analysis) -> None:
    wide = MOMENTS.grouping.widened(answer.admg)
    fit, errors = ricf(MOMENTS.columns, wide), standard_errors(MOMENTS.columns, ricf(MOMENTS.columns, wide))
    nominal = [edge for edge in answer.edge_estimates if edge.by_column]
    assert nominal
    for edge in nominal:
        matrix = fit.coef if edge.kind == "directed" else fit.error_cov
        precision = errors.coef if edge.kind == "directed" else errors.error_cov
        for part in edge.by_column:
            i, j = wide.index(part.one), wide.index(part.other)
            assert part.estimate == pytest.approx(matrix[i, j])
            assert part.standard_error == pytest.approx(precision[i, j])
        sizes = dict(zip(MOMENTS.names, MOMENTS.sizes, strict=True))
        assert edge.df == len(edge.by_column) == sizes[edge.one] * sizes[edge.other]
        assert edge.estimate is None
        assert edge.standardized is not None
        assert 0 < edge.standardized < 1.5


def test_strength_and_chi_square_do_not_depend_on_the_reference() -> None:
    table = mixed_table(GRAPH, {"B": 3, "D": 4}, n=800)
    seen = []
    for levels in (["level 0", "level 1", "level 2"], ["level 2", "level 1", "level 0"]):
        recoded = table.assign(B=pd.Categorical(table["B"], categories=levels))
        moments = grouped_moments(recoded, ["B", "D"])
        if levels[0] == "level 2":  # another reference: an equivalent set of columns
            cov = moments.columns.cov.copy()
            transform = np.eye(len(cov))
            transform[1, 1:3] = 1.0
            moments = type(moments)(
                lurking.Moments(transform @ cov @ transform.T, 800, moments.columns.names), moments.grouping
            )
        about = analyse((moments, ADMG.parse("A -> B; B -> C; C -> D")))
        seen.append([(e.standardized, e.chi_square, e.removal_cost) for e in about.edge_estimates])
    np.testing.assert_allclose(np.array(seen[0], dtype=float), np.array(seen[1], dtype=float), rtol=1e-4)


def test_one_column_each_gives_what_plain_moments_give() -> None:
    table = mixed_table("A -> B <-> C", {}, n=300)
    admg = ADMG.parse("A -> B <-> C")
    plain = analyse((lurking.Moments.from_table(table), admg))
    grouped = analyse((grouped_moments(table, []), admg))
    costs = [edge.removal_cost for edge in plain.edge_estimates]
    assert [edge.removal_cost for edge in grouped.edge_estimates] == pytest.approx(costs, abs=1e-6)
    without_costs = [[replace(e, removal_cost=None) for e in one.edge_estimates] for one in (plain, grouped)]
    assert without_costs[0] == without_costs[1]


def test_implied_constraints_are_tested_with_all_their_parameters() -> None:
    admg = ADMG.parse("A -> B; B -> C; C -> D")
    tests = {(test.one, test.other): test for test in implied_tests(MOMENTS, admg)}
    assert {pair: test.df for pair, test in tests.items()} == {("A", "C"): 1, ("A", "D"): 3, ("B", "D"): 6}
    larger = ADMG.parse("A -> B; B -> C; C -> D; B -> D")
    expected = 2.0 * (wide_fit(MOMENTS, larger).loglik - wide_fit(MOMENTS, admg).loglik)
    assert tests["B", "D"].chi_square == pytest.approx(expected, rel=1e-6)


def test_null_p_values_of_constraints_are_uniform() -> None:
    rng = np.random.default_rng(0)
    small = 0
    for _ in range(100):
        a, b = (rng.choice(list("pqr"), 300) for _ in range(2))
        moments = grouped_moments(pd.DataFrame({"a": a, "b": b, "x": rng.normal(size=300)}), ["a", "b"])
        small += next(iter(implied_tests(moments, ADMG.parse("a; b; x")))).p_value < 0.1
    assert 3 <= small <= 20


def test_result_file_gives_everything_back(answer: Analysis) -> None:
    text = dumps_result(answer)
    back = loads_result(text)
    assert dumps_result(back) == text
    assert (back.admg, back.names, back.grouping) == (answer.admg, answer.names, answer.grouping)
    np.testing.assert_array_equal(back.fit.coef, answer.fit.coef)
    np.testing.assert_array_equal(back.fit.error_cov, answer.fit.error_cov)
    assert back.edge_estimates == answer.edge_estimates
    assert back.moments == answer.moments


def test_page_and_terminal_show_an_edge_once(answer: Analysis, tmp_path) -> None:  # type: ignore[no-untyped-def]
    page = answer.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Strength" in page
    picture = page.split("<svg", 1)[1].split("</svg>", 1)[0]
    assert ">B<" in picture
    assert "B=level" not in picture
    assert "B=level" in page  # among the effects


def test_the_estimator_keeps_columns_apart_from_variables() -> None:
    model = ADMGDiscovery(solver="exact").fit(MOMENTS)
    assert model.admg_.names == tuple(model.feature_names_in_) == tuple("ABCD")
    assert model.coef_.shape == (7, 7)
    assert model.score(MOMENTS) == pytest.approx(model.loglik_ / 800)


def test_bootstrap_draws_from_the_moments() -> None:
    result = bootstrap({"solver": "exact"}, MOMENTS, n_replicates=2, random_state=0)
    assert result.majority.names == tuple("ABCD")
    assert analyse(result).names == tuple("ABCD")


@pytest.mark.parametrize("settings", [{"solver": "dcd"}, {"noise_scale": "similar"}])
def test_what_has_no_meaning_is_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match="nominal"):
        ADMGDiscovery(**settings).fit(MOMENTS)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def words() -> pd.DataFrame:
    """Return a table of words and numbers with missing values and a column that others determine."""
    table = mixed_table(GRAPH, {"B": 3}, n=300).rename(columns={"B": "sex"})
    rng = np.random.default_rng(1)
    table["sum"] = table["A"] + table["C"]
    for name in ("sex", "C"):
        table[name] = table[name].where(rng.random(300) > 0.05)
    return table


def test_a_column_of_words_is_one_variable(words: pd.DataFrame) -> None:
    model = ADMGDiscovery(solver="exact", kinds="auto", missing="auto", collinear="drop")
    model.fit(words)
    assert isinstance(model.moments_, GroupedMoments)
    assert set(model.moments_.names) == {"A", "sex", "C", "D"}
    assert dict(zip(model.moments_.names, model.moments_.sizes, strict=True))["sex"] == 2
    assert model.effective_rows_ is not None
    assert model.n_counted_ == model.effective_rows_.effective
    found = {finding.kind: finding.message for finding in model.audit_}
    assert found["nominal"] == "'sex' (level 2, level 0, level 1) is one variable of 2 columns."
    assert {"missing", "collinear columns"} <= set(found)
    assert not any("=" in column for finding in model.audit_ for column in finding.columns)


def test_knowledge_and_bootstrap_of_a_table_with_words(words: pd.DataFrame) -> None:
    answer = lurking.discover(words, knowledge="sex < *", solver="exact", n_replicates=2)
    assert answer.grouping is not None
    assert answer.n_replicates == 2
    assert not any(edge.other == "sex" for edge in answer.edge_estimates if edge.kind == "directed")
    assert {name for pair in answer.bootstrap for name in (pair.one, pair.other)} <= set(answer.names)


def test_a_table_of_nothing_but_words(words: pd.DataFrame) -> None:
    rng = np.random.default_rng(2)
    sex = words["sex"].fillna("level 0")
    noisy = np.where(rng.random(300) < 0.8, sex, "level 1")
    table = pd.DataFrame({"sex": sex, "noisy": noisy, "other": rng.permutation(sex)})
    answer = lurking.discover(table, solver="exact")
    assert answer.admg.skeleton[answer.names.index("sex"), answer.names.index("noisy")]
    assert set(answer.effects["cause"].str.partition("=")[0]) == {"sex", "noisy", "other"}


@pytest.mark.parametrize("settings", [{"margins": "latent"}, {"noise_scale": "similar"}, {"solver": "dcd"}])
def test_where_they_have_no_meaning_columns_of_words_are_left_out(
    words: pd.DataFrame, settings: dict[str, str]
) -> None:
    model = ADMGDiscovery(kinds="auto", missing="auto", collinear="drop", **settings)  # type: ignore[arg-type]
    data = model.prepare(words)
    assert "sex" in data.left_out
    assert any("levels have no order" in note.message for note in data.notes)


def test_new_rows_with_words_are_scored(words: pd.DataFrame) -> None:
    table = words.assign(ill=np.where(words["A"] > 0, "yes", "no"))
    model = ADMGDiscovery(solver="exact", kinds="auto", missing="drop").fit(table[["A", "sex", "ill", "D"]])
    complete = table[["A", "sex", "ill", "D"]].dropna()
    assert model.score(complete) == pytest.approx(model.loglik_ / len(complete))
    assert model.score(table) == pytest.approx(model.score(complete))  # other columns, incomplete rows
    ones = complete[complete["ill"] == "yes"]
    shuffled = complete.sample(frac=1.0, random_state=0)[["D", "ill", "sex", "A"]]
    assert model.score(shuffled) == pytest.approx(model.score(complete))
    assert np.isfinite(model.score(ones))  # yes is still 1
    with pytest.raises(DataError, match="'sex' has no level 'level 9'"):
        model.score(complete.assign(sex="level 9"))
    with pytest.raises(DataError, match="no column 'ill'"):
        model.score(complete[["A", "sex", "D"]])
    with pytest.raises(DataError, match="'D' holds text"):
        model.score(complete.assign(D="much"))


def test_what_is_said_of_levels_is_about_variables_that_stay() -> None:
    rng = np.random.default_rng(3)
    one = rng.choice(["p", "q"], 200)
    table = pd.DataFrame({"x": rng.normal(size=200), "one": one, "two": np.where(one == "p", "u", "v")})
    table.loc[:4, ["one", "two"]] = [["r", "w"]] * 5
    data = ADMGDiscovery(kinds="auto", collinear="drop").prepare(table)
    assert data.moments.names == ("x", "one")
    said = " ".join(note.message for note in data.notes if note.kind in ("nominal", "coded"))
    assert "'one'" in said
    assert "'two'" not in said
    assert [note.columns for note in data.notes if note.kind == "collinear columns"] == [("two",)]


def test_the_answer_says_what_could_have_been_seen(answer: Analysis) -> None:
    (said,) = (finding.message for finding in answer.findings if finding.kind == "smallest strength")
    assert said.startswith("An edge between 'D' and 'B' has 6 parameters")
    wide = float(said.split("strength of ")[1].split(" ")[0])
    narrow = float(said.split("numbers, from ")[1].split(" ")[0])
    assert 0.07 < narrow < 0.15
    assert narrow < wide < 0.4


def test_a_strength_above_that_is_seen() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        group = rng.choice(list("pqrst"), 1000)
        x = rng.normal(size=1000) + 0.6 * ((group == "p") - 1.0 * (group == "q"))
        table = pd.DataFrame({"group": group, "x": x, "y": rng.normal(size=1000)})
        answer = lurking.discover(table, solver="exact")
        (said,) = (finding.message for finding in answer.findings if finding.kind == "smallest strength")
        (edge,) = (one for one in answer.edge_estimates if "group" in (one.one, one.other))
        assert edge.standardized is not None
        assert edge.standardized > float(said.split("strength of ")[1].split(" ")[0])
