"""Lists of words, most frequent first."""

from pathlib import Path

from repline.errors import InputError
from repline.lexicons.unigrams import read_unigrams
from repline.text_files import numbered_lines


def read_word_list(path: str | Path) -> list[str]:
    """The words of a list, most frequent first, each once.

    Args:
        path: a text with a word a line, in this order already; or what `repline.lexicons.unigrams.read_unigrams` reads
            (a word and its count a line, or a frequency list of wordfreq), which is sorted by count, equal ones as
            they come.

    Raises:
        InputError: no such file, no word, or lines of another form, naming the line.
    """
    path = Path(path)
    counted = path.name.endswith(".msgpack.gz")
    words: dict[str, None] = {}
    for number, line in () if counted else numbered_lines(path):
        fields = line.split()
        if number == 1 and len(fields) == 2:
            counted = True
            break
        if len(fields) > 1:
            raise InputError(f"{path}, line {number}: expected one word, found {line[:60]!r}")
        words.update(dict.fromkeys(fields))
    if counted:
        return read_unigrams(path).sort_by([("count", "descending")])["word"].to_pylist()
    if not words:
        raise InputError(f"{path}: expected a word a line, found none")
    return list(words)
