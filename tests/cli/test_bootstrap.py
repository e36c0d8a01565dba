"""``lurking bootstrap``, and ``lurking discover --bootstrap``, seen from the command line."""

from __future__ import annotations

import json
import signal
import socket
import sys
from pathlib import Path

import pytest
from distributed import LocalCluster

from cli.command import chain_table, nothing_written, one_sentence, run, spoken
from cli.terminal import on_terminal, read_until
from dask_cluster import local_cluster
from lurking import ADMGDiscovery, bootstrap
from lurking.cli import cluster
from lurking.discovery import read_result

EXACT = ("--solver", "exact", "--replicates", 6, "--seed", 3)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    chain_table().to_csv(path, index=False)
    return path


def test_shares_consensus_and_sentences(table: Path, tmp_path: Path) -> None:
    result = run("bootstrap", table, *EXACT, "--out", tmp_path / "out", "--svg")
    assert (result.exit_code, spoken(result)) == (0, [])
    expected = bootstrap(ADMGDiscovery(solver="exact"), chain_table(), n_replicates=6, random_state=3)
    words = " ".join(result.stdout.split())
    assert "6 replicates, 400 rows, 3 variables" in words
    assert "Pair no edge -> <- <-> In the PAG" in words
    assert "dose, blood level" in words
    assert "Consensus graph" in words
    assert "of the replicates" in words or "do not decide how" in words
    saved = read_result(tmp_path / "out" / "result.json")
    assert (saved.status, saved.n_replicates, saved.seed) == ("CONSENSUS", 6, 3)
    assert saved.admg == expected.majority
    for pair in saved.bootstrap:
        i, j = expected.names.index(pair.one), expected.names.index(pair.other)
        shares = [pair.admg.get(arrow, 0.0) for arrow in ("", "->", "<-", "<->")]
        assert shares == pytest.approx(expected.frequencies[i, j].tolist())
        assert sum(pair.pag.values()) == pytest.approx(1)
    assert {edge.share for edge in saved.edge_estimates} <= {k / 6 for k in range(7)}
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert 'id="threshold"' in page
    assert "How stable the edges are" in page
    assert "efron1979bootstrap" in page
    assert "efron1979bootstrap" in run("cite", tmp_path / "out" / "result.json").stdout
    assert (tmp_path / "out" / "graph.svg").exists()


def test_json_quiet_and_jobs(table: Path, tmp_path: Path) -> None:
    printed = [
        run("bootstrap", table, "--replicates", 4, "--restarts", 1, "--jobs", jobs, "--out", tmp_path, "--json").stdout
        for jobs in (1, 2)
    ]
    assert printed[0] == printed[1] == (tmp_path / "result.json").read_text(encoding="utf-8")
    assert json.loads(printed[0])["bootstrap"]["n_replicates"] == 4
    quiet = run("bootstrap", table, *EXACT, "--out", tmp_path, "--quiet")
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_discover_and_demo_say_how_often_an_edge_was_found(table: Path, tmp_path: Path) -> None:
    result = run("discover", table, "--solver", "exact", "--bootstrap", 5, "--seed", 3, "--out", tmp_path, "--full")
    assert "Bootstrap" in result.stdout
    saved = read_result(tmp_path / "result.json")
    model = ADMGDiscovery(solver="exact", random_state=3).fit(chain_table())
    expected = bootstrap(model, chain_table(), n_replicates=5, random_state=3)
    assert (saved.admg, saved.status, saved.n_replicates) == (model.admg_, "COMPLETE", 5)
    for edge in saved.edge_estimates:
        i, j = expected.names.index(edge.one), expected.names.index(edge.other)
        assert edge.share == expected.frequencies[i, j, 1 if edge.kind == "directed" else 3]
    assert 'id="threshold"' in (tmp_path / "report.html").read_text(encoding="utf-8")
    demo = run("demo", "--time-budget", 0.2, "--restarts", 1, "--bootstrap", 1, "--out", tmp_path, "--json")
    assert json.loads(demo.stdout)["bootstrap"]["n_replicates"] == 1


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--replicates", 0), 2, "--replicates"),
        (("--dask", "scheduler"), 2, "tcp://host:8786"),
        (("--time-budget", 1, "--solver", "dcd"), 2, "--solver hybrid only"),
        (("--columns", "dose, bloodlevel"), 1, "blood level"),
    ],
)
def test_bad_options(options: tuple[object, ...], code: int, words: str, table: Path, tmp_path: Path) -> None:
    with nothing_written(tmp_path):
        result = run("bootstrap", table, *options, "--out", tmp_path / "out")
    assert result.exit_code == code
    assert words in one_sentence(result)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_interrupt_keeps_the_replicates_so_far(table: Path, tmp_path: Path) -> None:
    with on_terminal("bootstrap", "table.csv", "--replicates", "5000", "--jobs", "1", cwd=tmp_path) as (
        process,
        terminal,
    ):
        shown = read_until(terminal, b"searching resampled data, 3 of", seconds=120)
        process.send_signal(signal.SIGINT)
        shown += read_until(terminal, None, seconds=60)
        assert process.wait(timeout=60) == 0
    assert b"Traceback" not in shown
    assert b"Stopping at the replicates so far" in shown
    saved = read_result(tmp_path / "result.json")
    assert saved.status == "INTERRUPTED"
    assert 2 <= (saved.n_replicates or 0) < 5000
    assert f"after {saved.n_replicates} replicates" in " ".join(saved.messages)


