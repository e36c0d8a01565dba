"""The tables of ``benchmarks/scale.py``: rows come back as they were, and the numbers are those of the rows."""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale import DAG, OURS, RIVALS, Outcome, read_rows, tables, write_rows


def rows() -> list[Outcome]:
    found = []
    for d, processor in ((20, 10.0), (200, 100.0)):
        for seed in range(3):
            found.append(Outcome(d, seed, "", OURS, "12.0", f"{processor}", str(400 + seed), str(seed), "0.5"))
            found.append(Outcome(d, seed, "", DAG, "1.00", "2.00", "", "9", "0.5"))
            found += [Outcome(d, seed, "", name, "", "3.00", "", "8", "0.5") for name in RIVALS]
    return [*found, Outcome(500, 0, "900", OURS, "890.0", "400.0", "1500", "130", "9.0")]


def test_rows_come_back(tmp_path: Path) -> None:
    path = tmp_path / "scale" / "results.csv"
    assert read_rows(path) == []
    write_rows(path, rows())
    assert sorted(read_rows(path)) == sorted(rows())


def test_tables_say_what_the_rows_say() -> None:
    text = tables([*rows(), Outcome(500, 0, "", DAG, "30.0", "25.0", "", "150", "9.0")])
    assert "| 20 | 3 | 12 | 10.0 | 402 | 2.00 | 5.0 |" in text
    assert "| 500, `--time-budget 900` | 1 | 890 | 400.0 | 1500 | 25.00 | 16.0 |" in text
    assert "to the power 1.00 between 20 and 200" in text
    assert "| 200 | **1.0** (0, 1, 2) | **9.0** (9, 9, 9) | **8.0** (8, 8, 8) | **8.0** (8, 8, 8) | 3.0; 3.0 |" in text
