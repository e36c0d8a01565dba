"""An analysis in a terminal: the answer on one screen, and the tables behind it if asked for.

Names are data here too. They are shown as :class:`rich.text.Text`, never as markup, and made printable, so that a
column called ``[red]`` is not red and one that holds an escape sequence does not reach the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lurking._numbers import p_text, short
from lurking._wording import counted
from lurking.discovery import Analysis, EdgeEstimate, Statement
from lurking.discovery.columns import Column, shown_columns
from lurking.discovery.next_steps import next_steps
from lurking.discovery.summary import MOST_CERTAIN, MOST_PROBABLE, PairCounts
from lurking.graphs.drawing import printable
from lurking.report.effect_words import interval_text, per_deviation, probability_text, strongest
from lurking.report.fit_rows import fit_rows
from lurking.report.objections import objections
from lurking.report.sentences import Phrase, fill, open_questions, statement_phrase

__all__ = [
    "bullet",
    "edge_table",
    "effect_table",
    "plain_table",
    "report_text",
    "styled",
    "terminal_report",
    "way_table",
]

MOST_PAIRS = 12
MOST_REFUTED = 8
MOST_OBJECTIONS = 3
MOST_EFFECTS = 12
MOST_WAYS_SHOWN = 12


def terminal_report(analysis: Analysis, *, full: bool = False) -> RenderableType:
    """Return an analysis as something that a rich console prints.

    Parameters
    ----------
    analysis : Analysis
        What it says.
    full : bool, default False
        Also print the graph in numbers, the fit, what it implies, what is left open, and the findings. A graph that was
        given is always printed in full.

    Examples
    --------
    >>> from lurking import ADMG, Moments
    >>> from lurking.discovery import analyse
    >>> moments = Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"])
    >>> print(report_text(analyse((moments, ADMG.parse("A -> B")), title="Example")).splitlines()[0])
    Example
    """
    parts: list[RenderableType] = [_title(analysis)]
    if analysis.was_searched and analysis.beliefs is not None:
        parts += _screen(analysis)
    else:
        parts += [bullet(Text(printable(words), style="yellow")) for words in analysis.messages]
        full = True
    return Group(*parts, *(_details(analysis) if full else ()))


def report_text(analysis: Analysis, width: int = 100, *, full: bool = False) -> str:
    """Return an analysis as plain text without colours."""
    console = Console(file=StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(terminal_report(analysis, full=full))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _title(analysis: Analysis) -> Text:
    facts = [rows_words(analysis), counted(len(analysis.names), "variable")]
    if not analysis.was_searched:
        directed, shared = len(analysis.admg.directed_edges()), len(analysis.admg.bidirected_edges())
        facts += [f"{directed} ->", f"{shared} <->"]
    if analysis.n_replicates is not None:
        facts.append(f"{analysis.n_replicates:,} bootstrap replicates")
    return Text.assemble((printable(analysis.title), "bold"), "\n", (", ".join(facts), "dim"))


def rows_words(analysis: Analysis) -> str:
    """Return the number of rows, and how many of them the scores counted if these are fewer."""
    rows = counted(analysis.moments.n_samples, "row")
    n_counted = analysis.n_counted
    if n_counted is None or n_counted == analysis.moments.n_samples:
        return rows
    return f"{rows} that count as {n_counted:,}"


# ------------------------------------------------------------------------------------------------------ one screen


def _screen(analysis: Analysis) -> list[RenderableType]:
    certain, probable, pairs = analysis.summary
    parts: list[RenderableType] = [Text(), Text("Certain (probability .95 or more)", style="bold")]
    parts += _listed(certain, MOST_CERTAIN, "Nothing.")
    if probable:
        parts += [Text("Probable (.80 to .95)", style="bold")]
        parts += _listed(probable, MOST_PROBABLE, "")
    parts += [Text(), _line("Open", open_words(pairs)), _line("Apart", apart_words(pairs))]
    against = objections(analysis)
    if against:
        more = f" And {len(against) - MOST_OBJECTIONS} more: --full." if len(against) > MOST_OBJECTIONS else ""
        parts.append(_line("Beware", " ".join(against[:MOST_OBJECTIONS]) + more))
    steps = next_steps(analysis)
    if steps:
        parts.append(_line("Next", " ".join(steps[:2])))
    return parts


def open_words(pairs: PairCounts) -> str:
    """Return one line on what is undecided."""
    how, whether = pairs["how open"], pairs["whether open"]
    said = []
    if how:
        said.append(f"{counted(how, 'pair')} {'is' if how == 1 else 'are'} connected, with nothing more decided.")
    if whether:
        said.append(f"Of {counted(whether, 'pair')} it is undecided whether they are connected.")
    return " ".join(said) or "Nothing."


def apart_words(pairs: PairCounts) -> str:
    """Return one line on how many pairs are not connected."""
    return f"{pairs['apart']} of {counted(pairs['all'], 'pair')} are not directly connected (probability .95 or more)."


def _listed(statements: Sequence[Statement], at_most: int, nothing: str) -> list[RenderableType]:
    table = Table.grid(padding=(0, 2, 0, 0))
    for statement in statements[:at_most]:
        known = " (known)" if statement.decided_by == "knowledge" else ""
        table.add_row(Text(" ·"), styled(_short(statement)), Text(f"{_probability(statement)}{known}", style="dim"))
    parts: list[RenderableType] = [table] if statements else [Text(f" {nothing}", style="dim")]
    if len(statements) > at_most:
        parts.append(Text(f"   and {len(statements) - at_most} more (--full)", style="dim"))
    return parts


def _short(statement: Statement) -> Phrase:
    """Return a statement under a heading that says how probable it is."""
    from lurking.discovery.statements import WORDS

    return fill(f"{WORDS[statement.kind]}", first=statement.first, second=statement.second)


def _probability(statement: Statement) -> str:
    return f"{min(statement.probability, 0.995):.2f}".removeprefix("0") if statement.probability < 0.995 else "> .99"


def _line(heading: str, words: str) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(min_width=6)
    grid.add_column()
    grid.add_row(Text(heading, style="bold"), Text(printable(words)))
    return grid


# --------------------------------------------------------------------------------------------------------- details


def _details(analysis: Analysis) -> list[RenderableType]:
    parts: list[RenderableType] = [Text()]
    if analysis.was_searched:
        directed, shared = len(analysis.admg.directed_edges()), len(analysis.admg.bidirected_edges())
        parts.append(Text(f"The graph that agrees best with the data: {directed} ->, {shared} <->", style="bold"))
    parts += [edge_table(analysis), Text()]
    effects = effect_table(analysis)
    parts += [*effects, Text()] if effects else []
    ways = way_table(analysis)
    parts += [*ways, Text()] if ways else []
    parts += [_fit(analysis), *_refuted(analysis), Text(), *_open(analysis)]
    if analysis.was_searched and analysis.statement_list:
        parts += [Text(), *_all_statements(analysis)]
    return [*parts, *findings(analysis)]


def plain_table(headings: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    """Return an empty table without lines; the columns of ``numbers`` stand to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        table.add_column(heading)
    for heading in numbers:
        table.add_column(heading, justify="right", min_width=max(map(len, heading.split())))
    return table


