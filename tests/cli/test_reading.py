"""What the commands say of a file before the search, and the options that override what was found."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import lurking
from cli.command import one_sentence, run
from lurking.discovery import Knowledge, column_kinds, read_result
from lurking.errors import FormatError

QUICK = ("--restarts", "1", "--time-budget", "5")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    dose = rng.normal(size=90)
    table = pd.DataFrame(
        {
            "id": range(1, 91),
            "dose": dose.round(3),
            "ill": np.where(dose + rng.normal(size=90) > 0, "yes", "no"),
            "size": rng.choice(["small", "medium", "large"], size=90),
            "city": rng.choice(["Rome", "Bonn", "Oslo"], size=90),
            "pain": (dose + rng.normal(size=90)).round(2).astype(str),
        }
    )
    table.loc[[3, 5], "pain"] = "*"
    table.to_csv(tmp_path / "survey.txt", sep="\t", index=False)
    return tmp_path / "survey.txt"


def test_a_file_is_answered_without_any_option(survey: Path, tmp_path: Path) -> None:
    result = run("discover", survey, *QUICK, "--out", tmp_path / "out")
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert lines[0] == "Read: tab-separated, 90 rows, 6 columns, 5 of them used, missing values written '*' in 1 column"
    assert any(line.split() == ["identifier", "left", "out", "id"] for line in lines)
    assert any("ill ('yes' is 1, 'no' is 0)" in line for line in lines)
    (said,) = (line for line in lines if "is one variable of" in line)
    assert said.count(" is one variable of 2 columns") == 2
    assert "--kind size=ordinal" in said
    saved = read_result(tmp_path / "out" / "result.json")
    assert saved.reading == lines[0].removeprefix("Read: ")
    assert set(saved.names) == {"dose", "ill", "size", "city", "pain"}
    assert {finding.kind for finding in saved.findings} >= {"nominal", "no variable", "missing", "coded"}
    assert str(saved.data_hash).startswith("sha256:")


def test_the_advice_leads_to_an_answer(survey: Path, tmp_path: Path) -> None:
    result = run(
        "discover", survey, *QUICK, "--kind", "size=ordinal", "--kind", "city=Bonn<Oslo<Rome", "--out", tmp_path
    )
    assert set(read_result(tmp_path / "result.json").names) == {"dose", "ill", "size", "city", "pain"}
    assert "as you said" in result.stderr


def test_library_and_command_line_read_the_same(survey: Path, tmp_path: Path) -> None:
    run("discover", survey, *QUICK, "--out", tmp_path, "-q")
    saved = read_result(tmp_path / "result.json")
    answer = lurking.discover(survey, n_restarts=1, time_budget=5)
    model = lurking.ADMGDiscovery(n_restarts=1, time_budget=5, missing="auto", kinds="auto", collinear="drop").fit(
        survey
    )
    assert saved.moments == answer.moments == model.moments_.columns
    assert saved.grouping == answer.grouping == model.moments_.grouping
    assert saved.reading == answer.reading
    assert saved.data_hash == answer.data_hash


def test_columns_can_be_dropped_and_chosen(survey: Path, tmp_path: Path) -> None:
    run("discover", survey, *QUICK, "--drop", "pain,city", "--out", tmp_path)
    assert set(read_result(tmp_path / "result.json").names) == {"dose", "ill", "size"}
    run("discover", survey, *QUICK, "--columns", "pain,id,dose", "--kind", "id=continuous", "--out", tmp_path)
    assert read_result(tmp_path / "result.json").names == ("pain", "id", "dose")
    assert "did you mean 'pain'" in one_sentence(run("discover", survey, "--drop", "pein", "--out", tmp_path))


def test_kinds_in_the_knowledge_file(survey: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.toml"
    facts.write_text('tiers = [["id", "dose"], ["*"]]\n[columns]\nsize = "ordinal"\ncity = ["Bonn", "Oslo", "Rome"]\n')
    result = run("discover", survey, *QUICK, "--knowledge", facts, "--out", tmp_path)
    assert result.exit_code == 0
    saved = read_result(tmp_path / "result.json")
    assert set(saved.names) == {"dose", "ill", "size", "city", "pain"}
    assert saved.knowledge is not None
    assert saved.knowledge.tiers == (("dose",), ("*",))  # what is said of a column that is left out has no effect
    assert lurking.discover(survey, knowledge=facts, n_restarts=1, time_budget=5).moments == saved.moments
    run("discover", survey, *QUICK, "--knowledge", facts, "--kind", "city=nominal", "--out", tmp_path)
    grouping = read_result(tmp_path / "result.json").grouping
    assert grouping is not None
    assert [len(columns) for columns in grouping.subset(["city"]).columns] == [2]


def test_effects_of_levels_and_names_without_one_before_the_search(survey: Path) -> None:
    sentence = one_sentence(run("effect", survey, "dose", "city", *QUICK, "-q"))
    assert "'city' has levels; name one of them as the effect: 'city=" in sentence
    level = sentence.split("'city=")[1].split("'")[0]
    assert run("effect", survey, "dose", "ill", *QUICK).exit_code == 0
    found = run("effect", survey, f"city={level}", "ill", *QUICK, "-q")
    assert found.exit_code == 0
    assert f"city={level} on ill" in found.stdout


def test_clusters_and_weights_at_the_command_line(survey: Path) -> None:
    found = run("discover", survey, *QUICK, "--clusters", "city", "--full")
    assert found.exit_code == 0
    assert "'city' belong together" in " ".join(found.stdout.split())
    assert "'city' cannot weigh the rows" in one_sentence(run("discover", survey, *QUICK, "--weights", "city", "-q"))
    assert "'town'" in one_sentence(run("discover", survey, *QUICK, "--clusters", "town", "-q"))


def test_a_graph_with_a_nominal_variable_is_checked(survey: Path, tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text("dose -> city; dose -> ill")
    result = run("check", survey, tmp_path / "graph.txt")
    assert result.exit_code == 0
    assert "city \u22a5 ill | dose" in result.stdout or "ill \u22a5 city | dose" in result.stdout


@pytest.mark.parametrize("text", ["columns = 3\n", "[columns]\nsize = 3\n", "[columns]\nsize = [1, 2]\n"])
def test_bad_tables_of_kinds(text: str, tmp_path: Path) -> None:
    (tmp_path / "facts.toml").write_text(text)
    with pytest.raises(FormatError, match=r"column"):
        Knowledge.from_toml(tmp_path / "facts.toml")
    with pytest.raises(FormatError, match=r"column"):
        column_kinds(tmp_path / "facts.toml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--kind", "size"), "as in --kind size=ordinal"),
        (("--kind", "size=funny"), "must be one of continuous, count"),
        (("--kind", "city=ordinal"), "--kind 'city=Bonn<Oslo<Rome'"),
        (("--encoding", "klingon"), "knows no encoding"),
        (("--missing", "refuse"), "--missing em"),
        (
            (
                "--decimal",
                "..",
            ),
            "one character",
        ),
    ],
)
def test_options_that_do_not_fit(arguments: tuple[str, ...], words: str, survey: Path, tmp_path: Path) -> None:
    assert words in one_sentence(run("discover", survey, *QUICK, *arguments, "--out", tmp_path / "out"))


def test_a_mark_of_ones_own_and_a_missing_header(survey: Path, tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=(40, 3)).round(2).astype(str)
    values[[2, 9], 1] = "lost"
    (tmp_path / "t.csv").write_text("\n".join(",".join(row) for row in values.tolist()))
    said = run("discover", tmp_path / "t.csv", *QUICK, "--out", tmp_path).stderr
    assert "no header line" in said
    assert "numbers, but also 'lost' in 2 rows" in said
    assert "--na lost" in said
    result = run("discover", tmp_path / "t.csv", *QUICK, "--na", "lost", "--out", tmp_path)
    assert "missing values written 'lost' in 1 column" in result.stderr
    named = run("discover", tmp_path / "t.csv", *QUICK, "--header", "--out", tmp_path, "--json")
    assert json.loads(named.stdout)["data"]["n_samples"] == 39


def test_check_and_bootstrap_read_the_same_way(survey: Path, tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text("dose -> ill; dose -> pain")
    checked = run("check", survey, tmp_path / "graph.txt")
    assert checked.exit_code == 0
    assert "Read: tab-separated" in checked.stderr
    (tmp_path / "lost.txt").write_text("dose -> ill; city -> ill")
    lost = run("check", survey, tmp_path / "lost.txt", "--margins", "latent")
    assert "The graph has 'city', but 'city' is left out" in one_sentence(lost)
    told = run("check", survey, tmp_path / "lost.txt", "--kind", "city=Bonn<Oslo<Rome")
    assert told.exit_code == 0
    repeated = run("bootstrap", survey, *QUICK, "--replicates", 3, "--jobs", 1, "--out", tmp_path)
    assert repeated.exit_code == 0
    saved = read_result(tmp_path / "result.json")
    assert set(saved.names) == {"dose", "ill", "size", "city", "pain"}
    assert saved.reading is not None
    answer = lurking.discover(survey, n_restarts=1, time_budget=5, n_replicates=2)
    assert answer.n_replicates == 2


def test_quiet_says_nothing(survey: Path, tmp_path: Path) -> None:
    result = run("discover", survey, *QUICK, "--out", tmp_path, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
