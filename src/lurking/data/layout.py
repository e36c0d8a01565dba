r"""How the table in a text file is written (separator, quotes, header, decimal mark), told from its first lines.

*Separator.* Of tab, semicolon, bar, comma and runs of spaces, those are possible that give nearly every line the same
number of values, at least two. Of the possible ones the separator is the one with which most cells are numbers; if that
does not decide, the first in this order. So ``1,5;2,5`` is separated by the semicolon, not by its decimal commas.

*Titles.* Up to ten lines before the table in which the separator of nearly all others does not occur are left out, and
so are empty lines and comments (``#``, ``//``, ``%``) there.

*Header.* A column whose first cell is no number and whose others are speaks for a header; a column whose first cell is
a number like the others speaks against one. Names may be 0, 1, 2, ... If no column speaks, the first line is a header
unless it holds a number.

*Decimal mark.* A point, unless the cells have numbers with one comma (``3,14``); ``1,234,567`` and ``1.234,5`` have
marks of thousands.

>>> layout_of("id;weight\n1;70,5\n2;81,25\n").described
'separated by semicolons, decimal commas'
>>> layout_of("1 2.5\n2 3.5\n").names
('X1', 'X2')
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lurking._errors import DataError

__all__ = ["LONGEST_LINE", "SEPARATOR_WORDS", "TextLayout", "is_number", "layout_of"]

SEPARATOR_WORDS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "spaces"}
"""The separators that are tried, in the order of preference."""

LONGEST_LINE = 2**20
"""A line with more letters than this is not one of a table."""

_LINES = 500
_MOST_TITLES = 10
_MOSTLY = 0.6
_AGREEMENT = 0.9
_CLEARLY_MORE = 0.15
_MISSING = {"", "*", "?", ".", "-", "na", "n/a", "nan", "null", "#n/a"}

_WORD = re.compile(r'"(?:[^"]|"")*"(?!\S)|\S+')
_PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?")
_THOUSANDS_COMMA = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_THOUSANDS_POINT = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?")


@dataclass(frozen=True)
class TextLayout:
    """How a table is written as text.

    Attributes
    ----------
    separator : str
        What stands between two values; a space means any run of spaces and tabs.
    names : tuple of str
        The names of the columns, X1, X2, ... without a header.
    has_header : bool
        Whether the first line holds the names.
    skipped : int
        The lines before the first row.
    decimal : str
        The decimal mark.
    thousands : str or None
        The mark of thousands.
    row_labels : bool
        Whether the first column only labels the rows and has no name.
    trailing : bool
        Whether each row ends with a separator, behind which nothing stands.
    """

    separator: str
    names: tuple[str, ...]
    has_header: bool = True
    skipped: int = 1
    decimal: str = "."
    thousands: str | None = None
    row_labels: bool = False
    trailing: bool = False

    @property
    def described(self) -> str:
        """The layout in a few words."""
        words = [f"separated by {SEPARATOR_WORDS.get(self.separator, repr(self.separator))}"]
        words = ["tab-separated"] if self.separator == "\t" else words
        if len(self.names) == 1 and self.separator == ",":
            words = ["one column"]
        if self.decimal == ",":
            words.append("decimal commas")
        if self.thousands:
            words.append(f"thousands written with {self.thousands!r}")
        if not self.has_header:
            words.append("no header line")
        if self.row_labels:
            words.append("the rows labelled by a first column without a name")
        return ", ".join(words)

    @property
    def n_fields(self) -> int:
        """The number of values in a line of the file."""
        return len(self.names) + self.row_labels + self.trailing


def is_number(text: str) -> bool:
    """Tell whether a text is a number in the usual notation."""
    return _PLAIN.fullmatch(text.strip()) is not None


def layout_of(
    head: str,
    *,
    name: str = "the file",
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    header: bool | None = None,
    complete: bool = True,
) -> TextLayout:
    """Return how the table at the beginning of a text is written.

    Parameters
    ----------
    head : str
        The first lines, as many as there are or enough to judge.
    name : str
        The file, for the error messages.
    separator, decimal, thousands : str, optional
        What is known already.
    header : bool, optional
        Whether the first line holds the names, if that is known already.
    complete : bool, default True
        Whether this is the whole text; otherwise its last line may be cut and is left out.

    Raises
    ------
    DataError
        If there is no table.
    """
    lines, before = _first_lines(head, name, complete)
    if separator is None and (told := re.fullmatch(r"sep=(.)", lines[0].strip('"'))) and len(lines) > 1:
        separator, lines, before = told[1], lines[1:], before + 1  # Excel writes and reads such a line
    if header is None and (titles := _title_lines(lines, separator)):
        lines, before = lines[titles:], before + titles
    if separator is None:
        separator = _separator(lines)
    rows, n_header_lines = _cells(lines, separator)
    if not rows:
        raise DataError(f"The file {name!r} holds no table; check how it was written.")
    first, body = [cell.strip() for cell in rows[0]], rows[1:]
    width = Counter(len(row) for row in body).most_common(1)[0][0] if body else len(first)
    trailing = bool(body) and width > 1 and all(row[-1].strip() == "" for row in body if len(row) == width)
    if trailing and len(first) == width and first[-1] == "":
        first = first[:-1]
    trailing = trailing and len(first) == width - 1
    unnamed_labels = len(first) == width - 1 and not trailing and _label_rows(body) and not _all_numbers(first)
    if header is None:
        header = unnamed_labels or _has_header(first, body)
    if decimal is None or thousands is None:
        found = _marks_of_numbers([cell for row in body for cell in row], separator)
        thousands = thousands if decimal is not None else found[1]
        decimal = decimal or found[0]
    if not header:
        names = tuple(f"X{k + 1}" for k in range(len(first)))
        return TextLayout(separator, names, False, before, decimal, thousands, False, trailing)
    labelled = unnamed_labels or (first[0] == "" and len(first) > 1 and _different(body))
    named = first if unnamed_labels else first[1:] if labelled else first
    names = tuple(cell or f"column {k + 1 + labelled}" for k, cell in enumerate(named))
    return TextLayout(separator, names, True, before + n_header_lines, decimal, thousands, labelled, trailing)


def _first_lines(head: str, name: str, complete: bool) -> tuple[list[str], int]:
    """Return the lines from the first one that is not empty and no comment, and how many stand before."""
    lines = re.split(r"\r\n|\n|\r", head)
    if lines and (not complete or lines[-1] == ""):
        lines = lines[:-1] if len(lines) > 1 or complete else lines
    before = 0
    while before < len(lines) and (not lines[before].strip() or re.match(r"[#%](?!.*[\t,;|])|//", lines[before])):
        before += 1
    if before == len(lines):
        raise DataError(f"The file {name!r} holds no table; check how it was written.")
    if any(len(line) >= LONGEST_LINE for line in lines):
        raise DataError(f"A line of {name!r} is longer than a million letters, so it is not a table; check the file.")
    return lines[before : before + _LINES], before


def _title_lines(lines: Sequence[str], separator: str | None) -> int:
    """Return how many lines stand before the table: those without the separator that nearly all others have."""
    for mark in "\t;|," if separator is None else separator:
        counts = [line.count(mark) for line in lines]
        common, n = Counter(count for line, count in zip(lines, counts, strict=True) if line.strip()).most_common(1)[0]
        if common < 2 or n < _MOSTLY * len(counts) or counts[0]:
            continue
        first = next(k for k, count in enumerate(counts) if count)
        titles, names = "".join(lines[:first]), lines[first].split(mark)
        if (
            first <= _MOST_TITLES
            and counts[first] >= common - 1
            and not any(other in titles for other in "\t;|")
            and not any(_like_number(cell.strip()) for cell in names)  # else these may be decimal commas
        ):
            return first
    return 0


def _cells(lines: Sequence[str], separator: str) -> tuple[list[list[str]], int]:
    """Return the cells of the lines that are not empty, and how many lines the first row takes."""
    if separator == " ":
        return [_words_of(line) for line in lines if line.strip()], 1
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, skipinitialspace=True)
    rows: list[list[str]] = []
    n_header_lines = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                n_header_lines = reader.line_num if len(rows) == 1 else n_header_lines
    except csv.Error:  # a value of a hundred thousand letters, as after a quote that is never closed
        return rows, n_header_lines
    return rows, n_header_lines


def _words_of(line: str) -> list[str]:
    """Split a line at runs of spaces and tabs, but not inside double quotes."""
    return [word[1:-1].replace('""', '"') if word.startswith('"') else word for word in _WORD.findall(line)]


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that makes the lines a table; a comma if none does."""
    possible: list[tuple[float, str]] = []
    irregular: list[tuple[float, str]] = []
    for separator in SEPARATOR_WORDS:
        rows, _ = _cells(lines, separator)
        counts = Counter(len(row) for row in rows[1:] or rows)
        if not counts:
            continue
        width, agreeing = counts.most_common(1)[0]
        share = agreeing / counts.total()
        if width < 2:
            if max(map(len, rows), default=1) > 1:
                irregular.append((0.0, separator))
            continue
        if share < _AGREEMENT or not _fits(rows[0], [row for row in rows[1:] if len(row) == width], width):
            irregular.append((share, separator))
            continue
        cells = [cell.strip() for row in rows[1:] or rows for cell in row]
        numbers = sum(is_number(cell) or _COMMA.fullmatch(cell) is not None or _is_gap(cell) for cell in cells)
        possible.append((numbers / len(cells), separator))
    if not possible:
        usable = [one for one in irregular if one[1] != " "]
        return max(usable, key=lambda one: one[0])[1] if usable else ","
    best = max(share for share, _ in possible)
    return next(separator for share, separator in possible if share >= best - _CLEARLY_MORE)


