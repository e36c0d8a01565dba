"""What a graph implies: an independence or a Verma constraint for every missing edge.

A missing edge a .. b of a maximal arid graph is one equation that every distribution of the graph satisfies. If no
inducing path joins a and b it is an *ordinary independence*, a ⊥ b | Z. Otherwise no such Z exists, and the equation
is a *Verma constraint*: an independence not in the distribution p itself but in a *kernel* that one gets from p by
dividing conditionals out of it (Verma and Pearl 1990; Robins 1986; Tian and Pearl 2002).

::

    A -> C -> D -> B,  A <-> B,  A <-> D            (figure 1(c) of Bhattacharya et al. 2021)

No two of these four variables are independent given any others. But C can be fixed (:mod:`lurking.graphs.nested`):
dividing by p(C | A) removes the edge A -> C, as if C had been set by an experiment, and then D screens C off from B:

>>> from lurking.graphs import ADMG
>>> for constraint in ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=list("ABCD")).verma_constraints():
...     print(constraint)
B ⊥ C | D in p(A,B,C,D)/p(C|A)

**How it is found.** Variables that are no ancestors of a or b are summed out. Then sets of vertices are fixed, fewest
first, and in each conditional graph that arises the smallest m-separating set of a and b is looked for. Fixing v
divides by q(v | mb(v)), where q is the kernel so far and mb(v) the district of v in the conditional graph with the
parents of that district, v left out. One of a and b may be fixed as well, but only an ancestor of the other: a fixed
vertex is independent of its non-descendants, and of what its own divisor conditions on, by construction, so that
any other statement would hold in every distribution. Each missing edge of a maximal arid graph is a constraint
(Shpitser, Evans and Richardson 2018); that this search finds it, and that adding the edge breaks it, is checked by the
tests on all graphs with 4 vertices and on samples of larger ones.

A graph that is not maximal arid is first projected (:mod:`lurking.graphs.projection`); the projection has the same
nested Markov model. If it has more edges than the graph, the graph's linear Gaussian model satisfies further equations
that no independence in a kernel expresses; they are tested by :mod:`lurking.sem.implied` but have no statement here.

References
----------
J. Tian and J. Pearl (2002). On the testable implications of causal models with hidden variables. UAI.
T. Richardson, R. Evans, J. Robins and I. Shpitser (2023). Nested Markov properties for acyclic directed mixed graphs.
Annals of Statistics 51.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from lurking._errors import GraphError
from lurking._wording import mention
from lurking.graphs.bits import BitGraph, mask_of, members, singleton
from lurking.graphs.constraint import Fixing, ImpliedConstraint
from lurking.graphs.nested import fixable
from lurking.graphs.relations import ancestors, district, parents_of_set
from lurking.graphs.separators import minimum_separator

__all__ = ["Statement", "divisor", "find_statement", "named_constraints"]

SEARCH_LIMIT = 20_000
"""Conditional graphs looked at per pair before the search for the *fewest* fixings gives way to a greedy one."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A constraint on vertex numbers: ``one ⊥ other | given`` after fixing the vertices of ``order``.

    Attributes
    ----------
    one, other : int
        The two vertices.
    given : int
        The conditioning set.
    order : tuple of int
        The fixed vertices in order.
    """

    one: int
    other: int
    given: int
    order: tuple[int, ...]


def find_statement(graph: BitGraph, one: int, other: int, limit: int = SEARCH_LIMIT) -> Statement | None:
    """Find the independence, in as few fixings as possible, that a missing edge stands for.

    Parameters
    ----------
    graph : BitGraph
        An acyclic graph; in a maximal arid one the search always succeeds.
    one, other : int
        Two vertices without an edge between them.
    limit : int
        After this many conditional graphs vertices are fixed greedily, and the number of fixings may exceed the
        smallest possible one.

    Returns
    -------
    statement : Statement or None
        None if the missing edge is no constraint on the nested Markov model.
    """
    pair = singleton(one) | singleton(other)
    margin = ancestors(graph, pair)
    stays = _must_stay_random(graph, one, other)
    layer: dict[int, tuple[int, ...]] = {margin: ()}
    seen = 0
    while layer:
        found = [s for random, order in layer.items() if (s := _separate(graph, margin, random, one, other, order))]
        if found:
            return min(found, key=lambda s: (s.given.bit_count(), bool({one, other} & set(s.order)), s.order))
        seen += len(layer)
        if seen > limit:
            return _find_greedily(graph, margin, one, other)
        following: dict[int, tuple[int, ...]] = {}
        for random, order in layer.items():
            for vertex in members(random & ~stays):
                if _may_fix(graph, vertex, random, pair):
                    following.setdefault(random & ~singleton(vertex), (*order, vertex))
        layer = following
    return None


def _must_stay_random(graph: BitGraph, one: int, other: int) -> int:
    """Return the ends that may not be fixed: all but one that is an ancestor of the other."""
    if ancestors(graph, singleton(other)) >> one & 1:
        return singleton(other)
    if ancestors(graph, singleton(one)) >> other & 1:
        return singleton(one)
    return singleton(one) | singleton(other)


def _may_fix(graph: BitGraph, vertex: int, random: int, pair: int) -> bool:
    """Tell whether a vertex can be fixed without making the two ends independent by construction."""
    if not fixable(graph, vertex, random):
        return False
    return not (pair >> vertex & 1 and divisor(graph, vertex, random) & pair)


def _find_greedily(graph: BitGraph, margin: int, one: int, other: int) -> Statement | None:
    """Fix whatever can be fixed, the two ends last, until a set separates them."""
    pair = singleton(one) | singleton(other)
    stays = _must_stay_random(graph, one, other)
    random = margin
    order: tuple[int, ...] = ()
    while True:
        inner = random & ~pair
        others = (*members(inner), *members(random & ~stays & ~inner))
        candidates = [v for v in others if _may_fix(graph, v, random, pair)]
        if not candidates:
            return None
        random &= ~singleton(candidates[0])
        order = (*order, candidates[0])
        if statement := _separate(graph, margin, random, one, other, order):
            return statement


def _separate(
    graph: BitGraph, margin: int, random: int, one: int, other: int, order: tuple[int, ...]
) -> Statement | None:
    """Look for a separating set in the conditional graph on ``margin`` in which ``random`` is still random.

    A kernel says nothing about the joint distribution of its fixed vertices, so these count as joined to each other.
    """
    fixed = margin & ~random
    parents, siblings = [], []
    for vertex in range(graph.n_vertices):
        itself = singleton(vertex)
        parents.append(graph.parents[vertex] if itself & random else 0)
        siblings.append(
            graph.siblings[vertex] & random if itself & random else fixed & ~itself if itself & fixed else 0
        )
    later, earlier = (one, other) if ancestors(graph, singleton(one)) >> other & 1 else (other, one)
    given = minimum_separator(BitGraph(tuple(parents), tuple(siblings)), later, earlier)
    return None if given is None else Statement(one, other, given, order)


def divisor(graph: BitGraph, vertex: int, random: int) -> int:
    """Return the set that the conditional of a fixable vertex is conditioned on: its district and the parents of it."""
    own = district(graph, singleton(vertex), random)
    return (own | parents_of_set(graph, own)) & ~singleton(vertex)


def named_constraints(graph: BitGraph, names: Sequence[str]) -> Iterator[ImpliedConstraint]:
    """Yield one constraint for each missing edge of a maximal arid graph, in the order of the pairs."""
    for one, other in combinations(range(graph.n_vertices), 2):
        if (graph.parents[one] | graph.children[one] | graph.siblings[one]) >> other & 1:
            continue
        statement = find_statement(graph, one, other)
        if statement is None:
            raise GraphError(
                f"The missing edge between {names[one]} and {names[other]} implies no constraint because the graph is "
                "not maximal arid; take the constraints of " + mention("arid_projection", "its arid_projection()") + "."
            )
        yield _named(graph, names, statement)


def _named(graph: BitGraph, names: Sequence[str], statement: Statement) -> ImpliedConstraint:
    def spell(mask: int) -> tuple[str, ...]:
        return tuple(names[v] for v in members(mask))

    margin = ancestors(graph, singleton(statement.one) | singleton(statement.other))
    fixings = []
    for position, vertex in enumerate(statement.order):
        random = margin & ~mask_of(statement.order[:position])
        given = divisor(graph, vertex, random)
        fixings.append(Fixing(names[vertex], spell(given), _is_conditional_of_joint(graph, vertex, random, given)))
    return ImpliedConstraint(
        names[statement.one], names[statement.other], spell(statement.given), spell(margin), tuple(fixings)
    )


def _is_conditional_of_joint(graph: BitGraph, vertex: int, random: int, given: int) -> bool:
    """Tell whether q(vertex | given) in the kernel where ``random`` is random is simply p(vertex | given).

    It is if the district is also one in the margin of p on the ancestors, and the vertex can be fixed there: a
    district has one factor, whatever road leads to it, and the conditional is made from that factor alone.
    """
    margin = ancestors(graph, singleton(vertex) | given)
    same_district = district(graph, singleton(vertex), margin) == district(graph, singleton(vertex), random)
    return same_district and fixable(graph, vertex, margin)
