"""The benchmark of real tables: claims on numbers that can be checked by hand, and a whole run on a small folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from benchmarks.real_tables import Claim, claims_of, directed_edges, main, tallies

from lurking import ADMG, simulate_admg


def test_claims_are_about_pairs_of_different_tiers() -> None:
    causes = np.array([[0.0, 0.9, 0.2], [0.05, 0.0, 0.5], [0.6, 0.0, 0.0]])
    claims = claims_of(causes, ("late", "early", "other early"), [["early", "other early", "absent"], ["late"]])
    assert claims == [Claim("early", "late", 0.05, 0.9), Claim("other early", "late", 0.6, 0.2)]
    assert tallies(claims) == ["0 / 0", "0 / 1", "1 / 1"]


def test_the_log_score_is_that_of_a_coin_where_nothing_is_known() -> None:
    assert Claim("a", "b", 0.0, 0.0).score == Claim("a", "b", 0.4, 0.4).score == 0.0
    assert Claim("a", "b", 1.0, 0.0).score == pytest.approx(1.0 + np.log2(1.01 / 1.02))
    assert Claim("a", "b", 0.0, 1.0).score == pytest.approx(1.0 + np.log2(0.01 / 1.02))


def test_claims_of_a_pag_are_its_directed_edges() -> None:
    pag = ADMG.parse("A -> C; B -> C; C -> D").to_pag()
    edges = directed_edges(pag, ("D", "C", "B", "A"))
    assert np.argwhere(edges).tolist() == [[1, 0]]  # only C -> D has a tail


def test_a_run_is_resumed_and_failures_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = ADMG.parse("A -> C <- B; C -> D")
    simulate_admg(graph, 800, random_state=0).data.to_csv(tmp_path / "one.csv", index=False)
    (tmp_path / "tiers.json").write_text(json.dumps({"one.csv": [["A", "B"], ["C"], ["D"]]}))
    out = tmp_path / "results"
    chosen = [str(tmp_path), "--out", str(out), "--methods", "FCI .01", "DirectLiNGAM"]
    assert main([*chosen, "--lingam-python", str(tmp_path / "nothing")]) == 0
    said = capsys.readouterr().out
    assert "FCI .01: 1 / 0, 1 / 0, 1 / 0" in said
    assert "one.csv, DirectLiNGAM: ParameterError" in said or "one.csv, DirectLiNGAM: RuntimeError" in said
    before = (out / "claims.csv").read_text()
    assert main(chosen) == 0
    assert (out / "claims.csv").read_text() == before
    assert "| FCI .01 | 1 of 1 | 1 / 0 |" in capsys.readouterr().out


def test_a_folder_without_an_order_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--out", str(tmp_path)]) == 1
    assert "tiers.json" in capsys.readouterr().err
