"""Recovery of graphs with a Verma constraint (section 6, figure 2 left; appendix E, figure E).

Three graphs on four variables whose missing edges are not all ordinary independences
(:mod:`lurking.simulate.verma`), in turn; 500 to 2000 rows; 100 data sets for each number of rows. The question is how
often the model found is the true one (figure 2), and how often it is the true one or contains it (figure E).

The paper draws the graph of each data set "uniformly"; taking the three in turn is the same with less chance in it.
A run of the paper's method that did not converge is counted, and its graph is scored like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from lurking._wording import counted
from lurking.data import Moments
from lurking.experiments.experiment import Experiment, Task, dataset_seed
from lurking.experiments.methods import FOUND_COLUMNS, METHODS, MethodOutcome, check_methods, learn
from lurking.experiments.published import VERMA_CONVERGENCE, VERMA_TRUE_CLASS
from lurking.experiments.tables import NOTHING, TextTable, cell, emphasize_best, mean_and_error, seconds_text
from lurking.experiments.verdict import verdict
from lurking.graphs import ADMG
from lurking.report.panels import Curve, Panel, draw_panels
from lurking.sem import ricf
from lurking.simulate import VERMA_GRAPHS, simulate_admg

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["VERMA_METHODS", "VERMA_SIZES", "VermaExperiment", "judged", "verma_moments", "verma_seed"]

VERMA_SIZES = (500, 1000, 1500, 2000)
VERMA_METHODS = (
    *("dcd-bow-free", "dcd-arid", "hybrid-free", "hybrid-arid-free", "hybrid-similar", "hybrid-arid-similar"),
    *("exact-free", "exact-similar", "greedy-bap"),
)
_SEED_OF_EXPERIMENT = 1

JUDGED_COLUMNS: dict[str, type] = {"truth": int, "verdict": str, "converged": int, "bic": float, "bic_truth": float}


def verma_seed(seed: int, n_samples: int, dataset: int) -> int:
    """Return the seed of one data set."""
    return dataset_seed(seed, _SEED_OF_EXPERIMENT, n_samples, dataset)


def verma_moments(seed: int, n_samples: int, dataset: int) -> tuple[int, ADMG, Moments]:
    """Return the seed, the true graph and the data of one data set."""
    own_seed = verma_seed(seed, n_samples, dataset)
    truth = VERMA_GRAPHS[dataset % len(VERMA_GRAPHS)]
    return own_seed, truth, Moments.from_table(simulate_admg(truth, n_samples, random_state=own_seed).data)


def judged(found: MethodOutcome, truth: ADMG, moments: Moments) -> dict[str, object]:
    """Return the columns that say what a method found on a Verma graph."""
    return {
        "truth": VERMA_GRAPHS.index(truth),
        "verdict": verdict(found.graph, truth) if isinstance(found.graph, ADMG) else "",
        "converged": int(found.converged),
        "bic": found.bic,
        "bic_truth": ricf(moments, truth).bic,
    }


@dataclass(frozen=True)
class _VermaTask:
    n_samples: int
    dataset: int
    seed: int
    method: str
    base_seed: int
    restarts: int | None

    def row_keys(self) -> list[tuple[object, ...]]:
        return [(self.n_samples, self.dataset, self.seed, self.method)]

    def run(self) -> list[dict[str, object]]:
        _, truth, moments = verma_moments(self.base_seed, self.n_samples, self.dataset)
        found = learn(self.method, moments, restarts=self.restarts, seed=self.seed + 1)
        row = dict(zip(VermaExperiment.key, *self.row_keys(), strict=True))
        return [row | judged(found, truth, moments) | found.columns()]


class VermaExperiment(Experiment):
    """How often the true class of a graph with a Verma constraint is found.

    Parameters
    ----------
    n_datasets : int, default 100
        Data sets for each number of rows.
    seed : int, default 0
        The seed.
    methods : sequence of str, optional
        By default all of ``VERMA_METHODS``.
    restarts : int, optional
        Random starts; by default each method's own default, which is the paper's five.
    sizes : sequence of int
        Numbers of rows.
    """

    name = "verma"
    key = ("n", "dataset", "seed", "method")
    columns: ClassVar[dict[str, type]] = {
        "n": int,
        "dataset": int,
        "seed": int,
        "method": str,
        **JUDGED_COLUMNS,
        **FOUND_COLUMNS,
    }

    def __init__(
        self,
        n_datasets: int = 100,
        *,
        seed: int = 0,
        methods: Sequence[str] | None = None,
        restarts: int | None = None,
        sizes: Sequence[int] = VERMA_SIZES,
    ) -> None:
        super().__init__(n_datasets, seed, restarts)
        self.methods = check_methods(methods, VERMA_METHODS, self.name)
        self.sizes = tuple(sizes)

    def tasks(self) -> list[Task]:
        """Return one task for each number of rows, data set and method."""
        return [
            _VermaTask(n, k, verma_seed(self.seed, n, k), method, self.seed, self.restarts)
            for k in range(self.n_datasets)
            for n in self.sizes
            for method in self.methods
        ]

    def tables(self, rows: pd.DataFrame) -> list[TextTable]:
        """Return the recovery of the true class, of a super-model, and what it took."""
        return [
            self._shares(rows, ("true",), "True class recovered (figure 2, left)", VERMA_TRUE_CLASS),
            self._shares(rows, ("true", "super"), "True class or a super-model (figure E)", {}),
            self._cost(rows),
        ]

    def _shares(
        self, rows: pd.DataFrame, verdicts: Sequence[str], title: str, paper: dict[tuple[str, int], float]
    ) -> TextTable:
        hits = rows.assign(hit=rows["verdict"].isin(verdicts).astype(float))
        groups = {key: group["hit"] for key, group in hits.groupby(["method", "n"])}
        texts = [[cell(groups.get((method, n), ())) for n in self.sizes] for method in self.methods]
        means = [[mean_and_error(groups.get((method, n), ()))[0] for n in self.sizes] for method in self.methods]
        names = [METHODS[method].label for method in self.methods]
        for method in {method for method, _ in paper}:
            texts.append([f"{paper[method, n]:.2f}" if (method, n) in paper else NOTHING for n in self.sizes])
            means.append([paper.get((method, n), float("nan")) for n in self.sizes])
            names.append(f"paper, {METHODS[method].graph_class}")
        marked = emphasize_best(texts, means, [True] * len(self.sizes))
        return TextTable(
            f"{title}: share of {counted(self.n_datasets, 'data set')}",
            ("method", *(f"n = {n}" for n in self.sizes)),
            tuple((name, *row) for name, row in zip(names, marked, strict=True)),
            "± standard error. The paper shows bars; only its best share is given as a number." if paper else "",
        )

    def _cost(self, rows: pd.DataFrame) -> TextTable:
        lines = []
        for method in self.methods:
            own = rows[rows["method"] == method]
            failed, of = VERMA_CONVERGENCE.get(method, (None, None))
            lines.append(
                (
                    METHODS[method].label,
                    cell(own["bic"] - own["bic_truth"], 1),
                    f"{int((own['converged'] == 0).sum())} of {len(own)}",
                    f"{int(own['unconverged_restarts'].sum())}",
                    NOTHING if failed is None else f"{failed} of {of}",
                    seconds_text(own["cpu_seconds"]),
                    seconds_text(own["seconds"]),
                )
            )
        return TextTable(
            "Convergence and cost, all numbers of rows together",
            ("method", "BIC − BIC of truth", "not converged", "restarts", "paper", "processor s", "wall s"),
            tuple(lines),
            "Not converged: data sets whose best run did not meet the constraint; restarts: all such runs. Seconds per "
            "data set, compilation not counted.",
        )

    def picture(self, rows: pd.DataFrame) -> str:
        """Return the two figures: shares against the number of rows."""
        panels = []
        for title, verdicts in (("true class", ("true",)), ("true class or super-model", ("true", "super"))):
            curves = []
            for number, method in enumerate(self.methods):
                own = rows[rows["method"] == method]
                pairs = [mean_and_error(own[own["n"] == n]["verdict"].isin(verdicts)) for n in self.sizes]
                means, errors = zip(*pairs, strict=True)
                arid = METHODS[method].graph_class == "arid"
                curves.append(
                    Curve(METHODS[method].label, self.sizes, means, y_error=errors, colour=number, dashed=arid)
                )
            if verdicts == ("true",):
                (share,) = VERMA_TRUE_CLASS.values()
                curves.append(Curve("paper's best, bow-free", (1000,), (share,), colour=0, hollow=True))
            panels.append(
                Panel(title, "rows", "share of data sets", tuple(curves), y_range=(0.0, 1.0), x_ticks=self.sizes)
            )
        return draw_panels(
            panels, note=f"{counted(self.n_datasets, 'data set')} for each number of rows; bars: one standard error"
        )
