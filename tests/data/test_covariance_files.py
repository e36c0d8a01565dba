"""Covariance matrices in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lurking import Moments
from lurking._errors import DataError
from lurking.data import DataFile
from lurking.data.covariance_files import read_covariance
from lurking.data.prepare import prepare

COV = np.array([[4.0, 1.0, 0.5], [1.0, 2.0, -0.25], [0.5, -0.25, 1.0]])
NAMES = ["A b", "größe", "C"]


def expected() -> Moments:
    return Moments(COV, 50, NAMES)


def test_square_with_and_without_row_names(tmp_path: Path) -> None:
    frame = pd.DataFrame(COV, index=NAMES, columns=NAMES)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "b.csv")
    frame.to_csv(tmp_path / "c.tsv", sep="\t", index=False)
    header, *rows = (tmp_path / "b.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "r.csv").write_text("\n".join([header.removeprefix(","), *rows]), encoding="utf-8")  # as R writes it
    for name in ("a.csv", "b.csv", "c.tsv", "r.csv"):
        assert read_covariance(tmp_path / name, 50) == expected()


@pytest.mark.parametrize("head", ["", "/covariance\n", "// made by hand\n/Covariance\n\n"])
@pytest.mark.parametrize("separator", ["\t", ",", ", "])
def test_tetrad(head: str, separator: str, tmp_path: Path) -> None:
    triangle = "\n".join(separator.join(map(str, row[: i + 1])) for i, row in enumerate(COV.tolist()))
    (tmp_path / "m.cov").write_text(f"{head}50\n{separator.join(NAMES)}\n{triangle}\n", encoding="utf-8")
    assert read_covariance(tmp_path / "m.cov") == expected()
    assert read_covariance(tmp_path / "m.cov", 50) == prepare(tmp_path / "m.cov").moments == expected()
    with pytest.raises(DataError, match="50 rows, not 60"):
        read_covariance(tmp_path / "m.cov", 60)


def test_full_square_in_tetrads_form(tmp_path: Path) -> None:
    rows = "\n".join(" ".join(map(str, row)) for row in COV.tolist())
    (tmp_path / "m.txt").write_text(f"50\nA B C\n{rows}\n")
    assert read_covariance(tmp_path / "m.txt") == Moments(COV, 50, ["A", "B", "C"])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("m.cov", "A B\n1\n0 1\n", "number of rows"),
        ("m.cov", "50\nA B\n1\n0 1 2\n", "'B'.*3 numbers"),
        ("m.cov", "50\nA B\n1\n", "number of rows|1 rows"),
        ("m.cov", "50\nA B\n1\nx 1\n", "'B' and 'A'.*'x'"),
        ("m.csv", "\n", "holds no table"),
        ("m.csv", ",A,B\nB,1,0.5\nA,0.5,2\n", "The rows of 'm.csv' .B, A. are not in the order of its columns"),
        ("m.csv", "A,B\nB,1,0.5\nA,0.5,2\n", "are not in the order of its columns"),
    ],
)
def test_what_cannot_be_read(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=words):
        read_covariance(tmp_path / name, 50 if name.endswith("csv") else None)


def test_csv_needs_the_number_of_rows(tmp_path: Path) -> None:
    pd.DataFrame(COV, columns=NAMES).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match="n_samples"):
        read_covariance(tmp_path / "a.csv")


def test_missing_file_and_wrong_encoding(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is no file"):
        read_covariance(tmp_path / "none.csv", 50)
    (tmp_path / "l.csv").write_bytes("größe,b\n1,0\n0,2\n".encode("latin-1"))
    assert read_covariance(tmp_path / "l.csv", 50).names == ("größe", "b")
    (tmp_path / "z.csv").write_bytes(bytes(range(256)))
    with pytest.raises(DataError, match="is not text"):
        read_covariance(tmp_path / "z.csv", 50)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1" + 300 * "0" + "\nA B\n1\n0 1\n", "which cannot be"),
        ("1e300\nA B\n1\n0 1\n", "which cannot be"),
        ("-5\nA B\n1\n0 1\n", "which cannot be"),
        ("45\nA B\n1\n0 " + 400 * "9" + "\n", "finite number"),
    ],
)
def test_numbers_beyond_all_sense(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(text)
    with pytest.raises(DataError, match=words):
        read_covariance(tmp_path / "m.txt")
    with pytest.raises(DataError, match=words):
        prepare(tmp_path / "m.txt", kinds="auto")


def test_tables_and_covariances_are_told_apart_by_content(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("A\tB\n1\t2\n2\t5\n3\t3\n")
    (tmp_path / "matrix.txt").write_text("45\nA B\n1.0\n.33 1.0\n")
    (tmp_path / "square.dat").write_text("A B\n2 1\n1 3\n")
    (tmp_path / "triangle.tsv").write_text("A\tB\tC\n1\n.5\t1\n.2\t.3\t1\n")
    with pytest.raises(DataError, match="is a covariance matrix, and does not hold the number of rows"):
        prepare(tmp_path / "triangle.tsv", kinds="auto")
    assert prepare(DataFile(tmp_path / "triangle.tsv", n_samples=50)).moments.cov[2, 1] == 0.3
    assert prepare(tmp_path / "table.txt").moments.n_samples == 3
    assert prepare(tmp_path / "matrix.txt", kinds="auto").moments.n_samples == 45
    assert Moments.from_path(tmp_path / "matrix.txt").names == ("A", "B")
    with pytest.raises(DataError, match="is a covariance matrix, and does not hold the number of rows"):
        prepare(tmp_path / "square.dat", kinds="auto")
    assert prepare(DataFile(tmp_path / "square.dat", n_samples=50)).moments.n_samples == 50
