r"""Selection: what a sample shows whose units got into it because of a measured or unmeasured variable.

If units are in the sample because of the values of S, every distribution that the sample shows is conditional on S. The
independences among the other variables are then those of a maximal ancestral graph with undirected edges (Richardson
and Spirtes 2002): a and b are adjacent if no set of the others, together with S, separates them; the mark at a is a
tail if a is an ancestor of b or of S, and an arrowhead otherwise. So ``a -- b`` says that both act on the selection.

::

    X -> S <- Y, S selected        X -- Y: independent in the population, dependent in the sample
    X -> M -> S                    X -- M

What cannot be concluded from such a sample without more assumptions is the size of an effect: a regression within it
describes the selected units. Effects are therefore refused for graphs with ``--``.

>>> print(selected_mag(ADMG.parse("X -> S <- Y; Y -> Z"), "S"))
X -- Y; Y -> Z

References
----------
T. Richardson and P. Spirtes (2002). Ancestral graph Markov models. Annals of Statistics 30.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lurking._errors import GraphError
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.marks import Mark, MarkMatrix
from lurking.graphs.pag import PAG
from lurking.graphs.relations import ancestors
from lurking.graphs.separation import m_separated
from lurking.graphs.vertices import Vertices

__all__ = ["selected_mag"]


def selected_mag(graph: ADMG, selected: Vertices, hidden: Vertices = ()) -> PAG:
    """Return the MAG of the variables in a sample that was selected; ``--`` stands for selection.

    Parameters
    ----------
    graph : ADMG
        The graph of the population.
    selected : str or iterable of str
        The vertices whose values decide who is in the sample.
    hidden : str or iterable of str
        Further vertices that are not measured.

    Returns
    -------
    mag : PAG
        A graph without circles; ``PAG.of_mag(mag.names, mag.marks)`` is its PAG.

    Examples
    --------
    >>> mag = selected_mag(ADMG.parse("A -> B -> C; B -> S; U -> C; U -> D"), "S", hidden="U")
    >>> print(mag)
    A -- B; B -> C; C <-> D
    """
    bits = BitGraph.from_matrices(graph.directed, graph.bidirected)
    chosen, unseen = graph._mask(selected), graph._mask(hidden)
    if chosen & unseen:
        listed = ", ".join(sorted(graph._named(chosen & unseen)))
        raise GraphError(f"A variable is selected by or not measured, but {listed} is named as both; name it once.")
    marks = _marks_in_sample(bits, chosen, unseen)
    return PAG(graph.names, marks).subgraph([n for i, n in enumerate(graph.names) if not (chosen | unseen) >> i & 1])


def _marks_in_sample(graph: BitGraph, selected: int, hidden: int) -> MarkMatrix:
    """Return the marks of the MAG; selected and hidden vertices stay in it without edges."""
    d = graph.n_vertices
    marks = np.zeros((d, d), dtype=np.int8)
    seen = graph.everything & ~selected & ~hidden
    above = [ancestors(graph, singleton(v) | selected) for v in range(d)]
    for a, b in combinations(members(seen), 2):
        pair = singleton(a) | singleton(b)
        # If any set of measured vertices separates a and b in the sample, their measured ancestors and those of S do.
        given = ((above[a] | above[b]) & seen & ~pair) | selected
        if not m_separated(graph, singleton(a), singleton(b), given):
            marks[a, b] = Mark.TAIL if above[a] >> b & 1 else Mark.ARROW
            marks[b, a] = Mark.TAIL if above[b] >> a & 1 else Mark.ARROW
    return marks
