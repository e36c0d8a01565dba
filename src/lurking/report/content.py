"""What a report can say, as plain values: whoever has a result fills this in, the page and the terminal show it.

Only the two graphs and the table of edges are needed; a part that is empty is left out of the report. Nothing here
computes anything, so a report can be made from a search, from a graph given by hand, or from a file.

>>> from lurking.graphs import ADMG
>>> graph = ADMG.parse("smoking -> tar; tar <-> cancer")
>>> content = ReportContent(
...     title="Smoking",
...     admg=graph,
...     pag=graph.to_pag(),
...     edges=(
...         EdgeEstimate("smoking", "tar", "directed", estimate=0.8, standard_error=0.05, removal_cost=120.0),
...         EdgeEstimate("tar", "cancer", "bidirected", estimate=0.3, standard_error=0.04, removal_cost=60.0),
...     ),
... )
>>> [edge.arrow for edge in content.edges]
['->', '<->']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lurking._errors import ParameterError, UnknownVertexError
from lurking.graphs import ADMG, PAG

__all__ = [
    "Citation",
    "ConstraintTest",
    "EdgeEstimate",
    "Finding",
    "FitMeasure",
    "KnowledgeStatement",
    "NearOptimalGraph",
    "PairShares",
    "ReportContent",
    "Series",
    "Trace",
]


@dataclass(frozen=True, slots=True)
class EdgeEstimate:
    """One edge of the ADMG, with numbers.

    Attributes
    ----------
    one, other : str
        Cause and effect of a directed edge; the two ends of a bidirected one in any order.
    kind : {"directed", "bidirected"}
        Which edge of the pair.
    estimate : float, optional
        The coefficient of a directed edge, the covariance of the two errors of a bidirected one.
    standard_error : float, optional
        Of the estimate.
    standardized : float, optional
        The estimate in units of standard deviations.
    removal_cost : float, optional
        How much worse (larger) the BIC becomes without the edge.
    adjacent : float, optional
        The posterior probability that the pair is adjacent, by this edge or another (:mod:`lurking.search.posterior`).
    share : float, optional
        In which share of the bootstrap replicates this very edge was found, 0 to 1.
    """

    one: str
    other: str
    kind: Literal["directed", "bidirected"]
    estimate: float | None = None
    standard_error: float | None = None
    standardized: float | None = None
    removal_cost: float | None = None
    adjacent: float | None = None
    share: float | None = None

    @property
    def arrow(self) -> str:
        """``->`` or ``<->``."""
        return "->" if self.kind == "directed" else "<->"


@dataclass(frozen=True, slots=True)
class FitMeasure:
    """A measure of fit: its name, its value (a number, or text if it has more than one), and how to read it."""

    name: str
    value: float | str
    reading: str = ""


@dataclass(frozen=True, slots=True)
class ConstraintTest:
    """One thing that the graph implies, tested on the data.

    Attributes
    ----------
    text : str
        The statement, as ``str`` of a :class:`~lurking.graphs.constraint.Constraint` writes it.
    kind : {"independence", "verma"}
        An ordinary independence, or one that holds only after fixing.
    statistic, p_value, adjusted_p_value : float, optional
        The test statistic, its p-value, and the p-value adjusted for the number of tests.
    """

    text: str
    kind: Literal["independence", "verma"] = "independence"
    statistic: float | None = None
    p_value: float | None = None
    adjusted_p_value: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot; values that are not finite leave a gap."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """How a quantity changed during the search.

    Attributes
    ----------
    title, x_label, y_label : str
        What is shown.
    series : tuple of Series
        One line each.
    log_scale : bool
        Whether y is shown on a logarithmic scale; values that are not positive are then left out.
    reading : str
        How to read it, in a sentence.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    log_scale: bool = False
    reading: str = ""


@dataclass(frozen=True, slots=True)
class NearOptimalGraph:
    """Another good graph: its BIC minus the best one, and the number of pairs in which it differs from the answer."""

    admg: ADMG
    bic_difference: float
    distance: int


@dataclass(frozen=True, slots=True)
class PairShares:
    """How often each kind of edge was found between two variables in the bootstrap.

    Attributes
    ----------
    one, other : str
        The two variables.
    admg : mapping of str to float
        Shares of ``"->"``, ``"<-"``, ``"<->"`` and ``""`` (no edge), seen from ``one``; they may sum to more than 1
        where a pair can have two edges.
    pag : mapping of str to float
        Shares of PAG edges, written as in :meth:`PAG.edges <lurking.graphs.PAG.edges>` seen from ``one``.
    """

    one: str
    other: str
    admg: Mapping[str, float] = field(default_factory=dict)
    pag: Mapping[str, float] = field(default_factory=dict)

    @property
    def joined(self) -> float:
        """The share of the graphs that have an edge between the two."""
        return 1.0 - self.admg.get("", 0.0)


@dataclass(frozen=True, slots=True)
class KnowledgeStatement:
    """Something that the user said beforehand, and whether the graph obeys it."""

    text: str
    obeyed: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """Something noticed about the data before the search.

    Attributes
    ----------
    text : str
        What was noticed.
    columns : tuple of str
        Where.
    advice : str
        What one can do about it.
    severity : {"note", "warning"}
        Whether it may change the answer.
    """

    text: str
    columns: tuple[str, ...] = ()
    advice: str = ""
    severity: Literal["note", "warning"] = "note"


