"""``lurking discover`` and ``lurking demo``, seen from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from cli.command import CHAIN, chain_table, nothing_written, one_sentence, run, spoken
from lurking import ADMGDiscovery, Knowledge, Moments
from lurking.discovery import read_result


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    chain_table().to_csv(path, index=False)
    return path


def test_answer_in_words_and_files(table: Path, tmp_path: Path) -> None:
    result = run("discover", table, "--solver", "exact", "--out", tmp_path / "new" / "folder", "--svg")
    assert result.exit_code == 0
    assert spoken(result) == []
    for words in ("Certain (probability .95 or more)", "Open", "Apart", "blood level", "Schläfrigkeit"):
        assert words in result.stdout
    assert "Std. error" not in result.stdout
    assert len(result.stdout.splitlines()) <= 40
    in_full = run("discover", table, "--solver", "exact", "--out", tmp_path / "full", "--full").stdout
    for words in ("Estimate", "Std. error", "Cost of", "removal", "BIC", "Left open by the independences"):
        assert words in in_full
    written = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert written == ["graph.svg", "knowledge.toml", "pag.svg", "report.html", "result.json"]
    assert "Schläfrigkeit" in (tmp_path / "new" / "folder" / "report.html").read_text(encoding="utf-8")
    saved = read_result(tmp_path / "new" / "folder" / "result.json")
    expected = ADMGDiscovery(solver="exact", random_state=0).fit(chain_table())
    assert saved.admg == expected.admg_
    assert saved.fit.bic == pytest.approx(expected.bic_, abs=1e-6)
    assert saved.data_name == "table.csv"


def test_json_prints_the_file(table: Path, tmp_path: Path) -> None:
    result = run("discover", table, "--solver", "exact", "--out", tmp_path, "--json")
    assert result.stdout == (tmp_path / "result.json").read_text(encoding="utf-8")
    assert json.loads(result.stdout)["schema"] == "lurking/result@2"


def test_quiet_prints_nothing(table: Path, tmp_path: Path) -> None:
    result = run("discover", table, "--solver", "exact", "--out", tmp_path, "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    assert (tmp_path / "report.html").exists()


def test_every_kind_of_file_gives_the_same_graph(tmp_path: Path) -> None:
    table = chain_table()
    moments = Moments.from_table(table)
    table.to_csv(tmp_path / "a.csv", index=False)
    table.to_csv(tmp_path / "b.tsv", index=False, sep="\t")
    table.to_csv(tmp_path / "c.csv", index=False, sep=";", decimal=",")
    table.to_csv(tmp_path / "d.csv.gz", index=False)
    table.to_parquet(tmp_path / "e.parquet")
    pd.DataFrame(moments.cov, columns=list(table)).to_csv(tmp_path / "f.csv", index=False)
    rows = "\n".join("\t".join(map(repr, row[: i + 1])) for i, row in enumerate(moments.cov.tolist()))
    (tmp_path / "g.cov").write_text("/covariance\n400\n" + "\t".join(CHAIN.names) + f"\n{rows}\n", encoding="utf-8")
    options: dict[str, tuple[object, ...]] = {
        "c.csv": ("--separator", ";", "--decimal", ","),
        "f.csv": ("--n-samples", 400),
    }
    found = {}
    for path in sorted(tmp_path.glob("[a-g].*")):
        result = run(
            "discover",
            path,
            "--solver",
            "exact",
            "--out",
            tmp_path / "out",
            "-q",
            "--json",
            *options.get(path.name, ()),
        )
        assert result.exit_code == 0, result.stderr
        document = json.loads(result.stdout)
        found[path.name] = (json.dumps(document["graph"]), round(document["fit"]["bic"], 6))
    assert len(found) == 7
    assert len(set(found.values())) == 1, found


def test_columns_are_chosen(tmp_path: Path) -> None:
    chain_table().assign(note="text", **{"a, b": 1.0}).to_csv(tmp_path / "t.csv", index=False)
    result = run(
        "discover",
        tmp_path / "t.csv",
        "--columns",
        "dose, blood level",
        "--solver",
        "exact",
        "--out",
        tmp_path,
        "--json",
    )
    assert json.loads(result.stdout)["graph"]["names"] == ["dose", "blood level"]


def test_knowledge_is_obeyed_and_shown(table: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts.toml"
    facts.write_text(
        'tiers = [["dose"], ["blood level"], ["Schläfrigkeit"]]\nunconfounded = ["dose"]\n', encoding="utf-8"
    )
    result = run("discover", table, "--knowledge", facts, "--solver", "exact", "--out", tmp_path, "-q")
    assert result.exit_code == 0
    knowledge = Knowledge.from_toml(facts)
    assert not knowledge.violations(read_result(tmp_path / "result.json").admg)
    assert "No later variable causes an earlier one" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("option", "value", "setting"),
    [
        ("--class", "ancestral", "graph_class"),
        ("--noise", "similar", "noise_scale"),
        ("--solver", "exact", "solver"),
        ("--answer", "consensus", "answer"),
        ("--criterion", "bic", "criterion"),
    ],
)
def test_options_reach_the_search(table: Path, tmp_path: Path, option: str, value: str, setting: str) -> None:
    run("discover", table, "--solver", "exact", option, value, "--out", tmp_path, "-q")
    assert read_result(tmp_path / "result.json").settings[setting] == value


def test_the_penalty_of_the_paper_reaches_its_solver(table: Path, tmp_path: Path) -> None:
    graphs = []
    for penalty in (0.05, 5):
        run("discover", table, "--solver", "dcd", "--restarts", 1, "--penalty", penalty, "--out", tmp_path, "-q")
        result = read_result(tmp_path / "result.json")
        assert result.settings["penalty"] == penalty
        graphs.append(result.admg)
    assert graphs[0].n_edges > graphs[1].n_edges == 0  # so heavy a penalty leaves no edge


def test_hybrid_obeys_seed_restarts_and_budget(table: Path, tmp_path: Path) -> None:
    first, second = (
        run("discover", table, "--restarts", 2, "--seed", 3, "--jobs", jobs, "--out", tmp_path, "--json").stdout
        for jobs in (1, 2)
    )
    assert first == second
    document = json.loads(first)
    assert (document["seed"], document["settings"]["n_restarts"], document["status"]["name"]) == (3, 2, "COMPLETE")
    hasty = run("discover", table, "--time-budget", 1e-6, "--out", tmp_path)
    assert hasty.exit_code == 0
    assert "stopped at its time budget" in " ".join(hasty.stdout.split())


def test_missing_values_are_dropped_if_asked(tmp_path: Path) -> None:
    table = chain_table()
    table.iloc[3, 1] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    result = run("discover", tmp_path / "t.csv", "--solver", "exact", "--missing", "drop", "--out", tmp_path, "--json")
    assert json.loads(result.stdout)["data"]["n_samples"] == 399
    with nothing_written(tmp_path):
        refusing = ("--solver", "exact", "--missing", "refuse")
        said = one_sentence(run("discover", tmp_path / "t.csv", *refusing, "--out", tmp_path))
    assert "'blood level'" in said


def test_margins(table: Path, tmp_path: Path) -> None:
    run("discover", table, "--solver", "exact", "--margins", "rank", "--out", tmp_path, "-q")
    assert read_result(tmp_path / "result.json").settings["margins"] == "rank"


def test_hostile_names_are_data(tmp_path: Path) -> None:
    table = chain_table().set_axis(["[red]a[/red]", "<script>alert(1)</script>", "c\x1b[31m"], axis=1)
    table.to_csv(tmp_path / "t.csv", index=False)
    result = run("discover", tmp_path / "t.csv", "--solver", "exact", "--out", tmp_path)
    assert result.exit_code == 0
    assert "[red]a[/red]" in result.stdout
    assert "\x1b" not in result.stdout
    assert "<script>alert" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_demo_is_discover_on_the_proteins(tmp_path: Path) -> None:
    result = run("demo", "--time-budget", 1, "--restarts", 1, "--out", tmp_path)
    assert result.exit_code == 0
    assert "Signalling proteins" in result.stdout
    saved = read_result(tmp_path / "result.json")
    assert (saved.moments.n_samples, len(saved.admg), saved.seed) == (7466, 11, 0)
    assert "sachs2005causal" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "sachs2005causal" in run("cite", tmp_path / "result.json").stdout


def test_names_of_the_example_are_as_given() -> None:
    assert list(chain_table()) == list(CHAIN.names)
