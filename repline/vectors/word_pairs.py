"""Pairs of words as rows of a vocabulary: a user's lexicon matched with a user's vectors."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.errors import InputError, shown
from repline.vectors import store


def float_matrix(words: Sequence[str], matrix: ArrayLike, where: str) -> NDArray:
    """A user's vectors as a matrix of floats [V, d], one row for each of the words.

    Args:
        words: V different words.
        matrix: [V, d], an array or a list of lists; whole numbers become float64.
        where: the beginning of an error.

    Raises:
        InputError: it is no matrix of finite numbers, or words and rows differ in number, or a word occurs twice.
    """
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise InputError(f"{where}: expected a matrix, one row a word; its rows differ in length") from None
    if np.issubdtype(array.dtype, np.integer):
        array = array.astype(np.float64)
    store.check(words, array, where)
    return array


def pair_rows(words: Sequence[str], pairs: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
    """The pairs whose words both have a vector, as rows of a matrix: [n, 2], the smaller row first, sorted, each once.

    A word is looked up as it stands, else in lower case. A pair of a word with itself is left out.

    Args:
        words: [V], the word of each row.
        pairs: of words, in either order.

    Raises:
        InputError: `pairs` or an item of it is no pair of words.
    """
    expected = 'expected pairs of words, [("happy", "glad"), ...]; found'
    if not isinstance(pairs, Iterable):
        raise InputError(f"{expected} {shown(pairs)}")
    row_of = {word: row for row, word in enumerate(words)}
    rows = set()
    for number, pair in enumerate(pairs):
        both = tuple(pair) if isinstance(pair, Iterable) and not isinstance(pair, str) else ()
        if len(both) != 2 or not all(isinstance(word, str) for word in both):
            raise InputError(f"{expected} {shown(pair)} as item {number}")
        first, second = (row_of.get(word, row_of.get(word.lower(), -1)) for word in both)
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
