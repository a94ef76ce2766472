"""Lines of text files, plain or compressed, with errors that say where a file is broken."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from repline.errors import InputError


def numbered_lines(path: str | Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """The lines of a text file, plain or `.gz`, without line ends and counted from 1.

    Raises:
        InputError: no such file, a damaged or truncated compression, or bytes outside the encoding, naming the line.
    """
    path = Path(path)
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.decode(encoding).rstrip("\r\n")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: the compression is damaged after line {number} ({error}); get it again") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {number}: expected {encoding.upper()} text ({error.reason})") from None
