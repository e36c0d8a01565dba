"""The table of results: appended row by row, read back, torn, and of another version."""

from __future__ import annotations

from pathlib import Path

import pytest

from lurking._errors import FormatError
from lurking.experiments.store import ResultStore

COLUMNS = ("n", "method", "bic", "note")


def open_store(folder: Path, said: list[str] | None = None) -> ResultStore:
    return ResultStore(folder / "results.csv", COLUMNS, n_key=2, say=(said if said is not None else []).append)


def fill(store: ResultStore, *rows: tuple[int, str, float]) -> None:
    for n, method, bic in rows:
        store.append({"n": n, "method": method, "bic": bic, "note": 'a, "quoted"\nnote'})


def test_what_was_appended_is_there_after_reopening(tmp_path: Path) -> None:
    fill(open_store(tmp_path), (500, "fci", 0.1 + 0.2), (1000, "m3hc", float("nan")))
    store = open_store(tmp_path)
    assert len(store) == 2
    assert ("500", "fci") in store
    assert ("500", "m3hc") not in store
    (first,) = store.rows([("500", "fci"), ("1", "absent")])
    assert float(first["bic"]) == 0.1 + 0.2
    assert first["note"] == 'a, "quoted" note'
    assert store.rows()[1]["bic"] == ""


@pytest.mark.parametrize("cut", [1, 3, 12])
def test_a_torn_last_line_is_cut_off_with_a_word_and_can_be_written_again(tmp_path: Path, cut: int) -> None:
    fill(open_store(tmp_path), (500, "fci", 1.5), (500, "m3hc", 2.5))
    path = tmp_path / "results.csv"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    said: list[str] = []
    store = open_store(tmp_path, said)
    assert len(store) == 1
    (sentence,) = said
    assert "torn" in sentence
    assert "results.csv" in sentence
    fill(store, (500, "m3hc", 2.5))
    assert path.read_bytes() == whole


def test_a_torn_header_is_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("n,meth")
    said: list[str] = []
    store = open_store(tmp_path, said)
    assert len(store) == 0
    assert len(said) == 1
    fill(store, (500, "fci", 1.5))
    assert (tmp_path / "results.csv").read_text().startswith("n,method,bic,note\n500,fci,1.5,")


def test_other_columns_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("n,method,aic,note\n")
    with pytest.raises(FormatError, match="column 3 is 'aic' instead of 'bic'"):
        open_store(tmp_path)


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("n,method,bic,note\n500,fci,1.5,\n500,m3hc\n1000,fci,2,\n")
    with pytest.raises(FormatError, match="Line 3"):
        open_store(tmp_path)


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_bytes(b"\xff\xfe\n")
    with pytest.raises(FormatError, match="not a table of results"):
        open_store(tmp_path)


def test_sorting_does_not_depend_on_the_order_of_arrival(tmp_path: Path) -> None:
    rows = [(1000, "fci", 1.0), (500, "m3hc", 2.0), (500, "fci", 3.0)]
    texts = []
    for name, order in (("a", rows), ("b", rows[::-1])):
        store = open_store(tmp_path / name)
        fill(store, *order)
        store.sort()
        texts.append(store.path.read_text())
    assert texts[0] == texts[1]
    assert [line.split(",")[:2] for line in texts[0].splitlines()[1:]] == [
        ["500", "fci"],
        ["500", "m3hc"],
        ["1000", "fci"],
    ]


def test_the_first_of_two_rows_for_a_key_counts(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("n,method,bic,note\n500,fci,1.5,\n500,fci,9.5,\n")
    assert open_store(tmp_path).rows()[0]["bic"] == "1.5"


def test_sorting_keeps_the_rows_of_another_run(tmp_path: Path) -> None:
    one, other = open_store(tmp_path), open_store(tmp_path)
    fill(one, (1000, "fci", 1.0))
    fill(other, (500, "fci", 2.0))
    one.sort()
    assert [row["n"] for row in open_store(tmp_path).rows()] == ["500", "1000"]


def test_a_row_that_is_in_the_file_counts_even_if_the_sync_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ResultStore(tmp_path / "results.csv", ("seed", "value"), n_key=1)

    def interrupted(number: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.append({"seed": 1, "value": 0.5})
    assert len(store) == len(ResultStore(store.path, ("seed", "value"), n_key=1)) == 1
