"""Moments from tables and files: all sources agree, one stable pass, the caller's table untouched."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import FloatArray
from lurking.data import Moments, accumulate, read_table, tables

pa: Any = pytest.importorskip("pyarrow")
pq: Any = pytest.importorskip("pyarrow.parquet")

NAMES = ["age", "blood pressure", "größe", "X4"]


def table(n_rows: int = 500, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n_rows, 4)) @ rng.standard_normal((4, 4)) + [100, -5, 0, 1e4]
    return pd.DataFrame(values, columns=NAMES)


def plain_moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and covariance by the definition, in extended precision."""
    exact = values.astype(np.longdouble)
    mean = exact.mean(axis=0)
    centred = exact - mean
    return mean.astype(float), (centred.T @ centred / len(values)).astype(float)


def exact_moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and covariance in whole-number arithmetic, without any rounding before the end."""
    unit, n = 2**100, len(values)
    whole = np.array([[int(value * 2.0**100) for value in row] for row in values], dtype=object)
    sums = whole.sum(axis=0)
    scatter = n * (whole.T @ whole) - np.outer(sums, sums)
    mean = np.array([total / (n * unit) for total in sums])
    cov = np.array([[entry / (n * unit) ** 2 for entry in row] for row in scatter])
    return mean, cov


class TestAllSourcesAgree:
    @pytest.fixture
    def expected(self) -> Moments:
        mean, cov = plain_moments(table().to_numpy())
        return Moments(cov, 500, NAMES, mean=mean)

    def check(self, moments: Moments, expected: Moments) -> None:
        assert moments.names == expected.names
        assert moments.n_samples == expected.n_samples
        np.testing.assert_allclose(moments.cov, expected.cov, rtol=1e-12)
        assert moments.mean is not None
        assert expected.mean is not None
        np.testing.assert_allclose(moments.mean, expected.mean, rtol=1e-12)

    @pytest.mark.parametrize(
        "convert",
        [
            pytest.param(lambda t: t, id="pandas"),
            pytest.param(lambda t: t.convert_dtypes(), id="pandas-nullable"),
            pytest.param(lambda t: t.convert_dtypes(dtype_backend="pyarrow"), id="pandas-pyarrow"),
            pytest.param(lambda t: t.astype(object), id="pandas-object"),
            pytest.param(lambda t: t.set_index(pd.date_range("2020", periods=len(t))), id="pandas-index"),
            pytest.param(lambda t: pl.DataFrame(t.to_dict(orient="list")), id="polars"),
            pytest.param(lambda t: pl.DataFrame(t.to_dict(orient="list")).lazy(), id="polars-lazy"),
            pytest.param(lambda t: pa.table(t.to_dict(orient="list")), id="pyarrow"),
        ],
    )
    def test_data_frames(self, convert: Callable[[pd.DataFrame], object], expected: Moments) -> None:
        self.check(Moments.from_table(convert(table())), expected)

    @pytest.mark.parametrize(
        "convert",
        [
            pytest.param(np.ascontiguousarray, id="rows"),
            pytest.param(np.asfortranarray, id="columns"),
            pytest.param(lambda a: np.repeat(a, 2, axis=0)[::2], id="strided"),
            pytest.param(lambda a: a.tolist(), id="lists"),
            pytest.param(lambda a: a.astype(np.longdouble), id="longdouble"),
            pytest.param(lambda a: a.astype(object), id="object"),
            pytest.param(np.ma.masked_array, id="nothing-masked"),
        ],
    )
    def test_arrays(self, convert: Callable[[FloatArray], object], expected: Moments) -> None:
        self.check(Moments.from_table(convert(table().to_numpy()), names=NAMES), expected)

    @pytest.mark.parametrize(
        ("file_name", "write"),
        [
            ("t.csv", lambda t, p: t.to_csv(p, index=False)),
            ("t.CSV", lambda t, p: t.to_csv(p, index=False)),
            ("t.csv.gz", lambda t, p: t.to_csv(p, index=False)),
            ("t.tsv", lambda t, p: t.to_csv(p, index=False, sep="\t")),
            ("t.tab", lambda t, p: t.to_csv(p, index=False, sep="\t")),
            ("with.dots.csv", lambda t, p: t.to_csv(p, index=False, encoding="utf-8-sig")),
            ("t.parquet", lambda t, p: t.to_parquet(p)),
            ("t.pq", lambda t, p: pq.write_table(pa.table(t.to_dict(orient="list")), p)),
            ("labelled.parquet", lambda t, p: t.set_axis([f"r{i}" for i in range(len(t))]).to_parquet(p)),
        ],
    )
    def test_files(
        self, file_name: str, write: Callable[[pd.DataFrame, Path], object], expected: Moments, tmp_path: Path
    ) -> None:
        write(table(), tmp_path / file_name)
        self.check(Moments.from_path(tmp_path / file_name), expected)
        self.check(Moments.from_path(str(tmp_path / file_name)), expected)
        self.check(Moments.from_table(read_table(tmp_path / file_name)), expected)

    def test_european_numbers(self, expected: Moments, tmp_path: Path) -> None:
        table().to_csv(tmp_path / "t.csv", index=False, sep=";", decimal=",")
        self.check(Moments.from_path(tmp_path / "t.csv", separator=";", decimal=","), expected)
        self.check(Moments.from_path(tmp_path / "t.csv"), expected)

    def test_block_size_does_not_matter(self, expected: Moments, monkeypatch: pytest.MonkeyPatch) -> None:
        for size in (1, 7, 250, 499, 500, 501):
            monkeypatch.setattr(tables, "BLOCK_ROWS", size)
            self.check(Moments.from_table(table()), expected)
            self.check(Moments.from_table(table().to_numpy(), names=NAMES), expected)
            self.check(Moments.from_table(pl.DataFrame(table().to_dict(orient="list"))), expected)


class TestNumbers:
    @pytest.mark.parametrize("offset", [0.0, 1e8, -1e12])
    def test_large_means_do_not_cost_digits(self, offset: float) -> None:
        """The naive formula loses every digit at a mean of 1e8; here only the rounding of the data is left."""
        rng = np.random.default_rng(3)
        values = rng.standard_normal((20_000, 3)) + offset
        mean, cov = exact_moments(values)
        m = Moments.from_table(values)
        np.testing.assert_allclose(m.cov, cov, rtol=0, atol=1e-14)
        assert m.mean is not None
        np.testing.assert_allclose(m.mean, mean, rtol=1e-15, atol=1e-13)

    @pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "uint8", "int64", "uint64", "bool"])
    def test_kinds_of_numbers(self, dtype: str) -> None:
        values = np.random.default_rng(1).integers(0, 2 if dtype == "bool" else 100, size=(60, 3)).astype(dtype)
        _, cov = plain_moments(values.astype(float))
        sources: list[Any] = [values, pd.DataFrame(values)]
        if dtype != "float16":
            sources += [pl.DataFrame(values), pa.table({f"X{j}": values[:, j] for j in range(3)})]
        for source in sources:
            np.testing.assert_allclose(Moments.from_table(source).cov, cov, rtol=1e-12)

    def test_exact_numbers_of_python(self) -> None:
        values = [[1, Decimal("0.25")], [2, Decimal("1.5")], [4, Decimal(0)], [5, Decimal(7)]]
        _, cov = plain_moments(np.array(values, dtype=float))
        np.testing.assert_allclose(Moments.from_table(pd.DataFrame(values)).cov, cov)

    def test_mixed_columns(self) -> None:
        frame = table(200)
        frame["X4"] = (frame["X4"] > frame["X4"].mean()).to_numpy()
        frame["age"] = frame["age"].round().astype("Int64")
        _, cov = plain_moments(frame.to_numpy(dtype=float))
        np.testing.assert_allclose(Moments.from_table(frame).cov, cov, rtol=1e-12)

    def test_the_callers_table_is_untouched(self) -> None:
        frame = table()
        array = frame.to_numpy(copy=True)
        frozen = array.copy()
        frozen.flags.writeable = False
        for source in (frame, array, frozen):
            Moments.from_table(source)
        pd.testing.assert_frame_equal(frame, table())
        np.testing.assert_array_equal(array, frozen)


class TestNamesAndColumns:
    def test_labels_that_are_not_text(self) -> None:
        frame = table().set_axis([0, 1.5, ("a", 1), "z"], axis=1)
        assert Moments.from_table(frame).names == ("0", "1.5", "('a', 1)", "z")
        with pytest.raises(DataError, match="Each name may occur once, but '1' occurs again"):
            Moments.from_table(table().set_axis([1, "1", 2, 3], axis=1))

    def test_array_names(self) -> None:
        values = table().to_numpy()
        assert Moments.from_table(values).names == ("X1", "X2", "X3", "X4")
        with pytest.raises(DataError, match="there are 2 names and 4 columns"):
            Moments.from_table(values, names=["A", "B"])
        with pytest.raises(DataError, match="'A' occurs again"):
            Moments.from_table(values, names=["A", "B", "A", "C"])
        with pytest.raises(ParameterError, match="a data frame has its own: rename its columns"):
            Moments.from_table(table(), names=NAMES)

    def test_chosen_columns(self, tmp_path: Path) -> None:
        frame = table().assign(city="Rome")
        frame.to_csv(tmp_path / "t.csv")
        frame.to_parquet(tmp_path / "t.parquet")
        wanted = ["X4", "age"]
        expected = Moments.from_table(table()).subset(wanted)
        found = [
            Moments.from_table(frame, columns=wanted),
            Moments.from_table(pl.DataFrame(frame.to_dict(orient="list")), columns=wanted),
            Moments.from_table(table().to_numpy(), names=NAMES, columns=wanted),
            Moments.from_path(tmp_path / "t.csv", columns=wanted),
            Moments.from_path(tmp_path / "t.parquet", columns=wanted),
            Moments.from_table(read_table(tmp_path / "t.csv", columns=wanted)),
            Moments.from_table(read_table(tmp_path / "t.parquet", columns=wanted)),
        ]
        for moments in found:
            assert moments.names == ("X4", "age")
            np.testing.assert_allclose(moments.cov, expected.cov, rtol=1e-12)

    def test_chosen_columns_must_exist_and_be_one(self) -> None:
        with pytest.raises(UnknownVertexError, match=r"no variable named 'aeg'.*(?i:did you mean) 'age'"):
            Moments.from_table(table(), columns=["aeg"])
        with pytest.raises(DataError, match="there are 2 columns 'B'; rename them"):
            Moments.from_table(table().set_axis(["A", "B", "B", "C"], axis=1), columns=["B"])
        assert Moments.from_table(table().set_axis(["A", "B", "B", "C"], axis=1), columns=["C"]).names == ("C",)


def with_value(value: Any, row: int = 3, column: int = 1) -> pd.DataFrame:
    frame = table(20).astype(object)
    frame.iloc[row, column] = value
    return frame


def with_column(values: Any) -> pd.DataFrame:
    return table(20).assign(extra=values)


DAY = dt.datetime(2020, 1, 1)

BAD_TABLES: dict[str, tuple[Any, str]] = {
    "too few rows": (table(4), "there are 4 rows and 4 columns; add rows or leave columns out"),
    "no rows": (table(0), "there are 0 rows and 4 columns"),
    "no columns": (pd.DataFrame(index=range(5)), "There are no columns"),
    "constant": (with_column(0.1), "'extra' never changes (every value is 0.1), so nothing can be learnt from it"),
    "constants": (with_column(3).assign(more=4), "'extra' and 'more' never change (one value in every row)"),
    "rounding noise": (with_column(0.3 + np.arange(20) % 2 * 1e-16), "'extra' never changes (every value is 0.3)"),
    "copy": (table(20).assign(extra=lambda t: t["age"]), "'age' and 'extra' carry the same information"),
    "copy in other units": (table(20).assign(extra=lambda t: 3 - 2 * t["age"]), "(correlation -1; the smallest"),
    "total": (
        table(20).assign(extra=lambda t: t["age"] + t["X4"]),
        "'age', 'X4' and 'extra' are collinear: one of them is a weighted sum of the others (the smallest eigenvalue "
        "of the correlation matrix is ",
    ),
    "missing": (
        with_value(np.nan),
        "'blood pressure' is missing in row 3 (rows counted from 0); drop these rows (in pandas, table.dropna())",
    ),
    "None": (with_value(None), "'blood pressure' is missing in row 3"),
    "pandas.NA": (with_value(pd.NA).convert_dtypes(), "'blood pressure' is missing in row 3"),
    "infinite": (
        with_value(-np.inf).astype(float),
        "'blood pressure' is infinite in row 3 (rows counted from 0); drop these rows or",
    ),
    "first row": (with_value(np.inf, row=0), "'blood pressure' is infinite in row 0"),
    "text": (with_value("n.a."), "'blood pressure' holds text ('n.a.' in row 3, counted from 0); leave them out"),
    "numbers as text": (with_column([str(i) for i in range(20)]), "'extra' holds text ('0' in row 0"),
    "text dtype": (with_column(["a"] * 20), "'extra' holds text ('a' in row 0"),
    "objects": (with_value(Fraction(1, 3)), "'blood pressure' holds values of type Fraction"),
    "categories": (with_column(pd.Categorical(["a", "b"] * 10)), "'extra' holds categories"),
    "datetime": (with_column(pd.date_range("2020", periods=20)), "'extra' holds dates or times"),
    "dates": (with_column([dt.date(2020, 1, 1 + i) for i in range(20)]), "'extra' holds dates or times"),
    "durations": (with_column(pd.to_timedelta(range(20), unit="h")), "'extra' holds dates or times"),
    "complex": (with_column(np.arange(20) * 1j), "'extra' holds complex numbers"),
    "too large to add": (with_column([1.7e308, -1.7e308] * 10), "The values of 'extra' are too large"),
    "too large to square": (with_column(np.arange(20) * 1e200), "The values of 'extra' are too large to be squared"),
    "repeated names": (table(20).set_axis(["A", "B", "A", "C"], axis=1), "Each name may occur once, but 'A' occurs"),
    "array with text": (np.array([["1", "b"]] * 9), "'X1' holds text ('1' in row 0, counted from 0), 'X2' holds text"),
    "array of dates": (np.full((9, 2), np.datetime64("2020-01-01")), "'X1' holds dates or times"),
    "array of complex": (np.ones((9, 2), dtype=complex), "'X1' holds complex numbers"),
    "missing in array": (np.where(np.eye(9, 2, -4) > 0, np.nan, 1.0), "'X1' is missing in row 4, 'X2' is missing in"),
    "masked": (
        np.ma.masked_array(np.arange(20).reshape(10, 2), np.eye(10, 2, -7, dtype=bool)),
        "'X1' is missing in row 7",
    ),
    "one dimension": (np.arange(9.0), "A table has two dimensions, rows and columns, but this one has the shape (9,)"),
    "three dimensions": (np.zeros((2, 2, 2)), "has the shape (2, 2, 2)"),
    "ragged": ([[1, 2], [3]], "The rows of the table have different lengths"),
    "series": (pd.Series([1, 2, 3]), "Got a Series instead; pandas.DataFrame(...) makes a table of it"),
    "polars series": (pl.Series([1, 2, 3]), "has the shape (3,)"),
    "dict": ({"A": [1, 2, 3]}, "Got a dict instead"),
    "path": ("data.csv", "not the text 'data.csv'; to read a file use Moments.from_path()"),
    "nothing": (None, "has the shape ()"),
    "polars null": (pl.DataFrame({"A": [1, None, 2, 4], "B": [1.0, 2.0, 3.0, 5.0]}), "'A' is missing in row 1"),
    "polars nan": (pl.DataFrame({"A": [1, 3, 2, 4], "B": [1.0, 2.0, np.nan, 5.0]}), "'B' is missing in row 2"),
    "polars text": (pl.DataFrame({"A": [1, 3], "B": [None, "x"]}), "'B' holds text ('x')"),
    "polars dates": (pl.DataFrame({"A": [1, 3], "B": [DAY, DAY]}), "'B' holds dates or times"),
    "polars categories": (
        pl.DataFrame({"B": pl.Series(["x", "y"], dtype=pl.Categorical)}),
        "'B' holds categories",
    ),
    "polars lists": (pl.DataFrame({"B": [[1], [2]]}), "'B' holds values of type List"),
    "polars too few": (pl.DataFrame({"A": [1, 3], "B": [2, 1]}), "there are 2 rows and 2 columns"),
    "arrow null": (pa.table({"A": [1, 2, 4], "B": [1.0, None, 3.0]}), "'B' is missing in row 1"),
}


class TestBadTables:
    @pytest.mark.parametrize("case", BAD_TABLES)
    def test_is_refused_with_a_reason(self, case: str) -> None:
        bad, reason = BAD_TABLES[case]
        with pytest.raises(DataError, match=re.escape(reason)) as caught:
            Moments.from_table(bad)
        message = str(caught.value)
        assert message.endswith(".")
        assert "\n" not in message

    def test_many_missing_values_are_counted_over_all_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "BLOCK_ROWS", 10)
        values = np.random.default_rng(0).standard_normal((100, 7))
        values[5::10, 0] = np.nan
        values[[8, 99], 1] = np.nan, np.inf
        with pytest.raises(DataError, match=r"'X1' is missing in rows 5, 15, 25, \.\.\. \(10 in all\)") as caught:
            Moments.from_table(values)
        assert "'X2' is missing or infinite in rows 8, 99 (rows counted" in str(caught.value)
        values[50] = np.nan
        with pytest.raises(DataError, match=", and 3 more columns as well"):
            Moments.from_table(values)

    def test_a_column_that_never_changes_is_found_across_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "BLOCK_ROWS", 7)
        with pytest.raises(DataError, match="'extra' never changes"):
            Moments.from_table(table(200).assign(extra=1 / 3))

    def test_one_varying_value_in_a_million_is_enough(self) -> None:
        values = np.zeros((accumulate.BLOCK_ROWS * 2, 1))
        values[-1] = 1e-70
        assert Moments.from_table(values).n_variables == 1


class TestBadFiles:
    def write(self, tmp_path: Path, text: str, name: str = "t.csv") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "is empty; check how it was written"),
            ("\n\n", "holds no table"),
            ("A,A\n1,2\n2,5\n4,4\n", "Each name may occur once, but 'A' occurs again"),
            ("A,B\n1,2\n2,5,7\n4,4\n", "'t.csv' is not a regular table (line 3 has 3 values, and there are 2 names)"),
            ("A,B\n1,2,3\n2,5,7\n4,4,5\n", "give every row as many values as names"),
            ("A,B\n1,2\n2\n4,4\n7,8\n", "'B' is missing in row 1"),
            ("A,B\n1,2\n2,NA\n4,4\n7,8\n", "'B' is missing in row 1"),
            ("A,B\n1,\n2,\n4,\n7,\n", "There is no value at all in 'B'"),
            ("A,B\n1,2\n2,?\n4,4\n7,8\n", "'B' is missing in row 1"),
            ("A,B\n1,2\n2,oops\n4,4\n7,8\n", "'B' holds text ('oops' in row 1, counted from 0)"),
            ("A,B\n1,2\n3,5\n", "there are 2 rows and 2 columns"),
            ("A,B\n1,2\n2,5\n", "'t.csv' is a covariance matrix, and does not hold the number of rows"),
            ("A,B\n", "there are 0 rows and 2 columns"),
        ],
    )
    def test_csv(self, text: str, reason: str, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=re.escape(reason)):
            Moments.from_path(self.write(tmp_path, text))

    def test_text_far_down_a_file_is_found_by_its_row(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lurking.data.files._CHUNK_ROWS", 10)
        lines = ["A,B"] + [f"{i},{i * i}" for i in range(35)] + ["36,oops"]
        with pytest.raises(DataError, match="'B' holds text \\('oops' in row 35, counted from 0\\)"):
            Moments.from_path(self.write(tmp_path, "\n".join(lines)))

    def test_blank_lines_and_quotes_are_fine(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, '\n"A, really" ,B\n\n1,2\n2,5\n4,"4"\n')
        assert Moments.from_path(path).names == ("A, really", "B")
        assert Moments.from_path(path).n_samples == 3

    @pytest.mark.parametrize(
        "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "utf-32"]
    )
    def test_encodings(self, encoding: str, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_bytes("größe,B\n1,2\n2,5\n4,4\n".encode(encoding))
        assert Moments.from_path(tmp_path / "t.csv").names == ("größe", "B")

    def test_not_what_the_name_says(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match=r"'t.parquet' is not a Parquet file"):
            Moments.from_path(self.write(tmp_path, "A,B\n1,2\n", "t.parquet"))
        assert Moments.from_path(self.write(tmp_path, "A,B\n1,2\n3,5\n3,3\n", "t.csv.gz")).names == ("A", "B")
        assert Moments.from_path(self.write(tmp_path, "A B\n1 2\n3 5\n3 3\n", "t.dat")).names == ("A", "B")
        assert Moments.from_path(self.write(tmp_path, "A B\n1 2\n3 5\n3 3\n", "t.dat"), separator=" ").names == (
            "A",
            "B",
        )

    def test_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="There is no file"):
            Moments.from_path(tmp_path / "nowhere.csv")
        with pytest.raises(DataError, match="is a folder; name the file in it"):
            Moments.from_path(tmp_path)

    def test_parquet_without_pyarrow(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        table().to_parquet(tmp_path / "t.parquet")
        monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
        with pytest.raises(
            DataError, match=r"needs pyarrow, which is not installed; run pip install 'lurking\[parquet\]'"
        ):
            Moments.from_path(tmp_path / "t.parquet")

    def test_bad_values_in_parquet(self, tmp_path: Path) -> None:
        pq.write_table(pa.table({"A": [1, 2, None], "B": ["x", "y", "z"]}), tmp_path / "t.parquet")
        with pytest.raises(DataError, match="'B' holds text"):
            Moments.from_path(tmp_path / "t.parquet")
        with pytest.raises(DataError, match="'A' is missing in row 2"):
            Moments.from_path(tmp_path / "t.parquet", columns=["A"])
