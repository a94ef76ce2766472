"""Outputs that appear whole or not at all.

A writer works on a hidden sibling of its output (`.NAME.partial`) which is renamed over the output at the end.
A run that is killed leaves at most that sibling behind, and the next run of the same writer starts by removing it.

Where a training runs in several processes, all of them run the whole program. The first one writes; what another one
writes goes to a sibling of its own (`.NAME.1.partial`), which is removed at the end. Until then what it wrote into such
a folder is there, so that all processes can add to a model that they saved, and read it.
"""

import glob
import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from repline.errors import InputError

DEVICES = (Path("/dev"), Path("/dev/fd"))  # a result must not take the place of /dev/stdout


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`; rename it over `path` on success, delete it on failure."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = _sibling(path)
    _remove(partial)
    partial.touch()
    readers = _readers(partial)
    partial.unlink()
    try:
        yield partial
        if _discarded(path):
            return _remove(partial)
        _let_read(partial, readers)
        _sync(partial)
        os.replace(partial, path)
    except BaseException:
        _remove(partial)
        raise


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """Yield an empty temporary folder next to `path`; it takes the place of `path` on success, vanishes on failure."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = _sibling(path)
    _remove(partial)
    partial.mkdir()
    readers = _readers(partial)
    try:
        yield partial
        if _discarded(path):
            return _remove(partial)
        for file in partial.rglob("*"):
            if file.is_file():
                _let_read(file, readers)
                _sync(file)
        _remove(path)
        os.replace(partial, path)
    except BaseException:
        _remove(partial)
        raise


def write_json(path: str | Path, value: Any) -> None:
    """Write `value` as indented JSON with sorted keys, atomically. NaN and infinity are refused (ValueError)."""
    with new_file(path) as partial:
        text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
        partial.write_text(text + "\n", encoding="utf-8")


def output_file(path: str | Path) -> Path:
    """The path of a file that will be written.

    Raises:
        InputError: it is a folder or a device, or nothing can be written where it lies.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path}: this is a folder; name a file, which the command writes")
    if (path.exists() and not path.is_file()) or path.absolute().parent in DEVICES:
        raise InputError(f"{path}: this is no file that can be replaced; name a file, which the command writes")
    return in_writable_folder(path)


def in_writable_folder(path: Path) -> Path:
    """The path; InputError where the nearest folder above it that is there takes no files."""
    above = next(parent for parent in path.absolute().parents if parent.exists())
    if not above.is_dir():
        raise InputError(f"{path}: {above} is a file, in which nothing can be written; name another place")
    if not os.access(above, os.W_OK):
        raise InputError(f"{path}: you may not write in {above}; name another place")
    return path


def as_written(paths: Iterable[str | Path]) -> list[str]:
    """Paths for `read_parquet` of DuckDB, which takes a path for a pattern: `corpus[1]` would be corpus1."""
    return [glob.escape(str(path)) for path in paths]


def another_process() -> int:
    """The number of this process among those of a distributed training; 0 for the first one, and for a program alone.

    torchrun numbers the processes of all machines (RANK), Lightning those that it starts on this one (LOCAL_RANK).
    """
    return int(os.environ.get("RANK") or os.environ.get("LOCAL_RANK") or 0)


def _discarded(path: Path) -> bool:
    """Whether another process removes what it wrote for `path`: not in a folder that it removes as a whole."""
    number = another_process()
    return bool(number) and not any(folder.match(f".*.{number}.partial") for folder in (path, *path.parents))


def _sibling(path: Path) -> Path:
    number = another_process()
    return path.with_name(f".{path.name}.{number}.partial" if number else f".{path.name}.partial")


def _readers(path: Path) -> int:
    """The bits of a mode that say who may read a new file or folder, as the umask of this process has them."""
    return path.stat().st_mode & 0o444


def _let_read(path: Path, readers: int) -> None:
    """Let all read a new file who read others of this process: safetensors writes files that only their owner reads.

    A link stays as it is, since the mode is that of the file elsewhere.
    """
    status = path.lstat()
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and readers & ~status.st_mode:
        path.chmod(stat.S_IMODE(status.st_mode) | readers)


def _sync(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def link_or_copy(source: str | Path, target: str | Path) -> None:
    """Make `target` a hard link to the file `source`, or a copy where the file system has no links.

    The files of data/ are replaced, and never written into, so that a hard link keeps its content.
    """
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
