"""The bootstrap in a terminal: how often each pair was joined in which way, and what most replicates agree on.

Arrows in the table point as the pair is written: ``->`` from the first variable to the second.
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from lurking._numbers import percent
from lurking._wording import counted
from lurking.discovery import Analysis, EdgeEstimate, PairShares
from lurking.graphs.drawing import printable
from lurking.report.sentences import edge_sentence, pag_phrase
from lurking.report.terminal import bullet, findings, plain_table, styled

__all__ = ["bootstrap_report"]

LEAST_SHARE = 0.1
"""Pairs that fewer replicates join are counted, not listed."""
ROUNDING = 1e-9
"""Shares that differ by less count as equal: 1 - 0.9 is computed as slightly less than 0.1."""
MOST = 0.5
"""An edge that more replicates than this have is put into words."""


def bootstrap_report(analysis: Analysis) -> RenderableType:
    """Return shares, consensus and sentences as something that a rich console prints.

    Parameters
    ----------
    analysis : Analysis
        The analysis of a bootstrap.
    """
    known = (
        (analysis.n_replicates, "replicate"),
        (analysis.moments.n_samples, "row"),
        (len(analysis.names), "variable"),
    )
    facts = [counted(number, noun) for number, noun in known if number is not None]
    parts: list[RenderableType] = [Text.assemble((printable(analysis.title), "bold"), "\n", (", ".join(facts), "dim"))]
    parts += [Text(printable(words), style="yellow") for words in analysis.messages]
    parts += [Text(), *_shares(analysis), Text(), *_consensus(analysis), Text(), *_words(analysis)]
    return Group(*parts, *findings(analysis))


def _shares(analysis: Analysis) -> list[RenderableType]:
    table = plain_table(["Pair"], ("no edge", "->", "<-", "<->"))
    for column in table.columns[1:]:
        column.no_wrap = True
    table.add_column("In the PAG")
    shown = [pair for pair in analysis.bootstrap if pair.joined > LEAST_SHARE - ROUNDING]
    for pair in shown:
        ends = Text.assemble(printable(pair.one), (", ", "dim"), printable(pair.other))
        table.add_row(ends, *_cells(pair), Text(_pag_words(pair)))
    parts: list[RenderableType] = [table]
    if more := len(analysis.bootstrap) - len(shown):
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


def _consensus(analysis: Analysis) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("Consensus graph", style="bold")]
    lines = [f"{one} -> {other}" for one, other in analysis.admg.directed_edges()]
    lines += [f"{one} <-> {other}" for one, other in analysis.admg.bidirected_edges()]
    return [*parts, Text(printable("; ".join(lines)) or "It has no edge.")]


def _words(analysis: Analysis) -> list[RenderableType]:
    parts: list[RenderableType] = [Text("In words", style="bold")]
    if not analysis.edge_estimates:
        parts.append(bullet(Text("No pair is joined in more than half of the replicates.")))
    by_share = sorted(analysis.ranked_edges, key=lambda edge: -(edge.share or 0.0))
    return parts + [bullet(_about(analysis, edge)) for edge in by_share]


def _about(analysis: Analysis, edge: EdgeEstimate) -> Text:
    """Return one sentence on a pair: what most PAGs say of it, or what most graphs say, or that they do not agree.

    The share is that of the statement that is made, never that of another one.
    """
    pair = analysis.shares_of(edge.one, edge.other)
    arrow, pag_share = _most_frequent_pag_edge(pair)
    if arrow and pag_share > MOST:
        said = styled(pag_phrase(edge.one, arrow, edge.other))
        return said.append(f"  in the PAGs of {percent(pag_share)} of the replicates", style="dim")
    if (edge.share or 0.0) > MOST:
        return styled(edge_sentence(edge)).append(
            f"  in the graphs of {percent(edge.share)} of the replicates", style="dim"
        )
    said = Text.assemble((printable(edge.one), "bold"), " and ", (printable(edge.other), "bold"))
    said.append(" are connected, but the replicates do not agree how.")
    if pair is not None:
        joined, share = percent(pair.joined), percent(edge.share)
        said.append(f"  joined in {joined}, most often as {edge.arrow} in {share}", style="dim")
    return said


def _most_frequent_pag_edge(pair: PairShares | None) -> tuple[str, float]:
    """Return the edge that most of the PAGs have, ``""`` for none, and the share of these PAGs."""
    if pair is None or not pair.pag:
        return "", 0.0
    return min(pair.pag.items(), key=lambda item: (-item[1], item[0]))
