"""What background knowledge adds to a PAG: circles that it turns into tails and arrowheads.

A PAG keeps the marks that all graphs with the same independences share. Knowledge rules out some of these graphs, so
those that are left can share more. Three things follow from it for a pair that is adjacent in the PAG:

1. *No way, no cause.* If no directed path of edges that the knowledge permits and the PAG leaves possible leads from a
   to b, then a does not cause b: an arrowhead at a.
2. *A required cause.* If required edges lead from a to b, then a causes b: a tail at a, an arrowhead at b.
3. *Nothing unmeasured.* If no bidirected edge may touch a, then a causes b or b causes a: an inducing path between them
   either begins with ``a -> c``, and c is an ancestor of b, or it begins with ``a <- c``, where c cannot be a collider
   and so is b. Hence, if one end of the edge is an arrowhead, the other one is a tail.

The rules R1 to R4 and R8 to R10 (:mod:`lurking.graphs.orientation`) carry the new marks further. All of this holds in
every graph that obeys the knowledge; it need not be all that holds (for tiers alone it is: Andrews, Spirtes and Cooper
2020).

>>> from lurking.graphs import ADMG
>>> graph = ADMG.parse('dose -> pressure <- salt')
>>> print(graph.to_pag())
dose o-> pressure; salt o-> pressure
>>> print(informed_pag(graph, Knowledge(unconfounded=["dose"])))
dose -> pressure; salt o-> pressure

References
----------
B. Andrews, P. Spirtes and G. F. Cooper (2020), On the completeness of causal discovery in the presence of latent
confounding with tiered background knowledge, AISTATS.
"""

from __future__ import annotations

import numpy as np

from lurking._errors import KnowledgeError
from lurking._typing import BoolMatrix
from lurking.discovery.knowledge import Knowledge
from lurking.graphs import ADMG, PAG, Mark
from lurking.graphs.marks import MarkMatrix
from lurking.graphs.orientation import ALL_RULES, apply_rules
from lurking.search.allowed_edges import allowed_arrows, allowed_lines

__all__ = ["informed_pag"]

_RULES = ALL_RULES - {5, 6, 7}  # these three are about selection


def informed_pag(admg: ADMG, knowledge: Knowledge) -> PAG:
    """Return the PAG of a graph with the marks that knowledge adds.

    Parameters
    ----------
    admg : ADMG
        A graph that obeys the knowledge.
    knowledge : Knowledge
        What is known.

    Returns
    -------
    informed : PAG
        The PAG of the graph; where it has a circle, there may be a tail or an arrowhead.

    Raises
    ------
    KnowledgeError
        If the graph does not obey the knowledge.

    Examples
    --------
    >>> graph = ADMG.parse("A -> B -> C")
    >>> print(informed_pag(graph, Knowledge(required=["A -> B"])))
    A -> B; B -> C
    """
    if against := knowledge.violations(admg):
        raise KnowledgeError(
            f"The graph {against[0]}, which the knowledge does not allow; give a graph that obeys it, or leave it out."
        )
    allowed_edges = knowledge.allowed_edges(admg.names)
    arrows = allowed_arrows(allowed_edges)
    required = knowledge.required_graph("bow-free").directed_edges()
    must_cause = _reachable(ADMG.from_edges(required, (), admg.names).directed)
    unconfounded: BoolMatrix = np.logical_not(allowed_lines(allowed_edges).any(axis=1))
    mag = _mag_marks(admg)
    marks = np.array(admg.to_pag().marks)
    while True:
        before = marks.copy()
        possible = (marks != Mark.NONE) & (marks != Mark.TAIL) & (marks.T != Mark.ARROW)
        may_cause = _reachable(arrows & possible)
        _place(marks, may_cause, must_cause, unconfounded)
        marks = apply_rules(marks, lambda path: bool(mag[path[-1], path[-2]] == Mark.ARROW), _RULES)
        if (marks == before).all():
            return PAG(admg.names, marks)


def _place(marks: MarkMatrix, may_cause: BoolMatrix, must_cause: BoolMatrix, unconfounded: BoolMatrix) -> None:
    """Replace the circles that the three statements decide; ``marks[i, j]`` is the mark at j."""
    circle, present = marks == Mark.CIRCLE, marks != Mark.NONE
    marks[circle & ~may_cause.T] = Mark.ARROW
    marks[circle & must_cause.T] = Mark.TAIL
    marks[circle & must_cause] = Mark.ARROW
    one_way = present & (unconfounded[:, None] | unconfounded[None, :])
    marks[one_way & (marks == Mark.CIRCLE) & (marks.T == Mark.ARROW)] = Mark.TAIL
    marks[one_way & (marks == Mark.CIRCLE) & (marks.T == Mark.TAIL)] = Mark.ARROW


def _reachable(edges: BoolMatrix) -> BoolMatrix:
    """Return where directed paths of one edge or more lead."""
    reached: BoolMatrix = edges.copy()
    for via in range(len(edges)):
        reached |= np.outer(reached[:, via], reached[via])
    return reached


def _mag_marks(admg: ADMG) -> MarkMatrix:
    mag = admg.to_mag()
    marks = np.zeros((len(mag), len(mag)), dtype=np.int8)
    marks[mag.bidirected | mag.directed] = Mark.ARROW
    marks[mag.directed.T] = Mark.TAIL
    return marks
