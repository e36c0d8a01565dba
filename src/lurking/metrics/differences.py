"""The differences between two graphs, pair by pair, in words.

Each pair of variables has one *connection*: nothing, one edge, or (in an ADMG) a bow of two. A pair on which the two
graphs have different connections is one :class:`EdgeDifference`, and the number of them is the structural Hamming
distance. So a reversed edge counts once, a cause taken for confounding counts once, a missing bow counts once.

>>> truth, estimate = ADMG.parse("A -> B <-> C; D"), ADMG.parse("B -> A; B -> C; C -> D")
>>> for difference in edge_differences(truth, estimate):
...     print(difference)
A -> B became B -> A (reversed)
B <-> C became B -> C (other kind)
no edge became C -> D (extra)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from lurking.graphs import ADMG, CPDAG, PAG
from lurking.graphs.text import quote

__all__ = ["DifferenceKind", "EdgeDifference", "edge_differences"]

DifferenceKind = Literal["missing", "extra", "reversed", "other kind"]
Graph = TypeVar("Graph", ADMG, CPDAG, PAG)

NO_EDGE = "no edge"
_SYMMETRIC = ("<->", "o-o", "--")

Edge = tuple[str, str, str]
Connections = dict[frozenset[str], frozenset[Edge]]


@dataclass(frozen=True, slots=True)
class EdgeDifference:
    """One pair of variables on which the truth and the estimate disagree.

    Parameters
    ----------
    pair : (str, str)
        The two variables, in the order of the truth's names.
    truth, estimate : str
        What each graph has there: ``"no edge"``, an edge such as ``"A -> B"`` or ``"A o-> B"``, or, for a bow,
        ``"A -> B, A <-> B"``.
    kind : {"missing", "extra", "reversed", "other kind"}
        ``missing``: only the truth has an edge; ``extra``: only the estimate; ``reversed``: the same edge the other
        way round; ``other kind``: both have an edge, with different marks.
    """

    pair: tuple[str, str]
    truth: str
    estimate: str
    kind: DifferenceKind

    def __str__(self) -> str:
        return f"{self.truth} became {self.estimate} ({self.kind})"


def edge_differences(truth: Graph, estimate: Graph) -> tuple[EdgeDifference, ...]:
    """Return the pairs whose connection differs, in the order of the truth's names.

    Parameters
    ----------
    truth, estimate : ADMG, CPDAG or PAG
        Two graphs of the same type on the same names, in any order.

    Returns
    -------
    differences : tuple of EdgeDifference
    """
    true_connections, estimated_connections = _connections(truth), _connections(estimate)
    place = {name: k for k, name in enumerate(truth.names)}
    differing = []
    for pair in true_connections.keys() | estimated_connections.keys():
        if not pair <= place.keys():
            continue
        in_truth, in_estimate = true_connections.get(pair, frozenset()), estimated_connections.get(pair, frozenset())
        if in_truth != in_estimate:
            one, other = sorted(place[name] for name in pair)
            differing.append((one, other, in_truth, in_estimate))
    differing.sort(key=lambda entry: entry[:2])
    return tuple(
        EdgeDifference(
            (truth.names[one], truth.names[other]), _in_words(before), _in_words(after), _kind(before, after)
        )
        for one, other, before, after in differing
    )


def _connections(graph: ADMG | CPDAG | PAG) -> Connections:
    """Return the edges (name, arrow, name) of each adjacent pair, written the same way whatever the order of names."""
    if isinstance(graph, ADMG):
        edges = [(a, "->", b) for a, b in graph.directed_edges()]
        edges += [(a, "<->", b) for a, b in graph.bidirected_edges()]
    else:
        edges = graph.edges()
    collected: dict[frozenset[str], set[Edge]] = {}
    for one, arrow, other in edges:
        collected.setdefault(frozenset((one, other)), set()).add(_canonical(one, arrow, other))
    return {pair: frozenset(edges_of_pair) for pair, edges_of_pair in collected.items()}


def _canonical(one: str, arrow: str, other: str) -> Edge:
    """Write an edge whose two ends look alike with its names in alphabetical order, and any other as it is."""
    if arrow in _SYMMETRIC and other < one:
        return other, arrow, one
    return one, arrow, other


def _kind(truth: frozenset[Edge], estimate: frozenset[Edge]) -> DifferenceKind:
    if not estimate:
        return "missing"
    if not truth:
        return "extra"
    turned = {_canonical(other, arrow, one) for one, arrow, other in truth}
    return "reversed" if turned == estimate else "other kind"


def _in_words(connection: frozenset[Edge]) -> str:
    ordered = sorted(connection, key=lambda edge: (edge[1] == "<->", edge))
    return ", ".join(f"{quote(one)} {arrow} {quote(other)}" for one, arrow, other in ordered) or NO_EDGE
