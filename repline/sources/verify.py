"""Checks that a file has to pass before it goes into data/raw."""

import gzip
import hashlib
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from repline.sources.catalogue import Place

CHUNK = 1 << 20  # bytes
READING = (OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError)  # what reading a broken file raises


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


def git_blob(path: str | Path, size: int) -> str:
    """The id that Git gives the content of a file: the SHA-1 of `blob SIZE`, a NUL character and the content."""
    checksum = hashlib.sha1(b"blob %d\0" % size)
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            checksum.update(chunk)
    return checksum.hexdigest()


def check(path: str | Path, sha256: str | None, size: int | None, blob: str | None = None) -> tuple[str, int]:
    """The sha256 and size of a file, which must be the expected ones (None: anything but an empty file).

    Args:
        blob: the expected `git_blob`; None for any.

    Raises:
        Unavailable: the message names the expected and the found value.
    """
    found_sha256, found_size = digest(path)
    if size is not None and found_size != size:
        raise Unavailable(f"expected {size} bytes, found {found_size}")
    if sha256 is not None and found_sha256 != sha256:
        raise Unavailable(f"expected sha256 {sha256}, found {found_sha256}")
    if blob is not None and (found_blob := git_blob(path, found_size)) != blob:
        raise Unavailable(f"expected a content that Git calls {blob}, found {found_blob}")
    if sha256 is None and found_size == 0:
        raise Unavailable("expected some bytes, found an empty file")
    return found_sha256, found_size


def copy(reader: BinaryIO, target: str | Path, place: Place, size: int | None) -> None:
    """Copy an open file to `target`, on the way unpacked and recoded as the place says.

    Args:
        size: expected bytes of `target`; nothing is written beyond them (a small archive can unpack to a full disk).

    Raises:
        Unavailable: the reader fails, its compressed data are broken, an archive has no such member, a text is not in
            the stated encoding, or there are more than `size` bytes.
        OSError: the target cannot be written, e.g. the disk is full.
    """
    written = 0
    with _unpacked(reader, place) as unpacked, open(target, "wb") as file:
        for chunk in _recoded(unpacked, place):
            written += len(chunk)
            if size is not None and written > size:
                raise Unavailable(f"expected {size} bytes, found more")
            file.write(chunk)


@contextmanager
def _unpacked(reader: BinaryIO, place: Place) -> Iterator[BinaryIO]:
    if place.unpack == "gzip":
        yield cast(BinaryIO, gzip.GzipFile(fileobj=reader))
    elif place.unpack == "zip":
        with _zip_member(reader, str(place.member)) as member:
            yield member
    elif place.unpack == "tar":
        with _tar_member(reader, str(place.member)) as member:
            yield member
    else:
        yield reader


@contextmanager
def _zip_member(reader: BinaryIO, name: str) -> Iterator[BinaryIO]:
    try:
        archive = zipfile.ZipFile(reader)
        member = archive.open(name)
    except KeyError:
        raise Unavailable(f"the archive has no member {name}") from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
        raise Unavailable(f"expected a zip archive ({error})") from None
    with archive, member:
        yield cast(BinaryIO, member)


@contextmanager
def _tar_member(reader: BinaryIO, name: str) -> Iterator[BinaryIO]:
    try:
        archive = tarfile.open(fileobj=reader, mode="r|*")  # noqa: SIM115 (closed below, so that no error of the caller is caught)
        entry = next((entry for entry in archive if entry.name == name and entry.isfile()), None)
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise Unavailable(f"expected a tar archive ({error})") from None
    member = entry and archive.extractfile(entry)
    if not member:
        raise Unavailable(f"the archive has no member {name}")
    with archive, member:
        yield cast(BinaryIO, member)


def _recoded(reader: BinaryIO, place: Place) -> Iterator[bytes]:
    """The content in chunks, as UTF-8 with the file's line ends where the place has other text."""
    if not (place.encoding or place.line_ends):
        while chunk := _read(reader):
            yield chunk
        return
    lines = io.TextIOWrapper(
        cast(io.BufferedReader, reader), place.encoding or "utf-8", newline=None if place.line_ends == "lf" else ""
    )
    try:
        for line in lines:
            is_open = place.line_ends == "closed" and not line.endswith("\n")
            yield (f"{line}\n" if is_open else line).encode()
    except UnicodeError as error:
        raise Unavailable(f"expected a text in {place.encoding or 'UTF-8'} ({error})") from None
    except READING as error:
        raise Unavailable(f"reading failed: {error}") from None
    finally:
        lines.detach()


def _read(reader: BinaryIO) -> bytes:
    try:
        return reader.read(CHUNK)
    except READING as error:
        raise Unavailable(f"reading failed: {error}") from None
