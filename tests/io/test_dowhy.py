"""dowhy takes the canonical DAG and draws the conclusions from it that we draw from the ADMG.

dowhy needs many packages that we do not, so it runs in an environment of its own: ``scripts/check-neighbours``.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from lurking import ADMG, Moments, simulate_admg
from lurking.io.networkx import to_latent_dag
from lurking.sem import ricf

DOWHY = os.environ.get("LURKING_NEIGHBOURS_PYTHON")
# what runs there: reads graph.json and data.csv of a folder, writes answer.json
PROGRAM = """
import json
import sys
from pathlib import Path

import networkx as nx
import pandas as pd
from dowhy import CausalModel

folder = Path(sys.argv[1])
question = json.loads((folder / "graph.json").read_text())
data = pd.read_csv(folder / "data.csv")
graph = nx.node_link_graph(question["graph"], edges="edges")
answer = {}
for treatment, outcome in question["effects"]:
    model = CausalModel(data=data, treatment=treatment, outcome=outcome, graph=graph)
    found = model.identify_effect(proceed_when_unidentifiable=True)
    by_adjustment = found.get_backdoor_variables() if found.estimands["backdoor"] else None
    value = None
    if by_adjustment is not None:
        value = float(model.estimate_effect(found, method_name="backdoor.linear_regression").value)
    answer[f"{treatment} {outcome}"] = {"adjustment": by_adjustment, "effect": value}
(folder / "answer.json").write_text(json.dumps(answer))
"""


@pytest.mark.skipif(DOWHY is None, reason="dowhy needs an environment of its own: run scripts/check-neighbours")
def test_dowhy_draws_the_same_conclusions(tmp_path: Path) -> None:
    graph = ADMG.parse("C -> A; C -> B; A -> B; B <-> D; A -> D; E -> F -> G; E <-> G")
    simulation = simulate_admg(graph, 5000, random_state=1)
    simulation.data.to_csv(tmp_path / "data.csv", index=False)
    effects = [("A", "B"), ("C", "D"), ("E", "G")]
    question = {"graph": nx.node_link_data(to_latent_dag(graph), edges="edges"), "effects": effects}
    (tmp_path / "graph.json").write_text(json.dumps(question))
    assert DOWHY is not None
    subprocess.run([DOWHY, "-c", PROGRAM, str(tmp_path)], check=True)
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert answer["A B"]["adjustment"] == ["C"]
    assert answer["E G"]["adjustment"] is None  # they share an unmeasured cause
    assert answer["C D"]["adjustment"] == []
    fit = ricf(Moments.from_table(simulation.data), graph)
    total = np.linalg.inv(np.eye(len(graph)) - fit.coef)
    for cause, effect in (("A", "B"), ("C", "D")):
        expected = total[graph.names.index(cause), graph.names.index(effect)]
        assert answer[f"{cause} {effect}"]["effect"] == pytest.approx(expected, abs=0.05)
