"""One table, written in every way that people write it, is read as the same table; what is no table is one sentence."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lurking import Moments
from lurking._errors import DataError, ParameterError
from lurking.data import DataFile, raw_files, read_table
from lurking.data.prepare import PreparedData, prepare

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(50, 3)).round(4), columns=["dose", "größe", "age"])
CSV = TABLE.to_csv(index=False).encode()


def auto(path: object) -> PreparedData:
    return prepare(path, "auto", kinds="auto", collinear="drop")


def zipped(content: bytes, *names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, content)
    return file.getvalue()


def written(write: Callable[[Any], object]) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


FILES: dict[str, bytes] = {
    "t.csv": CSV,
    "t.txt": TABLE.to_csv(index=False, sep="\t").encode(),
    "no ending": TABLE.to_csv(index=False, sep=";", decimal=",").encode(),
    "t.dat": TABLE.to_csv(index=False, sep=" ").encode(),
    "excel.csv": TABLE.to_csv(index=False, sep="\t").encode("utf-16"),
    "old.csv": TABLE.to_csv(index=False).encode("latin-1"),
    "windows.csv": b"\xef\xbb\xbf" + CSV.replace(b"\n", b"\r\n"),
    "rows.csv": TABLE.to_csv().encode(),
    "t.csv.gz": gzip.compress(CSV),
    "gzip without a name": gzip.compress(CSV),
    "t.csv.bz2": bz2.compress(CSV),
    "t.csv.xz": lzma.compress(CSV),
    "t.zip": zipped(CSV, "t.csv"),
    "t.npy": written(lambda file: np.save(file, TABLE.to_records(index=False))),
    "t.dta": written(lambda file: TABLE.rename(columns={"größe": "groesse"}).to_stata(file, write_index=False)),
    "t.feather": written(TABLE.to_feather),
    "t.parquet": written(TABLE.to_parquet),
}


@pytest.mark.parametrize("name", FILES)
def test_every_file_holds_the_same_table(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    expected = Moments.from_table(TABLE)
    for moments in (Moments.from_path(tmp_path / name), auto(tmp_path / name).moments):
        np.testing.assert_allclose(moments.cov, expected.cov, rtol=1e-12)
        assert [n.replace("groesse", "größe") for n in moments.names] == list(TABLE)
    hashed = f"sha256:{hashlib.sha256(FILES[name]).hexdigest()}"
    reading = auto(tmp_path / name).reading
    assert reading is not None
    assert (reading.file_hash, reading.n_rows) == (hashed, 50)


@pytest.mark.parametrize("mark", ["*", "?", "NA", ".", "", "n/a", "NaN", "-", "#N/A", "None"])
def test_missing_marks(mark: str, tmp_path: Path) -> None:
    table = TABLE.astype(str)
    table.loc[[3, 7], "age"] = mark
    table.to_csv(tmp_path / "t.tsv", sep="\t", index=False)
    data = auto(tmp_path / "t.tsv")
    assert (data.n_incomplete, data.missing) == (2, "em")
    assert data.reading is not None
    shown = repr(mark) if mark else "as empty cells"
    assert data.reading.line == f"tab-separated, 50 rows, 3 columns, missing values written {shown} in 1 column"
    expected = prepare(TABLE.assign(age=TABLE["age"].where(~TABLE.index.isin([3, 7]))), "em")
    np.testing.assert_allclose(data.moments.cov, expected.moments.cov, rtol=1e-10)


def test_options_override_what_is_seen(tmp_path: Path) -> None:
    TABLE.to_csv(tmp_path / "t.csv", index=False, header=False)
    path = tmp_path / "t.csv"
    assert auto(path).moments.names == ("X1", "X2", "X3")
    assert len(auto(DataFile(path, header=True)).moments.names) == 3
    assert auto(DataFile(path, columns=("X3", "X1"))).moments.names == ("X3", "X1")
    assert auto(DataFile(path, drop=("X2",))).moments.names == ("X1", "X3")
    first = str(TABLE["dose"].tolist()[0])
    assert auto(DataFile(path, na=(first,))).n_incomplete == 1
    (tmp_path / "l.csv").write_bytes(
        "grö,b,c\n".encode("latin-1") + b"".join(b"%d,%d,%d\n" % (k, k * k, k**3) for k in range(9))
    )
    assert read_table(DataFile(tmp_path / "l.csv", encoding="iso8859-15")).columns[0] == "grö"


@pytest.mark.parametrize(
    "wrong",
    [
        {"separator": ",,"},
        {"decimal": ""},
        {"decimal": ",", "separator": ","},
        {"encoding": "klingon"},
        {"columns": "dose"},
    ],
)
def test_wrong_options(wrong: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        DataFile(Path("t.csv"), **wrong)


BAD: dict[str, tuple[bytes, str]] = {
    "empty.csv": (b"", "is empty"),
    "blank.csv": (b"\n \n", "holds no table"),
    "zeros.csv": (bytes(1000), "not text"),
    "random.csv": (np.random.default_rng(0).bytes(3000), "not text"),
    "no.csv.gz": (b"\x1f\x8b\x08 no archive", "cannot be unpacked as gzip"),
    "cut.csv.gz": (gzip.compress(CSV)[:-20], "cannot be unpacked as gzip"),
    "cut.csv.xz": (lzma.compress(CSV)[:-20], "cannot be unpacked as xz"),
    "cut.csv.bz2": (bz2.compress(CSV)[:-20], "cannot be unpacked as bzip2"),
    "no.xz": (b"\xfd7zXZ\x00 no archive", "cannot be unpacked as xz"),
    "no.zip": (b"PK\x03\x04 no archive", "cannot be unpacked as zip"),
    "none.zip": (zipped(b""), "holds no file, not one table"),
    "two.zip": (zipped(CSV, "a.csv", "b.csv"), "holds 2 files ('a.csv', 'b.csv'), not one table"),
    "digits.csv": (b"a,b\n1,2\n2,5\n3,1\n4," + b"9" * 400 + b"\n", "'b' is infinite in row 3"),
    "page.csv": (b"<!DOCTYPE html><html><body>404</body></html>", "is a web page"),
    "paper.csv": (b"%PDF-1.7 ...", "is a PDF document"),
    "t.json": (b'{"a": [1, 2]}', "written in JSON"),
    "t.rds": (gzip.compress(b"X\n\x00\x00\x00\x03"), "a file of R"),
    "t.pkl": (b"\x80\x04\x95\x10\x00", "pickle"),
    "t.h5": (b"\x89HDF\r\n\x1a\n", "a file of HDF5"),
    "cut.parquet": (FILES["t.parquet"][:200], "is not a Parquet file"),
    "cut.dta": (FILES["t.dta"][:200], "cannot be read as one"),
    "cut.feather": (FILES["t.feather"][:200], "cannot be read as one"),
    "cube.npy": (written(lambda file: np.save(file, np.zeros((2, 2, 2)))), "not a table of rows and columns"),
    "objects.npy": (written(lambda file: np.save(file, np.array([{}], dtype=object))), "cannot be read as one"),
    "quote.csv": (b'a,b\n1,2\n"3,4\n5,6\n7,8\n9,1\n', "never closed"),
    "twice.csv": (b"a,a\n1,2\n3,5\n4,1\n", "'a' occurs again"),
    "line.csv": (b"1," * 700_000, "longer than a million letters"),
    "t.xlsx": (b"PK", "is not a file of Excel"),
    "t.sav": (b"$FL2 no more", "needs pyreadstat, which is not installed"),
    "square.csv": (b"a,b\n2,1\n1,3\n", "is a covariance matrix"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("read", [Moments.from_path, auto])
def test_bad_files_are_one_sentence(name: str, read: Callable[[Path], object], tmp_path: Path) -> None:
    content, words = BAD[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=r"\w") as caught:
        read(tmp_path / name)
    message = str(caught.value)
    if not (name == "t.sav" and "cannot be read" in message):  # where pyreadstat is installed
        assert words in message
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 500


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_and_devices(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cov")
    for path in (tmp_path / "pipe.cov", Path("/dev/zero"), Path("/dev/null")):
        if path.exists():
            for read in (Moments.from_path, auto, lambda p: prepare(DataFile(p, n_samples=50))):
                with pytest.raises(DataError, match="is a pipe or a device"):
                    read(path)


def test_names_that_no_file_can_have() -> None:
    for name in ("a\x00b", "x" * 5000):
        with pytest.raises(DataError, match=r"cannot be read|no file"):
            auto(name)


def test_unsigned_numbers_beyond_two_to_the_53(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    values = np.array([2**63 + 2**k for k in range(40, 62)], dtype=np.uint64)
    table = pa.table({"a": values, "b": np.arange(22.0) ** 2})
    pq.write_table(table, tmp_path / "t.parquet")
    for moments in (
        Moments.from_path(tmp_path / "t.parquet"),
        auto(tmp_path / "t.parquet").moments,
        Moments.from_table(table),
    ):
        np.testing.assert_allclose(moments.cov[0, 0], np.var(values.astype(float)))


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.csv.xz", "t.zip", "t.parquet", "excel.csv", "old.csv"])
def test_a_large_file_is_read_as_a_stream(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    whole = auto(tmp_path / name)
    monkeypatch.setattr(raw_files, "IN_MEMORY", 10)
    monkeypatch.setattr("lurking.data.files._MOST_NUMBERS", 10)
    monkeypatch.setattr("lurking.data.files._CHUNK_ROWS", 7)
    streamed = auto(tmp_path / name)
    assert streamed.values is None
    np.testing.assert_allclose(streamed.moments.cov, whole.moments.cov, rtol=1e-12)
    assert streamed.reading == whole.reading
    assert streamed.rows is not None
    assert whole.rows is not None
    np.testing.assert_array_equal(streamed.rows, whole.rows)


def test_a_large_file_with_gaps_and_labels_falls_back_to_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TABLE.assign(id=range(50), constant=1.0, word=["yes", "no"] * 25)
    table.drop(columns="word").to_csv(tmp_path / "plain.csv", index=False)
    table.loc[45, "age"] = None
    table.to_csv(tmp_path / "gaps.csv", index=False)
    expected = [auto(tmp_path / name) for name in ("plain.csv", "gaps.csv")]
    monkeypatch.setattr(raw_files, "IN_MEMORY", 10)
    monkeypatch.setattr("lurking.data.files._CHUNK_ROWS", 7)
    for name, whole in zip(("plain.csv", "gaps.csv"), expected, strict=True):
        streamed = auto(tmp_path / name)
        assert streamed.moments.names == whole.moments.names
        np.testing.assert_allclose(streamed.moments.cov, whole.moments.cov, rtol=1e-9)
        assert streamed.left_out == whole.left_out >= {"id", "constant"}


def test_packages_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.feather").write_bytes(FILES["t.feather"])
    (tmp_path / "t.csv.zst").write_bytes(b"\x28\xb5\x2f\xfd123")
    (tmp_path / "t.xlsx").write_bytes(zipped(b"", "[Content_Types].xml", "xl/workbook.xml"))
    monkeypatch.setattr("lurking.data.formats.find_spec", lambda name: None)
    for module in ("pyarrow", "compression.zstd", "backports.zstd", "zstandard", "openpyxl"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    extras = {"t.feather": "'lurking[parquet]'", "t.csv.zst": "zstandard", "t.xlsx": "'lurking[readers]'"}
    for name, what in extras.items():
        with pytest.raises(DataError, match=rf"pip install\s+{re.escape(what)}"):
            auto(tmp_path / name)


def test_the_same_bits_whether_kinds_are_looked_at_or_not(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(CSV)
    for data in (tmp_path / "t.csv", TABLE, TABLE.to_numpy()):
        assert auto(data).moments == prepare(data).moments


WAYS = {
    "title": "Results of the survey\n\n" + CSV.decode(),
    "comments of Matlab": "% made in 2020\n" + TABLE.to_csv(index=False, sep=" "),
    "keyword of Tetrad": "/continuousdata\n" + TABLE.to_csv(index=False, sep="\t"),
    "labels without a name": TABLE.to_csv(sep=" ").lstrip(" "),
    "signs of typesetters": CSV.decode().replace("-", "\u2212"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_people_put_around_a_table(way: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(WAYS[way], encoding="utf-8")
    (tmp_path / "plain.csv").write_bytes(CSV)
    assert auto(tmp_path / "t.txt").moments == auto(tmp_path / "plain.csv").moments


@pytest.mark.parametrize("mark", ["'", "\u2019", "\u00a0", "\u202f"])
def test_marks_of_thousands_that_are_no_points(mark: str, tmp_path: Path) -> None:
    table = TABLE.assign(money=np.arange(len(TABLE)) ** 3 * 12_345)
    written = table.assign(money=[f"{value:,}".replace(",", mark) for value in table["money"].tolist()])
    written.to_csv(tmp_path / "t.csv", index=False, sep=";")
    found = auto(tmp_path / "t.csv")
    assert found.moments.names[-1] == "money"
    assert found.moments.mean[-1] == pytest.approx(table["money"].mean())


@pytest.mark.parametrize("mark", ["--", "\u2013", "missing", "None", "\\N"])
def test_what_is_missing_among_numbers_is_missing_among_words(mark: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60), "sex": rng.choice(["f", "m"], 60)})
    table.mask(rng.random(table.shape) < 0.2).to_csv(tmp_path / "t.csv", index=False, na_rep=mark)
    reading = auto(tmp_path / "t.csv").reading
    assert reading is not None
    assert [column.kind for column in reading.columns] == ["continuous", "continuous", "binary"]
    assert f"missing values written {mark!r} in 3 columns" in reading.line


def test_a_file_of_weka_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.arff").write_text("% by Weka\n@relation t\n@attribute x numeric\n@data\n1\n2\n")
    with pytest.raises(DataError, match="Weka"):
        auto(tmp_path / "t.arff")
