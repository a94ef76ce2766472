"""Edges of a lexicon (a wordnet, a graph of words, neighbour lists) between the words of a vocabulary."""

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.errors import InputError
from repline.lexicons.letter_case import as_listed
from repline.lexicons.neighbour_lists import read_neighbours
from repline.lexicons.word_graph import read_graph, relation_matrix, word_graph
from repline.lexicons.wordnet import storage
from repline.reading.settings import TableReading


def graph_tables(lexicon: str | Path, **reading: Unpack[TableReading]) -> tuple[pa.Table, pa.Table]:
    """The entries and edges, see `repline.lexicons.word_graph`, of a stored wordnet, a graph, or neighbour lists."""
    return word_graph(storage.load(lexicon)) if _is_wordnet(lexicon) else read_graph(lexicon, **reading)


def vocabulary_edges(
    lexicon: str | Path,
    words: Sequence[str],
    *,
    relations: Sequence[str] | None = None,
    plain: bool = False,
    any_case: bool = False,
    **reading: Unpack[TableReading],
) -> NDArray[np.int64]:
    """The edges of a lexicon between the words of a vocabulary, as rows of it: [E, 2], word and neighbour.

    Args:
        lexicon: as in `graph_tables`.
        words: [V], different ones.
        relations: names or groups as in `repline.lexicons.word_graph`; None for all.
        plain: leave out words with a digit or without a letter, as the programs of retrofitting and extrofitting do.
        any_case: a word that the lexicon does not have is looked up in lower case, see `as_listed`.
        reading: of neighbour lists: what a wrong line does, and the encoding.

    Raises:
        InputError: no two words of the vocabulary are related.
    """
    graph = graph_tables(lexicon, **reading)[1]
    if any_case:
        words = as_listed(words, {*graph["source"].to_pylist(), *graph["target"].to_pylist()})
    matrix = relation_matrix(graph, words, relations=relations, binary=True).tocoo()
    edges = np.stack([matrix.row, matrix.col], axis=1).astype(np.int64)
    if plain:
        keep = np.array([_is_plain(word) for word in words])
        edges = edges[keep[edges].all(1)]
    if not len(edges):
        raise InputError(f"{lexicon}: no two words of the vectors are neighbours in this lexicon")
    return edges


def listed_words(
    lexicon: str | Path,
    words: Sequence[str],
    *,
    plain: bool = False,
    any_case: bool = False,
    **reading: Unpack[TableReading],
) -> int:
    """How many words of a vocabulary the lexicon lists, with neighbours among them or without.

    Args:
        lexicon, plain, any_case, reading: as in `vocabulary_edges`.
    """
    path = Path(lexicon)
    if _is_wordnet(path):
        listed = storage.load(path).lemmas()
    elif path.is_dir():
        listed = read_graph(path)[0]["word"].to_pylist()
    elif path.suffix == ".parquet":
        listed = read_graph(path)[1]["source"].to_pylist()
    else:
        listed = list(read_neighbours(path, **reading))
    shared = set(as_listed(words, set(listed)) if any_case else words) & set(listed)
    return sum(_is_plain(word) for word in shared) if plain else len(shared)


def _is_wordnet(lexicon: str | Path) -> bool:
    return (Path(lexicon) / "synsets.parquet").exists()


def _is_plain(word: str) -> bool:
    return any(map(str.isalpha, word)) and not any(map(str.isdigit, word))
