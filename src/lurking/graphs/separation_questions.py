"""Questions about separation that every kind of graph answers in the same way.

An :class:`~lurking.graphs.ADMG`, a :class:`~lurking.graphs.CPDAG` and a :class:`~lurking.graphs.PAG` have the
m-separations of one mixed graph: their own, those of any of the DAGs, those of any of the MAGs. An undirected edge of a
MAG is a -> s <- b with a vertex s on which everything is conditioned (Richardson and Spirtes 2002), so that the same
search answers for MAGs with selection.

**A basis.** :meth:`SeparatedVertices.independence_basis` lists one independence for each pair that some set separates,
given everything anterior to the two. In distributions in which independences compose, as in all positive definite
Gaussian ones, all other m-separations follow from these (Sadeghi and Lauritzen 2014).

References
----------
K. Sadeghi and S. Lauritzen (2014). Markov properties for mixed graphs. Bernoulli 20.
T. Richardson and P. Spirtes (2002). Ancestral graph Markov models. Annals of Statistics 30.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import combinations, islice

from lurking._errors import GraphError
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.constraint import ImpliedConstraint
from lurking.graphs.marks import MarkMatrix, MarkSets
from lurking.graphs.relations import ancestors
from lurking.graphs.separation import joined_by_inducing_path, m_separated
from lurking.graphs.separators import minimal_separators, minimum_separating_set
from lurking.graphs.vertices import NamedVertices, Vertices

__all__ = ["SelectedGraph", "SeparatedVertices", "graph_of_mag"]


@dataclass(frozen=True, slots=True)
class SelectedGraph:
    """A graph whose m-separations, given ``selected`` as well, are those in question.

    Attributes
    ----------
    bits : BitGraph
        Directed and bidirected edges; the vertices of the named graph come first.
    selected : int
        The vertices behind them on which everything is conditioned.
    """

    bits: BitGraph
    selected: int = 0


def graph_of_mag(marks: MarkMatrix) -> SelectedGraph:
    """Return the graph of a MAG, with a selected vertex for each undirected edge.

    >>> import numpy as np
    >>> graph_of_mag(np.array([[0, 3], [3, 0]], dtype=np.int8))
    SelectedGraph(bits=BitGraph(parents=(0, 0, 3), siblings=(0, 0, 0)), selected=4)
    """
    sets = MarkSets(marks)
    parents = [sets.parents(v) for v in range(sets.n_vertices)]
    siblings = [sets.siblings(v) for v in range(sets.n_vertices)]
    pairs = [singleton(v) | singleton(w) for v in range(sets.n_vertices) for w in members(sets.undirected(v)) if v < w]
    selected = ((1 << len(pairs)) - 1) << sets.n_vertices
    return SelectedGraph(BitGraph(tuple(parents + pairs), tuple(siblings + [0] * len(pairs))), selected)


class SeparatedVertices(NamedVertices, ABC):
    """Named vertices that sets of others can separate: what ADMG, CPDAG and PAG have in common."""

    __slots__ = ()

    @abstractmethod
    def _separation_graph(self) -> SelectedGraph:
        """Return a graph with the same m-separations."""

    def m_separated(self, one: Vertices, other: Vertices, given: Vertices = ()) -> bool:
        """Tell whether ``given`` m-separates ``one`` from ``other``.

        In a CPDAG or PAG: in every graph of its class, which is the same as in one of them.

        Parameters
        ----------
        one, other, given : str or iterable of str
            Disjoint sets of vertices; only ``given`` may be empty.

        Raises
        ------
        GraphClassError
            If a CPDAG or PAG is not that of any graph.

        Examples
        --------
        >>> from lurking.graphs import ADMG
        >>> g = ADMG.parse("A -> B <-> C <- D")
        >>> g.m_separated("A", "D"), g.m_separated("A", "D", given=["B", "C"])
        (True, False)
        """
        first, second, condition = self._disjoint_masks(one, other, given)
        graph = self._separation_graph()
        return m_separated(graph.bits, first, second, condition | graph.selected)

    def minimum_separator(
        self, one: Vertices, other: Vertices, *, include: Vertices = (), exclude: Vertices = ()
    ) -> frozenset[str] | None:
        """Return a smallest set that m-separates two vertices or sets, or None if none does.

        Parameters
        ----------
        one, other : str or iterable of str
            What is to be separated.
        include, exclude : str or iterable of str
            What the set must hold, and what it may not.

        Examples
        --------
        >>> from lurking.graphs import ADMG
        >>> g = ADMG.parse("A -> B -> D; A -> C -> D; E -> B")
        >>> sorted(g.minimum_separator("A", "D")), sorted(g.minimum_separator("A", "D", include="E"))
        (['B', 'C'], ['B', 'C', 'E'])
        >>> g.minimum_separator("A", "D", exclude="B") is None
        True
        """
        first, second, must, allowed = self._separation_masks(one, other, include, exclude)
        graph = self._separation_graph()
        found = minimum_separating_set(graph.bits, first, second, must | graph.selected, allowed)
        return None if found is None else self._named(found & ~graph.selected)

    def separators(
        self, one: Vertices, other: Vertices, *, include: Vertices = (), exclude: Vertices = (), limit: int = 1000
    ) -> tuple[frozenset[str], ...]:
        """Return all minimal sets that m-separate two vertices or sets, small ones first.

        A set is minimal if none of its members, apart from ``include``, can be left out, alone or with others.

        Parameters
        ----------
        one, other : str or iterable of str
            What is to be separated.
        include, exclude : str or iterable of str
            What each set must hold, and what none may.
        limit : int, default 1000
            More sets raise an error; there can be exponentially many.

        Raises
        ------
        GraphError
            If there are more than ``limit``.

        Examples
        --------
        >>> from lurking.graphs import ADMG
        >>> [sorted(found) for found in ADMG.parse("A -> B -> C -> D").separators("A", "D")]
        [['B'], ['C']]
        """
        first, second, must, allowed = self._separation_masks(one, other, include, exclude)
        graph = self._separation_graph()
        found = minimal_separators(graph.bits, first, second, must | graph.selected, allowed)
        return self._limited([mask & ~graph.selected for mask in islice(found, limit + 1)], limit)

    def independences(self) -> tuple[ImpliedConstraint, ...]:
        """Return one independence for each separable pair, given a smallest set.

        Examples
        --------
        >>> from lurking.graphs import PAG
        >>> print(*PAG.parse("A o-> C <-o B; C -> D").independences(), sep="; ")
        A ⊥ B; A ⊥ D | C; B ⊥ D | C
        """
        graph = self._separation_graph()
        found = []
        for one, other in combinations(range(len(self)), 2):
            cut = minimum_separating_set(graph.bits, singleton(one), singleton(other), graph.selected)
            if cut is not None:
                given = cut & ~graph.selected
                found.append(self._independence(one, other, given, given | singleton(one) | singleton(other)))
        return tuple(found)

    def independence_basis(self) -> tuple[ImpliedConstraint, ...]:
        """Return one independence for each separable pair, from which all others follow where independences compose.

        Each is given everything anterior to the two. ``separators`` gives smaller conditioning sets.

        Examples
        --------
        >>> from lurking.graphs import CPDAG
        >>> print(*CPDAG.parse("A -- B -- C").independence_basis())
        A ⊥ C | B
        """
        graph = self._separation_graph()
        found = []
        for one, other in combinations(range(len(self)), 2):
            if not _joined(graph, one, other):
                pair = singleton(one) | singleton(other)
                given = ancestors(graph.bits, pair | graph.selected) & ~pair & ~graph.selected
                found.append(self._independence(one, other, given, given | pair))
        return tuple(found)

    def _independence(self, one: int, other: int, given: int, variables: int) -> ImpliedConstraint:
        def spell(mask: int) -> tuple[str, ...]:
            return tuple(self.names[v] for v in members(mask))

        return ImpliedConstraint(self.names[one], self.names[other], spell(given), spell(variables))

    def _limited(self, masks: list[int], limit: int) -> tuple[frozenset[str], ...]:
        if len(masks) > limit:
            raise GraphError(f"There are more than {limit} minimal sets; raise the limit, or exclude variables.")
        return tuple(self._named(mask) for mask in sorted(masks, key=lambda mask: (mask.bit_count(), mask)))

    def _separation_masks(
        self, one: Vertices, other: Vertices, include: Vertices, exclude: Vertices
    ) -> tuple[int, int, int, int]:
        first, second, must = self._disjoint_masks(one, other, include)
        forbidden = self._mask(exclude)
        if must & forbidden:
            listed = ", ".join(sorted(self._named(must & forbidden)))
            raise GraphError(f"A set cannot both include and exclude {listed}; name it once.")
        return first, second, must, ~forbidden


def _joined(graph: SelectedGraph, one: int, other: int) -> bool:
    """Tell whether no set separates two vertices, the selected ones being given anyway."""
    if not graph.selected:
        return joined_by_inducing_path(graph.bits, one, other)
    return minimum_separating_set(graph.bits, singleton(one), singleton(other), graph.selected) is None
