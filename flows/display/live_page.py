"""The page of a project, rewritten while a run goes on and at its end, by a process that the run does not wait for."""

import hashlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from flows.display.progress import Progress
from flows.files import new_file
from flows.project import settings

SHARE = 0.02  # of the time, at most, goes into pages while the run goes on
MAX_PAGE_SECONDS = 300.0  # seconds; a page that takes longer is given up
SOURCES = "page_sources"  # in the folder of scratch: the digest of the sources of the page that was written last

_logger = logging.getLogger("flows")


class LivePage:
    """The page of one run: what has finished can be read at once.

    A page that cannot be written never fails the run; at the end the complaint is a warning.

    Args:
        progress: the run.
        checkout: the folder whose page shows all profiles.
        say: called once, when the first page of this run can be read.
    """

    def __init__(self, progress: Progress, checkout: Path, say: Callable[[str], None]):
        self._progress, self._checkout, self._say = progress, checkout, say
        self._page = settings.of(progress.root).page
        self._seen = self._stamps()
        self._process: subprocess.Popen | None = None
        self._began, self._next, self._due = 0.0, 0.0, False

    def tick(self) -> None:
        """Start a new page if a watched file has changed since the last one and enough time has passed (see SHARE)."""
        if not self._page:
            return
        now = time.monotonic()
        if self._process:
            if self._process.poll() is None and now - self._began < MAX_PAGE_SECONDS:
                return
            _kill(self._process)
            if not self._process.wait() and not self._next:
                self._say(f"what has finished can be read in {os.path.relpath(self._progress.root / self._page.file)}")
            self._process, self._next = None, now + (now - self._began) / SHARE
        stamps = self._stamps()
        if any(stamp != self._seen.get(path) for path, stamp in stamps.items()):
            self._due = True
        self._seen = stamps
        if self._due and now >= self._next:
            self._due, self._began = False, now
            _record(self._progress.root).unlink(missing_ok=True)
            words = f"This run goes on: {self._progress.counts()}. What is not evaluated yet is from earlier, or empty."
            self._process = _start(self._progress.root, [*self._page.live, words], subprocess.DEVNULL)

    def finish(self) -> None:
        """Write the last page; a run in a workspace also writes the page of the checkout, which shows all profiles.

        Where no stage ran, only a page that is missing or shows other results is written.
        """
        if self._process:
            _kill(self._process)
            self._process.wait()
            self._process = None
        for root in dict.fromkeys([self._progress.root, self._checkout]):
            if self._progress.count("ran"):
                write(root)
            else:
                write_outdated(root)

    def _stamps(self) -> dict[Path, int]:
        """When each watched file was written."""
        stamps = {}
        for path in self._progress.root.glob(self._page.watch) if self._page else ():
            with suppress(FileNotFoundError):  # DVC removes it before its stage runs
                stamps[path] = path.stat().st_mtime_ns
        return stamps


def write(root: Path) -> None:
    """Write the page of a root folder and wait for it; a complaint is a warning."""
    page = settings.of(root).page
    if not page:
        return
    sources, record = _sources(root, page), _record(root)
    process = _start(root, page.last, subprocess.PIPE)
    try:
        _, complaint = process.communicate(timeout=MAX_PAGE_SECONDS)
    except subprocess.TimeoutExpired:
        _kill(process)
        complaint = f"{process.communicate()[1]}\nit took more than {MAX_PAGE_SECONDS:.0f} seconds"
    if process.returncode:
        lines = complaint.strip().splitlines() or ["it did not say why"]
        _logger.warning("%s is not written: %s", root / page.file, lines[-1])
        return
    with new_file(record) as partial:
        partial.write_text(sources, encoding="utf-8")


def write_outdated(root: Path) -> None:
    """Write the page where there is something to show and the page is missing or was made of other files.

    So it is after `dvc pull`, `dvc checkout` or `dvc repro`, which bring other results and leave the page as it was.
    """
    page = settings.of(root).page
    if not page or not any(root.glob(page.watch)):
        return
    with suppress(FileNotFoundError):
        if (root / page.file).exists() and _record(root).read_text(encoding="utf-8") == _sources(root, page):
            return
    write(root)


def _record(root: Path) -> Path:
    return settings.scratch(root) / SOURCES


def _sources(root: Path, page: settings.Page) -> str:
    """A digest of the files that a page is made of; it does not hang on when they were written."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in (page.watch, *page.sources) for path in root.glob(pattern)}):
        with suppress(FileNotFoundError, IsADirectoryError):  # DVC removes an output before its stage runs
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(root)} {content}\n".encode())
    return digest.hexdigest()


def _kill(process: subprocess.Popen) -> None:
    """End a process of `_start` and what it has started, which may hold its stderr open."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def _start(root: Path, command: Sequence[str], errors: int) -> subprocess.Popen:
    """Start a command; its `python` is the one that runs the flow."""
    program = [sys.executable if command[0] == "python" else command[0], *command[1:]]
    return subprocess.Popen(
        ["nice", "-n", "10", *program],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        text=True,
        start_new_session=True,
    )
