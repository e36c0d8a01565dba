"""``lurking compare``: how far an estimated graph is from the true one, in numbers and edge by edge."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import read_any_graph

__all__ = ["command"]


@click.command("compare", short_help=COMMANDS["compare"])
@click.argument("truth", type=click.Path(path_type=Path))
@click.argument("estimate", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(truth: Path, estimate: Path, as_json: bool) -> None:
    """Compare ESTIMATE with TRUTH, two graph files of any format (a result.json as well).

    Skeletons are compared edge by edge, marks in the PAGs, as the paper does. tpr is the share of the true ones that
    was found, fdr the share of the found ones that is not true.
    """
    from lurking.cli.console import answer_console
    from lurking.graphs.drawing import printable
    from lurking.metrics import Rates, compare

    comparison = compare(read_any_graph(truth), read_any_graph(estimate))
    if as_json:
        numbers = {key: None if isnan(value) else value for key, value in comparison.to_dict().items()}
        differences = [
            {"pair": list(d.pair), "truth": d.truth, "estimate": d.estimate, "kind": d.kind}
            for d in comparison.differences
        ]
        click.echo(json.dumps({**numbers, "differences": differences}, ensure_ascii=False, indent=1))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for heading in ("tpr", "fdr", "true", "estimated", "shared"):
        table.add_column(heading, justify="right")
    for name in ("skeleton", "arrowhead", "tail", "directed", "bidirected"):
        rates: Rates | None = getattr(comparison, name)
        if rates is not None:
            tpr = "–" if isnan(rates.tpr) else f"{rates.tpr:.2f}"
            table.add_row(name, tpr, f"{rates.fdr:.2f}", *map(str, (rates.n_true, rates.n_estimated, rates.n_shared)))
    pairs = len(comparison.differences)
    console = answer_console()
    console.print(table)
    console.print()
    if not pairs:
        console.print(Text(f"The two {comparison.level}s are the same.", style="bold"))
        return
    of = comparison.n_variables * (comparison.n_variables - 1) // 2
    console.print(Text(f"{pairs} of {of} pairs differ ({comparison.level})", style="bold"))
    for difference in comparison.differences:
        console.print(Text.assemble("· ", printable(str(difference))))
