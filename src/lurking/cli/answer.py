"""From data to answer, as ``discover``, ``demo`` and ``bootstrap`` give it: search, words, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lurking._clock import written_at
from lurking.cli.console import ProgressBar, answer_console, progress_bar
from lurking.cli.interrupt import stoppable
from lurking.cli.reading import say_what_was_read
from lurking.cli.settings import DataRequest, Output, Resampling, SearchSettings
from lurking.cli.wording import in_options

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lurking.data.prepare import PreparedData
    from lurking.discovery import ADMGDiscovery, Analysis, BootstrapResult

__all__ = ["described", "files_of", "searched", "show_answer", "show_consensus"]


def show_answer(
    question: DataRequest, settings: SearchSettings, output: Output, resampling: Resampling | None = None
) -> None:
    """Search, and if asked repeat it on resampled data; then print the answer and write the files."""

    def find(bar: ProgressBar, data: PreparedData, model: ADMGDiscovery) -> Analysis:
        from lurking.discovery import analyse
        from lurking.search.result import SearchStatus

        with stoppable(bar, keeps_best=settings.solver == "hybrid") as progress:
            model.set_params(progress=progress).fit(data)
        resampled = None
        if resampling is not None and model.status_ is SearchStatus.INTERRUPTED:
            bar.say("The bootstrap is left out, because the search was interrupted.")
        elif resampling is not None:
            resampled = _resample(bar, data, model, resampling)
        bar.step("testing what the graph implies")
        return analyse(model, bootstrap=resampled, **described(question))

    def in_words(analysis: Analysis) -> RenderableType:
        from lurking.report import terminal_report

        return terminal_report(analysis, full=output.full)

    _show(question, settings, output, find, in_words)


def searched(question: DataRequest, settings: SearchSettings, *, quiet: bool, cause: str, effect: str) -> Analysis:
    """Search for effects, and return the answer without showing or writing anything.

    The cause and the effect are looked for first, because a search takes longer than a look.
    """
    _check_flags(settings)
    with progress_bar(quiet) as bar:
        bar.step("loading")
        from lurking.discovery import analyse
        from lurking.discovery.effect_columns import EffectColumns

        model = settings.estimator(question)
        bar.step("reading the data")
        data = model.prepare(question.load())
        say_what_was_read(bar, data)
        EffectColumns.of(data.moments).checked(cause, effect)
        with stoppable(bar, keeps_best=settings.solver == "hybrid") as progress:
            model.set_params(progress=progress).fit(data)
        bar.step("fitting the graphs of the posterior")
        return analyse(model, **described(question))


def show_consensus(question: DataRequest, settings: SearchSettings, output: Output, resampling: Resampling) -> None:
    """Search resampled data; then print how often each edge was found and write the files of the consensus graph."""

    def find(bar: ProgressBar, data: PreparedData, model: ADMGDiscovery) -> Analysis:
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
    find: Callable[[ProgressBar, PreparedData, ADMGDiscovery], Analysis],
    in_words: Callable[[Analysis], RenderableType],
) -> None:
    """Read, find the answer, write the files and print; if anything fails, nothing is written."""
    _check_flags(settings)
    with progress_bar(output.quiet) as bar:
        bar.step("loading")
        from lurking._files import write_together
        from lurking.discovery import dumps_result

        check_folder(output.folder)
        model = settings.estimator(question)
        bar.step("reading the data")
        data = model.prepare(question.load())
        say_what_was_read(bar, data)
        analysis = find(bar, data, model)
        bar.step("writing the report")
        files = files_of(analysis, output.folder, with_template=settings.knowledge is None)
        if output.svg:
            files[output.folder / "graph.svg"] = analysis.admg.to_svg()
            files[output.folder / "pag.svg"] = analysis.pag.to_svg()
        write_together(files)
    if output.as_json:
        click.echo(dumps_result(analysis), nl=False)
    elif not output.quiet:
        console = answer_console()
        with console.capture() as capture:
            console.print(in_words(analysis))
        console.out(in_options(capture.get()), end="", highlight=False)
        console.print(f"Written: {', '.join(str(path) for path in files)}", style="dim", soft_wrap=True)


def files_of(analysis: Analysis, folder: Path, *, with_template: bool = False) -> dict[Path, str]:
    """Return the files that an answer leaves in a folder, with their texts.

    With ``with_template`` a knowledge file to edit is one of them, unless the folder has one already.
    """
    from lurking.discovery import dumps_result
    from lurking.discovery.next_steps import knowledge_template
    from lurking.report import report_html

    files = {folder / "report.html": report_html(analysis), folder / "result.json": dumps_result(analysis)}
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


def _resample(bar: ProgressBar, data: PreparedData, model: ADMGDiscovery, resampling: Resampling) -> BootstrapResult:
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
