"""Lines of compressed dumps as blocks of text: resumable, in several processes where a dump is split, in little memory.

A dump is one or more files. A *stretch* is a part of a file that can be decompressed on its own: a whole file, or some
members of a gzip file of many. Stretches are shared among processes. The text of a stretch comes in blocks of whole
lines; what a block says is written to files of its own, so that a run that was stopped goes on after the last block.
"""

import json
import mmap
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.freebase.recipes import OnError
from repline.corpora.ordered_map import ordered_map, pool
from repline.corpora.wikipedia.dump_files import Damage, gunzipped, unpacked
from repline.errors import InputError
from repline.files import new_file, write_json

BLOCK = 1 << 25  # bytes of text
SMALLEST_STRETCH = 1 << 22  # compressed bytes: many small members travel together
_MEMBER = re.compile(rb"\x1f\x8b\x08[\x00\x04\x08\x0c\x10\x18].{4}[\x00\x02\x04][\x00-\x0d\xff]", re.DOTALL)


@dataclass(frozen=True)
class Stretch:
    """Bytes of a file: from the beginning of a gzip member to `end`."""

    path: Path
    start: int
    end: int


@dataclass
class Found:
    """The result of some lines: tables of pairs by name, and counts, among them `wrong_lines`.

    `wrong` is the number of the first wrong line, from 1, and what is wrong.
    """

    tables: dict[str, pa.Table] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    wrong: tuple[int, str] | None = None
    lines: int = 0


Scan = Callable[[bytes], Found]


@dataclass
class Outcome:
    """The result of a stretch; `head` and `tail` are the parts before its first and after its last line end."""

    lines: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    wrong: tuple[int, str] | None = None
    damage: str | None = None
    head: bytes = b""
    tail: bytes = b""


def scan_dump(
    paths: Sequence[Path],
    scan: Scan,
    scratch: Path,
    *,
    on_error: OnError = "stop",
    processes: int = 1,
    executor: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, int], list[str]]:
    """Write the tables of all blocks into `scratch`, as `<table>-<stretch>-<block>.parquet`.

    Args:
        paths: plain, `.gz` or `.bz2`, in order; lines do not go on in the next file.
        scan: lines -> what they say; picklable where there are processes.
        scratch: a folder for this dump and this scan alone; blocks that are there are not scanned again.
        on_error: at a wrong line or a broken file, "stop" raises; "salvage" leaves out the line, or what follows in
            this file, and notes it.
        processes, executor: of `repline.corpora.ordered_map.pool`; they do not change the result.
        progress: called with the lines so far, and the pairs.

    Returns:
        the sums of the counts, with `lines` and `wrong_lines`; and notes on what was salvaged.

    Raises:
        InputError: a file that cannot be read, or with `stop` a wrong line or a broken file, naming the line.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    items = list(enumerate(stretch for path in paths for stretch in stretches(path)))
    total: dict[str, int] = {"lines": 0, "wrong_lines": 0}
    notes: list[str] = []
    path, before, tail = None, 0, b""  # lines of this file so far, and what is left of the last one

    def single(text: bytes, name: str) -> int:
        """Scan one line that lay in two stretches, or has no end; how many lines it is."""
        if not text:
            return 0
        block = _blocks_of(scan, text + b"\n", scratch, name)
        _check(block.wrong, path, before, on_error)
        _add(total, block.counts)
        return 1

    with pool(processes, executor) as (computing, pending, share):
        work = partial(read_stretch, scan=scan, scratch=scratch)
        for (index, stretch), outcome in zip(items, ordered_map(work, items, computing, pending, share), strict=True):
            if stretch.path != path:
                total["lines"] += before + single(tail, f"{index:05d}-end")
                path, before, tail = stretch.path, 0, b""
            if stretch.start:
                before += single(tail + outcome.head, f"{index:05d}-joint")
            _check(outcome.wrong, path, before, on_error)
            _add(total, outcome.counts)
            before += outcome.lines
            tail = outcome.tail
            if outcome.damage:
                notes.append(_broken(path, outcome.damage, before, on_error))
                tail = b""
            if progress:
                progress(total["lines"] + before, sum(total.get(key, 0) for key in ("names", "types")))
    total["lines"] += before + single(tail, "end")
    if total["wrong_lines"]:
        notes.append(f"salvaged: {total['wrong_lines']} wrong lines were left out")
    return total, notes


def stretches(path: Path) -> list[Stretch]:
    """The parts of a file that can be decompressed on their own; InputError for an empty or missing file."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    if not size:
        raise InputError(f"{path}: expected a dump, found an empty file")
    if path.suffix != ".gz":
        return [Stretch(path, 0, size)]
    starts = [0]
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content[:2] != b"\x1f\x8b":
            raise InputError(f"{path}: the name says gzip but the content is not; rename the file or get it again")
        for match in _MEMBER.finditer(content, SMALLEST_STRETCH):
            start = match.start()
            if start - starts[-1] >= SMALLEST_STRETCH and _begins_member(content[start : start + (1 << 16)]):
                starts.append(start)
    return [Stretch(path, start, end) for start, end in zip(starts, [*starts[1:], size], strict=True)]


