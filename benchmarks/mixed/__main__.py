"""The command line of the benchmark; see :mod:`benchmarks.mixed`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from benchmarks.mixed.worlds import Gaps, Mixed, simulated, with_gaps

from lurking import PAG, ADMGDiscovery, compare
from lurking._errors import DataError
from lurking.baselines import FCI
from lurking.data.prepare import prepare
from lurking.experiments.store import ResultStore

COLUMNS = ("world", "d", "n", "gaps", "share", "seed", "method", "pag_shd", "refused", "seconds")
COMPLETE, INCOMPLETE = ("blocks", "numbers", "latent", "FCI .01", "FCI .05"), ("blocks", "complete rows")
WORLDS = ("conditional", "thresholded")


class Cell(NamedTuple):
    """The tables that are averaged over."""

    world: str
    d: int
    n: int
    gaps: Gaps = "none"
    share: float = 0.0

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared."""
        return COMPLETE if self.gaps == "none" else INCOMPLETE

    def key(self, seed: int, method: str) -> tuple[str, ...]:
        """Return the key of a row of results."""
        return (*map(str, self), str(seed), method)


def cells(options: argparse.Namespace) -> Iterator[Cell]:
    """Yield the cells, complete tables first."""
    sizes = [(d, n) for d in options.variables for n in options.rows]
    holes: list[tuple[Gaps, float]] = [("MCAR", 0.1), ("MCAR", 0.3), ("MAR", 0.1), ("MAR", 0.3)]
    complete: list[tuple[Gaps, float]] = [("none", 0.0)]
    for gaps, share in [*complete, *holes] if options.missing else complete:
        for d, n in sizes:
            for world in options.worlds:
                yield Cell(world, d, n, gaps, share)


def answer(data: Mixed, method: str, restarts: int) -> PAG:
    """Return the PAG that a method finds."""
    settings: dict[str, Any] = {"random_state": 0, "n_restarts": restarts, "collinear": "drop"}
    kinds = dict.fromkeys(data.nominal, "nominal")
    if method == "numbers":
        return _pag(ADMGDiscovery(**settings, missing="auto").fit(data.table))
    if method == "latent":
        return _pag(ADMGDiscovery(**settings, missing="auto", margins="latent").fit(data.table))
    if method.startswith("FCI"):
        moments = prepare(data.in_words(), "auto", kinds=kinds, collinear="drop", nominal="indicators").moments
        return FCI(alpha=float(method.split()[1]), max_conditioning=4).fit(moments).pag_
    settings["missing"] = "drop" if method == "complete rows" else "auto"
    return _pag(ADMGDiscovery(**settings, kinds=kinds).fit(data.in_words()))


def _pag(model: ADMGDiscovery) -> PAG:
    found: PAG = model.pag_
    return found


def run_one(cell: Cell, seed: int, method: str, restarts: int) -> dict[str, object]:
    """Return the row of one method on one table."""
    data = with_gaps(simulated(cell.world, cell.d, cell.n, seed), cell.gaps, cell.share, seed)
    start, refused = time.process_time(), False
    try:
        found = answer(data, method, restarts)
    except DataError as error:
        if "rows" not in str(error) and "missing" not in str(error):
            raise
        found, refused = PAG(data.truth.names, np.zeros((cell.d, cell.d), dtype=np.int8)), True
    left_out = set(data.truth.names) - set(found.names)
    if left_out:  # a column that was left out has no edges
        found = PAG.parse(f"{found}; {'; '.join(sorted(left_out))}").subgraph(data.truth.names)
    return dict(
        zip(
            COLUMNS,
            (
                *cell,
                seed,
                method,
                compare(data.truth, found).pag_shd,
                int(refused),
                round(time.process_time() - start, 1),
            ),
            strict=True,
        )
    )


def tables(store: ResultStore) -> str:
    """Return the means of all cells as tables in Markdown."""
    found: dict[Cell, dict[str, dict[str, tuple[float, float]]]] = {}
    for row in store.rows():
        gaps = cast("Gaps", row["gaps"])
        cell = Cell(row["world"], int(row["d"]), int(row["n"]), gaps, float(row["share"]))
        found.setdefault(cell, {}).setdefault(row["seed"], {})[row["method"]] = (
            float(row["pag_shd"]),
            float(row["refused"]),
        )
    lines = [
        "Distance from the true PAG: mean and standard error over graphs.",
        "",
    ]
    for methods, complete in ((COMPLETE, True), (INCOMPLETE, False)):
        lines += [
            f"| world | variables | rows | {'' if complete else 'missing | '}graphs | {' | '.join(methods)} |",
            "|---" * (4 + (not complete) + len(methods)) + "|",
        ]
        sums: dict[str, list[float]] = {method: [] for method in methods}
        for cell in sorted(cell for cell in found if (cell.gaps == "none") == complete):
            # a cell counts the graphs that all methods but "latent" have seen
            needed = [method for method in methods if method != "latent"]
            seen = [got for got in found[cell].values() if all(method in got for method in needed)]
            if not seen:
                continue
            texts = []
            for method in methods:
                distances = np.array([got[method][0] for got in seen if method in got])
                refusals = int(sum(got[method][1] for got in seen if method in got))
                if len(distances) == len(seen):
                    sums[method].append(float(distances.mean()))
                error = distances.std() / max(len(distances) - 1, 1) ** 0.5 if len(distances) else 0.0
                note = f", {refusals} refused" if refusals else ""
                note += f", {len(distances)} graphs" if len(distances) < len(seen) else ""
                texts.append(f"{distances.mean():.2f} ± {error:.2f}{note}" if len(distances) else "")
            missing = "" if complete else f"{cell.gaps} {cell.share:.0%} | "
            lines.append(f"| {cell.world} | {cell.d} | {cell.n} | {missing}{len(seen)} | {' | '.join(texts)} |")
        ours = np.array(sums["blocks"])
        if len(ours):
            means = [
                f"{method} {np.mean(sums[method]):.2f} (blocks: {ours.mean() / np.mean(sums[method]) - 1:+.0%})"
                for method in methods
                if len(sums[method]) == len(ours) and method != "blocks"
            ]
            lines += ["", f"Mean over the cells: blocks {ours.mean():.2f}; {'; '.join(means)}.", ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder of distances.csv and tables.md")
    parser.add_argument("--worlds", nargs="+", default=WORLDS, choices=(*WORLDS, "ordered"))
    parser.add_argument("--variables", type=int, nargs="+", default=[10, 20])
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 1000, 5000])
    parser.add_argument("--datasets", type=int, default=10, help="graphs in each cell (default 10)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--restarts", type=int, default=5, help="restarts of the search (default 5)")
    parser.add_argument("--missing", action="store_true", help="tables with missing values, too")
    parser.add_argument("--without", nargs="+", default=[], choices=COMPLETE, help="methods to leave out")
    parser.add_argument("--tables", action="store_true", help="print what is there and run nothing")
    options = parser.parse_args()
    store = ResultStore(options.out / "distances.csv", COLUMNS, n_key=7, say=print)
    seeds = range(options.first, options.first + options.datasets)
    for seed in () if options.tables else seeds:
        for cell in cells(options):
            for method in cell.methods:
                if method not in options.without and cell.key(seed, method) not in store:
                    store.append(run_one(cell, seed, method, options.restarts))
        print(f"seed {seed} is done.", flush=True)
    store.sort()
    text = tables(store)
    (options.out / "tables.md").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
