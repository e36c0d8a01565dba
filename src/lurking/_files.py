"""Several files written together: all of them, or none.

Each text goes to a temporary file in its folder. Only when all are there do they take their places; if one cannot be
written, the temporary files are removed and what was there before is untouched.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from lurking._errors import FormatError

__all__ = ["write_together"]


def write_together(files: Mapping[Path, str]) -> None:
    """Write texts to files in UTF-8, all or none.

    Parameters
    ----------
    files : mapping of Path to str
        The files and their texts; folders that are missing are made, files that exist are replaced.

    Raises
    ------
    FormatError
        If one cannot be written.
    """
    staged: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise FormatError(f"{str(path)!r} is a folder; choose another name for the file.")
            temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
            staged.append((temporary, path))
            with temporary.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        for temporary, path in staged:
            temporary.replace(path)
    except (OSError, UnicodeEncodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "a name in it cannot be written as UTF-8"
        raise FormatError(f"{str(path)!r} cannot be written ({why}); choose another folder.") from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
