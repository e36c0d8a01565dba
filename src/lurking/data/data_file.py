"""A file, and what the user says about how it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lurking._errors import DataError, ParameterError
from lurking.data.tables import chosen_columns

__all__ = ["DataFile"]


@dataclass(frozen=True)
class DataFile:
    """A file and what is known about how it is written; what is not said is found by looking at it.

    Parameters
    ----------
    path : str or Path
        The file.
    columns : sequence of str, optional
        The columns to use, in this order; by default all.
    drop : sequence of str, optional
        Columns to leave out.
    separator : str, optional
        What separates the values of a text file; a space means any run of spaces.
    decimal, thousands : str, optional
        The decimal mark, and the mark of thousands.
    encoding : str, optional
        The encoding of a text file, as Python calls it.
    header : bool, optional
        Whether the first line holds the names of the columns.
    na : sequence of str, optional
        More texts that stand for a missing value, such as "-999".
    n_samples : int, optional
        The file is a covariance matrix that was computed from so many rows.

    Examples
    --------
    >>> DataFile("survey.csv", separator=";", na=("-999",)).path.name
    'survey.csv'
    """

    path: Path
    columns: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    header: bool | None = None
    na: tuple[str, ...] = ()
    n_samples: int | None = None

    def __post_init__(self) -> None:
        for name in ("columns", "drop", "na"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise ParameterError(
                    f"The {name} of a file are a sequence of texts. Got the one text {value!r} instead."
                )
            object.__setattr__(self, name, value if value is None else tuple(value))
        object.__setattr__(self, "path", Path(self.path))
        for name in ("separator", "decimal", "thousands"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, str) or len(value) != 1):
                raise ParameterError(f"The {name} of a file must be one character. Got {value!r} instead.")
        if self.decimal is not None and self.decimal in (self.separator, self.thousands):
            raise ParameterError(f"The decimal mark {self.decimal!r} cannot separate values or thousands as well.")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except LookupError:
                raise ParameterError(
                    f"Python knows no encoding {self.encoding!r}; say for example 'utf-8', 'latin-1' or 'utf-16'."
                ) from None

    def chosen(self, labels: Sequence[object]) -> tuple[tuple[str, ...], list[int]]:
        """Return the names and positions of the columns that are used."""
        names, positions = chosen_columns(labels, self.columns)
        if self.drop:
            chosen_columns(labels, self.drop)  # says which of them is not there
            kept = [k for k, name in enumerate(names) if name not in self.drop]
            if not kept:
                raise DataError(f"No column of {self.path.name!r} is left; drop fewer.")
            names, positions = tuple(names[k] for k in kept), [positions[k] for k in kept]
        return names, positions
