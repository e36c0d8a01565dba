"""The recipes of CONTRIBUTING, step by step: each adds something through the public way and looks for it everywhere.

A recipe that needs more steps than it says fails here.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from math import log
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike

import lurking
from cli.command import one_sentence, run
from lurking import ADMG, Analysis, Moments, simulate_admg
from lurking._errors import ParameterError
from lurking._numbers import percent
from lurking._typing import GRAPH_CLASSES, Edges, FloatArray, GraphClass
from lurking.constraints import CONSTRAINTS, ClassPenalty
from lurking.discovery import dumps_result, read_result, summary_of
from lurking.discovery.columns import EDGE_COLUMNS, Column, shown_columns
from lurking.graphs.bits import BitGraph, members
from lurking.graphs.classes import CLASSES, ClassRules, Offence
from lurking.report import citations, notebook_html, report_html, report_text
from lurking.sem import CRITERIA, Criterion, DistrictScore


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return simulate_admg(ADMG.parse("A -> B -> C; D"), 400, random_state=0).data


@pytest.fixture
def answer(table: pd.DataFrame) -> Analysis:
    return lurking.discover(table, solver="exact")


# ------------------------------------------------------------------------------------------------------ a criterion


def strict(n_samples: int, n_variables: int) -> Criterion:
    """Return a BIC whose edges cost five times as much."""
    return Criterion.linear("strict", n_variables, parameter=log(n_samples), edge=5.0 * log(n_samples))


def test_a_criterion_is_one_function_and_one_line(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CRITERIA, "strict", strict)
    moments = Moments.from_table(table)
    graph, empty = ADMG.parse("A -> B -> C; D"), ADMG.parse("A; B; C; D")
    deltas = {name: DistrictScore(moments, criterion=name).delta(empty, graph) for name in ("bic", "strict")}
    assert deltas["strict"] - deltas["bic"] == pytest.approx(2 * 4 * log(400), abs=1e-6)

    for solver in ("hybrid", "exact"):
        answer = lurking.discover(table, solver=solver, criterion="strict", n_restarts=1)
        assert answer.settings["criterion"] == "strict"
        assert "strict" in report_html(answer)
        assert not answer.statements.empty

    monkeypatch.chdir(tmp_path)
    table.to_csv("data.csv", index=False)
    done = run("discover", "data.csv", "--solver", "exact", "--criterion", "strict", "--json")
    assert json.loads(done.stdout)["settings"]["criterion"] == "strict"
    assert run("report", "result.json").exit_code == 0
    assert run("cite", "result.json").exit_code == 0
    assert "strict" in run("discover", "--help").stdout
    assert "'strict'" in one_sentence(run("discover", "data.csv", "--criterion", "strickt"))


def test_a_criterion_that_nobody_registered_is_refused_and_the_names_are_said(table: pd.DataFrame) -> None:
    with pytest.raises(ParameterError, match="must be one of 'marginal', 'bic', 'ebic' or a Criterion"):
        lurking.discover(table, criterion="strict")


def test_a_criterion_can_be_given_as_an_object(table: pd.DataFrame) -> None:
    answer = lurking.discover(table, solver="exact", criterion=strict(400, 4))
    assert answer.settings["criterion"] == "strict"
    assert report_html(answer)


# --------------------------------------------------------------------------------------------------------- a column


@pytest.fixture
def strength() -> Iterator[Column]:
    column = Column("magnitude", "Strength", "How strong.", lambda _, edge: abs(edge.standardized or 0.0), percent)
    EDGE_COLUMNS.append(column)
    yield column
    EDGE_COLUMNS.remove(column)


def test_a_column_is_one_entry(answer: Analysis, strength: Column, tmp_path: Path) -> None:
    shares = [abs(edge.standardized or 0.0) for edge in answer.ranked_edges]
    assert len(shares) > 1
    for shown in (report_text(answer, full=True), notebook_html(answer), report_html(answer)):
        assert strength.heading in shown
        assert all(percent(share) in shown for share in shares)
    assert strength.meaning in report_html(answer)
    assert answer.edges["magnitude"].tolist() == shares
    answer.to_json(tmp_path / "result.json")
    entries = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["parameters"]["edges"]
    assert sorted(entry["magnitude"] for entry in entries) == sorted(shares)
    assert read_result(tmp_path / "result.json").edges["magnitude"].tolist() == shares


# ------------------------------------------------------------------------------------------------- a class of graphs


class NoCommonCauses(ClassPenalty):
    """Zero exactly if there is no bidirected edge."""

    graph_class = "without common causes"

    def value_and_grad_weights(self, D: ArrayLike, B: ArrayLike) -> tuple[float, FloatArray, FloatArray]:
        """Return the sum of B and its derivatives."""
        D, B = np.asarray(D), np.asarray(B)
        return float(B.sum()) / 2, np.zeros_like(D), np.full_like(B, 0.5) - np.eye(len(B)) / 2


def shared_pair(graph: BitGraph) -> Offence | None:
    """Return the first bidirected edge."""
    pairs = [(one, other) for one, siblings in enumerate(graph.siblings) for other in members(siblings)]
    if not pairs:
        return None
    one, other = pairs[0]
    return Offence(((one, other, True),), lambda names: f"{names[one]} <-> {names[other]}")


def stays_without_common_causes(directed: Edges, bidirected: Edges, one: int, other: int, shared: bool) -> bool:
    """Tell whether a graph that has just got an edge is still in the class."""
    return not shared


@pytest.fixture
def without_common_causes(monkeypatch: pytest.MonkeyPatch) -> str:
    """Add a class of graphs: its rules, its constraint, and a line in the registry of constraints."""
    name = NoCommonCauses.graph_class
    rules = ClassRules("DAGs", shared_pair, "@book{pearl2009causality,\n}", stays_without_common_causes)
    monkeypatch.setitem(CLASSES, name, rules)
    monkeypatch.setitem(CONSTRAINTS, name, NoCommonCauses)
    return name


def test_a_class_of_graphs_is_three_files(
    without_common_causes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = without_common_causes
    data = simulate_admg(ADMG.parse("A -> B <-> C <- D"), 3000, random_state=0).data
    assert lurking.discover(data, solver="exact", criterion="bic", answer="best").admg.bidirected.any()
    for solver in ("exact", "hybrid", "dcd"):
        answer = lurking.discover(data, name, solver=solver, n_restarts=1)
        assert answer.admg.directed.any()
        assert answer.admg.witness(name) is None, solver
    assert ADMG.parse("A <-> B").witness(name) == "A <-> B"
    assert not simulate_admg(6, 10, graph_class=name, random_state=0).admg.bidirected.any()
    assert citations(graph_class=name)["DAGs"].startswith("@book{pearl2009")

    monkeypatch.chdir(tmp_path)
    data.to_csv("data.csv", index=False)
    done = run("discover", "data.csv", "--solver", "exact", "--class", name, "--json")
    assert json.loads(done.stdout)["settings"]["graph_class"] == name
    assert "pearl2009" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for command in ("discover", "simulate", "cite"):
        assert name in run(command, "--help").stdout.replace("\n", " ")
    assert name in one_sentence(run("discover", "data.csv", "--class", "magic"))


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_a_class_of_graphs_is_in_every_table(graph_class: GraphClass, table: pd.DataFrame) -> None:
    """What a class of graphs needs: each of these fails until it is there."""
    assert graph_class in CONSTRAINTS  # the paper's solver
    assert ADMG.parse("A -> B; A <-> B").witness(graph_class) is not None
    assert CLASSES[graph_class].words in citations(graph_class=graph_class)
    for solver in ("exact", "dcd"):
        graph = lurking.discover(table, graph_class, solver=solver, n_restarts=1).admg
        assert graph.witness(graph_class) is None


# --------------------------------------------------------------------------------------- from the model to the screen


def test_the_classes_between_model_and_screen_are_those_of_the_picture() -> None:
    """CONTRIBUTING lists every class that an answer is made of or shown with; this finds them in the code."""
    package = Path(lurking.__file__).parent
    parts = ("analysis", "analysis_parts", "audit", "beliefs", "columns", "statements", "summary", "ways_to_estimate")
    files = [*(package / "discovery" / f"{name}.py" for name in parts), *(package / "report").glob("*.py")]
    drawing_of_experiments = {"Curve", "Panel"}  # of report/panels.py, which only experiments use
    nodes = [node for file in files for node in ast.parse(file.read_text(encoding="utf-8")).body]
    found = {node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
    text = (package.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Classes between model and screen"))
    assert set(re.findall(r"`(\w+)`", line)) == found - drawing_of_experiments


# ------------------------------------------------------------------------------------------------------- a renderer


def markdown(analysis: Analysis) -> str:
    """Return an analysis as Markdown: what is certain, and the table of edges."""
    certain = [f"- {statement.words}" for statement in summary_of(analysis.statement_list)[0]]
    columns = shown_columns(analysis)
    lines = [["Edge", *(column.heading for column in columns)], ["---"] * (len(columns) + 1)]
    for edge in analysis.ranked_edges:
        texts = [column.text(column.value(analysis, edge)) for column in columns]
        lines.append([f"{edge.one} {edge.arrow} {edge.other}", *texts])
    return "\n".join([f"# {analysis.title}", *certain, *("| " + " | ".join(line) + " |" for line in lines)])


def test_a_renderer_is_one_function_of_the_analysis(answer: Analysis, tmp_path: Path) -> None:
    page = markdown(answer)
    assert "- A and B are directly connected." in page
    assert page.count("\n| ") == 1 + answer.admg.n_edges + 1
    (tmp_path / "result.json").write_text(dumps_result(answer), encoding="utf-8")
    assert markdown(read_result(tmp_path / "result.json")) == page  # the file holds all that a renderer needs
