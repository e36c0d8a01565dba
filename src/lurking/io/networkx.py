"""networkx: an ADMG as two graphs, or as the DAG with its unmeasured causes drawn in, which dowhy takes.

*Two graphs.* A ``DiGraph`` of the causes and a ``Graph`` of the confounding, on the same vertices. A bidirected edge
is never two directed ones.

*The canonical DAG* of an ADMG (Richardson 2003) replaces each ``A <-> B`` by ``A <- U_A_B -> B`` with a new vertex that
nobody measures; it has the same m-separations among the measured vertices, and its latent projection is the ADMG
again. Each vertex has the attribute ``observed``, ``"yes"`` or ``"no"``, as dowhy has it. dowhy itself treats every
vertex that is not a column of the data as unmeasured::

    dowhy.CausalModel(data=table, treatment="A", outcome="B", graph=to_latent_dag(graph))

``scripts/check-neighbours`` shows that dowhy then finds the adjustment sets and effects that follow from the ADMG.

References
----------
Richardson, T. (2003). Markov properties for acyclic directed mixed graphs. Scandinavian Journal of Statistics 30.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from lurking._errors import GraphError
from lurking.graphs import ADMG
from lurking.io.optional import require

__all__ = ["from_latent_dag", "from_networkx", "to_latent_dag", "to_networkx"]


def to_networkx(graph: ADMG) -> tuple[Any, Any]:
    """Return the causes and the confounding of an ADMG as two networkx graphs.

    Returns
    -------
    causes : networkx.DiGraph
        An edge from each cause to its effect.
    confounding : networkx.Graph
        An edge between each two vertices with an unmeasured common cause.
    """
    networkx = require("networkx", "networkx")
    causes, confounding = networkx.DiGraph(), networkx.Graph()
    causes.add_nodes_from(graph.names)
    causes.add_edges_from(graph.directed_edges())
    confounding.add_nodes_from(graph.names)
    confounding.add_edges_from(graph.bidirected_edges())
    return causes, confounding


def from_networkx(causes: Any, confounding: Any = None) -> ADMG:
    """Return the ADMG of two networkx graphs.

    Parameters
    ----------
    causes : networkx.DiGraph
        An edge from each cause to its effect.
    confounding : networkx.Graph, optional
        An edge between each two vertices with an unmeasured common cause; by default there are none.

    Raises
    ------
    GraphError
        If ``causes`` is not directed or has a cycle, ``confounding`` is directed, or a vertex is not a string.
    """
    if not causes.is_directed():
        raise GraphError(
            "The causes must be a networkx.DiGraph; in an undirected graph nobody knows which is the cause."
        )
    if confounding is not None and confounding.is_directed():
        raise GraphError("The confounding must be a networkx.Graph, each pair once; convert it by to_undirected().")
    vertices = [*causes.nodes, *(() if confounding is None else confounding.nodes)]
    names = list(dict.fromkeys(_name(vertex) for vertex in vertices))
    return ADMG.from_edges(causes.edges(), () if confounding is None else confounding.edges(), names)


def to_latent_dag(graph: ADMG) -> Any:
    """Return the canonical DAG, with a vertex ``U_A_B`` for each ``A <-> B``.

    A name that is taken already gets a number: ``U_A_B_1``.

    Returns
    -------
    dag : networkx.DiGraph
        Its vertices have the attribute ``observed``, ``"yes"`` or ``"no"``.
    """
    dag, confounding = to_networkx(graph)
    for name in graph.names:
        dag.nodes[name]["observed"] = "yes"
    for one, other in confounding.edges():
        latent, number = f"U_{one}_{other}", 0
        while latent in dag:
            number += 1
            latent = f"U_{one}_{other}_{number}"
        dag.add_node(latent, observed="no")
        dag.add_edges_from([(latent, one), (latent, other)])
    return dag


def from_latent_dag(dag: Any, latent: Iterable[str] | None = None) -> ADMG:
    """Return the ADMG of a DAG among whose vertices some are not measured, by latent projection.

    Parameters
    ----------
    dag : networkx.DiGraph
        Any DAG, not only a canonical one.
    latent : iterable of str, optional
        The vertices that are not measured; by default those with ``observed="no"``.
    """
    if latent is None:
        attributes: Iterable[tuple[Hashable, Mapping[str, object]]] = dag.nodes(data=True)
        latent = [_name(vertex) for vertex, given in attributes if given.get("observed") == "no"]
    return from_networkx(dag).latent_projection(list(latent))


def _name(vertex: object) -> str:
    if not isinstance(vertex, str):
        raise GraphError(
            f"The vertices must be strings, but one is {vertex!r}; rename by networkx.relabel_nodes(g, str)."
        )
    return vertex
