"""``check``, ``simulate``, ``compare``, ``convert``, ``cite`` and the help."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cli.command import chain_table, nothing_written, one_sentence, run
from lurking import ADMG, Moments, compare, simulate_admg
from lurking.cli.help_text import COMMANDS
from lurking.discovery import loads_result, read_result
from lurking.io import read_graph, write_graph
from lurking.sem import fit_measures, implied_tests, ricf

VERMA = ADMG.parse("A -> B -> C -> D; B <-> D")


@pytest.fixture
def verma_data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    simulate_admg(VERMA, 600, random_state=2).data.to_csv(path, index=False)
    return path


def test_check_fits_and_tests_the_graph(verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("A -> B -> C -> D; B <-> D")
    result = run("check", verma_data, tmp_path / "model.txt", "--out", tmp_path)
    assert result.exit_code == 0
    moments = Moments.from_path(verma_data)
    for test in implied_tests(moments, VERMA):
        assert test.statement in result.stdout
    assert "A ⊥ D in p(A,B,C,D)/p(C|B)" in result.stdout
    assert result.stdout.startswith("0 of 2 implied constraints refuted by the data (adjusted p < 0.05).\n")
    saved = read_result(tmp_path / "result.json")
    assert (saved.status, saved.admg) == ("GIVEN", VERMA)
    assert saved.measures.chi_square == pytest.approx(fit_measures(moments, ricf(moments, VERMA)).chi_square, abs=1e-6)
    assert "verma" in (tmp_path / "report.html").read_text(encoding="utf-8").lower()


def test_check_refutes_a_wrong_graph(verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text("A -> D; B; C")
    result = run("check", verma_data, tmp_path / "wrong.txt", "--out", tmp_path)
    assert result.exit_code == 0
    refuted = len(implied_tests(Moments.from_path(verma_data), ADMG.parse("A -> D; B; C")).rejected(0.05))
    assert refuted > 0
    assert result.stdout.startswith(f"{refuted} of 5 implied constraints refuted by the data")
    assert "The data contradict at least one" in " ".join(result.stdout.split())
    assert "< 0.001" in result.stdout


def test_check_writes_nothing_unless_asked(verma_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.txt").write_text("A -> B -> C -> D; B <-> D")
    with nothing_written(tmp_path):
        assert run("check", verma_data, "model.txt").exit_code == 0


def test_check_leaves_out_columns_that_the_graph_does_not_name(verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "part.txt").write_text("A -> B")
    result = run("check", verma_data, tmp_path / "part.txt", "--out", tmp_path, "--json")
    assert json.loads(result.stdout)["graph"]["names"] == ["A", "B"]


def test_check_does_not_mind_what_other_columns_hold(verma_data: Path, tmp_path: Path) -> None:
    table = pd.read_csv(verma_data)
    whole = pd.concat([table, pd.DataFrame({"note": "text", "batch": 1, "rare": np.nan}, index=table.index)], axis=1)
    whole.to_csv(tmp_path / "whole.csv", index=False)
    (tmp_path / "model.txt").write_text("A -> B -> C -> D; B <-> D")
    alone, among = (run("check", data, tmp_path / "model.txt") for data in (verma_data, tmp_path / "whole.csv"))
    assert among.exit_code == 0
    assert among.stdout.replace("whole.csv", verma_data.name) == alone.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("model.dagitty", "dag { A -> B -> C -> D; U [latent]; U -> B; U -> D }"),
        ("model.lavaan", "B ~ A; C ~ B; D ~ C; U =~ B + D"),
    ],
)
def test_latent_variables_are_unmeasured(name: str, text: str, verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    result = run("check", verma_data, tmp_path / name, "--json")
    assert set(loads_result(result.stdout).admg.bidirected_edges()) == {("B", "D")}
    said = " ".join(run("check", verma_data, tmp_path / name).stdout.split())
    assert "Not measured, and turned into what it means for the others: U." in said
    assert run("convert", tmp_path / name, tmp_path / "model.txt").exit_code == 0
    assert ADMG.parse((tmp_path / "model.txt").read_text(), names=VERMA.names) == VERMA


def test_convert_says_what_is_lost(tmp_path: Path) -> None:
    def said(name: str, text: str, *options: str) -> str:
        (tmp_path / name).write_text(text)
        return run("convert", tmp_path / name, *options).stderr

    lost = said("m.lavaan", "f =~ a + b\ny ~ x + z", "-", "--to", "text")
    assert "free what is not written: x <-> z." in lost
    assert (
        "turned into what it means for the others: f. That keeps independences and Verma constraints, but not" in lost
    )
    unsaid = "The format text does not say that this is a PAG; it reads back as ADMG unless kind='pag' is given.\n"
    assert said("p.dagitty", "pag { A -> B }", "-", "--to", "text") == unsaid
    assert said("p.dagitty", "pag { A -> B }", str(tmp_path / "out.txt")) == unsaid
    for target in ("dagitty", "json", "gml", "dot", "tetrad"):
        assert said("p.dagitty", "pag { A -> B }", "-", "--to", target) == ""
    assert said("p.dagitty", "pag { A @-> B }", "-", "--to", "text") == ""


def test_tetrads_of_a_factor_are_tested(tmp_path: Path) -> None:
    right = "f -> a; f -> b; f -> c; f -> d"
    for graph, refuted in ((right, False), (right + "; a <-> b", True)):
        simulated = simulate_admg(ADMG.parse(graph), 3000, random_state=2).data.drop(columns="f")
        simulated.to_csv(tmp_path / "data.csv", index=False)
        (tmp_path / "model.lavaan").write_text("f =~ a + b + c + d")
        tests = loads_result(run("check", tmp_path / "data.csv", tmp_path / "model.lavaan", "--json").stdout).tests
        assert [test.kind for test in tests] == ["tetrad"] * 3  # the projection has every edge
        assert any(test.refuted for test in tests) == refuted
    said = run("check", tmp_path / "data.csv", tmp_path / "model.lavaan", "--out", tmp_path).stdout
    assert "2 of 3 implied constraints refuted" in said
    assert "σ(a,c) σ(b,d) = σ(a,d) σ(b,c)  tetrad" in said
    assert "Vanishing tetrads" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_check_says_what_to_adjust_for(verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(str(VERMA))
    result = run("check", verma_data, tmp_path / "model.txt", "--out", tmp_path)
    assert "What to adjust for, and where to look for an instrument" in result.stdout
    assert "no set is right; the instrument A" in result.stdout
    assert '<section class="column" id="adjustment">' in (tmp_path / "report.html").read_text(encoding="utf-8")
    ways = {
        (way["cause"], way["effect"]): way
        for way in json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["ways_to_estimate"]
    }
    assert ways["C", "D"]["adjust_for"] == ["B"]
    assert ways["B", "D"]["adjust_for"] is None
    assert ways["B", "D"]["instrument"] == "A"
    assert "Σ_C" in ways["B", "D"]["formula"]


def test_a_graph_on_other_variables_says_who_lacks_what(verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("A -> B; C")
    result = run("check", verma_data, tmp_path / "model.txt", "--columns", "A,D")
    assert result.exit_code == 1
    assert "'B', 'C' are only in the graph and 'D' is only in the data" in one_sentence(result)


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        ("A -> B; A <-> B; C; D", "bow"),
        ("A o-> B; C; D", "PAG"),
        ("A -> B -> A; C; D", "cycle"),
        ("A -> Q; B; C; D", "'Q'"),
        ("A ->", "write the second name"),
    ],
)
def test_check_refuses_graphs(graph: str, words: str, verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(graph)
    with nothing_written(tmp_path):
        result = run("check", verma_data, tmp_path / "model.txt", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert words in one_sentence(result)


def test_simulate_is_the_library(tmp_path: Path) -> None:
    result = run("simulate", "--variables", 4, "--rows", 50, "--class", "arid", "--seed", 7, "--out", tmp_path)
    assert result.exit_code == 0
    expected = simulate_admg(4, 50, graph_class="arid", random_state=7)
    assert read_graph(tmp_path / "truth.json") == expected.admg
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "data.csv"), expected.data)
    assert str(expected.admg) in result.stdout


def test_simulate_does_not_replace_data_of_ones_own(tmp_path: Path) -> None:
    small = ("simulate", "--variables", 3, "--rows", 20, "--out", tmp_path)
    assert run(*small).exit_code == run(*small, "--seed", 5).exit_code == 0  # a simulation may be made again
    (tmp_path / "truth.json").unlink()
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    refused = run(*small)
    assert refused.exit_code == 2
    assert "not from a simulation" in refused.stderr
    assert (tmp_path / "data.csv").read_text() == "a,b\n1,2\n"
    assert not (tmp_path / "truth.json").exists()


def test_simulate_from_a_graph_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("A -> B")
    run(
        "simulate",
        "--graph",
        tmp_path / "g.txt",
        "--rows",
        30,
        "--standardize",
        "--errors",
        "uniform",
        "--out",
        tmp_path,
    )
    table = pd.read_csv(tmp_path / "data.csv")
    assert list(table) == ["A", "B"]
    assert table.std(ddof=0).to_numpy() == pytest.approx([1.0, 1.0])


def test_compare_in_words_and_json(tmp_path: Path) -> None:
    truth, estimate = ADMG.parse("A -> B <-> C; D"), ADMG.parse("B -> A; B -> C; C -> D")
    write_graph(truth, tmp_path / "truth.dagitty")
    write_graph(estimate, tmp_path / "estimate.json")
    words = run("compare", tmp_path / "truth.dagitty", tmp_path / "estimate.json").stdout
    assert "A -> B became B -> A (reversed)" in words
    assert "3 of 6 pairs differ (ADMG)" in words
    numbers = json.loads(run("compare", tmp_path / "truth.dagitty", tmp_path / "estimate.json", "--json").stdout)
    assert numbers["shd"] == compare(truth, estimate).shd
    assert len(numbers["differences"]) == 3
    assert "are the same" in run("compare", tmp_path / "truth.dagitty", tmp_path / "truth.dagitty").stdout


def test_compare_reads_a_result(tmp_path: Path) -> None:
    chain_table().to_csv(tmp_path / "t.csv", index=False)
    run("discover", tmp_path / "t.csv", "--solver", "exact", "--out", tmp_path, "-q")
    found = read_result(tmp_path / "result.json").admg
    write_graph(found, tmp_path / "same.txt")
    assert "are the same" in run("compare", tmp_path / "same.txt", tmp_path / "result.json").stdout


def test_compare_of_different_variables(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A -> B")
    (tmp_path / "b.txt").write_text("A -> C")
    result = run("compare", tmp_path / "a.txt", tmp_path / "b.txt")
    assert result.exit_code == 1
    assert "B, C" in one_sentence(result)


@pytest.mark.parametrize("ending", ["json", "txt", "dot", "dagitty", "tetrad", "lavaan"])
def test_convert_there_and_back(ending: str, tmp_path: Path) -> None:
    write_graph(VERMA, tmp_path / "in.json")
    assert run("convert", tmp_path / "in.json", tmp_path / f"out.{ending}").exit_code == 0
    assert read_graph(tmp_path / f"out.{ending}") == VERMA


def test_convert_projects_draws_and_prints(tmp_path: Path) -> None:
    write_graph(VERMA, tmp_path / "in.txt")
    run("convert", tmp_path / "in.txt", tmp_path / "pag.amat", "--project", "pag")
    assert read_graph(tmp_path / "pag.amat") == VERMA.to_pag()
    run("convert", tmp_path / "in.txt", tmp_path / "mag.json", "--project", "mag")
    assert read_graph(tmp_path / "mag.json") == VERMA.to_mag()
    run("convert", tmp_path / "in.txt", tmp_path / "graph.svg")
    assert ET.parse(tmp_path / "graph.svg").getroot().tag.endswith("svg")
    assert "B ~~ D" in run("convert", tmp_path / "in.txt", "-", "--to", "lavaan").stdout
    result = run("convert", tmp_path / "in.txt", tmp_path / "graph.doc")
    assert result.exit_code == 1
    assert "--to" in one_sentence(result)
    assert not (tmp_path / "graph.doc").exists()


def test_cite_what_is_used() -> None:
    exact, ancestral = run("cite", "--solver", "exact").stdout, run("cite", "--class", "ancestral").stdout
    assert "bhattacharya2021differentiable" in exact
    assert "teyssier2005ordering" not in exact
    assert "teyssier2005ordering" in ancestral
    assert "richardson2002ancestral" in ancestral
    entries = json.loads(run("cite", "--json").stdout)
    assert all(entry["bibtex"].startswith("@") for entry in entries)


def test_cite_of_a_graph_that_was_given(verma_data: Path, tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text("A -> B -> C -> D; B <-> D")
    run("check", verma_data, tmp_path / "model.txt", "--out", tmp_path, "-q")
    cited = run("cite", tmp_path / "result.json").stdout
    assert "drton2009computing" in cited
    assert "schwarz1978estimating" not in cited


def test_help_names_every_command() -> None:
    overview = run("--help").stdout
    assert run().stdout == overview
    for name, words in COMMANDS.items():
        assert name in overview
        assert words in " ".join(overview.split())
        assert import_module(f"lurking.cli.{name}").command.short_help == words
        own = run(name, "--help")
        assert own.exit_code == 0
        assert f"Usage: lurking {name}" in own.stdout


def test_version() -> None:
    assert run("--version").stdout.startswith("lurking 0.")
