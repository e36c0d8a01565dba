"""What was found in a file, said before the search: one line, a small table of kinds, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lurking._wording import joined
from lurking.cli.spelling import in_options

if TYPE_CHECKING:
    from lurking.cli.console import ProgressBar
    from lurking.data import ColumnReport, Reading
    from lurking.data.prepare import PreparedData

__all__ = ["kinds_table", "say_what_was_read"]

_MOST_NAMES = 6


def say_what_was_read(bar: ProgressBar, data: PreparedData) -> None:
    """Write what was found to stderr; a file of plain numbers needs one line."""
    from lurking.graphs.drawing import printable

    reading = data.reading
    if reading is None:
        return
    lines = [f"Read: {reading.line}", *([] if reading.is_plain else kinds_table(reading))]
    spoken = [note for note in data.notes if note.kind != "coded"]  # the table of kinds says it
    lines += [in_options(n.message if n.kind == "missing" else joined([n.message, n.advice])) for n in spoken]
    for line in lines:
        bar.say(printable(line))


def kinds_table(reading: Reading) -> list[str]:
    """Return the kinds of the columns as lines: for each kind which columns have it, and what becomes of them."""
    groups: dict[tuple[str, str], list[ColumnReport]] = {}
    for report in reading.columns:
        groups.setdefault((report.kind, _fate(report)), []).append(report)
    rows = [(kind, fate, _names(reports)) for (kind, fate), reports in groups.items()]
    widths = [max(len(row[k]) for row in rows) for k in range(2)]
    return [f"  {kind:<{widths[0]}}  {fate:<{widths[1]}}  {names}" for kind, fate, names in rows]


def _fate(report: ColumnReport) -> str:
    return ("used" if report.used else "left out") + (", as you said" if report.told else "")


def _names(reports: list[ColumnReport]) -> str:
    shown = [
        f"{report.name} ({report.remark})" if report.remark and " is 1, " in report.remark else report.name
        for report in reports[:_MOST_NAMES]
    ]
    more = f", and {len(reports) - _MOST_NAMES} more" if len(reports) > _MOST_NAMES else ""
    return ", ".join(shown) + more
