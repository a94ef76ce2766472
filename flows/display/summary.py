"""The end of a run in about ten lines: what ran, what was slow, what the project adds, and where to look first."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from flows.display import tracked_files
from flows.display.progress import Progress, clock
from flows.project import hooks
from flows.project.addresses import short
from flows.records import logs

SLOWEST = 5
DISK_FULL = ("the disk is full", os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT))


def lines(progress: Progress, message: str) -> Iterator[str]:
    """The summary, after the run's own message.

    Args:
        progress: the run at its end.
        message: how it ended, with what its failed stages said.
    """
    yield message
    yield f"time: {clock(progress.elapsed())}; the full output of each stage: {_here(logs.folder(progress.root))}"
    ran = {address: ending.seconds for address, ending in progress.ended.items() if ending.how in ("ran", "failed")}
    if ran:
        yield "slowest:"
        for address in sorted(ran, key=ran.__getitem__, reverse=True)[:SLOWEST]:
            yield f"  {clock(ran[address]):>12}  {short(address)}"
    lines_of_project, first = _of_project(progress)
    yield from lines_of_project
    yield from progress.compared
    yield from tracked_files.lines(progress)
    if first := _first(progress, message) or first:
        yield f"look first at: {first}"


def _of_project(progress: Progress) -> tuple[list[str], str | None]:
    """What the project has to say of a run's outputs, and what it would look at first."""
    summary = hooks.find("summary")
    return summary(progress.root, progress.outs()) if summary else ([], None)


def _first(progress: Progress, message: str) -> str | None:
    """What to look at first after a run that did not succeed; None after one that did."""
    if any(words in message for words in DISK_FULL):
        return "the disk, which is full; free some space and run again"
    failed = [address for address, ending in progress.ended.items() if ending.how == "failed"]
    if failed:
        return _here(logs.path(progress.root, failed[0]))
    if len(progress.ended) < len(progress.plan) or progress.count("stopped"):
        return "nothing; the same command goes on from here"
    return None


def _here(path: Path) -> str:
    return os.path.relpath(path)
