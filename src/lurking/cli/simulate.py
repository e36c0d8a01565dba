"""``lurking simulate``: data whose true graph is known."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

import click

from lurking._wording import counted
from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import read_admg
from lurking.cli.options import Registered, class_names

__all__ = ["command"]


@click.command("simulate", short_help=COMMANDS["simulate"])
@click.option(
    "--variables", metavar="D", type=click.IntRange(min=1), help="A random graph on D variables (default 10)."
)
@click.option("--graph", type=click.Path(path_type=Path), help="The true graph, from a file.")
@click.option("--rows", metavar="N", type=click.IntRange(min=2), default=1000, show_default=True, help="Rows to draw.")
@click.option(
    "--class",
    "graph_class",
    type=Registered(class_names),
    help="The class of a random graph (default bow-free).",
)
@click.option(
    "--errors",
    type=click.Choice(["gaussian", "uniform", "laplace", "student", "exponential"]),
    default="gaussian",
    show_default=True,
    help="The distribution of the errors.",
)
@click.option("--standardize", is_flag=True, help="Bring every column to mean 0 and variance 1.")
@click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="The seed.")
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("."),
    help="The folder for data.csv and truth.json; by default the current one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the true graph as JSON instead of words.")
@click.option("--quiet", "-q", is_flag=True, help="No words, only files and errors.")
def command(
    variables: int | None,
    graph: Path | None,
    rows: int,
    graph_class: str | None,
    errors: str,
    standardize: bool,
    seed: int,
    folder: Path,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw rows from a linear model with unmeasured common causes.

    Writes data.csv, and truth.json with the true graph. The random graphs and parameters are those of the paper; or
    give a graph of your own.
    """
    from lurking._files import write_together
    from lurking.io import dumps
    from lurking.simulate import simulate_admg

    if graph is not None and variables is not None:
        raise click.UsageError("Give --variables for a random graph or --graph for your own, not both.")
    if (folder / "data.csv").exists() and not (folder / "truth.json").exists():
        raise click.UsageError(
            f"{str(folder / 'data.csv')!r} is there already and not from a simulation, for it has no truth.json beside "
            "it; choose another folder with --out."
        )
    simulation = simulate_admg(
        read_admg(graph) if graph is not None else variables or 10,
        rows,
        graph_class=graph_class,
        errors=errors,  # type: ignore[arg-type]
        standardize=standardize,
        random_state=seed,
    )
    truth = dumps(simulation.admg, "json")
    table = simulation.data.to_csv(index=False, lineterminator="\n")
    write_together({folder / "data.csv": table, folder / "truth.json": truth})
    if as_json:
        click.echo(truth, nl=False)
    elif not quiet:
        size = f"{counted(rows, 'row')} of {counted(len(simulation.admg), 'variable')}"
        click.echo(f"{folder / 'data.csv'}: {size}, {errors} errors, seed {seed}")
        click.echo(f"{folder / 'truth.json'}: {simulation.admg}")
        share = simulation.varsortability
        if isfinite(share):  # there is an order to find
            click.echo(f"Sorting the variances finds {share:.2f} of the causal order (0.5 is chance, 1 is all of it).")
