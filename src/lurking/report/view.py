"""The view: an analysis arranged for the page, with every number already written as text.

The template only places what it finds here; it decides nothing. All pictures share one placement and one frame, so that
switching between them moves no vertex:

========== =========================================================================================================
beliefs    what is probable: pairs joined with probability .5 or more, each end with the mark that has probability .8
admg       the one graph that agrees best with the data
pag        what every graph with the same independences says
========== =========================================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from markupsafe import Markup

from lurking._numbers import cost_text, p_text, percent, short
from lurking.discovery import Analysis, ConstraintTest, EdgeEstimate, PairShares, Statement
from lurking.discovery.columns import Column, shown_columns
from lurking.discovery.next_steps import next_steps
from lurking.discovery.summary import MOST_CERTAIN, MOST_PROBABLE
from lurking.graphs import Mark
from lurking.graphs.drawing import Picture, Stroke, admg_strokes, pag_strokes, place, printable
from lurking.report.citations import citations_for
from lurking.report.effect_rows import effects_by_pair, effects_of_pair, effects_section
from lurking.report.fit_rows import fit_rows
from lurking.report.legend import legend
from lurking.report.neighbourhoods import MANY, neighbourhoods
from lurking.report.objections import objections
from lurking.report.plots import N_COLOURS, draw_trace
from lurking.report.sentences import (
    ARROWS,
    edge_phrase,
    edge_sentence,
    fill,
    open_questions,
    pag_phrase,
    statement_phrase,
)
from lurking.report.terminal import apart_words, open_words, rows_words
from lurking.report.trust import trust_section

__all__ = ["belief_picture", "page_of"]

WIDE = 760.0
"""Pictures wider than this get the whole width of the page."""

MOST_DRAWN = 60
"""Graphs of more variables are not drawn as a whole; their neighbourhoods and tables stay."""

MOST_STATEMENTS = 400
"""So many statements are listed on the page."""

MOST_INDEPENDENCES = 400
"""So many tests of independences are listed on the page, those with the smallest p-values; ``result.json`` has all."""

LONGEST_FORMULA = 400
"""So many letters of a formula are shown."""

SHOWN_PROBABILITY = 0.8

_VIEW_WORDS = {
    "beliefs": ("What is probable", "Joined with probability .5 or more; the thicker the line, the surer the pair."),
    "admg": ("One graph", "The graph that agrees best with the data (ADMG)."),
    "pag": ("Equivalence", "What every graph with the same independences as this one says (PAG)."),
}


def page_of(analysis: Analysis, deadline: float = inf) -> dict[str, Any]:
    """Return everything that the template places."""
    pictures = _pictures(analysis)
    frame = _common_frame(picture for picture, _ in pictures.values())
    numbers = {(s.one, s.arrow, s.other): k for k, s in enumerate(pictures["admg"][0].strokes)} if pictures else {}
    columns = shown_columns(analysis)
    independences = [test for test in analysis.tests if test.kind == "independence"]
    summary = analysis.summary if analysis.was_searched and analysis.beliefs is not None else None
    return {
        "analysis": analysis,
        "title": printable(analysis.title),
        "size": rows_words(analysis),
        "summary": summary,
        "most": (MOST_CERTAIN, MOST_PROBABLE),
        "say": statement_phrase,
        "open": "" if summary is None else open_words(summary[2]),
        "apart": "" if summary is None else apart_words(summary[2]),
        "against": objections(analysis),
        "steps": next_steps(analysis),
        "trust": trust_section(analysis),
        "views": [
            {
                "key": key,
                "heading": _VIEW_WORDS[key][0],
                "words": _VIEW_WORDS[key][1],
                # the pictures escape every name themselves
                "svg": Markup(picture.svg(prefix=key, frame=frame, with_style=False, classes=classes)),
                "legend": legend(key, picture.strokes),
            }
            for key, (picture, classes) in pictures.items()
        ],
        "around": _around(analysis, deadline),
        "wide": bool(pictures) and frame[2] - frame[0] > WIDE,
        "columns": columns,
        "rows": [_edge_row(analysis, edge, columns, numbers) for edge in analysis.ranked_edges],
        "effects": effects_section(analysis),
        "statements": [
            {
                "phrase": statement_phrase(s),
                "probability": s.probability,
                "text": percent(s.probability),
                "by": s.decided_by,
            }
            for s in _listed_statements(analysis)
        ],
        "n_statements": len(analysis.statement_list),
        "questions": [(words, [edge_phrase(*pair) for pair in pairs]) for words, pairs in open_questions(analysis)],
        "fit": fit_rows(analysis.measures),
        "ways": [
            {
                "heading": fill("{cause} on {effect}", cause=way.cause, effect=way.effect),
                "words": printable(way.words),
                "formula": _formula_words(way.formula),
            }
            for way in analysis.ways_to_estimate
        ],
        "tetrads": _test_rows(test for test in analysis.tests if test.kind == "tetrad"),
        "verma": _test_rows(test for test in analysis.tests if test.kind not in ("independence", "tetrad")),
        "independences": _test_rows(independences[:MOST_INDEPENDENCES]),
        "n_independences": len(independences),
        "plots": [
            {
                "title": printable(trace["title"]),
                "reading": printable(trace["reading"]),
                "y_label": printable(trace["y_label"]) + (", logarithmic" if trace["log_scale"] else ""),
                "svg": Markup(draw_trace(trace)),  # the plot escapes its labels itself
                "lines": [
                    (f"trace-{k % N_COLOURS}", printable(label)) for k, (label, _, _) in enumerate(trace["series"])
                ],
            }
            for trace in analysis.traces
        ],
        "near": [(cost_text(more), distance, graph.n_edges) for graph, more, distance in analysis.near_optimal],
        "pairs": [_pair_row(pair) for pair in analysis.bootstrap],
        "origin": _origin(analysis),
        "citations": citations_for(analysis),
        "data": _data(analysis, pictures, columns),
    }


def _listed_statements(analysis: Analysis) -> Sequence[Statement]:
    """Return the statements of the table: the most probable ones, of many variables first those that join two."""
    statements = analysis.statement_list
    if analysis.strengths is not None:
        statements = tuple(sorted(statements, key=lambda s: s.kind in ("not causes", "apart")))
    return statements[:MOST_STATEMENTS]


# ------------------------------------------------------------------------------------------------------- pictures


def _pictures(analysis: Analysis) -> dict[str, tuple[Picture, dict[int, str]]]:
    """Return the pictures on one placement, each with the classes of its strokes; none of a very large graph."""
    names = analysis.names
    if len(names) > MOST_DRAWN:
        return {}
    strokes = {
        "admg": admg_strokes(names, analysis.admg.directed, analysis.admg.bidirected),
        "pag": pag_strokes(names, analysis.pag.marks),
    }
    if analysis.beliefs is not None:
        strokes = {"beliefs": _belief_strokes(analysis), **strokes}
    tiers = None if analysis.knowledge is None else analysis.knowledge.tier_numbers(names) or None
    placement = place(names, [stroke for of_view in strokes.values() for stroke in of_view], tiers)
    drawn = {}
    for key, of_view in strokes.items():
        picture = Picture.of("admg" if key == "admg" else "pag", placement, of_view)
        drawn[key] = (picture, _classes(analysis, picture) if key != "pag" else {})
    return drawn


def _around(analysis: Analysis, deadline: float) -> list[dict[str, Any]]:
    """Return the neighbourhoods of the variables of a large graph."""
    if len(analysis.names) <= MANY:
        return []
    if analysis.beliefs is not None:
        return neighbourhoods(analysis, "pag", _belief_strokes(analysis), deadline)
    strokes = admg_strokes(analysis.names, analysis.admg.directed, analysis.admg.bidirected)
    return neighbourhoods(analysis, "admg", strokes, deadline)


def belief_picture(analysis: Analysis) -> str:
    """Return the picture of what is probable as an SVG element; of a graph that was given, the graph."""
    pictures = _pictures(analysis)
    if not pictures:
        return ""
    picture, classes = pictures.get("beliefs", pictures["admg"])
    return picture.svg(classes=classes)


def _belief_strokes(analysis: Analysis) -> list[Stroke]:
    """Return a stroke for each pair that is probably joined, and one more where an unmeasured cause comes on top."""
    if analysis.beliefs is None:
        return []
    beliefs = analysis.beliefs.reorder(analysis.names)
    marks = beliefs.to_pag(0.5, SHOWN_PROBABILITY)
    strokes = pag_strokes(analysis.names, marks.marks)
    for i, one in enumerate(analysis.names):
        for j, other in enumerate(analysis.names[:i]):
            if beliefs.shares[i, j] >= SHOWN_PROBABILITY and Mark.TAIL in (
                marks.mark(one, other),
                marks.mark(other, one),
            ):
                first, second = sorted((one, other))
                strokes.append(Stroke(first, second, Mark.ARROW, Mark.ARROW))
    return strokes


def _classes(analysis: Analysis, picture: Picture) -> dict[int, str]:
    """Return for each stroke how sure it is that its pair is joined."""
    if analysis.beliefs is None:
        return {}
    beliefs = analysis.beliefs.reorder(analysis.names)
    index = {name: k for k, name in enumerate(analysis.names)}
    found = {}
    for number, stroke in enumerate(picture.strokes):
        probability = beliefs.adjacent[index[stroke.one], index[stroke.other]]
        found[number] = "is-certain" if probability >= 0.95 else "is-probable" if probability >= 0.8 else "is-unsure"
    return found


def _common_frame(pictures: Iterable[Picture]) -> tuple[float, float, float, float]:
    """Return the rectangle that holds all pictures."""
    frames = [picture.frame for picture in pictures] or [(0.0, 0.0, 0.0, 0.0)]
    return (
        min(f[0] for f in frames),
        min(f[1] for f in frames),
        max(f[2] for f in frames),
        max(f[3] for f in frames),
    )


# ----------------------------------------------------------------------------------------------------------- rows


def _edge_row(
    analysis: Analysis, edge: EdgeEstimate, columns: list[Column], numbers: dict[tuple[str, str, str], int]
) -> dict[str, Any]:
    number = numbers.get((edge.one, edge.arrow, edge.other), numbers.get((edge.other, edge.arrow, edge.one)))
    values = [column.value(analysis, edge) for column in columns]
    return {
        "number": number,
        "kind": edge.kind,
        "heading": edge_phrase(edge.one, edge.arrow, edge.other),
        "sentence": edge_sentence(edge),
        "cells": [
            ("" if value is None else float(value), column.text(value))
            for column, value in zip(columns, values, strict=True)
        ],
    }


def _test_rows(tests: Iterable[ConstraintTest]) -> list[dict[str, Any]]:
    return [
        {
            "text": printable(test.text),
            "statistic": short(test.statistic),
            "p": p_text(test.p_value),
            "adjusted": p_text(test.adjusted_p_value),
            "refuted": test.refuted,
        }
        for test in tests
    ]


def _formula_words(formula: str | None) -> str:
    if formula is None:
        return ""
    return printable(formula) if len(formula) <= LONGEST_FORMULA else f"{len(formula):,} letters, in result.json"


def _pair_row(pair: PairShares) -> dict[str, Any]:
    listed = sorted(pair.pag.items(), key=lambda item: (-item[1], item[0]))
    return {
        "heading": fill("{one} and {other}", one=pair.one, other=pair.other),
        "shares": tuple(pair.admg.get(arrow, 0.0) for arrow in ("", "->", "<-", "<->")),
        "in_pag": [f"{ARROWS.get(a, a) or 'no edge'} {percent(share)}" for a, share in listed],
    }


_SETTING_WORDS = {
    "graph_class": "Graph class",
    "solver": "Solver",
    "criterion": "Criterion",
    "answer": "Answer",
    "noise_scale": "Noise",
    "noise_spread": "Spread of the noise",
    "n_restarts": "Runs",
    "missing": "Missing values",
    "margins": "Margins",
    "penalty": "Penalty of the paper",
    "time_budget": "Time budget in seconds",
    "window": "Window of near-optimal scores",
    "bootstrap_replicates": "Bootstrap replicates",
}


def _origin(analysis: Analysis) -> list[tuple[str, str]]:
    rows = [("Seed", str(analysis.seed))] if analysis.seed is not None else []
    if analysis.data_hash:
        rows.append(("Hash of the data", analysis.data_hash))
    rows += [(_SETTING_WORDS.get(name, name), str(value)) for name, value in analysis.settings.items()]
    if analysis.versions:
        rows.append(("Versions", ", ".join(f"{name} {version}" for name, version in analysis.versions.items())))
    return [(printable(key), printable(value)) for key, value in rows]


# ----------------------------------------------------------------------------------------------- for the script


def _data(analysis: Analysis, pictures: dict[str, tuple[Picture, dict[int, str]]], columns: list[Column]) -> Markup:
    """Return what the script needs, as JSON that cannot end its own block."""
    edges: dict[tuple[str, str, str], EdgeEstimate] = {
        (edge.one, edge.arrow, edge.other): edge for edge in analysis.edge_estimates
    }

    effects = effects_by_pair(analysis)

    def entry(view: str, stroke: Stroke) -> dict[str, Any]:
        edge = None
        if view == "admg":
            one, arrow, other = stroke.one, stroke.arrow, stroke.other
            edge = edges.get((one, arrow, other)) or edges[(other, arrow, one)]
        found = _entry(analysis, view, stroke, edge, columns)
        if view != "pag":
            found["numbers"] += effects_of_pair(effects, stroke.one, stroke.other)
        return found

    views = {view: [entry(view, stroke) for stroke in picture.strokes] for view, (picture, _) in pictures.items()}
    text = json.dumps({"views": views, "replicates": analysis.n_replicates}, ensure_ascii=True, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def _entry(
    analysis: Analysis, view: str, stroke: Stroke, edge: EdgeEstimate | None, columns: list[Column]
) -> dict[str, Any]:
    """Return the panel of a stroke: what it says, how probable everything about the pair is, its numbers."""
    pair = analysis.shares_of(stroke.one, stroke.other)
    shares: dict[str, float] = {}
    share = None
    if pair is not None and view != "beliefs":
        shares = dict(pair.admg if view == "admg" else pair.pag)
        share = (edge.share if edge is not None else shares.get(stroke.arrow, 0.0)) if shares else None
    phrase = pag_phrase(stroke.one, stroke.arrow, stroke.other) if edge is None else edge_sentence(edge)
    numbers = [] if edge is None else [(c.heading, c.text(c.value(analysis, edge))) for c in columns]
    return {
        "heading": edge_phrase(stroke.one, stroke.arrow, stroke.other),
        "sentence": phrase,
        "beliefs": _about_pair(analysis, stroke.one, stroke.other) if view != "pag" else [],
        "numbers": numbers,
        "share": share,
        "shares": _listed_shares(stroke.one, stroke.other, shares),
    }


def _about_pair(analysis: Analysis, one: str, other: str) -> list[tuple[Any, float]]:
    """Return the probabilities of everything that may hold between two variables."""
    if analysis.beliefs is None:
        return []
    names = {name: k for k, name in enumerate(analysis.beliefs.names)}
    i, j, beliefs = names[one], names[other], analysis.beliefs
    listed = (
        ("{one} is a cause of {other}", beliefs.causes[i, j]),
        ("{other} is a cause of {one}", beliefs.causes[j, i]),
        ("they share an unmeasured cause", beliefs.shares[i, j]),
        ("they are directly connected", beliefs.adjacent[i, j]),
    )
    return [(fill(words, one=one, other=other), round(float(p), 4)) for words, p in listed]


def _listed_shares(one: str, other: str, shares: dict[str, float]) -> list[tuple[Any, float]]:
    """Return the kinds of edge that a pair had in the bootstrap, the most frequent first."""
    listed = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return [
        (edge_phrase(one, arrow, other) if arrow else (("no edge", False),), share)
        for arrow, share in listed
        if share > 0
    ]
