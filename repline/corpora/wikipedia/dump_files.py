"""The bytes of a dump file: plain, gzip or bzip2, one stream or many, in any encoding that XML declares."""

import bz2
import codecs
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from repline.corpora.wikipedia.parallel_bzip2 import in_parallel
from repline.errors import InputError, shown

FASTER_FROM = 4  # threads; on two cores, rapidgzip with two takes half as long again as bz2 (benchmarks/wikipedia.py)
PIECE = 1 << 16  # compressed bytes that a decompressor gets at once; a break can cost as many beyond its block
CHUNK = 1 << 20  # decompressed bytes in memory at once
SMALLEST_PART = 1 << 18  # compressed bytes: many small streams travel together
LARGEST_STREAM = 1 << 25  # compressed bytes; a longer stream is decompressed piece by piece by the reader itself
LARGEST_PART = 1 << 28  # decompressed bytes
STREAM = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")  # a bzip2 header, and its first block or its end
_MAGIC = {
    b"\xfd7zXZ\x00": "an xz archive",
    b"7z\xbc\xaf'\x1c": "a 7z archive",
    b"PK\x03\x04": "a zip archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
}
_SUFFIXES = {".bz2": "bzip2", ".gz": "gzip", ".xml": "plain XML"}


class Damage(Exception):
    """Where a dump breaks: what precedes it is good, what follows is lost."""


@dataclass(frozen=True)
class Packed:
    """Whole bzip2 streams of a file, still compressed.

    Args:
        data: the compressed bytes.
        offset: where they begin in the file.
    """

    data: bytes
    offset: int


def parts(path: str | Path, threads: int = 1) -> Iterator[bytes | Packed]:
    """The XML of a dump file in UTF-8, in order: decompressed chunks, or bzip2 streams that are still packed.

    Args:
        path: `.xml`, `.xml.gz` or `.xml.bz2`. A file of many bzip2 streams comes as `Packed` groups of at least
            `SMALLEST_PART` bytes, which can be decompressed at the same time; anything else as chunks of about `CHUNK`.
        threads: how many may decompress a file of one bzip2 stream; fewer than `FASTER_FROM` leave it to one.

    Raises:
        InputError: no such file, an empty one, or none of the three kinds.
        Damage: the compression or the encoding breaks; everything before it has been yielded.
    """
    path = Path(path)
    try:
        file = open(path, "rb")  # noqa: SIM115
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: this cannot be read ({error.strerror})") from None
    with file:
        kind = _kind(path, file.read(1024))
        file.seek(0)
        if kind == "plain XML":
            yield from in_utf8(iter(lambda: file.read(CHUNK), b""))
        elif kind == "gzip":
            yield from in_utf8(gunzipped(file))
        elif _has_streams(file):
            yield from _streams(file)
        elif threads >= FASTER_FROM:
            yield from in_utf8(in_parallel(path, threads, CHUNK, lambda: unpacked(file)))
        else:
            yield from in_utf8(unpacked(file))


def dump_parts(paths: Iterable[Path]) -> list[Path]:
    """The dump files of a raw folder in the order of their page ids ("...xml-p1p41242.bz2"), without its indices.

    Raises:
        InputError: there is none.
    """
    dump_paths = [path for path in paths if "-index" not in path.name]
    if not dump_paths:
        raise InputError("expected a pages-articles dump in the raw folder, found no file that could be one")
    if len(dump_paths) == 1:
        return dump_paths
    return sorted(dump_paths, key=lambda path: [int(number) for number in re.findall(r"\d+", path.name)])


def unpacked(file: BinaryIO, offset: int = 0) -> Iterator[bytes]:
    """Decompress bzip2 streams one after another, in chunks of at most about `CHUNK`.

    Args:
        file: positioned at the beginning of a stream.
        offset: where that is in the dump file, for messages.

    Raises:
        Damage: a broken or truncated stream, or something else after one.
    """
    decompressor, begun, streams = bz2.BZ2Decompressor(), False, 0
    while piece := file.read(PIECE):
        offset += len(piece)
        while piece or not decompressor.needs_input:
            if decompressor.eof:
                decompressor, begun, streams = bz2.BZ2Decompressor(), False, streams + 1
            if not begun and not piece.strip(b"\0"):
                break  # padding
            try:
                data = decompressor.decompress(piece, CHUNK)
            except (OSError, EOFError, ValueError):
                where = f"the bzip2 data is damaged before byte {offset} of the file"
                alien = streams and not piece.startswith(b"BZh")
                raise Damage(f"{where}: something else follows a complete stream" if alien else where) from None
            begun = True
            piece = decompressor.unused_data if decompressor.eof else b""
            if data:
                yield data
            if decompressor.eof and not piece:
                begun = False
                break
    if begun and not decompressor.eof:
        raise Damage(f"the bzip2 data is cut off at byte {offset} of the file")


