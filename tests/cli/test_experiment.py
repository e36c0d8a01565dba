"""``lurking experiment``: tables on stdout, files, usage errors, and Ctrl-C in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from cli.command import nothing_written, one_sentence, run

SMALL = ("--datasets", "1", "--restarts", "1", "--n-jobs", "1", "--methods", "exact-free,greedy-bap")


def test_tables_files_and_resumption(tmp_path: Path) -> None:
    first = run("experiment", "verma", *SMALL, "--out", tmp_path)
    assert first.exit_code == 0
    for words in ("True class recovered", "super-model", "Convergence", "greedyBAP", "0.39"):
        assert words in first.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plot.svg", "results.csv", "run.json", "tables.md"]
    before = (tmp_path / "results.csv").read_bytes()
    again = run("experiment", "verma", *SMALL, "--out", tmp_path)
    assert again.stdout == first.stdout
    assert (tmp_path / "results.csv").read_bytes() == before


def test_a_part_of_a_larger_run_leaves_its_tables_alone(tmp_path: Path) -> None:
    run("experiment", "verma", *SMALL, "--out", tmp_path)
    before = (tmp_path / "tables.md").read_bytes()
    part = run("experiment", "verma", *SMALL[:-1], "greedy-bap", "--out", tmp_path)
    assert part.exit_code == 0
    assert "hold more than was asked for; tables.md and plot.svg are left as they are" in part.stdout
    assert (tmp_path / "tables.md").read_bytes() == before


def test_quiet_says_nothing(tmp_path: Path) -> None:
    result = run("experiment", "regularization", *SMALL[:-2], "--out", tmp_path, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert len(pd.read_csv(tmp_path / "results.csv")) == 5


def test_numbers_of_variables_and_methods_can_be_lists(tmp_path: Path) -> None:
    result = run(
        *("experiment", "random-graphs", "--datasets", 1, "--n-jobs", 1, "--variables", 4, 5),
        *("--methods", "fci", "--methods", "m3hc", "--out", tmp_path),
    )
    assert result.exit_code == 0
    rows = pd.read_csv(tmp_path / "results.csv")
    assert set(rows["variables"]) == {4, 5}
    assert set(rows["method"]) == {"fci", "m3hc"}
    assert "varsortability" in result.stdout.lower()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("verma", "--variables", "10"), 2, "--variables is for random-graphs"),
        (("random-graphs", "12"), 2, "12 stands alone"),
        (("verma", "5"), 2, "the number of data sets is --datasets"),
        (("verma", "--methods", "fci"), 2, "no method 'fci'"),
        (("verma", "--methods", ","), 2, "At least one method is needed"),
        (("nothing",), 2, "nothing"),
        (("verma", "--n-jobs", "0"), 2, "--n-jobs"),
        (("verma", "--datasets", "0"), 2, "0"),
        (("verma", "--dask", "here"), 2, "--dask takes the address"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], code: int, words: str, tmp_path: Path) -> None:
    with nothing_written(tmp_path):
        result = run("experiment", *arguments, "--out", tmp_path)
        assert result.exit_code == code
        assert words in one_sentence(result)


def test_another_seed_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    run("experiment", "verma", *SMALL, "--out", tmp_path)
    assert "seed" in one_sentence(run("experiment", "verma", *SMALL, "--out", tmp_path, "--seed", 1))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a group of processes")
@pytest.mark.parametrize("n_jobs", ["1", "2"])
def test_ctrl_c_keeps_the_rows_and_says_how_to_go_on(n_jobs: str, tmp_path: Path) -> None:
    # A job in the background ignores interrupts, and so would all that it starts.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import lurking.cli as c; c.main()"
    )
    command = [sys.executable, "-c", program, "experiment", "verma", "--methods", "greedy-bap,hybrid-free"]
    command += ["--datasets", "50", "--n-jobs", n_jobs, "--out", "there"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    results = tmp_path / "there" / "results.csv"
    deadline = time.monotonic() + 100
    while not (results.exists() and results.read_bytes().count(b"\n") > 3):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    out, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert out == ""
    (line,) = [line for line in error.splitlines() if not line.startswith("Compiling")]
    rows = pd.read_csv(results)
    assert f"{len(rows)} of 400 results are kept" in line
    assert "run the same command to go on" in line
    assert set(rows["status"]) == {"COMPLETE"}
