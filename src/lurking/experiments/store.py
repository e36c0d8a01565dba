"""A table of results that survives being killed: rows are appended as they are finished, and never computed twice.

The file is a CSV with a header. The first columns are the *key*: they say which piece of work a row is the answer to.
Each row is written and flushed to the disk as a whole line. A process that is killed in the middle leaves at most one
torn last line, without its line end; the next run cuts it off and says so. A header that is not the one expected was
written by another version, and is an error rather than a guess.

Rows come in the order in which they were finished, which depends on the number of workers. :meth:`ResultStore.sort`
puts them in the order of their keys, so that a finished table does not.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     store = ResultStore(Path(folder) / "results.csv", ("n", "method", "bic"), n_key=2)
...     store.append({"n": 1000, "method": "fci", "bic": 12.5})
...     ("1000", "fci") in store, ResultStore(store.path, store.columns, n_key=2).rows()
(True, [{'n': '1000', 'method': 'fci', 'bic': '12.5'}])
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from lurking._errors import FormatError

__all__ = ["Key", "ResultStore"]

Key = tuple[str, ...]


def _quiet(sentence: str) -> None:
    """Say nothing."""


class ResultStore:
    """A CSV of results, one row for each key.

    Parameters
    ----------
    path : Path
        The file; it is made when the first row is appended.
    columns : sequence of str
        The header.
    n_key : int
        How many of the columns, from the first on, are the key.
    say : callable
        Told, in a sentence, if a torn line was cut off.

    Raises
    ------
    FormatError
        If the file has other columns, or a row that is not one.
    """

    def __init__(self, path: Path, columns: Iterable[str], *, n_key: int, say: Callable[[str], None] = _quiet) -> None:
        self.path = path
        self.columns = tuple(columns)
        self.n_key = n_key
        self._rows: dict[Key, dict[str, str]] = {}
        if path.exists():
            self._load(say)

    def __contains__(self, key: Key) -> bool:
        return key in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, keys: Iterable[Key] | None = None) -> list[dict[str, str]]:
        """Return the rows with the given keys as text, or all rows."""
        chosen = self._rows if keys is None else keys
        return [self._rows[key] for key in chosen if key in self._rows]

    def append(self, row: Mapping[str, object]) -> None:
        """Add one row and bring it to the disk; floats keep all their digits."""
        texts = {column: _text(row[column]) for column in self.columns}
        new = not self.path.exists()
        lines = [self.columns] if new else []
        line = _lines([*lines, tuple(texts.values())])
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(line.encode())
                file.flush()
                # From here on a reader of the file sees the row; Ctrl-C during the slow sync must not uncount it.
                self._rows[tuple(texts[column] for column in self.columns[: self.n_key])] = texts
                os.fsync(file.fileno())
        except OSError as error:
            raise FormatError(
                f"{str(self.path)!r} cannot be written ({error.strerror}); choose another folder with --out."
            ) from None

    def sort(self) -> None:
        """Put the rows of the file in the order of their keys, numbers by value."""
        from lurking._files import write_together

        if not self._rows:
            return
        self._load(_quiet)  # another run may have added rows to the same file
        self._rows = dict(sorted(self._rows.items(), key=lambda item: [_by_value(part) for part in item[0]]))
        write_together({self.path: _lines([self.columns, *(tuple(row.values()) for row in self._rows.values())])})

    def _load(self, say: Callable[[str], None]) -> None:
        try:
            content = self.path.read_bytes()
            whole = content.rfind(b"\n") + 1
            lines = list(csv.reader(io.StringIO(content[:whole].decode(), newline="")))
        except OSError as error:
            raise FormatError(
                f"{str(self.path)!r} cannot be read ({error.strerror}); choose another folder with --out."
            ) from None
        except UnicodeDecodeError:
            raise FormatError(
                f"{str(self.path)!r} is not a table of results; move it away, or choose another folder."
            ) from None
        if lines and tuple(lines[0]) != self.columns:
            raise FormatError(
                f"{str(self.path)!r} has other columns than this version of the experiment writes "
                f"({_first_difference(tuple(lines[0]), self.columns)}); move it away, or choose another --out."
            )
        for number, fields in enumerate(lines[1:], start=2):
            if len(fields) != len(self.columns):
                raise FormatError(
                    f"Line {number} of {str(self.path)!r} has {len(fields)} values instead of {len(self.columns)}; "
                    "delete the line, and its piece of work is done again."
                )
            # A second row for a key can only come from two runs at the same time; the first one counts.
            self._rows.setdefault(tuple(fields[: self.n_key]), dict(zip(self.columns, fields, strict=True)))
        if whole < len(content):
            with self.path.open("r+b") as file:
                file.truncate(whole)
            say(
                f"The last line of {str(self.path)!r} was torn, because a run was killed while it wrote; "
                "it is cut off and its piece of work is done again."
            )
        if not whole:
            self.path.unlink()


def _text(value: object) -> str:
    """Write a value in one line; NaN and None are empty."""
    if value is None or value != value:  # noqa: PLR0124  # only NaN differs from itself
        return ""
    return " ".join(str(value).split())


def _lines(rows: Iterable[tuple[str, ...]]) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _by_value(part: str) -> tuple[float, str]:
    try:
        return float(part), ""
    except ValueError:
        return float("inf"), part


def _first_difference(found: Key, expected: Key) -> str:
    for position, (one, other) in enumerate(zip(found, expected, strict=False), start=1):
        if one != other:
            return f"column {position} is {one!r} instead of {other!r}"
    return f"{len(found)} instead of {len(expected)}"
