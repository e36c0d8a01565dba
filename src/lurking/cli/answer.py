"""From data to answer, as ``discover``, ``demo`` and ``bootstrap`` give it: search, words, files."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lurking._clock import written_at
from lurking.cli.console import ProgressBar, answer_console, progress_bar
from lurking.cli.interrupt import stoppable
from lurking.cli.reading import say_what_was_read
from lurking.cli.settings import DataRequest, Output, Resampling, SearchSettings
from lurking.cli.spelling import in_options_all

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lurking.data.prepare import PreparedData
    from lurking.discovery import Analysis, BootstrapResult
    from lurking.discovery.table_search import TableSearch

_START = 2.0  # seconds that Python takes before it comes here, which belong to a time budget too

__all__ = ["described", "files_of", "searched", "show_answer", "show_consensus"]


def show_answer(
    question: DataRequest,
    settings: SearchSettings,
    output: Output,
    resampling: Resampling | None = None,
    *,
    dask: str | None = None,
) -> None:
    """Search, and if asked repeat it on resampled data; then print the answer and write the files.

    With ``dask``, the address of a scheduler, the chains of the search run on that cluster.
    """

    def find(bar: ProgressBar, data: PreparedData, model: TableSearch, began: float) -> Analysis:
        from lurking.cli.cluster import workers
        from lurking.discovery import analyse
        from lurking.discovery.time_budget import fit_within_budget
        from lurking.search.status import SearchStatus

        with workers(dask, bar), stoppable(bar, keeps_best=settings.solver == "hybrid") as progress:
            model = model.copy(progress=progress)
            deadline = fit_within_budget(model, data, began, with_report=True)
        resampled = None
        if resampling is not None and model.status_ is SearchStatus.INTERRUPTED:
            bar.say("The bootstrap is left out, because the search was interrupted.")
        elif resampling is not None:
            resampled, deadline = _resample(bar, data, model, resampling), inf
        bar.step("testing what the graph implies")
        return analyse(model, bootstrap=resampled, deadline=deadline, **described(question))

    def in_words(analysis: Analysis) -> RenderableType:
        from lurking.report import terminal_report

        return terminal_report(analysis, full=output.full)

    _show(question, settings, output, find, in_words)


def searched(question: DataRequest, settings: SearchSettings, *, quiet: bool, cause: str, effect: str) -> Analysis:
    """Search for effects, and return the answer without showing or writing anything.

    The cause and the effect are looked for first, because a search takes longer than a look.
    """
    _check_flags(settings)
    began = time.monotonic() - _START
    with progress_bar(quiet) as bar:
        bar.step("loading")
        from lurking.discovery import analyse
        from lurking.discovery.effect_columns import EffectColumns
        from lurking.discovery.time_budget import fit_within_budget

        model = settings.estimator(question)
        bar.step("reading the data")
        data = model.prepare(question.load())
        say_what_was_read(bar, data)
        EffectColumns.of(data.moments).checked(cause, effect)
        with stoppable(bar, keeps_best=settings.solver == "hybrid") as progress:
            model = model.copy(progress=progress)
            fit_within_budget(model, data, began, with_report=False)
        bar.step("fitting the graphs of the posterior")
        return analyse(model, **described(question))


def show_consensus(question: DataRequest, settings: SearchSettings, output: Output, resampling: Resampling) -> None:
    """Search resampled data; then print how often each edge was found and write the files of the consensus graph."""

    def find(bar: ProgressBar, data: PreparedData, model: TableSearch, began: float) -> Analysis:
        from lurking.discovery import analyse

        result = _resample(bar, data, model, resampling)
        bar.step("testing what the consensus graph implies")
        return analyse(result, model=model, **described(question))

    def in_words(analysis: Analysis) -> RenderableType:
        from lurking.report import bootstrap_report

        return bootstrap_report(analysis)

    _show(question, settings, output, find, in_words)


def _show(
    question: DataRequest,
    settings: SearchSettings,
    output: Output,
    find: Callable[[ProgressBar, PreparedData, TableSearch, float], Analysis],
    in_words: Callable[[Analysis], RenderableType],
) -> None:
    """Read, find the answer, write the files and print; if anything fails, nothing is written."""
    _check_flags(settings)
    began = time.monotonic() - _START
    with progress_bar(output.quiet) as bar:
        bar.step("loading")
        from lurking._files import write_together
        from lurking.discovery import dumps_result
        from lurking.search.search_plan import seconds_of_file

        check_folder(output.folder)
        model = settings.estimator(question)
        bar.step("reading the data")
        data = model.prepare(question.load())
        say_what_was_read(bar, data)
        analysis = find(bar, data, model, began)
        bar.step("writing the report")
        pictures_end = inf
        if settings.time_budget is not None and analysis.n_replicates is None:
            pictures_end = began + settings.time_budget - seconds_of_file(len(analysis.names))
        files = files_of(analysis, output.folder, with_template=settings.knowledge is None, pictures_end=pictures_end)
        if output.svg:
            files[output.folder / "graph.svg"] = analysis.admg.to_svg()
            files[output.folder / "pag.svg"] = analysis.pag.to_svg()
        write_together(files)
    if output.as_json:
        click.echo(dumps_result(analysis), nl=False)
    elif not output.quiet:
        console = answer_console()
        with console.capture() as capture:
            console.print(in_words(in_options_all(analysis)))
        console.out(capture.get(), end="", highlight=False)
        console.print(f"Written: {', '.join(str(path) for path in files)}", style="dim", soft_wrap=True)


def files_of(
    analysis: Analysis, folder: Path, *, with_template: bool = False, pictures_end: float = inf
) -> dict[Path, str]:
    """Return the files that an answer leaves in a folder, with their texts.

    With ``with_template`` a knowledge file to edit is one of them, unless the folder has one already. After
    ``pictures_end``, on the clock of ``time.monotonic``, the page of a large graph gets no further pictures.
    """
    from lurking.discovery import dumps_result
    from lurking.discovery.next_steps import knowledge_template
    from lurking.report import report_html

    files = {
        folder / "report.html": report_html(analysis, pictures_end),
        folder / "result.json": dumps_result(analysis),
    }
    template = folder / "knowledge.toml"
    if with_template and analysis.knowledge is None and not template.exists():
        files[template] = knowledge_template(analysis)
    return files


def _check_flags(settings: SearchSettings) -> None:
    """Raise an error for options that the solver would ignore."""
    if settings.time_budget is not None and settings.solver != "hybrid":
        raise click.UsageError(f"--time-budget works with --solver hybrid only, not with {settings.solver}; drop it.")
    if settings.penalty is not None and settings.solver != "dcd":
        raise click.UsageError(
            f"--penalty works with --solver dcd only; {settings.solver} scores graphs by --criterion; drop it."
        )
    if settings.noise == "similar" and settings.solver == "dcd":
        raise click.UsageError(
            "--noise similar works with --solver hybrid and exact only; dcd assumes similar noise in any case; drop it."
        )
    if settings.tiers is not None and settings.knowledge is not None:
        raise click.UsageError("Give --tiers or --knowledge, not both; a knowledge file has tiers, too.")


def _resample(bar: ProgressBar, data: PreparedData, model: TableSearch, resampling: Resampling) -> BootstrapResult:
    """Repeat the search on resampled data, here or on a cluster."""
    from lurking.cli.cluster import workers
    from lurking.discovery import bootstrap

    with (
        workers(resampling.dask, bar),
        stoppable(bar, keeps_best=True, what_is_kept="the replicates so far") as progress,
    ):
        return bootstrap(
            model,
            data,
            n_replicates=resampling.replicates,
            random_state=model.random_state,
            n_jobs=model.n_jobs,
            progress=progress,
        )


def described(question: DataRequest) -> dict[str, Any]:
    """Return what an analysis says about its data."""
    return {
        "title": question.title,
        "data_name": question.data_name,
        "data_hash": None if question.data_hash is None else question.data_hash(),
        "created": written_at(),
        "dataset": question.dataset,
    }


def check_folder(folder: Path) -> None:
    """Say at once, not after the search, that nothing can be written."""
    import os

    from lurking._errors import FormatError

    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise FormatError(f"Nothing can be written to the folder {str(folder)!r}; choose another one with --out.")
