"""Pairs of words as rows of a vocabulary: a user's lexicon matched with a user's vectors."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown


def pair_rows(words: Sequence[str], pairs: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
    """The pairs whose words both have a vector, as rows of a matrix: [n, 2], the smaller row first, sorted, each once.

    A word is looked up as it stands, else in lower case. A pair of a word with itself is left out.

    Args:
        words: [V], the word of each row.
        pairs: of words, in either order.

    Raises:
        InputError: an item of `pairs` is no pair of words.
    """
    row_of = {word: row for row, word in enumerate(words)}
    rows = set()
    for number, pair in enumerate(pairs):
        if isinstance(pair, str) or len(pair) != 2 or not all(isinstance(word, str) for word in pair):
            raise InputError(f'expected pairs of words, [("happy", "glad"), ...]; found {shown(pair)} as item {number}')
        first, second = (row_of.get(word, row_of.get(word.lower(), -1)) for word in pair)
        if min(first, second) >= 0 and first != second:
            rows.add((min(first, second), max(first, second)))
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def known_pair_rows(words: Sequence[str], pairs: Iterable[tuple[str, str]], what: str) -> NDArray[np.int64]:
    """The rows of `pair_rows`; InputError, which names `what` the pairs are, where no pair has two known words."""
    rows = pair_rows(words, pairs)
    if not len(rows):
        raise InputError(
            f"no pair of the {what} has two words with a vector; of {len(words):,} words the first is {shown(words[0])}"
        )
    return rows
