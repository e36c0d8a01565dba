"""Reports to be tested and looked at: invented numbers on real graphs, every part filled in."""

from __future__ import annotations

import numpy as np

from lurking import ADMG
from lurking.report import (
    Citation,
    ConstraintTest,
    EdgeEstimate,
    Finding,
    FitMeasure,
    KnowledgeStatement,
    NearOptimalGraph,
    PairShares,
    ReportContent,
    Series,
    Trace,
)

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


def minimal(graph: ADMG, title: str = "A graph") -> ReportContent:
    """A report with nothing but the graphs and bare edges."""
    edges = [EdgeEstimate(a, b, "directed") for a, b in graph.directed_edges()]
    edges += [EdgeEstimate(a, b, "bidirected") for a, b in graph.bidirected_edges()]
    return ReportContent(title=title, admg=graph, pag=graph.to_pag(), edges=tuple(edges))


def full(graph: ADMG, title: str = "A graph", *, seed: int = 0, bootstrapped: bool = True) -> ReportContent:
    """A report with every part filled in by made-up numbers."""
    rng = np.random.default_rng(seed)
    pag = graph.to_pag()
    edges = []
    for kind, pairs in (("directed", graph.directed_edges()), ("bidirected", graph.bidirected_edges())):
        for a, b in pairs:
            estimate = float(rng.normal())
            edges.append(
                EdgeEstimate(
                    a,
                    b,
                    "directed" if kind == "directed" else "bidirected",
                    estimate=estimate,
                    standard_error=abs(estimate) * float(rng.uniform(0.02, 0.5)),
                    standardized=float(np.tanh(estimate)),
                    removal_cost=float(rng.exponential(60)) - 1,
                    adjacent=float(np.clip(0.5 + abs(estimate), 0, 1)),
                    share=float(np.round(rng.beta(5, 2), 3)) if bootstrapped else None,
                )
            )
    by_pair = {frozenset((e.one, e.other)): e for e in edges}
    pairs_found = []
    for a, arrow, b in pag.edges():
        edge = by_pair.get(frozenset((a, b)))
        share = edge.share if edge is not None and edge.share is not None else 0.1
        forward = "->" if edge is None or edge.kind == "directed" else "<->"
        if edge is not None and edge.kind == "directed" and edge.one == b:
            forward = "<-"
        rest = round((1 - share) / 2, 4)
        shares = {forward: share, "<->" if forward != "<->" else "->": rest, "": rest}
        pairs_found.append(PairShares(a, b, shares, {arrow: min(share + 0.05, 1), "": 1 - min(share + 0.05, 1)}))
    steps = np.arange(1, 16)
    names = list(graph.names)
    return ReportContent(
        title=title,
        admg=graph,
        pag=pag,
        edges=tuple(edges),
        data_name="measurements.csv",
        n_samples=7466,
        created="1 November 2026",
        fit=(
            FitMeasure("Chi-square", "61.42 on 37 df, p = 0.007", "The data contradict at least one independence."),
            FitMeasure("RMSEA", "0.031 (90 % interval 0.016 to 0.045)", "Below 0.05 is usually called close."),
            FitMeasure("CFI", 0.987, "Share of all association that the graph explains. Above 0.95 is usual."),
            FitMeasure("BIC", 34567.25, "Smaller is better; compare graphs on the same rows only."),
        ),
        constraints=(
            *(
                ConstraintTest(str(c), "independence", float(q), float(p), float(min(1, p * 8)))
                for c, p, q in zip(
                    graph.independences(), rng.uniform(0, 1, 999) ** 2, rng.chisquare(1, 999), strict=False
                )
            ),
            *(ConstraintTest(str(c), "verma", 2.71, 0.0998, 0.31) for c in graph.verma_constraints()),
        ),
        traces=(
            Trace(
                "Distance from the class",
                "dual step",
                "h",
                tuple(
                    Series(f"restart {k + 1}", tuple(map(float, steps)), tuple(map(float, 3 * np.exp(-steps * rate))))
                    for k, rate in enumerate(rng.uniform(0.6, 1.6, 3))
                ),
                log_scale=True,
                reading="The constraint is met when h is zero; each dual step presses harder.",
            ),
            Trace(
                "Best BIC so far",
                "round",
                "BIC",
                (
                    Series(
                        "best",
                        tuple(map(float, range(60))),
                        tuple(
                            map(
                                float,
                                np.minimum.accumulate(34567 + rng.exponential(80, 60)[::-1] * np.linspace(3, 0.1, 60)),
                            )
                        ),
                    ),
                ),
                reading="A long flat end says that more rounds would hardly help.",
            ),
        ),
        near_optimal=tuple(
            NearOptimalGraph(_without(graph, k), 1.3 + 2.2 * k, 1) for k in range(min(3, len(graph.directed_edges())))
        ),
        bootstrap=tuple(pairs_found) if bootstrapped else (),
        n_replicates=200 if bootstrapped else None,
        knowledge=(
            KnowledgeStatement(f"{names[0]} is not caused by {names[-1]}"),
            KnowledgeStatement(f"{names[-1]} comes after {names[0]}", obeyed=False),
        ),
        findings=(
            Finding(
                "Three columns are skewed; a Gaussian model may mistake their tails for edges.",
                tuple(names[:3]),
                "Take logarithms, or use transform='rank'.",
                "warning",
            ),
            Finding("No missing values."),
        ),
        settings={"graph class": "bow-free", "solver": "hybrid", "restarts": "5", "noise scale": "free"},
        versions={"lurking": "0.1.0", "numpy": "2.4.0", "scipy": "1.17.0"},
        seed=0,
        data_hash="sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        citations=(
            Citation(
                "The search is that of",
                "@inproceedings{bhattacharya2021,\n  title = {Differentiable causal discovery under unmeasured "
                "confounding},\n  author = {Bhattacharya, Rohit and Nagarajan, Tushar and Malinsky, Daniel and "
                "Shpitser, Ilya},\n  booktitle = {AISTATS},\n  year = {2021}\n}",
            ),
        ),
    )


def _without(graph: ADMG, number: int) -> ADMG:
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
