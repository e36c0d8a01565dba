"""What ``scripts/check-neighbours`` runs in its environment: install lurking beside its neighbours, and show what came.

The newest version of each neighbour is asked for by name. Only if pip finds no environment with all of them is the
choice left to pip; then the newest version of each that stayed behind is tried alone, beside lurking and beside all
others, and pip's reason is printed.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
NEIGHBOURS = {  # the name on the package index, and what is imported
    "causal-learn": "causallearn.search.ConstraintBased.FCI",
    "pgmpy": "pgmpy.estimators",
    "econml": "econml.dml",
    "dowhy": "dowhy",
    "lingam": "lingam",
}
SHARED = ("numpy", "scipy", "pandas", "scikit-learn", "numba", "narwhals", "joblib", "click", "rich")


@dataclass(frozen=True)
class Answer:
    """What pip chose for a list of requirements (name to version), or why there is no choice."""

    chosen: dict[str, str]
    problem: str


def resolve(*requirements: str, dependencies: bool = True) -> Answer:
    """Ask pip, without installing anything, which versions it would install in an empty environment."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    command += [] if dependencies else ["--no-deps"]
    done = subprocess.run([*command, *requirements], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return Answer({}, "\n".join(line for line in done.stderr.splitlines() if "WARNING" not in line).strip())
    found = [item["metadata"] for item in json.loads(done.stdout)["install"]]
    return Answer({item["name"].lower(): item["version"] for item in found}, "")


def install(*requirements: str) -> None:
    """Install lurking, editable, and the requirements."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--editable", ".", *requirements]
    subprocess.run(command, cwd=ROOT, check=True)


def main() -> int:
    """Install, print the table and the reasons, import everything and fit a model; return the exit code."""
    newest = resolve(*NEIGHBOURS, dependencies=False)
    if newest.problem:
        print(newest.problem, file=sys.stderr)
        return 1
    wanted = [f"{name}=={newest.chosen[name]}" for name in NEIGHBOURS]
    together = resolve(".", *wanted)
    if together.problem:
        print(f"The newest versions cannot live together:\n{together.problem}\n", file=sys.stderr)
    install(*(NEIGHBOURS if together.problem else wanted))
    subprocess.run([sys.executable, "-m", "pip", "check"], check=True)

    print(f"\nPython {sys.version.split()[0]}\n{'package':<14} {'installed':<12} {'newest':<12}")
    behind = []
    for name in ("lurking", *NEIGHBOURS, *SHARED):
        installed = metadata.version(name)
        print(f"{name:<14} {installed:<12} {newest.chosen.get(name, ''):<12}".rstrip())
        if installed != newest.chosen.get(name, installed):
            behind.append(name)
    for name in behind:
        pin = f"{name}=={newest.chosen[name]}"
        alone = resolve(".", pin)
        if alone.problem:
            print(f"\n{pin} cannot be installed beside lurking:\n{alone.problem}")
        else:
            print(f"\n{pin} can be installed beside lurking, but not beside lurking and the others together.")

    for module in ("lurking", *NEIGHBOURS.values()):
        importlib.import_module(module)
    _fit()
    print("\nAll of them are imported, and lurking fits a model in this environment.")
    return 0


def _fit() -> None:
    """Find the graph of a model whose answer is known."""
    from lurking import ADMG, ADMGDiscovery, simulate_admg

    truth = ADMG.parse("A -> B <-> C; D -> C")
    simulation = simulate_admg(truth, 5000, random_state=1)
    found = ADMGDiscovery(solver="exact").fit(simulation.data)
    if found.pag_ != truth.to_pag():
        raise RuntimeError(f"The graph {truth} was simulated, but {found.admg_} was found.")


if __name__ == "__main__":
    sys.exit(main())
