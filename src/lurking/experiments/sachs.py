"""The protein-signalling data (section 6, figure 2 right; appendix B).

Eleven molecules in 7466 cells, on the log scale, once **pooled** as the paper has them and once with each of the nine
experimental conditions **centred** separately: pooling conditions with different means is itself a hidden common cause
of everything. There is one table, so ``--datasets`` counts searches, each with a seed of its own.

What is asked:

1. How do the adjacencies agree with the three lists of true ones, and is that better than guessing
   (:mod:`lurking.experiments.sachs_truths`)? The paper reports precision 0.77 and recall 0.61.
2. Erk and PKA are correlated, but manipulating Erk does not change PKA; the paper finds Erk <-> PKA. What does each
   other edge on this pair cost in BIC, with the rest of the graph as it is (:mod:`lurking.sem.alternatives`)? And,
   since the rest could adapt, what is the best graph *with* each of the edges?
3. Which Verma constraint of the graph tells Erk <-> PKA from its orientations, and does it hold? For the paper's own
   subgraph (appendix B) the same is computed on the five variables it has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from lurking._numbers import p_text
from lurking.data import Moments, load_sachs
from lurking.discovery import Knowledge
from lurking.experiments.experiment import Experiment, Task, dataset_seed
from lurking.experiments.methods import FOUND_COLUMNS, METHODS, MethodOutcome, check_methods, learn
from lurking.experiments.published import SACHS_ADJACENCIES
from lurking.experiments.sachs_truths import TRUTHS, adjacency_rates
from lurking.experiments.tables import NOTHING, TextTable, cell, mean_and_error, seconds_text
from lurking.graphs import ADMG
from lurking.report.panels import Curve, Panel, draw_panels
from lurking.sem import edge_alternatives, implied_tests, ricf

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PAPER_SUBGRAPH", "SACHS_METHODS", "SachsExperiment", "deciding_constraints", "pair_costs"]

DATA = ("pooled", "centred")
SACHS_METHODS = ("dcd", "hybrid-free", "hybrid-similar", "greedy-bap", "fci", "dag-then-pag")
REQUIRED = {"with Erk <-> PKA": "Erk <-> PKA", "with Erk -> PKA": "Erk -> PKA", "with PKA -> Erk": "PKA -> Erk"}
PAPER_SUBGRAPH = ADMG.parse("Akt -> Erk -> Jnk -> PKC; PKA -> Jnk; Erk <-> PKA; PKA <-> PKC")
"""The part of the paper's graph that its appendix B draws."""
SUBGRAPH = "paper's subgraph"
COSTS = {"no edge": "cost_none", "Erk -> PKA": "cost_erk_to_pka", "PKA -> Erk": "cost_pka_to_erk"}
CONFOUNDED = {"Erk <-> PKA", "PKA <-> Erk"}
_SEED_OF_EXPERIMENT = 3
_DETERMINISTIC = {"fci", SUBGRAPH}


@cache
def _moments(data: str) -> Moments:
    return Moments.from_table(load_sachs(centre_conditions=data == "centred"))


def pair_costs(moments: Moments, graph: ADMG) -> tuple[str, dict[str, float]]:
    """Return the edge between Erk and PKA, and the cost in BIC of what could be there instead.

    An orientation that would close a directed cycle has no cost (NaN), nor has anything if there is no edge.
    """
    edges = [
        *(f"{a} -> {b}" for a, b in graph.directed_edges()),
        *(f"{a} <-> {b}" for a, b in graph.bidirected_edges()),
    ]
    mine = [edge for edge in edges if set(edge.split()) >= {"Erk", "PKA"}]
    costs = dict.fromkeys([*COSTS.values(), "cost_confounded"], math.nan)
    if not mine:
        return "no edge", costs
    for alternative in edge_alternatives(moments, graph).of("Erk", "PKA"):
        costs[COSTS.get(alternative.instead, "cost_confounded")] = alternative.bic_cost
    costs["cost_confounded" if mine[0] in CONFOUNDED else COSTS[mine[0]]] = 0.0
    return mine[0], costs


def deciding_constraints(moments: Moments, graph: ADMG) -> list[str]:
    """Return the Verma constraints that no graph with Erk <-> PKA oriented implies, each with its p-value."""
    if not graph.bidirected[graph.index("Erk"), graph.index("PKA")]:
        return []
    others = [
        {str(constraint) for constraint in alternative.admg.implied_constraints()}
        for alternative in edge_alternatives(moments, graph).of("Erk", "PKA")
        if alternative.instead != "no edge"
    ]
    return [
        f"{test.statement} (p {p_text(test.p_value)})"
        for test in implied_tests(moments, graph)
        if test.kind == "verma" and not any(test.statement in implied for implied in others)
    ]