def edge_table(analysis: Analysis) -> RenderableType:
    """Return the edges with their numbers, the surest first."""
    if not analysis.edge_estimates:
        return Text("The graph has no edge.")
    columns = shown_columns(analysis)
    table = plain_table(["Edge"], [column.heading for column in columns])
    for edge in analysis.ranked_edges:
        colour = "blue" if edge.kind == "directed" else "dark_orange"
        ends = Text.assemble(printable(edge.one), (f" {edge.arrow} ", colour), printable(edge.other))
        table.add_row(ends, *(_cell(analysis, column, edge) for column in columns))
    return table


def _cell(analysis: Analysis, column: Column, edge: EdgeEstimate) -> str:
    return column.text(column.value(analysis, edge))


def effect_table(analysis: Analysis) -> list[RenderableType]:
    """Return the strongest effects as a table under a heading; nothing if there are none."""
    shown = strongest(analysis)
    if not shown:
        return []
    numbers = ("Probability", "Mean", "95 % interval", "If a cause", "Per deviation")
    table = plain_table(["Effect"], numbers)
    for one in shown[:MOST_EFFECTS]:
        names = Text.assemble((printable(one.cause), "bold"), " on ", (printable(one.effect), "bold"))
        table.add_row(
            names,
            probability_text(one.probability),
            short(one.mean),
            interval_text(one.low, one.high),
            short(one.mean_if_cause),
            short(one.mean * per_deviation(analysis, one)),
        )
    parts: list[RenderableType] = [
        Text("The strongest effects with probability .5 or more, uncertainty about the graph included", style="bold"),
        table,
    ]
    if len(shown) > MOST_EFFECTS:
        parts.append(Text(f"and {len(shown) - MOST_EFFECTS} more (report.html, result.json)", style="dim"))
    return parts


