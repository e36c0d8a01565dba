"""The tables of a Markdown page, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

__all__ = ["tables_of"]

Table = list[list[str]]


def tables_of(text: str) -> Iterator[Table]:
    """Yield the tables of a page as rows of cells, the heading first; bold marks are left out."""
    for is_table, lines in groupby(text.splitlines(), key=lambda line: line.startswith("|")):
        if is_table:
            heading, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
            yield [[cell.replace("**", "") for cell in row] for row in (heading, *rows)]
