"""The full output of the last run of every stage: a file each in the folder `logs` of the scratch folder."""

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from flows.project import settings
from flows.project.addresses import file_and_name

LONG_NAME = 200  # bytes; no file system takes a name of more than 255
END = 1 << 13  # bytes at the end of a file in which its last line is looked for
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def folder(root: str | Path) -> Path:
    """The folder of the files."""
    return settings.scratch(root) / "logs"


def path(root: str | Path, address: str) -> Path:
    """The file of a stage."""
    return folder(root) / f"{file_name(address)}.log"


def file_name(address: str) -> str:
    """A name for files of a stage: its address, with an ending where another stage may have the same or it is long."""
    name = re.sub("[/:]", ".", address)
    if len(name.encode()) <= LONG_NAME and not re.search("[/:]", file_and_name(address)[1]):
        return name
    beginning = name.encode()[:LONG_NAME].decode(errors="ignore")
    return f"{beginning}-{hashlib.sha256(address.encode()).hexdigest()[:12]}"


class Log:
    """A file that takes what a stage prints. A full disk ends the file, not the stage."""

    def __init__(self, path: Path, again: bool = False):
        """`again`: append to the output of the try before."""
        self._path, self._again = path, again
        self._file: BinaryIO | None = None

    def write(self, output: bytes) -> None:
        """Append bytes to the file; nothing once the disk is full."""
        try:
            if self._file:
                self._file.write(output)
        except OSError:
            self.__exit__(None, None, None)

    def __enter__(self) -> "Log":
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self._path, "ab" if self._again else "wb", buffering=0)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file:
            self._file.close()
            self._file = None


def lines(path: Path) -> list[str]:
    """All lines that a stage printed and that are not empty; none where there is no log."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in map(str.rstrip, text.split("\n")) if line]


def last_line(path: Path) -> str:
    """What a stage printed last, as plain text; empty when it has not printed yet."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - END, 0))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    lines = (_COLOURS.sub("", line) for line in reversed(re.split(r"[\r\n]", text)))
    plain = ("".join(character if character.isprintable() else " " for character in line).strip() for line in lines)
    return next(filter(None, plain), "")
