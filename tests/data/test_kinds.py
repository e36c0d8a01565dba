"""What kind each column is, and what becomes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking._errors import ParameterError, UnknownVertexError
from lurking.data.indicators import OTHER, indicators
from lurking.data.kinds import numbers_by_kind
from lurking.data.levels import binary_levels, natural_order
from lurking.data.prepare import prepare

N = 60
RNG = np.random.default_rng(0)

COLUMNS: dict[str, tuple[Any, str, bool]] = {
    "weight": (RNG.normal(size=N), "continuous", True),
    "visits": (np.arange(N) ** 2 % 37, "count", True),
    "balance": (np.arange(N) * 3 - 50, "continuous", True),
    "stars": (np.arange(N) % 5 + 1, "ordinal", True),
    "treated": (np.arange(N) % 2, "binary", True),
    "flag": (np.arange(N) % 2 == 0, "binary", True),
    "answer": (["yes", "no"] * (N // 2), "binary", True),
    "colour": (["red", "green", "blue"] * (N // 3), "nominal", False),
    "row": (np.arange(1, N + 1), "identifier", False),
    "patient_id": (RNG.permutation(N) + 1000, "identifier", False),
    "code": ([f"P{k:03}" for k in range(N)], "identifier", False),
    "day": (np.arange(1, N + 1), "count", True),
    "when": ([f"2021-03-{k % 28 + 1:02}" for k in range(N)], "date", False),
    "time": (pd.date_range("2021", periods=N), "date", False),
    "year": ([2012] * N, "constant", False),
    "nothing": ([None] * N, "constant", False),
    "remark": ([f"was seen {k} times" for k in range(N)], "free text", False),
    "mostly numbers": ([str(k / 7) for k in range(N - 1)] + ["oops"], "free text", False),
    "dose": ([f"{k / 7:.2f} mg" for k in range(N)], "continuous", True),
    "share": ([f"{k}%" for k in range(N)], "continuous", True),
    "starred": ([str(k / 7) if k % 7 else "*" for k in range(N)], "continuous", True),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_each_kind_is_told(name: str) -> None:
    values, kind, used = COLUMNS[name]
    found = numbers_by_kind(pd.DataFrame({name: values, "other": RNG.normal(size=N)}))
    report = found.reports[0]
    assert (report.kind, report.used) == (kind, used)
    assert (name in found.names) == used


def test_every_column_that_is_left_out_is_in_a_sentence() -> None:
    found = numbers_by_kind(pd.DataFrame({name: values for name, (values, _, _) in COLUMNS.items()}))
    said = {name for note in found.notes for name in note.columns if note.kind in ("left out", "no variable")}
    assert said == {report.name for report in found.reports if not report.used}
    for note in found.notes:
        assert note.message.endswith(".")
        assert note.advice.endswith(".")


@pytest.mark.parametrize("value", [-999, -99, 9999])
def test_a_value_that_may_stand_for_a_missing_one_is_offered_not_taken(value: int) -> None:
    values = np.where(np.arange(N) % 9 == 0, value, RNG.integers(0, 40, size=N))
    found = numbers_by_kind(pd.DataFrame({"x": values, "y": RNG.integers(0, 40, size=N)}))
    (note,) = found.notes
    assert (note.kind, note.columns) == ("sentinel", ("x",))
    assert f"say na=['{value}']" in note.advice
    np.testing.assert_array_equal(found.columns[0], values)


def test_words_become_numbers() -> None:
    table = pd.DataFrame({"ill": ["no", "yes", None] * 20, "dose": ["1.5 kg", "2 kg", "4 kg"] * 20})
    found = numbers_by_kind(table)
    np.testing.assert_array_equal(found.columns[0][:3], [0.0, 1.0, np.nan])
    np.testing.assert_array_equal(found.columns[1][:3], [1.5, 2.0, 4.0])
    assert found.reports[0].remark == "'yes' is 1, 'no' is 0"
    assert found.reports[0].n_missing == 20


def test_equal_columns_leave_one_whatever_their_order() -> None:
    values = RNG.normal(size=N)
    table = pd.DataFrame({"b": values, "a": values, "c": RNG.normal(size=N)})
    for columns in (["b", "a", "c"], ["a", "c", "b"]):
        found = numbers_by_kind(table[columns])
        assert set(found.names) == {"a", "c"}
        (note,) = found.notes
        assert note.columns == ("b",)


TOLD: list[tuple[Any, Any, Any]] = [
    (["low", "high", "medium"] * 20, "ordinal", [0.0, 2.0, 1.0]),
    (["b", "a", "c"] * 20, "c<a<b", [2.0, 1.0, 0.0]),
    (["b", "a", "c"] * 20, ["c", "a", "b"], [2.0, 1.0, 0.0]),
    (["2021-01-01", "2021-01-03", "2021-01-02"] * 20, "continuous", [18628.0, 18630.0, 18629.0]),
    ([3, 1, 2] * 20, "continuous", [3.0, 1.0, 2.0]),
    (list(range(60)), "count", [0.0, 1.0, 2.0]),
    (["grade 1", "grade 3", "grade 2"] * 20, "continuous", [1.0, 3.0, 2.0]),
    ([1, 2, 3] * 20, "3<1<2", [1.0, 2.0, 0.0]),
    (["x", "y", "x"] * 20, "binary", [0.0, 1.0, 0.0]),
]


@pytest.mark.parametrize(("values", "kind", "first"), TOLD)
def test_what_the_user_says(values: list[Any], kind: Any, first: list[float]) -> None:
    found = numbers_by_kind(pd.DataFrame({"x": values}), {"x": kind})
    np.testing.assert_array_equal(found.columns[0][:3], first)
    assert found.reports[0].told


@pytest.mark.parametrize("kind", ["identifier", "free text", "constant", "nominal", "date"])
def test_a_column_that_the_user_takes_out(kind: str) -> None:
    found = numbers_by_kind(pd.DataFrame({"x": [1, 2, 3] * 20}), {"x": kind})
    assert (found.names, found.reports[0].kind, found.reports[0].used) == ((), kind, False)


@pytest.mark.parametrize(
    ("values", "kind", "words"),
    [
        (["red", "blue", "green"] * 20, "ordinal", "have no order that is known here; write all of them"),
        (["red", "blue", "green"] * 20, "red<blue", "lacks its level 'green'"),
        (["red", "blue", "green"] * 20, "continuous", "cannot be made numbers, because it holds 'red'"),
        (["red", "blue", "green"] * 20, "binary", "3 different values, not two"),
        ([1, 2, 3] * 20, "numbr", "must be one of continuous, count"),
        ([1, 2, 3] * 20, 7, "must be a word or a list"),
    ],
)
def test_what_cannot_be(values: list[Any], kind: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        numbers_by_kind(pd.DataFrame({"x": values}), {"x": kind})
    with pytest.raises(UnknownVertexError, match="did you mean 'x'"):
        numbers_by_kind(pd.DataFrame({"x": values}), {"xx": "count"})


@given(st.permutations(["very low", "low", "medium", "high", "very high"]), st.integers(2, 5))
def test_well_known_scales(levels: list[str], k: int) -> None:
    expected = [level for level in ("very low", "low", "medium", "high", "very high") if level in levels[:k]]
    assert natural_order(levels[:k]) == tuple(expected)


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        (["yes", "no"], ("no", "yes")),
        (["not-fire", "fire"], ("not-fire", "fire")),
        (["uninsured", "insured"], ("uninsured", "insured")),
        (["+", "-"], ("-", "+")),
        (["t", "f"], ("f", "t")),
        (["tall", "short"], ("short", "tall")),
        (["b", "a"], ("a", "b")),
    ],
)
def test_which_of_two_is_one(levels: list[str], expected: tuple[str, str]) -> None:
    assert binary_levels(levels) == binary_levels(levels[::-1]) == expected


@given(st.lists(st.sampled_from("abcdef") | st.none(), min_size=30, max_size=80))
def test_indicators_against_the_definition(texts: list[str | None]) -> None:
    there = [text for text in texts if text is not None]
    if not there:
        return
    group, columns = indicators("x", np.array(texts, dtype=object))
    rare = set(there) - set(group.levels)
    for text, row in zip(texts, columns.tolist(), strict=True):
        if text is None:
            assert np.isnan(row).all()
            continue
        level = text if text not in rare else next(level for level in group.levels if level not in set(there) - rare)
        assert row == [float(level == other) for other in group.levels[1:]]
    assert group.reference == group.levels[0]
    assert len(group.columns) == len(group.levels) - 1 == columns.shape[1]
    if OTHER in group.levels:
        assert sum(text in rare for text in there) >= 10 or len(group.levels) <= 2


def test_a_nominal_column_can_become_a_group() -> None:
    table = pd.DataFrame({"colour": ["red", "green", "blue", "red"] * 30, "dose": RNG.normal(size=120)})
    found = numbers_by_kind(table, as_indicators=True)
    assert found.names == ("colour=blue", "colour=green", "dose")
    assert [group.vertex for group in found.groups] == ["colour", "dose"]
    assert found.groups[0].reference == "red"
    assert found.reports[0].used


def test_groups_go_through_missing_values_and_collinear_columns() -> None:
    colour = pd.Series(["red", "green", "blue", "red", None] * 30)
    table = pd.DataFrame({"colour": colour, "dose": RNG.normal(size=150), "is red": (colour == "red").astype(float)})
    table.loc[colour.isna(), "is red"] = np.nan
    data = prepare(table, "auto", kinds="auto", collinear="drop", nominal="indicators")
    assert [group.vertex for group in data.groups] == ["colour", "dose", "is red"] or len(data.left_out) == 1
    assert {name for group in data.groups for name in group.columns} == set(data.columns.names)
    assert data.missing == "em"
    left = prepare(table, "auto", kinds="auto", collinear="drop")
    assert "colour" in left.left_out


def test_a_nominal_column_without_two_common_levels_is_left_out_with_a_sentence() -> None:
    found = numbers_by_kind(
        pd.DataFrame({"x": ["a"] * 8 + ["b"] * 4 + ["c"] * 4, "y": RNG.normal(size=16)}), as_indicators=True
    )
    assert found.names == ("y",)
    assert found.notes[0].message.startswith("'x' is left out: fewer than two of its levels have 10 rows.")


def test_rare_levels_are_joined_with_a_sentence() -> None:
    levels = ["a"] * 100 + ["b"] * 60 + ["c"] * 6 + ["d"] * 6
    found = numbers_by_kind(pd.DataFrame({"x": levels}), as_indicators=True)
    about, note = found.notes
    assert about.message == "'x' (a, b, other) is one variable of 2 columns."
    assert note.message == "The rare levels 'c' and 'd' of 'x' were joined as 'other'."
    assert found.names == ("x=b", "x=other")


@pytest.mark.parametrize(("share", "named"), [(0.0, True), (0.1, True), (0.5, False)])
def test_values_that_have_no_meaning_are_named(share: float, named: bool) -> None:
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], 200)
    months = np.where((sex == "m") | (rng.random(200) < share), np.nan, rng.normal(5.0, 2.0, 200))
    table = pd.DataFrame({"sex": sex, "months": months, "x": rng.normal(size=200)})
    found = [note for note in numbers_by_kind(table).notes if note.kind == "structural"]
    assert [note.columns for note in found] == ([("months",)] if named else [])
    if named:
        assert f"in all {(sex == 'm').sum()} rows in which 'sex' is 'm'" in found[0].message
    both = table.assign(months=np.where(rng.random(200) < 0.4, np.nan, 1.0 * rng.normal(size=200)))
    assert not [note for note in numbers_by_kind(both).notes if note.kind == "structural"]
