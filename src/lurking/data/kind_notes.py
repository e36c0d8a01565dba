"""Sentences on the columns that are left out because of their kind, and on words that became numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lurking._wording import counted, setting
from lurking.data.checks import listed
from lurking.data.indicators import FEWEST_ROWS, ColumnGroup
from lurking.data.reading import ColumnReport, TableNote

__all__ = ["indicator_note", "notes_on", "pooling_note"]

_MOST_LEVELS = 6  # that are named


def notes_on(
    reports: Iterable[ColumnReport],
    levels: Mapping[str, Sequence[str]],
    orders: Mapping[str, tuple[str, ...] | None],
    as_indicators: bool = False,
) -> tuple[TableNote, ...]:
    """Return what has to be said about the kinds of columns.

    Parameters
    ----------
    reports : iterable of ColumnReport
        All columns.
    levels : mapping of str to sequence of str
        The levels of the nominal columns.
    orders : mapping of str to (tuple of str or None)
        Their natural order, if they have one.
    as_indicators : bool, default False
        Whether only those nominal columns are left out that have too few rows of each level.
    """
    reports = list(reports)
    return (*_left_out(reports), *_nominal(reports, levels, orders, as_indicators), *_coded(reports))


def _left_out(reports: Sequence[ColumnReport]) -> Iterator[TableNote]:
    out = [report for report in reports if not report.used]
    twins = [report for report in out if report.remark.startswith("equal to ")]
    for kind, why, advice in (
        ("identifier", "only label the rows", "is a measurement"),
        ("constant", "never change", ""),
        ("date", "hold dates or times", "shall be used as the number of days"),
    ):
        names = tuple(report.name for report in out if report.kind == kind and report not in twins)
        if names:
            verb = f"they {why}" if len(names) > 1 else _singular(why)
            say = f"If {names[0]!r} {advice}, say " + setting("kinds", {names[0]: "continuous"}) + "." if advice else ""
            say = say or "Nothing can be learnt from a column that never changes."
            yield TableNote(
                "no variable", names, float(len(names)), f"{listed(names)} {_are(names)} left out: {verb}.", say
            )
    for report in twins:
        message = f"{report.name!r} is left out, because it is {report.remark} in every row."
        yield TableNote("no variable", (report.name,), 1.0, message, "One of the two says everything.")
    for report in out:
        if report.kind == "free text":
            numbers = report.remark.startswith("numbers, but also ")
            odd = report.remark.removeprefix("numbers, but also ").split("'")
            advice = (
                f"If {odd[1]!r} stands for a missing value, say "
                + setting("na", [odd[1]])
                + "; otherwise correct it in the file."
                if numbers and len(odd) > 2
                else "Turn what it says into numbers or a few levels, if it matters."
            )
            message = f"{report.name!r} is left out: it holds {report.remark}."
            yield TableNote("left out" if numbers else "no variable", (report.name,), 1.0, message, advice)


def _nominal(
    reports: Sequence[ColumnReport],
    levels: Mapping[str, Sequence[str]],
    orders: Mapping[str, tuple[str, ...] | None],
    as_indicators: bool,
) -> Iterator[TableNote]:
    names = tuple(report.name for report in reports if report.kind == "nominal" and not report.used)
    if not names:
        return
    ordered = next((name for name in names if orders.get(name)), None)
    if ordered is not None:
        order = " < ".join(orders[ordered] or ())
        advice = (
            f"If the levels of {ordered!r} are ordered ({order}), say " + setting("kinds", {ordered: "ordinal"}) + "."
        )
    else:
        first, example = names[0], "<".join(sorted(levels[names[0]]))
        say = setting("kinds", {first: example})
        advice = f"If the levels of {first!r} have an order, write it from low to high, as in " + say + "."
    many = len(names) > 1
    why = (
        f"{'their' if many else 'its'} levels have no order, so {'they are no numbers' if many else 'it is no number'}"
    )
    if as_indicators:
        why = f"fewer than two of {'their' if many else 'its'} levels have {FEWEST_ROWS} rows"
    message = (
        f"{listed(names)} {_are(names)} left out: {why}. What a column that is left out causes looks like an "
        "unmeasured cause."
    )
    yield TableNote("left out", names, float(len(names)), message, advice)


def indicator_note(groups: Sequence[ColumnGroup], orders: Mapping[str, tuple[str, ...] | None]) -> list[TableNote]:
    """Return a note on the nominal columns that became one variable each, if there are any.

    Parameters
    ----------
    groups : sequence of ColumnGroup
        The nominal columns.
    orders : mapping of str to (tuple of str or None)
        The natural order of their levels, if they have one.
    """
    if not groups:
        return []
    named = [
        f"{group.vertex!r} ({_shown(group.levels)}) is one variable of {counted(len(group.columns), 'column')}"
        for group in groups
    ]
    ordered = next((group.vertex for group in groups if orders.get(group.vertex)), None)
    advice = "Which level has no column does not matter to the search."
    if ordered is not None:
        order = " < ".join(orders[ordered] or ())
        advice = (
            f"If the levels of {ordered!r} are ordered ({order}), say " + setting("kinds", {ordered: "ordinal"}) + "."
        )
    names = tuple(group.vertex for group in groups)
    return [TableNote("nominal", names, float(len(names)), f"{'; '.join(named)}.", advice)]


def _shown(levels: Sequence[str]) -> str:
    more = ", ..." if len(levels) > _MOST_LEVELS else ""
    return ", ".join(levels[:_MOST_LEVELS]) + more


def pooling_note(group: ColumnGroup, levels: Sequence[str]) -> list[TableNote]:
    """Return a note on the rare levels of a nominal column that were joined, if there are any."""
    joined = sorted(set(levels) - set(group.levels))
    if not joined:
        return []
    (pool,) = set(group.levels) - set(levels)
    message = f"The rare levels {listed(joined)} of {group.vertex!r} were joined as {pool!r}."
    return [TableNote("coded", (group.vertex,), float(len(joined)), message, "Each had hardly any row of its own.")]


def _coded(reports: Sequence[ColumnReport]) -> Iterator[TableNote]:
    words = [report for report in reports if report.used and report.kind == "binary" and " is 1, " in report.remark]
    if words:
        shown = "; ".join(f"in {report.name!r} {report.remark}" for report in words[:6])
        more = f"; and {len(words) - 6} more" if len(words) > 6 else ""
        names = tuple(report.name for report in words)
        yield TableNote(
            "coded",
            names,
            float(len(names)),
            f"Words became numbers: {shown}{more}.",
            "The other way round only changes the sign of the effects.",
        )


def _are(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 else "is"


def _singular(verb: str) -> str:
    return {
        "only label the rows": "it only labels the rows",
        "never change": "it never changes",
        "hold dates or times": "it holds dates or times",
    }[verb]
