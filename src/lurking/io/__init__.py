"""Graphs in and out: text formats, files, and the objects of other libraries.

``read_graph(path)`` and ``write_graph(graph, path)`` go by the suffix; ``loads`` and ``dumps`` work on text. Each
format is one file here with ``loads`` and ``dumps``, and one line in :data:`FORMATS`.

=========  ==========================  =================  ======================================================
format     suffix                      holds              made for
=========  ==========================  =================  ======================================================
json       .json                       ADMG, CPDAG, PAG   keeping; a versioned schema
text       .txt, .graph                ADMG, CPDAG, PAG   people: ``A -> B; B <-> C``
dot        .dot, .gv                   ADMG, CPDAG, PAG   Graphviz, causal-learn
dagitty    .dagitty                    ADMG, CPDAG, PAG   dagitty.net, R
gml        .gml                        ADMG, CPDAG, PAG   networkx, igraph, yEd, dowhy
tetrad     .tetrad, .txt               ADMG, CPDAG, PAG   Tetrad, causal-cmd, causal-learn
lavaan     .lavaan, .lav               ADMG               R, structural equation models
pcalg      .amat                       CPDAG, PAG         R, the matrices ``amat.cpdag`` and ``amat.pag``
=========  ==========================  =================  ======================================================

The ``to_`` and ``from_`` functions hand a graph over in memory; they import the other library when they are called.

>>> print(dumps(loads("A -> B; B <-> C", "text"), "lavaan").splitlines()[-1])
B ~~ C
"""

from lurking.io.causal_learn import from_causal_learn, to_causal_learn
from lurking.io.edge_lists import from_edge_lists, to_edge_lists
from lurking.io.files import read_graph, write_graph
from lurking.io.networkx import from_latent_dag, from_networkx, to_latent_dag, to_networkx
from lurking.io.pcalg import from_amat_cpdag, from_amat_pag, to_amat_cpdag, to_amat_pag
from lurking.io.registry import FORMATS, Format, dumps, format_of, loads

__all__ = [
    "FORMATS",
    "Format",
    "dumps",
    "format_of",
    "from_amat_cpdag",
    "from_amat_pag",
    "from_causal_learn",
    "from_edge_lists",
    "from_latent_dag",
    "from_networkx",
    "loads",
    "read_graph",
    "to_amat_cpdag",
    "to_amat_pag",
    "to_causal_learn",
    "to_edge_lists",
    "to_latent_dag",
    "to_networkx",
    "write_graph",
]
