"""A record and the whole output of each run of each stage: a file of each kind in a folder of the stage."""

import json
import os
import platform
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

from flows.files import write_json
from flows.project import settings
from flows.records import fingerprint, logs

MAX_AGE = 180 * 24 * 3600  # seconds
MAX_BYTES = 1 << 30


class Usage(TypedDict):
    """What a run of a stage took: seconds, core-seconds, and the peak memory of its largest process."""

    seconds: float
    core_seconds: float
    peak_bytes: int


class Record(Usage):
    """What is kept of a run of a stage."""

    stage: str
    started: float
    fingerprint: str | None
    machine: dict[str, str | int | None]


def folder(root: Path) -> Path:
    """The folder of the records of a project."""
    return settings.scratch(root) / "history"


def keep(root: Path, address: str, started: float, usage: Usage) -> None:
    """Keep the record and the output of a run that has ended well; a full disk keeps none, and fails nothing."""
    machine: dict[str, str | int | None] = {
        "host": platform.node(),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
    }
    entry = fingerprint.here(root, address)
    record: Record = {"stage": address, "started": started, "fingerprint": entry, "machine": machine, **usage}
    moment = time.strftime("%Y%m%dT%H%M%S", time.localtime(started)) + f".{round(started % 1 * 1000):03}"
    path = _folder_of_stage(root, address) / f"{moment}-{(entry or 'none')[:12]}.json"
    with suppress(OSError):
        write_json(path, record)
        shutil.copyfile(logs.path(root, address), path.with_suffix(".log"))


def runs(root: Path, address: str) -> Iterator[tuple[Record, Path]]:
    """The records of a stage, the last run first, each with the file of its output."""
    for path in sorted(_folder_of_stage(root, address).glob("*.json"), reverse=True):
        if record := _read(path):
            yield record, path.with_suffix(".log")


def last_runs(root: Path) -> list[Record]:
    """The record of the last run of each stage."""
    newest = (max(stage.glob("*.json"), default=None) for stage in sorted(folder(root).glob("*")))
    records = (_read(path) for path in newest if path)
    return [record for record in records if record]


def prune(root: Path) -> None:
    """Remove records that are old, and the oldest ones of more than `MAX_BYTES`, but never the last of a stage."""
    files: list[tuple[float, int, Path]] = []
    for stage in folder(root).glob("*"):
        for path in sorted(stage.glob("*.json"))[:-1]:
            pair = [file for file in (path, path.with_suffix(".log")) if file.exists()]
            files.append((path.stat().st_mtime, sum(file.stat().st_size for file in pair), path))
    size = sum(size for _, size, _ in files)
    for written, bytes_of_pair, path in sorted(files):
        if size <= MAX_BYTES and time.time() - written <= MAX_AGE:
            break
        size -= bytes_of_pair
        for file in (path, path.with_suffix(".log")):
            file.unlink(missing_ok=True)


def _folder_of_stage(root: Path, address: str) -> Path:
    return folder(root) / logs.file_name(address)


def _read(path: Path) -> Record | None:
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    numbers = (record.get("started"), record.get("seconds"), record.get("core_seconds"), record.get("peak_bytes"))
    return record if all(isinstance(number, int | float) for number in numbers) and "stage" in record else None
