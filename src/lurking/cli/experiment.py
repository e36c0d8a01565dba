"""``lurking experiment``: the tables and figures of the paper, with its baselines."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lurking.cli.cluster import check_address, workers
from lurking.cli.help_text import COMMANDS
from lurking.cli.options import check_jobs

if TYPE_CHECKING:
    from lurking.experiments import Experiment

__all__ = ["command"]

WIDTH_OF_TABLES = 160
NAMES = ("verma", "random-graphs", "regularization", "sachs")


def _words(value: tuple[str, ...]) -> list[str]:
    """Return options that may be repeated or joined by commas as one list."""
    return [word.strip() for text in value for word in text.split(",") if word.strip()]


@click.command("experiment", short_help=COMMANDS["experiment"])
@click.argument("name", type=click.Choice(NAMES))
@click.argument("more_variables", nargs=-1, metavar="")
@click.option(
    "--datasets",
    metavar="N",
    type=click.IntRange(min=1),
    help="Data sets for each setting (default 100, the paper's); for sachs searches (default 5).",
)
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the results (default results/NAME); what is there is not computed again.",
)
@click.option(
    "--n-jobs",
    metavar="K",
    type=int,
    callback=check_jobs,
    default=-1,
    help="Processes at the same time; by default one for each core. It does not change the answer.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    callback=check_address,
    help="Use the workers of a Dask scheduler, such as tcp://host:8786.",
)
@click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="The seed.")
@click.option(
    "--variables",
    metavar="D",
    type=click.IntRange(min=2),
    multiple=True,
    help="random-graphs only: numbers of variables, 10 by default; the paper has 10 and 15 (--variables 10 15).",
)
@click.option(
    "--methods", metavar="A,B,...", multiple=True, help="Only these methods; their names stand in results.csv."
)
@click.option(
    "--restarts",
    metavar="N",
    type=click.IntRange(min=1),
    help="Random starts of each method; by default as many as the method takes by itself, the paper's 5.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no words, only files and errors.")
def command(
    name: str,
    more_variables: tuple[str, ...],
    datasets: int | None,
    folder: Path | None,
    n_jobs: int,
    dask: str | None,
    seed: int,
    variables: tuple[int, ...],
    methods: tuple[str, ...],
    restarts: int | None,
    quiet: bool,
) -> None:
    """Run an experiment of the paper: verma, random-graphs, regularization or sachs.

    Writes results.csv (a row for each data set and method, as soon as it is finished), run.json, tables.md and
    plot.svg. It can be stopped at any time; the same command goes on where it stopped. Tables and plot of a larger
    run in the same folder are not replaced by those of a part of it.
    """
    if more_variables and not variables and name != "random-graphs":
        raise click.UsageError(f"Got an extra {more_variables[0]!r}; the number of data sets is --datasets N.")
    if variables and name != "random-graphs":
        raise click.UsageError(f"--variables is for random-graphs; {name} has its own number of variables: drop it.")
    if more_variables and not variables:
        raise click.UsageError(f"{more_variables[0]} stands alone; for numbers of variables write --variables.")
    for word in more_variables:
        if not word.isdecimal() or int(word) < 2:
            raise click.UsageError(f"--variables takes whole numbers from 2 on. Got {word!r} instead.")
    from lurking.cli.console import answer_console, progress_bar

    out = Path("results") / name if folder is None else folder
    with progress_bar(quiet) as bar:
        bar.step("loading")
        from lurking.experiments import run_experiment, write_summary

        options: dict[str, Any] = {"seed": seed, "methods": _words(methods) if methods else None, "restarts": restarts}
        if datasets is not None:
            options["n_datasets"] = datasets
        if variables:
            options["variables"] = (*variables, *map(int, more_variables))
        experiment = _experiment(name)(**options)
        try:
            with workers(dask, bar):
                rows = run_experiment(
                    experiment,
                    out,
                    n_jobs=n_jobs if dask is None else None,
                    progress=bar,
                    say=bar.say,
                    command=shlex.join(["lurking", *sys.argv[1:]]),
                )
        except KeyboardInterrupt as stop:
            raise click.ClickException(str(stop) or "Stopped before anything was finished.") from None
        bar.step("summing up")
        written = write_summary(experiment, rows, out)
        tables = experiment.tables(rows)
    if quiet:
        return
    console = answer_console()
    if not console.is_terminal:
        console.width = max(console.width, WIDTH_OF_TABLES)  # whatever reads it can break lines as it likes
    for table in tables:
        console.print(table.to_rich())
        console.print()
    if not written:
        words = "hold more than was asked for; tables.md and plot.svg are left as they are"
        console.print(f"The results in {out} {words}.", style="dim", soft_wrap=True)
        return
    names = ", ".join(str(path) for path in (out / "results.csv", out / "run.json", *written.values()))
    console.print(f"Written: {names}", style="dim", soft_wrap=True)


def _experiment(name: str) -> Callable[..., Experiment]:
    from lurking import experiments

    return {
        "verma": experiments.VermaExperiment,
        "random-graphs": experiments.RandomGraphsExperiment,
        "regularization": experiments.RegularizationExperiment,
        "sachs": experiments.SachsExperiment,
    }[name]
