"""Bilingual dictionaries: pairs of single words, and the transfer of ratings by them."""

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line, shown
from repline.reading.settings import Head
from repline.reading.table_fields import refuse_marks
from repline.reading.table_heads import head_columns, rows_below_head
from repline.reading.text_files import checked_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

PAIRS = pa.schema([("source", pa.string()), ("target", pa.string())])
FILE = "dictionary.parquet"
Pairs = list[tuple[str, str]]
HEADS = {("source", "target"), ("source", "translation"), ("word", "translation"), ("word", "translations")}

_DIGITS = {
    digit: value for value, digit in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


def read_dictionary(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8", head: Head = "auto"
) -> Pairs:
    """Read pairs of single words in lower case, each once, in the order of the dictionary.

    Args:
        path: a Parquet file of `source` and `target`; a text with `source<TAB>translation, translation` a line, plain
            or `.gz`; an index file of FreeDict (`.index`, its `.dict` or `.dict.dz` next to it), head words being the
            source; or a folder with one of them.
        on_error: at a wrong entry; or an account of wrong ones and of phrases, which the caller reads later.
        encoding: of a text without a byte order mark.
        head: whether the first line of a text names the columns; auto recognises those like `source`, `translation`.

    Raises:
        InputError: nothing of these is there, an entry is malformed, or there is no pair.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    if path.is_dir():
        path = _in_folder(path)
    if path.suffix == ".parquet":
        entries = _parquet(path)
    elif path.suffix == ".index":
        entries = _freedict(path, left_out)
    else:
        entries = _text(path, left_out, encoding, head)
    pairs = []
    for pair in dict.fromkeys((head.lower(), word.lower()) for head, word in entries if head and word):
        if any(character.isspace() for word in pair for character in word):
            left_out.pass_over("phrases")
        else:
            pairs.append(pair)
    if not pairs:
        raise InputError(f"{path}: expected pairs of single words, found none")
    return pairs


def translations(entry: str) -> list[str]:
    """The single-word translations of one FreeDict entry: the lines after the head word, split at commas.

    >>> translations("maison /mɛzɔ̃/\\n1. house, home\\n2. country house")
    ['house', 'home']
    """
    words: list[str] = []
    for line in entry.split("\n")[1:]:
        for part in re.split(r"[,;]", re.sub(r"^\s*\d+\.\s*", "", line)):
            word = re.sub(r"[<\[(].*?[>\])]", "", part).strip()
            if word and re.fullmatch(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*", word):
                words.append(word)
    return words


def transfer(
    ratings: Mapping[str, float], pairs: Iterable[tuple[str, str]], average: Literal["mean", "median"] = "mean"
) -> dict[str, float]:
    """Carry ratings over a dictionary: every translation of a rated word gets its rating.

        r(t) = mean { r(s) : (s, t) in the dictionary, s rated }

    Args:
        ratings: of words of the source language.
        pairs: source word and target word, each pair once.
        average: of several ratings that reach one word.

    Returns:
        ratings of the words of the target language that are reached.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.3 (DIC); Tsvetkov et al. 2014.
    """
    reached: dict[str, list[float]] = {}
    for source, target in pairs:
        if source in ratings:
            reached.setdefault(target, []).append(ratings[source])
    if average == "mean":
        return {word: float(np.mean(values)) for word, values in reached.items()}
    return {word: float(np.median(values)) for word, values in reached.items()}


def seed_pairs(
    pairs: Iterable[tuple[str, str]],
    source: Sequence[str],
    target: Mapping[str, int],
    max_pairs: int | None,
    without: Collection[str] = (),
) -> NDArray[np.int64]:
    """The pairs that a map is learned from: frequent source words, each with its first translation that has a vector.

    Args:
        pairs: of words, translations of one word in their order.
        source: words of the source vectors, most frequent first.
        target: word of the target vectors -> row.
        max_pairs: the largest number of pairs; None for all.
        without: words of the target language, those of a test, whose pairs are left out.

    Returns:
        [n, 2] rows of source and target, most frequent source word first.
    """
    first: dict[str, int] = {}
    for word, translation in pairs:
        if word not in first and translation in target:
            first[word] = target[translation]
    left_out = {target[word] for word in without if word in target}
    target_rows = {word: row for word, row in first.items() if row not in left_out}
    row_pairs = [(row, target_rows[word]) for row, word in enumerate(source) if word in target_rows][:max_pairs]
    return np.array(row_pairs, dtype=np.int64).reshape(-1, 2)


def _in_folder(folder: Path) -> Path:
    if (folder / FILE).exists():
        return folder / FILE
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name != "card.json"]
    indexes = [file for file in files if file.suffix == ".index"]
    candidates = indexes or files
    if len(candidates) != 1:
        raise InputError(f"{folder}: expected one dictionary, found {len(candidates)} files that could be one")
    return candidates[0]


def _parquet(path: Path) -> Pairs:
    try:
        table = pq.read_table(path, schema=PAIRS)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: expected a table of source and target ({in_one_line(error)})") from None
    return list(zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True))


def _text(path: Path, left_out: LeftOut, encoding: str, head: Head) -> Pairs:
    pairs = []
    lines = visible_lines(path, encoding, left_out)
    for number, line in rows_below_head(
        path, lines, left_out, lambda line: head_columns(head, line.split("\t"), HEADS)
    ):
        source, tab, rest = line.partition("\t")
        if not tab or not source.strip() or not rest.strip() or "\t" in rest:
            problem = f"expected `word<TAB>translation, translation`, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no word with translations"))
            continue
        pairs += [(source.strip(), word.strip()) for word in rest.split(",") if word.strip()]
    refuse_marks(path, (word for pair in pairs for word in pair))
    return pairs


def _freedict(path: Path, left_out: LeftOut) -> Pairs:
    content = _entries(path)
    pairs = []
    for number, line in checked_lines(path, refuse=left_out.add):
        with left_out:
            head, entry = _entry(path, number, line, content)
            if not head.startswith(("00-database", "00database")):
                pairs += [(head, word) for word in translations(entry)]
    return pairs


def _entry(path: Path, number: int, line: str, content: bytes) -> tuple[str, str]:
    """The head word of a line of an index, and its entry in the dictionary."""
    fields = line.split("\t")
    try:
        head, offset, length = fields[0], _number(fields[1]), _number(fields[2])
    except (IndexError, KeyError):
        problem = f"expected `word<TAB>offset<TAB>length`, found {shown(line)}"
        raise WrongRecord(path, f"line {number}", problem, "no word with offset and length") from None
    if offset + length > len(content):
        problem = f"the entry of {shown(head)} lies beyond the end of the dictionary"
        raise WrongRecord(path, f"line {number}", problem, "an entry beyond the end")
    try:
        return head, content[offset : offset + length].decode("utf-8")
    except UnicodeDecodeError:
        problem = f"expected UTF-8 text as the entry of {shown(head)}"
        raise WrongRecord(path, f"line {number}", problem, "no UTF-8 text") from None


def _entries(index: Path) -> bytes:
    plain, packed = index.with_suffix(".dict"), index.with_suffix(".dict.dz")
    if plain.exists():
        return plain.read_bytes()
    try:
        return gzip.decompress(packed.read_bytes())
    except FileNotFoundError:
        raise InputError(f"{index}: its entries are missing; expected {packed.name} next to it") from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{packed}: the compression is damaged ({in_one_line(error)}); get it again") from None


def _number(digits: str) -> int:
    """A number of a dictd index: base 64, most significant digit first."""
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value
