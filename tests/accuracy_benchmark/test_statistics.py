"""The benchmark of accuracy: statements, calibration and tables on numbers that can be checked by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from benchmarks.accuracy.reliability import calibration_tables, picture, pooled
from benchmarks.accuracy.runs import CALIBRATION_COLUMNS, RATES, RESULT_COLUMNS
from benchmarks.accuracy.statements import KINDS, Counts, Sample, counts, sample_of, statements, thinned
from benchmarks.accuracy.tables import all_tables, comparison, seeds_text

from lurking import ADMG
from lurking.search.posterior import weigh


def sample(*graphs: tuple[str, float]) -> Sample:
    parsed = tuple(ADMG.parse(text, names=["A", "B", "C"]) for text, _ in graphs)
    shares = np.array([share for _, share in graphs])
    return Sample(parsed, shares, "posterior")


def test_probabilities_of_statements_are_sums_over_graphs() -> None:
    truth = ADMG.parse("A -> B <- C", names=["A", "B", "C"])
    said = statements(sample(("A -> B <- C", 0.5), ("A -> B; C", 0.3), ("A <-> B; C -> A", 0.2)), truth)
    probability, right = said["adjacent"]  # AB, AC, BC
    np.testing.assert_allclose(probability, [1.0, 0.2, 0.5])
    assert right.tolist() == [True, False, True]
    probability, right = said["causes"]  # AB, AC, BA, BC, CA, CB
    np.testing.assert_allclose(probability, [0.8, 0.0, 0.0, 0.0, 0.2, 0.5])
    assert right.tolist() == [True, False, False, False, False, True]
    np.testing.assert_allclose(said["not causes"][0], 1.0 - probability)
    assert said["not causes"][1].tolist() == (~right).tolist()
    np.testing.assert_allclose(said["common cause"][0], [0.2, 0.0, 0.0])
    probability, right = said["arrowhead"]  # the mark at the second of AB, AC, BA, BC, CA, CB
    np.testing.assert_allclose(probability, [0.5, 0.0, 0.2, 0.0, 0.2, 0.5])
    assert right.tolist() == [True, False, False, False, False, True]
    assert not said["tail"][0].any()
    assert not said["tail"][1].any()


def test_causes_are_ancestors_at_any_distance_and_the_order_of_names_does_not_matter() -> None:
    truth = ADMG.parse("A -> B -> C -> D")
    graph = ADMG.parse("A -> B -> C -> D", names=["D", "B", "A", "C"])
    probability, right = statements(Sample((graph,), np.array([1.0]), "posterior"), truth)["causes"]
    assert right.sum() == 6
    np.testing.assert_array_equal(probability, right)


def test_graphs_come_from_the_posterior_or_from_the_candidates() -> None:
    graphs = (ADMG.parse("A -> B"), ADMG.parse("A; B"))
    for sampled, source in ((True, "posterior"), (False, "candidates")):
        posterior = replace(weigh([(graphs[0], 0.0), (graphs[1], 2.0 * np.log(3.0))], 0.0), sampled=sampled)
        search: Any = SimpleNamespace(posterior=posterior)
        found = sample_of(search)
        assert tuple(found.graphs) == graphs
        assert found.shares == pytest.approx([0.75, 0.25])
        assert found.source == source


def test_thinning_keeps_the_probabilities() -> None:
    names = [f"V{k}" for k in range(300)]
    graphs = tuple(ADMG.empty([name]) for name in names)
    shares = np.random.default_rng(0).dirichlet(np.full(300, 0.2))
    whole = Sample(graphs, shares, "posterior")
    assert thinned(whole, 300) is whole
    few = thinned(whole, 100)
    assert len(few.graphs) <= 100
    assert few.shares.sum() == pytest.approx(1.0)
    of_name = {graph.names[0]: share for graph, share in zip(few.graphs, few.shares.tolist(), strict=True)}
    assert max(abs(of_name.get(name, 0.0) - share) for name, share in zip(names, shares, strict=True)) <= 0.02


def test_bins_and_calibration_error() -> None:
    found = counts(np.array([0.0, 0.04, 0.5, 0.95, 1.0, 1.0]), np.array([False, True, True, True, True, False]))
    assert found.number[[0, 10, 19]].tolist() == [2.0, 1.0, 3.0]
    assert found.number.sum() == 6
    assert found.error == pytest.approx((abs(0.04 - 1) + abs(0.5 - 1) + abs(2.95 - 2)) / 6)
    assert found.error_above_first() == pytest.approx((abs(0.5 - 1) + abs(2.95 - 2)) / 4)
    share, number = found.share_right(0.95)
    assert (share, number) == (2 / 3, 3)
    assert np.isnan(Counts.none().error)
    again = Counts.of_texts(**found.to_texts())
    np.testing.assert_allclose((again + again).probability, 2.0 * found.probability, rtol=1e-5)


def calibration_rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = []
    for world, d, n in (("hidden", 10, 300), ("hidden", 10, 1000), ("verma", 4, 500)):
        for seed in range(3):
            for kind in KINDS:
                probability = rng.random(2000)
                texts = counts(probability, rng.random(2000) < probability).to_texts()
                rows.append(
                    dict(zip(CALIBRATION_COLUMNS, (world, d, n, seed, "one", kind, "posterior"), strict=False)) | texts
                )
    return pd.DataFrame(rows)


def test_calibration_tables_pool_counts_and_show_a_calibrated_sample_as_one() -> None:
    table = calibration_rows()
    assert pooled(table).number.sum() == 3 * 3 * 6 * 2000
    summary, reliability = calibration_tables(table, "one")
    by_name = {row[0]: row for row in summary.rows}
    assert by_name["hidden: causes"][1] == "12000"
    assert by_name["hidden 10, n = 300: causes"][1] == "6000"
    assert "verma 4, n = 500: causes" not in by_name  # the same as verma as a whole
    assert float(by_name["hidden: causes"][2]) < 0.03
    assert float(by_name["hidden: causes"][4]) > 0.95
    assert reliability.rows[19][0] == "0.95 to 1.00"
    number = int(reliability.rows[19][1].split("(")[1].rstrip(")"))
    assert 400 < number < 800  # of 12000, without the world verma
    svg = picture(table, "one")
    assert svg.startswith("<svg")
    assert "common cause" in svg


def result_rows() -> pd.DataFrame:
    rows = []
    for world, d, n in (("hidden", 10, 300), ("hidden", 20, 300), ("arid", 10, 1000), ("verma", 4, 500)):
        for seed in range(4):
            distances = {"default best": 8.0 + seed, "dag-1": 10.0 + 2 * seed, "fci-01": 9.0 if d == 10 else 30.0}
            for method, distance in distances.items():
                if world == "verma" and method != "default best":
                    continue
                failed = method == "fci-01" and d == 20 and seed == 3
                key = dict(zip(RESULT_COLUMNS, (world, d, n, seed, method, distance), strict=False))
                row = key | dict.fromkeys(RATES, 0.5) | {"true_class": float(seed > 0), "seconds": 1.5, "note": ""}
                rows.append(row | {"pag_shd": np.nan, "note": "stopped"} if failed else row)
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS))


def test_ours_is_compared_with_the_best_baseline_on_the_same_data_sets() -> None:
    table = result_rows()
    rows = {row[0]: row[1:] for row in comparison(table[table["world"] == "hidden"], "default best").rows}
    assert rows["10, n = 300"] == ("4", "FCI .01", "9.0", "9.5", "0.5 ± 0.6", "-6 %", "yes")
    # FCI has no answer on one data set of 20 variables, so it is neither the best there nor over all sizes.
    assert rows["20, n = 300"] == (
        *("4", "best DAG, price 1, then its PAG", "13.0", "9.5", "-3.5 ± 0.6", "27 %", "yes"),
    )
    assert rows["all sizes, best single baseline"][1:4] == ("best DAG, price 1, then its PAG", "13.0", "9.5")
    note = comparison(table[table["world"] == "hidden"], "default best").note
    assert note.endswith("Not on all data sets: FCI .01.")


def test_a_worse_answer_is_not_up_to_one_error() -> None:
    table = result_rows()
    table.loc[table["method"] == "default best", "pag_shd"] += 10
    rows = comparison(table[table["world"] == "hidden"], "default best").rows
    assert [row[-1] for row in rows] == ["no", "no", "no"]


def test_tables_show_means_errors_failures_and_the_best() -> None:
    table = result_rows()
    titles = {one.title: one for one in all_tables(table)}
    distances = {
        row[0]: row[1:] for row in titles["Hidden roots: pairs whose edge differs from that of the true PAG"].rows
    }
    assert distances["ours: default best"] == ("9.5 ± 0.6", "**9.5 ± 0.6**")
    assert distances["FCI .01"] == ("**9.0 ± 0.0**", "30.0 ± 0.0 (1 of 4 without answer)")
    shares = titles["Verma graphs: share of data sets with a graph of the true class"]
    assert shares.rows == (("ours: default best", "**0.75 ± 0.25**"),)
    marks = titles["The paper's generator, arid truths, 10 variables, 1000 rows"]
    assert marks.rows[0][:2] == ("ours: default best", "**0.50/0.50 F1 0.50**")
    assert titles["Seconds of processor time, world arid"].rows[0] == ("ours: default best", "1.5")
    assert seeds_text(table) == "Seeds for reporting: hidden 0 to 3 (4), arid 0 to 3 (4), verma 0 to 3 (4)."
    assert seeds_text(table.assign(seed=table["seed"] + 1000)).startswith("Seeds for tuning: hidden 1000 to 1003")
