"""Recovery of random arid and ancestral graphs (section 6, Table 1; appendix E, the last table).

True graphs are random bow-free graphs projected into the class (:mod:`lurking.simulate.random_graphs`), 1000 rows, 100
data sets. Arid truths are searched with bow-free solvers and with greedyBAP, ancestral ones with ancestral solvers and
with methods that return a MAG or a PAG. Skeletons are those of the graphs, arrowheads and tails those of the PAGs
(:mod:`lurking.metrics.comparison`).

Everything is done twice: on the **raw** data of the paper, whose variances grow along the causal order, and on the same
data **standardised**. Varsortability says how far the variances alone give the order away: 0.5 is nothing, 1 all. A
method that sees correlations only is run once and stands in both tables. The hybrid with free noise is searched once
for two rows: its best graph, and the consensus of all good ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from lurking._errors import ParameterError
from lurking._typing import GraphClass
from lurking._wording import counted
from lurking.data import Moments
from lurking.experiments.experiment import Experiment, Task, dataset_seed
from lurking.experiments.methods import FAILED, FOUND_COLUMNS, METHODS, MethodOutcome, check_methods, learn
from lurking.experiments.published import RANDOM_GRAPHS, MarkRates
from lurking.experiments.tables import NOTHING, TextTable, cell, emphasize_best, mean_and_error, seconds_text
from lurking.metrics import compare
from lurking.report.panels import Curve, Panel, draw_panels
from lurking.sem import ricf
from lurking.simulate import Simulation, simulate_admg

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RANDOM_GRAPH_METHODS", "RandomGraphsExperiment"]

N_SAMPLES = 1000
SCALES = ("raw", "standardised")
TRUTHS: tuple[GraphClass, ...] = ("arid", "ancestral")
SEARCHED: dict[GraphClass, GraphClass] = {"arid": "bow-free", "ancestral": "ancestral"}
_OURS = ("dcd", "hybrid-free", "hybrid-consensus", "hybrid-similar")
RANDOM_GRAPH_METHODS: dict[GraphClass, tuple[str, ...]] = {
    "arid": (*_OURS, "greedy-bap"),
    "ancestral": (*_OURS, "fci", "fci-light", "greedy-spo", "greedy-spo-once", "gfci", "m3hc", "dag-then-pag"),
}
"""The methods by the class of the true graphs."""

_CONSENSUS_OF = {"hybrid-consensus": "hybrid-free"}  # the method whose search has this answer too
RATES = MarkRates._fields
_LARGER = tuple(name.endswith("tpr") for name in RATES)
_OFTEN = 0.15  # share of data sets without a single claim from which on a false discovery rate misleads
_SEED_OF_EXPERIMENT = 2


@dataclass(frozen=True)
class _RandomGraphTask:
    truth: GraphClass
    variables: int
    scale: str
    dataset: int
    seed: int
    methods: tuple[str, ...]  # if there is a second one, it is the consensus of the search of the first
    restarts: int | None

    def row_keys(self) -> list[tuple[object, ...]]:
        setting = (self.truth, self.variables, self.scale, self.dataset, self.seed)
        return [(*setting, method) for method in self.methods]

    def run(self) -> list[dict[str, object]]:
        simulation = simulate_admg(
            self.variables,
            N_SAMPLES,
            graph_class=self.truth,
            standardize=self.scale == "standardised",
            random_state=self.seed,
        )
        moments = Moments.from_table(simulation.data)
        found = learn(
            self.methods[0], moments, graph_class=SEARCHED[self.truth], restarts=self.restarts, seed=self.seed + 1
        )
        answers = [found]
        if len(self.methods) > 1:
            bic = math.nan if found.consensus is None else ricf(moments, found.consensus).bic
            answers.append(replace(found, graph=found.consensus, bic=bic))
        return [
            dict(zip(RandomGraphsExperiment.key, key, strict=True)) | _judged(answer, simulation, moments)
            for key, answer in zip(self.row_keys(), answers, strict=True)
        ]


def _judged(found: MethodOutcome, simulation: Simulation, moments: Moments) -> dict[str, object]:
    """Return the columns on what was found, against the truth."""
    rates = {} if found.graph is None else compare(simulation.admg, found.graph).to_dict()
    return {
        **{name: rates.get(name, math.nan) for name in (*RATES, "shd", "pag_shd")},
        "varsortability": simulation.varsortability,
        "bic": found.bic,
        "bic_truth": ricf(moments, simulation.admg).bic,
        **found.columns(),
    }


def _without_claims(found: dict[str, pd.DataFrame]) -> str:
    """Say which methods often claim no arrowhead or tail at all, and how often they are wrong when they do."""
    words = []
    for mark in ("arrowhead", "tail"):
        for method, all_rows in found.items():
            rows = all_rows[all_rows["status"] != FAILED]
            claims = (rows[f"{mark}_fdr"] > 0) | (rows[f"{mark}_tpr"] > 0)
            silent = len(rows) - int(claims.sum())
            if silent > _OFTEN * len(rows):
                wrong, _ = mean_and_error(rows.loc[claims, f"{mark}_fdr"])
                fdr = NOTHING if math.isnan(wrong) else f"{wrong:.2f}"
                words.append(f"{METHODS[method].label} no {mark}s on {silent} of {len(rows)} (else fdr {fdr})")
    return f" The fdr is 0 when nothing is reported: {'; '.join(words)}." if words else ""


class RandomGraphsExperiment(Experiment):
    """How well random graphs are recovered, on raw and on standardised data.

    Parameters
    ----------
    n_datasets : int, default 100
        Data sets for each kind of graph.
    seed : int, default 0
        The seed.
    methods : sequence of str, optional
        By default all of ``RANDOM_GRAPH_METHODS``.
    restarts : int, optional
        Random starts; by default each method's own default.
    variables : sequence of int, default (10,)
        Numbers of variables; the paper has 10 and 15.
    """

    name = "random-graphs"
    key = ("truth", "variables", "scale", "dataset", "seed", "method")
    columns: ClassVar[dict[str, type]] = {
        "truth": str,
        "variables": int,
        "scale": str,
        "dataset": int,
        "seed": int,
        "method": str,
        **dict.fromkeys(RATES, float),
        "shd": float,
        "pag_shd": float,
        "varsortability": float,
        "bic": float,
        "bic_truth": float,
        **FOUND_COLUMNS,
    }

    def __init__(
        self,
        n_datasets: int = 100,
        *,
        seed: int = 0,
        methods: Sequence[str] | None = None,
        restarts: int | None = None,
        variables: Sequence[int] = (10,),
    ) -> None:
        super().__init__(n_datasets, seed, restarts)
        if not variables or any(d < 2 for d in variables):
            raise ParameterError(f"Every number of variables must be at least 2. Got {list(variables)!r} instead.")
        offered = tuple(dict.fromkeys(name for names in RANDOM_GRAPH_METHODS.values() for name in names))
        self.methods = check_methods(methods, offered, self.name)
        self.variables = tuple(dict.fromkeys(variables))

    def _of(self, truth: GraphClass) -> list[str]:
        return [method for method in RANDOM_GRAPH_METHODS[truth] if method in self.methods]

    def tasks(self) -> list[Task]:
        """Return the tasks; a method that sees correlations only has none on standardised data."""
        return [
            _RandomGraphTask(
                truth,
                d,
                scale,
                k,
                dataset_seed(self.seed, _SEED_OF_EXPERIMENT, d, TRUTHS.index(truth), k),
                methods,
                self.restarts,
            )
            for d in self.variables
            for k in range(self.n_datasets)
            for truth in TRUTHS
            for scale in SCALES
            for methods in self._searches(truth)
            if scale == "raw" or not METHODS[methods[0]].scale_free
        ]

    def _searches(self, truth: GraphClass) -> list[tuple[str, ...]]:
        """Return the methods, those that share a search together."""
        searches: dict[str, list[str]] = {}
        for method in self._of(truth):
            shared = _CONSENSUS_OF.get(method, method)
            searches.setdefault(shared if shared in self.methods else method, []).append(method)
        return [tuple(methods) for methods in searches.values()]

    def tables(self, rows: pd.DataFrame) -> list[TextTable]:
        """Return one table for each number of variables, class of truths and scale."""
        return [
            self._table(rows, truth, d, scale)
            for d in self.variables
            for truth in TRUTHS
            if self._of(truth)
            for scale in SCALES
        ]

    @staticmethod
    def _rows_of(rows: pd.DataFrame, truth: str, d: int, scale: str, method: str) -> pd.DataFrame:
        """Return the rows of a method; those of a scale-free one come from the raw data."""
        scale = "raw" if METHODS[method].scale_free else scale
        chosen = (rows["truth"] == truth) & (rows["variables"] == d) & (rows["scale"] == scale)
        return rows[chosen & (rows["method"] == method)]

    def _table(self, rows: pd.DataFrame, truth: GraphClass, d: int, scale: str) -> TextTable:
        names, texts, means, rest = [], [], [], []
        found = {method: self._rows_of(rows, truth, d, scale, method) for method in self._of(truth)}
        for method, own in found.items():
            names.append(METHODS[method].label + (" †" if METHODS[method].scale_free and scale != "raw" else ""))
            texts.append([cell(own[name]) for name in RATES])
            means.append([mean_and_error(own[name])[0] for name in RATES])
            failed = int((own["status"] == FAILED).sum())
            rest.append(
                (
                    cell(own["bic"] - own["bic_truth"], 0),
                    seconds_text(own["cpu_seconds"]),
                    f"{len(own) - failed} of {len(own)}",
                )
            )
        for method, published in RANDOM_GRAPHS.get((truth, d), {}).items() if scale == "raw" else ():
            names.append("paper: its method" if method == "dcd" else f"paper: {METHODS[method].label}")
            texts.append([f"{value:.2f}" for value in published])
            means.append(list(published))
            rest.append((NOTHING, NOTHING, "100"))
        marked = emphasize_best(texts, means, _LARGER)
        same_data = rows[(rows["truth"] == truth) & (rows["variables"] == d) & (rows["scale"] == scale)]
        order = cell(same_data.drop_duplicates("dataset")["varsortability"])
        order = "0.50 by construction" if scale == "standardised" else order
        same = " † sees correlations only: the numbers of the raw data." if scale != "raw" else ""
        return TextTable(
            f"{truth} truths searched as {SEARCHED[truth]}, {d} variables, {scale} data "
            f"({counted(self.n_datasets, 'data set')} of {N_SAMPLES} rows)",
            ("method", *(name.replace("_", " ") for name in RATES), "BIC − BIC of truth", "processor s", "data sets"),
            tuple((name, *row, *more) for name, row, more in zip(names, marked, rest, strict=True)),
            f"± standard error; the best of each column is marked. Varsortability {order}.{same}"
            + _without_claims(found),
        )

    def picture(self, rows: pd.DataFrame) -> str:
        """Return one panel for each kind of mark and table: tpr against fdr, up and to the left is better."""
        panels = []
        offered = list(dict.fromkeys(name for names in RANDOM_GRAPH_METHODS.values() for name in names))
        for d in self.variables:
            for truth in TRUTHS:
                for scale in SCALES if self._of(truth) else ():
                    for mark in ("skeleton", "arrowhead", "tail"):
                        curves = []
                        for method in self._of(truth):
                            own = self._rows_of(rows, truth, d, scale, method)
                            (x, x_error), (y, y_error) = (mean_and_error(own[f"{mark}_{r}"]) for r in ("fdr", "tpr"))
                            label, colour = METHODS[method].label, offered.index(method)
                            curves.append(Curve(label, (x,), (y,), (x_error,), (y_error,), colour))
                        for method, row in RANDOM_GRAPHS.get((truth, d), {}).items() if scale == "raw" else ():
                            x, y = getattr(row, f"{mark}_fdr"), getattr(row, f"{mark}_tpr")
                            label = "paper: its method" if method == "dcd" else f"paper: {METHODS[method].label}"
                            curves.append(Curve(label, (x,), (y,), colour=offered.index(method), hollow=True))
                        title = f"{truth}, {d} variables, {scale}: {mark}"
                        panels.append(Panel(title, "fdr", "tpr", tuple(curves), (0.0, 1.0), (0.0, 1.0)))
        return draw_panels(
            panels, note=f"{counted(self.n_datasets, 'data set')}; bars: one standard error; rings: the paper"
        )
