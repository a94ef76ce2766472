"""The generalised Dyck language: balanced strings of five kinds of brackets, and what makes a closing bracket hard.

A string of N pairs is a lattice path from (0, 0) to (N, N): the point (i, j) says that i brackets have been opened
and j closed, so i >= j, and i - j is the depth. Training strings reach a depth of exactly `train_depth`; test
strings are uncapped, so a model is asked to close brackets that are nested deeper than any it has seen.

Symbols are numbered by their place in `ALPHABET`: the bracket that opens kind q is 2q, the one that closes it 2q + 1.

Source: Bernardy & Lappin 2022, section 5. The paper does not describe how strings are drawn; the recursion here is
the one of the authors' published experiment, which does not sample Dyck words uniformly.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import write_card
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.systems.urn.settings import DyckCorpus

KINDS = ("()", "{}", "[]", "<>", "+-")
BRACKETS = "".join(KINDS)
START = len(BRACKETS)  # the symbol `s` that a language model reads first
ALPHABET = BRACKETS + "s "

_CODES = np.full(256, -1, dtype=np.int64)
_CODES[np.frombuffer(ALPHABET.encode("ascii"), dtype=np.uint8)] = np.arange(len(ALPHABET))


def generate(folder: str | Path, corpus: DyckCorpus) -> None:
    """Write train.parquet, test.parquet (columns `string`, `depth`) and card.json into `folder`, all or nothing.

    Args:
        folder: replaces what was there.

    Source: Bernardy & Lappin 2022, section 5.
    """
    pairs = corpus.pairs
    train_seed, test_seed = np.random.SeedSequence(corpus.seed).spawn(2)
    with new_folder(folder) as partial:
        counts = {"characters_per_string": 2 * pairs}
        for name, depth, strings, split_seed in (
            ("train", corpus.train_depth, corpus.train_strings, train_seed),
            ("test", None, corpus.test_strings, test_seed),
        ):
            ids = draw(strings, pairs=pairs, depth=depth, rng=np.random.Generator(np.random.PCG64(split_seed)))
            depths = nesting_depths(ids).max(axis=1)
            _write(partial / f"{name}.parquet", ids, depths)
            counts[f"{name}_strings"] = strings
            counts |= {f"{name}_strings_of_depth_{depth}": int((depths == depth).sum()) for depth in np.unique(depths)}
        write_card(
            partial,
            name="dyck",
            description=f"Strings of {pairs} balanced bracket pairs of {len(KINDS)} kinds, "
            f"nested {corpus.train_depth} deep in train and up to {pairs} deep in test",
            licence="Apache-2.0",
            sources=[],
            parameters=corpus.model_dump(),
            counts=counts,
            tools=("numpy", "pyarrow"),
            notes=["made data: drawn from a seeded generator", "strings of the training depth are kept in test"],
        )


def read(folder: str | Path, part: str) -> np.ndarray:
    """The strings of one part, train or test, of the corpus in `folder`: int64 [N, L], symbols."""
    return encode(pq.read_table(Path(folder) / f"{part}.parquet")["string"].to_pylist())


def _imbalance(string: str) -> str:
    """What is wrong with a string of brackets; empty where they are balanced."""
    unclosed: list[str] = []
    for character in string:
        if character in BRACKETS and BRACKETS.index(character) % 2 == 0:
            unclosed.append(BRACKETS[BRACKETS.index(character) + 1])
        elif character not in BRACKETS or not unclosed or unclosed.pop() != character:
            return f"expected balanced brackets of {' '.join(KINDS)}, found"
    return f"{unclosed[-1]} is missing at the end of" if unclosed else ""


def read_own_strings(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> np.ndarray:
    """Balanced strings of a file, one a line: int64 [N, L], symbols, shorter ones padded on the right with blanks.

    White space inside a line is not read.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: there is no string, or a line has another character or is not balanced; names the line.
    """
    strings: list[str] = []
    left_out = LeftOut.of(on_error)
    for number, line in checked_lines(path, encoding, left_out.add):
        string = "".join(line.split())
        with left_out:
            if problem := _imbalance(string):
                raise WrongRecord(path, f"line {number}", f"{problem} {shown(line.strip())}", problem)
            strings += [string] if string else []
    if not strings:
        raise InputError(f"{path}: expected a string of brackets a line, found none")
    longest = max(map(len, strings))
    return encode([string.ljust(longest) for string in strings])


def draw(strings: int, *, pairs: int, depth: int | None, rng: np.random.Generator) -> np.ndarray:
    """Random strings of the language.

    The path between two points with cap d: only closings if they have the same i, only openings if the same j,
    otherwise through a point (i_m, j_m) with j_m uniform in [j0, j1] and i_m uniform in
    [max(i0, j_m), min(i1, j_m + d)], and so on in both halves. Each matched pair gets a kind uniformly.

    Args:
        strings: how many.
        pairs: N.
        depth: the depth d that each string reaches exactly, by forcing its path through (i, i - d) with i uniform
            in [d, N] and capping both halves at d; None for no cap and no forced point.

    Returns:
        int64 [strings, 2N], symbols of BRACKETS.

    Source: Bernardy & Lappin 2022, section 5, the recursion of the published experiment.
    """
    cap = pairs if depth is None else depth
    row = np.arange(strings)
    zero, full = np.zeros_like(row), np.full_like(row, pairs)
    if depth is None:
        segments = np.stack([row, zero, zero, full, full])
    else:
        i = _uniform(rng, np.full_like(row, depth), full)
        segments = np.concatenate(
            [np.stack([row, zero, zero, i, i - depth]), np.stack([row, i, i - depth, full, full])], axis=1
        )
    closing = np.zeros((strings, 2 * pairs), dtype=bool)
    while segments.size:  # one pass for a level of the recursion of all strings
        row, i0, j0, i1, j1 = segments
        straight = (i0 == i1) | (j0 == j1)
        _close(closing, *segments[:, (i0 == i1) & (j0 < j1)])
        row, i0, j0, i1, j1 = segments[:, ~straight]
        j = _uniform(rng, j0, j1)
        i = _uniform(rng, np.maximum(i0, j), np.minimum(i1, j + cap))
        segments = np.concatenate([np.stack([row, i0, j0, i, j]), np.stack([row, i, j, i1, j1])], axis=1)
    ids = closing.astype(np.int64)  # as if all were of kind 0, which is enough to match them
    opening_of = matching(ids)
    kinds = _uniform(rng, np.zeros_like(ids), np.full_like(ids, len(KINDS) - 1))
    return ids + 2 * np.where(closing, np.take_along_axis(kinds, np.maximum(opening_of, 0), axis=1), kinds)


def encode(strings: Sequence[str]) -> np.ndarray:
    """Strings of one length as symbols: int64 [N, L], each the character's place in ALPHABET.

    Raises:
        InputError: strings of different lengths, or a character outside ALPHABET, naming the string's number.
    """
    if not len(strings):
        return np.empty((0, 0), dtype=np.int64)
    length = len(strings[0])
    for number, string in enumerate(strings):
        if len(string) != length or not string.isascii():
            raise InputError(
                f"string {number} of the Dyck corpus: expected {length} characters of {shown(ALPHABET)}, "
                f"found {shown(string)}"
            )
    ids = _CODES[np.frombuffer("".join(strings).encode("ascii"), dtype=np.uint8)].reshape(len(strings), length)
    if (ids < 0).any():
        number = int((ids < 0).any(axis=1).argmax())
        raise InputError(
            f"string {number} of the Dyck corpus: {shown(strings[number])} has characters outside {shown(ALPHABET)}"
        )
    return ids


def decode(ids: np.ndarray) -> list[str]:
    """The strings of symbols [N, L]; the inverse of `encode`."""
    letters = np.frombuffer(ALPHABET.encode("ascii"), dtype=np.uint8)[ids]
    return [line.tobytes().decode("ascii") for line in letters]


def matching(ids: np.ndarray) -> np.ndarray:
    """Where each closing bracket's pair was opened.

    Args:
        ids: int [N, L], brackets only (no start symbol, no padding).

    Returns:
        int64 [N, L]: at a closing bracket the position of its opening one, at an opening bracket -1.

    Raises:
        InputError: a string that is not balanced, naming its number.
    """
    strings, length = ids.shape
    if ids.size and (ids.min() < 0 or ids.max() >= START):
        raise InputError("expected brackets only, without start symbol and padding")
    row = np.arange(strings)
    closing = ids % 2 == 1
    opening_of = np.full(ids.shape, -1, dtype=np.int64)
    stack = np.zeros((strings, length + 1), dtype=np.int64)  # positions of the brackets still open
    height = np.zeros(strings, dtype=np.int64)
    broken = np.zeros(strings, dtype=bool)
    for position in range(length):
        close = closing[:, position]
        top = stack[row, np.maximum(height - 1, 0)]
        broken |= close & ((height == 0) | (ids[row, top] != ids[:, position] - 1))
        opening_of[close, position] = top[close]
        stack[row, height] = np.where(close, stack[row, height], position)
        height = np.maximum(height + np.where(close, -1, 1), 0)
    broken |= height != 0
    if broken.any():
        number = int(broken.argmax())
        raise InputError(f"string {number} is not balanced: {shown(decode(ids[number : number + 1])[0])}")
    return opening_of


def attractor_counts(ids: np.ndarray) -> np.ndarray:
    """How many attractors each closing bracket has: openings strictly inside its pair that are of another kind.

    Args:
        ids: int [N, L], balanced brackets.

    Returns:
        int64 [N, L]; -1 at opening brackets.

    Source: Bernardy & Lappin 2022, section 5.
    """
    opening_of = matching(ids)
    closing = opening_of >= 0
    start = np.maximum(opening_of, 0)
    kind = ids // 2
    opened = np.cumsum(~closing, axis=1)  # openings up to and with each position
    inside: np.ndarray = opened - np.take_along_axis(opened, start, axis=1)
    counts = inside.copy()
    for same in range(len(KINDS)):
        opened = np.cumsum(~closing & (kind == same), axis=1)
        counts -= np.where(kind == same, opened - np.take_along_axis(opened, start, axis=1), 0)
    return np.where(closing, counts, -1)


def nesting_depths(ids: np.ndarray) -> np.ndarray:
    """The depth of each bracket's pair: 1 for an outermost pair. int [N, L] of brackets -> int64 [N, L]."""
    closing = ids % 2 == 1
    return np.cumsum(np.where(closing, -1, 1), axis=1) + closing


def _uniform(rng: np.random.Generator, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whole numbers uniform in [low, high], element by element."""
    return low + (rng.random(low.shape) * (high - low + 1)).astype(np.int64)


def _close(closing: np.ndarray, row: np.ndarray, i0: np.ndarray, j0: np.ndarray, i1: np.ndarray, j1: np.ndarray):
    length = j1 - j0
    first = np.repeat(i0 + j0 - (np.cumsum(length) - length), length)
    closing[np.repeat(row, length), first + np.arange(length.sum())] = True


def _write(path: Path, ids: np.ndarray, depths: np.ndarray) -> None:
    table = pa.table({"string": pa.array(decode(ids)), "depth": pa.array(depths.astype(np.int8))})
    pq.write_table(table, path, compression="zstd")
