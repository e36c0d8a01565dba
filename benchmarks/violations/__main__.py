"""The command line of the benchmark; see :mod:`benchmarks.violations`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import benchmarks.violations
import numpy as np
import pandas as pd
from benchmarks.accuracy.statements import Counts, counts
from benchmarks.accuracy.worlds import TUNING
from benchmarks.violations.worlds import WORLDS, violated

from lurking import ADMG, PAG, ADMGDiscovery
from lurking._errors import LurkingError
from lurking._files import write_together
from lurking._typing import BoolMatrix, FloatArray
from lurking.baselines import FCI, GFCI, Baseline
from lurking.data import Moments
from lurking.discovery import Beliefs
from lurking.experiments.store import ResultStore
from lurking.experiments.tables import NOTHING, TextTable
from lurking.graphs import Mark
from lurking.search.posterior import weigh

COLUMNS = ("world", "n", "seed", "method", "kind", "counted", "seconds", "number", "probability", "right")
KINDS = ("causes", "not causes", "shares a cause", "adjacent", "apart")
CERTAIN = 0.95
Said = Mapping[str, FloatArray]
"""The probabilities of the statements of each kind, in the order of the pairs; NaN where nothing is said."""


def said_by(beliefs: Beliefs) -> dict[str, FloatArray]:
    """Return the probability of every statement."""
    pairs, ordered = np.triu_indices(len(beliefs.names), 1), ~np.eye(len(beliefs.names), dtype=bool)
    return {
        "causes": beliefs.causes[ordered],
        "not causes": 1.0 - beliefs.causes[ordered],
        "shares a cause": beliefs.shares[pairs],
        "adjacent": beliefs.adjacent[pairs],
        "apart": 1.0 - beliefs.adjacent[pairs],
    }


def said_by_pag(pag: PAG) -> dict[str, FloatArray]:
    """Return 1 for what the marks of a PAG say, NaN for what they leave open; it says nothing of shared causes."""
    pairs, ordered = np.triu_indices(len(pag), 1), ~np.eye(len(pag), dtype=bool)
    marks = pag.marks
    directed = (marks == Mark.ARROW) & (marks.T == Mark.TAIL)
    no_cause = marks.T == Mark.ARROW  # an arrowhead at i: i does not cause j

    def only(mask: BoolMatrix) -> FloatArray:
        return np.where(mask, 1.0, np.nan)

    return {
        "causes": only(directed[ordered]),
        "not causes": only(no_cause[ordered]),
        "shares a cause": np.full(len(pairs[0]), np.nan),
        "adjacent": only(pag.skeleton[pairs]),
        "apart": only(~pag.skeleton[pairs]),
    }


def truth_of(admg: ADMG) -> dict[str, FloatArray]:
    """Return 1 for each statement that is true, 0 for the others."""
    return said_by(Beliefs.of_posterior(weigh([(admg, 0.0)], 0.0)))


def search(table: pd.DataFrame, effective_rows: str, restarts: int) -> tuple[Said, int]:
    """Return what the search says, and how many rows it counted."""
    model = ADMGDiscovery(n_restarts=restarts, random_state=0, effective_rows=effective_rows).fit(table)
    beliefs = Beliefs.of_posterior(model.search_.posterior).reorder(list(table.columns))
    return said_by(beliefs), model.n_counted_


def baseline(table: pd.DataFrame, learner: Baseline) -> tuple[Said, int]:
    """Return what a baseline says."""
    moments = Moments.from_table(table)
    return said_by_pag(learner.fit(moments).pag_.subgraph(list(table.columns))), moments.n_samples


def methods(restarts: int) -> dict[str, Callable[[pd.DataFrame], tuple[Said, int]]]:
    """Return the methods by name."""
    return {
        "ours": partial(search, effective_rows="auto", restarts=restarts),
        "ours, all rows": partial(search, effective_rows="all", restarts=restarts),
        "FCI .01": partial(baseline, learner=FCI(alpha=0.01)),
        "GFCI .01": partial(baseline, learner=GFCI(alpha=0.01, random_state=0)),
    }


def run(store: ResultStore, options: argparse.Namespace) -> None:
    """Run what is missing, seed by seed, one after the other."""
    if options.first < TUNING <= options.first + options.datasets - 1:
        raise LurkingError(f"The seeds would run into those from {TUNING} on, which are for tuning; ask for fewer.")
    for seed in range(options.first, options.first + options.datasets):
        for world in options.worlds:
            for n in options.rows:
                for name, method in methods(options.restarts).items():
                    if name in options.methods and (world, str(n), str(seed), name, KINDS[-1]) not in store:
                        _run_one(store, world, n, seed, name, method)


def _run_one(
    store: ResultStore, world: str, n: int, seed: int, name: str, method: Callable[[pd.DataFrame], tuple[Said, int]]
) -> None:
    table, truth = violated(world, n, seed)
    true, start = truth_of(truth), time.process_time()
    said, counted = method(table)
    seconds = round(time.process_time() - start, 1)
    begin = {"world": world, "n": n, "seed": seed, "method": name, "counted": counted, "seconds": seconds}
    for kind in KINDS:
        made = ~np.isnan(said[kind])
        sums = counts(said[kind][made], true[kind][made] > 0.5)
        if (world, str(n), str(seed), name, kind) not in store:
            store.append(begin | {"kind": kind} | sums.to_texts())
    print(f"{world} {n} {seed} {name}: {counted} rows counted, {seconds} s", flush=True)


def tables(store: ResultStore, first: int) -> Iterator[TextTable]:
    """Yield a table for each number of rows."""
    frame = pd.DataFrame(store.rows(), columns=list(COLUMNS))
    seeds = frame["seed"].astype(int)
    frame = frame[(seeds >= TUNING) == (first >= TUNING)]
    if frame.empty:
        raise LurkingError("There are no results of these seeds; run the benchmark first.")
    for n, part in frame.groupby(frame["n"].astype(int)):
        lines = []
        for world in (name for name in WORLDS if name in set(part["world"])):
            rows = part[part["world"] == world]
            lines += [
                _line(world, name, rows[rows["method"] == name]) for name in methods(1) if name in set(rows["method"])
            ]
        yield TextTable(
            f"Statements with probability .95 or more, n = {n}: share right (number)",
            ("world", "method", "rows counted", *KINDS, "all", "all right", "ECE"),
            tuple(lines),
            "ECE: expected calibration error of all statements, in 20 bins. FCI and GFCI say what they say with "
            f"probability 1. {len(set(part['seed']))} data sets in each world.",
        )


def _line(world: str, method: str, rows: pd.DataFrame) -> tuple[str, ...]:
    total, cells = Counts.none(), []
    for kind in KINDS:
        mine = Counts.none()
        for entry in rows[rows["kind"] == kind].itertuples():
            mine += Counts.of_texts(str(entry.number), str(entry.probability), str(entry.right))
        total += mine
        cells.append(_share(mine))
    share, number = total.share_right(CERTAIN)
    right = NOTHING if np.isnan(share) else f"{share * number:.0f}"
    counted = f"{rows['counted'].astype(int).median():.0f}"
    return world, method, counted, *cells, _share(total), right, f"{total.error:.3f}"


def _share(counted: Counts) -> str:
    share, number = counted.share_right(CERTAIN)
    return NOTHING if np.isnan(share) else f"{share:.2f} ({number})"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="python -m benchmarks.violations",
        description=benchmarks.violations.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("command", choices=("run", "tables"))
    top.add_argument("--out", type=Path, default=Path("results/violations"), help="the folder of the results")
    top.add_argument("--first", type=int, default=0, help=f"the first seed: 0 for reporting, {TUNING} for tuning")
    top.add_argument("--datasets", type=int, default=5, help="in each world and size")
    top.add_argument("--worlds", nargs="*", choices=WORLDS, default=list(WORLDS))
    top.add_argument("--rows", nargs="*", type=int, default=[300, 1000])
    top.add_argument("--methods", nargs="*", choices=list(methods(1)), default=list(methods(1)))
    top.add_argument("--restarts", type=int, default=2, help="n_restarts of the searches")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark, or print its tables."""
    options = parser().parse_args(arguments)
    store = ResultStore(options.out / "counts.csv", COLUMNS, n_key=5, say=print)
    try:
        if options.command == "run":
            run(store, options)
        text = "\n".join(table.to_markdown() for table in tables(store, options.first))
        name = "tables-tuning.md" if options.first >= TUNING else "tables.md"
        write_together({options.out / name: text})
    except LurkingError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
