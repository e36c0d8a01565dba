"""``lurking effect``: how much one variable changes another, after a search or from the result of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import DataSource, data_options, is_result
from lurking.cli.settings import SearchSettings, search_options

if TYPE_CHECKING:
    from lurking.discovery import Analysis, Effect

__all__ = ["command"]

_OF_ANY_SOURCE = {"data", "cause", "effect", "standardized", "as_json", "quiet"}


@click.command("effect", short_help=COMMANDS["effect"])
@data_options
@click.argument("cause")
@click.argument("effect")
@click.option("--standardized", is_flag=True, help="Per standard deviation, not in the units of the data.")
@search_options
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON instead of words.")
@click.option("--quiet", "-q", is_flag=True, help="No progress, only the answer.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: DataSource,
    cause: str,
    effect: str,
    standardized: bool,
    as_json: bool,
    quiet: bool,
    **search: Any,
) -> None:
    """Say how much EFFECT changes if CAUSE is raised by one unit, uncertainty about the graph included.

    DATA is a table or a covariance matrix, as for discover, which is then searched; or a result.json that discover
    wrote, which answers at once. Nothing is written.

    Of a nominal column, name a level: colour=green.

    Prints the probability that CAUSE is a cause of EFFECT at all, the effect with its intervals and its distribution,
    and what to adjust for.
    """
    if is_result(source.path):
        _refuse_other_options(ctx)
        from lurking.discovery import read_result

        analysis = read_result(source.path)
    else:
        question = source.question(f"Causal graph of {source.path.name}")
        from lurking.cli.answer import searched

        analysis = searched(question, SearchSettings(**search), quiet=quiet, cause=cause, effect=effect)
    found = analysis.effect(cause, effect, standardized=standardized)
    if as_json:
        click.echo(json.dumps(_document(found), ensure_ascii=False, indent=1))
        return
    _print(analysis, found)


def _refuse_other_options(ctx: click.Context) -> None:
    """Refuse options of a search that was made already."""
    for parameter in ctx.command.params:
        given = ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
        if given and parameter.name not in _OF_ANY_SOURCE:
            raise click.UsageError(
                f"{parameter.opts[0]} is for a search, and a result.json is the answer of one; drop it, or give the "
                "data."
            )


def _document(found: Effect) -> dict[str, Any]:
    from lurking.discovery.effect_parts import EFFECT_COLUMNS

    levels = (0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975)
    return {
        **{name: getattr(found, name) for name in EFFECT_COLUMNS},
        "standardized": found.standardized,
        "quantiles": dict(zip(map(str, levels), found.distribution.quantiles(levels).tolist(), strict=True)),
        "adjustment": [
            {"variables": list(one.variables), "probability": one.share}
            | {"estimate": one.estimate, "standard_error": one.standard_error, "low": one.low, "high": one.high}
            | {"robustness": one.robustness, "robustness_of_interval": one.robustness_of_interval}
            for one in found.adjustment
        ],
        "n_graphs": found.n_graphs,
        "source": found.source,
    }


def _print(analysis: Analysis, found: Effect) -> None:
    from lurking.cli.console import answer_console
    from lurking.report import effect_report

    answer_console().print(effect_report(analysis, found))
