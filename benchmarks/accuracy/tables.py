"""The tables of results: errors of each method by world and size, and the comparison of ours with the baselines.

Differences are paired: between two methods on the same data sets. The best baseline of a cell is chosen on the data
that it is compared on, so it is better there than it would be on new data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import harmonic_mean

import pandas as pd
from benchmarks.accuracy.methods import ANY_SIZE_UP_TO, BASELINES, GROUPS, MAX_CONDITIONING, label
from benchmarks.accuracy.worlds import TUNING, WORLDS

from lurking.experiments.store import ResultStore
from lurking.experiments.tables import NOTHING, TextTable, cell, emphasize_best, mean_and_error, seconds_text

__all__ = ["all_tables", "comparison", "frame_of", "seeds_text"]

CELL = ["world", "d", "n"]
NUMBERS = ("d", "n", "seed", "pag_shd", "true_class", "seconds", "reached")
MEASURES = ("skeleton", "arrowhead", "tail")


def frame_of(store: ResultStore, first: int) -> pd.DataFrame:
    """Return the rows of one range of seeds: those for reporting, or those for tuning."""
    table = pd.DataFrame(store.rows(), columns=list(store.columns))
    numbers = [column for column in table.columns if column in NUMBERS or column.endswith(("_tpr", "_fdr"))]
    for column in numbers:
        table[column] = pd.to_numeric(table[column])
    return table[(table["seed"] >= first) & ((first >= TUNING) | (table["seed"] < TUNING))]


def all_tables(table: pd.DataFrame) -> list[TextTable]:
    """Return all tables for which there are rows."""
    hidden = table[table["world"] == "hidden"]
    paper = table[table["world"].isin(("ancestral", "arid"))]
    verma = table[table["world"] == "verma"]
    found: list[TextTable] = []
    if len(hidden):
        found += [_distances(hidden), _skeletons(hidden)]
        found += [comparison(hidden, method) for method in _methods(hidden) if method not in BASELINES]
    found += [_marks(rows, world, d) for world, d, rows in _by_world(paper)]
    if len(verma):
        found.append(_shares(verma))
    found += [_seconds(table[table["world"] == world], world) for world in WORLDS if world in set(table["world"])]
    return found


def seeds_text(table: pd.DataFrame) -> str:
    """Say which seeds the rows have."""
    parts = []
    for world in WORLDS:
        seeds = sorted(set(table.loc[table["world"] == world, "seed"].astype(int)))
        if seeds:
            parts.append(f"{world} {seeds[0]} to {seeds[-1]} ({len(seeds)})")
    use = "tuning" if len(table) and table["seed"].min() >= TUNING else "reporting"
    return f"Seeds for {use}: {', '.join(parts)}."


def _methods(table: pd.DataFrame) -> list[str]:
    """Return the methods: ours in the order of their names, then the baselines in their own."""
    there = set(table["method"])
    return [*sorted(there - set(BASELINES)), *(name for name in BASELINES if name in there)]


def _by_world(table: pd.DataFrame) -> list[tuple[str, int, pd.DataFrame]]:
    keys = sorted({(str(world), int(d)) for world, d in zip(table["world"], table["d"], strict=True)})
    return [(world, d, table[(table["world"] == world) & (table["d"] == d)]) for world, d in keys]


def _sizes(table: pd.DataFrame) -> list[tuple[int, int]]:
    return sorted({(int(d), int(n)) for d, n in zip(table["d"], table["n"], strict=True)})


def _by_size(
    table: pd.DataFrame,
    title: str,
    write: Callable[[pd.DataFrame], str],
    best: Callable[[pd.DataFrame], float] | None = None,
    note: str = "",
) -> TextTable:
    """Return a table with a row for each method and a column for each size; ``best`` is small where it is good."""
    sizes, methods = _sizes(table), _methods(table)
    texts, means = [], []
    for method in methods:
        of_method = table[table["method"] == method]
        parts = [of_method[(of_method["d"] == d) & (of_method["n"] == n)] for d, n in sizes]
        texts.append([_with_failures(part, write) for part in parts])
        means.append([math.nan if best is None or part.empty else best(part) for part in parts])
    marked = emphasize_best(texts, means, [False] * len(sizes))
    rows = tuple((label(method), *row) for method, row in zip(methods, marked, strict=True))
    return TextTable(title, ("method", *(f"{d}, n = {n}" for d, n in sizes)), rows, note)


def _with_failures(part: pd.DataFrame, write: Callable[[pd.DataFrame], str]) -> str:
    """Write the numbers of a cell, with how many data sets have no answer."""
    if part.empty:
        return NOTHING
    failed = int((part["note"] != "").sum())
    return write(part[part["note"] == ""]) + (f" ({failed} of {len(part)} without answer)" if failed else "")


def _distances(hidden: pd.DataFrame) -> TextTable:
    counts = hidden.drop_duplicates([*CELL, "seed"]).groupby(CELL).size()
    return _by_size(
        hidden,
        "Hidden roots: pairs whose edge differs from that of the true PAG",
        lambda part: cell(part["pag_shd"], 1),
        lambda part: _mean(part, "pag_shd"),
        f"Mean with standard error; {_range(counts)} data sets for each size. The smallest mean of a column is bold; a "
        "mean over fewer data sets, where some have no answer, cannot be compared with the others. FCI and GFCI of "
        f"lurking take conditioning sets of at most {MAX_CONDITIONING} variables if there are more than "
        f"{ANY_SIZE_UP_TO}; greedySPo is run on at most {GROUPS['spo'].at_most}.",
    )


def _skeletons(hidden: pd.DataFrame) -> TextTable:
    return _by_size(
        hidden,
        "Hidden roots: adjacencies of the PAG, tpr/fdr",
        lambda part: _rates(part, "skeleton"),
    )


def _shares(verma: pd.DataFrame) -> TextTable:
    return _by_size(
        verma,
        "Verma graphs: share of data sets with a graph of the true class",
        lambda part: cell(part["true_class"]),
        lambda part: -_mean(part, "true_class"),
    )


def _seconds(table: pd.DataFrame, world: str) -> TextTable:
    return _by_size(
        table,
        f"Seconds of processor time, world {world}",
        lambda part: seconds_text(part["seconds"]),
        note="Mean over the data sets; the answers of one search share its time.",
    )


def _marks(table: pd.DataFrame, world: str, d: int) -> TextTable:
    rows, means = [], []
    methods = _methods(table)
    for method in methods:
        part = table[table["method"] == method]
        answered = part[part["note"] == ""]
        scores = [_f1(answered, measure) for measure in MEASURES]
        distance = _with_failures(part, lambda some: cell(some["pag_shd"], 1))
        cells = [f"{_rates(answered, measure)} F1 {score:.2f}" for measure, score in zip(MEASURES, scores, strict=True)]
        rows.append([*cells, distance])
        means.append([*(-score for score in scores), _mean(answered, "pag_shd")])
    marked = emphasize_best(rows, means, [False] * 4)
    n_sets = table["seed"].nunique()
    return TextTable(
        f"The paper's generator, {world} truths, {d} variables, 1000 rows",
        ("method", *(f"{measure} tpr/fdr" for measure in MEASURES), "PAG distance"),
        tuple((label(method), *row) for method, row in zip(methods, marked, strict=True)),
        f"{n_sets} data sets. Adjacencies of the ADMG (of the PAG, for methods that find only one), marks of the PAG. "
        "F1 is that of the mean tpr and 1 - mean fdr.",
    )


def _mean(part: pd.DataFrame, column: str) -> float:
    """Return the mean of a column, NaN if it has no value."""
    return mean_and_error(part[column])[0]


def _rates(part: pd.DataFrame, measure: str) -> str:
    if part.empty:
        return NOTHING
    return f"{_mean(part, f'{measure}_tpr'):.2f}/{_mean(part, f'{measure}_fdr'):.2f}"


def _f1(part: pd.DataFrame, measure: str) -> float:
    rates = (_mean(part, f"{measure}_tpr"), 1.0 - _mean(part, f"{measure}_fdr"))
    return math.nan if any(math.isnan(rate) for rate in rates) else harmonic_mean(rates)


def comparison(hidden: pd.DataFrame, method: str) -> TextTable:
    """Return the table that compares one answer of ours with the best baseline of each size and of the whole grid."""
    wide = hidden.pivot_table(index=[*CELL, "seed"], columns="method", values="pag_shd")
    wide = wide[wide[method].notna()]
    there = [name for name in BASELINES if name in wide.columns]
    rows = []
    for (_, d, n), part in wide.groupby(level=CELL):
        complete = [name for name in there if part[name].notna().all()]
        rows.append((f"{d}, n = {n}", *_against(part, complete, method)))
    complete = [name for name in there if wide[name].notna().all()]
    rows.append(("all sizes, best single baseline", *_against(wide, complete, method)))
    left_out = [name for name in there if name not in complete]
    note = (
        "Pairs that differ from the true PAG; difference: ours minus the baseline on the same data sets, mean with "
        "standard error. 'up to one error' says whether the difference is at most its standard error. In each row the "
        "best of the baselines that answered on all data sets of the row."
    )
    if left_out:
        note += f" Not on all data sets: {', '.join(label(name) for name in left_out)}."
    columns = ("size", "data sets", "best baseline", "its mean", "ours", "difference", "less by", "up to one error")
    return TextTable(f"Hidden roots: {label(method)}, against the best baseline", columns, tuple(rows), note)


def _against(part: pd.DataFrame, baselines: Sequence[str], method: str) -> tuple[str, ...]:
    number = str(len(part))
    ours = _mean(part, method)
    if not baselines:
        return (number, NOTHING, NOTHING, f"{ours:.1f}", NOTHING, NOTHING, NOTHING)
    best = min(baselines, key=lambda name: _mean(part, name))
    theirs = _mean(part, best)
    difference, error = mean_and_error(part[method] - part[best])
    below = "yes" if difference <= (0.0 if math.isnan(error) else error) else "no"
    share = f"{100 * (1 - ours / theirs):.0f} %" if theirs else NOTHING
    return (number, label(best), f"{theirs:.1f}", f"{ours:.1f}", cell(part[method] - part[best], 1), share, below)


def _range(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
