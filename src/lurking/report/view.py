"""The view: a report's content arranged for the page, with every number already written as text.

The template only places what it finds here; it decides nothing. Pictures of the ADMG and of the PAG share one placement
and one frame, so that switching between them moves no vertex.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from lurking._numbers import cost_text, p_text, percent, short
from lurking.graphs import ADMG
from lurking.graphs.drawing import Picture, Stroke, admg_strokes, pag_strokes, place, printable
from lurking.report.content import ConstraintTest, EdgeEstimate, NearOptimalGraph, PairShares, ReportContent
from lurking.report.legend import LegendEntry, legend
from lurking.report.plots import N_COLOURS, draw_trace
from lurking.report.sentences import (
    ARROWS,
    OpenQuestion,
    Phrase,
    Reading,
    edge_phrase,
    open_questions,
    read_edge,
    read_pag_edge,
)

__all__ = ["Page", "page_of", "rank_edges"]

WIDE = 760.0
"""Pictures wider than this get the whole width of the page."""


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One row of the table of edges."""

    number: int
    edge: EdgeEstimate
    heading: Phrase
    reading: Reading
    estimate: str
    cost: str
    adjacent: str
    share: str


@dataclass(frozen=True, slots=True)
class Plot:
    """One plot with its legend."""

    title: str
    reading: str
    y_label: str
    svg: Markup
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TestRow:
    """One row of a table of tests."""

    text: str
    statistic: str
    p: str
    adjusted: str
    refuted: bool


@dataclass(frozen=True, slots=True)
class NearRow:
    """One graph that is almost as good."""

    difference: str
    distance: int
    changes: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair of variables in the bootstrap: the shares of no edge, ->, <- and <->, and those of the edges of PAGs."""

    heading: Phrase
    shares: tuple[float, ...]
    in_pag: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """Everything that the template places."""

    content: ReportContent
    title: str
    n_variables: int
    n_directed: int
    n_bidirected: int
    n_settled: int
    n_known: int
    admg_svg: Markup
    pag_svg: Markup
    wide: bool
    admg_legend: tuple[LegendEntry, ...]
    pag_legend: tuple[LegendEntry, ...]
    rows: tuple[EdgeRow, ...]
    questions: tuple[OpenQuestion, ...]
    fit: tuple[tuple[str, str, str], ...]
    independences: tuple[TestRow, ...]
    verma: tuple[TestRow, ...]
    plots: tuple[Plot, ...]
    near: tuple[NearRow, ...]
    pairs: tuple[PairRow, ...]
    origin: tuple[tuple[str, str], ...]
    data: Markup


def page_of(content: ReportContent) -> Page:
    """Arrange a report's content for the page."""
    admg, pag = content.admg, content.pag
    mixed = admg_strokes(admg.names, admg.directed, admg.bidirected)
    marked = pag_strokes(pag.names, pag.marks)
    placement = place(admg.names, [*mixed, *marked], content.tiers)
    pictures = Picture.of("admg", placement, mixed), Picture.of("pag", placement, marked)
    frames = [picture.frame for picture in pictures]
    frame = (
        min(f[0] for f in frames),
        min(f[1] for f in frames),
        max(f[2] for f in frames),
        max(f[3] for f in frames),
    )
    # The pictures escape every name themselves.
    admg_svg, pag_svg = (
        Markup(picture.svg(prefix=picture.kind, frame=frame, with_style=False)) for picture in pictures
    )
    rows = _edge_rows(content, pictures[0])
    return Page(
        content=content,
        title=printable(content.title),
        n_variables=len(admg),
        n_directed=len(admg.directed_edges()),
        n_bidirected=len(admg.bidirected_edges()),
        n_settled=sum(row.reading.standing == "settled" for row in rows),
        n_known=sum(row.reading.standing == "settled by knowledge" for row in rows),
        admg_svg=admg_svg,
        pag_svg=pag_svg,
        wide=frame[2] - frame[0] > WIDE,
        admg_legend=legend("admg", pictures[0].strokes),
        pag_legend=legend("pag", pictures[1].strokes),
        rows=rows,
        questions=open_questions(admg, content.informed_pag or pag),
        fit=tuple((m.name, m.value if isinstance(m.value, str) else short(m.value), m.reading) for m in content.fit),
        independences=_test_rows(content, "independence"),
        verma=_test_rows(content, "verma"),
        plots=tuple(_plots(content)),
        near=tuple(_near_row(admg, near) for near in content.near_optimal),
        pairs=tuple(map(_pair_row, content.bootstrap)),
        origin=_origin(content),
        data=_data(content, pictures[1], rows),
    )


