"""Graphs in files. The suffix tells the format; a file is written whole or not at all.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from lurking.graphs import ADMG
>>> with TemporaryDirectory() as folder:
...     write_graph(ADMG.parse("A -> B; A <-> B"), Path(folder) / "model.dagitty")
...     read_graph(Path(folder) / "model.dagitty")
ADMG.parse('A -> B; A <-> B')
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

from lurking._errors import FormatError
from lurking.io.marked_edges import Graph, Kind
from lurking.io.registry import dumps, format_of, loads

__all__ = ["read_graph", "write_graph"]


def read_graph(
    path: str | Path, format: str | None = None, kind: Kind | None = None, names: Sequence[str] | None = None
) -> Graph:
    """Read a graph from a file in UTF-8.

    Parameters
    ----------
    path : str or Path
        The file.
    format : str, optional
        One of :data:`~lurking.io.FORMATS`; by default what the suffix says. A ``.txt`` is Tetrad's if it has the line
        ``Graph Nodes:``, else our own text.
    kind : {"admg", "cpdag", "pag", "selected"}, optional
        What the file holds, if it does not say so itself; see :func:`~lurking.io.loads`.
    names : sequence of str, optional
        The variables of a bare matrix.

    Returns
    -------
    graph : ADMG, SelectedADMG, CPDAG or PAG

    Raises
    ------
    FormatError
        If the file is not there, is empty, is not UTF-8, or is not in the format; the file is named.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(
            f"The graph file {str(path)!r} cannot be opened ({error.strerror}); check its path."
        ) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"The graph file {str(path)!r} is not UTF-8 text: line {line} has the byte 0x{content[error.start]:02x}; "
            "save it as UTF-8."
        ) from error
    if not text.strip():
        raise FormatError(f"The graph file {str(path)!r} is empty; expected a graph.")
    name = format_of(path, text).name if format is None else format
    try:
        return loads(text, name, kind, names)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error


def write_graph(graph: Graph, path: str | Path, format: str | None = None) -> None:
    """Write a graph to a file in UTF-8.

    The text goes to a temporary file in the same folder, which then takes the place of ``path``: whatever happens,
    ``path`` holds either what it held before or the whole graph.

    Parameters
    ----------
    graph : ADMG, SelectedADMG, CPDAG or PAG
        The graph.
    path : str or Path
        The file; one that exists is replaced.
    format : str, optional
        One of :data:`~lurking.io.FORMATS`; by default what the suffix says.

    Raises
    ------
    FormatError
        If the format cannot hold the graph or one of its names, or the file cannot be written.
    """
    path = Path(path)
    text = dumps(graph, format_of(path).name if format is None else format)
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise FormatError(f"The character {character!r} in a name cannot be written as UTF-8; rename it.") from error
    try:
        _replace(path.resolve(), content)
    except OSError as error:
        raise FormatError(
            f"The graph file {str(path)!r} cannot be written ({error.strerror}); check its path."
        ) from error


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
