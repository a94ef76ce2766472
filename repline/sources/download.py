"""Downloads that survive cuts, stalls, restarts and kills.

The bytes are appended to a partial file; a small JSON file next to it records their address and version. The next
attempt, in this process or a later one, asks for the rest of exactly that version (Range with If-Range) and starts over
when the server has another version or does not support ranges.
"""

import errno
import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

import httpx

from repline.files import write_json
from repline.sources.transfer_progress import Progress
from repline.sources.verify import Unavailable
from repline.sources.web_server import (
    PATIENCE,
    Interrupted,
    Patience,
    Version,
    open_client,
    pause,
    reason_of,
    refuse,
    version_of,
)


def download(
    url: str,
    partial: Path,
    *,
    name: str,
    size: int | None = None,
    checked: bool = False,
    patience: Patience = PATIENCE,
) -> tuple[Version, bool]:
    """Bring the bytes of `url` to the file `partial`, resuming what an earlier call left there.

    Args:
        url: https address (http only on this machine).
        partial: where the bytes are collected; kept when the download fails, so that it can be resumed.
        name: what to call the download while it runs.
        size: expected bytes, None if unknown.
        checked: whether the caller verifies a checksum: then bytes without a version are resumed too.
        patience: attempts, backoff and timeout.

    Returns:
        what the server said of this version (`etag`, `last_modified`: str or None; `bytes`: int), and whether older
        bytes were continued, in which case they may cause a wrong checksum.

    Raises:
        Unavailable: refused, wrong size, or no progress after `patience.attempts` attempts.
        OSError: the disk is full or not writable, or another process downloads to `partial`.
    """
    partial.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(name)
    failures, furthest = 0, 0
    with open(partial, "a+b") as file, open_client(patience) as client:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unavailable("another process is downloading it just now") from None
        transfer = _Transfer(client, url, file, partial, size, checked, progress)
        try:
            while True:
                furthest = max(furthest, transfer.here())
                try:
                    return transfer.attempt(), transfer.continued
                except (httpx.TransportError, Interrupted) as error:
                    failures = 0 if transfer.here() > furthest else failures + 1
                    reason = reason_of(error, patience)
                    if failures >= patience.attempts:
                        raise Unavailable(f"{reason} ({failures} attempts without a new byte)") from None
                    wait = pause(error, max(failures, 1), patience)
                    progress.say(f"{reason}; next attempt in {wait:.1f} s")
                    time.sleep(wait)
        finally:
            progress.close()


def forget(partial: Path) -> None:
    """Remove a partial file and what is known of it."""
    partial.unlink(missing_ok=True)
    _state_path(partial).unlink(missing_ok=True)


class _Transfer:
    """One partial file and the server that fills it."""

    def __init__(
        self,
        client: httpx.Client,
        url: str,
        file: BinaryIO,
        partial: Path,
        size: int | None,
        checked: bool,
        progress: Progress,
    ) -> None:
        self.client, self.url, self.file, self.partial = client, url, file, partial
        self.size, self.checked, self.progress = size, checked, progress
        self.continued = False

    def here(self) -> int:
        self.file.flush()
        return self.file.seek(0, os.SEEK_END)

    def restart(self) -> None:
        self.continued = False
        if self.here():
            self.file.truncate(0)
            os.fsync(self.file.fileno())

    def attempt(self) -> Version:
        """Fetch what is missing; the server's version of the now whole file, or an exception."""
        state = _read_state(self.partial)
        validator = _validator(state)
        if state.get("url") != self.url or not (validator or self.checked):
            self.restart()
        if self.size is not None and self.here() > self.size:
            self.restart()
        offset = self.here()
        self.continued = offset > 0
        if offset and self.checked and offset == self.size:
            return {**version_of(state), "bytes": offset}
        headers = {"Range": f"bytes={offset}-"} if offset else {}
        if offset and validator:
            headers["If-Range"] = validator
        try:
            with self.client.stream("GET", self.url, headers=headers) as response:
                return self.receive(response, state, offset)
        except httpx.TooManyRedirects:
            raise Unavailable("the server redirects without end") from None

    def receive(self, response: httpx.Response, state: Mapping[str, str | None], offset: int) -> Version:
        version = version_of(response.headers)
        start, end = _content_range(response)
        if offset and response.status_code == 416:
            if end == offset and _same(version, state):
                return {**version_of(state), "bytes": offset}
            self.restart()
            raise Interrupted(f"the server has no bytes from {offset} on, starting over")
        refuse(response)
        if response.status_code == 206:
            if start != offset or not _same(version, state):
                self.restart()
                raise Interrupted("the file changed on the server, starting over")
            version, total = version_of(state), end
        else:
            length = response.headers.get("content-length", "")
            total = int(length) if length.isdigit() else None
        if None not in (self.size, total) and total != self.size:
            raise Unavailable(f"expected {self.size} bytes, the server offers {total}")
        if response.status_code == 200:
            self.restart()
            offset = 0
        self.store(response, version, offset, total)
        if total is not None and self.here() != total:
            raise Interrupted(f"the connection ended after {self.here()} of {total} bytes")
        return {**version, "bytes": self.here()}

    def store(self, response: httpx.Response, version: Version, offset: int, total: int | None) -> None:
        free = shutil.disk_usage(self.partial.parent).free
        if total is not None and free < total - offset:
            raise OSError(errno.ENOSPC, f"{total - offset} bytes are needed, {free} are free", str(self.partial))
        write_json(_state_path(self.partial), {"url": self.url, **version})
        self.progress.start(offset, total)
        # raw bytes: the checksum is of the file, without a Content-Encoding that the server chose
        for chunk in response.iter_raw():
            self.file.write(chunk)
            self.progress.advance(len(chunk))
            if self.size is not None and self.progress.done > self.size:
                self.restart()
                raise Unavailable(f"expected {self.size} bytes, the server sends more")


def _validator(state: Mapping[str, str | None]) -> str | None:
    """The value for If-Range: a strong ETag, else the date (RFC 9110, section 13.1.5)."""
    etag = state.get("etag")
    return etag if etag and not etag.startswith("W/") else state.get("last_modified")


def _same(version: Version, state: Mapping[str, str | None]) -> bool:
    stated = ((version.get(key), state.get(key)) for key in ("etag", "last_modified"))
    return all(mine == theirs for mine, theirs in stated if mine and theirs)


def _content_range(response: httpx.Response) -> tuple[int | None, int | None]:
    """First byte and total size of `Content-Range: bytes 5-9/10` or `bytes */10`."""
    match = re.fullmatch(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)", response.headers.get("content-range", ""))
    start, total = match.groups() if match else (None, None)
    return int(start) if start else None, int(total) if total and total != "*" else None


def _state_path(partial: Path) -> Path:
    return partial.with_name(f"{partial.name}.json")


def _read_state(partial: Path) -> dict[str, str | None]:
    try:
        state = json.loads(_state_path(partial).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}
