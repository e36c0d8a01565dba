"""Run what is missing, on as many workers as there are, and keep every row as soon as it is there.

The tasks go to processes on this machine, or to those of another joblib backend such as a Dask cluster. Rows are
written by this process alone, in the order in which they come; a finished table is sorted. An interrupt from the
keyboard stops the work, and what is finished stays: the same command goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from lurking._errors import FormatError, LurkingError
from lurking._files import write_together
from lurking._parallel import left_quietly, workers_ignoring_sigint
from lurking._progress import Progress, silent
from lurking.experiments.experiment import Experiment, Task, key_text
from lurking.experiments.provenance import RunRecord
from lurking.experiments.store import Key, ResultStore

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RESULTS", "run_experiment", "write_summary"]

RESULTS, PICTURE, TABLES, RECORD = "results.csv", "plot.svg", "tables.md", "run.json"


def run_experiment(
    experiment: Experiment,
    folder: Path,
    *,
    n_jobs: int | None = None,
    progress: Progress = silent,
    say: Callable[[str], None] = lambda sentence: None,
    command: str = "",
) -> pd.DataFrame:
    """Run an experiment, or the rest of it.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    folder : Path
        Where ``results.csv`` and ``run.json`` are, or will be.
    n_jobs : int, optional
        Processes at the same time; -1 takes every core. None is one, or what was chosen by ``joblib.parallel_config``,
        such as a Dask cluster. It does not change the answer.
    progress : callable
        Told the share that is done.
    say : callable
        Told, in a sentence, what the user should know.
    command : str, default ""
        What is noted in ``run.json`` as the command.

    Returns
    -------
    rows : pandas.DataFrame
        The rows of this experiment; the file may hold more, from a larger run before.

    Raises
    ------
    ParameterError
        If the folder holds results of other settings.
    FormatError
        If a file in the folder is not what it should be.
    KeyboardInterrupt
        If it was stopped; the message says what is kept.
    """
    tasks = experiment.tasks()
    keys = [key_text(key) for task in tasks for key in task.row_keys()]
    record = RunRecord.open(folder / RECORD, experiment.name, experiment.fixed())
    store = ResultStore(folder / RESULTS, experiment.columns, n_key=len(experiment.key), say=say)
    pending = [task for task in tasks if any(key_text(key) not in store for key in task.row_keys())]
    found = sum(key in store for key in keys)
    if len(store) and not record.path.exists():
        raise FormatError(
            f"{str(store.path)!r} has lost its {RECORD}, which says with which seed and restarts it was made; put it "
            "back, or choose another --out."
        )
    if found and pending:
        say(f"{found} of {len(keys)} results are there already; going on from them.")
    elif found:
        say(f"All {len(keys)} results are in {store.path} already, so nothing is computed; for a new run choose --out.")
    if pending:
        record.start(command, n_jobs, say)
        try:
            with left_quietly(_started(pending, n_jobs)) as finished:
                for task_keys, rows in finished:
                    for key, row in zip(task_keys, rows, strict=True):
                        if key not in store:
                            store.append(row)
                            found += 1
                            progress(found / len(keys), f"{found} of {len(keys)}: {', '.join(key)}")
        except KeyboardInterrupt:
            there = sum(key in store for key in keys)
            raise KeyboardInterrupt(
                f"Stopped; {there} of {len(keys)} results are kept in {store.path}: run the same command to go on."
            ) from None
        except TerminatedWorkerError:
            raise LurkingError(
                "A worker process died, most often for lack of memory; what is finished is kept: run the same command "
                "to go on, with a smaller --n-jobs."
            ) from None
        finally:
            record.finish(len(store), complete=all(key in store for key in keys))
        store.sort()
    return experiment.frame(store.rows(keys))


def write_summary(experiment: Experiment, rows: pd.DataFrame, folder: Path) -> dict[str, Path]:
    """Write the plot and the tables of an experiment beside its results; return their paths.

    Those of a larger run are not replaced by those of a part of it: then nothing is written and there are no paths.
    """
    paths = {"plot": folder / PICTURE, "tables": folder / TABLES}
    store = ResultStore(folder / RESULTS, experiment.columns, n_key=len(experiment.key))
    if len(store) > len(rows) and all(path.exists() for path in paths.values()):
        return {}
    tables = "\n".join(table.to_markdown() for table in experiment.tables(rows))
    write_together({paths["plot"]: experiment.picture(rows), paths["tables"]: tables})
    return paths


def _started(
    pending: Sequence[Task], n_jobs: int | None
) -> Generator[tuple[list[Key], list[dict[str, object]]], None, None]:
    """Hand out the work; return the keys and rows of each task as it is finished."""
    parallel = joblib.Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
    with workers_ignoring_sigint():
        return parallel(joblib.delayed(_work)(task) for task in pending)  # type: ignore[no-any-return]


def _work(task: Task) -> tuple[list[Key], list[dict[str, object]]]:
    return [key_text(key) for key in task.row_keys()], task.run()
