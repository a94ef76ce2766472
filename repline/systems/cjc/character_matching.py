"""Which words of two languages share a character, by a table of corresponding characters."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.systems.cjc.parallel_sentences import Side, written_in_characters

Link = tuple[str, str]
BLOCK = 1 << 22  # pairs of tokens that are looked at together
DENSE = 1 << 27  # pairs of words whose matches are kept as a table of bytes


def word_matches(first: Sequence[str], second: Sequence[str], links: Iterable[Link]) -> sparse.csr_array:
    """CC: words v, u match if a character of v corresponds to one of u.

        M = [C_v L C_u^T > 0],   C the characters of the words, L the links of characters

    Kana never match, as the table has none; nor does a word with a letter or a digit in it.

    Args:
        first: n words in simplified Chinese.
        second: t words in Japanese.
        links: (simplified character, kanji); a character that is the same in both is a link too.

    Returns:
        bool [n, t]

    Source: Wang et al. 2018, eq. (3); the authors' program, match_cc.
    """
    pairs = sorted(set(links))
    sides = zip(*pairs, strict=True) if pairs else ((), ())
    columns = [{character: row for row, character in enumerate(dict.fromkeys(side))} for side in sides]
    first_characters, second_characters = (
        _characters(words, index) for words, index in zip((first, second), columns, strict=True)
    )
    rows = [columns[0][character] for character, _ in pairs], [columns[1][kanji] for _, kanji in pairs]
    link = sparse.csr_array((np.ones(len(pairs), np.int32), rows), shape=tuple(map(len, columns)))
    return (first_characters @ link @ second_characters.T).astype(bool).tocsr()


def token_matches(first: Side, second: Side, matches: sparse.csr_array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every pair of matching tokens of parallel sentences, as positions in the two sides [m], [m].

    Args:
        first, second: as many sentences; the words of `second` are numbered from n on.
        matches: [n, t] as `word_matches` makes it.
    """
    n, t = matches.shape
    matching = _lookup(matches)
    first_positions = np.flatnonzero(np.diff(matches.indptr)[first.ids] > 0)  # tokens that can match at all
    second_positions = np.flatnonzero(np.bincount(matches.indices, minlength=t)[second.ids - n] > 0)
    bounds = np.searchsorted(second_positions, second.offsets)
    sentences = first.sentences[first_positions]
    starts, lengths = (
        bounds[:-1][sentences],
        np.diff(bounds)[sentences],
    )
    ends = np.concatenate([[0], np.cumsum(lengths)])
    positions: tuple[list, list] = ([], [])
    low = 0
    while low < len(first_positions):
        high = max(low + 1, int(np.searchsorted(ends, ends[low] + BLOCK, side="right")) - 1)
        candidates = lengths[low:high]
        i = np.repeat(first_positions[low:high], candidates)
        shifts = starts[low:high] - (ends[low:high] - ends[low])
        j = second_positions[np.arange(candidates.sum()) + np.repeat(shifts, candidates)]
        hit = matching(first.ids[i].astype(np.int64) * t + (second.ids[j] - n))
        positions[0].append(i[hit])
        positions[1].append(j[hit])
        low = high
    first_positions, second_positions = (np.concatenate(side) if side else np.empty(0, np.int64) for side in positions)
    return first_positions, second_positions


def _lookup(matches: sparse.csr_array) -> Callable[[NDArray[np.int64]], NDArray[np.bool_]]:
    """Whether pairs of words match, given as row x width + column."""
    n, t = matches.shape
    if n * t <= DENSE:
        flat = matches.toarray().ravel()
        return lambda keys: flat[keys]
    pairs = np.repeat(np.arange(n, dtype=np.int64), np.diff(matches.indptr)) * t + matches.indices
    return lambda keys: np.isin(keys, pairs)


def _characters(words: Sequence[str], index: dict[str, int]) -> sparse.csr_array:
    """[words, characters] of one where a word has a character."""
    rows, columns = [], []
    for row, word in enumerate(words):
        if written_in_characters(word):
            characters = {index[character] for character in word if character in index}
            rows += [row] * len(characters)
            columns += sorted(characters)
    return sparse.csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=(len(words), len(index)))
