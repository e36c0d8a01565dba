"""From data to answer, as ``discover`` and ``demo`` give it: search, words, files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from lurking.cli.wording import in_options

if TYPE_CHECKING:
    from lurking.report.content import ReportContent

__all__ = ["Output", "SearchSettings", "output_options", "search_options", "show_answer"]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class SearchSettings:
    """How to search; the fields are parameters of :class:`~lurking.ADMGDiscovery`."""

    graph_class: Literal["bow-free", "arid", "ancestral"] = "bow-free"
    solver: Literal["hybrid", "dcd", "exact"] = "hybrid"
    noise: Literal["free", "similar"] = "free"
    restarts: int = 5
    seed: int = 0
    jobs: int = -1
    time_budget: float | None = None
    knowledge: Path | None = None


@dataclass(frozen=True)
class Output:
    """What is written and said."""

    folder: Path
    svg: bool = False
    as_json: bool = False
    quiet: bool = False


def search_options(function: F) -> F:
    """Add the options of the search."""
    for decorate in reversed(
        (
            click.option(
                "--class",
                "graph_class",
                type=click.Choice(["bow-free", "arid", "ancestral"]),
                default="bow-free",
                show_default=True,
                help="Which graphs are considered.",
            ),
            click.option(
                "--solver",
                type=click.Choice(["hybrid", "dcd", "exact"]),
                default="hybrid",
                show_default=True,
                help="Exact BIC from many starts; the paper's procedure; or all graphs (up to 5 variables).",
            ),
            click.option(
                "--noise",
                type=click.Choice(["free", "similar"]),
                default="free",
                show_default=True,
                help="Assume nothing of the error variances, or that they are similar in the units given.",
            ),
            click.option(
                "--knowledge",
                metavar="FILE.toml",
                type=click.Path(path_type=Path),
                help="What is known beforehand: tiers, forbid, require, unconfounded; or Tetrad's knowledge.",
            ),
            click.option(
                "--restarts",
                metavar="N",
                type=click.IntRange(min=1),
                default=5,
                show_default=True,
                help="Independent runs; the best one counts.",
            ),
            click.option(
                "--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="The seed."
            ),
            click.option(
                "--time-budget",
                metavar="SECONDS",
                type=click.FloatRange(min=0, min_open=True),
                help="Stop after so many seconds with the best graph so far.",
            ),
            click.option(
                "--jobs",
                metavar="N",
                type=int,
                default=-1,
                help="Runs at the same time; by default one for each core. It does not change the answer.",
            ),
        )
    ):
        function = decorate(function)
    return function


def output_options(function: F) -> F:
    """Add the options on what is written and said."""
    for decorate in reversed(
        (
            click.option(
                "--out",
                "folder",
                metavar="DIR",
                type=click.Path(path_type=Path, file_okay=False),
                default=Path("."),
                help="The folder for report.html and result.json; by default the current one.",
            ),
            click.option("--svg", is_flag=True, help="Write the pictures graph.svg and pag.svg as well."),
            click.option("--json", "as_json", is_flag=True, help="Print result.json instead of words."),
            click.option("--quiet", "-q", is_flag=True, help="No progress and no words, only files and errors."),
        )
    ):
        function = decorate(function)
    return function


def show_answer(
    load: Callable[[], Any],
    settings: SearchSettings,
    output: Output,
    *,
    title: str,
    data_name: str,
    data_hash: Callable[[], str],
    sachs: bool = False,
    missing: Literal["refuse", "drop", "em"] = "refuse",
    margins: Literal["rank", "latent"] | None = None,
) -> None:
    """Search, then print the answer and write the files; if anything fails, nothing is written."""
    if settings.time_budget is not None and settings.solver != "hybrid":
        raise click.UsageError(f"--time-budget works with --solver hybrid only, not with {settings.solver}; drop it.")
    from lurking.cli.console import answer_console, progress_bar
    from lurking.cli.interrupt import stoppable

    with progress_bar(output.quiet) as bar:
        bar.step("loading")
        from lurking.discovery import ADMGDiscovery
        from lurking.discovery.knowledge_files import read_knowledge
        from lurking.report import report_html, terminal_report
        from lurking.report.document import discovery_result, dumps_result
        from lurking.report.files import write_together
        from lurking.report.from_discovery import report_content

        _check_folder(output.folder)
        knowledge = None if settings.knowledge is None else read_knowledge(settings.knowledge)
        bar.step("reading the data")
        data = load()
        with stoppable(bar, keeps_best=settings.solver == "hybrid") as progress:
            model = ADMGDiscovery(
                graph_class=settings.graph_class,
                solver=settings.solver,
                noise_scale=settings.noise,
                n_restarts=settings.restarts,
                random_state=settings.seed,
                n_jobs=settings.jobs,
                knowledge=knowledge,
                time_budget=settings.time_budget,
                missing=missing,
                margins=margins,
                progress=progress,
            ).fit(data)
            bar.step("testing what the graph implies")
            content = report_content(
                model,
                title,
                data_name=data_name,
                data_hash=data_hash(),
                created=f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z}",
                sachs=sachs,
            )
            document = dumps_result(discovery_result(model, content))
            bar.step("writing the report")
            files = {output.folder / "report.html": report_html(content), output.folder / "result.json": document}
            if output.svg:
                files[output.folder / "graph.svg"] = model.admg_.to_svg()
                files[output.folder / "pag.svg"] = model.pag_.to_svg()
            write_together(files)
    if output.as_json:
        click.echo(document, nl=False)
    elif not output.quiet:
        console = answer_console()
        console.print(terminal_report(_in_options(content)))
        console.print()
        console.print(f"Written: {', '.join(str(path) for path in files)}", style="dim", soft_wrap=True)


def _in_options(content: ReportContent) -> ReportContent:
    """Return the content with advice in the words of the command line."""
    findings = tuple(replace(found, advice=in_options(found.advice)) for found in content.findings)
    status = None if content.status is None else in_options(content.status)
    return replace(content, status=status, findings=findings)


def _check_folder(folder: Path) -> None:
    """Say at once, not after the search, that nothing can be written."""
    import os

    from lurking._errors import FormatError

    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise FormatError(f"Nothing can be written to the folder {str(folder)!r}; choose another one with --out.")
