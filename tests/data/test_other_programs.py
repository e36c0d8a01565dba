"""Tables of other programs, written by their packages and read back; each test needs the package of its format.

``scripts/check-readers`` makes an environment with all of them and runs these tests.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lurking
from lurking._errors import DataError
from lurking.data import DataFile
from lurking.data.prepare import PreparedData, prepare


def survey(n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    dose = rng.normal(size=n)
    return pd.DataFrame(
        {
            "dose": dose,
            "pain": 0.8 * dose + rng.normal(size=n),
            "visits": rng.integers(0, 30, n),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(["Bonn", "Köln", "Trier"], n),
        }
    )


def looked_at(path: Path, **options: Any) -> PreparedData:
    return prepare(DataFile(path, **options), "auto", kinds="auto", collinear="drop", nominal="indicators")


def check(path: Path, described: str, table: pd.DataFrame) -> PreparedData:
    """Check that a file holds the survey, and that it is answered with no option."""
    found = looked_at(path)
    assert found.reading is not None
    assert found.reading.line.startswith(f"{described}, {len(table)} rows, 5 columns")
    kinds = {column.name: column.kind for column in found.reading.columns}
    assert kinds == {"dose": "continuous", "pain": "continuous", "visits": "count", "sex": "binary", "town": "nominal"}
    wanted = prepare(table, "auto", kinds="auto", collinear="drop", nominal="indicators")
    np.testing.assert_allclose(found.columns.cov, wanted.columns.cov, rtol=1e-6, atol=1e-12)
    assert found.moments.names == wanted.moments.names
    assert lurking.discover(path, time_budget=2.0, n_restarts=1).names == wanted.moments.names
    return found


def test_without_calamine_spreadsheets_are_read_by_what_pandas_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openpyxl")
    monkeypatch.setattr("lurking.data.formats.find_spec", lambda name: None)
    survey().to_excel(tmp_path / "t.xlsx", index=False)
    check(tmp_path / "t.xlsx", "from Excel", survey())


@pytest.mark.parametrize("suffix", [".xlsx", ".ods"])
def test_spreadsheets(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl" if suffix == ".xlsx" else "odf")  # which write them
    pytest.importorskip("python_calamine")
    table = survey()
    table.to_excel(str(tmp_path / f"t{suffix}"), index=False)  # of a Path pandas always writes .xlsx
    check(tmp_path / f"t{suffix}", "from Excel" if suffix == ".xlsx" else "from LibreOffice", table)


def test_spreadsheets_as_people_have_them(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    table = survey().astype(object)
    table.loc[[3, 7], "dose"] = "*"
    table.loc[5, "pain"] = None
    table["day"] = [datetime.date(2024, 1, 1) + datetime.timedelta(days=k) for k in range(len(table))]
    path = tmp_path / "people.xlsx"
    book = openpyxl.Workbook()
    cover = book.active
    cover.title = "Cover"
    sheet = book.create_sheet("Data")
    sheet.append(["A survey of pain"])
    sheet.append([])
    sheet.append([None, *table.columns])
    for k, row in enumerate(table.itertuples(index=False)):
        sheet.append([k + 1, *row])
    book.save(path)
    found = looked_at(path)
    assert found.reading is not None
    kinds = {column.name: column.kind for column in found.reading.columns}
    assert kinds["dose"] == "continuous"
    assert kinds["day"] == "date"
    assert "missing values written '*'" in found.reading.line
    assert set(found.moments.names) == {"dose", "pain", "visits", "sex", "town"}
    assert found.n_incomplete == 3
    assert found.reading.line.startswith("from Excel, 60 rows")
    cover["A1"] = "Read me first"
    book.save(path)
    said = looked_at(path).reading
    assert said is not None
    assert said.line.startswith("from Excel, sheet 'Data', without 'Cover', 60 rows")


def test_an_empty_workbook_and_a_damaged_one(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    with pytest.raises(DataError, match="holds no table"):
        looked_at(tmp_path / "empty.xlsx")
    survey().to_excel(tmp_path / "t.xlsx", index=False)
    content = (tmp_path / "t.xlsx").read_bytes()
    (tmp_path / "cut.xlsx").write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match=r"cut\.xlsx"):
        looked_at(tmp_path / "cut.xlsx")


def test_excel_of_before_2007(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    xlwt = pytest.importorskip("xlwt")
    table = survey()
    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    for j, name in enumerate(table.columns):
        sheet.write(0, j, name)
        for i, value in enumerate(table[name].tolist()):
            sheet.write(i + 1, j, value)
    book.save(str(tmp_path / "t.xls"))
    check(tmp_path / "t.xls", "from Excel", table)


@pytest.mark.parametrize("version", [114, 117, 118, 119])
def test_stata(version: int, tmp_path: Path) -> None:
    table = survey()
    if version < 118:
        table["town"] = table["town"].replace("Köln", "Koeln")
    path = tmp_path / "t.dta"
    table.assign(town=pd.Categorical(table["town"])).to_stata(path, write_index=False, version=version)  # type: ignore[arg-type]
    check(path, "from Stata", table)


@pytest.mark.parametrize("suffix", [".sav", ".zsav"])
def test_spss_with_value_labels_and_missing_values(suffix: str, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    table = survey()
    coded = table.assign(
        sex=table["sex"].map({"f": 1.0, "m": 2.0}), town=table["town"].map({"Bonn": 1.0, "Köln": 2.0, "Trier": 3.0})
    )
    path = tmp_path / f"t{suffix}"
    labels = {"sex": {1: "f", 2: "m"}, "town": {1: "Bonn", 2: "Köln", 3: "Trier"}}
    pyreadstat.write_sav(coded, path, variable_value_labels=labels, compress=suffix == ".zsav")
    check(path, "from SPSS", table)
    coded.loc[4, "dose"] = -99.0
    pyreadstat.write_sav(coded, path, missing_ranges={"dose": [-99.0]}, variable_value_labels=labels)
    assert looked_at(path).n_incomplete == 1


def test_sas_transport(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    table = survey()
    table["town"] = table["town"].replace("Köln", "Koeln")
    pyreadstat.write_xport(table, tmp_path / "t.xpt", file_format_version=5)
    check(tmp_path / "t.xpt", "from SAS transport", table)
    pyreadstat.write_xport(table, tmp_path / "t8.xpt", file_format_version=8)
    check(tmp_path / "t8.xpt", "from SAS transport", table)


@pytest.mark.parametrize("suffix", [".feather", ".parquet"])
def test_arrow(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = survey()
    path = tmp_path / f"t{suffix}"
    typed = table.assign(town=pd.Categorical(table["town"]))
    typed.to_feather(path) if suffix == ".feather" else typed.to_parquet(path)
    check(path, "from Feather" if suffix == ".feather" else "from Parquet", table)
    holes = typed.assign(dose=typed["dose"].where(typed.index > 2), ok=typed["dose"] > 0)
    holes["visits"] = holes["visits"].astype("Int64").where(holes.index > 5)
    holes.to_feather(path) if suffix == ".feather" else holes.to_parquet(path)
    found = looked_at(path)
    assert found.n_incomplete == 6
    assert "ok" in found.moments.names


def test_compressed_feather_and_what_cannot_be_a_column(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    table = pyarrow.table({"x": np.arange(50.0) ** 2, "y": np.sin(np.arange(50.0)), "parts": [[1, 2]] * 50})
    feather.write_feather(table, tmp_path / "t.feather", compression="zstd")
    found = looked_at(tmp_path / "t.feather")
    assert found.moments.names == ("x", "y")


def test_lines_of_arrow_without_the_index_of_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = survey().set_index(pd.Index(range(100, 160), name="case"))
    table.to_parquet(tmp_path / "t.parquet")
    assert looked_at(tmp_path / "t.parquet").moments.names == tuple(survey().columns)
