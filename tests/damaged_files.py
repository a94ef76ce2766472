"""One byte of a file replaced, deleted or inserted: no reader may change other records silently.

A record is what a line says, or the lines that belong together. A reader passes where it

- gives the same records,
- raises InputError in one sentence that names the file, or
- gives as many records, all but the one of the touched line the same. Where the byte is or was a line end, or where a
  line becomes blank or a comment, two lines meet or part, and so may their records.

It may not lose a record, add one, change another one, or end in another exception.
"""

import tempfile
from collections import Counter
from pathlib import Path
from typing import Literal, NamedTuple

from hypothesis import strategies

from repline.errors import InputError
from tests.text_readers import Reader, write

TELLING = b"\t\n\r \"'#,;:|/\\-_.=<>&[]{}()*+0129eNaA\x00\x01\x7f\x80\xbb\xc3\xef\xfe\xff"  # what formats are made of
ENDS = b"\n\r"


class Change(NamedTuple):
    """One byte of one file of a reader."""

    file: str
    kind: Literal["replace", "delete", "insert"]
    position: int
    byte: int

    def applied(self, content: bytes) -> bytes:
        middle = b"" if self.kind == "delete" else bytes([self.byte])
        return content[: self.position] + middle + content[self.position + (self.kind != "insert") :]

    def parts_lines_otherwise(self, content: bytes, comments: str) -> bool:
        """Whether the file has other lines now: one that says something, a blank one or a comment more or less."""
        if self.kind != "delete" and self.byte in ENDS:
            return True
        if self.kind != "insert" and content[self.position] in ENDS:
            return True
        start = content.rfind(b"\n", 0, self.position) + 1
        line = content[start : (content + b"\n").index(b"\n", self.position)]
        changed = Change(self.file, self.kind, self.position - start, self.byte).applied(line)
        return says_something(line, comments) != says_something(changed, comments)


def says_something(line: bytes, comments: str) -> bool:
    return bool(line.strip()) and not (comments and line.lstrip().startswith(comments.encode()))


@strategies.composite
def changes(draw: strategies.DrawFn, reader: Reader) -> Change:
    """A change of one byte of one of the files of a reader."""
    file = draw(strategies.sampled_from(sorted(reader.files)))
    kind = draw(strategies.sampled_from(("replace", "delete", "insert")))
    length = len(reader.contents()[file])
    position = draw(strategies.integers(0, length if kind == "insert" else length - 1))
    byte = draw(strategies.sampled_from(TELLING) | strategies.integers(0, 255)) if kind != "delete" else 0
    return Change(file, kind, position, byte)


def problem(reader: Reader, change: Change) -> str | None:
    """What is wrong with the way a reader takes a change; None where it takes it well."""
    contents = reader.contents()
    with tempfile.TemporaryDirectory() as folder:
        expected = reader.read(write(Path(folder) / "whole", contents))
        damaged = contents | {change.file: change.applied(contents[change.file])}
        try:
            records = reader.read(write(Path(folder) / "damaged", damaged))
        except InputError as error:
            message = str(error)
            if "\n" in message:
                return f"the message is no sentence: {message!r}"
            named = any(name in message for name in contents) or folder in message
            return None if named else f"the message names no file: {message}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    before, after = (Counter(map(repr, rows)) for rows in (expected, records))
    lost, new = before - after, after - before
    if change.parts_lines_otherwise(contents[change.file], reader.comments):
        allowed = lost.total() <= 2 and new.total() <= 2
    else:
        allowed = lost.total() == new.total() <= 1
    return None if allowed else f"lost {[*lost.elements()]}, new {[*new.elements()]}"
