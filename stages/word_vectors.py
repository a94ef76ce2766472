"""Inputs of the systems on static vectors: vectors and graphs of words, from any place in data/."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.errors import InputError
from repline.lexicons import neighbour_lists, word_graph
from repline.lexicons.wordnet import storage as wordnet_files
from repline.vectors.formats import readers

DATA = Path("data")


def vectors(place: str, words: int | None) -> tuple[list[str], np.ndarray]:
    """The first `words` of the vectors at data/`place`, in memory: any format of `repline.vectors.read`."""
    found, matrix = readers.read(DATA / place, limit=words)
    return found[:words], np.array(matrix[:words])


def graph(place: str) -> Any:
    """The edges between words at data/`place`: a stored wordnet, a graph of words, or neighbour lists."""
    path = DATA / place
    if (path / "synsets.parquet").exists():
        return word_graph.word_graph(wordnet_files.load(path))[1]
    return word_graph.read_graph(path)[1]


def edges(
    place: str, words: Sequence[str], *, relations: Sequence[str] | None = None, plain: bool = False
) -> np.ndarray:
    """The edges of a lexicon between the rows of some vectors: [E, 2] int, word and neighbour.

    Args:
        words: of the vectors, V different ones.
        relations: names or groups as in `repline.lexicons.word_graph`; None for all.
        plain: leave out words with a digit or without a letter, as the programs of retrofitting and extrofitting do.

    Raises:
        InputError: no two words of the vectors are related.
    """
    matrix = word_graph.relation_matrix(graph(place), words, relations=relations, binary=True).tocoo()
    found = np.stack([matrix.row, matrix.col], axis=1).astype(np.int64)
    if plain:
        keep = np.array([_plain(word) for word in words])
        found = found[keep[found].all(1)]
    if not len(found):
        raise InputError(f"{DATA / place}: no two words of the vectors are neighbours in this lexicon")
    return found


def heads(place: str, words: Sequence[str], *, plain: bool = False) -> int:
    """How many of the words the lexicon lists, with neighbours among them or without.

    Args:
        plain: as in `edges`.
    """
    path = DATA / place
    if (path / "synsets.parquet").exists():
        listed = wordnet_files.load(path).lemmas()
    elif path.is_dir():
        listed = word_graph.read_graph(path)[0]["word"].to_pylist()
    elif path.suffix == ".parquet":
        listed = word_graph.read_graph(path)[1]["source"].to_pylist()
    else:
        listed = neighbour_lists.read_neighbours(path)
    known = set(words) & set(listed)
    return sum(_plain(word) for word in known) if plain else len(known)


def source(place: str) -> dict[str, Any]:
    """For a card: the card of data/`place`, or else the name and the sha256 of the file."""
    path = DATA / place
    if (path / "card.json").exists():
        return {"name": place, "corpus": read_card(path)}
    if path.is_file():
        with open(path, "rb") as file:
            return {"name": place, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    return {"name": place}


def _plain(word: str) -> bool:
    return any(map(str.isalpha, word)) and not any(map(str.isdigit, word))
