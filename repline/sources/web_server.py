"""Requests to a web server: time limits, retries, and which version of a file it has."""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

import httpx

from repline.sources.catalogue import encrypted
from repline.sources.verify import Unavailable
from repline.version import VERSION

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
LONGEST_WAIT = 60.0  # seconds


@dataclass(frozen=True)
class Patience:
    """Time limits and retries for a server.

    Attributes:
        attempts: attempts in a row that bring no new byte before giving up.
        backoff: seconds before the second attempt; doubled before each further one, with jitter, up to a minute.
        timeout: seconds without a byte after which a connection counts as stalled.
    """

    attempts: int = 5
    backoff: float = 1.0
    timeout: float = 30.0


PATIENCE = Patience()


class Interrupted(Exception):
    """An attempt failed in a way that may pass; `retry_after` seconds if the server asked for a pause."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class Version(TypedDict, total=False):
    """What is known of a version of a file on a web server; a value is None where the server states none.

    Attributes:
        etag, last_modified: as its headers say.
        bytes: its size.
        dump_date: of a dump, as its home names it.
        checksum: from the list of checksums that its home publishes.
    """

    etag: str | None
    last_modified: str | None
    bytes: int | None
    dump_date: str | None
    checksum: str | None


def head(url: str, patience: Patience = PATIENCE) -> Version:
    """Ask for the version of `url` without its bytes.

    Returns:
        `etag` and `last_modified` (str or None) and `bytes` (int or None).

    Raises:
        Unavailable: the server cannot be reached or refuses.
    """
    response = _ask("HEAD", url, patience)
    length = response.headers.get("content-length", "")
    return {**version_of(response.headers), "bytes": int(length) if length.isdigit() else None}


def text(url: str, patience: Patience = PATIENCE) -> str:
    """A short text from `url`; Unavailable if the server cannot be reached or refuses."""
    return _ask("GET", url, patience).text


def _ask(method: str, url: str, patience: Patience) -> httpx.Response:
    with open_client(patience) as client:
        for attempt in range(1, patience.attempts + 1):
            try:
                response = client.request(method, url)
                refuse(response)
                return response
            except (httpx.TransportError, Interrupted) as error:
                if attempt == patience.attempts:
                    raise Unavailable(f"{reason_of(error, patience)} ({attempt} attempts)") from None
                time.sleep(pause(error, attempt, patience))
            except httpx.TooManyRedirects:
                raise Unavailable("the server redirects without end") from None
    raise Unavailable("no attempt was allowed")


def open_client(patience: Patience) -> httpx.Client:
    """A client that follows redirects, as long as they stay encrypted, and wants files as they are."""

    def refuse_plain(request: httpx.Request) -> None:
        if not encrypted(str(request.url)):
            raise Unavailable(f"the server redirects to {request.url}, which is not https")

    return httpx.Client(
        follow_redirects=True,
        timeout=patience.timeout,
        headers={"User-Agent": f"repline/{VERSION}", "Accept-Encoding": "identity"},
        event_hooks={"request": [refuse_plain]},
    )


def refuse(response: httpx.Response) -> None:
    """Nothing for 200 and 206; Interrupted where asking again may help, Unavailable where it does not."""
    answer = f"the server answers {response.status_code} {response.reason_phrase}".rstrip()
    if response.status_code in RETRIED:
        seconds = response.headers.get("retry-after", "")
        raise Interrupted(answer, float(seconds) if seconds.isdigit() else None)
    if response.status_code not in (200, 206):
        raise Unavailable(answer)


def version_of(headers: Mapping[str, str | None]) -> Version:
    """`etag` and `last_modified` from the headers of a response, or from what was kept of an earlier one."""
    return {
        "etag": headers.get("etag"),
        "last_modified": headers.get("last-modified") or headers.get("last_modified"),
    }


def reason_of(error: Exception, patience: Patience) -> str:
    """Why an attempt failed, for people."""
    if isinstance(error, httpx.TimeoutException):
        return f"no byte came for {patience.timeout:g} s"
    return str(error) or type(error).__name__


def pause(error: Exception, failures: int, patience: Patience) -> float:
    """Seconds before the next attempt after `failures` in a row: exponential with jitter, or what the server asks."""
    wait = patience.backoff * 2 ** (failures - 1) * random.uniform(0.5, 1.5)
    return min(max(wait, getattr(error, "retry_after", None) or 0.0), LONGEST_WAIT)
