"""The CPDAG: what all DAGs with the same d-separations share.

It is the answer of methods that assume that everything relevant was measured (PC, GES, searches over orders):
``A -> B`` if every equivalent DAG has it, ``A -- B`` if some have ``A -> B`` and others ``B -> A``. How it is found is
told in :mod:`lurking.graphs.patterns`.

A :class:`CPDAG` may hold any graph of directed and undirected edges without a directed cycle, because programs write
graphs that are not completed, or that their tests contradict. :meth:`CPDAG.witness` says why a graph is no CPDAG;
:meth:`CPDAG.completed` makes one of it (with background knowledge in it, the maximally oriented graph).

In a PAG the same arrow means something else: ``A -- B`` there is selection. :meth:`CPDAG.to_pag` gives the PAG of the
same independences, for a reader who does not want to assume that everything was measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import GraphClassError, GraphError
from lurking._typing import BoolMatrix
from lurking.graphs import patterns
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, reach
from lurking.graphs.edge_checks import matrices_of_pairs, symmetric_matrix
from lurking.graphs.marks import Mark, MarkMatrix
from lurking.graphs.mixed_graph import CausalEdges, MarkedEdges
from lurking.graphs.pag import PAG
from lurking.graphs.separation_questions import SelectedGraph
from lurking.graphs.text import Edge
from lurking.graphs.vertices import Vertices, check_names

__all__ = ["CPDAG"]


class CPDAG(CausalEdges, MarkedEdges):
    """A graph of directed edges ``->`` and edges ``--`` whose direction is open: a set of DAGs.

    Immutable. Two are equal if they have the same names and edges, whatever the order of the names.

    Parameters
    ----------
    names : sequence of str
        The variables, in the order of the rows and columns.
    directed : array-like of bool, shape (d, d)
        ``directed[i, j]`` is true if i -> j: the row is the cause.
    undirected : array-like of bool, shape (d, d)
        Symmetric; ``undirected[i, j]`` is true if i -- j.

    Raises
    ------
    CycleError
        If the directed edges form a cycle.
    GraphError
        If a matrix has the wrong shape or a pair has two edges.

    Examples
    --------
    >>> cpdag = ADMG.parse("A -> C <- B; C -> D; E -> D; F -> E").to_cpdag()
    >>> cpdag
    CPDAG.parse('A -> C; C -> D; B -> C; E -> D; E -- F', names=['A', 'C', 'B', 'D', 'E', 'F'])
    >>> [str(dag) for dag in CPDAG.parse("A -- B -- C").dags()]
    ['A -> B; B -> C', 'A; B; C; B -> A; B -> C', 'A; B; C; B -> A; C -> B']
    """

    __slots__ = ("_pattern", "directed", "undirected")

    directed: BoolMatrix
    """Read-only matrix of the directed edges, row is cause."""
    undirected: BoolMatrix
    """Read-only symmetric matrix of the edges whose direction is open."""
    _pattern: patterns.Pattern

    def __init__(self, names: Sequence[str], directed: ArrayLike, undirected: ArrayLike) -> None:
        super().__init__(names)
        # The checks of an ADMG are those needed here: shapes, loops, symmetry, cycles.
        causes = ADMG(self.names, directed, np.zeros((len(self), len(self)), dtype=bool)).directed
        loose = symmetric_matrix(undirected, "undirected", "--", self.names)
        twice = np.argwhere(loose & (causes | causes.T))
        if twice.size:
            one, other = (self.names[i] for i in twice[0])
            raise GraphError(f"{one} and {other} have a directed and an undirected edge; keep one of them.")
        bits = BitGraph.from_matrices(causes, loose)
        pattern = patterns.Pattern(bits.parents, bits.siblings)
        for attribute, value in (("directed", causes), ("undirected", loose), ("_pattern", pattern)):
            object.__setattr__(self, attribute, value)

    # ---------------------------------------------------------------------------------------- other ways in

    @classmethod
    def from_edges(
        cls, directed: Iterable[Edge] = (), undirected: Iterable[Edge] = (), names: Sequence[str] | None = None
    ) -> CPDAG:
        """Build a graph from lists of pairs: (cause, effect), and pairs whose direction is open.

        Examples
        --------
        >>> CPDAG.from_edges([("A", "B")], [("B", "C")])
        CPDAG.parse('A -> B; B -- C')
        """
        return cls(*matrices_of_pairs(directed, undirected, "undirected", names))

    @classmethod
    def parse(cls, text: str, names: Sequence[str] | None = None) -> CPDAG:
        """Read a graph from text such as ``"A -> B -- C; D"``; spaces stand around the arrows.

        Examples
        --------
        >>> CPDAG.parse("A -> B -- C; D").undirected_edges()
        [('B', 'C')]
        """
        drawn = PAG.parse(text, names)
        return cls.of_marks(drawn.names, drawn.marks)

    @classmethod
    def of_marks(cls, names: Sequence[str], marks: ArrayLike) -> CPDAG:
        """Build a graph from marks: ``marks[i, j]`` is the :class:`Mark` at j, a tail or an arrowhead.

        Examples
        --------
        >>> CPDAG.of_marks(["A", "B", "C"], [[0, 2, 0], [3, 0, 3], [0, 3, 0]])
        CPDAG.parse('A -> B; B -- C')
        """
        array = PAG(names, marks).marks
        tails = array == Mark.TAIL
        wrong = np.argwhere((array != Mark.NONE) & ~tails & ~tails.T)
        if wrong.size:
            one, other = (names[i] for i in wrong[0])
            raise GraphError(f"A CPDAG has only -> and --, but {one} and {other} have another edge.")
        return cls(names, (array == Mark.ARROW), tails & tails.T)

    @classmethod
    def of_dag(cls, dag: ADMG) -> CPDAG:
        """Return the CPDAG of a DAG.

        Raises
        ------
        GraphClassError
            If the graph has a bidirected edge.

        Examples
        --------
        >>> CPDAG.of_dag(ADMG.parse("A -> B -> C"))
        CPDAG.parse('A -- B; B -- C')
        """
        if dag.bidirected.any():
            one, other = dag.bidirected_edges()[0]
            raise GraphClassError(
                f"A CPDAG is for graphs without unmeasured causes, but {one} <-> {other} is one; use to_pag()."
            )
        return cls._of_pattern(dag.names, patterns.pattern_of_dag(BitGraph.from_matrices(dag.directed, dag.bidirected)))

    @classmethod
    def _of_pattern(cls, names: Sequence[str], pattern: patterns.Pattern) -> CPDAG:
        return cls(names, *BitGraph(pattern.parents, pattern.undirected).to_matrices())

    # ------------------------------------------------------------------------------------ how it shows itself

    def _identity(self) -> tuple[frozenset[str], frozenset[Edge], frozenset[frozenset[str]]]:
        undirected = frozenset(frozenset(edge) for edge in self.undirected_edges())
        return frozenset(self.names), frozenset(self.directed_edges()), undirected

    def __reduce__(self) -> tuple[type[CPDAG], tuple[tuple[str, ...], BoolMatrix, BoolMatrix]]:
        return CPDAG, (self.names, self.directed, self.undirected)

    def to_svg(self, *, title: str | None = None, tiers: Mapping[str, int] | None = None) -> str:
        """Draw the graph: arrows, and plain lines where the direction is open; see :mod:`lurking.graphs.drawing`.

        Parameters
        ----------
        title : str, optional
            What the picture shows, for people who do not see it.
        tiers : mapping of str to int, optional
            Variables of smaller tiers stand higher.
        """
        from lurking.graphs.drawing import draw_cpdag

        return draw_cpdag(self.names, self.marks, title=title, tiers=tiers)

    def edges(self) -> list[tuple[str, str, str]]:
        """Return the edges as (name, arrow, name): the directed ones first, then those that are open."""
        listed = [(one, "->", other) for one, other in self.directed_edges()]
        return listed + [(one, "--", other) for one, other in self.undirected_edges()]

    def undirected_edges(self) -> list[Edge]:
        """Return the pairs whose direction is open, each once."""
        return self._pairs(self.undirected)

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return int(self.directed.sum() + self.undirected.sum() // 2)

    @property
    def skeleton(self) -> BoolMatrix:
        """Symmetric matrix of the pairs that have an edge."""
        adjacent: BoolMatrix = self.directed | self.directed.T | self.undirected
        return adjacent

    @property
    def marks(self) -> MarkMatrix:
        """Matrix of marks: ``marks[i, j]`` is the :class:`Mark` at j; both ends of ``--`` are tails."""
        marks = np.where(self.skeleton, Mark.TAIL, Mark.NONE).astype(np.int8)
        marks[self.directed] = Mark.ARROW
        return marks

    @property
    def marks_with_circles(self) -> MarkMatrix:
        """The same with a circle at both ends of ``--``, as a PAG writes an open direction."""
        return np.where(self.undirected, Mark.CIRCLE, self.marks).astype(np.int8)

    def subgraph(self, names: Sequence[str]) -> CPDAG:
        """Return the induced subgraph on ``names``, in the order given."""
        checked = check_names(names)
        rows = [self.index(name) for name in checked]
        return CPDAG(checked, self.directed[np.ix_(rows, rows)], self.undirected[np.ix_(rows, rows)])

    # ------------------------------------------------------------------------------------------ what it stands for

    def witness(self) -> str | None:
        """Return why the graph is not the CPDAG of any DAG, in one sentence, or None if it is one.

        Examples
        --------
        >>> CPDAG.parse("A -> B -- C").witness()
        'The edge between A and B is directed, but the independences leave it open.'
        """
        dag = patterns.extension(self._pattern)
        if dag is None:
            return "No DAG has its skeleton, its directed edges and no other colliders."
        completed = CPDAG._of_pattern(self.names, patterns.pattern_of_dag(dag))
        odd = np.argwhere(np.triu((self.marks != completed.marks) | (self.marks != completed.marks).T))
        if not odd.size:
            return None
        i, j = odd[0].tolist()
        pair = next(e for e in completed.edges() if {e[0], e[2]} == {self.names[i], self.names[j]})
        if pair[1] == "->":
            return f"All its DAGs have {' '.join(pair)}, but the graph does not."
        return f"The edge between {self.names[i]} and {self.names[j]} is directed, but the independences leave it open."

    def is_valid(self) -> bool:
        """Tell whether the graph is the CPDAG of some DAG."""
        return self.witness() is None

    def _refuse_invalid(self) -> None:
        witness = self.witness()
        if witness is not None:
            raise GraphClassError(f"The graph is not the CPDAG of any DAG. {witness}")

    def completed(self) -> CPDAG:
        """Return the graph with every edge directed on which all its DAGs agree.

        Raises
        ------
        GraphClassError
            If it has no DAG.

        Examples
        --------
        >>> CPDAG.parse("A -> B -- C").completed()
        CPDAG.parse('A -> B; B -> C')
        """
        self.to_dag()
        return CPDAG._of_pattern(self.names, patterns.meek_closure(self._pattern))

    def to_dag(self) -> ADMG:
        """Return one of the DAGs.

        Raises
        ------
        GraphClassError
            If there is none.
        """
        return ADMG(self.names, *self._dag().to_matrices())

    def _dag(self) -> BitGraph:
        dag = patterns.extension(self._pattern)
        if dag is None:
            raise GraphClassError(
                "The graph stands for no DAG: none has its skeleton, its directed edges and no other colliders; "
                "check its edges."
            )
        return dag

    def dags(self, limit: int = 10_000) -> tuple[ADMG, ...]:
        """Return all DAGs that the graph stands for.

        Parameters
        ----------
        limit : int, default 10000
            More of them raise an error.

        Raises
        ------
        GraphClassError
            If there are more than ``limit``, or none.
        """
        self._dag()
        found: list[ADMG] = []
        for dag in patterns.extensions(self._pattern):
            if len(found) == limit:
                raise GraphClassError(f"The graph stands for more than {limit} DAGs; raise the limit.")
            found.append(ADMG(self.names, *dag.to_matrices()))
        return tuple(found)

    def to_pag(self) -> PAG:
        """Return the PAG of the same independences, in which unmeasured causes are possible.

        Examples
        --------
        >>> print(CPDAG.parse("A -> C; B -> C; C -> D").to_pag())
        A o-> C; B o-> C; C -> D
        """
        return self.to_dag().to_pag()

    # --------------------------------------------------------------------------------------------- relations

    def possible_ancestors(self, vertices: Vertices) -> frozenset[str]:
        """Return what is an ancestor of the vertices in some of the DAGs of a CPDAG, the vertices included.

        Examples
        --------
        >>> sorted(CPDAG.parse("A -- B; B -> C").possible_ancestors("C"))
        ['A', 'B', 'C']
        """
        onward = [a | b for a, b in zip(self._pattern.parents, self._pattern.undirected, strict=True)]
        return self._named(reach(onward, self._mask(vertices)))

    def possible_descendants(self, vertices: Vertices) -> frozenset[str]:
        """Return what is a descendant of the vertices in some of the DAGs of a CPDAG, the vertices included."""
        onward = [a | b for a, b in zip(self._pattern.children, self._pattern.undirected, strict=True)]
        return self._named(reach(onward, self._mask(vertices)))

    @property
    def _bits(self) -> BitGraph:
        return BitGraph(self._pattern.parents, (0,) * len(self))

    def _separation_graph(self) -> SelectedGraph:
        return SelectedGraph(self._dag())