@dataclass(frozen=True)
class _SachsTask:
    data: str
    search: int
    seed: int
    method: str
    restarts: int | None

    def row_keys(self) -> list[tuple[object, ...]]:
        return [(self.data, self.search, self.seed, self.method)]

    def run(self) -> list[dict[str, object]]:
        moments = _moments(self.data)
        if self.method == SUBGRAPH:
            moments = moments.subset(PAPER_SUBGRAPH.names)
            found = MethodOutcome(PAPER_SUBGRAPH, ricf(moments, PAPER_SUBGRAPH).bic, "COMPLETE", 0, 0.0, 0.0)
        elif self.method in REQUIRED:
            knowledge = {"knowledge": Knowledge(required=(REQUIRED[self.method],))}
            found = learn("hybrid-free", moments, restarts=self.restarts, seed=self.seed, parameters=knowledge)
        else:
            found = learn(self.method, moments, restarts=self.restarts, seed=self.seed)
        row: dict[str, object] = dict.fromkeys(SachsExperiment.columns, math.nan)
        row |= dict(zip(SachsExperiment.key, *self.row_keys(), strict=True))
        row |= {"bic": found.bic, "erk_pka": "", "n_verma": math.nan, "deciding": "", **found.columns()}
        if found.graph is not None and self.method != SUBGRAPH:
            row["adjacencies"] = int(found.graph.skeleton.sum()) // 2
            for name, truth in TRUTHS.items():
                rates = adjacency_rates(found.graph, truth)
                row |= {f"{name}_{part}": getattr(rates, part) for part in ("precision", "recall", "p_value")}
        if isinstance(found.graph, ADMG):
            row["erk_pka"], costs = pair_costs(moments, found.graph)
            row |= costs
            row["n_verma"] = len(found.graph.verma_constraints())
            row["deciding"] = "; ".join(deciding_constraints(moments, found.graph))
        return [row]


