"""Neighbour lists: a word and its neighbours a line, the form of the retrofitting toolkit's PPDB, WordNet, FrameNet."""

from pathlib import Path

from repline.errors import InputError
from repline.text_files import numbered_lines


def read_neighbours(path: str | Path, *, lower: bool = True) -> dict[str, list[str]]:
    """Read `word neighbour neighbour ...` a line, separated by white space; plain text or `.gz`.

    A word that opens several lines has the neighbours of all; repetitions and the word itself are left out, and a word
    without neighbours has an empty list. Blank lines are passed over.

    Args:
        lower: whether all words are lower-cased (and merged).

    Returns:
        word -> neighbours, both in the order of the file.

    Raises:
        InputError: no such file, no line in it, or text that is not UTF-8 or holds a NUL character, naming the line.

    Source: Faruqui et al. 2015 (the form of the lexicons published with it).
    """
    found: dict[str, dict[str, None]] = {}
    for number, line in numbered_lines(path):
        if "\0" in line:
            raise InputError(f"{path}, line {number}: expected words, found a NUL character; this is not a text file")
        word, *neighbours = (line.lower() if lower else line).split() or [""]
        if word:
            own = found.setdefault(word, {})
            own.update(dict.fromkeys(neighbour for neighbour in neighbours if neighbour != word))
    if not found:
        raise InputError(f"{path}: expected a word and its neighbours a line, found an empty file")
    return {word: list(own) for word, own in found.items()}
