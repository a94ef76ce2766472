"""Neighbour lists: a word and its neighbours a line, the form of the retrofitting toolkit's PPDB, WordNet, FrameNet."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from repline.corpora.text_files import numbered_lines
from repline.errors import InputError
from repline.files import new_file
from repline.lexicons.wordnet.synsets import SYNONYM, WordNet


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


def write_neighbours(path: str | Path, lists: Mapping[str, Sequence[str]]) -> None:
    """Write what `read_neighbours` reads; InputError on a word with white space in it."""
    with new_file(path) as partial, open(partial, "w", encoding="utf-8") as file:
        for word, neighbours in lists.items():
            for token in (word, *neighbours):
                if token.split() != [token]:
                    raise InputError(f"{path}: the word {token!r} has white space in it or is empty; use _ for a blank")
            file.write(" ".join([word, *neighbours]) + "\n")


def wordnet_neighbours(wordnet: WordNet, relations: Sequence[str] = (SYNONYM,)) -> dict[str, list[str]]:
    """The neighbours of every lower-cased lemma: the words of its synsets (relation "synonym") and of the synsets that
    these point to by the other `relations`.

    Args:
        relations: names as in `lexicons.wordnet.synsets.RELATIONS`, or "synonym". The published lexicons are synonyms
            alone (WN_syn), and synonyms, hypernyms and hyponyms (WN_all).

    Returns:
        word -> sorted neighbours, sorted by word; words without neighbours are left out.

    Source: Faruqui et al. 2015, section 4.
    """
    wanted = set(relations)
    found: dict[str, set[str]] = {}
    for synset in wordnet:
        related = set(synset.lemmas) if SYNONYM in wanted else set()
        for pointer in synset.pointers:
            if pointer.relation in wanted:
                related.update(wordnet[pointer.target].lemmas)
        related = {lemma.lower() for lemma in related}
        for lemma in synset.lemmas:
            found.setdefault(lemma.lower(), set()).update(related)
    lists = {word: sorted(neighbours - {word}) for word, neighbours in sorted(found.items())}
    return {word: neighbours for word, neighbours in lists.items() if neighbours}
