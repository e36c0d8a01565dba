"""Check that effects hold after a search: how often their intervals contain the truth, beside what else one could do.

Run ``python -m benchmarks.effects --out FOLDER``; with the same folder it goes on where it stopped. ``--tables`` prints
what is there. The worlds are those of ``benchmarks/accuracy/worlds.py``: ``hidden`` (random DAGs with hidden roots, the
default), ``ancestral`` and ``arid`` (the paper's generator). The seeds from 1000 on were for choices, those below are
for reporting. Each data set is searched with the default settings.

================== =====================================================================================================
method             estimate and interval of the total effect of each ordered pair
================== =====================================================================================================
after the search   ``answer.effects``
best graph         the estimate and its standard error in the graph that the search answers with, as if nobody had
                   searched; pairs without a directed path have the effect 0
true graph         the same in the true graph, which no user has; data sets whose true graph has a bow are left out
regression         the regression on the cause and all other variables
================== =====================================================================================================

An effect is *listed* if its probability is at least .5 (after the search), if there is a directed path (a graph), or if
the interval is without 0 (regression), and *sure* if its probability is at least .9 (for the others: listed). Errors
and widths are in standard deviations of the effect per standard deviation of the cause.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.accuracy.worlds import TUNING, Cell, simulated
from scipy.special import ndtri

from lurking import ADMG, ADMGDiscovery, Moments
from lurking._errors import LurkingError
from lurking._typing import FloatArray
from lurking.discovery import EffectPosterior, analyse
from lurking.experiments.store import ResultStore
from lurking.sem import causal_effects, regression

SUMS = (
    "listed",
    "listed_in_95",
    "listed_in_50",
    "all",
    "all_in_95",
    "all_in_50",
    "sure",
    "sure_zero",
    "width",
    "square",
)
COLUMNS = ("world", "d", "n", "seed", "method", *SUMS, "seconds_search", "seconds_effects")
METHODS = ("after the search", "best graph", "true graph", "regression")


@dataclass(frozen=True)
class Said:
    """What a method says of all ordered pairs: arrays of shape (d, d)."""

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    low_50: FloatArray
    high_50: FloatArray
    probability: FloatArray

    def counts(self, truth: FloatArray, deviations: FloatArray) -> dict[str, float]:
        """Return the sums that coverage, shares and means are made of."""
        pairs = ~np.eye(len(truth), dtype=bool)
        listed, sure = pairs & (self.probability >= 0.5), pairs & (self.probability >= 0.9)
        # an interval of width 0 at 0 contains the effect 0
        inside = (self.low <= truth) & (truth <= self.high)
        inside_50 = (self.low_50 <= truth) & (truth <= self.high_50)
        return {
            "listed": listed.sum(),
            "listed_in_95": inside[listed].sum(),
            "listed_in_50": inside_50[listed].sum(),
            "all": pairs.sum(),
            "all_in_95": inside[pairs].sum(),
            "all_in_50": inside_50[pairs].sum(),
            "sure": sure.sum(),
            "sure_zero": (truth[sure] == 0.0).sum(),
            "width": float(((self.high - self.low) * deviations)[listed].sum()),
            "square": float(((((self.estimate - truth) * deviations) ** 2)[pairs]).sum()),
        }


def with_errors(estimate: FloatArray, error: FloatArray, probability: FloatArray) -> Said:
    """Return the intervals of estimates with standard errors."""
    wide, narrow = float(ndtri(0.975)) * error, float(ndtri(0.75)) * error
    return Said(estimate, estimate - wide, estimate + wide, estimate - narrow, estimate + narrow, probability)


def in_graph(moments: Moments, graph: ADMG) -> Said:
    """Return the effects in one graph."""
    d, index = moments.n_variables, {name: k for k, name in enumerate(moments.names)}
    estimate, error = np.zeros((d, d)), np.zeros((d, d))
    for found in causal_effects(moments, graph):
        at = index[found.cause], index[found.effect]
        estimate[at], error[at] = found.total, found.total_error
    return with_errors(estimate, error, (error > 0.0).astype(float))


def by_regression(moments: Moments) -> Said:
    """Return the regressions on the cause and all other variables."""
    d, names = moments.n_variables, moments.names
    estimate, error = np.zeros((d, d)), np.zeros((d, d))
    for i, cause in enumerate(names):
        for j, effect in enumerate(names):
            if i != j:
                found = regression(moments, cause, effect, set(names) - {cause, effect})
                estimate[i, j], error[i, j] = found.estimate, found.standard_error
    said = with_errors(estimate, error, np.zeros((d, d)))
    significant = (said.low > 0.0) | (said.high < 0.0)
    return with_errors(estimate, error, significant.astype(float))


def rows_of(cell: Cell, seed: int) -> Iterator[dict[str, object]]:
    """Search one data set and yield a row for each method."""
    simulation = simulated(cell, seed, standardize=False)
    d = cell.d
    truth = simulation.sem.total_effects()
    start = time.perf_counter()
    model = ADMGDiscovery(random_state=0).fit(simulation.data)
    seconds = time.perf_counter() - start
    answer = analyse(model)
    moments, names = answer.moments, answer.moments.names
    if answer.posterior is None or answer.beliefs is None:
        raise LurkingError("The default search must leave a posterior.")
    start = time.perf_counter()
    EffectPosterior.of(moments, answer.posterior, answer.beliefs.causes).estimates()
    seconds_effects = time.perf_counter() - start
    index = {name: k for k, name in enumerate(names)}
    at = answer.effects["cause"].map(index), answer.effects["effect"].map(index)
    columns = {name: np.zeros((d, d)) for name in ("mean", "low", "high", "low_50", "high_50", "probability")}
    for name, matrix in columns.items():
        matrix[at] = answer.effects[name]
    said = {
        "after the search": Said(*columns.values()),
        "best graph": in_graph(moments, answer.admg),
        "regression": by_regression(moments),
    }
    if simulation.admg.is_bow_free():
        said["true graph"] = in_graph(moments, simulation.admg)
    deviations = moments.scales[:, None] / moments.scales[None, :]
    for method in METHODS:
        counts = said[method].counts(truth, deviations) if method in said else dict.fromkeys(SUMS)
        times = (seconds, seconds_effects) if method == METHODS[0] else (None, None)
        yield {"world": cell.world, "d": d, "n": cell.n, "seed": seed, "method": method, **counts} | dict(
            zip(COLUMNS[-2:], times, strict=True)
        )


def print_tables(store: ResultStore) -> None:
    """Print a line for each cell and method."""
    cells = sorted({Cell(row["world"], int(row["d"]), int(row["n"])) for row in store.rows()})
    headings = (("listed", 8), ("95 %", 7), ("50 %", 7), ("all 95 %", 10), ("sure", 6), ("zero", 7), ("width", 7))
    print(" " * 26 + "".join(f"{heading:>{width}}" for heading, width in (*headings, ("rmse", 8))))
    for cell in cells:
        key = (cell.world, str(cell.d), str(cell.n))
        mine = [row for row in store.rows() if (row["world"], row["d"], row["n"]) == key and row["all"]]
        searched = [row for row in mine if row["seconds_search"]]
        times = [(float(row["seconds_search"]), float(row["seconds_effects"])) for row in searched]
        search, effects = np.mean(times, axis=0)
        print(
            f"{cell.world}, d = {cell.d}, n = {cell.n}: {len(times)} data sets; search {search:.1f} s, "
            f"effects {effects:.2f} s ({effects / search:.1%})"
        )
        for method in METHODS:
            total = {name: sum(float(row[name]) for row in mine if row["method"] == method) for name in SUMS}
            if not total["all"]:
                continue
            print(
                f"  {method:<24}{total['listed']:>8.0f}{total['listed_in_95'] / total['listed']:>7.3f}"
                f"{total['listed_in_50'] / total['listed']:>7.3f}{total['all_in_95'] / total['all']:>10.3f}"
                f"{total['sure']:>6.0f}{total['sure_zero'] / max(total['sure'], 1):>7.3f}"
                f"{total['width'] / total['listed']:>7.3f}{np.sqrt(total['square'] / total['all']):>8.4f}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder of effects.csv")
    parser.add_argument("--worlds", nargs="+", choices=("hidden", "ancestral", "arid"), default=["hidden"])
    parser.add_argument("--variables", type=int, nargs="+", default=[10, 20])
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 1000, 5000])
    parser.add_argument("--datasets", type=int, default=20, help="data sets of each size (default 20)")
    parser.add_argument("--first-seed", type=int, default=0, help="0 to report, 1000 to make choices (default 0)")
    parser.add_argument("--tables", action="store_true", help="print what is there and run nothing")
    arguments = parser.parse_args()
    if arguments.first_seed < TUNING < arguments.first_seed + arguments.datasets:
        parser.error(f"the seeds would run into those from {TUNING} on, which are for choices; ask for fewer data sets")
    store = ResultStore(arguments.out / "effects.csv", COLUMNS, n_key=5, say=print)
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.datasets)
    cells = [Cell(world, d, n) for world in arguments.worlds for d in arguments.variables for n in arguments.rows]
    for cell, seed in [] if arguments.tables else [(cell, seed) for seed in seeds for cell in cells]:
        key = (cell.world, str(cell.d), str(cell.n), str(seed))
        if all((*key, method) in store for method in METHODS):
            continue
        for row in rows_of(cell, seed):
            if (*key, str(row["method"])) not in store:
                store.append(row)
        print(f"{' '.join(key)} is done.", flush=True)
    store.sort()
    print_tables(store)
    return 0


if __name__ == "__main__":
    sys.exit(main())
