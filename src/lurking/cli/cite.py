"""``lurking cite``: BibTeX of exactly what was used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import click

from lurking._typing import GraphClass
from lurking.cli.help_text import COMMANDS
from lurking.cli.options import Registered, class_names

__all__ = ["command"]


@click.command("cite", short_help=COMMANDS["cite"])
@click.argument("result", required=False, type=click.Path(path_type=Path))
@click.option("--class", "graph_class", type=Registered(class_names), default="bow-free")
@click.option("--solver", type=click.Choice(["hybrid", "dcd", "exact"]), default="hybrid")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: what each work was used for, and its BibTeX.")
def command(
    result: Path | None,
    graph_class: GraphClass,
    solver: Literal["hybrid", "dcd", "exact"],
    as_json: bool,
) -> None:
    """Print what to cite for RESULT, a result.json; without it, for a search with the options given."""
    from lurking.report import citations, citations_for

    if result is not None:
        from lurking.discovery import read_result

        works = citations_for(read_result(result))
    else:
        works = citations(solver=solver, graph_class=graph_class, constraints_tested=True)
    if as_json:
        click.echo(json.dumps([{"used_for": use, "bibtex": bibtex} for use, bibtex in works.items()], indent=1))
        return
    click.echo("\n\n".join(f"% {use}\n{bibtex}" for use, bibtex in works.items()))
