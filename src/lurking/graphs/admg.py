"""The acyclic directed mixed graph (ADMG): the object that everything else is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import CycleError, GraphError, ParameterError
from lurking._typing import BoolMatrix, GraphClass
from lurking.graphs import classes, equivalence, nested, orientation, projection, relations, separation, verma
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.constraint import ImpliedConstraint
from lurking.graphs.edge_checks import boolean_matrix, matrices_of_pairs, symmetric_matrix
from lurking.graphs.identification import Hedge, IdentifiedEffect, identify
from lurking.graphs.mixed_graph import CausalEdges
from lurking.graphs.pag import PAG
from lurking.graphs.separation_questions import SelectedGraph
from lurking.graphs.text import Edge, parse_edges, write_edges
from lurking.graphs.vertices import NamedVertices, Vertices, check_names

if TYPE_CHECKING:
    from lurking.graphs.cpdag import CPDAG

__all__ = ["ADMG"]


class ADMG(CausalEdges):
    """An acyclic directed mixed graph: causes (``->``) and unmeasured common causes (``<->``).

    ``A -> B`` says that A is a direct cause of B; ``A <-> B`` says that something unmeasured causes both. A pair may
    carry both edges (a *bow*). Directed edges must not form a cycle. Graphs are immutable; two graphs are equal if
    they have the same names and the same edges, whatever the order of the names.

    Parameters
    ----------
    names : sequence of str
        The variables, in the order of the rows and columns.
    directed : array-like of bool, shape (d, d)
        ``directed[i, j]`` is true if i -> j: the row is the cause.
    bidirected : array-like of bool, shape (d, d)
        Symmetric; ``bidirected[i, j]`` is true if i <-> j.

    Raises
    ------
    CycleError
        If the directed edges form a cycle; the cycle is in the message.
    GraphError
        If a matrix has the wrong shape, holds anything but 0 and 1, has an edge from a variable to itself, or is
        not symmetric where it must be.

    Examples
    --------
    >>> g = ADMG.parse("A -> B -> C -> D; B <-> D")
    >>> g.is_arid(), g.is_ancestral(), str(g.witness("ancestral"))
    (True, False, 'the path B -> C -> D with B <-> D')
    >>> g.m_separated("A", "C", given="B")
    True
    """

    __slots__ = ("_bits", "bidirected", "directed")

    directed: BoolMatrix
    """Read-only matrix of the directed edges, row is cause."""
    bidirected: BoolMatrix
    """Read-only symmetric matrix of the bidirected edges."""
    _bits: BitGraph

    def __init__(self, names: Sequence[str], directed: ArrayLike, bidirected: ArrayLike) -> None:
        super().__init__(names)
        causes = boolean_matrix(directed, "directed", self.names)
        confounded = symmetric_matrix(bidirected, "bidirected", "<->", self.names)
        bits = BitGraph.from_matrices(causes, confounded)
        if relations.topological_order(bits) is None:
            cycle = relations.directed_cycle(bits) or []
            raise CycleError(tuple(self.names[i] for i in cycle))
        for attribute, value in (("directed", causes), ("bidirected", confounded), ("_bits", bits)):
            object.__setattr__(self, attribute, value)

    # ---------------------------------------------------------------------------------------- other ways in

    @classmethod
    def from_edges(
        cls,
        directed: Iterable[Edge] = (),
        bidirected: Iterable[Edge] = (),
        names: Sequence[str] | None = None,
    ) -> ADMG:
        """Build a graph from lists of edges.

        Parameters
        ----------
        directed : iterable of (str, str)
            Pairs (cause, effect).
        bidirected : iterable of (str, str)
            Pairs that share an unmeasured cause, in either order.
        names : sequence of str, optional
            The variables and their order. By default those of the edges, in the order of appearance.

        Examples
        --------
        >>> ADMG.from_edges([("A", "B")], [("B", "C")])
        ADMG.parse('A -> B; B <-> C')
        """
        return cls(*matrices_of_pairs(directed, bidirected, "bidirected", names))

    @classmethod
    def parse(cls, text: str, names: Sequence[str] | None = None) -> ADMG:
        """Read a graph from text such as ``"A -> B -> C; B <-> C; D"``.

        Statements are separated by semicolons or line ends; a name alone is a vertex. Names with spaces or
        arrows go in double quotes.

        Parameters
        ----------
        text : str
            The graph.
        names : sequence of str, optional
            The variables and their order; by default the order of appearance in the text.

        Examples
        --------
        >>> ADMG.parse('smoking -> "lung cancer" <-> asbestos').names
        ('smoking', 'lung cancer', 'asbestos')
        """
        found, directed, bidirected = parse_edges(text)
        if names is None:
            return cls.from_edges(directed, bidirected, found)
        allowed = NamedVertices(names)
        for name in found:
            allowed.index(name)
        return cls.from_edges(directed, bidirected, allowed.names)

    @classmethod
    def empty(cls, names: Sequence[str]) -> ADMG:
        """Return the graph without edges."""
        checked = check_names(names)
        nothing = np.zeros((len(checked), len(checked)), dtype=bool)
        return cls(checked, nothing, nothing)

    def _with_bits(self, bits: BitGraph) -> ADMG:
        return ADMG(self.names, *bits.to_matrices())

    # ------------------------------------------------------------------------------------ how it shows itself

    def _identity(self) -> tuple[frozenset[str], frozenset[Edge], frozenset[frozenset[str]]]:
        return (
            frozenset(self.names),
            frozenset(self.directed_edges()),
            frozenset(frozenset(edge) for edge in self.bidirected_edges()),
        )

    def __reduce__(self) -> tuple[type[ADMG], tuple[tuple[str, ...], BoolMatrix, BoolMatrix]]:
        return ADMG, (self.names, self.directed, self.bidirected)

    def __str__(self) -> str:
        return write_edges(self.names, self.directed_edges(), self.bidirected_edges())

    def __repr__(self) -> str:
        return f"ADMG.parse({str(self)!r})"

    def to_svg(self, *, title: str | None = None, tiers: Mapping[str, int] | None = None) -> str:
        """Draw the graph: directed edges are solid, bidirected ones dashed; see :mod:`lurking.graphs.drawing`.

        Parameters
        ----------
        title : str, optional
            What the picture shows, for people who do not see it.
        tiers : mapping of str to int, optional
            Variables of smaller tiers stand higher.
        """
        from lurking.graphs.drawing import draw_admg

        return draw_admg(self.names, self.directed, self.bidirected, title=title, tiers=tiers)

    def bidirected_edges(self) -> list[Edge]:
        """Return the pairs that share an unmeasured cause, each once."""
        return self._pairs(self.bidirected)

    @property
    def n_edges(self) -> int:
        """The number of directed and bidirected edges."""
        return int(self.directed.sum() + self.bidirected.sum() // 2)

    @property
    def skeleton(self) -> BoolMatrix:
        """Symmetric matrix of the pairs that have an edge of any kind."""
        adjacent: BoolMatrix = self.directed | self.directed.T | self.bidirected
        return adjacent

    # --------------------------------------------------------------------------------------------- relations

    def parents(self, vertices: Vertices) -> frozenset[str]:
        """Return the direct causes of one or several vertices."""
        return self._named(relations.parents_of_set(self._bits, self._mask(vertices)))

    def children(self, vertices: Vertices) -> frozenset[str]:
        """Return the direct effects of one or several vertices."""
        mask = self._mask(vertices)
        return frozenset().union(*(self._named(self._bits.children[v]) for v in members(mask)))

    def siblings(self, vertices: Vertices) -> frozenset[str]:
        """Return the vertices with a bidirected edge to one or several vertices."""
        mask = self._mask(vertices)
        return frozenset().union(*(self._named(self._bits.siblings[v]) for v in members(mask)))

    def district(self, vertex: str) -> frozenset[str]:
        """Return the vertices that bidirected edges connect to ``vertex``, itself included."""
        return self._named(relations.district(self._bits, singleton(self.index(vertex))))

    def districts(self) -> tuple[frozenset[str], ...]:
        """Return all districts, ordered by their first vertex.

        Examples
        --------
        >>> [sorted(district) for district in ADMG.parse("A -> B -> C -> D; B <-> D").districts()]
        [['A'], ['B', 'D'], ['C']]
        """
        return tuple(self._named(mask) for mask in relations.districts(self._bits))

    def topological_order(self) -> tuple[str, ...]:
        """Return the vertices so that each comes after its parents; ties in the order of the names."""
        return tuple(self.names[i] for i in relations.topological_order(self._bits) or [])

    def markov_blanket(self, vertex: str) -> frozenset[str]:
        """Return the smallest set that m-separates ``vertex`` from all others.

        Examples
        --------
        >>> sorted(ADMG.parse("A -> B <-> C <- D -> E").markov_blanket("A"))
        ['B', 'C', 'D']
        """
        return self._named(relations.collider_connected(self._bits, self.index(vertex)))

    def subgraph(self, names: Sequence[str]) -> ADMG:
        """Return the induced subgraph on ``names``, in the order given.

        With all the names it is the same graph with its vertices reordered.
        """
        checked = check_names(names)
        rows = [self.index(name) for name in checked]
        return ADMG(checked, self.directed[np.ix_(rows, rows)], self.bidirected[np.ix_(rows, rows)])

    # ----------------------------------------------------------------------------------------------- classes

    def witness(self, graph_class: GraphClass) -> classes.Witness | None:
        """Return what keeps the graph out of a class, or None if it is in the class.

        Parameters
        ----------
        graph_class : {"ancestral", "arid", "bow-free"}
            The class.

        Returns
        -------
        witness : Bow, AlmostDirectedCycle, CTree or None
            ``str(witness)`` names the vertices in words.

        Examples
        --------
        >>> print(ADMG.parse("A -> B -> C -> D; A <-> C; A <-> D; B <-> D").witness("arid"))
        the c-tree on {A, B, C, D} with root D
        """
        if graph_class not in classes.CLASSES:
            raise ParameterError(
                f"The graph_class must be one of {', '.join(classes.CLASSES)}. Got {graph_class!r} instead."
            )
        offence = classes.CLASSES[graph_class].find(self._bits)
        return None if offence is None else offence.named(self.names)

    def is_bow_free(self) -> bool:
        """Tell whether no pair has both a directed and a bidirected edge."""
        return classes.find_bow(self._bits) is None

    def is_ancestral(self) -> bool:
        """Tell whether no directed path has a bidirected edge between its ends."""
        return classes.find_almost_directed_cycle(self._bits) is None

    def is_arid(self) -> bool:
        """Tell whether there is no c-tree, so that every parameter is identified everywhere."""
        return classes.find_c_tree(self._bits) is None

    def is_maximal(self) -> bool:
        """Tell whether every pair that an inducing path joins is adjacent: each missing edge is an independence."""
        return bool(np.array_equal(self.to_mag().skeleton, self.skeleton))

    def is_mag(self) -> bool:
        """Tell whether the graph is a maximal ancestral graph."""
        return self.is_ancestral() and self.is_maximal()

    # -------------------------------------------------------------------------------------------- separation

    def _separation_graph(self) -> SelectedGraph:
        return SelectedGraph(self._bits)

    def inducing_path(self, one: str, other: str) -> tuple[str, ...] | None:
        """Return a shortest inducing path between two vertices, or None if some set separates them.

        Examples
        --------
        >>> ADMG.parse("A -> B -> C -> D; B <-> D").inducing_path("A", "D")
        ('A', 'B', 'D')
        """
        i, j = self.index(one), self.index(other)
        if i == j:
            raise GraphError(f"An inducing path joins two different variables, but both are {one!r}.")
        path = separation.inducing_path(self._bits, i, j)
        return tuple(self.names[v] for v in path) if path else None

    # ------------------------------------------------------------------------------- fixing and projections

    def reachable_closure(self, vertices: Vertices) -> frozenset[str]:
        """Return ⟨vertices⟩, the smallest set that contains them and whose complement can be fixed.

        See :mod:`lurking.graphs.nested`; :class:`~lurking.graphs.CADMG` fixes vertices one by one.
        """
        return self._named(nested.reachable_closure(self._bits, self._mask(vertices)))

    def intrinsic_sets(self) -> tuple[frozenset[str], ...]:
        """Return all reachable sets that bidirected edges connect, smaller ones first.

        Examples
        --------
        >>> [sorted(s) for s in ADMG.parse("A -> B -> C -> D; B <-> D").intrinsic_sets()]
        [['A'], ['B'], ['C'], ['D'], ['B', 'D']]
        """
        return tuple(self._named(mask) for mask in nested.intrinsic_sets(self._bits))

    def latent_projection(self, hidden: Vertices) -> ADMG:
        """Return the graph on the other vertices that has the same constraints when ``hidden`` is not measured.

        Examples
        --------
        >>> ADMG.parse("U -> A -> B; U -> B").latent_projection("U")
        ADMG.parse('A -> B; A <-> B')
        """
        mask = self._mask(hidden)
        projected = self._with_bits(projection.latent_projection(self._bits, mask))
        return projected.subgraph([name for i, name in enumerate(self.names) if not mask >> i & 1])

    def to_mag(self) -> ADMG:
        """Return the maximal ancestral graph with the same m-separations (Verma constraints are lost)."""
        return self._with_bits(projection.mag_projection(self._bits))

    def arid_projection(self) -> ADMG:
        """Return the maximal arid graph with the same constraints, ordinary and Verma.

        Examples
        --------
        >>> ADMG.parse("A -> B; A <-> B").arid_projection()
        ADMG.parse('A -> B')
        """
        return self._with_bits(projection.arid_projection(self._bits))

    def to_pag(self) -> PAG:
        """Return the PAG: the marks that all maximal ancestral graphs with the same m-separations share.

        Examples
        --------
        >>> print(ADMG.parse("A -> C <- B; C -> D").to_pag())
        A o-> C; B o-> C; C -> D
        """
        return PAG(self.names, orientation.pag_of_mag(projection.mag_projection(self._bits)))

    def to_cpdag(self) -> CPDAG:
        """Return the CPDAG of a DAG; see :class:`~lurking.graphs.CPDAG`.

        Examples
        --------
        >>> ADMG.parse("A -> B -> C").to_cpdag()
        CPDAG.parse('A -- B; B -- C')
        """
        from lurking.graphs.cpdag import CPDAG

        return CPDAG.of_dag(self)

    def markov_equivalent(self, other: ADMG) -> bool:
        """Tell whether two graphs on the same names have the same m-separations.

        Examples
        --------
        >>> ADMG.parse("A -> B").markov_equivalent(ADMG.parse("A <-> B"))
        True
        """
        if set(self.names) != set(other.names):
            odd = sorted(set(self.names) ^ set(other.names))
            raise GraphError(f"Only graphs on the same variables can be equivalent; {', '.join(odd)} is in one only.")
        mags = (projection.mag_projection(graph._bits) for graph in (self, other.subgraph(self.names)))
        return equivalence.markov_equivalent_mags(*mags)

    def identify(
        self,
        treatment: Vertices,
        outcome: Vertices,
        given: Vertices = (),
        *,
        experiments: Sequence[Vertices] = ((),),
    ) -> IdentifiedEffect | Hedge:
        """Return a formula for the effect of setting variables, or the hedge that shows that there is none.

        Parameters
        ----------
        treatment, outcome : str or iterable of str
            What is set and what is looked at; disjoint sets.
        given : str or iterable of str
            What is known besides, for a conditional effect.
        experiments : sequence of (str or iterable of str)
            What was set in each distribution that may be used; ``()`` is observation, which alone is known by default.
            So ``[(), "Z"]`` stands for observation and an experiment that set Z.

        Returns
        -------
        answer : IdentifiedEffect or Hedge
            ``answer.identified`` tells which; see :mod:`lurking.graphs.identification`.

        Examples
        --------
        >>> print(ADMG.parse("X -> Y <- Z; X <-> Z").identify("X", "Y", given="Z"))
        p(Y | do(X), Z) = p(Y | X, Z)
        """
        masks = self._disjoint_masks(treatment, outcome, given)
        if not experiments:
            raise GraphError("No distribution is known; experiments=[()] stands for observation.")
        return identify(self._bits, self.names, *masks, experiments=[self._mask(chosen) for chosen in experiments])

    # ---------------------------------------------------------------------------------- what the graph implies

    def implied_constraints(self) -> tuple[ImpliedConstraint, ...]:
        r"""Return one constraint, ordinary or Verma, for each missing edge of the maximal arid projection.

        See :mod:`lurking.graphs.verma` for what a constraint is and how its value on a covariance is computed.

        Examples
        --------
        >>> print(*ADMG.parse("E -> A -> B -> C -> D; B <-> D").implied_constraints(), sep="\n")
        E ⊥ B | A
        E ⊥ C | B
        E ⊥ D | A
        A ⊥ C | B
        A ⊥ D in p(E,A,B,C,D)/p(C|B)
        """
        return tuple(verma.named_constraints(projection.arid_projection(self._bits), self.names))

    def independences(self) -> tuple[ImpliedConstraint, ...]:
        """Return the ordinary independences among :meth:`implied_constraints`, each with a smallest set."""
        return tuple(constraint for constraint in self.implied_constraints() if not constraint.is_verma)

    def verma_constraints(self) -> tuple[ImpliedConstraint, ...]:
        """Return the Verma constraints among :meth:`implied_constraints`: missing edges that no m-separation explains.

        Examples
        --------
        >>> print(*ADMG.parse("A -> B -> C -> D; B <-> D").verma_constraints())
        A ⊥ D in p(A,B,C,D)/p(C|B)
        """
        return tuple(constraint for constraint in self.implied_constraints() if constraint.is_verma)
