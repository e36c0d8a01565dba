"""The report in a terminal: the same content, without the pictures.

Names are data here too. They are shown as :class:`rich.text.Text`, never as markup, and made printable, so that a
column called ``[red]`` is not red and one that holds an escape sequence does not reach the terminal.
"""

from __future__ import annotations

from io import StringIO
from typing import Literal

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lurking._numbers import cost_text, p_text, percent, short
from lurking._wording import counted
from lurking.graphs.drawing import printable
from lurking.report.content import EdgeEstimate, ReportContent
from lurking.report.sentences import Phrase, Reading, open_questions, read_edge
from lurking.report.view import rank_edges

__all__ = ["bullet", "data_warnings", "reading_of", "report_text", "styled", "terminal_report"]

MOST_PAIRS = 12
MOST_REFUTED = 8


def terminal_report(content: ReportContent) -> RenderableType:
    """Return the report as something that a rich console prints.

    Arrows are written as in :meth:`ADMG.parse <lurking.graphs.ADMG.parse>`, so that they can be copied. An edge is
    *settled* if every graph with the same independences agrees; of the others the sentence says what is open.

    Parameters
    ----------
    content : ReportContent
        What it says.

    Examples
    --------
    >>> from lurking.graphs import ADMG
    >>> from lurking.report import EdgeEstimate
    >>> graph = ADMG.parse("A -> C <- B")
    >>> edges = (EdgeEstimate("A", "C", "directed", 0.5, 0.1), EdgeEstimate("B", "C", "directed", 0.7, 0.1))
    >>> content = ReportContent(title="Example", admg=graph, pag=graph.to_pag(), edges=edges)
    >>> print(report_text(content, width=72).splitlines()[0])
    Example
    """
    parts: list[RenderableType] = [_title(content)]
    if content.status:
        parts.append(Text(printable(content.status), style="yellow"))
    parts += [Text(), _edges(content), Text(), _sentences(content)]
    if content.fit:
        parts += [Text(), _fit(content)]
    parts += _refuted(content)
    parts += [Text(), *_open(content)]
    return Group(*parts, *data_warnings(content))


