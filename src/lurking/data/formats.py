"""Tables of other programs: spreadsheets, Stata, SPSS, SAS, Feather, NumPy; and which program a file belongs to.

What a file is follows from its first bytes. Where a package is needed that is not installed, the message names it.
Value labels (Stata, SPSS) are kept as categories without an order, because these files know none.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

from lurking._errors import DataError
from lurking.data.raw_files import RawFile
from lurking.data.spreadsheets import largest_sheet, table_on

__all__ = ["PARQUET", "TEXT", "format_of", "frame_of"]

TEXT, PARQUET = "text", "Parquet"

_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_BY_CONTENT = (
    (b"PAR1", PARQUET),
    (b"ARROW1", "Feather"),
    (b"\xd0\xcf\x11\xe0", "Excel"),
    (b"$FL2", "SPSS"),
    (b"$FL3", "SPSS"),
    (_SAS, "SAS"),
    (b"HEADER RECORD*******LIB", "SAS transport"),
    (b"<stata_dta>", "Stata"),
    (b"\x93NUMPY", "NumPy"),
    (b"\x89HDF\r\n", "HDF5"),
    (b"RDX", "R"),
    (b"RDA", "R"),
    (b"X\n\x00\x00", "R"),
    (b"%PDF", "PDF"),
)
_OLD_STATA = re.compile(rb"[\x69-\x73][\x01\x02]\x01\x00", re.DOTALL)
_PICKLE = re.compile(rb"\x80[\x02-\x05][\x80-\xff(}\]c\x95]", re.DOTALL)
_WEB = re.compile(rb"\s*<(!doctype|html|\?xml)", re.IGNORECASE)
_ARFF = re.compile(rb"(\xef\xbb\xbf)?(\s*%[^\n]*\n)*\s*@relation\b", re.IGNORECASE)
_JSON = re.compile(rb"(\xef\xbb\xbf)?\s*(\{|\[\s*[\[{])")

_BY_NAME = {
    ".dta": "Stata",
    ".feather": "Feather",
    ".arrow": "Feather",
    ".h5": "HDF5",
    ".npy": "NumPy",
    ".ods": "LibreOffice",
    ".parquet": PARQUET,
    ".pq": PARQUET,
    ".rda": "R",
    ".rdata": "R",
    ".rds": "R",
    ".sas7bdat": "SAS",
    ".sav": "SPSS",
    ".xls": "Excel",
    ".xlsx": "Excel",
    ".xpt": "SAS transport",
}
_NOT_READ = {
    "ARFF": "a file of Weka (ARFF)",
    "HDF5": "a file of HDF5",
    "JSON": "written in JSON",
    "PDF": "a PDF document",
    "R": "a file of R",
    "Python": "an object of Python (pickle), which could run any program when it is read",
    "web page": "a web page or XML, perhaps an error message in place of the table",
}
_SAS_TRANSPORT_8 = b"HEADER RECORD*******LIBV8"
_SMALLEST_OF_SAS = 1e-77
_NEEDS = {
    "Excel": ("python-calamine", "readers"),
    "LibreOffice": ("python-calamine", "readers"),
    "SPSS": ("pyreadstat", "readers"),
    "SAS transport": ("pyreadstat", "readers"),
    "Feather": ("pyarrow", "parquet"),
}
"""The package that reads a format, and the extra of lurking that installs it."""


def format_of(raw: RawFile) -> str:
    """Return the format of a file: "text", "Parquet", "Excel", ...

    Raises
    ------
    DataError
        If no reader is there for it, or it is not what the ending of its name says.
    """
    start = raw.head(4096)
    found = _found(raw, start)
    suffix = raw.path.suffix.lower()
    said = _BY_NAME.get(suffix)
    if found in _NOT_READ:
        raise DataError(f"{raw.path.name!r} is {_NOT_READ[found]}; save the table as CSV or Parquet.")
    if found == TEXT and said is not None:
        if said in _NOT_READ:
            raise DataError(f"{raw.path.name!r} is {_NOT_READ[said]}; save the table as CSV or Parquet.")
        what = f"a {said} file" if said == PARQUET else f"a file of {said}"
        raise DataError(f"{raw.path.name!r} is not {what}, though its name says so; check how it was written.")
    return found


def _found(raw: RawFile, start: bytes) -> str:
    if raw.office_format is not None:
        return "Excel" if raw.office_format == ".xlsx" else "LibreOffice"
    found = next((name for magic, name in _BY_CONTENT if start.startswith(magic)), None)
    if found is not None:
        return found
    if raw.path.suffix.lower() == ".dta" and _OLD_STATA.match(start):
        return "Stata"
    if _PICKLE.match(start):
        return "Python"
    if _ARFF.match(start):
        return "ARFF"
    if _WEB.match(start):
        return "web page"
    return "JSON" if _JSON.match(start) else TEXT


def frame_of(raw: RawFile, format: str) -> pd.DataFrame:
    """Return the table in a file of another program."""
    reader = _READERS[format]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notes on how a file was written; what matters is looked at afterwards
            table: pd.DataFrame = reader(raw)
    except ImportError as error:
        needed, extra = _NEEDS.get(format, (error.name or "a package", "all"))
        raise DataError(
            f"Reading {raw.path.name!r}, a file of {format}, needs {needed}, which is not installed; run pip install "
            f"'lurking[{extra}]', or save the table as CSV."
        ) from None
    except DataError:
        raise
    except Exception as error:  # the readers of damaged files raise whatever comes to them
        reason = (" ".join(str(error).split()) or type(error).__name__)[:150].rstrip(".")
        raise DataError(
            f"{raw.path.name!r} looks like a file of {format}, but cannot be read as one ({reason}); save the table as "
            "CSV."
        ) from None
    if not table.shape[1]:
        raise DataError(f"The file {raw.path.name!r} holds no table; check how it was written.")
    return table


def _excel(raw: RawFile) -> pd.DataFrame:
    engine: Any = "calamine" if find_spec("python_calamine") else None  # else what pandas finds, such as openpyxl
    sheet, said = largest_sheet(pd.read_excel(raw.source(), sheet_name=None, header=None, engine=engine))
    table = table_on(sheet)
    table.attrs["said"] = said
    return table


def _stata(raw: RawFile) -> pd.DataFrame:
    try:
        return pd.read_stata(raw.source(), order_categoricals=False)
    except ValueError as error:
        if "not unique" not in str(error):
            raise
        return pd.read_stata(raw.source(), convert_categoricals=False)  # two values have the same label


def _sas_transport(raw: RawFile) -> pd.DataFrame:
    if raw.head(len(_SAS_TRANSPORT_8)) == _SAS_TRANSPORT_8:  # pandas reads version 5 only
        found: pd.DataFrame = import_module("pyreadstat").read_xport(str(raw.path))[0]
        return found
    table = pd.read_sas(raw.source(), format="xport", encoding="latin-1")
    for name, column in table.items():
        if column.dtype.kind == "f":  # pandas reads the zero of these files as 5e-79
            table[name] = column.where(column.isna() | (column.abs() > _SMALLEST_OF_SAS), 0.0)
    return table


def _spss(raw: RawFile) -> pd.DataFrame:
    import_module("pyreadstat")
    return pd.read_spss(raw.path)


def _feather(raw: RawFile) -> pd.DataFrame:
    import_module("pyarrow")
    return pd.read_feather(raw.source())


def _numpy(raw: RawFile) -> pd.DataFrame:
    array: Any = np.load(raw.source(), allow_pickle=False)
    if array.dtype.names is not None:
        return pd.DataFrame({name: array[name] for name in array.dtype.names})
    if array.ndim != 2:
        raise DataError(
            f"{raw.path.name!r} holds an array of shape {array.shape}, not a table of rows and columns; save it as one."
        )
    return pd.DataFrame(array, columns=[f"X{k + 1}" for k in range(array.shape[1])])


_READERS: dict[str, Callable[[RawFile], pd.DataFrame]] = {
    "Excel": _excel,
    "LibreOffice": _excel,
    "SPSS": _spss,
    "Feather": _feather,
    "NumPy": _numpy,
    "Stata": _stata,
    "SAS": lambda raw: pd.read_sas(raw.source(), format="sas7bdat", encoding="infer"),
    "SAS transport": _sas_transport,
}
