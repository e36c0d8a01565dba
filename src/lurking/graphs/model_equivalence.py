r"""Which bow-free graphs have the same linear Gaussian model, Verma constraints included.

No graphical criterion is known for this equivalence (Bhattacharya et al. 2021, section 5.3), so it is decided by
arithmetic at random points. Shpitser et al. (2014) fitted every graph to data and grouped those with equal scores into
*empirical equivalence classes*. The same question has an answer without fitting:

1. Draw random parameters of G and compute its covariance Σ.
2. Find out whether Σ belongs to the model of H: in a bow-free graph this takes one small linear system for each vertex
   (:mod:`lurking.graphs.generic_point`).

The models of bow-free graphs have dimension d + number of edges (parameters are identified almost everywhere) and are
irreducible. So if G and H have equally many edges and a generic Σ of G belongs to H, the two models are equal up to
sets of measure zero: G and H cannot be told apart by any amount of Gaussian data.

**How sure is the answer?** It is numerical, not a theorem about graphs, but there is no rounding and no tolerance: the
arithmetic is modulo the prime :math:`2^{61} - 1`. *Not equivalent* is a proof. *Equivalent* rests on random numbers:
different models would have to agree at two random points. At one point this has a probability of at most (degree of
the equations) / 2⁶¹; for ten variables and a crude bound on the degree, 10⁻⁸, and so 10⁻¹⁵ for two.

::

    A -> C -> D -> B,  A <-> B,  A <-> D         alone in its class: every mark can be learnt
    A -> B -> C -> D,  B <-> D                   equivalent to A <-> B -> C -> D, B <-> D and to nothing else

>>> from lurking.graphs import ADMG
>>> chain = ADMG.parse("A -> B -> C -> D; B <-> D")
>>> found = equivalence_class(chain)
>>> print(*found, sep="\n")
A -> B; B -> C; C -> D; B <-> D
A; B; C; D; B -> C; C -> D; A <-> B; B <-> D
>>> print(found.shared_marks(), "while the PAG says", chain.to_pag())
A o-> B; B -> C; B <-> D; C -> D while the PAG says A o-o B; A o-> D; B o-o C; B o-> D; C o-> D

The class of a graph is found by building all graphs on its skeleton vertex by vertex, parents first, and cutting off a
partial graph as soon as an error correlation is not zero where it should be. Equivalent bow-free graphs have the same
skeleton and the same unshielded colliders (Nowzohour et al. 2017), which cuts off most of them before any arithmetic.
If all variables are joined there is no constraint at all, and every orientation is a member: 543 on 4 vertices, 29,281
on 5. So there is a limit.

References
----------
I. Shpitser, R. Evans, T. Richardson and J. Robins (2014). Introduction to nested Markov models. Behaviormetrika 41.
C. Nowzohour, M. Maathuis, R. Evans and P. Bühlmann (2017). Distributional equivalence and structure learning for
bow-free acyclic path diagrams. Electronic Journal of Statistics 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking._typing import GraphClass
from lurking._wording import mention
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.classes import CLASSES
from lurking.graphs.generic_point import Placement, belongs, random_covariance
from lurking.graphs.pag import PAG, Mark

__all__ = ["EquivalenceClass", "equivalence_class", "model_equivalent"]

_SEEDS = (20211, 20142)  # the points are random but always the same, so that the same question has the same answer


def model_equivalent(one: ADMG, other: ADMG) -> bool:
    """Tell whether two bow-free graphs have the same linear Gaussian model, up to sets of measure zero.

    The decision is made at random points in exact modular arithmetic: False is a proof, True is wrong with a
    probability of about 10⁻¹⁵ for ten variables. See :mod:`lurking.graphs.model_equivalence`.

    Parameters
    ----------
    one, other : ADMG
        Bow-free graphs on the same variables, in any order.

    Raises
    ------
    GraphClassError
        If a graph has a bow.

    See Also
    --------
    ADMG.markov_equivalent : Equality of the ordinary independences alone.

    Examples
    --------
    >>> chain, confounded = ADMG.parse("A -> B -> C -> D; B <-> D"), ADMG.parse("A <-> B -> C -> D; B <-> D")
    >>> model_equivalent(chain, confounded)
    True

    Figure 1(c) of the paper has no ordinary independence, and so cannot be told from a complete graph by them; its
    Verma constraint makes the difference:

    >>> figure_1c = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D")
    >>> figure_1c.markov_equivalent(figure_1c.to_mag()), model_equivalent(figure_1c, figure_1c.to_mag())
    (True, False)
    """
    if set(one.names) != set(other.names):
        odd = sorted(set(one.names) ^ set(other.names))
        raise GraphError(f"Only graphs on the same variables can be equivalent; {', '.join(odd)} is in one only.")
    first, second = _bow_free_bits(one), _bow_free_bits(other.subgraph(one.names))
    if one.n_edges != other.n_edges:
        return False
    return all(belongs(random_covariance(first, Random(seed)), second) for seed in _SEEDS)


def _bow_free_bits(graph: ADMG) -> BitGraph:
    bow = graph.witness("bow-free")
    if bow is not None:
        raise GraphClassError(
            f"Equivalence of linear models is decided for bow-free graphs only, but one has {bow}; "
            "take " + mention("arid_projection", "its arid_projection()") + "."
        )
    return BitGraph.from_matrices(graph.directed, graph.bidirected)


@dataclass(frozen=True)
class EquivalenceClass:
    """All graphs with the same linear Gaussian model.

    Attributes
    ----------
    members : tuple of ADMG
        The graphs, the one that was asked about first.
    """

    members: tuple[ADMG, ...]

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[ADMG]:
        return iter(self.members)

    def __contains__(self, graph: object) -> bool:
        return graph in self.members

    def shared_marks(self) -> PAG:
        """Return the marks on which all members agree; circles mark the ends on which they do not.

        A tail at A on ``A -> B`` says that every member has that edge. With Verma constraints this says more than
        the PAG, which knows the ordinary independences alone.

        Examples
        --------
        >>> print(equivalence_class(ADMG.parse("A -> C <- B")).shared_marks())
        A o-> C; B o-> C
        """
        names = self.members[0].names
        stack = np.array([_marks(graph.subgraph(names)) for graph in self.members])
        agreed = (stack == stack[0]).all(axis=0)
        return PAG(names, np.where(agreed, stack[0], np.where(stack[0] != Mark.NONE, Mark.CIRCLE, Mark.NONE)))


def _marks(graph: ADMG) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """Return ``marks[i, j]``, the mark at j, of a bow-free graph."""
    marks = np.where(graph.directed | graph.bidirected, int(Mark.ARROW), int(Mark.NONE))
    return np.where(graph.directed.T, int(Mark.TAIL), marks).astype(np.int8)


def equivalence_class(graph: ADMG, *, graph_class: GraphClass = "bow-free", limit: int = 100_000) -> EquivalenceClass:
    """Return all bow-free graphs that have the same linear Gaussian model as a given one.

    Parameters
    ----------
    graph : ADMG
        A bow-free graph.
    graph_class : {"bow-free", "arid", "ancestral"}, default "bow-free"
        Keep only members of this class.
    limit : int, default 100,000
        The largest number of partial graphs to build, about a minute's work.

    Returns
    -------
    found : EquivalenceClass
        ``graph`` comes first, if it is in ``graph_class``; the others in a fixed order.

    Raises
    ------
    GraphError
        If the limit is reached.
    GraphClassError
        If the graph has a bow.

    Examples
    --------
    >>> len(equivalence_class(ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D")))
    1
    """
    if graph_class not in CLASSES:
        raise ParameterError(f"The graph_class must be one of {', '.join(CLASSES)}. Got {graph_class!r} instead.")
    bits = _bow_free_bits(graph)
    first, second = (random_covariance(bits, Random(seed)) for seed in _SEEDS)
    found = [graph]
    for parents in _orientations(bits, first, limit):
        other = BitGraph(parents, _remaining_siblings(bits, parents))
        if other != bits and belongs(second, other):
            found.append(ADMG(graph.names, *other.to_matrices()))
    return EquivalenceClass(tuple(g for g in found if g.witness(graph_class) is None))


def _neighbours(graph: BitGraph) -> list[int]:
    return [graph.parents[v] | graph.children[v] | graph.siblings[v] for v in range(graph.n_vertices)]


def _remaining_siblings(graph: BitGraph, parents: Sequence[int]) -> tuple[int, ...]:
    """Return the siblings if every edge of the skeleton that is not directed is bidirected."""
    oriented = BitGraph(tuple(parents), (0,) * graph.n_vertices)
    return tuple(near & ~(oriented.parents[v] | oriented.children[v]) for v, near in enumerate(_neighbours(graph)))


def _orientations(graph: BitGraph, covariance: list[list[int]], limit: int) -> Iterator[tuple[int, ...]]:
    """Yield the parents of every graph on the same skeleton that the covariance belongs to, each graph once.

    A graph is built in the one topological order that always takes the smallest vertex whose parents are there. So a
    vertex may come after larger ones only if one of its parents comes after them all (it waits for a *late* parent).
    """
    near = _neighbours(graph)
    everything = graph.everything
    forbidden, needs_child = _triples(graph)
    placement = Placement(covariance)
    parents = [0] * graph.n_vertices
    order: list[int] = []
    work = 0

    def can_still_be_placed(vertex: int, placed: int) -> bool:
        if any(placed & pair == pair for pair in needs_child[vertex]):
            return False  # both edges of a triple in which it is no collider would point at it
        late = _after_the_last_larger(order, vertex)
        return late is None or bool(near[vertex] & ~forbidden[vertex] & (late | ~placed))

    def choices(vertex: int, placed: int) -> Iterator[int]:
        allowed = near[vertex] & placed & ~forbidden[vertex]
        required = 0
        for middle in members(near[vertex] & placed):
            for pair in needs_child[middle]:
                first = pair & ~singleton(vertex)
                if first != pair and first & placed and not parents[first.bit_length() - 1] >> middle & 1:
                    required |= singleton(middle)
        late = _after_the_last_larger(order, vertex)
        if not required & ~allowed:
            for subset in _subsets(allowed & ~required):
                if late is None or (subset | required) & late:
                    yield subset | required

    def extend(placed: int) -> Iterator[tuple[int, ...]]:
        nonlocal work
        if placed == everything:
            yield tuple(parents)
            return
        waiting = list(members(everything & ~placed))
        if not all(can_still_be_placed(vertex, placed) for vertex in waiting):
            return
        for vertex in waiting:
            for chosen in choices(vertex, placed):
                work += 1
                if work > limit:
                    raise GraphError(
                        f"The equivalence class takes more than {limit} partial graphs to find; raise the limit, or "
                        "use to_pag() for the marks that the ordinary independences decide."
                    )
                if placement.place(vertex, chosen, placed & ~near[vertex]):
                    parents[vertex] = chosen
                    order.append(vertex)
                    yield from extend(placed | singleton(vertex))
                    order.pop()

    yield from extend(0)


def _triples(graph: BitGraph) -> tuple[list[int], list[list[int]]]:
    """Return what the unshielded triples a - b - c (a and c not adjacent) of a graph say about all equivalent ones.

    Returns
    -------
    forbidden : list of int
        ``forbidden[a]`` holds b if b is the middle of an unshielded collider with a: b -> a is impossible.
    needs_child : list of list of int
        ``needs_child[b]`` lists the pairs {a, c} for which b is no collider: b -> a or b -> c in every graph.
    """
    near = _neighbours(graph)
    forbidden = [0] * graph.n_vertices
    needs_child: list[list[int]] = [[] for _ in near]
    for middle, around in enumerate(near):
        for one in members(around):
            for other in members(around & ~near[one] & ~(2 * singleton(one) - 1)):
                if (graph.parents[one] | graph.parents[other]) >> middle & 1:
                    needs_child[middle].append(singleton(one) | singleton(other))
                else:
                    forbidden[one] |= singleton(middle)
                    forbidden[other] |= singleton(middle)
    return forbidden, needs_child


def _after_the_last_larger(order: Sequence[int], vertex: int) -> int | None:
    """Return the placed vertices from the last one larger than ``vertex`` on, or None if there is no such one."""
    found = 0
    for earlier in reversed(order):
        found |= singleton(earlier)
        if earlier > vertex:
            return found
    return None


def _subsets(mask: int) -> Iterator[int]:
    """Yield all subsets of a set, the empty one first."""
    subset = 0
    while True:
        yield subset
        if subset == mask:
            return
        subset = (subset - mask) & mask
