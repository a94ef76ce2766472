"""Progress of a long transfer: a bar on a terminal, a plain line from time to time in a log."""

import sys
import time

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 10.0  # seconds between two lines of a log


class Progress:
    """Counts the bytes of one transfer.

    Args:
        name: what is transferred.
        interval: seconds between two lines where there is no terminal.
    """

    def __init__(self, name: str, interval: float = SECONDS_BETWEEN_LINES) -> None:
        self.name = name
        self.interval = interval
        self.bar: tqdm | None = None
        self.total: int | None = None
        self.done = 0
        self.shown = (0.0, 0)

    def start(self, bytes_done: int, total: int | None) -> None:
        """Start or restart, with `bytes_done` of `total` bytes already here."""
        self.close()
        self.done, self.total = bytes_done, total
        self.shown = (time.monotonic(), bytes_done)
        if sys.stderr.isatty():
            self.bar = tqdm(desc=self.name, initial=bytes_done, total=total, unit="B", unit_scale=True, leave=False)
        elif total is None or total > bytes_done:
            rest = "all there is" if total is None else _megabytes(total - bytes_done)
            self.say(f"{_megabytes(bytes_done)} are here, fetching {rest} more" if bytes_done else f"fetching {rest}")

    def advance(self, count: int) -> None:
        """Count `count` more bytes, and show them."""
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
            return
        then, before = self.shown
        now = time.monotonic()
        if now - then >= self.interval:
            share = f" of {_megabytes(self.total)} ({self.done / self.total:.0%})" if self.total else ""
            self.say(f"{_megabytes(self.done)}{share}, {_megabytes((self.done - before) / (now - then))}/s")
            self.shown = (now, self.done)

    def say(self, sentence: str) -> None:
        """Print a line about this transfer without breaking the bar."""
        say(self.name, sentence)

    def close(self) -> None:
        """Remove the bar from the terminal."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def say(name: str, sentence: str) -> None:
    """Print a line on stderr, above any bar."""
    tqdm.write(f"{name}: {sentence}", file=sys.stderr)


def _megabytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB"
