"""Neighbour lists: a word and its neighbours a line, the form of the retrofitting toolkit's PPDB, WordNet, FrameNet."""

from pathlib import Path

from repline.errors import InputError
from repline.lexicons.word_lists import check_blanks
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

MERGED = "words in several spellings, which differ in capitals alone; lists are read in lower case"


def read_neighbours(
    path: str | Path, *, lower: bool = True, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> dict[str, list[str]]:
    """Read `word neighbour neighbour ...` a line, separated by white space; plain text or `.gz`.

    A word that opens several lines has the neighbours of all; repetitions and the word itself are left out, and a word
    without neighbours has an empty list. Blank lines are passed over.

    Args:
        lower: whether all words are lower-cased; those that differ in capitals alone become one, and are counted.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Returns:
        word -> neighbours, both in the order of the file.

    Raises:
        InputError: no such file, no line in it, text that is not UTF-8 or holds a NUL character, or commas between
            words, naming the line.

    Source: Faruqui et al. 2015 (the form of the lexicons published with it).
    """
    neighbours_of: dict[str, dict[str, None]] = {}
    first_spelling, merged = dict[str, str](), set[str]()
    left_out = LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        if "\0" in line:
            problem = "expected words, found a NUL character; this is not a text file"
            left_out.add(WrongRecord(path, f"line {number}", problem, "a NUL character"))
            continue
        written = line.split()
        with left_out:
            check_blanks(path, number, written)
            words = line.lower().split() if lower else written
            spelled = zip(words, written, strict=True)
            merged.update(word for word, form in spelled if first_spelling.setdefault(word, form) != form)
            word, *neighbours = words or [""]
            if word:
                word_neighbours = neighbours_of.setdefault(word, {})
                word_neighbours.update(dict.fromkeys(neighbour for neighbour in neighbours if neighbour != word))
    if merged:
        left_out.merged[MERGED] += len(merged)
    if not neighbours_of:
        raise InputError(f"{path}: expected a word and its neighbours a line, found an empty file")
    return {word: list(word_neighbours) for word, word_neighbours in neighbours_of.items()}
