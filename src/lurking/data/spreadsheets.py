"""The table in a workbook: which sheet it is on, and where on it.

People put a cover in front, a title above, an empty row below it, and the number of the row to the left. The sheet with
most cells is taken; empty rows and columns, and rows above the table that are much shorter than it, are left out. The
first row that is left holds the names, unless there is a number in it.

>>> rows = [["Pain", None, None], [None, None, None], ["dose", "pain", None], [1.0, 2.0, None], [2.0, 3.5, None]]
>>> table_on(pd.DataFrame(rows))
   dose  pain
0   1.0   2.0
1   2.0   3.5
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from lurking.data.checks import listed

__all__ = ["largest_sheet", "table_on"]

_MUCH_SHORTER = 0.5


def largest_sheet(sheets: Mapping[Any, pd.DataFrame]) -> tuple[pd.DataFrame, str]:
    """Return the sheet with most cells, and what to say about it: nothing if there is no other with any."""
    filled = {str(name): int(sheet.notna().to_numpy().sum()) for name, sheet in sheets.items()}
    name = max(filled, key=lambda one: filled[one])
    others = [one for one, count in filled.items() if count and one != name]
    sheet = next(sheet for key, sheet in sheets.items() if str(key) == name)
    return sheet, f", sheet {name!r}, without {listed(others, 3)}" if others else ""


def table_on(sheet: pd.DataFrame) -> pd.DataFrame:
    """Return the table on a sheet.

    Parameters
    ----------
    sheet : pandas.DataFrame
        All cells, without names of columns; empty ones are missing.
    """
    there = sheet.notna()
    sheet = sheet.loc[there.any(axis=1), there.any(axis=0)]
    widths = sheet.notna().sum(axis=1).to_numpy()
    if not len(widths):
        return pd.DataFrame()
    first = int((widths > _MUCH_SHORTER * widths.max()).argmax())
    sheet = sheet.iloc[first:]
    if first:  # a column that only a title stood in
        sheet = sheet.loc[:, sheet.notna().any(axis=0)]
    head = sheet.iloc[0]
    if any(isinstance(value, int | float | np.number) and not np.isnan(float(value)) for value in head):
        names, rows = [f"X{k + 1}" for k in range(sheet.shape[1])], sheet
    else:
        names, rows = [f"X{k + 1}" if pd.isna(value) else str(value).strip() for k, value in enumerate(head)], sheet[1:]
    table = rows.set_axis(_each_once(names), axis=1).reset_index(drop=True)
    if len(head) > 2 and pd.isna(head.iloc[0]) and len(table) and table.iloc[:, 0].is_unique:
        table = table.iloc[:, 1:]  # it labels the rows, and has no name
    return table.infer_objects()


def _each_once(names: list[str]) -> list[str]:
    """Return the names with .1, .2, ... behind those that occurred before, as pandas does."""
    found: list[str] = []
    for name in names:
        new, k = name, 0
        while new in found:
            k += 1
            new = f"{name}.{k}"
        found.append(new)
    return found
