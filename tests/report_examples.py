"""Analyses to be tested and looked at: real fits of real graphs to made-up covariances, every part filled in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lurking import ADMG, Knowledge, Moments
from lurking.discovery import Analysis, Beliefs, Finding, PairShares, analyse
from lurking.discovery.edges import edge_estimates
from lurking.discovery.statements import statements_of
from lurking.discovery.traces import trace_of
from lurking.sem import LinearSEM, standard_errors

SIGNALLING = ADMG.parse(
    "PKC -> PKA; PKC -> Jnk; PKC -> P38; PKA -> Raf; Raf -> Mek; Mek -> Erk; Erk -> Akt; PKA -> Akt; Plcg -> PIP3;"
    "PIP3 -> PIP2; Plcg -> PIP2; PKC -> Raf; PKA -> Mek; P38 <-> Jnk; Erk <-> PKA; PKA <-> P38; Plcg <-> PKC;"
    "Raf <-> Akt"
)
FIVE = ADMG.parse("age -> smoking -> tar -> cancer; smoking <-> cancer; asbestos -> cancer")
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\" onmouseover='alert(3)' x=\"",
    "<img src=x onerror=alert(4)>",
    "{{ 7 * 7 }}{% raise %}",
    "ضغط الدم",
    "\u202eevil",
    "[red]markup[/red]\x1b[31m",
    "nul\x00 \ud800 half",
    "]]> --> &amp; &lt;",
)


def moments_of(graph: ADMG, n_samples: int = 7466, seed: int = 0) -> Moments:
    """The covariances of a linear model on a graph, a little disturbed."""
    rng = np.random.default_rng(seed)
    d = len(graph)
    coef = np.where(graph.directed, rng.uniform(0.3, 0.9, (d, d)) * rng.choice([-1, 1], (d, d)), 0.0)
    shared = np.triu(np.where(graph.bidirected, 0.3, 0.0))
    error_cov = shared + shared.T
    error_cov += np.diag(np.abs(error_cov).sum(axis=1) + rng.uniform(0.7, 1.3, d))
    rows = rng.multivariate_normal(np.zeros(d), LinearSEM(graph, coef, error_cov).implied_cov(), n_samples)
    return Moments(np.cov(rows, rowvar=False, bias=True).reshape(d, d), n_samples, graph.names)


def minimal(graph: ADMG, title: str = "A graph") -> Analysis:
    """An analysis of a graph that was given."""
    return analyse((moments_of(graph), graph), title=title)


def beliefs_about(graph: ADMG, seed: int = 0) -> Beliefs:
    """Made-up probabilities that follow a graph, some of them sure and some not."""
    rng = np.random.default_rng(seed)
    d = len(graph)
    sure = np.triu(rng.choice([1.0, 0.97, 0.85, 0.6], (d, d)), 1)
    sure += sure.T
    index = {name: k for k, name in enumerate(graph.names)}
    causes = np.zeros((d, d))
    for name in graph.names:
        for other in graph.descendants(name):
            causes[index[name], index[other]] = sure[index[name], index[other]]
    adjacent = np.where(graph.to_pag().marks != 0, sure, 0.02)
    return Beliefs(graph.names, adjacent, causes, np.where(graph.bidirected, sure, 0.01), "sampled", 100)


def full(graph: ADMG, title: str = "A graph", *, seed: int = 0, bootstrapped: bool = True) -> Analysis:
    """An analysis with every part filled in, as if the graph had been found."""
    rng = np.random.default_rng(seed)
    beliefs = beliefs_about(graph, seed)
    given = minimal(graph, title)
    edges = edge_estimates(given.moments, given.fit, standard_errors(given.moments, given.fit), beliefs)
    names = graph.names
    knowledge = (
        Knowledge(tiers=(names[:1], ("*",)), forbidden=(f'"{names[0]}" -> "{names[-1]}"',)) if plain(names) else None
    )
    pairs: list[PairShares] = []
    if bootstrapped:
        edges = tuple(replace(edge, share=float(np.round(rng.beta(5, 2), 3))) for edge in edges)
        for edge in edges:
            share = edge.share or 0.0
            shares = {edge.arrow: share, "": 1.0 - share}
            pairs.append(PairShares(edge.one, edge.other, shares, {"o->": share, "": 1.0 - share}))
    steps = tuple(map(float, range(1, 16)))
    falling = [(f"run {k + 1}", steps, tuple(3.0 * np.exp(-np.array(steps) * (0.6 + 0.3 * k)))) for k in range(3)]
    return replace(
        given,
        status="COMPLETE",
        messages=("Only 2 of the 5 runs found the best graph.",),
        edge_estimates=edges,
        beliefs=beliefs,
        statement_list=statements_of(beliefs),
        data_name="measurements.csv",
        created="1 November 2026",
        traces=(
            trace_of("Distance", "dual step", "h", tuple(falling), "It is met when h is zero.", log_scale=True),
            trace_of("Best score", "round", "score", (("best", steps, tuple(34567 + 10 / (1 + np.array(steps)))),)),
        ),
        near_optimal=tuple((without(graph, k), 1.3 + 2.2 * k, 1) for k in range(min(3, len(graph.directed_edges())))),
        bootstrap=tuple(pairs),
        n_replicates=200 if bootstrapped else None,
        knowledge=knowledge,
        findings=(
            Finding("outliers", tuple(names[:1]), 3.0, "A column has extreme values.", "Check them."),
            Finding("missing", (), 1.0, "Values are missing in 1 row.", "Ask why they are missing."),
        ),
        settings={"graph_class": "bow-free", "solver": "hybrid", "n_restarts": 5, "criterion": "marginal"},
        seed=0,
    )


def plain(names: tuple[str, ...]) -> bool:
    """Whether names can stand in the text of an edge."""
    return all(name.isidentifier() for name in names)


def without(graph: ADMG, number: int) -> ADMG:
    """The graph with one directed edge dropped."""
    directed = [edge for k, edge in enumerate(graph.directed_edges()) if k != number]
    return ADMG.from_edges(directed, graph.bidirected_edges(), graph.names)


def large(n_vertices: int = 40, seed: int = 2) -> ADMG:
    """A sparse random graph."""
    rng = np.random.default_rng(seed)
    directed = np.triu(rng.random((n_vertices, n_vertices)) < 2.0 / n_vertices, 1)
    bidirected = np.triu(rng.random((n_vertices, n_vertices)) < 0.8 / n_vertices, 1) & ~directed
    return ADMG([f"gene{i}" for i in range(n_vertices)], directed, bidirected | bidirected.T)


def hostile() -> ADMG:
    """A graph whose names are attacks."""
    return ADMG.from_edges(
        [(HOSTILE[0], name) for name in HOSTILE[1:6]] + [(HOSTILE[1], HOSTILE[7])],
        [(HOSTILE[6], HOSTILE[7]), (HOSTILE[8], HOSTILE[9]), (HOSTILE[1], HOSTILE[2])],
        HOSTILE,
    )
