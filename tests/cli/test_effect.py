"""``lurking effect``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lurking
from cli.command import chain_table, nothing_written, one_sentence, run
from lurking.discovery import read_result


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("effect") / "data.csv"
    chain_table().to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def result(table: Path) -> Path:
    lurking.discover(table, solver="exact").to_json(table.with_name("result.json"))
    return table.with_name("result.json")


def test_it_answers_from_data_and_from_a_result_alike(table: Path, result: Path) -> None:
    with nothing_written(table.parent):
        searched = run("effect", table, "dose", "blood level", "--solver", "exact", "--quiet")
        kept = run("effect", result, "dose", "blood level")
    assert searched.exit_code == kept.exit_code == 0
    assert searched.stdout == kept.stdout
    assert kept.stdout.startswith("dose on blood level\n400 rows, 3 variables\n")
    assert "exactly 0" in kept.stdout
    assert "Rests on" in kept.stdout


def test_json_has_the_numbers(result: Path) -> None:
    printed = json.loads(run("effect", result, "dose", "blood level", "--json").stdout)
    found = read_result(result).effect("dose", "blood level")
    assert (printed["mean"], printed["low"], printed["probability"]) == (found.mean, found.low, found.probability)
    assert printed["quantiles"]["0.5"] == pytest.approx(found.median, abs=1e-9)
    assert [one["variables"] for one in printed["adjustment"]] == [list(one.variables) for one in found.adjustment]
    scaled = json.loads(run("effect", result, "dose", "blood level", "--json", "--standardized").stdout)
    assert scaled["mean"] == pytest.approx(found.mean * found.deviations)


def test_knowledge_is_heeded(table: Path) -> None:
    said = run("effect", table, "dose", "blood level", "--solver", "exact", "--tiers", "blood level < *", "--quiet")
    assert "Raising dose does not change blood level." in said.stdout


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (("dose", "blod level"), "did you mean 'blood level'?", 1),
        (("dose", "dose"), "name two variables", 2),
        (("dose", "blood level", "--seed", "3"), "--seed is for a search", 2),
    ],
)
def test_errors_are_one_sentence(result: Path, arguments: tuple[str, ...], words: str, code: int) -> None:
    failed = run("effect", result, *arguments)
    assert words in one_sentence(failed)
    assert failed.exit_code == code


def test_a_wrong_name_is_found_before_the_search(table: Path) -> None:
    failed = run("effect", table, "dose", "Schlafrigkeit", "--time-budget", "1000", "--quiet")
    assert "Schläfrigkeit" in one_sentence(failed)