@dataclass(frozen=True, slots=True)
class Citation:
    """A work to cite: what it was used for, and its BibTeX."""

    used_for: str
    bibtex: str


@dataclass(frozen=True, kw_only=True)
class ReportContent:
    """Everything that a report says.

    Attributes
    ----------
    title : str
        The heading.
    admg : ADMG
        The graph.
    pag : PAG
        Its equivalence class.
    edges : tuple of EdgeEstimate
        Each edge of ``admg`` once, in any order.
    data_name : str, optional
        Where the data came from.
    n_samples : int, optional
        The number of rows.
    created : str, optional
        When the report was made; left to the caller, so that the same content always gives the same file.
    status : str, optional
        What the search has to say about itself, such as that it ran out of time.
    fit, constraints, traces, near_optimal, knowledge, findings, citations : tuple
        Tables and plots; empty ones are left out.
    bootstrap : tuple of PairShares
        How often each pair was joined in which way.
    n_replicates : int, optional
        The number of bootstrap replicates.
    settings, versions : mapping of str to str
        How the result was made.
    seed : int or str, optional
        The seed.
    data_hash : str, optional
        A hash of the data.
    informed_pag : PAG, optional
        The equivalence class with the marks that the knowledge adds; by default nothing is known.
    tiers : mapping of str to int, optional
        For the picture: variables of smaller tiers stand higher.

    Raises
    ------
    ParameterError
        If the edges are not those of the graph, or a share is not between 0 and 1.
    UnknownVertexError
        If the graphs do not have the same variables.
    """

    title: str
    admg: ADMG
    pag: PAG
    edges: tuple[EdgeEstimate, ...]
    data_name: str | None = None
    n_samples: int | None = None
    created: str | None = None
    status: str | None = None
    fit: tuple[FitMeasure, ...] = ()
    constraints: tuple[ConstraintTest, ...] = ()
    traces: tuple[Trace, ...] = ()
    near_optimal: tuple[NearOptimalGraph, ...] = ()
    bootstrap: tuple[PairShares, ...] = ()
    n_replicates: int | None = None
    knowledge: tuple[KnowledgeStatement, ...] = ()
    findings: tuple[Finding, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int | str | None = None
    data_hash: str | None = None
    citations: tuple[Citation, ...] = ()
    tiers: Mapping[str, int] | None = None
    informed_pag: PAG | None = None

    def __post_init__(self) -> None:
        informed = () if self.informed_pag is None else (self.informed_pag,)
        for graph in (self.pag, *informed, *(near.admg for near in self.near_optimal)):
            for name in graph.names:
                self.admg.index(name)
            if len(graph) != len(self.admg):
                raise UnknownVertexError(sorted(set(self.admg.names) - set(graph.names))[0], graph.names)
        self._check_edges()
        shares = [edge.share for edge in self.edges if edge.share is not None]
        shares += [edge.adjacent for edge in self.edges if edge.adjacent is not None]
        shares += [share for pair in self.bootstrap for share in (*pair.admg.values(), *pair.pag.values())]
        for share in shares:
            if not 0 <= share <= 1:
                raise ParameterError(f"A share or a probability must be a number from 0 to 1. Got {share!r} instead.")
        for pair in self.bootstrap:
            self.admg.index(pair.one)
            self.admg.index(pair.other)

    def _check_edges(self) -> None:
        expected = {(a, "->", b) for a, b in self.admg.directed_edges()}
        expected |= {(min(pair), "<->", max(pair)) for pair in self.admg.bidirected_edges()}
        seen = set()
        for edge in self.edges:
            ends = (edge.one, edge.other) if edge.kind == "directed" else tuple(sorted((edge.one, edge.other)))
            key = (ends[0], edge.arrow, ends[1])
            if key in seen or key not in expected:
                why = "listed twice" if key in seen else "not in the graph"
                raise ParameterError(f"The edge {edge.one} {edge.arrow} {edge.other} is {why}; list each edge once.")
            seen.add(key)
        if missing := sorted(expected - seen):
            raise ParameterError(f"The edge {' '.join(missing[0])} of the graph has no row in the table; add one.")

    def shares_of(self, one: str, other: str) -> PairShares | None:
        """Return the bootstrap shares of a pair, seen from ``one``; None if there are none."""
        turned = {"->": "<-", "<-": "->", "o->": "<-o", "<-o": "o->", "o--": "--o", "--o": "o--"}
        for pair in self.bootstrap:
            if (pair.one, pair.other) == (one, other):
                return pair
            if (pair.one, pair.other) == (other, one):
                admg, pag = ({turned.get(k, k): v for k, v in shares.items()} for shares in (pair.admg, pair.pag))
                return PairShares(one, other, admg, pag)
        return None

    @property
    def is_weighed(self) -> bool:
        """Whether every edge has a posterior probability."""
        return bool(self.edges) and all(edge.adjacent is not None for edge in self.edges)

    @property
    def is_bootstrapped(self) -> bool:
        """Whether every edge has a share."""
        return bool(self.edges) and all(edge.share is not None for edge in self.edges)
