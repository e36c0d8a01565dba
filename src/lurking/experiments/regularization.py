"""What the strength of the penalty does to the paper's method (appendix E, the table of λ).

The data are those of the experiment ``verma`` at 1000 rows, the method is the paper's, bow-free. Weak penalties give
graphs that are too dense (super-models), strong ones graphs that are too sparse (wrong).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from lurking._errors import ParameterError
from lurking._wording import counted
from lurking.experiments.experiment import Experiment, Task
from lurking.experiments.methods import FOUND_COLUMNS, check_methods, learn
from lurking.experiments.published import REGULARIZATION
from lurking.experiments.tables import TextTable, cell, mean_and_error, seconds_text
from lurking.experiments.verdict import VERDICTS
from lurking.experiments.verma import JUDGED_COLUMNS, judged, verma_moments, verma_seed
from lurking.report.panels import Curve, Panel, draw_panels

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["N_SAMPLES", "RegularizationExperiment"]

N_SAMPLES = 1000
METHOD = "dcd-bow-free"


@dataclass(frozen=True)
class _RegularizationTask:
    penalty: float
    dataset: int
    base_seed: int
    restarts: int | None

    def row_keys(self) -> list[tuple[object, ...]]:
        return [(self.penalty, self.dataset, verma_seed(self.base_seed, N_SAMPLES, self.dataset), METHOD)]

    def run(self) -> list[dict[str, object]]:
        seed, truth, moments = verma_moments(self.base_seed, N_SAMPLES, self.dataset)
        found = learn(METHOD, moments, restarts=self.restarts, seed=seed + 1, parameters={"penalty": self.penalty})
        row = dict(zip(RegularizationExperiment.key, *self.row_keys(), strict=True))
        return [row | judged(found, truth, moments) | found.columns()]


class RegularizationExperiment(Experiment):
    """How often the paper's method finds the true model, a super-model or a wrong one, by its penalty.

    Parameters
    ----------
    n_datasets : int, default 100
        Data sets.
    seed : int, default 0
        The seed; with that of ``verma``, the same data.
    methods : sequence of str, optional
        Only ``dcd-bow-free`` has the penalty.
    restarts : int, optional
        Random starts; by default the paper's five.
    penalties : sequence of float
        The values of λ.
    """

    name = "regularization"
    key = ("penalty", "dataset", "seed", "method")
    columns: ClassVar[dict[str, type]] = {
        "penalty": float,
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
        penalties: Sequence[float] = tuple(REGULARIZATION),
    ) -> None:
        super().__init__(n_datasets, seed, restarts)
        check_methods(methods, (METHOD,), self.name)
        if any(penalty <= 0 for penalty in penalties):
            raise ParameterError(f"Every penalty must be above 0. Got {min(penalties)!r} instead.")
        self.penalties = tuple(penalties)

    def tasks(self) -> list[Task]:
        """Return one task for each data set and penalty."""
        return [
            _RegularizationTask(penalty, k, self.seed, self.restarts)
            for k in range(self.n_datasets)
            for penalty in self.penalties
        ]

    def tables(self, rows: pd.DataFrame) -> list[TextTable]:
        """Return the shares of true, super and wrong models beside the paper's."""
        lines = []
        for penalty in self.penalties:
            own = rows[rows["penalty"] == penalty]
            shares = [cell((own["verdict"] == name).astype(float)) for name in VERDICTS]
            paper = REGULARIZATION.get(penalty)
            lines.append(
                (
                    f"{penalty:g}",
                    *shares,
                    "–" if paper is None else " / ".join(f"{share:.2f}" for share in paper),
                    f"{int((own['converged'] == 0).sum())} of {len(own)}",
                    seconds_text(own["cpu_seconds"]),
                )
            )
        return [
            TextTable(
                f"Models found by the paper's method, bow-free, n = {N_SAMPLES}, "
                f"{counted(self.n_datasets, 'data set')}",
                ("λ", "true", "super", "wrong", "paper: true / super / wrong", "not converged", "processor s"),
                tuple(lines),
                "± standard error. The paper's method sharpens tanh by ln(n)/2 here (docs/solver-dcd.md).",
            )
        ]

    def picture(self, rows: pd.DataFrame) -> str:
        """Return the shares against λ, the paper's as rings."""
        curves = []
        for number, name in enumerate(VERDICTS):
            pairs = [mean_and_error(rows[rows["penalty"] == p]["verdict"] == name) for p in self.penalties]
            means, errors = zip(*pairs, strict=True)
            curves.append(Curve(f"{name} model", self.penalties, means, y_error=errors, colour=number))
            published = tuple(getattr(row, name) for row in REGULARIZATION.values())
            curves.append(
                Curve(f"paper: {name}", tuple(REGULARIZATION), published, colour=number, dashed=True, hollow=True)
            )
        panel = Panel(
            "Strength of the penalty",
            "λ",
            "share of data sets",
            tuple(curves),
            y_range=(0.0, 1.0),
            log_x=True,
            x_ticks=self.penalties,
        )
        return draw_panels([panel], note=f"{counted(self.n_datasets, 'data set')}; bars: one standard error")