def way_table(analysis: Analysis) -> list[RenderableType]:
    """Return what to adjust for as a table under a heading; nothing if the graph has no effect."""
    ways = analysis.ways_to_estimate
    if not ways:
        return []
    table = plain_table(["Effect", "If the graph is right"])
    for way in ways[:MOST_WAYS_SHOWN]:
        names = Text.assemble((printable(way.cause), "bold"), " on ", (printable(way.effect), "bold"))
        table.add_row(names, Text(printable(way.words)))
    parts: list[RenderableType] = [Text("What to adjust for, and where to look for an instrument", style="bold"), table]
    if len(ways) > MOST_WAYS_SHOWN:
        parts.append(Text(f"and {len(ways) - MOST_WAYS_SHOWN} more (report.html, result.json)", style="dim"))
    return parts


def _all_statements(analysis: Analysis) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("All statements with probability .8 or more", style="bold")]
    listed = [s for s in analysis.statement_list if s.probability >= 0.8 and s.kind != "apart"]
    return parts + [bullet(styled(statement_phrase(s)).append(f"  {_probability(s)}", style="dim")) for s in listed]


def _fit(analysis: Analysis) -> Table:
    table = plain_table(["Measure", "Value", "How to read it"])
    table.title, table.title_style, table.title_justify = "Fit", "bold", "left"
    for name, value, reading in fit_rows(analysis.measures):
        table.add_row(Text(name), Text(value), Text(reading, style="dim"))
    return table


def _refuted(analysis: Analysis) -> list[RenderableType]:
    if not analysis.tests:
        return []
    bad = [test for test in analysis.tests if test.refuted]
    head = f"{counted(len(analysis.tests), 'implied constraint')} tested, {len(bad)} refuted"
    parts: list[RenderableType] = [Text(), Text(head, style="bold")]
    for test in bad[:MOST_REFUTED]:
        p = test.adjusted_p_value
        parts.append(bullet(Text(f"{printable(test.text)}   p {p_text(p) if p < 0.001 else f'= {p_text(p)}'}")))
    if len(bad) > MOST_REFUTED:
        parts.append(bullet(Text(f"and {len(bad) - MOST_REFUTED} more", style="dim")))
    return parts


def _open(analysis: Analysis) -> list[RenderableType]:
    questions = open_questions(analysis)
    by = "the independences" if analysis.informed_pag is None else "the independences and the knowledge"
    if not questions:
        return [Text(f"Every graph that agrees with this one on {by} has the same marks.", style="bold")]
    parts: list[RenderableType] = [Text(f"Left open by {by} of this graph, for any number of rows", style="bold")]
    for words, pairs in questions:
        named = [Text(f"{printable(a)} {arrow} {printable(b)}") for a, arrow, b in pairs[:MOST_PAIRS]]
        if len(pairs) > MOST_PAIRS:
            named.append(Text(f"and {len(pairs) - MOST_PAIRS} more", style="dim"))
        parts.append(bullet(Text(f"{words} ").append_text(Text(", ").join(named))))
    return parts


def findings(analysis: Analysis) -> list[RenderableType]:
    """Return what the audit found, under a heading; nothing if there is nothing."""
    if not analysis.findings:
        return []
    items = [bullet(Text(printable(f"{found.message} {found.advice}"))) for found in analysis.findings]
    return [Text(), Text("Findings", style="bold"), *items]


def styled(phrase: Phrase, style: str = "") -> Text:
    """Return a sentence with its names in bold."""
    name_style = f"{style} bold".strip()
    return Text.assemble(*((text, name_style if is_name else style) for text, is_name in phrase))


def bullet(text: Text) -> RenderableType:
    """Return a text as one point of a list."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(Text("·"), text)
    return grid
