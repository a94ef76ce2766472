"""Checks that a file has to pass before it goes into data/raw."""

import gzip
import hashlib
import zlib
from pathlib import Path
from typing import Any, BinaryIO

CHUNK = 1 << 20  # bytes


class Unavailable(Exception):
    """A place cannot give a file; the message is the reason, as a part of a sentence."""


def digest(path: str | Path) -> tuple[str, int]:
    """The sha256 (hexadecimal) and the size in bytes of a file, reading it once."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()


def check_published(path: str | Path, checksum: str, algorithm: str) -> None:
    """Unavailable if the file does not have the checksum that its home publishes."""
    with open(path, "rb") as file:
        actual = hashlib.file_digest(file, algorithm).hexdigest()
    if actual != checksum:
        raise Unavailable(f"expected {algorithm} {checksum} as its home publishes, found {actual}: the file is broken")


def check(path: str | Path, sha256: str | None, size: int | None) -> tuple[str, int]:
    """The sha256 and size of a file, which must be the expected ones (None: anything but an empty file).

    Raises:
        Unavailable: the message names the expected and the found value.
    """
    found_sha256, found_size = digest(path)
    if size is not None and found_size != size:
        raise Unavailable(f"expected {size} bytes, found {found_size}")
    if sha256 is not None and found_sha256 != sha256:
        raise Unavailable(f"expected sha256 {sha256}, found {found_sha256}")
    if sha256 is None and found_size == 0:
        raise Unavailable("expected some bytes, found an empty file")
    return found_sha256, found_size


def copy(reader: BinaryIO, target: str | Path, unpack: str | None, size: int | None) -> None:
    """Copy an open file to `target`, unpacking it on the way.

    Args:
        unpack: "gzip" or None.
        size: expected bytes of `target`; nothing is written beyond them (a small archive can unpack to a full disk).

    Raises:
        Unavailable: the reader fails, its compressed data are broken, or it holds more than `size` bytes.
        OSError: the target cannot be written, e.g. the disk is full.
    """
    unpacked: Any = gzip.GzipFile(fileobj=reader) if unpack == "gzip" else reader
    written = 0
    with open(target, "wb") as file:
        while chunk := _read(unpacked):
            written += len(chunk)
            if size is not None and written > size:
                raise Unavailable(f"expected {size} bytes, found more")
            file.write(chunk)


def _read(reader: BinaryIO) -> bytes:
    try:
        return reader.read(CHUNK)
    except (OSError, EOFError, zlib.error) as error:
        raise Unavailable(f"reading failed: {error}") from None
