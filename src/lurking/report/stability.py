"""The bootstrap in a terminal: how often each pair was joined in which way, and what most replicates agree on.

Arrows in the table point as the pair is written: ``->`` from the first variable to the second.

>>> from lurking.graphs import ADMG
>>> from lurking.report import EdgeEstimate, PairShares, ReportContent
>>> graph = ADMG.parse("A -> B; C")
>>> content = ReportContent(
...     title="Consensus",
...     admg=graph,
...     pag=graph.to_pag(),
...     edges=(EdgeEstimate("A", "B", "directed", share=0.8),),
...     bootstrap=(PairShares("A", "B", {"->": 0.8, "<-": 0.2}, {"o-o": 1.0}),),
...     n_replicates=10,
... )
>>> from rich.console import Console
>>> Console(width=80).print(bootstrap_report(content))  # doctest: +ELLIPSIS
Consensus
10 replicates, 3 variables
...
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lurking.graphs.drawing import printable
from lurking.report.content import PairShares, ReportContent
from lurking.report.numbers import percent
from lurking.report.sentences import Phrase, read_edge
from lurking.report.terminal import bullet, data_warnings, styled
from lurking.report.view import rank_edges

__all__ = ["bootstrap_report"]

LEAST_SHARE = 0.1
"""Pairs that fewer replicates join are counted, not listed."""
MOST = 0.5
"""An edge that more replicates than this have is put into words."""


def bootstrap_report(content: ReportContent) -> RenderableType:
    """Return shares, consensus and sentences as something that a rich console prints.

    Parameters
    ----------
    content : ReportContent
        What :func:`~lurking.report.from_discovery.consensus_content` returns.
    """
    facts = [f"{content.n_replicates:,} replicates", f"{len(content.admg)} variables"]
    if content.n_samples is not None:
        facts.insert(1, f"{content.n_samples:,} rows")
    parts: list[RenderableType] = [Text.assemble((printable(content.title), "bold"), "\n", (", ".join(facts), "dim"))]
    if content.status:
        parts.append(Text(printable(content.status), style="yellow"))
    parts += [Text(), *_shares(content), Text(), *_consensus(content), Text(), *_words(content)]
    return Group(*parts, *data_warnings(content))


def _shares(content: ReportContent) -> list[RenderableType]:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("Pair")
    for heading in ("no edge", "->", "<-", "<->"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("In the PAG")
    shown = [pair for pair in content.bootstrap if pair.joined >= LEAST_SHARE]
    for pair in shown:
        ends = Text.assemble(printable(pair.one), (", ", "dim"), printable(pair.other))
        table.add_row(ends, *_cells(pair), Text(_pag_words(pair)))
    parts: list[RenderableType] = [table]
    if more := len(content.bootstrap) - len(shown):
        pairs = "1 pair more was" if more == 1 else f"{more} pairs more were"
        parts.append(Text(f"{pairs} joined in less than {percent(LEAST_SHARE)} of the replicates.", style="dim"))
    return parts


def _cells(pair: PairShares) -> list[Text]:
    """Return the four shares, the largest in bold and what never happened as a dash."""
    shares = [pair.admg.get(arrow, 0.0) for arrow in ("", "->", "<-", "<->")]
    return [
        Text(percent(share) if share else "–", style="bold" if share == max(shares) else "" if share else "dim")
        for share in shares
    ]


def _pag_words(pair: PairShares) -> str:
    listed = sorted(pair.pag.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{arrow or 'no edge'} {100 * share:.0f}%" for arrow, share in listed)


def _consensus(content: ReportContent) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("Consensus graph", style="bold")]
    lines = [f"{one} -> {other}" for one, other in content.admg.directed_edges()]
    lines += [f"{one} <-> {other}" for one, other in content.admg.bidirected_edges()]
    return [*parts, Text(printable("; ".join(lines)) or "It has no edge.")]


def _words(content: ReportContent) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("In words", style="bold")]
    undecided = []
    for edge in rank_edges(content):
        if (edge.share or 0.0) <= MOST:
            undecided.append(edge)
            continue
        reading = read_edge(content.admg, content.pag, edge.one, "->" if edge.kind == "directed" else "<->", edge.other)
        said = styled(reading.sentence)
        said.append(f"  {percent(edge.share)} of the replicates", style="dim")
        parts.append(bullet(said))
    for edge in undecided:
        pair = content.shares_of(edge.one, edge.other)
        words = Phrase.fill(
            "{one} and {other} are connected, but the data do not decide how.", one=edge.one, other=edge.other
        )
        said = styled(words)
        if pair is not None:
            said.append(
                f"  joined in {percent(pair.joined)}, most often as {edge.arrow} in {percent(edge.share)}", style="dim"
            )
        parts.append(bullet(said))
    if not content.edges:
        parts.append(bullet(Text("No pair is joined in more than half of the replicates.")))
    return parts
