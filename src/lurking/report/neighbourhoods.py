"""A large graph, read one variable at a time: a small picture and the firmest statements for each variable.

In a picture of a hundred variables no single edge can be followed. So above :data:`MANY` variables the page has a
section with a search box: it shows one variable with the neighbours that it probably has, the edges among them, and
what can be said of it, the most probable first. The neighbourhoods are drawn with the report, each on a placement of
its own, so the page needs no drawing in the browser; their cost grows with the number of edges.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from markupsafe import Markup

from lurking._numbers import percent
from lurking.discovery import Analysis
from lurking.discovery.statements import Statement
from lurking.graphs.drawing import Picture, Stroke, place, printable
from lurking.graphs.drawing.words import GraphKind
from lurking.report.sentences import statement_phrase

__all__ = ["MANY", "MOST_NEIGHBOURS", "neighbourhoods"]

MANY = 30
"""Graphs of more variables have the section."""
MOST_NEIGHBOURS = 16
"""Of a variable with more neighbours these are listed, without a picture."""
_MOST_STATEMENTS = 12  # of a variable
_SAID = ("causes", "shares a cause", "adjacent")  # kinds of statements; the others are true of most pairs


class _Neighbourhood(NamedTuple):
    """A variable with its neighbours and the strokes between any of them."""

    name: str
    members: tuple[str, ...]
    strokes: tuple[Stroke, ...]


def neighbourhoods(
    analysis: Analysis, kind: GraphKind, strokes: Sequence[Stroke], deadline: float = inf
) -> list[dict[str, Any]]:
    """Return what the page shows of each variable, those with the most neighbours first.

    Parameters
    ----------
    analysis : Analysis
        Where the statements are from.
    kind : {"admg", "pag"}
        What the strokes mean.
    strokes : sequence of Stroke
        The edges.
    deadline : float, default inf
        After this, on the clock of ``time.monotonic``, no further picture is drawn; those of the variables with the
        most neighbours come first.
    """
    said = _statements_about(analysis)
    around = sorted(_around(analysis.names, strokes), key=lambda one: (-len(one.members), one.name))
    return [
        {
            "name": printable(one.name),
            "neighbours": [printable(name) for name in one.members if name != one.name],
            "svg": _picture(kind, one, f"around-{k}") if time.monotonic() <= deadline else Markup(""),
            "statements": [(statement_phrase(s), percent(s.probability)) for s in said[one.name]],
        }
        for k, one in enumerate(around)
    ]


def _around(names: Sequence[str], strokes: Sequence[Stroke]) -> list[_Neighbourhood]:
    near: dict[str, set[str]] = {name: {name} for name in names}
    of_vertex: dict[str, list[int]] = {name: [] for name in names}
    for number, stroke in enumerate(strokes):
        for end, other in ((stroke.one, stroke.other), (stroke.other, stroke.one)):
            near[end].add(other)
            of_vertex[end].append(number)
    found = []
    for name in names:
        numbers = sorted({number for member in near[name] for number in of_vertex[member]})
        inside = [strokes[k] for k in numbers if strokes[k].one in near[name] and strokes[k].other in near[name]]
        found.append(_Neighbourhood(name, tuple(sorted(near[name])), tuple(inside)))
    return found


def _picture(kind: GraphKind, around: _Neighbourhood, prefix: str) -> Markup:
    """Return the picture as an SVG element; nothing for a variable alone or with too many neighbours."""
    if not 2 <= len(around.members) <= MOST_NEIGHBOURS + 1:
        return Markup("")
    picture = Picture.of(kind, place(around.members, around.strokes), around.strokes)
    title = f"{printable(around.name)} and its neighbours"
    return Markup(picture.svg(prefix=prefix, with_style=False, title=title))  # it escapes every name itself


def _statements_about(analysis: Analysis) -> dict[str, list[Statement]]:
    """Return the most probable statements about each variable, of equally probable ones the strongest first."""
    strengths = analysis.strengths
    listed = [statement for statement in analysis.statement_list if statement.kind in _SAID]
    if strengths is not None:
        listed.sort(key=lambda s: (-round(s.probability, 2), _SAID.index(s.kind), -strengths.of_statement(s)))
    found: dict[str, list[Statement]] = defaultdict(list)
    for statement in listed:
        for name in (statement.first, statement.second):
            if len(found[name]) < _MOST_STATEMENTS:
                found[name].append(statement)
    return found