def read_stretch(item: tuple[int, Stretch], scan: Scan, scratch: Path) -> Outcome:
    """Scan the blocks of one stretch that are not there yet."""
    index, stretch = item
    outcome, rest, first, number = Outcome(), b"", stretch.start > 0, 0
    try:
        for text in _blocks(stretch):
            whole = rest + text
            cut = whole.rfind(b"\n") + 1
            whole, rest = whole[:cut], whole[cut:]
            if first and cut:
                begin = whole.index(b"\n") + 1
                outcome.head, whole, first = whole[:begin].rstrip(b"\n"), whole[begin:], False
            if whole:
                block = _blocks_of(scan, whole, scratch, f"{index:05d}-{number:06d}")
                if block.wrong and not outcome.wrong:
                    outcome.wrong = outcome.lines + block.wrong[0], block.wrong[1]
                _add(outcome.counts, block.counts)
                outcome.lines += block.lines
                number += 1
    except Damage as damage:
        outcome.damage = str(damage)
    outcome.tail = rest
    return outcome


def _blocks(stretch: Stretch) -> Iterator[bytes]:
    parts: list[bytes] = []
    with open(stretch.path, "rb") as file:
        file.seek(stretch.start)
        part = _Part(file, stretch.end - stretch.start)
        unpack = {".gz": gunzipped, ".bz2": unpacked}.get(stretch.path.suffix)
        chunks = unpack(cast(BinaryIO, part), stretch.start) if unpack else iter(lambda: part.read(1 << 20), b"")
        size = 0
        try:
            for chunk in chunks:
                parts.append(chunk)
                size += len(chunk)
                if size >= BLOCK:
                    yield b"".join(parts)
                    parts, size = [], 0
        except Damage:
            yield b"".join(parts)  # what precedes the damage is good
            raise
    yield b"".join(parts)


class _Part:
    """A range of bytes of a file, read like a file."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file, self.left = file, size

    def read(self, size: int) -> bytes:
        data = self.file.read(min(size, self.left))
        self.left -= len(data)
        return data


def _blocks_of(scan: Scan, text: bytes, scratch: Path, name: str) -> Found:
    """What the lines of a block say: scanned and written, or as an earlier run left it."""
    record = scratch / f"{name}.json"
    if record.exists():
        recorded = json.loads(record.read_text(encoding="utf-8"))
        return Found({}, recorded["counts"], tuple(recorded["wrong"]) if recorded["wrong"] else None, recorded["lines"])
    scanned = scan(text)
    scanned.lines = text.count(b"\n")
    for table, rows in scanned.tables.items():
        scanned.counts[table] = len(rows)
        if len(rows):
            with new_file(scratch / f"{table}-{name}.parquet") as partial_file:
                pq.write_table(rows, partial_file, compression="zstd")
    write_json(record, {"counts": scanned.counts, "wrong": scanned.wrong, "lines": scanned.lines})
    return scanned


def _check(wrong: tuple[int, str] | None, path: Path | None, before: int, on_error: OnError) -> None:
    if wrong and on_error == "stop":
        raise InputError(
            f"{path}, line {before + wrong[0]}: {wrong[1]}; set on_error to salvage to leave such lines out"
        )


def _broken(path: Path, damage: str, lines: int, on_error: OnError) -> str:
    if on_error == "stop":
        raise InputError(
            f"{path}: {damage}, after line {lines}; get it again, or set on_error to salvage to keep what precedes"
        )
    return f"salvaged: {path.name}: {damage}, after line {lines}; what follows is lost"


def _add(total: dict[str, int], counts: dict[str, int]) -> None:
    for key, value in counts.items():
        total[key] = total.get(key, 0) + value


def _begins_member(data: bytes) -> bool:
    try:
        return len(zlib.decompressobj(wbits=31).decompress(data)) > 0
    except zlib.error:
        return False
