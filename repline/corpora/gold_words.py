"""Sentences of gold words from any of the places that have them: a corpus in Parquet, a treebank, a parsed text.

data/corpora/NAME     Parquet with a column of words
*.conllu(.gz)         Universal Dependencies
parsed, *.zip         the Sinica Treebank as NLTK gives it out: #1:1.[4257] NP(Head:Neu:一)#。(PERIODCATEGORY)
"""

import re
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from repline.errors import InputError, in_one_line
from repline.reading import conllu
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import numbered_lines
from repline.vectors.tokens import Tokens

SINICA = "sinica_treebank/parsed"
_LEAF = re.compile(r":([^:()|#]+)(?=[|)])")  # the last field of each leaf


def read_gold(source: str | Path, sentences: int | None = None) -> Iterator[list[str]]:
    """The sentences as lists of words; those without a word are left out.

    Args:
        source: a file or folder, see above.
        sentences: only the first N; None for all.

    Raises:
        InputError: there is nothing of these forms, or it is broken.
    """
    return islice(_filled(Path(source)), sentences)


def _filled(source: Path) -> Iterator[list[str]]:
    """The sentences that have words; InputError where none has."""
    has_words = False
    for words in _all(source):
        if words:
            has_words = True
            yield words
    if not has_words:
        raise InputError(f"{source}: expected sentences of gold words, found none")


def _all(source: Path) -> Iterator[list[str]]:
    if source.suffix == ".zip":
        yield from map(leaves, _zipped(source))
    elif unpacked_name(source).endswith(".conllu"):
        yield from (row["tokens"] for row in conllu.read([source]))
    elif source.is_dir() or source.suffix == ".parquet":
        yield from Tokens(source, lower=False).sentences()
    elif source.is_file():
        yield from (leaves(line) for _, line in numbered_lines(source))
    else:
        raise InputError(f"{source}: expected a corpus in Parquet, a .conllu file or a parsed text with gold words")


def leaves(line: str) -> list[str]:
    """The words of a tree in the form of the Sinica Treebank.

    >>> leaves("#2:2.[39028] NP(property:Nad:友情|Head:Nab:橋)#。(PERIODCATEGORY)")
    ['友情', '橋']
    """
    return _LEAF.findall(line)


def _zipped(path: Path) -> Iterator[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield from archive.read(SINICA).decode("utf-8").splitlines()
    except (FileNotFoundError, zipfile.BadZipFile, KeyError) as error:
        raise InputError(f"{path}: expected a zip file with {SINICA} in it ({in_one_line(error)})") from None