def rank_edges(content: ReportContent) -> list[EdgeEstimate]:
    """Return the edges, those that the data can spare least first."""
    return sorted(
        content.edges,
        key=lambda edge: (edge.removal_cost is None, -(edge.removal_cost or 0.0), edge.kind != "directed"),
    )


def _edge_rows(content: ReportContent, picture: Picture) -> tuple[EdgeRow, ...]:
    numbers = {(s.one, s.arrow, s.other): k for k, s in enumerate(picture.strokes)}
    rows = []
    for edge in rank_edges(content):
        ends = (edge.one, edge.other)
        key = (ends[0], edge.arrow, ends[1])
        if key not in numbers:  # a bidirected edge, named from its other end
            ends = ends[::-1]
            key = (ends[0], edge.arrow, ends[1])
        reading = read_edge(
            content.admg,
            content.pag,
            ends[0],
            "->" if edge.kind == "directed" else "<->",
            ends[1],
            content.informed_pag,
        )
        estimate = short(edge.estimate)
        if edge.standard_error is not None:
            estimate += f" ± {short(edge.standard_error)}"
        heading = edge_phrase(ends[0], edge.arrow, ends[1])
        texts = cost_text(edge.removal_cost), percent(edge.adjacent), percent(edge.share)
        rows.append(EdgeRow(numbers[key], edge, heading, reading, estimate, *texts))
    return tuple(rows)


def _test_rows(content: ReportContent, kind: str) -> tuple[TestRow, ...]:
    def likeliness(test: ConstraintTest) -> float:
        return 2.0 if test.p_value is None else test.p_value

    tests = sorted((test for test in content.constraints if test.kind == kind), key=likeliness)
    rows = []
    for test in tests:
        decisive = test.adjusted_p_value if test.adjusted_p_value is not None else test.p_value
        refuted = decisive is not None and decisive < 0.05
        text, statistic = printable(test.text), short(test.statistic)
        rows.append(TestRow(text, statistic, p_text(test.p_value), p_text(test.adjusted_p_value), refuted))
    return tuple(rows)


def _plots(content: ReportContent) -> list[Plot]:
    return [
        Plot(
            printable(trace.title),
            printable(trace.reading),
            printable(trace.y_label) + (", logarithmic" if trace.log_scale else ""),
            Markup(draw_trace(trace)),  # the plot escapes its labels itself
            tuple((f"trace-{k % N_COLOURS}", printable(series.label)) for k, series in enumerate(trace.series)),
        )
        for trace in content.traces
    ]


def _near_row(best: ADMG, near: NearOptimalGraph) -> NearRow:
    other = near.admg.subgraph(best.names)
    changes = []
    for i, one in enumerate(best.names):
        for j, name in enumerate(best.names[:i]):
            before, after = _edges_between(best, j, i), _edges_between(other, j, i)
            if before == after:
                continue
            was, now = (_pair_phrase(name, arrows, one) for arrows in (before, after))
            if not before:
                changes.append(Phrase((("adds ", False), *now)))
            elif not after:
                changes.append(Phrase((("drops ", False), *was)))
            else:
                changes.append(Phrase((*was, (" becomes ", False), *now)))
    return NearRow(_signed(near.bic_difference), near.distance, tuple(changes))


def _pair_row(pair: PairShares) -> PairRow:
    heading = Phrase(((printable(pair.one), True), (" and ", False), (printable(pair.other), True)))
    shares = tuple(pair.admg.get(arrow, 0.0) for arrow in ("", "->", "<-", "<->"))
    listed = sorted(pair.pag.items(), key=lambda item: (-item[1], item[0]))
    return PairRow(heading, shares, tuple(f"{ARROWS.get(a, a) or 'no edge'} {percent(share)}" for a, share in listed))


