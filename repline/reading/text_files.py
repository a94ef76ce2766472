"""Text files as people have them: any encoding with a mark, any line end, plain or compressed; errors say where.

encodings    UTF-8 with or without a byte order mark, UTF-16 and UTF-32 with one; another where the caller names it.
             A mark in front of a later line, where files were joined, is no text either
line ends    LF, CR LF or a lonely CR; the last line may lack its end
compression  gzip, bzip2, xz and Zstandard, recognised by the content of the file, whatever it is called
"""

import bz2
import codecs
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from repline.errors import InputError, in_one_line, shown
from repline.reading.file_names import COMPRESSED, present
from repline.reading.text_cleaning import clean_text
from repline.reading.wrong_records import LeftOut, WrongRecord

MARKS = (  # those of four bytes first: the mark of UTF-32 begins as the one of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
WIDE = ("utf-16", "utf-32")  # encodings whose line ends are more than one byte
_MARKED_LINES = re.compile(rb"(?m)^(?:\xef\xbb\xbf)+")  # files that were joined keep the mark of each
_MARK = "\ufeff"
_DOS_END = b"\x1a"  # behind the last line of a file that DOS wrote
_ZSTANDARD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")  # a frame, or one that is passed over
_POINTER = b"version https://git-lfs.github.com/spec/"
_ZIP = b"PK\x03\x04"  # zip archives, and the workbooks of spreadsheets
_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_BLOCK = 1 << 16  # bytes
_START = 1 << 12  # bytes that say what a file is
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)


