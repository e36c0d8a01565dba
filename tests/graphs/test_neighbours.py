"""The same questions asked of networkx and causal-learn, and of pgmpy and ananke in environments of their own.

``scripts/check-neighbours`` makes these environments: LURKING_NEIGHBOURS_PYTHON names the interpreter with pgmpy, and
LURKING_ANANKE_PYTHON the one with ananke-causal, which pins old packages. dowhy is asked in ``tests/io/test_dowhy.py``.
"""

from __future__ import annotations

import json
import os
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lurking import ADMG
from lurking.graphs import is_adjustment_set
from lurking.io import from_causal_learn, to_causal_learn, to_networkx
from lurking.simulate import random_admg
from oracles.graph_listing import all_admgs

ANANKE = os.environ.get("LURKING_ANANKE_PYTHON")
NEIGHBOURS = os.environ.get("LURKING_NEIGHBOURS_PYTHON")
IN_ANANKE = """
import copy
import json
import sys
from pathlib import Path

from ananke.graphs import ADMG
from ananke.identification import OneLineGID, OneLineID
from ananke.identification.one_line import NotIdentifiedError

folder = Path(sys.argv[1])
answers = []
for directed, bidirected in json.loads((folder / "graphs.json").read_text()):
    graph = ADMG(list("ABCD"), di_edges=[tuple(e) for e in directed], bi_edges=[tuple(e) for e in bidirected])
    answer = [OneLineID(graph, *question).id() for question in ((["A"], ["B"]), (["A", "C"], ["B", "D"]))]
    experiments = []
    for setting in (["C"], ["A", "D"]):
        experiments.append(copy.deepcopy(graph))
        experiments[-1].fix(setting)
    try:
        answer.append(OneLineGID(graph, ["A"], ["B"]).id(experiments))
    except NotIdentifiedError:  # an experiment that does not help
        answer.append(None)
    answers.append(answer)
(folder / "answers.json").write_text(json.dumps(answers))
"""
IN_PGMPY = """
import json
import sys
from itertools import combinations
from pathlib import Path

from pgmpy.base import DAG
from pgmpy.inference import CausalInference

folder = Path(sys.argv[1])
answers = []
for directed in json.loads((folder / "graphs.json").read_text()):
    dag = DAG()
    dag.add_nodes_from("ABCDE")
    dag.add_edges_from(tuple(edge) for edge in directed)
    rest = [list(given) for size in range(4) for given in combinations("CDE", size)]
    inference = CausalInference(dag)
    answers.append(
        {
            "separated": [not dag.is_dconnected("A", "B", observed=given) for given in rest],
            "adjustment": [bool(inference.is_valid_adjustment_set(["A"], ["B"], given)) for given in rest],
        }
    )
(folder / "answers.json").write_text(json.dumps(answers))
"""


def dags(n_graphs: int, d: int) -> list[ADMG]:
    return [
        random_admg(d, directed_probability=0.35, bidirected_probability=0.0, random_state=seed)
        for seed in range(n_graphs)
    ]


def test_networkx_finds_one_of_our_minimal_separators() -> None:
    networkx: Any = pytest.importorskip("networkx")
    found = 0
    for dag in dags(60, 8):
        theirs, _ = to_networkx(dag)
        for one, other in combinations(dag.names, 2):
            separator = networkx.find_minimal_d_separator(theirs, {one}, {other})
            ours = dag.separators(one, other)
            assert (separator is None) == (not ours)
            if separator is not None:
                assert frozenset(separator) in ours
                found += 1
    assert found > 500


def test_causal_learn_has_the_same_cpdags() -> None:
    module: Any = pytest.importorskip("causallearn.utils.DAG2CPDAG")
    for dag in dags(40, 7):
        theirs = module.dag2cpdag(to_causal_learn(dag))
        theirs.set_pag(False)
        assert from_causal_learn(theirs, kind="cpdag") == dag.to_cpdag()


def test_networkx_separates_the_same_sets() -> None:
    networkx: Any = pytest.importorskip("networkx")
    separated = 0
    for dag in dags(40, 5):
        theirs, _ = to_networkx(dag)
        for one, other, *rest in (
            (*pair, *(n for n in dag.names if n not in pair)) for pair in combinations(dag.names, 2)
        ):
            for size in range(len(rest) + 1):
                for given in combinations(rest, size):
                    expected = networkx.is_d_separator(theirs, {one}, {other}, set(given))
                    assert dag.m_separated(one, other, given) == expected
                    separated += expected
    assert separated > 500


def ask(python: str, program: str, graphs: Any, folder: Path) -> Any:
    """Run a program that reads graphs.json in another interpreter, and return its answers."""
    (folder / "graphs.json").write_text(json.dumps(graphs))
    subprocess.run([python, "-W", "ignore", "-c", program, str(folder)], check=True)
    return json.loads((folder / "answers.json").read_text())


@pytest.mark.skipif(NEIGHBOURS is None, reason="LURKING_NEIGHBOURS_PYTHON names no interpreter with pgmpy")
def test_pgmpy_separates_and_adjusts_in_the_same_way(tmp_path: Path) -> None:
    graphs = [ADMG(list("ABCDE"), dag.directed, dag.bidirected) for dag in dags(150, 5)]
    assert NEIGHBOURS is not None
    theirs = ask(NEIGHBOURS, IN_PGMPY, [graph.directed_edges() for graph in graphs], tmp_path)
    valid = 0
    for graph, answer in zip(graphs, theirs, strict=True):
        sets = [given for size in range(4) for given in combinations("CDE", size)]
        assert answer["separated"] == [graph.m_separated("A", "B", given) for given in sets]
        for given, theirs_is_valid in zip(sets, answer["adjustment"], strict=True):
            # pgmpy does not look at what the cause acts on, which may not be adjusted for.
            if "A" in graph.ancestors("B") and not set(given) & graph.descendants("A"):
                assert is_adjustment_set(graph, "A", "B", given) == theirs_is_valid, (str(graph), given)
                valid += theirs_is_valid
    assert valid > 50


@pytest.mark.skipif(ANANKE is None, reason="LURKING_ANANKE_PYTHON names no interpreter with ananke-causal")
def test_ananke_identifies_the_same_effects(tmp_path: Path) -> None:
    graphs = [ADMG(list("ABCD"), *graph.to_matrices()) for graph in all_admgs(4).bits[::29]]
    assert ANANKE is not None
    theirs = ask(ANANKE, IN_ANANKE, [[g.directed_edges(), g.bidirected_edges()] for g in graphs], tmp_path)
    ours = [[g.identify("A", "B").identified, g.identify(["A", "C"], ["B", "D"]).identified] for g in graphs]
    assert np.array_equal([answer[:2] for answer in theirs], ours)
    from_experiments = 0
    for graph, answer in zip(graphs, theirs, strict=True):
        if answer[2] is not None:
            assert graph.identify("A", "B", experiments=["C", ["A", "D"]]).identified == answer[2], str(graph)
            from_experiments += 1
    assert from_experiments > 50
