"""Write tests/baselines/fci_references.json: what causal-learn's FCI makes of simulated data.

Run ``python benchmarks/fci_references.py`` in an environment that has causal-learn besides lurking; the tests read
only the file. Two calls of ``fci(rows, alpha=alpha)`` per data set: with its Possible-D-SEP stage left out
(``without_pds``), because causal-learn 0.1.4.8 walks that stage's paths in an order that changes from run to run; and
with R4 and R5 left out as well (``core``), because it answers R4 by new tests, not by the separating sets, and its R5
also takes cycles that are covered.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

from causallearn.search.ConstraintBased import FCI  # optional

from lurking import Moments, simulate_admg
from lurking._typing import FloatArray

# variables, rows, probabilities of a directed and of a bidirected edge, level
SETTINGS = (
    (5, 300, 0.4, 0.3, 0.05),
    (6, 1000, 0.3, 0.2, 0.01),
    (8, 1000, 0.2, 0.15, 0.01),
    (8, 500, 0.3, 0.1, 0.05),
    (10, 1000, 0.4, 0.3, 0.15),
)
CODE = {0: 0, 2: 1, 1: 2, -1: 3}  # causal-learn's endpoints to our marks; its graph[i, j] is the mark at i


def marks(rows: FloatArray, alpha: float) -> list[list[int]]:
    with contextlib.redirect_stdout(io.StringIO()):
        graph, _ = FCI.fci(rows, alpha=alpha, show_progress=False)
    return [[CODE[int(mark)] for mark in row] for row in graph.graph.T]


def reference(setting: tuple[int, int, float, float, float], seed: int) -> dict[str, object]:
    d, n, directed, bidirected, alpha = setting
    data = simulate_admg(d, n, directed_probability=directed, bidirected_probability=bidirected, random_state=seed).data
    rows = data.to_numpy()
    with patch.object(FCI, "removeByPossibleDsep", lambda *_: None):
        without = marks(rows, alpha)
        with (
            patch.object(FCI, "ruleR4B", lambda *arguments: arguments[6]),
            patch.object(FCI, "ruleR5", lambda *arguments: arguments[1]),
        ):
            core = marks(rows, alpha)
    correlation = Moments.from_table(data).correlation
    lower = [float(f"{correlation[i, j]:.12g}") for i in range(d) for j in range(i)]
    return {"n": n, "alpha": alpha, "correlation": lower, "without_pds": without, "core": core}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--datasets", type=int, default=10, help="data sets per setting")
    home = Path(__file__).parent.parent / "tests" / "baselines"
    parser.add_argument("--out", type=Path, default=home / "fci_references.json")
    options = parser.parse_args()
    records = [reference(setting, seed) for setting in SETTINGS for seed in range(options.datasets)]
    versions = {name: version(name) for name in ("causal-learn", "numpy", "scipy")}
    made_by = {"call": "causallearn.search.ConstraintBased.FCI.fci(rows, alpha=alpha)", "versions": versions}
    lines = ",\n".join(json.dumps(record, separators=(",", ":")) for record in records)
    options.out.write_text(f'{{"made_by": {json.dumps(made_by)},\n"references": [\n{lines}\n]}}\n')
    changed = sum(record["core"] != record["without_pds"] for record in records)
    print(f"{len(records)} data sets; R4 or R5 made a difference in {changed}")


if __name__ == "__main__":
    main()
