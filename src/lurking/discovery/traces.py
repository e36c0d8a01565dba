"""How a search went, as lines to be drawn: the best score over the rounds, or the constraint over the dual steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lurking.discovery.analysis_parts import Trace
from lurking.search.result import SearchResult

if TYPE_CHECKING:
    from lurking.search.differentiable import DifferentiableResult

__all__ = ["trace_of", "traces_of"]

Series: TypeAlias = tuple[tuple[str, tuple[float, ...], tuple[float, ...]], ...]


def traces_of(search: SearchResult) -> tuple[Trace, ...]:
    """Return the best score so far over the rounds of each run; for the paper's solver, its dual steps."""
    details = [run.detail for run in search.runs if run.detail is not None]
    if details:
        return _dual_traces(details)
    runs = [run for run in search.runs if len(run.best_scores) > 1]
    if not runs:
        return ()
    series = tuple(
        (f"run {k + 1}, from {run.start}", tuple(map(float, range(len(run.best_scores)))), tuple(run.best_scores))
        for k, run in enumerate(runs)
    )
    reading = "Runs that end at the same height found equally good graphs; the more of them, the surer the optimum."
    return (trace_of("The search", "round", "best score so far", series, reading),)


def _dual_traces(details: list[DifferentiableResult]) -> tuple[Trace, ...]:
    """Return the constraint and the objective over the dual steps of each run of the paper's solver."""

    def series(quantity: str) -> Series:
        return tuple(
            (
                f"run {k + 1}",
                tuple(float(step) for step in range(1, len(detail.trace) + 1)),
                tuple(float(getattr(step, quantity)) for step in detail.trace),
            )
            for k, detail in enumerate(details)
        )

    falling = "The constraint falls to zero as the graph enters its class; a run that ends high had to be repaired."
    rising = "Least squares, constraint and sparsity together; a run that ends lower found a better compromise."
    return (
        trace_of("The constraint", "dual step", "h", series("h"), falling, log_scale=True),
        trace_of("The objective", "dual step", "objective", series("objective"), rising),
    )


def trace_of(
    title: str, x_label: str, y_label: str, series: Series, reading: str = "", *, log_scale: bool = False
) -> Trace:
    """Return a quantity and its lines as ``result.json`` has them."""
    return {
        "title": title, "x_label": x_label, "y_label": y_label, "series": series, "log_scale": log_scale,
        "reading": reading,
    }  # fmt: skip
