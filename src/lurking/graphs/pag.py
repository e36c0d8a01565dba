"""The partial ancestral graph (PAG): what all equivalent graphs agree on.

Each end of an edge carries a mark:

=========  ==========================  ============================================
mark       drawn                       says, of the variable at that end
=========  ==========================  ============================================
``TAIL``   ``A -> B`` (at A)           A is a cause of B
``ARROW``  ``A -> B`` (at B)           B is not a cause of A
``CIRCLE`` ``A o-> B`` (at A)          equivalent graphs disagree: it may be either
=========  ==========================  ============================================

So ``A <-> B`` says that neither causes the other, and that something unmeasured causes both; ``A o-o B`` leaves
everything open. An undirected edge ``A -- B`` only occurs if units were selected into the sample because of effects of
A and B; a tail then says that the variable causes the other one *or* the selection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import GraphError
from lurking._typing import BoolMatrix
from lurking.graphs.marks import Mark, MarkMatrix
from lurking.graphs.mixed_ancestral import check_maximal_ancestral
from lurking.graphs.orientation import pag_of_marks
from lurking.graphs.pag_text import arrow, parse_marked_edges, quote
from lurking.graphs.vertices import NamedVertices, check_names

__all__ = ["PAG", "Mark", "MarkMatrix"]


class PAG(NamedVertices):
    """A partial ancestral graph, or any graph with tails, arrowheads and circles.

    Immutable. Two PAGs are equal if they have the same names and marks, whatever the order of the names.

    Parameters
    ----------
    names : sequence of str
        The variables.
    marks : array-like of int, shape (d, d)
        ``marks[i, j]`` is the :class:`Mark` **at j** on the edge between i and j; 0 if there is no edge.

    Examples
    --------
    >>> pag = PAG(["A", "B"], [[0, 2], [1, 0]])
    >>> pag
    PAG.parse('A o-> B')
    >>> pag.mark("A", "B"), pag.mark("B", "A")
    (<Mark.ARROW: 2>, <Mark.CIRCLE: 1>)
    """

    __slots__ = ("marks",)

    marks: MarkMatrix
    """Read-only matrix; ``marks[i, j]`` is the mark at j."""

    def __init__(self, names: Sequence[str], marks: ArrayLike) -> None:
        super().__init__(names)
        d = len(self)
        array = np.asarray(marks)
        if array.shape != (d, d):
            raise GraphError(f"The marks must have shape ({d}, {d}), one row per name. Got {array.shape} instead.")
        if not np.isin(array, [mark.value for mark in Mark]).all():
            raise GraphError("The marks must be 0 (no edge), 1 (circle), 2 (arrowhead) or 3 (tail).")
        checked = array.astype(np.int8)
        if np.diag(checked).any():
            name = self.names[int(np.flatnonzero(np.diag(checked))[0])]
            raise GraphError(f"The marks have an edge from {name} to itself; set the diagonal to 0.")
        half = np.argwhere((checked != 0) & (checked.T == 0))
        if half.size:
            one, other = (self.names[i] for i in half[0])
            raise GraphError(f"The edge between {one} and {other} has a mark at {other} only; give it two marks.")
        checked.flags.writeable = False
        object.__setattr__(self, "marks", checked)

    @classmethod
    def parse(cls, text: str, names: Sequence[str] | None = None) -> PAG:
        """Read a graph from text such as ``"A o-> B <-> C; B -> D; E"``.

        Statements are separated by semicolons or line ends; a name alone is a vertex. Arrows have spaces around them.
        Names with spaces go in double quotes.

        Parameters
        ----------
        text : str
            The graph.
        names : sequence of str, optional
            The variables and their order; by default the order of appearance in the text.

        Examples
        --------
        >>> PAG.parse("A o-> B <-> C").marks.tolist()
        [[0, 2, 0], [1, 0, 2], [0, 2, 0]]
        """
        found, edges = parse_marked_edges(text)
        vertices = NamedVertices(found if names is None else names)
        for name in found:
            vertices.index(name)
        marks = np.zeros((len(vertices), len(vertices)), dtype=np.int8)
        for one, at_one, at_other, other in edges:
            i, j = vertices.index(one), vertices.index(other)
            if i == j:
                raise GraphError(f"The text has an edge from {one} to itself; remove it.")
            if marks[i, j] and (marks[j, i], marks[i, j]) != (at_one, at_other):
                raise GraphError(f"The text has two different edges between {one} and {other}; keep one of them.")
            marks[j, i], marks[i, j] = at_one, at_other
        return cls(vertices.names, marks)

    @classmethod
    def of_mag(cls, names: Sequence[str], marks: ArrayLike) -> PAG:
        """Return the PAG of a maximal ancestral graph, which may have undirected edges.

        For graphs without undirected edges :meth:`ADMG.to_pag <lurking.graphs.ADMG.to_pag>` is easier, and takes
        graphs that are not maximal or not ancestral too.

        Parameters
        ----------
        names : sequence of str
            The variables.
        marks : array-like of int, shape (d, d)
            Tails and arrowheads; ``marks[i, j]`` is the mark **at j**.

        Returns
        -------
        pag : PAG
            The marks that all maximal ancestral graphs with the same m-separations share, circles elsewhere.

        Raises
        ------
        GraphClassError
            If the graph is not maximal or not ancestral; the message names the offending vertices.
        CycleError
            If the directed edges form a cycle.

        Examples
        --------
        >>> mag = PAG.parse("A -- B -- C -- D -- A; D -> E")
        >>> print(PAG.of_mag(mag.names, mag.marks))
        A -- B; A -- D; B -- C; C -- D; D --o E
        """
        mag = cls(names, marks)
        check_maximal_ancestral(mag.names, mag.marks)
        return cls(mag.names, pag_of_marks(mag.marks))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PAG):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[frozenset[str], frozenset[tuple[str, str, int]]]:
        ends = ((self.names[i], self.names[j], int(self.marks[i, j])) for i, j in np.argwhere(self.marks).tolist())
        return frozenset(self.names), frozenset(ends)

    def __reduce__(self) -> tuple[type[PAG], tuple[tuple[str, ...], MarkMatrix]]:
        return PAG, (self.names, self.marks)

    def __repr__(self) -> str:
        text = str(self)
        in_order = parse_marked_edges(text)[0] == list(self.names)
        return f"PAG.parse({text!r})" if in_order else f"PAG.parse({text!r}, names={list(self.names)!r})"

    def __str__(self) -> str:
        """Return the edges as text, each pair once, isolated vertices last; :meth:`parse` reads it."""
        statements = [f"{quote(a)} {drawn} {quote(b)}" for a, drawn, b in self.edges()]
        statements += [quote(n) for n, row in zip(self.names, self.marks, strict=True) if not row.any()]
        return "; ".join(statements)

    def to_svg(self, *, title: str | None = None, tiers: Mapping[str, int] | None = None) -> str:
        """Draw the graph: arrowheads, bare ends and hollow circles; see :mod:`lurking.graphs.drawing`.

        Parameters
        ----------
        title : str, optional
            What the picture shows, for people who do not see it.
        tiers : mapping of str to int, optional
            Variables of smaller tiers stand higher.
        """
        from lurking.graphs.drawing import draw_pag

        return draw_pag(self.names, self.marks, title=title, tiers=tiers)

    def _repr_html_(self) -> str | None:
        return self.to_svg() if self.n_edges <= 150 else None  # notebooks show the text of graphs that nobody can see

    def edges(self) -> list[tuple[str, str, str]]:
        """Return the edges as (name, arrow, name), written so that an arrowhead or a bare end points right.

        Examples
        --------
        >>> PAG(["A", "B"], [[0, 3], [2, 0]]).edges()
        [('B', '->', 'A')]
        """
        listed = []
        for i, j in np.argwhere(np.triu(self.marks)).tolist():
            at_i, at_j = Mark(self.marks[j, i]), Mark(self.marks[i, j])
            swap = (at_i == Mark.ARROW != at_j) or (at_i == Mark.CIRCLE and at_j == Mark.TAIL)
            one, other = (j, i) if swap else (i, j)
            drawn = arrow(Mark(self.marks[other, one]), Mark(self.marks[one, other]))
            listed.append((self.names[one], drawn, self.names[other]))
        return listed

    def mark(self, other: str, at: str) -> Mark:
        """Return the mark at ``at`` on its edge with ``other``; ``Mark.NONE`` if there is no edge."""
        return Mark(self.marks[self.index(other), self.index(at)])

    @property
    def skeleton(self) -> BoolMatrix:
        """Symmetric matrix of the pairs that have an edge."""
        adjacent: BoolMatrix = self.marks != Mark.NONE
        return adjacent

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return int(np.count_nonzero(self.marks)) // 2

    def subgraph(self, names: Sequence[str]) -> PAG:
        """Return the induced subgraph on ``names``, in the order given."""
        checked = check_names(names)
        rows = [self.index(name) for name in checked]
        return PAG(checked, self.marks[np.ix_(rows, rows)])
