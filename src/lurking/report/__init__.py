"""An :class:`~lurking.Analysis` made readable: one HTML file, text for the terminal, a piece of HTML for notebooks.

Nothing is computed here; every number comes from the analysis. :func:`report_html` makes the page,
:func:`terminal_report` the text, :func:`notebook_html` what a notebook shows.
"""

from lurking.report.citations import citations, citations_for
from lurking.report.effect_terminal import effect_report, effect_text
from lurking.report.forest import forest_plot
from lurking.report.html import report_html
from lurking.report.notebook import notebook_html
from lurking.report.stability import bootstrap_report
from lurking.report.terminal import report_text, terminal_report

__all__ = [
    "bootstrap_report",
    "citations",
    "citations_for",
    "effect_report",
    "effect_text",
    "forest_plot",
    "notebook_html",
    "report_html",
    "report_text",
    "terminal_report",
]