# ------------------------------------------------------------------------------------------------------- Dask


def test_a_cluster_gives_the_same_answer(table: Path, tmp_path: Path) -> None:
    arguments = (table, *EXACT, "--out", tmp_path, "--json")
    with local_cluster(1, threads_per_worker=2) as local:
        there = run("bootstrap", *arguments, "--dask", local.scheduler_address)
    assert there.exit_code == 0, there.stderr
    found, here = (json.loads(text) for text in (there.stdout, run("bootstrap", *arguments).stdout))
    assert {**found, "created": None} == {**here, "created": None}


def test_the_chains_of_a_search_and_its_replicates_run_on_a_cluster(table: Path, tmp_path: Path) -> None:
    arguments = (table, "--restarts", 2, "--bootstrap", 2, "--out", tmp_path, "--json")
    with local_cluster(2) as local:
        there = run("discover", *arguments, "--dask", local.scheduler_address)
        seen = tasks_of(local)
    assert there.exit_code == 0, there.stderr
    assert seen == {"batch_of__taken_1_calls", "batch_of__search_1_calls"}
    found, here = (json.loads(text) for text in (there.stdout, run("discover", *arguments).stdout))
    assert {**found, "created": None} == {**here, "created": None}


def tasks_of(local: LocalCluster) -> set[str]:
    """The names of everything that the scheduler was asked to compute."""
    scheduler = local.scheduler
    assert scheduler is not None
    keys = {str(entry[0]) for entry in scheduler.transition_log}
    return {key.rsplit("-", 1)[0] for key in keys if key.startswith("batch_of")}


def test_a_cluster_without_workers_or_with_another_version(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with local_cluster(0) as local:
        result = run("bootstrap", table, *EXACT, "--out", tmp_path / "out", "--dask", local.scheduler_address)
        assert "has no workers; start some" in one_sentence(result)
        local.scale(1)
        monkeypatch.setattr(cluster, "__version__", "9.9")
        monkeypatch.setattr(cluster, "PATIENCE", 20)
        result = run("bootstrap", table, *EXACT, "--out", tmp_path / "out", "--dask", local.scheduler_address)
        assert "here is 9.9; install the same version there" in one_sentence(result)
    assert not (tmp_path / "out").exists()


def test_no_scheduler_and_no_dask(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, but nobody listens
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        result = run("bootstrap", table, *EXACT, "--out", tmp_path / "out", "--dask", address)
    assert result.exit_code == 1
    assert f"No Dask scheduler answers at {address}" in one_sentence(result)
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("bootstrap", table, *EXACT, "--out", tmp_path / "out", "--dask", address)
    assert result.exit_code == 1
    assert "pip install 'lurking[dask]'" in one_sentence(result)
    assert not (tmp_path / "out").exists()
