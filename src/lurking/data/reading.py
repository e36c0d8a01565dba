"""What was found by looking at a table: how it is written, what kind each column is, and what was left out.

A :class:`Reading` is a small value without any data. The command line prints it, and the audit and the analysis carry
it.

>>> reading = Reading("tab-separated", 4177, (ColumnReport("Sex", "nominal", False), ColumnReport("Rings", "count")))
>>> reading.line
'tab-separated, 4,177 rows, 2 columns, 1 of them used'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lurking._wording import counted

__all__ = ["KINDS", "ColumnKind", "ColumnReport", "Reading", "TableNote"]

ColumnKind = Literal[
    "continuous", "count", "binary", "ordinal", "nominal", "identifier", "date", "constant", "free text"
]
KINDS: tuple[ColumnKind, ...] = (
    "continuous",
    "count",
    "binary",
    "ordinal",
    "nominal",
    "identifier",
    "date",
    "constant",
    "free text",
)
"""The kinds of columns."""

PLAIN: frozenset[ColumnKind] = frozenset({"continuous", "count"})
"""The kinds that need no word: columns of numbers."""


@dataclass(frozen=True)
class TableNote:
    """Something that was done to a table, or should be known about it; the audit makes a finding of it.

    Attributes
    ----------
    kind : str
        A word, such as "left out".
    columns : tuple of str
        The columns it is about.
    size : float
        How large it is, in the unit of its kind.
    message, advice : str
        What was seen and done, and what the user can do about it, in a sentence each.
    """

    kind: str
    columns: tuple[str, ...]
    size: float
    message: str
    advice: str


@dataclass(frozen=True)
class ColumnReport:
    """What one column holds.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        One of ``KINDS``.
    used : bool
        Whether it takes part in the search.
    remark : str
        What is to be known about it, in a few words: which level is 1, why it is left out.
    n_missing : int
        How many values are missing.
    marks : tuple of str
        How missing values are written in the file; the empty text for an empty cell.
    told : bool
        Whether the user said the kind.
    """

    name: str
    kind: ColumnKind
    used: bool = True
    remark: str = ""
    n_missing: int = 0
    marks: tuple[str, ...] = ()
    told: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether nothing needs to be said about the column."""
        return self.used and self.kind in PLAIN and not self.told and not self.remark


@dataclass(frozen=True)
class Reading:
    """What was found by looking at a table.

    Attributes
    ----------
    described : str
        How the file is written; empty for a table in memory.
    n_rows : int
        The number of rows.
    columns : tuple of ColumnReport
        The columns in their order, those that are left out among them; empty for a covariance matrix.
    file_hash : str or None
        The hash of the file.
    """

    described: str
    n_rows: int
    columns: tuple[ColumnReport, ...] = ()
    file_hash: str | None = None

    @property
    def line(self) -> str:
        """The reading in one line."""
        parts = [self.described] if self.described else []
        parts.append(counted(self.n_rows, "row"))
        if self.columns:
            n_used = sum(column.used for column in self.columns)
            parts.append(counted(len(self.columns), "column"))
            if n_used < len(self.columns):
                parts.append(f"{n_used} of them used")
            parts += _about_missing(self.columns)
        return ", ".join(parts)

    @property
    def is_plain(self) -> bool:
        """Whether every column is used and holds numbers, so that no table of the kinds is needed."""
        return all(column.is_plain for column in self.columns)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The columns that take no part in the search."""
        return tuple(column.name for column in self.columns if not column.used)


def _about_missing(columns: Iterable[ColumnReport]) -> list[str]:
    """Return how missing values are written, and in how many columns."""
    incomplete = [column for column in columns if column.n_missing]
    if not incomplete:
        return []
    words = Counter(mark for column in incomplete for mark in column.marks)
    written = [repr(mark) if mark else "as empty cells" for mark, _ in words.most_common(3)]
    how = f" written {' and '.join(written)}" if written else ""
    return [f"missing values{how} in {counted(len(incomplete), 'column')}"]
