"""A result made readable: one HTML file, or text for the terminal.

Fill in a :class:`ReportContent`, then :func:`write_report` it or show :func:`terminal_report`. Both say the same:
the edges with their numbers and one plain sentence each, how well the graph fits, and what is left open.
"""

from lurking.report.content import (
    Citation,
    ConstraintTest,
    EdgeEstimate,
    Finding,
    FitMeasure,
    KnowledgeStatement,
    NearOptimalGraph,
    PairShares,
    ReportContent,
    Series,
    Trace,
)
from lurking.report.fit_rows import fit_rows
from lurking.report.html import report_html, write_report
from lurking.report.sentences import OpenQuestion, Phrase, Reading, open_questions, read_edge, read_edges, read_pag_edge
from lurking.report.terminal import report_text, terminal_report

__all__ = [
    "Citation",
    "ConstraintTest",
    "EdgeEstimate",
    "Finding",
    "FitMeasure",
    "KnowledgeStatement",
    "NearOptimalGraph",
    "OpenQuestion",
    "PairShares",
    "Phrase",
    "Reading",
    "ReportContent",
    "Series",
    "Trace",
    "fit_rows",
    "open_questions",
    "read_edge",
    "read_edges",
    "read_pag_edge",
    "report_html",
    "report_text",
    "terminal_report",
    "write_report",
]
