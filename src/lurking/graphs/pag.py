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

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import GraphClassError, GraphError
from lurking._typing import BoolMatrix
from lurking.graphs import partial_ancestral
from lurking.graphs.bits import members
from lurking.graphs.circle_choices import mags_with_selection
from lurking.graphs.mark_changes import equivalent_mags
from lurking.graphs.marks import Mark, MarkMatrix, MarkSets, marks_of_graph
from lurking.graphs.mixed_ancestral import check_maximal_ancestral
from lurking.graphs.mixed_graph import MarkedEdges
from lurking.graphs.orientation import pag_of_marks
from lurking.graphs.pag_text import arrow, parse_marked_edges
from lurking.graphs.partial_ancestral import PathStatus
from lurking.graphs.separation_questions import SelectedGraph, graph_of_mag
from lurking.graphs.vertices import NamedVertices, Vertices, check_names

__all__ = ["PAG", "Mark", "MarkMatrix"]


class PAG(MarkedEdges):
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

    __slots__ = ("_mag", "marks")

    marks: MarkMatrix
    """Read-only matrix; ``marks[i, j]`` is the mark at j."""
    _mag: MarkMatrix | None

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
        object.__setattr__(self, "_mag", None)

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

    def _identity(self) -> tuple[frozenset[str], frozenset[tuple[str, str, int]]]:
        ends = ((self.names[i], self.names[j], int(self.marks[i, j])) for i, j in np.argwhere(self.marks).tolist())
        return frozenset(self.names), frozenset(ends)

    def __reduce__(self) -> tuple[type[PAG], tuple[tuple[str, ...], MarkMatrix]]:
        return PAG, (self.names, self.marks)

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

    # ------------------------------------------------------------------------------------------ the MAGs of a class

    def witness(self) -> str | None:
        """Return why the graph is neither a PAG nor a MAG, in one sentence, or None if it is one of them.

        Examples
        --------
        >>> PAG.parse("A o-> B o-> C").witness()
        'The PAG of its MAG A -> B; B -> C has other marks between A and B: A o-o B, not A o-> B.'
        """
        mag = partial_ancestral.mag_of_pag(MarkSets(self.marks))
        if mag is None:
            return "Its circle edges cannot be directed without a cycle or a new collider, so it has no MAG."
        try:
            check_maximal_ancestral(self.names, mag)
        except GraphError as error:
            return f"Its circles cannot be replaced: {error}"
        if not (self.marks == Mark.CIRCLE).any():
            return None  # a graph without circles stands for itself
        expected = PAG(self.names, pag_of_marks(mag))
        odd = np.argwhere(np.triu((expected.marks != self.marks) | (expected.marks != self.marks).T))
        if not odd.size:
            return None
        pair = {self.names[i] for i in odd[0]}
        drawn = [" ".join(next(edge for edge in g.edges() if {edge[0], edge[2]} == pair)) for g in (expected, self)]
        return (
            f"The PAG of its MAG {PAG(self.names, mag)} has other marks between {' and '.join(sorted(pair))}: "
            f"{drawn[0]}, not {drawn[1]}."
        )

    def is_valid(self) -> bool:
        """Tell whether the graph is the PAG of some MAG, or, if it has no circle, a MAG."""
        return self.witness() is None

    def _valid_mag(self) -> MarkMatrix:
        if self._mag is None:
            witness = self.witness()
            if witness is not None:
                raise GraphClassError(f"The graph is not the PAG of any MAG. {witness}")
            object.__setattr__(self, "_mag", partial_ancestral.mag_of_pag(MarkSets(self.marks)))
        mag: MarkMatrix | None = self._mag
        if mag is None:  # a valid graph always has one
            raise GraphClassError("The graph has no MAG.")
        return mag

    def to_mag(self) -> PAG:
        """Return one MAG of the class, as a graph without circles.

        Raises
        ------
        GraphClassError
            If the graph is not a PAG; the message says why.

        Examples
        --------
        >>> PAG.parse("A o-> C <-o B; C -> D").to_mag()
        PAG.parse('A -> C; B -> C; C -> D')
        """
        return PAG(self.names, self._valid_mag())

    def mags(self, limit: int = 10_000, *, selection: bool = False) -> tuple[PAG, ...]:
        """Return all MAGs of the class, each as a graph without circles.

        Parameters
        ----------
        limit : int, default 10000
            More of them raise an error.
        selection : bool, default False
            Also those with undirected edges (``--``). They are always among them if the graph itself shows selection,
            by ``--`` or ``o--``. The work for them grows exponentially with the number of circles.

        Raises
        ------
        GraphClassError
            If there are more than ``limit``, or the graph is not a PAG.

        Examples
        --------
        >>> [str(mag) for mag in PAG.parse("A o-o B").mags()]
        ['B -> A', 'A <-> B', 'A -> B']
        >>> [str(mag) for mag in PAG.parse("A o-o B").mags(selection=True)]
        ['A -- B', 'B -> A', 'A -> B', 'A <-> B']
        """
        mag = self._valid_mag()
        listed: Iterator[MarkMatrix]
        if not (self.marks == Mark.CIRCLE).any():
            return (PAG(self.names, mag),)
        if selection or self._selected_pair() is not None:
            listed = mags_with_selection(self.marks)
        else:
            listed = map(marks_of_graph, equivalent_mags(MarkSets(mag).to_bit_graph()))
        found = list(islice(listed, limit + 1))
        if len(found) > limit:
            raise GraphClassError(f"The class has more than {limit} MAGs; raise the limit.")
        return tuple(PAG(self.names, marks) for marks in found)

    def _selected_pair(self) -> tuple[int, int] | None:
        """Return an edge that only selection explains, ``--`` or ``o--``, its tail first."""
        sets = MarkSets(self.marks)
        pairs = (
            (v, w) for v, near in enumerate(sets.near[Mark.TAIL]) for w in members(near & ~sets.far[Mark.ARROW][v])
        )
        return next(pairs, None)

    def _refuse_selection(self, question: str) -> None:
        pair = self._selected_pair()
        if pair is not None:
            v, w = pair
            raise GraphClassError(
                f"{question} for graphs without selection, but the edge between {self.names[v]} and "
                f"{self.names[w]} says that units were selected by an effect of {self.names[v]}; leave one of the "
                "two out, or decide that the sample was not selected and draw the edge anew."
            )

    def _separation_graph(self) -> SelectedGraph:
        return graph_of_mag(self._valid_mag())

    def separation(
        self, one: Vertices, other: Vertices, given: Vertices = ()
    ) -> Literal["separated", "connected", "undecided"]:
        """Return what the marks say about a separation, also in a graph that is not the PAG of any MAG.

        ``"separated"`` and ``"connected"`` hold however the circles are replaced (*definite* separation and
        connection); ``"undecided"`` leaves both possible. In a PAG ``m_separated`` always decides.

        Examples
        --------
        >>> graph = PAG.parse("A o-> B o-o C")              # no PAG, but an answer of a search
        >>> graph.separation("A", "C", given="B"), graph.separation("A", "C"), graph.separation("A", "B")
        ('undecided', 'undecided', 'connected')
        """
        masks = self._disjoint_masks(one, other, given)
        return partial_ancestral.separation_status(MarkSets(self.marks), *masks)

    # --------------------------------------------------------------------------------------------- relations

    def ancestors(self, vertices: Vertices) -> frozenset[str]:
        """Return what is an ancestor of the vertices in every MAG, the vertices included.

        Examples
        --------
        >>> sorted(PAG.parse("A o-> C <-o B; C -> D").ancestors("D"))
        ['C', 'D']
        """
        sets, found = MarkSets(self.marks), 0
        for vertex in members(self._mask(vertices)):
            found |= partial_ancestral.certain_ancestors(sets, vertex)
        return self._named(found)

    def possible_ancestors(self, vertices: Vertices) -> frozenset[str]:
        """Return what is an ancestor of the vertices in some MAG, the vertices included.

        Examples
        --------
        >>> sorted(PAG.parse("A o-> C <-o B; C -> D").possible_ancestors("D"))
        ['A', 'B', 'C', 'D']
        """
        return self._named(partial_ancestral.possible_ancestors(MarkSets(self.marks), self._mask(vertices)))

    def possible_descendants(self, vertices: Vertices) -> frozenset[str]:
        """Return what is a descendant of the vertices in some MAG, the vertices included."""
        return self._named(partial_ancestral.possible_descendants(MarkSets(self.marks), self._mask(vertices)))

    def possible_district(self, vertices: Vertices) -> frozenset[str]:
        """Return what is joined to the vertices by edges that may be bidirected, the vertices included."""
        return self._named(partial_ancestral.possible_district(MarkSets(self.marks), self._mask(vertices)))

    def is_visible(self, cause: str, effect: str) -> bool:
        """Tell whether the graph has ``cause -> effect`` and shows that nothing unmeasured causes both.

        Examples
        --------
        >>> pag = PAG.parse("A o-> C <-o B; C -> D")
        >>> pag.is_visible("C", "D"), pag.is_visible("A", "C")
        (True, False)
        """
        return partial_ancestral.is_visible(MarkSets(self.marks), self.index(cause), self.index(effect))

    def visible_edges(self) -> list[tuple[str, str]]:
        """Return the pairs (cause, effect) whose edge is visible."""
        sets = MarkSets(self.marks)
        arrows = np.argwhere((self.marks == Mark.ARROW) & (self.marks.T == Mark.TAIL)).tolist()
        return [(self.names[i], self.names[j]) for i, j in arrows if partial_ancestral.is_visible(sets, i, j)]

    def path_status(self, one: str, middle: str, other: str) -> PathStatus:
        """Return what ``middle`` is between two of its neighbours: collider, non-collider or undecided.

        Examples
        --------
        >>> PAG.parse("A o-o B o-o C").path_status("A", "B", "C")
        'non-collider'
        """
        a, b, c = self.index(one), self.index(middle), self.index(other)
        if a == c or not (self.marks[a, b] and self.marks[c, b]):
            raise GraphError(f"{middle} must have an edge to {one} and another to {other}; name two of its neighbours.")
        return partial_ancestral.path_status(MarkSets(self.marks), a, b, c)
