"""The command as a process of its own: start-up, exit codes, Ctrl-C, a bar on a real terminal."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import chain_table
from cli.terminal import COMMAND, on_terminal, read_until
from lurking import simulate_admg


def test_help_is_fast_and_imports_little(tmp_path: Path) -> None:
    heavy = "numpy", "pandas", "numba", "rich", "sklearn"
    code = f"""
import sys
from lurking.cli import main
try:
    main(["--help"])
finally:
    print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stderr.strip() == "[]"
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


def test_exit_codes_and_streams(tmp_path: Path) -> None:
    chain_table().to_csv(tmp_path / "t.csv", index=False)
    good = subprocess.run(
        [*COMMAND, "discover", "t.csv", "--solver", "exact", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert good.returncode == 0
    assert json.loads(good.stdout)["status"]["name"] == "COMPLETE"
    assert "Traceback" not in good.stderr
    assert (tmp_path / "report.html").exists()
    bad = subprocess.run([*COMMAND, "discover", "no.csv"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (1, "", 1)
    wrong = subprocess.run([*COMMAND, "discover", "--no"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    chain_table().to_csv(tmp_path / "t.csv", index=False)

    def said(encoding: str, *arguments: str) -> str:
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        command = [*COMMAND, *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, env=environment)
        return done.stdout.decode(encoding)

    assert "The paper's lambda" in said("cp1252", "discover", "--help")
    arguments = "discover", "t.csv", "--solver", "exact", "--full"
    full, plain, plainest = (said(encoding, *arguments) for encoding in ("utf-8", "cp1252", "ascii"))
    (loglik,) = (line.split()[:2] for line in full.splitlines() if line.startswith("Log-likelihood"))
    assert loglik[1].startswith("−")
    for text in (plain, plainest):
        assert f"Log-likelihood  {loglik[1].replace('−', '-')} " in text


def test_what_the_system_refuses_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "cite"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert (
        done.stderr == "lurking: The system says 'No space left on device'; check the disk and where the output goes.\n"
    )


@pytest.mark.parametrize("presses", [1, 2])
def test_interrupt_gives_the_best_graph_so_far(presses: int, tmp_path: Path) -> None:
    simulate_admg(12, 500, random_state=0).data.to_csv(tmp_path / "t.csv", index=False)
    arguments = ("discover", "t.csv", "--restarts", "500", "--jobs", "1", "--json")
    with (
        (tmp_path / "printed.json").open("wb") as printed,
        on_terminal(*arguments, cwd=tmp_path, stdout=printed) as (process, terminal),
    ):
        shown = read_until(terminal, b"searching", seconds=240)
        process.send_signal(signal.SIGINT)
        if presses == 2:
            shown += read_until(terminal, b"Stopping at the best graph", seconds=60)
            process.send_signal(signal.SIGINT)
        shown += read_until(terminal, None, seconds=120)
        code = process.wait(timeout=60)
    assert b"Traceback" not in shown
    if presses == 1 or code == 0:  # the second Ctrl-C can come after the answer
        assert code == 0
        document = json.loads((tmp_path / "printed.json").read_text(encoding="utf-8"))
        assert document["status"]["name"] == "INTERRUPTED"
        assert "interrupted" in " ".join(document["status"]["messages"])
        assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8")) == document
    else:
        assert code == 1
        assert b"nothing was written" in shown
        assert sorted(path.name for path in tmp_path.iterdir()) == ["printed.json", "t.csv"]
