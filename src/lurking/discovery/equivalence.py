"""Whether all equivalent graphs agree on an edge: a fact about graphs, not about how probable the edge is.

An ADMG is one graph; its PAG says what *every* graph with the same independences says. They agree with an edge if

- ``A -> B``: the PAG has a tail at A and an arrowhead at B;
- ``A <-> B``, neither a cause of the other: the PAG has two arrowheads.

That a cause and its effect share an unmeasured cause as well is a matter of Verma constraints or of the fit, never of
independences. With knowledge, the graphs that obey it are meant.
"""

from __future__ import annotations

from lurking.discovery.analysis import Analysis
from lurking.discovery.analysis_parts import EdgeEstimate
from lurking.graphs import PAG, Mark

__all__ = ["class_agrees", "marks_between"]


def class_agrees(analysis: Analysis, edge: EdgeEstimate) -> bool:
    """Tell whether every equivalent graph that obeys the knowledge agrees with an edge.

    Examples
    --------
    >>> from lurking import ADMG, Moments
    >>> from lurking.discovery import analyse
    >>> moments = Moments([[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]], 100, ["A", "B", "C"])
    >>> analysis = analyse((moments, ADMG.parse("A -> C <- B")))
    >>> [class_agrees(analysis, edge) for edge in analysis.edge_estimates]  # A <-> C would do as well
    [False, False]
    """
    one, other, admg = edge.one, edge.other, analysis.admg
    if edge.kind == "bidirected" and (one in admg.ancestors(other) or other in admg.ancestors(one)):
        return False
    wanted = (Mark.TAIL if edge.kind == "directed" else Mark.ARROW, Mark.ARROW)
    return marks_between(analysis.informed_pag or analysis.pag, one, other) == wanted


def marks_between(pag: PAG, one: str, other: str) -> tuple[Mark, Mark]:
    """Return the marks at the two ends of an edge."""
    return pag.mark(other, at=one), pag.mark(one, at=other)
