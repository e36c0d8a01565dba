"""``lurking cite``: BibTeX of exactly what was used."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lurking.cli.help_text import COMMANDS

__all__ = ["command"]


@click.command("cite", short_help=COMMANDS["cite"])
@click.argument("result", required=False, type=click.Path(path_type=Path))
@click.option("--class", "graph_class", type=click.Choice(["bow-free", "arid", "ancestral"]), default="bow-free")
@click.option("--solver", type=click.Choice(["hybrid", "dcd", "exact"]), default="hybrid")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: what each work was used for, and its BibTeX.")
def command(result: Path | None, graph_class: str, solver: str, as_json: bool) -> None:
    """Print what to cite for RESULT, a result.json; without it, for a search with the options given."""
    from lurking.report.citations import citations

    given = sachs = bootstrapped = False
    if result is not None:
        from lurking.report.document import read_result

        found = read_result(result)
        bootstrapped = found.n_replicates is not None
        given = found.status == "GIVEN"
        graph_class, solver = found.settings.get("Graph class", ""), found.settings.get("Solver", "")
        sachs = (found.data_name or "").startswith("Sachs")
    works = citations(
        solver=None if given else solver,  # type: ignore[arg-type]  # citations() checks it
        graph_class=None if given else graph_class,  # type: ignore[arg-type]
        constraints_tested=True,
        bootstrapped=bootstrapped,
        sachs=sachs,
    )
    if as_json:
        click.echo(json.dumps([{"used_for": w.used_for, "bibtex": w.bibtex} for w in works], indent=1))
        return
    click.echo("\n\n".join(f"% {work.used_for}\n{work.bibtex}" for work in works))
