"""What can be chosen at the command line about the search, the bootstrap and what is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from lurking._typing import GraphClass
from lurking.cli.options import Registered, check_effective_rows, check_jobs, class_names, criterion_names, together

if TYPE_CHECKING:
    from lurking.discovery import Knowledge
    from lurking.discovery.table_search import TableSearch

__all__ = [
    "DataRequest",
    "Output",
    "Resampling",
    "SearchSettings",
    "bootstrap_option",
    "full_option",
    "output_options",
    "search_options",
]


@dataclass(frozen=True)
class DataRequest:
    """The data: how to load and prepare them, and what to call them."""

    load: Callable[[], Any]
    title: str
    data_name: str
    data_hash: Callable[[], str] | None = None
    dataset: str | None = None
    missing: Literal["refuse", "drop", "em", "auto"] = "auto"
    margins: Literal["rank", "latent"] | None = None
    kinds: Mapping[str, str | list[str]] | None = field(default_factory=dict)
    collinear: Literal["refuse", "drop"] = "drop"
    clusters: str | None = None
    weights: str | None = None


@dataclass(frozen=True)
class SearchSettings:
    """How to search; the fields are parameters of :class:`~lurking.ADMGDiscovery`."""

    graph_class: GraphClass = "bow-free"
    solver: Literal["hybrid", "dcd", "exact"] = "hybrid"
    noise: Literal["free", "similar"] = "free"
    answer: Literal["central", "best", "consensus"] = "central"
    criterion: str = "marginal"
    restarts: int = 5
    seed: int = 0
    jobs: int = -1
    time_budget: float | None = None
    penalty: float | None = None
    knowledge: Path | None = None
    tiers: str | None = None
    effective_rows: str | int = "auto"

    def estimator(self, question: DataRequest) -> TableSearch:
        """Return the estimator that these settings describe."""
        from lurking.discovery.table_search import TableSearch

        model = TableSearch(
            graph_class=self.graph_class,
            solver=self.solver,
            noise_scale=self.noise,
            answer=self.answer,
            criterion=self.criterion,
            n_restarts=self.restarts,
            random_state=self.seed,
            n_jobs=self.jobs,
            knowledge=self._told(),
            time_budget=self.time_budget,
            effective_rows=self.effective_rows,
            missing=question.missing,
            margins=question.margins,
            kinds=self._kinds(question),
            collinear=question.collinear,
            clusters=question.clusters,
            weights=question.weights,
        )
        if self.penalty is not None:
            model = model.copy(penalty=self.penalty)
        return model

    def _kinds(self, question: DataRequest) -> Any:
        """Return what was said of the kinds of columns: in the knowledge file, and overriding it, in options."""
        from lurking.discovery import column_kinds

        if question.kinds is None:
            return None
        told = {} if self.knowledge is None else column_kinds(self.knowledge)
        return {**told, **question.kinds} or "auto"

    def _told(self) -> Knowledge | None:
        """Return the knowledge that a file or a line of tiers holds."""
        from lurking.discovery import Knowledge, read_knowledge

        if self.tiers is not None:
            return Knowledge.from_tiers(self.tiers)
        return None if self.knowledge is None else read_knowledge(self.knowledge)


@dataclass(frozen=True)
class Resampling:
    """How often the search is repeated on resampled data, and on which Dask cluster, if on any."""

    replicates: int
    dask: str | None = None


@dataclass(frozen=True)
class Output:
    """What is written and said."""

    folder: Path
    svg: bool = False
    as_json: bool = False
    quiet: bool = False
    full: bool = False


search_options = together(
    click.option(
        "--class",
        "graph_class",
        type=Registered(class_names),
        default="bow-free",
        show_default=True,
        help="Which graphs are considered.",
    ),
    click.option(
        "--solver",
        type=click.Choice(["hybrid", "dcd", "exact"]),
        default="hybrid",
        show_default=True,
        help="Exact scores from many starts; the paper's procedure; or all graphs (up to 5 variables).",
    ),
    click.option(
        "--noise",
        type=click.Choice(["free", "similar"]),
        default="free",
        show_default=True,
        help="Assume nothing of the noise, or that all variables have similar noise of their own, in the units given.",
    ),
    click.option(
        "--answer",
        type=click.Choice(["central", "best", "consensus"]),
        default="central",
        show_default=True,
        help="The graph with the fewest expected errors, with the best score, or with the most probable adjacencies.",
    ),
    click.option(
        "--criterion",
        type=Registered(criterion_names),
        default="marginal",
        show_default=True,
        help="What graphs are scored by: the marginal likelihood with a prior over graphs, BIC, or extended BIC.",
    ),
    click.option(
        "--knowledge",
        metavar="FILE.toml",
        type=click.Path(path_type=Path),
        help="What is known beforehand: tiers, forbid, require, unconfounded; or Tetrad's knowledge.",
    ),
    click.option(
        "--tiers",
        metavar="'A,B < C < *'",
        help="What came first: tiers from early to late; * stands for all other columns.",
    ),
    click.option(
        "--restarts",
        metavar="N",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        help="Runs from different starts; the best one counts.",
    ),
    click.option(
        "--effective-rows",
        metavar="auto|all|N",
        default="auto",
        show_default=True,
        callback=check_effective_rows,
        help="How many rows the scores count: what the table is worth, all, or a number.",
    ),
    click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="The seed."),
    click.option(
        "--penalty",
        metavar="LAMBDA",
        type=click.FloatRange(min=0, min_open=True),
        help="The paper's λ, for --solver dcd only; by default 0.05.",
    ),
    click.option(
        "--time-budget",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        help="Have the whole answer after so many seconds, with the best graph so far; each search of a bootstrap may "
        "take as long.",
    ),
    click.option(
        "--jobs",
        metavar="N",
        type=int,
        callback=check_jobs,
        default=-1,
        help="Runs at the same time; by default one for each core. It does not change the answer.",
    ),
)
"""Adds the options of the search."""


bootstrap_option = click.option(
    "--bootstrap",
    "replicates",
    metavar="N",
    type=click.IntRange(min=1),
    help="Also search N resampled tables, and say how often each edge is found.",
)
"""Adds the option that repeats the search on resampled data."""


full_option = click.option(
    "--full", is_flag=True, help="Print the graph in numbers, the fit, what is left open and all findings as well."
)
"""Adds the option that prints everything."""


output_options = together(
    click.option(
        "--out",
        "folder",
        metavar="DIR",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path("."),
        help="The folder for report.html and result.json; by default the current one.",
    ),
    click.option("--svg", is_flag=True, help="Write the pictures graph.svg and pag.svg as well."),
    click.option("--json", "as_json", is_flag=True, help="Print result.json instead of words."),
    click.option("--quiet", "-q", is_flag=True, help="No progress and no words, only files and errors."),
)
"""Adds the options on what is written and said."""