@contextmanager
def open_unpacked(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file, or the one that `present` finds for it, to read its bytes, unpacked where it is compressed.

    Raises:
        InputError: no such file, a pipe, a pointer of Git LFS, a web page, a zip archive or a workbook in place of the
            file, or a suffix of a compression on a file that has none.
    """
    path = present(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path}: expected a file, found a pipe or a device; write to a file what comes from it")
    try:
        with open(path, "rb") as file:
            start = file.read(64)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: expected a file, found a folder") from None
    if start.startswith(_POINTER):
        raise InputError(f"{path}: this is a pointer of Git LFS, not the file; get the file by git lfs pull")
    if _WEB_PAGE.match(start):
        raise InputError(f"{path}: this is a web page, not the file, as a server sends one for an error; get it again")
    if start.startswith(_ZIP):
        raise InputError(
            f"{path}: this is a zip archive or a workbook of a spreadsheet, not text; unpack it, or save the sheet as "
            "text"
        )
    packing = _packing(start)
    if packing is None and start and path.name.lower().endswith(COMPRESSED):
        raise InputError(f"{path}: the compression is damaged after line 0 (it is no {path.suffix} file); get it again")
    with (packing or _plain)(path) as unpacked:
        yield cast(IO[bytes], unpacked)


def numbered_lines(path: str | Path, encoding: str = "utf-8") -> Generator[tuple[int, str], None, None]:
    """The lines of a text file without line ends, counted from 1; see the head of this module.

    Args:
        path: plain or compressed.
        encoding: what the file is in where no byte order mark says it; the mark is never text.

    Raises:
        InputError: no such file, a damaged or truncated compression, or bytes outside the encoding, with their line.
    """
    return checked_lines(path, encoding, None)


def checked_lines(
    path: str | Path,
    encoding: str = "utf-8",
    refuse: Callable[[WrongRecord], None] | None = None,
    *,
    mixed_ends: bool = True,
    stream: IO[bytes] | None = None,
) -> Generator[tuple[int, str], None, None]:
    """`numbered_lines`, where lines outside the encoding go to `refuse` and are left out.

    Args:
        mixed_ends: False where lines are counted, as in bitexts: a lonely CR is then white space in a file that has
            other line ends, as a bitext gathered from the web has it inside its texts.
        stream: read in place of the file, such as the standard input; a line is there before the next one has come.
            `path` is its name.
    """
    path = Path(path)
    number = 0
    try:
        with nullcontext(stream) if stream else open_unpacked(path) as file:
            start = _start(file, by_line=stream is not None)
            mark, encoding = next(((mark, name) for mark, name in MARKS if start.startswith(mark)), (b"", encoding))
            try:
                wide = codecs.lookup(encoding).name.startswith(WIDE)
            except LookupError:
                raise InputError(f"{path}: there is no encoding {shown(encoding)}") from None
            if not wide and b"\0" in start:
                number = start[: start.index(0)].count(10) + 1
                raise InputError(
                    f"{path}, line {number}: expected {encoding.upper()} text, found a NUL "
                    "character (0x00); a file in UTF-16 without a byte order mark needs its encoding, as utf-16-le"
                )
            byte_lines = partial(_byte_lines, by_cr=mixed_ends or b"\n" not in start)
            read: Callable[[IO[bytes], bytes, str], Iterator[str | bytes]] = _wide_lines if wide else byte_lines
            for number, line in enumerate(read(file, start[len(mark) :], encoding), start=1):
                if isinstance(line, str):
                    yield number, line
                    continue
                try:
                    yield number, line.decode(encoding)
                except UnicodeDecodeError as error:
                    problem = _undecodable(path, number, encoding, line, error)
                    if refuse is None:
                        raise problem from None
                    refuse(problem)
    except UnicodeDecodeError as error:  # of a wide encoding, which has no lines before it is decoded
        raise _undecodable(path, number + 1, encoding, bytes(error.object), error) from None
    except (*_DAMAGED, OSError) as error:
        raise _damaged(path, number, error) from None


def visible_lines(path: str | Path, encoding: str, left_out: LeftOut) -> Generator[tuple[int, str], None, None]:
    """`checked_lines` of a lexicon or table, each `clean_text`; the account counts the characters that are left out."""
    for number, line in checked_lines(path, encoding, left_out.add):
        yield number, clean_text(line, left_out.invisible)


def filled_lines(path: str | Path, encoding: str, left_out: LeftOut) -> Generator[tuple[int, str], None, None]:
    """`visible_lines` without blank ones, as of JSON lines, where a blank line is no record."""
    return ((number, line) for number, line in visible_lines(path, encoding, left_out) if line.strip())


def read_text(path: str | Path, encoding: str = "utf-8") -> str:
    """The whole text of a file, its lines ended by LF; raises as `numbered_lines`."""
    return "".join(f"{line}\n" for _, line in numbered_lines(path, encoding))


def read_bytes(path: str | Path) -> bytes:
    """The whole content of a file, unpacked; InputError where it is not there or damaged."""
    return b"".join(blocks(path))


def blocks(path: str | Path, size: int = _BLOCK) -> Iterator[bytes]:
    """The unpacked content of a file, as of XML, which says itself what its encoding is; raises as `open_unpacked`."""
    try:
        with open_unpacked(path) as file:
            while block := file.read(size):
                yield block
    except (*_DAMAGED, OSError) as error:
        raise _damaged(Path(path), 0, error) from None


def _byte_lines(file: IO[bytes], rest: bytes, encoding: str, by_cr: bool) -> Iterator[bytes]:
    """The lines before they are decoded, without their ends; `by_cr`: a lonely CR is such an end, too."""
    is_utf_8 = codecs.lookup(encoding).name == "utf-8"
    for block in _blocks(file, rest, by_cr):
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
            block = block.replace(b"\r", b"\n") if by_cr else block
        if is_utf_8 and codecs.BOM_UTF8 in block:
            block = _MARKED_LINES.sub(b"", block)
        if block:
            yield from block.removesuffix(b"\n").split(b"\n")


def _blocks(file: IO[bytes], rest: bytes, by_cr: bool) -> Iterator[bytes]:
    """The content in blocks that end with a line, except for the last one."""
    parts = list[bytes]()
    for block in chain([rest], iter(lambda: file.read1(_BLOCK), b"")):  # type: ignore[attr-defined]  # IO lacks it
        last_cr = block.rfind(b"\r", 0, -1) if by_cr else -1  # a CR at the end may be half of CR LF
        stop = max(block.rfind(b"\n"), last_cr) + 1
        if not stop:
            parts.append(block)
            continue
        whole = b"".join([*parts, block[:stop]])
        parts = [block[stop:]]
        yield whole
    if (last := b"".join(parts)) != _DOS_END:
        yield last


def _wide_lines(file: IO[bytes], rest: bytes, encoding: str) -> Iterator[str]:
    """The lines of an encoding in which a line end is more than one byte."""
    decoder = codecs.getincrementaldecoder(encoding)()
    newlines = io.IncrementalNewlineDecoder(decoder, translate=True)
    text = newlines.decode(rest)
    while block := file.read(_BLOCK):
        *lines, text = (text + newlines.decode(block)).split("\n")
        yield from (line.lstrip(_MARK) for line in lines)
    text = (text + newlines.decode(b"", final=True)).lstrip(_MARK)
    if text and text != _DOS_END.decode():
        yield from (line.lstrip(_MARK) for line in text.removesuffix("\n").split("\n"))


def _start(file: IO[bytes], by_line: bool = False) -> bytes:
    """The first bytes, of a damaged file those before the damage: the next read finds it again.

    Args:
        by_line: do not wait for more than a line.
    """
    start = b""
    try:
        while len(start) < _START and not (by_line and b"\n" in start) and (block := file.read1(_BLOCK)):  # type: ignore[attr-defined]  # IO lacks it
            start += block
    except (*_DAMAGED, OSError):
        if not start:
            raise
    return start


def _packing(start: bytes) -> Callable[[Path], Any] | None:
    """The function that opens a file's compression, told by its first bytes; None for a plain file."""
    if start.startswith(b"\x1f\x8b"):
        return gzip.open
    if start.startswith(b"BZh") and start[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):  # a block, or the end of an empty file
        return bz2.open
    if start.startswith(b"\xfd7zXZ\0"):
        return lzma.open
    return _zstandard if _ZSTANDARD.match(start) else None


def _plain(path: Path) -> IO[bytes]:
    return open(path, "rb")


def _zstandard(path: Path) -> Any:
    return pa.input_stream(str(path), compression="zstd")


def _undecodable(path: Path, number: int, encoding: str, line: bytes, error: UnicodeDecodeError) -> WrongRecord:
    byte = f"found the byte 0x{line[error.start]:02x} as byte {error.start + 1} of it" if line else "found none"
    problem = (
        f"expected {encoding.upper()} text, {byte} ({error.reason}); where the file is in another encoding, save it in "
        f"{encoding.upper()}, or say which where there is a setting for it, as encoding: latin-1 or gb18030"
    )
    return WrongRecord(path, f"line {number}", problem, f"no {encoding.upper()} text")


def _damaged(path: Path, number: int, error: Exception) -> InputError:
    if isinstance(error, OSError) and error.errno and error.strerror:
        return InputError(f"{path}: the file cannot be read ({error.strerror})")
    return InputError(f"{path}: the compression is damaged after line {number} ({in_one_line(error)}); get it again")