def report_text(content: ReportContent, width: int = 100) -> str:
    """Return the report as plain text without colours."""
    console = Console(file=StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(terminal_report(content))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _title(content: ReportContent) -> Text:
    facts = [counted(len(content.admg), "variable")]
    if content.n_samples is not None:
        facts.insert(0, counted(content.n_samples, "row"))
    directed, shared = len(content.admg.directed_edges()), len(content.admg.bidirected_edges())
    facts += [f"{directed} ->", f"{shared} <->"]
    if content.n_replicates is not None:
        facts.append(f"{content.n_replicates:,} bootstrap replicates")
    return Text.assemble((printable(content.title), "bold"), "\n", (", ".join(facts), "dim"))


def _edges(content: ReportContent) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("Edge")
    for heading in ("Estimate", "Std. error", "Cost of\nremoval"):
        table.add_column(heading, justify="right")
    if content.is_weighed:
        table.add_column("Adjacent", justify="right")
    if content.is_bootstrapped:
        table.add_column("Bootstrap", justify="right")
    table.add_column("PAG")
    for edge in rank_edges(content):
        colour = "blue" if edge.kind == "directed" else "dark_orange"
        ends = Text.assemble(printable(edge.one), (f" {edge.arrow} ", colour), printable(edge.other))
        numbers = [short(edge.estimate), short(edge.standard_error), cost_text(edge.removal_cost)]
        if content.is_weighed:
            numbers.append(percent(edge.adjacent))
        if content.is_bootstrapped:
            numbers.append(percent(edge.share))
        table.add_row(ends, *numbers, _pag_edge(content, edge.one, edge.other))
    return table


def _pag_edge(content: ReportContent, one: str, other: str) -> Text:
    edges = content.pag.subgraph([one, other]).edges()
    if not edges:
        return Text("no edge", style="dim")
    first, arrow, second = edges[0]
    return Text(f"{printable(first)} {arrow} {printable(second)}", style="dim" if "o" in arrow else "")


def _sentences(content: ReportContent) -> Group:
    parts: list[RenderableType] = [Text("In words", style="bold")]
    for edge in rank_edges(content):
        reading = reading_of(content, edge)
        sentence = styled(reading.sentence)
        sentence.append(f"  {reading.standing}", style="green" if reading.settled else "yellow")
        parts.append(bullet(sentence))
    if not content.edges:
        parts.append(bullet(Text("The graph has no edge.")))
    return Group(*parts)


def reading_of(content: ReportContent, edge: EdgeEstimate) -> Reading:
    """Return what one edge of the table says, the knowledge included."""
    arrow: Literal["->", "<->"] = "->" if edge.kind == "directed" else "<->"
    return read_edge(content.admg, content.pag, edge.one, arrow, edge.other, content.informed_pag)


def data_warnings(content: ReportContent) -> list[RenderableType]:
    """Return what the audit warns of, under a heading; nothing if there is nothing."""
    warnings = [finding for finding in content.findings if finding.severity == "warning"]
    if not warnings:
        return []
    items = [bullet(Text(printable(w.text + (f" {w.advice}" if w.advice else "")))) for w in warnings]
    return [Text(), Text("Warnings", style="bold"), *items]


def styled(phrase: Phrase, style: str = "") -> Text:
    """Return a sentence with its names in bold."""
    name_style = f"{style} bold".strip()
    return Text.assemble(*((text, name_style if is_name else style) for text, is_name in phrase.pieces))


def bullet(text: Text) -> RenderableType:
    """Return a text as one point of a list."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(Text("·"), text)
    return Padding(grid, (0, 0, 0, 0))


def _fit(content: ReportContent) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", title="Fit", title_justify="left")
    table.title_style = "bold"
    for heading in ("Measure", "Value", "How to read it"):
        table.add_column(heading)
    for measure in content.fit:
        value = measure.value if isinstance(measure.value, str) else short(measure.value)
        table.add_row(Text(measure.name), Text(value), Text(measure.reading, style="dim"))
    return table


def _refuted(content: ReportContent) -> list[RenderableType]:
    if not content.constraints:
        return []

    def decisive(p: float | None, adjusted: float | None) -> float:
        return adjusted if adjusted is not None else p if p is not None else 1.0

    tested = [(decisive(test.p_value, test.adjusted_p_value), test) for test in content.constraints]
    bad = sorted((pair for pair in tested if pair[0] < 0.05), key=lambda pair: pair[0])
    head = f"{counted(len(tested), 'implied constraint')} tested, {len(bad)} refuted"
    parts: list[RenderableType] = [Text(), Text(head, style="bold")]
    parts += [
        bullet(Text(f"{printable(test.text)}   p {p_text(p) if p < 0.001 else f'= {p_text(p)}'}"))
        for p, test in bad[:MOST_REFUTED]
    ]
    if len(bad) > MOST_REFUTED:
        parts.append(bullet(Text(f"and {len(bad) - MOST_REFUTED} more", style="dim")))
    return parts


def _open(content: ReportContent) -> list[RenderableType]:
    questions = open_questions(content.admg, content.informed_pag or content.pag)
    if not questions:
        obeys = "" if content.informed_pag is None else " that obeys the knowledge"
        words = f"Nothing is left open: every graph with the same independences{obeys} has the same marks."
        return [Text(words, style="bold")]
    by = "the independences" if content.informed_pag is None else "the independences and the knowledge"
    parts: list[RenderableType] = [Text(f"Left open by {by}", style="bold")]
    for question in questions:
        pairs = [Text(f"{printable(a)} {arrow} {printable(b)}") for a, arrow, b in question.pairs[:MOST_PAIRS]]
        if len(question.pairs) > MOST_PAIRS:
            pairs.append(Text(f"and {len(question.pairs) - MOST_PAIRS} more", style="dim"))
        parts.append(bullet(Text(f"{question.words} ").append_text(Text(", ").join(pairs))))
    return parts
