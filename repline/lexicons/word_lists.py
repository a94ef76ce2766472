"""Lists of words, most frequent first."""

import re
from collections.abc import Sequence
from pathlib import Path

from repline.errors import InputError, shown
from repline.lexicons.unigrams import read_unigrams
from repline.reading.text_files import checked_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

BETWEEN_LETTERS = re.compile(r"[^\W\d_][,;][^\W\d_]")


def read_word_list(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> list[str]:
    """The words of a list, most frequent first, each once.

    Args:
        path: a text with a word a line, in this order already; or what `repline.lexicons.unigrams.read_unigrams` reads
            (a word and its count a line, or a frequency list of wordfreq), which is sorted by count, equal ones as
            they come.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a text without a byte order mark.

    Raises:
        InputError: no such file, no word, or lines of another form, naming the line.
    """
    path = Path(path)
    counted = path.name.endswith(".msgpack.gz")
    words: dict[str, None] = {}
    left_out = LeftOut.of(on_error)
    counted = counted or _has_count(next(checked_lines(path, encoding, lambda _: None), (1, "")))
    for number, line in () if counted else visible_lines(path, encoding, left_out):
        fields = line.split()
        if len(fields) > 1:
            problem = f"expected one word, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "several words"))
            continue
        with left_out:
            check_blanks(path, number, fields)
            words.update(dict.fromkeys(fields))
    if counted:
        counts = read_unigrams(path, on_error=left_out, encoding=encoding)
        return counts.sort_by([("count", "descending")])["word"].to_pylist()
    if not words:
        raise InputError(f"{path}: expected a word a line, found none")
    return list(words)


def check_blanks(path: str | Path, number: int, words: Sequence[str]) -> None:
    """Raise WrongRecord where commas or semicolons stand between the words of a line, in place of blanks.

    Args:
        path, number: of the line, for the message.
        words: of the line, as blanks part them.
    """
    joined = len(words) == 1 and BETWEEN_LETTERS.search(words[0])
    wrong = words[0] if joined else next((word for word in words if len(word) > 1 and word[-1] in ",;"), None)
    if wrong:
        problem = f"expected blanks between words, found {shown(wrong)}"
        raise WrongRecord(path, f"line {number}", problem, "commas or semicolons between words")


def _has_count(numbered_line: tuple[int, str]) -> bool:
    """Whether the first line of a list is a word and its count."""
    number, line = numbered_line
    return number == 1 and len(line.split()) == 2
