"""Everything that can be wrong with a file, a flag or a column: one sentence on stderr, nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cli.command import chain_table, constant, nothing_written, one_sentence, random_column, run, with_column

Change = Callable[[pd.DataFrame], pd.DataFrame]


def few_rows(table: pd.DataFrame) -> pd.DataFrame:
    return table.head(3)


def square(table: pd.DataFrame) -> pd.DataFrame:
    return table.cov()


def repeated(table: pd.DataFrame) -> pd.DataFrame:
    return with_column(table, "same dose", 2.0 * table["dose"])


def collinear(table: pd.DataFrame) -> pd.DataFrame:
    return with_column(table, "total", table.sum(axis=1))


def infinite(table: pd.DataFrame) -> pd.DataFrame:
    return with_column(table, "dose", np.where(np.arange(len(table)) == 7, np.inf, table["dose"]))


def missing(table: pd.DataFrame) -> pd.DataFrame:
    return with_column(table, "dose", np.where(np.arange(len(table)) == 7, np.nan, table["dose"]))


def text(table: pd.DataFrame) -> pd.DataFrame:
    return with_column(table, "clinic", "north")


def duplicate_names(table: pd.DataFrame) -> pd.DataFrame:
    return table.set_axis(["dose", "level", "dose"], axis=1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (few_rows, ["more rows than columns", "3 rows"]),
        (repeated, ["'dose'", "'same dose'", "leave one of them out", "--collinear drop"]),
        (collinear, ["'total'", "collinear", "eigenvalue", "--collinear drop"]),
        (infinite, ["'dose'", "infinite"]),
        (missing, ["'dose'", "--missing drop", "--missing em"]),
        (square, ["covariance matrix", "number of rows", "--n-samples"]),
        (duplicate_names, ["dose"]),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_bad_tables(change: Change, words: list[str], tmp_path: Path) -> None:
    change(chain_table(60)).to_csv(tmp_path / "t.csv", index=False)
    with nothing_written(tmp_path):
        strict = ("--missing", "refuse", "--collinear", "refuse")
        result = run("discover", tmp_path / "t.csv", *strict, "--out", tmp_path / "out")
    assert result.exit_code == 1
    said = one_sentence(result)
    for word in words:
        assert word in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (constant, "'batch' is left out: it never changes."),
        (repeated, "'same dose' is left out, because other columns determine it, but for a constant: 'same dose' = 2"),
        (collinear, "'total' = 'blood level' + 'dose' + 'Schläfrigkeit'"),
        (missing, "Values are missing in 1 of 60 rows; all rows were used by maximum likelihood (EM)"),
        (text, "'clinic' is left out: it never changes."),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_tables_that_are_answered_with_a_word(change: Change, words: str, tmp_path: Path) -> None:
    change(chain_table(60)).to_csv(tmp_path / "t.csv", index=False)
    result = run("discover", tmp_path / "t.csv", "--solver", "exact", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert words in result.stderr
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("A,B\n1,0.5\n0.4,1\n", ["symmetric", "'A'", "'B'"]),
        ("A,B\n1,2\n2,1\n", ["not positive definite", "'A'"]),
        ("A,B\n1,x\nx,1\n", ["'x'", "not a number"]),
        ("A,B\n1,0.5\n", ["2 variables", "1 rows"]),
        ("A,B\n-1,0\n0,1\n", ["variance", "'A'"]),
    ],
)
def test_bad_covariances(content: str, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "cov.csv").write_text(content)
    with nothing_written(tmp_path):
        result = run("discover", tmp_path / "cov.csv", "--n-samples", 100, "--out", tmp_path / "out")
    assert result.exit_code == 1
    said = one_sentence(result)
    for word in words:
        assert word in said


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.csv", None, "There is no file"),
        ("empty.csv", b"", "is empty"),
        ("latin.csv", "größe,b\n1,2\n".encode("latin-1"), "1 row and 2 columns"),
        ("t.parquet", b"no parquet", "not a Parquet file"),
        ("semicolons.csv", b"a;b\n1;2\n", "1 row and 2 columns"),
        ("numbers.csv", b"1,2\n3,4\n", "2 rows and 2 columns"),
        ("ragged.csv", b"a,b\n1,2\n1,2,3\n", "as many values as names"),
        ("table.xyz", b"a,b\n1,2\n", "1 row and 2 columns"),
        ("t.cov", b"not a matrix", "Tetrad"),
        ("t.txt", b"a,b\n1,2\n2,1\n", "2 rows and 2 columns"),
        ("bars.csv", b"a|b\n1|2\n", "1 row and 2 columns"),
        ("words.csv", b"a\n" + b"".join(b"word %d\n" % k for k in range(90)), "No column can be used"),
        ("book.xlsx", b"PK", "a file of Excel"),
        ("t.csv.zst", b"\x28\xb5\x2f\xfd", "zst"),
    ],
)
def test_bad_files(name: str, content: bytes | None, words: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with nothing_written(tmp_path):
        result = run("discover", tmp_path / name, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert words in one_sentence(result)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["discover"], "Missing argument"),
        (["discover", "t.csv", "--solver", "magic"], "hybrid"),
        (["discover", "t.csv", "--class", "tree"], "ancestral"),
        (["discover", "t.csv", "--seed", "x"], "--seed"),
        (["discover", "t.csv", "--time-budget", "0"], "--time-budget"),
        (["discover", "t.csv", "--restarts", "0"], "--restarts"),
        (["discover", "t.csv", "--jobs", "0"], "--jobs"),
        (["discover", "t.csv", "--n-samples", "9", "--decimal", ","], "a covariance matrix; drop them"),
        (["experiment", "random-graphs", "--variables", "10", "x"], "'x'"),
        (["discover", "t.csv", "--time-budget", "5", "--solver", "exact"], "--solver hybrid only"),
        (["discover", "t.csv", "--penalty", "0.1"], "--solver dcd only"),
        (["discover", "t.csv", "--penalty", "0", "--solver", "dcd"], "--penalty"),
        (["bootstrap", "t.csv", "--noise", "similar", "--solver", "dcd"], "assumes similar noise in any case"),
        (["discover", "t.csv", "--sede", "1"], "--seed"),
        (["discover", "t.csv", "--separator", "ab"], "one character"),
        (["discovr", "t.csv"], "did you mean 'discover'?"),
        (["convert", "a.txt", "b.txt", "--to", "word"], "dagitty"),
        (["simulate", "--graph", "g.txt", "--variables", "3"], "not both"),
    ],
)
def test_bad_flags(arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with nothing_written(tmp_path):
        result = run(*arguments)
    assert result.exit_code == 2
    assert words in one_sentence(result)


def test_exact_solver_with_too_many_columns(tmp_path: Path) -> None:
    wide = chain_table(60)
    for k in range(3):
        wide = with_column(wide, f"x{k}", random_column(60) + k * wide["dose"] ** 2)
    wide = wide.assign(x1=np.sin(wide["x1"]), x2=np.cos(wide["x2"]))
    wide.to_csv(tmp_path / "t.csv", index=False)
    with nothing_written(tmp_path):
        result = run("discover", tmp_path / "t.csv", "--solver", "exact", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "use --solver hybrid" in one_sentence(result)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ("tiers = [['doze'], ['blood level']]", "did you mean 'dose'?"),
        ("forbid = ['dose -> Schläfrigkeit']\nrequire = ['dose -> Schläfrigkeit']", "drop one of the two"),
        ("require = ['dose -> blood level']", "facts.toml: The knowledge has the edge 'dose -> blood level', which"),
        ("forbidd = ['dose -> Schläfrigkeit']", "did you mean"),
        ("tiers = [", "TOML"),
        (None, "cannot be read"),
    ],
)
def test_bad_knowledge(facts: str | None, words: str, tmp_path: Path) -> None:
    chain_table(60).to_csv(tmp_path / "t.csv", index=False)
    if facts is not None:
        (tmp_path / "facts.toml").write_text(facts, encoding="utf-8")
    with nothing_written(tmp_path):
        result = run("discover", tmp_path / "t.csv", "--knowledge", tmp_path / "facts.toml", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert words in one_sentence(result)


def test_unknown_column(tmp_path: Path) -> None:
    chain_table(60).to_csv(tmp_path / "t.csv", index=False)
    result = run("discover", tmp_path / "t.csv", "--columns", "doze,blood level", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "'dose'" in one_sentence(result)


def test_folder_that_cannot_be_written_is_noticed_before_the_search(tmp_path: Path) -> None:
    chain_table(60).to_csv(tmp_path / "t.csv", index=False)
    with nothing_written(tmp_path):
        result = run("discover", tmp_path / "t.csv", "--out", tmp_path / "t.csv" / "out")
    assert result.exit_code == 1
    assert "--out" in one_sentence(result)


def test_files_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    chain_table(60).to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "result.json").mkdir()
    (tmp_path / "report.html").write_text("old")
    with nothing_written(tmp_path):
        result = run("discover", tmp_path / "t.csv", "--solver", "exact", "--out", tmp_path)
    assert result.exit_code == 1
    assert "is a folder" in one_sentence(result)
    assert (tmp_path / "report.html").read_text() == "old"