class SachsExperiment(Experiment):
    """The protein network, pooled and within conditions.

    Parameters
    ----------
    n_datasets : int, default 5
        Searches, each with its own seed; there is one data set.
    seed : int, default 0
        The seed.
    methods : sequence of str, optional
        By default all of ``SACHS_METHODS``.
    restarts : int, optional
        Random starts; by default each method's own default.
    """

    name = "sachs"
    key = ("data", "search", "seed", "method")
    columns: ClassVar[dict[str, type]] = {
        "data": str,
        "search": int,
        "seed": int,
        "method": str,
        "bic": float,
        "adjacencies": float,
        **{f"{name}_{part}": float for name in TRUTHS for part in ("precision", "recall", "p_value")},
        "erk_pka": str,
        **dict.fromkeys([*COSTS.values(), "cost_confounded"], float),
        "n_verma": float,
        "deciding": str,
        **FOUND_COLUMNS,
    }

    def __init__(
        self,
        n_datasets: int = 5,
        *,
        seed: int = 0,
        methods: Sequence[str] | None = None,
        restarts: int | None = None,
    ) -> None:
        super().__init__(n_datasets, seed, restarts)
        self.methods = check_methods(methods, SACHS_METHODS, self.name)

    def tasks(self) -> list[Task]:
        """Return one task for each search, kind of data and method, and the paper's subgraph."""
        required = REQUIRED if "hybrid-free" in self.methods else ()
        return [
            _SachsTask(data, k, dataset_seed(self.seed, _SEED_OF_EXPERIMENT, k), method, self.restarts)
            for k in range(self.n_datasets)
            for data in DATA
            for method in (*self.methods, *required, SUBGRAPH)
            if k == 0 or method not in _DETERMINISTIC
        ]

    def _best(self, rows: pd.DataFrame, data: str, method: str) -> dict[str, object]:
        """Return the row with the smallest BIC, the first one if the method has no BIC."""
        own = rows[(rows["data"] == data) & (rows["method"] == method)].sort_values(["bic", "search"])
        return {str(name): value for name, value in own.iloc[0].items()} if len(own) else {}

    @staticmethod
    def _lowest_with(rows: pd.DataFrame, data: str, method: str) -> float:
        """Return the smallest BIC of the bow-free graphs with an edge, whether it was required or just found."""
        found = (rows["method"] == "hybrid-free") & (rows["erk_pka"] == REQUIRED[method])
        return float(rows[(rows["data"] == data) & ((rows["method"] == method) | found)]["bic"].min())

    def tables(self, rows: pd.DataFrame) -> list[TextTable]:
        """Return adjacencies, the edge between Erk and PKA, and the constraints that decide it."""
        return [table for data in DATA for table in (self._adjacencies(rows, data), self._pair(rows, data))]

    def _adjacencies(self, rows: pd.DataFrame, data: str) -> TextTable:
        lines = []
        for method in self.methods:
            own = rows[(rows["data"] == data) & (rows["method"] == method)]
            best = self._best(rows, data, method)
            rates = [
                f"{best[f'{name}_precision']:.2f} / {best[f'{name}_recall']:.2f} (p {p_text(_number(best, name))})"
                if best
                else NOTHING
                for name in TRUTHS
            ]
            mean = f"{cell(own['supplemented_precision'])} / {cell(own['supplemented_recall'])}"
            count = f"{best['adjacencies']:.0f}" if best else NOTHING
            bic = f"{own['bic'].min():,.1f}" if own["bic"].notna().any() else NOTHING
            lines.append((METHODS[method].label, count, *rates, mean, bic, seconds_text(own["cpu_seconds"])))
        guess = [f"{len(truth) / 55:.2f} / m/55" for truth in TRUTHS.values()]
        lines.append(("guessing m pairs", "m", *guess, NOTHING, NOTHING, NOTHING))
        if data == "pooled":
            paper = f"{SACHS_ADJACENCIES[0]:.2f} / {SACHS_ADJACENCIES[1]:.2f}"
            lines.append(("paper: its method", "22", paper, *[NOTHING] * 5))
        headings = [f"{name} ({len(truth)})" for name, truth in TRUTHS.items()]
        return TextTable(
            f"Adjacencies, {data} data: precision / recall against three truths",
            ("method", "pairs", *headings, "mean (28)", "best BIC", "processor s"),
            tuple(lines),
            f"The graph with the smallest BIC of {self.n_datasets} searches; p: probability that as many random pairs "
            "hit as often; mean (28): over all searches, first truth. The paper's 22 pairs follow from its two rates.",
        )

    def _pair(self, rows: pd.DataFrame, data: str) -> TextTable:
        lines = []
        with_edge = {method: self._lowest_with(rows, data, method) for method in REQUIRED}
        lowest = min(with_edge.values())
        for method in (*self.methods, *REQUIRED, SUBGRAPH):
            best = self._best(rows, data, method)
            if not best or best["erk_pka"] == "":
                continue
            free = _signed(with_edge[method] - lowest) if method in REQUIRED else NOTHING
            label = METHODS[method].label if method in METHODS else method
            costs = [best[name] for name in ("cost_confounded", "cost_erk_to_pka", "cost_pka_to_erk", "cost_none")]
            shown = [_signed(float(str(cost))) for cost in costs]
            verma = f"{float(str(best['n_verma'])):.0f}"
            lines.append((label, str(best["erk_pka"]), *shown, free, verma, _first(str(best["deciding"]))))
        return TextTable(
            f"Erk and PKA, {data} data: cost in BIC of other edges in the same graph",
            (
                "graph",
                "edge found",
                "<->",
                "Erk ->",
                "PKA ->",
                "none",
                "best graph with it",
                "Verma",
                "Verma that decides it",
            ),
            tuple(lines),
            "Positive: worse than the edge found; –: would close a cycle, or there is no edge. Best graph with it: BIC "
            "of the best one found, whether the edge was required or not, above the best of the three.",
        )

    def picture(self, rows: pd.DataFrame) -> str:
        """Return precision against recall for each list of true adjacencies, with the level of guessing."""
        panels = []
        for data in DATA:
            for name, truth in TRUTHS.items():
                curves = []
                for number, method in enumerate(self.methods):
                    own = rows[(rows["data"] == data) & (rows["method"] == method)]
                    (x, x_error), (y, y_error) = (mean_and_error(own[f"{name}_{r}"]) for r in ("recall", "precision"))
                    curves.append(Curve(METHODS[method].label, (x,), (y,), (x_error,), (y_error,), number))
                level = len(truth) / 55
                curves.append(Curve("guessing", (0.0, 1.0), (level, level), colour=6, dashed=True, dots=False))
                if data == "pooled" and name == "supplemented":
                    precision, recall = SACHS_ADJACENCIES
                    curves.append(Curve("paper: its method", (recall,), (precision,), colour=0, hollow=True))
                title = f"{data} data, {name} truth ({len(truth)})"
                panels.append(Panel(title, "recall", "precision", tuple(curves), (0.0, 1.0), (0.0, 1.0)))
        return draw_panels(panels, note=f"mean of {self.n_datasets} searches; bars: one standard error over searches")


def _number(row: dict[str, object], truth: str) -> float:
    return float(str(row[f"{truth}_p_value"]))


def _first(constraints: str) -> str:
    """Write the first of several constraints, and how many more there are."""
    first, *more = constraints.split("; ")
    return (first or "none") + (f" and {len(more)} more" if more else "")


def _signed(cost: float) -> str:
    """Write a difference of BIC with its sign; what rounds to nothing is +0.0."""
    return NOTHING if math.isnan(cost) else f"{round(cost, 1) + 0.0:+.1f}"
