"""The bytes of a file: which file can be read at all, how it is packed, its hash, and its text.

What a file is follows from its first bytes, not from its name: gzip, bzip2, xz, Zstandard and zip are unpacked,
whatever the file is called. A file of up to 64 MB is read into memory once, and everything (hash, layout, data, audit)
comes from these bytes. A larger one is read as a stream, and the hash is computed from what passes by.

Text is decoded by its byte-order mark if there is one; otherwise as UTF-16 if every second byte is zero, as UTF-8 if it
is valid UTF-8, and as Windows-1252 (a superset of Latin-1) if not.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from lurking._errors import DataError

__all__ = ["IN_MEMORY", "RawFile", "checked_path", "decoded", "encoding_of", "is_text"]

IN_MEMORY = 64 * 2**20
"""Files up to this size are read into memory."""

_MOST_UNPACKED = 8 * IN_MEMORY
"""So many bytes are unpacked into memory; what unpacks to more is read as a stream."""

_PIECE = 2**20
_PACKED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
}
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OFFICE = {"xl/workbook.xml": ".xlsx", "xl/workbook.bin": ".xlsx", "content.xml": ".ods"}

_UNPACKERS: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    "gzip": lambda file: gzip.GzipFile(fileobj=file),  # type: ignore[dict-item, return-value]  # it reads bytes
    "bzip2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
}
_UNPACKING_ERRORS = (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, RuntimeError)


def checked_path(path: str | Path) -> Path:
    """Return the path of a file that can be read, or say why it cannot."""
    path = Path(path)
    try:
        if path.is_dir():
            raise DataError(f"{str(path)!r} is a folder; name the file in it.")
        if not path.exists():
            raise DataError(f"There is no file {str(path)!r}; check the name and the folder.")
        if not path.is_file():
            raise DataError(f"{str(path)!r} is a pipe or a device, which cannot be read twice; save it in a file.")
        if path.stat().st_size == 0:
            raise DataError(f"The file {str(path)!r} is empty; check how it was written.")
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        shown = str(path) if len(str(path)) <= 80 else f"{str(path)[:77]}..."
        raise DataError(f"The file {shown!r} cannot be read ({reason}); check its path.") from None
    return path


class RawFile:
    """One file, read once.

    Parameters
    ----------
    path : str or Path
        The file.

    Attributes
    ----------
    path : Path
        The file.
    packed : str or None
        How it is compressed: "gzip", "bzip2", "xz", "zstd" or "zip".
    """

    def __init__(self, path: str | Path) -> None:
        self.path = checked_path(path)
        self._bytes: bytes | None = None
        self._hash: str | None = None
        self._unpacked: bytes | None = None
        try:
            with self.path.open("rb") as file:
                start = file.read(_PIECE if self.is_large else -1)
        except OSError as error:
            raise self._unreadable(error) from None
        if not self.is_large:
            self._bytes = start
            self._hash = f"sha256:{hashlib.sha256(start).hexdigest()}"
        self.packed = next((name for magic, name in _PACKED.items() if start.startswith(magic)), None)
        self._office = self._office_format(start) if self.packed == "zip" else None
        if self._office:
            self.packed = None

    @property
    def is_large(self) -> bool:
        """Whether the file is read as a stream."""
        return self.path.stat().st_size > IN_MEMORY

    @property
    def office_format(self) -> str | None:
        """The ending of a spreadsheet (.xlsx or .ods), which is a zip archive inside; None for other files."""
        return self._office

    @property
    def hash(self) -> str:
        """The SHA-256 hash of the file as it lies on the disk."""
        if self._hash is None:
            with self.path.open("rb") as file:
                self._hash = f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
        return self._hash

    def source(self) -> Path | io.BytesIO:
        """Return the file for a reader of a binary format: its bytes in memory, or its path if it is large."""
        return self.path if self._bytes is None else io.BytesIO(self._bytes)

    def content(self) -> bytes | None:
        """Return everything in the file, unpacked; None if that is too much to be held in memory."""
        if self._bytes is None:
            return None
        if self.packed is None:
            return self._bytes
        if self._unpacked is None:
            with self.stream() as stream:
                unpacked = self._read(stream, _MOST_UNPACKED + 1)
            if len(unpacked) > _MOST_UNPACKED:
                return None
            self._unpacked = unpacked
        return self._unpacked

    def head(self, size: int) -> bytes:
        """Return the first bytes, unpacked."""
        content = self.content()
        if content is not None:
            return content[:size]
        with self.stream() as stream:
            return self._read(stream, size)

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """Open the unpacked bytes; a large file that is read to the end is hashed on the way."""
        if self._bytes is not None:
            with self._unpacking(io.BytesIO(self._bytes)) as stream:
                yield stream
            return
        with self.path.open("rb") as file:
            if self.packed == "zip" or self._hash is not None:  # a zip archive is not read from start to end
                with self._unpacking(file) as stream:
                    yield stream
                return
            hashed = _Hashed(file)
            with self._unpacking(io.BufferedReader(hashed, _PIECE)) as stream:
                yield stream
                if not stream.read(1):
                    while hashed.read(_PIECE):
                        pass
                    self._hash = f"sha256:{hashed.digest.hexdigest()}"

    @contextmanager
    def _unpacking(self, file: IO[bytes]) -> Iterator[IO[bytes]]:
        try:
            if self.packed == "zstd":
                yield self._zstandard(file)
            elif self.packed == "zip":
                yield self._only_member(file)
            else:
                yield file if self.packed is None else _UNPACKERS[self.packed](file)
        except _UNPACKING_ERRORS as error:
            raise self._unreadable(error) from None

    def _read(self, stream: IO[bytes], size: int) -> bytes:
        try:
            return stream.read(size)
        except _UNPACKING_ERRORS as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: Exception) -> DataError:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        what = f"cannot be unpacked as {self.packed}" if getattr(self, "packed", None) else "cannot be read"
        return DataError(f"{self.path.name!r} {what} ({reason.rstrip('.')}); check the file and its permissions.")

    def _only_member(self, file: IO[bytes]) -> IO[bytes]:
        try:
            archive = zipfile.ZipFile(file)
            return archive.open(self._member_of(archive))
        except (ValueError, KeyError, OverflowError, struct.error) as error:  # what a damaged directory leads to
            if isinstance(error, DataError):
                raise
            raise self._unreadable(error) from None

    def _member_of(self, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
        members = [m for m in archive.infolist() if not m.is_dir() and not m.filename.startswith("__MACOSX/")]
        if len(members) != 1:
            shown = ", ".join(repr(member.filename) for member in members[:3])
            holds = f"{len(members)} files ({shown}{', ...' if len(members) > 3 else ''})" if members else "no file"
            raise DataError(
                f"The archive {self.path.name!r} holds {holds}, not one table; unpack it and name the file."
            )
        return members[0]

    def _zstandard(self, file: IO[bytes]) -> IO[bytes]:
        for module in ("compression.zstd", "backports.zstd", "zstandard"):
            try:
                zstd: Any = import_module(module)
            except ImportError:
                continue
            stream: IO[bytes] = zstd.open(file, "rb")
            return stream
        raise DataError(
            f"{self.path.name!r} is compressed by zstd, which needs a package that is not installed; run pip install "
            "zstandard, or unpack the file first."
        )

    def _office_format(self, start: bytes) -> str | None:
        if self._bytes is None:
            return None
        try:
            names = zipfile.ZipFile(io.BytesIO(start)).namelist()
        except _UNPACKING_ERRORS:
            return None  # the reader of the archive says what is wrong with it
        return next((ending for name, ending in _OFFICE.items() if name in names), None)


class _Hashed(io.RawIOBase):
    """A file whose bytes are hashed as they are read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.digest = file, hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._file.read(len(buffer))
        buffer[: len(piece)] = piece
        self.digest.update(piece)
        return len(piece)


def encoding_of(head: bytes) -> str:
    """Return the encoding of text from its first bytes.

    Examples
    --------
    >>> encoding_of("größe".encode()), encoding_of("größe".encode("latin-1")), encoding_of("a,b".encode("utf-16-le"))
    ('utf-8', 'cp1252', 'utf-16-le')
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    start = head[:4000]
    even, odd = start[::2], start[1::2]
    if odd.count(0) > 0.4 * len(odd) > 0 and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.4 * len(even) > 0 and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last letter may be cut
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def decoded(content: bytes, encoding: str) -> str:
    """Return bytes as text; what is not in the encoding raises UnicodeDecodeError, a letter cut at the end does not."""
    if encoding == "cp1252":  # five bytes have no letter there; Latin-1 has all
        return content.decode("cp1252", errors="surrogateescape").translate(_CONTROLS)
    return codecs.getincrementaldecoder(encoding)().decode(content)


_CONTROLS = {0xDC00 + byte: byte for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}


def is_text(head: str) -> bool:
    """Tell whether decoded letters are those of a text file: hardly any control characters."""
    odd = sum(letter < " " and letter not in "\t\n\r\f\v\x1a" for letter in head)
    return "\x00" not in head and odd <= 0.02 * len(head)
