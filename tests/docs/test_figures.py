"""The committed results are whole, their tables and plots are made of them, and the figures in docs/ are theirs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from docs.markdown_tables import tables_of
from lurking._typing import GraphClass
from lurking.experiments import (
    Experiment,
    RandomGraphsExperiment,
    RegularizationExperiment,
    SachsExperiment,
    VermaExperiment,
)
from lurking.experiments.experiment import key_text
from lurking.experiments.methods import METHODS
from lurking.experiments.published import RANDOM_GRAPHS, REGULARIZATION
from lurking.experiments.store import ResultStore
from lurking.graphs import ADMG, Mark

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
PAGE = (ROOT / "docs" / "reproduce-the-paper.md").read_text(encoding="utf-8")
VERMA, RANDOM, REGULAR = VermaExperiment(), RandomGraphsExperiment(variables=(10, 15)), RegularizationExperiment()
MARKS = ("skeleton", "arrowhead", "tail")
LABELS = {method.label: name for name, method in METHODS.items()}


@cache
def rows_of(experiment: Experiment) -> pd.DataFrame:
    """Return the committed rows of an experiment; none may be missing."""
    store = ResultStore(RESULTS / experiment.name / "results.csv", experiment.columns, n_key=len(experiment.key))
    keys = [key_text(key) for task in experiment.tasks() for key in task.row_keys()]
    assert [key for key in keys if key not in store] == []
    return experiment.frame(store.rows(keys))


def section(title: str) -> str:
    """Return what stands below a heading of the page."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(
    "experiment", [VERMA, RANDOM, REGULAR, SachsExperiment()], ids=lambda experiment: experiment.name
)
def test_tables_and_plot_are_those_of_the_rows(experiment: Experiment) -> None:
    rows, folder = rows_of(experiment), RESULTS / experiment.name
    tables = "\n".join(table.to_markdown() for table in experiment.tables(rows))
    assert (folder / "tables.md").read_text(encoding="utf-8") == tables
    assert (folder / "plot.svg").read_text(encoding="utf-8") == experiment.picture(rows)


def chosen(truth: GraphClass, variables: int, method: str, scale: str = "raw") -> pd.DataFrame:
    """Return the rows of a method; one that sees correlations only has none on standardised data."""
    rows = rows_of(RANDOM)
    scale = "raw" if METHODS[method].scale_free else scale
    setting = (rows["truth"] == truth) & (rows["variables"] == variables) & (rows["scale"] == scale)
    return rows[setting & (rows["method"] == method)]


def rates(truth: GraphClass, variables: int, method: str, scale: str = "raw") -> list[str]:
    """Return the rates of a method as the page writes them."""
    mine = chosen(truth, variables, method, scale)
    return [f"{mine[f'{mark}_tpr'].mean():.2f} / {mine[f'{mark}_fdr'].mean():.2f}" for mark in MARKS]


def seconds_like(shown: str, values: pd.Series[float]) -> str:
    """Return the mean of times with as many decimals as are shown."""
    return f"{values.mean():.{len(shown.partition('.')[2])}f}"


def published(truth: GraphClass, variables: int, method: str) -> list[str]:
    row = RANDOM_GRAPHS[truth, variables][method]
    return [f"{getattr(row, f'{mark}_tpr'):.2f} / {getattr(row, f'{mark}_fdr'):.2f}" for mark in MARKS]


def test_random_graphs_by_truth() -> None:
    variables: dict[str, list[int]] = {"arid truths": [10, 15], "ancestral truths": [10, 15]}
    for (title, *_), *rows in tables_of(section("random-graphs")):
        if title not in variables:
            continue
        d = variables[title].pop(0)
        truth: GraphClass = "arid" if title == "arid truths" else "ancestral"
        for label, *shown, seconds in rows:
            method = LABELS[label.removeprefix("paper: ").replace("its method", "paper's method")]
            of_the_paper = label.startswith("paper: ")
            expected = (published if of_the_paper else rates)(truth, d, method)
            assert shown == expected, f"{label} on {title} with {d} variables"
            assert seconds == ("" if of_the_paper else seconds_like(seconds, chosen(truth, d, method)["cpu_seconds"]))
    assert variables == {"arid truths": [], "ancestral truths": []}


def test_data_sets_without_a_reported_tail() -> None:
    """The note below a table on methods that report no tail, against the graphs that they found."""
    rows = chosen("arid", 15, "greedy-bap")
    silent = sum(not (ADMG.parse(graph).to_pag().marks == Mark.TAIL).any() for graph in rows["graph"])
    claimed = f"greedyBAP no tails on {silent} of 100 (else fdr {rows['tail_fdr'].sum() / (100 - silent):.2f})"
    assert claimed in (RESULTS / RANDOM.name / "tables.md").read_text(encoding="utf-8")
    assert f"it reports no tail on {silent} of its 100 data sets" in " ".join(PAGE.split())


def test_random_graphs_standardised() -> None:
    tables = [table for table in tables_of(section("random-graphs")) if table[0][1] == "arid: skeleton"]
    for d, table in zip((10, 15), tables, strict=True):
        for label, *shown in table[1:]:
            arid, ancestral = (rates(truth, d, LABELS[label], "standardised") for truth in ("arid", "ancestral"))
            assert shown == [*arid, *ancestral], f"{label} with {d} variables"


def test_baselines_against_the_paper() -> None:
    (table,) = (t for t in tables_of(section("random-graphs")) if t[0][0] == "method")
    truth: GraphClass = "arid"  # the rows of arid truths come first
    method = ""
    for label, *shown in table[1:]:
        if label == "paper" or label.startswith("paper: "):  # of the method of the row above
            method = method.removesuffix("-once")
            expected = [published(truth, d, method) for d in (10, 15)]
        else:
            truth = "ancestral" if label.endswith(", ancestral truths") else truth
            method = LABELS[label.removesuffix(f", {truth} truths")]
            expected = [rates(truth, d, method) for d in (10, 15)]
        assert shown == [*expected[0], *expected[1]], label


def test_verma() -> None:
    rows = rows_of(VERMA)
    first, second = list(tables_of(section("verma")))
    for table, verdicts in ((first, ["true"]), (second, ["true", "super"])):
        for label, *shown in table[1:]:
            if label.startswith("paper: "):
                continue
            mine = rows[rows["method"] == LABELS[label]]
            share = mine["verdict"].isin(verdicts).groupby(mine["n"]).mean()
            assert shown[:4] == [f"{share[n]:.2f}" for n in (500, 1000, 1500, 2000)], label


def test_regularization() -> None:
    rows = rows_of(REGULAR)
    (table,) = tables_of(section("regularization"))
    for penalty, here, paper in table[1:]:
        found = rows[rows["penalty"] == float(penalty)]["verdict"]
        assert here == " / ".join(f"{(found == kind).mean():.2f}" for kind in ("true", "super", "wrong"))
        assert paper == " / ".join(f"{share:.2f}" for share in REGULARIZATION[float(penalty)])