def _fits(first: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    """Tell whether the first row can be the header of rows with so many values."""
    n = len(first) - (len(first) > 1 and not first[-1].strip())
    if len(first) == width or n == width or not body:
        return True
    return n == width - 1 and (_label_rows(body) or all(not row[-1].strip() for row in body))


def _is_gap(cell: str) -> bool:
    return cell.lower() in _MISSING


def _all_numbers(cells: Sequence[str]) -> bool:
    return all(is_number(cell) or _COMMA.fullmatch(cell) is not None for cell in cells)


def _has_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row holds names: its cells differ in kind from those below."""
    for_it = against = 0
    for k, cell in enumerate(first):
        below = [row[k].strip() for row in body if k < len(row) and not _is_gap(row[k].strip())]
        numeric = bool(below) and sum(map(_like_number, below)) >= 0.9 * len(below)
        if numeric and _like_number(cell):
            against += 1
        elif numeric and not _is_gap(cell):
            for_it += 1
    if _counts_up(first) and not any(map(_counts_up, body[:20])):
        return True
    if for_it or against:
        return for_it >= against
    return not any(map(_like_number, first))


def _counts_up(cells: Sequence[str]) -> bool:
    """Tell whether the cells are whole numbers one after the other, as names that a program gave."""
    if len(cells) < 3 or not all(cell.strip().isdecimal() and len(cell) < 10 for cell in cells):
        return False
    start = int(cells[0])
    return all(int(cell) == start + k for k, cell in enumerate(cells))


def _like_number(cell: str) -> bool:
    return is_number(cell) or _COMMA.fullmatch(cell) is not None or _THOUSANDS_COMMA.fullmatch(cell) is not None


def _different(body: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first cells of all rows differ, as labels of rows do."""
    labels = [row[0].strip() for row in body if row]
    return bool(labels) and len(set(labels)) == len(labels)


def _label_rows(body: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first cells are labels that have no name: different texts, 1, 2, 3, ... or 0, 1, 2, ..."""
    labels = [row[0].strip() for row in body if row]
    counting = any(labels == [str(k + start) for k in range(len(labels))] for start in (0, 1))
    return _different(body) and (not all(map(is_number, labels)) or counting)


def _marks_of_numbers(cells: Sequence[str], separator: str) -> tuple[str, str | None]:
    """Return the decimal mark and the mark of thousands."""
    marked = [cell.strip() for cell in cells if "," in cell or "." in cell]
    by_comma = [cell for cell in marked if _THOUSANDS_COMMA.fullmatch(cell) and "," in cell]
    by_point = [cell for cell in marked if _THOUSANDS_POINT.fullmatch(cell) and "." in cell]
    decimal_commas = [cell for cell in marked if _COMMA.fullmatch(cell) and cell not in by_comma]
    decimal_points = [cell for cell in marked if is_number(cell) and "." in cell and cell not in by_point]
    surely_by_point = [cell for cell in by_point if "," in cell or cell.count(".") > 1]
    surely_by_comma = [cell for cell in by_comma if "." in cell or cell.count(",") > 1]
    if len(decimal_commas) + len(surely_by_point) > len(decimal_points):
        return ",", "." if by_point else None
    if by_comma and separator == ";" and not (surely_by_comma or decimal_points):
        return ",", None  # 1,234 beside semicolons: three decimals
    return ".", "," if by_comma else None
