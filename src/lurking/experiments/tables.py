"""Tables of means with standard errors, for the terminal and for a page.

>>> table = TextTable("Recovery", ("method", "share"), (("paper", "0.39"), ("ours", "**0.69**")), "100 data sets")
>>> print(table.to_markdown())
**Recovery**
<BLANKLINE>
| method | share |
|---|---|
| paper | 0.39 |
| ours | **0.69** |
<BLANKLINE>
100 data sets
<BLANKLINE>
>>> mean_and_error([0.0, 1.0, 1.0, 1.0])
(0.75, 0.25)
>>> cell([0.0, 1.0, 1.0, 1.0])
'0.75 ± 0.25'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["TextTable", "cell", "emphasize_best", "mean_and_error", "seconds_text"]

NOTHING = "–"


@dataclass(frozen=True)
class TextTable:
    """A table of text; a cell between two pairs of asterisks is the best of its column.

    Attributes
    ----------
    title : str
        What it shows.
    columns : tuple of str
        The headings.
    rows : tuple of tuple of str
        The cells; the first of each row names it.
    note : str
        What must be known to read it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        lines = [f"**{self.title}**", "", _line(self.columns), "|" + "---|" * len(self.columns)]
        lines += [_line(row) for row in self.rows]
        return "\n".join([*lines, "", *([self.note, ""] if self.note else [])])

    def to_rich(self) -> Table:
        """Return the table for a terminal."""
        from rich.table import Table
        from rich.text import Text

        table = Table(
            title=Text(self.title, style="bold"),
            caption=Text(self.note, style="dim") if self.note else None,
            title_justify="left",
            caption_justify="left",
            box=None,
            pad_edge=False,
            padding=(0, 2, 0, 0),
            header_style="dim",
        )
        for position, heading in enumerate(self.columns):
            table.add_column(
                heading, justify="right" if position else "left", min_width=0 if position else 16, overflow="fold"
            )
        for row in self.rows:
            table.add_row(
                *(
                    Text(text.strip("*").replace(" ± ", "±"), style="bold green" if text.startswith("**") else "")
                    for text in row
                )
            )
        return table


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |"


def mean_and_error(values: Iterable[float]) -> tuple[float, float]:
    """Return the mean and its standard error; NaN values are left out, and with fewer than two there is no error."""
    numbers = np.asarray(list(values), dtype=np.float64)
    numbers = numbers[~np.isnan(numbers)]
    if not numbers.size:
        return math.nan, math.nan
    error = float(numbers.std(ddof=1)) / math.sqrt(numbers.size) if numbers.size > 1 else math.nan
    return float(numbers.mean()), error


def cell(values: Iterable[float], digits: int = 2) -> str:
    """Write the mean of values with its standard error."""
    mean, error = mean_and_error(values)
    if math.isnan(mean):
        return NOTHING
    return f"{mean:.{digits}f}" + ("" if math.isnan(error) else f" ± {error:.{digits}f}")


def seconds_text(values: Iterable[float]) -> str:
    """Write a mean time with two significant digits."""
    mean, _ = mean_and_error(values)
    return NOTHING if math.isnan(mean) else f"{mean:.1f}" if mean >= 1 else f"{mean:.2g}"


def emphasize_best(
    rows: Sequence[Sequence[str]], means: Sequence[Sequence[float]], largest: Sequence[bool]
) -> list[tuple[str, ...]]:
    """Mark the best cell of each column.

    Parameters
    ----------
    rows : sequence of rows
        The cells, without the name of the row.
    means : sequence of rows
        Their numbers; NaN cannot be best.
    largest : sequence of bool
        For each column, whether larger is better.

    Examples
    --------
    >>> emphasize_best([["0.80", "0.30"], ["0.89", "0.17"]], [[0.80, 0.30], [0.89, 0.17]], [True, False])
    [('0.80', '0.30'), ('**0.89**', '**0.17**')]
    """
    marked = [list(row) for row in rows]
    for column, larger in enumerate(largest):
        numbers = [row[column] if larger else -row[column] for row in means]
        best = max((number for number in numbers if not math.isnan(number)), default=math.nan)
        for row, number in enumerate(numbers):
            # What looks the same in the table is equally good.
            if not math.isnan(number) and round(number, 2) == round(best, 2):
                marked[row][column] = f"**{marked[row][column]}**"
    return [tuple(row) for row in marked]