def _signed(difference: float) -> str:
    """Write a difference of BIC with its sign; rounding errors around zero are zero."""
    text = cost_text(difference)
    return f"+{text}" if difference > 0 else text


def _edges_between(graph: ADMG, i: int, j: int) -> tuple[str, ...]:
    found = ((graph.directed[i, j], "->"), (graph.directed[j, i], "<-"), (graph.bidirected[i, j], "<->"))
    return tuple(arrow for there, arrow in found if there)


def _pair_phrase(one: str, arrows: tuple[str, ...], other: str) -> tuple[tuple[str, bool], ...]:
    pieces: list[tuple[str, bool]] = []
    for arrow in arrows:
        first, second = (other, one) if arrow == "<-" else (one, other)
        pieces += [(" and ", False)] * bool(pieces)
        pieces += edge_phrase(first, "->" if arrow == "<-" else arrow, second).pieces
    return tuple(pieces)


def _origin(content: ReportContent) -> tuple[tuple[str, str], ...]:
    rows = [("Seed", str(content.seed))] if content.seed is not None else []
    if content.data_hash:
        rows.append(("Hash of the data", content.data_hash))
    rows += list(content.settings.items())
    return tuple((printable(key), printable(value)) for key, value in rows)


def _data(content: ReportContent, pag_picture: Picture, rows: tuple[EdgeRow, ...]) -> Markup:
    """Return what the script needs, as JSON that cannot end its own block."""
    views = {
        "admg": [_admg_entry(content, row) for row in sorted(rows, key=lambda row: row.number)],
        "pag": [_pag_entry(content, stroke) for stroke in pag_picture.strokes],
    }
    text = json.dumps({"views": views, "replicates": content.n_replicates}, ensure_ascii=True, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def _admg_entry(content: ReportContent, row: EdgeRow) -> dict[str, Any]:
    edge, reading = row.edge, row.reading
    what = "Coefficient" if edge.kind == "directed" else "Covariance of the errors"
    numbers = [(what, row.estimate)] if edge.estimate is not None else []
    if edge.standardized is not None:
        numbers.append(("Standardized", short(edge.standardized)))
    if edge.removal_cost is not None:
        numbers.append(("BIC without it", _signed(edge.removal_cost)))
    if edge.adjacent is not None:
        numbers.append(("Adjacent", row.adjacent))
    pair = content.shares_of(reading.one, reading.other)
    return {
        "heading": row.heading.pieces,
        "sentence": reading.sentence.pieces,
        "standing": reading.standing,
        "note": None,
        "numbers": numbers,
        "share": edge.share,
        "shares": _shares(reading.one, reading.other, dict(pair.admg)) if pair else [],
    }


def _pag_entry(content: ReportContent, stroke: Stroke) -> dict[str, Any]:
    pair = content.shares_of(stroke.one, stroke.other)
    graph = content.admg
    inside = _edges_between(graph, graph.index(stroke.one), graph.index(stroke.other))
    here = _pair_phrase(stroke.one, inside, stroke.other) or (("no edge", False),)
    return {
        "heading": edge_phrase(stroke.one, stroke.arrow, stroke.other).pieces,
        "sentence": read_pag_edge(content.pag, stroke.one, stroke.other).pieces,
        "standing": None,
        "note": (("In the graph found: ", False), *here, (".", False)),
        "numbers": [],
        "share": pair.pag.get(stroke.arrow, 0.0) if pair and pair.pag else None,
        "shares": _shares(stroke.one, stroke.other, dict(pair.pag)) if pair else [],
    }


def _shares(one: str, other: str, shares: dict[str, float]) -> list[tuple[Any, float]]:
    """Return the kinds of edge that a pair had in the bootstrap, the most frequent first."""
    listed = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return [
        (edge_phrase(one, arrow, other).pieces if arrow else (("no edge", False),), share)
        for arrow, share in listed
        if share > 0
    ]
