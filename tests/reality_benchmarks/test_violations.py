"""The benchmark of broken assumptions: what each world breaks, and how statements are counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.violations.__main__ import main, said_by_pag, truth_of
from benchmarks.violations.worlds import WORLDS, violated

from lurking import ADMG
from lurking.data.effective_rows import effective_rows


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_is_the_same_every_time_and_has_its_columns(world: str) -> None:
    (one, truth), (again, _) = violated(world, 300, 3), violated(world, 300, 3)
    assert one.equals(again)
    assert list(one.columns) == list(truth.names)
    assert one.shape == (300, 10)
    assert np.isfinite(one.to_numpy()).all()


@pytest.mark.parametrize(
    ("world", "reason"),
    [
        ("curved", "curved"),
        ("bent", "curved"),
        ("outlier", "disagreement"),
        ("repeated", "copies"),
        ("ar", "dependent"),
    ],
)
def test_the_reason_of_a_world_is_seen(world: str, reason: str) -> None:
    rows = violated(world, 999, 4)[0].to_numpy()
    assert next(iter(effective_rows(rows, len(rows)).by_reason())) == reason


def test_the_ratio_is_caused_by_its_two_parts() -> None:
    truth = violated("ratio", 300, 0)[1]
    first, second, third = truth.names[:3]
    assert {(second, first), (third, first)} <= set(truth.directed_edges())
    assert not any(cause == first for cause, _ in truth.directed_edges())


def test_statements_of_a_graph_that_is_known() -> None:
    true = truth_of(ADMG.parse("A -> B -> C"))
    assert true["causes"].sum() == 3  # A on B, A on C, B on C
    assert true["not causes"].sum() == 3
    assert true["adjacent"].sum() == 2
    assert true["apart"].sum() == 1


def test_a_pag_says_what_its_marks_say() -> None:
    said = said_by_pag(ADMG.parse("A -> C <- B; C -> D").to_pag())
    assert np.nansum(said["causes"]) == 1  # C on D
    assert np.nansum(said["not causes"]) == 3  # C on A, C on B, D on C
    assert np.isnan(said["shares a cause"]).all()
    assert np.nansum(said["adjacent"]) == 3
    assert np.nansum(said["apart"]) == 3


def test_a_run_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "--out", str(tmp_path), "--datasets", "1", "--rows", "300", "--worlds", "clean"]
    command += ["--methods", "FCI .01", "GFCI .01"]
    assert main(command) == 0
    before = (tmp_path / "counts.csv").read_text()
    assert main(command) == 0
    assert (tmp_path / "counts.csv").read_text() == before
    assert "| clean | GFCI .01 | 300 |" in capsys.readouterr().out


def test_seeds_for_tuning_are_kept_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--out", str(tmp_path), "--first", "999", "--datasets", "2"]) == 1
    assert "which are for tuning" in capsys.readouterr().err
