"""The same questions asked of other libraries: networkx, causal-learn, and ananke in an environment of its own.

ananke-causal pins old packages. If LURKING_ANANKE_PYTHON names an interpreter that has it, it is asked as well.
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
from lurking.io import from_causal_learn, to_causal_learn, to_networkx
from lurking.simulate import random_admg
from oracles.graph_listing import all_admgs

ANANKE = os.environ.get("LURKING_ANANKE_PYTHON")
PROGRAM = """
import json
import sys
from pathlib import Path

from ananke.graphs import ADMG
from ananke.identification import OneLineID

folder = Path(sys.argv[1])
answers = []
for directed, bidirected in json.loads((folder / "graphs.json").read_text()):
    graph = ADMG(list("ABCD"), di_edges=[tuple(e) for e in directed], bi_edges=[tuple(e) for e in bidirected])
    answers.append([OneLineID(graph, *question).id() for question in ((["A"], ["B"]), (["A", "C"], ["B", "D"]))])
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


@pytest.mark.skipif(ANANKE is None, reason="LURKING_ANANKE_PYTHON names no interpreter with ananke-causal")
def test_ananke_identifies_the_same_effects(tmp_path: Path) -> None:
    graphs = [ADMG(list("ABCD"), *graph.to_matrices()) for graph in all_admgs(4).bits[::29]]
    (tmp_path / "graphs.json").write_text(json.dumps([[g.directed_edges(), g.bidirected_edges()] for g in graphs]))
    assert ANANKE is not None
    subprocess.run([ANANKE, "-c", PROGRAM, str(tmp_path)], check=True)
    theirs = json.loads((tmp_path / "answers.json").read_text())
    ours = [[g.identify("A", "B").identified, g.identify(["A", "C"], ["B", "D"]).identified] for g in graphs]
    assert np.array_equal(theirs, ours)
