"""From data to answer, as ``discover``, ``demo`` and ``bootstrap`` give it: search, words, files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lurking.cli.console import ProgressBar, answer_console, progress_bar
from lurking.cli.interrupt import stoppable
from lurking.cli.settings import Output, Question, Resampling, SearchSettings
from lurking.cli.wording import in_options

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lurking.discovery import ADMGDiscovery, BootstrapResult
    from lurking.report.content import ReportContent
    from lurking.report.document import DiscoveryResult

__all__ = ["show_answer", "show_consensus"]


def show_answer(
    question: Question, settings: SearchSettings, output: Output, resampling: Resampling | None = None
) -> None:
    """Search, and if asked repeat it on resampled data; then print the answer and write the files."""

    def find(bar: ProgressBar, data: Any, model: ADMGDiscovery) -> _Answer:
        from lurking.report import terminal_report
        from lurking.report.document import discovery_result
        from lurking.report.from_discovery import report_content
        from lurking.search.result import SearchStatus

        with stoppable(bar, keeps_best=settings.solver == "hybrid") as progress:
            model.set_params(progress=progress).fit(data)
        result = None
        if resampling is not None and model.status_ is SearchStatus.INTERRUPTED:
            bar.say("The bootstrap is left out, because the search was interrupted.")
        elif resampling is not None:
            result = _resample(bar, data, model, resampling)
        bar.step("testing what the graph implies")
        content = report_content(model, bootstrap=result, **_described(question))
        return _Answer(content, discovery_result(model, content), terminal_report)

    _show(question, settings, output, find)


def show_consensus(question: Question, settings: SearchSettings, output: Output, resampling: Resampling) -> None:
    """Search resampled data; then print how often each edge was found and write the files of the consensus graph."""

    def find(bar: ProgressBar, data: Any, model: ADMGDiscovery) -> _Answer:
        from lurking.report.document import consensus_result
        from lurking.report.from_discovery import consensus_content
        from lurking.report.stability import bootstrap_report

        result = _resample(bar, data, model, resampling)
        bar.step("testing what the consensus graph implies")
        content = consensus_content(result, model, **_described(question))
        return _Answer(content, consensus_result(result, model, content), bootstrap_report)

    _show(question, settings, output, find)


@dataclass(frozen=True)
class _Answer:
    content: ReportContent
    result: DiscoveryResult
    in_words: Callable[[ReportContent], RenderableType]


def _show(
    question: Question,
    settings: SearchSettings,
    output: Output,
    find: Callable[[ProgressBar, Any, ADMGDiscovery], _Answer],
) -> None:
    """Read, find the answer, write the files and print; if anything fails, nothing is written."""
    _check_flags(settings)
    with progress_bar(output.quiet) as bar:
        bar.step("loading")
        from lurking.report import report_html
        from lurking.report.document import dumps_result
        from lurking.report.files import write_together

        _check_folder(output.folder)
        model = settings.estimator(question)
        bar.step("reading the data")
        answer = find(bar, question.load(), model)
        document = dumps_result(answer.result)
        bar.step("writing the report")
        files = {output.folder / "report.html": report_html(answer.content), output.folder / "result.json": document}
        if output.svg:
            files[output.folder / "graph.svg"] = answer.content.admg.to_svg()
            files[output.folder / "pag.svg"] = answer.content.pag.to_svg()
        write_together(files)
    if output.as_json:
        click.echo(document, nl=False)
    elif not output.quiet:
        console = answer_console()
        console.print(answer.in_words(_in_options(answer.content)))
        console.print()
        console.print(f"Written: {', '.join(str(path) for path in files)}", style="dim", soft_wrap=True)


def _check_flags(settings: SearchSettings) -> None:
    """Refuse options that the solver would ignore."""
    if settings.time_budget is not None and settings.solver != "hybrid":
        raise click.UsageError(f"--time-budget works with --solver hybrid only, not with {settings.solver}; drop it.")
    if settings.penalty is not None and settings.solver != "dcd":
        raise click.UsageError(
            f"--penalty works with --solver dcd only; {settings.solver} minimises BIC, ln(n) per parameter; drop it."
        )
    if settings.noise == "similar" and settings.solver == "dcd":
        raise click.UsageError(
            "--noise similar works with --solver hybrid and exact only; dcd assumes similar noise in any case; drop it."
        )


def _resample(bar: ProgressBar, data: Any, model: ADMGDiscovery, resampling: Resampling) -> BootstrapResult:
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


def _described(question: Question) -> dict[str, Any]:
    return {
        "title": question.title,
        "data_name": question.data_name,
        "data_hash": question.data_hash(),
        "created": f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z}",
        "sachs": question.sachs,
    }


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
