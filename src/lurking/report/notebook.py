"""What a notebook shows of an analysis: the picture, what is certain and probable, the edges as a table."""

from __future__ import annotations

from markupsafe import Markup, escape

from lurking.discovery import Analysis
from lurking.discovery.columns import shown_columns
from lurking.graphs.drawing import printable
from lurking.report.sentences import edge_phrase, plain, statement_phrase
from lurking.report.view import belief_picture

__all__ = ["notebook_html"]


def notebook_html(analysis: Analysis) -> str:
    """Return an analysis as a piece of HTML without scripts.

    Examples
    --------
    >>> from lurking import ADMG, Moments
    >>> from lurking.discovery import analyse
    >>> moments = Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"])
    >>> notebook_html(analyse((moments, ADMG.parse("A -> B")))).startswith("<div>")
    True
    """
    parts = [Markup("<h4>{}</h4>").format(printable(analysis.title)), Markup(belief_picture(analysis))]
    if analysis.statement_list:
        certain, probable, _ = analysis.summary
        items = Markup("").join(
            Markup("<li>{} <small>{:.2f}</small></li>").format(plain(statement_phrase(s)), s.probability)
            for s in (*certain, *probable)
        )
        parts.append(Markup("<ul>{}</ul>").format(items))
    parts.append(_edges(analysis))
    return str(Markup("<div>{}</div>").format(Markup("").join(parts)))


def _edges(analysis: Analysis) -> Markup:
    columns = shown_columns(analysis)
    head = Markup("").join(Markup("<th>{}</th>").format(name) for name in ("Edge", *(c.heading for c in columns)))
    rows = Markup("").join(
        Markup("<tr><th>{}</th>{}</tr>").format(
            escape(plain(edge_phrase(edge.one, edge.arrow, edge.other))),
            Markup("").join(Markup("<td>{}</td>").format(c.text(c.value(analysis, edge))) for c in columns),
        )
        for edge in analysis.ranked_edges
    )
    return Markup("<details><summary>The graph in numbers</summary><table><tr>{}</tr>{}</table></details>").format(
        head, rows
    )
