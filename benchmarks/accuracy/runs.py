"""Run what is missing: one task for each data set and group of methods, a row for each answer as soon as it is there.

``results.csv`` has a row for each data set and method, ``calibration.csv`` one for each data set, search of ours and
kind of statement. A method that fails or takes too long has a row with a note in place of numbers, and is not tried
again; ``--again`` forgets the rows of a method.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import joblib
from benchmarks.accuracy.limits import OutOfTimeError, within
from benchmarks.accuracy.methods import ANSWERS, GROUPS, MethodOutcome, compiled, run_baselines, run_ours
from benchmarks.accuracy.statements import KINDS, counts, sample_of, statements, thinned
from benchmarks.accuracy.worlds import PER_CELL, TUNING, Cell, simulated

from lurking import ADMG, compare
from lurking._errors import LurkingError
from lurking._files import write_together
from lurking._parallel import left_quietly, workers_ignoring_sigint
from lurking.experiments.store import ResultStore
from lurking.graphs.model_equivalence import model_equivalent
from lurking.simulate import Simulation

__all__ = ["Limits", "Task", "calibration_store", "forget", "result_store", "run", "tasks"]

Row = dict[str, object]

RATES = tuple(f"{kind}_{rate}" for kind in ("skeleton", "arrowhead", "tail") for rate in ("tpr", "fdr"))
RESULT_COLUMNS = (
    *("world", "d", "n", "seed", "method"),
    *("pag_shd", *RATES, "true_class", "seconds", "reached", "settings", "graph", "note"),
)
CALIBRATION_COLUMNS = ("world", "d", "n", "seed", "method", "kind", "source", "number", "probability", "right")


def result_store(folder: Path) -> ResultStore:
    """Open the table of results."""
    return ResultStore(folder / "results.csv", RESULT_COLUMNS, n_key=5, say=print)


def calibration_store(folder: Path) -> ResultStore:
    """Open the table of counted statements."""
    return ResultStore(folder / "calibration.csv", CALIBRATION_COLUMNS, n_key=6, say=print)


@dataclass(frozen=True)
class Limits:
    """How much a method may take."""

    ours: float
    """Processor time of one search of ours, in seconds."""
    baseline: float
    """Processor time of one group of baselines, and for tetrad-port the time on the clock."""
    graphs: int
    """How many graphs of a posterior are asked for statements."""
    tetrad_python: str | None


@dataclass(frozen=True)
class Task:
    """One data set and the methods to run on it together: a group of baselines, or one search of ours."""

    cell: Cell
    seed: int
    group: str
    settings: str | None
    """The settings of a search of ours as JSON; None for baselines."""

    def methods(self) -> tuple[str, ...]:
        """Return the names of the rows."""
        if self.settings is None:
            return tuple(GROUPS[self.group].learners)
        return tuple(f"{self.group} {answer}" for answer in ANSWERS)

    def key(self, *rest: str) -> tuple[str, ...]:
        """Return the beginning of a key as the tables write it."""
        return (self.cell.world, str(self.cell.d), str(self.cell.n), str(self.seed), *rest)

    def run(self, limits: Limits) -> tuple[list[Row], list[Row]]:
        """Return the rows of results and those of the calibration."""
        begin: Row = dict(zip(RESULT_COLUMNS, self.key(), strict=False))
        try:
            compiled(None if self.settings else self.group, self.settings or "{}")
            limit = limits.baseline if self.settings is None else limits.ours
            return within(limit, partial(self._rows, limits, begin))
        except (OutOfTimeError, LurkingError, RuntimeError) as error:
            empty = dict.fromkeys(RESULT_COLUMNS, None)
            rows = [empty | begin | {"method": name, "settings": self.settings} for name in self.methods()]
            return [row | {"note": f"{type(error).__name__}: {error}"} for row in rows], []

    def _rows(self, limits: Limits, begin: Row) -> tuple[list[Row], list[Row]]:
        simulation = simulated(self.cell, self.seed)
        if self.settings is None:
            found = run_baselines(
                self.group, simulation, tetrad_python=limits.tetrad_python, time_limit=limits.baseline
            )
            return [begin | _result(name, one, simulation, self.cell) for name, one in found.items()], []
        answers = run_ours(json.loads(self.settings), simulation)
        rows = [
            begin | _result(f"{self.group} {name}", one, simulation, self.cell) | {"settings": self.settings}
            for name, one in answers.items()
        ]
        search = next(iter(answers.values())).search
        if search is None:
            raise RuntimeError("A search of ours must come with its result.")
        sample = thinned(sample_of(search), limits.graphs)
        said = statements(sample, simulation.admg)
        shared = begin | {"method": self.group, "source": sample.source}
        return rows, [shared | {"kind": kind} | counts(*said[kind]).to_texts() for kind in KINDS]


def _result(method: str, found: MethodOutcome, simulation: Simulation, cell: Cell) -> Row:
    # With hidden roots the truth is a PAG. It joins pairs that the latent projection leaves apart but no conditional
    # independence separates (inducing paths), and every method is compared by the PAG of what it found.
    truth = simulation.admg.to_pag() if cell.world == "hidden" else simulation.admg
    numbers = compare(truth, found.graph).to_dict()
    same = None
    if cell.world == "verma" and isinstance(found.graph, ADMG):
        same = int(model_equivalent(simulation.admg, found.graph))
    return {
        "method": method,
        "pag_shd": numbers["pag_shd"],
        **{name: round(numbers[name], 6) if not math.isnan(numbers[name]) else None for name in RATES},
        "true_class": same,
        "seconds": round(found.seconds, 4),
        "reached": found.reached,
        "settings": None,
        "graph": str(found.graph),
        "note": None,
    }


def tasks(
    cells: Iterable[Cell], seeds: range, ours: Mapping[str, Mapping[str, Any]], groups: Sequence[str]
) -> list[Task]:
    """Return all tasks, seed by seed, so that a run that is stopped has the same number of data sets in each cell.

    The world ``verma`` has more data sets and no baselines, because a DAG or a PAG cannot be of the true class.
    """
    if seeds.start < TUNING <= seeds.start + max(PER_CELL.values()) * len(seeds):
        raise LurkingError(f"The seeds would run into those from {TUNING} on, which are for tuning; ask for fewer.")
    found = []
    chosen = list(cells)
    for position in range(len(seeds)):
        for cell in chosen:
            times = PER_CELL.get(cell.world, 1)
            for seed in range(seeds.start + position * times, seeds.start + (position + 1) * times):
                found += [
                    Task(cell, seed, name, json.dumps(settings, sort_keys=True)) for name, settings in ours.items()
                ]
                if cell.world != "verma":
                    found += [Task(cell, seed, name, None) for name in groups if cell.d <= GROUPS[name].at_most]
    return found


def forget(folder: Path, names: Sequence[str]) -> None:
    """Remove the rows of methods, and of all answers of searches, from both tables."""
    for store in (result_store(folder), calibration_store(folder)):
        kept = [row for row in store.rows() if row["method"] not in names and row["method"].split()[0] not in names]
        if len(kept) < len(store):
            text = io.StringIO(newline="")
            writer = csv.writer(text, lineterminator="\n")
            writer.writerows([store.columns, *(row.values() for row in kept)])
            write_together({store.path: text.getvalue()})


def run(folder: Path, todo: Sequence[Task], limits: Limits, n_jobs: int) -> None:
    """Run what is missing of the tasks, and write each row as it comes."""
    results, calibration = result_store(folder), calibration_store(folder)
    _refuse_other_settings(results, todo)
    pending = [task for task in todo if any(task.key(name) not in results for name in task.methods())]
    print(f"{len(todo) - len(pending)} of {len(todo)} tasks are done already.", flush=True)
    with joblib.parallel_config("loky", inner_max_num_threads=1):
        parallel = joblib.Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
        with workers_ignoring_sigint():
            started = parallel(joblib.delayed(_work)(task, limits) for task in pending)
        with left_quietly(started) as finished:
            for number, (task, rows, said) in enumerate(finished, start=1):
                for row in said:
                    if task.key(str(row["method"]), str(row["kind"])) not in calibration:
                        calibration.append(row)
                for row in rows:
                    if task.key(str(row["method"])) not in results:
                        results.append(row)
                shown = ", ".join(
                    f"{row['method']} {row['pag_shd'] if row['note'] is None else row['note']}" for row in rows
                )
                print(f"{number}/{len(pending)} {' '.join(task.key())}: {shown}", flush=True)
    results.sort()
    calibration.sort()


def _work(task: Task, limits: Limits) -> tuple[Task, list[Row], list[Row]]:
    return task, *task.run(limits)


def _refuse_other_settings(results: ResultStore, todo: Sequence[Task]) -> None:
    """Raise if the table has rows of a search of the same name with other settings."""
    wanted = {name: task.settings for task in todo if task.settings is not None for name in task.methods()}
    for row in results.rows():
        name = row["method"]
        if name in wanted and row["settings"] != wanted[name]:
            raise LurkingError(
                f"{str(results.path)!r} has rows of {name!r} with the settings {row['settings']}, not {wanted[name]}; "
                f"choose another name, or forget them with --again {name.split()[0]}."
            )
