"""The numbers in the tables, by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from lurking import ADMG
from lurking.experiments import RandomGraphsExperiment, RegularizationExperiment, SachsExperiment, VermaExperiment
from lurking.experiments.published import RANDOM_GRAPHS, REGULARIZATION
from lurking.experiments.sachs_truths import TRUTHS, adjacency_rates
from lurking.experiments.tables import cell, mean_and_error


def verma_rows(verdicts: dict[str, list[str]]) -> pd.DataFrame:
    rows = [
        {"n": 500, "dataset": k, "method": method, "verdict": verdict, "converged": int(k > 0), "bic": 10.0 + k}
        | {"bic_truth": 10.0, "unconverged_restarts": 2, "seconds": 1.0, "cpu_seconds": 0.5, "status": "COMPLETE"}
        for method, found in verdicts.items()
        for k, verdict in enumerate(found)
    ]
    return pd.DataFrame(rows)


def test_shares_of_the_true_class_and_of_super_models() -> None:
    experiment = VermaExperiment(4, methods=["exact-free", "greedy-bap"], sizes=(500,))
    rows = verma_rows(
        {"exact-free": ["true", "true", "true", "super"], "greedy-bap": ["wrong", "true", "super", "wrong"]}
    )
    true, larger, cost = experiment.tables(rows)
    # 3 of 4: standard deviation 0.5, error 0.25; 1 of 4 has the same error; 2 of 4: sqrt(1/3) / 2.
    assert [row[1] for row in true.rows[:2]] == ["**0.75 ± 0.25**", "0.25 ± 0.25"]
    assert [row[1] for row in larger.rows] == ["**1.00 ± 0.00**", "0.50 ± 0.29"]
    # BIC above that of the truth: 0, 1, 2, 3; one of four did not converge; two restarts in each row.
    assert cost.rows[0][1:4] == ("1.5 ± 0.6", "1 of 4", "8")
    assert cost.rows[0][5:] == ("0.5", "1.0")


def test_shares_by_penalty_stand_beside_those_of_the_paper() -> None:
    rows = verma_rows({"dcd-bow-free": ["true", "super", "wrong", "wrong"]}).assign(penalty=0.05)
    (table,) = RegularizationExperiment(4, penalties=(0.05,)).tables(rows)
    assert table.rows[0][:5] == ("0.05", "0.25 ± 0.25", "0.25 ± 0.25", "0.50 ± 0.29", "0.39 / 0.41 / 0.20")


def test_rates_of_random_graphs_and_scale_free_methods_in_both_tables() -> None:
    experiment = RandomGraphsExperiment(2, methods=["hybrid-similar", "greedy-bap"])
    rows = []
    for method, scale, tprs in (
        ("hybrid-similar", "raw", (0.9, 0.8)),
        ("hybrid-similar", "standardised", (0.7, 0.7)),
        ("greedy-bap", "raw", (0.8, math.nan)),
    ):
        for k, tpr in enumerate(tprs):
            row: dict[str, object] = dict.fromkeys(experiment.columns, 0.1)
            row |= {
                "truth": "arid",
                "variables": 10,
                "scale": scale,
                "dataset": k,
                "method": method,
                "status": "COMPLETE",
            }
            rows.append(row | {"skeleton_tpr": tpr, "varsortability": 0.9, "bic": 7.0, "bic_truth": 10.0})
    raw, standardised, *_ = experiment.tables(pd.DataFrame(rows))
    assert [row[:2] for row in raw.rows] == [
        ("hybrid, noise similar", "0.85 ± 0.05"),
        ("greedyBAP", "0.80"),
        ("paper: greedyBAP", "0.80"),
        ("paper: its method", "**0.89**"),
    ]
    assert raw.rows[0][7] == "-3 ± 0"
    assert [row[:2] for row in standardised.rows] == [
        ("hybrid, noise similar", "0.70 ± 0.00"),
        ("greedyBAP †", "**0.80**"),
    ]
    assert "Varsortability 0.90" in raw.note
    assert "†" in standardised.note


def test_means_leave_out_what_is_missing() -> None:
    assert mean_and_error([1.0, math.nan, 3.0]) == (2.0, 1.0)
    assert all(math.isnan(value) for value in mean_and_error([]))
    assert cell([]) == "–"
    assert cell([0.5]) == "0.50"
    values = np.random.default_rng(0).normal(size=30)
    mean, error = mean_and_error(values)
    assert mean == pytest.approx(values.mean())
    assert error == pytest.approx(math.sqrt(((values - values.mean()) ** 2).sum() / 29 / 30))


def test_published_numbers_are_complete() -> None:
    assert set(RANDOM_GRAPHS) == {(c, d) for c in ("arid", "ancestral") for d in (10, 15)}
    for shares in REGULARIZATION.values():
        assert sum(shares) == pytest.approx(1.0)
    assert all(0 <= value <= 1 for rows in RANDOM_GRAPHS.values() for row in rows.values() for value in row)


def test_adjacencies_and_the_level_of_guessing() -> None:
    names = ["Raf", "Mek", "Plcg", "PIP2", "PIP3", "Erk", "Akt", "PKA", "PKC", "P38", "Jnk"]
    assert TRUTHS["consensus"] < TRUTHS["sachs"] < TRUTHS["supplemented"]
    assert set().union(*TRUTHS["supplemented"]) == set(names)
    graph = ADMG.parse("Raf -> Mek; Mek -> Erk; Erk <-> PKA; Raf -> Jnk", names=names)
    rates = adjacency_rates(graph, TRUTHS["supplemented"])
    assert (rates.precision, rates.recall) == (3 / 4, 3 / 28)
    assert (rates.guessing_precision, rates.guessing_recall) == (28 / 55, 4 / 55)
    from scipy.stats import hypergeom

    assert rates.p_value == pytest.approx(float(hypergeom.sf(2, 55, 28, 4)))


def test_a_method_without_rows_is_a_dash_not_an_error() -> None:
    experiment = SachsExperiment(1, methods=["dcd"])
    empty = experiment.frame([])
    assert experiment.tables(empty)[0].rows[0][1] == "–"
