"""What a stage prints, in lines that a person reads."""

from collections.abc import Iterator

LONGEST_LINE = 10_000  # characters; the Prefect API refuses huge records
MAX_BYTES = 4 * LONGEST_LINE  # bytes of a line that has not ended; its end may never come


class Lines:
    """Cuts bytes into lines: of a line that is written over and over, as a progress bar, what it showed last.

    A line without an end takes no more memory and time than a long line.
    """

    def __init__(self) -> None:
        self._rest = b""

    def add(self, output: bytes) -> Iterator[str]:
        """The lines that end in `output`, without those that are empty."""
        *ended, rest = output.split(b"\n")
        for line in ended:
            line, self._rest = self._rest + line, b""
            yield from _shown(line)
        self._rest = _cut(self._rest + rest)

    def end(self) -> Iterator[str]:
        """The last line, if it has no end."""
        rest, self._rest = self._rest, b""
        yield from _shown(rest)


def _cut(line: bytes) -> bytes:
    """The part of a line that can still be shown: what comes next may write over it, or be the end of the line."""
    shown = line.rstrip(b"\r")
    return shown.rpartition(b"\r")[2][:MAX_BYTES] + line[len(shown) :][:1]


def _shown(line: bytes) -> Iterator[str]:
    text = line.decode("utf-8", "replace").rstrip().rsplit("\r", 1)[-1][:LONGEST_LINE]
    if text.strip():
        yield text
