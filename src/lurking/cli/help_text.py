"""What the commands are for, and how help looks: grouped, with headings, in colour where there is colour."""

from __future__ import annotations

from collections.abc import Iterable

import click

__all__ = ["COMMANDS", "HelpFormatter", "write_overview"]

COMMANDS = {
    "demo": "See it work: the graph behind 11 proteins in 7466 human cells.",
    "discover": "Find the causal graph behind a table.",
    "bootstrap": "Say how often each edge is found in resampled data.",
    "effect": "Say how much one variable changes another.",
    "report": "Show a result.json again, as words and as a page.",
    "graph": "Say what a graph implies and how to estimate its effects, without data.",
    "check": "Test a graph of yours on data, Verma constraints included.",
    "simulate": "Make data whose true graph is known.",
    "compare": "Say how far one graph is from another.",
    "convert": "Turn a graph file into another format.",
    "experiment": "Reproduce a table or figure of the paper, baselines included.",
    "cite": "Print BibTeX for exactly what was used.",
}
"""The commands in the order of the overview, and what each is for."""

_GROUPS = (
    ("Start here", ("demo", "discover")),
    ("Look closer", ("effect", "report", "bootstrap", "check", "compare")),
    ("Graphs and data", ("graph", "simulate", "convert")),
    ("The paper", ("experiment", "cite")),
)
_EXAMPLES = (
    ("lurking demo", "no data needed"),
    ("lurking discover data.csv", "writes report.html and result.json"),
    ("lurking effect result.json X Y", "what raising X does to Y"),
    ("lurking check data.csv model.txt", "in model.txt: A -> B; B <-> C"),
)


class HelpFormatter(click.HelpFormatter):
    """Help with bold headings and coloured names."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how the command is called."""
        super().write_usage(click.style(prog, fg="cyan", bold=True), args, prefix=click.style("Usage: ", bold=True))

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(f"{'':>{self.current_indent}}{click.style(heading, bold=True)}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 34, col_spacing: int = 2) -> None:
        """Write names and what they mean."""
        super().write_dl([(click.style(name, fg="cyan"), words) for name, words in rows], col_max, col_spacing)


def write_overview(formatter: click.HelpFormatter, version: str) -> None:
    """Write what ``lurking --help`` shows."""
    formatter.write(f"{click.style('lurking', fg='cyan', bold=True)} {version}\n")
    formatter.write_text("Finds the causal graph behind a table when some of the common causes were never measured.")
    formatter.write("\n")
    formatter.write_usage("lurking", "COMMAND [OPTIONS] ...")
    for heading, names in _GROUPS:
        with formatter.section(heading):
            formatter.write_dl([(f"{name:<10}", COMMANDS[name]) for name in names])
    with formatter.section("Examples"):
        formatter.write_dl(list(_EXAMPLES), col_max=36)
    formatter.write("\n")
    formatter.write_text(
        "Each command explains itself: lurking discover --help. Exit codes: 0 done, 1 the data or a file cannot be "
        "used, 2 the command line is wrong."
    )
