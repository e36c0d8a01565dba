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

from lurking._numbers import percent
from lurking._wording import counted
from lurking.graphs.drawing import printable
from lurking.graphs.pag_text import arrow as pag_arrow
from lurking.report.content import PairShares, ReportContent
from lurking.report.sentences import Phrase, marks_between, pag_phrase
from lurking.report.terminal import bullet, data_warnings, reading_of, styled
from lurking.report.view import rank_edges

__all__ = ["bootstrap_report"]

LEAST_SHARE = 0.1
"""Pairs that fewer replicates join are counted, not listed."""
ROUNDING = 1e-9
"""1 - 0.9 is less than 0.1 for a computer, and not for anybody else."""
MOST = 0.5
"""An edge that more replicates than this have is put into words."""


def bootstrap_report(content: ReportContent) -> RenderableType:
    """Return shares, consensus and sentences as something that a rich console prints.

    Parameters
    ----------
    content : ReportContent
        What :func:`~lurking.report.from_discovery.consensus_content` returns.
    """
    known = (content.n_replicates, "replicate"), (content.n_samples, "row"), (len(content.admg), "variable")
    facts = [counted(number, noun) for number, noun in known if number is not None]
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
    shown = [pair for pair in content.bootstrap if pair.joined > LEAST_SHARE - ROUNDING]
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
    return ", ".join(f"{arrow or 'no edge'} {percent(share)}" for arrow, share in listed)


def _most_frequent_pag_edge(pair: PairShares | None) -> tuple[str, float]:
    """Return the edge that most of the PAGs have, ``""`` for none, and the share of these PAGs."""
    if pair is None or not pair.pag:
        return "", 0.0
    return min(pair.pag.items(), key=lambda item: (-item[1], item[0]))


def _consensus(content: ReportContent) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("Consensus graph", style="bold")]
    lines = [f"{one} -> {other}" for one, other in content.admg.directed_edges()]
    lines += [f"{one} <-> {other}" for one, other in content.admg.bidirected_edges()]
    return [*parts, Text(printable("; ".join(lines)) or "It has no edge.")]


def _words(content: ReportContent) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("In words", style="bold")]
    undecided = []
    for edge in rank_edges(content):
        share, pair = edge.share or 0.0, content.shares_of(edge.one, edge.other)
        arrow, pag_share = _most_frequent_pag_edge(pair)
        reading = reading_of(content, edge)
        known = reading.standing == "settled by knowledge" and share > MOST
        if arrow and pag_share > MOST and pag_share >= share and not known:
            agrees = pag_arrow(*marks_between(content.pag, edge.one, edge.other)) == arrow
            said = styled(reading.sentence if agrees else pag_phrase(edge.one, arrow, edge.other))
            said.append(f"  in the PAGs of {percent(pag_share)} of the replicates", style="dim")
        elif share > MOST:
            said = styled(reading.sentence)
            said.append(f"  {percent(share)} of the replicates", style="dim")
        else:
            undecided.append((edge, pair))
            continue
        parts.append(bullet(said))
    for edge, pair in undecided:
        words = Phrase.fill(
            "{one} and {other} are connected, but the replicates do not agree how.", one=edge.one, other=edge.other
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