def in_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Recode XML to UTF-8 by its byte order mark or declaration; UTF-8 itself passes unchanged.

    Raises:
        InputError: an unknown encoding.
        Damage: bytes that are not of the encoding.
    """
    decoder, bytes_decoded, first = None, 0, True
    for chunk in chunks:
        if first:
            first = False
            encoding = _encoding(chunk)
            if encoding != "utf-8":
                decoder = codecs.getincrementaldecoder(encoding)()
            elif chunk.startswith(codecs.BOM_UTF8):
                chunk = chunk[3:]
        if decoder is not None:
            try:
                text = decoder.decode(chunk)
            except UnicodeDecodeError as error:
                raise Damage(f"byte {bytes_decoded + error.start} of the XML is not {encoding}") from None
            bytes_decoded += len(chunk)
            chunk = text.removeprefix("\ufeff").encode("utf-8", "replace")
        yield chunk
    if decoder is not None:
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise Damage(f"the XML ends inside a character, at byte {bytes_decoded}") from None


def _kind(path: Path, head: bytes) -> str:
    if not head:
        raise InputError(f"{path}: expected a MediaWiki dump, found an empty file")
    if head.startswith(b"BZh"):
        kind = "bzip2"
    elif head.startswith(b"\x1f\x8b"):
        kind = "gzip"
    elif head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<"):
        kind = "plain XML"
    else:
        content = next((name for magic, name in _MAGIC.items() if head.startswith(magic)), "something else")
        raise InputError(f"{path}: expected a MediaWiki dump as XML, bzip2 or gzip, found {content}")
    named = _SUFFIXES.get(path.suffix.lower(), kind)
    if named != kind:
        raise InputError(f"{path}: the name says {named} but the content is {kind}; rename the file or get it again")
    return kind


def _has_streams(file: BinaryIO) -> bool:
    """Whether the file begins with several short bzip2 streams of UTF-8."""
    head = file.read(1 << 24)
    file.seek(0)
    if not STREAM.search(head, 4):
        return False
    try:
        return _encoding(bz2.BZ2Decompressor().decompress(head, 1024)) == "utf-8"
    except (OSError, ValueError):
        return True  # whoever decompresses it says where it breaks


def _encoding(head: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if head.startswith(mark):
            return encoding
    if head.startswith(b"<\0"):
        return "utf-16-le"
    if head.startswith(b"\0<"):
        return "utf-16-be"
    declared = re.match(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""", head[:1024])
    if not declared:
        return "utf-8"
    try:
        name = codecs.lookup(declared[1].decode()).name
    except LookupError:
        raise InputError(
            f"the dump declares the encoding {shown(declared[1].decode())}, which Python does not have"
        ) from None
    return "utf-8" if name in ("ascii", "utf-8") or name.startswith(("utf-16", "utf-32")) else name


def gunzipped(file: BinaryIO, offset: int = 0) -> Iterator[bytes]:
    """Decompress gzip members one after another, as `unpacked` does bzip2 streams; raises Damage as it does."""
    decompressor, begun = zlib.decompressobj(wbits=31), False
    while piece := file.read(PIECE):
        offset += len(piece)
        while piece:
            if not begun and not piece.strip(b"\0"):
                break
            try:
                data = decompressor.decompress(piece, CHUNK)
            except zlib.error:
                raise Damage(f"the gzip data is damaged before byte {offset} of the file") from None
            begun = True
            if data:
                yield data
            piece = decompressor.unused_data if decompressor.eof else decompressor.unconsumed_tail
            if decompressor.eof:
                decompressor, begun = zlib.decompressobj(wbits=31), False
    if begun:
        raise Damage(f"the gzip data is cut off at byte {offset} of the file")


def _streams(file: BinaryIO) -> Iterator[bytes | Packed]:
    """Groups of whole streams; from a stream on that is too long for one group, decompressed chunks."""
    buffer, offset, smallest = b"", 0, 4  # the first stream, the header of the dump, goes alone
    while True:
        searched = max(smallest, 4)
        while not (match := STREAM.search(buffer, searched)):
            searched = max(searched, len(buffer) - 16)
            data = file.read(CHUNK)
            if not data:
                if buffer:
                    yield Packed(buffer, offset)
                return
            buffer += data
            if len(buffer) > LARGEST_STREAM:
                file.seek(offset)
                yield from unpacked(file, offset)
                return
        yield Packed(buffer[: match.start()], offset)
        offset += match.start()
        buffer = buffer[match.start() :]
        smallest = SMALLEST_PART
