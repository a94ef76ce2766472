"""Which words of two languages share a character, by a table of corresponding characters."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.systems.cjc.corpus import Side, written_in_characters

Link = tuple[str, str]
BLOCK = 1 << 22  # pairs of tokens that are looked at together


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
    of_first, of_second = (_characters(words, index) for words, index in zip((first, second), columns, strict=True))
    rows = [columns[0][one] for one, _ in pairs], [columns[1][other] for _, other in pairs]
    link = sparse.csr_array((np.ones(len(pairs), np.int32), rows), shape=tuple(map(len, columns)))
    return (of_first @ link @ of_second.T).astype(bool).tocsr()


def token_matches(first: Side, second: Side, matches: sparse.csr_array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every pair of matching tokens of parallel sentences, as positions in the two sides [m], [m].

    Args:
        first, second: as many sentences; the words of `second` are numbered from n on.
        matches: [n, t] as `word_matches` makes it.
    """
    n, t = matches.shape
    keys = np.sort(np.repeat(np.arange(n), np.diff(matches.indptr)) * np.int64(t) + matches.indices)
    able = [
        np.flatnonzero(np.diff(matches.indptr)[first.ids] > 0),
        np.flatnonzero(np.bincount(matches.indices, minlength=t)[second.ids - n] > 0),
    ]
    # tokens that can match at all, cut into sentences again
    bounds = [np.searchsorted(places, one.offsets) for places, one in zip(able, (first, second), strict=True)]
    lengths = [np.diff(bound) for bound in bounds]
    pairs = np.concatenate([[0], np.cumsum(lengths[0] * lengths[1])])
    found: tuple[list, list] = ([], [])
    start = 0
    while start < len(pairs) - 1:
        stop = max(start + 1, int(np.searchsorted(pairs, pairs[start] + BLOCK, side="right")) - 1)
        sizes = np.diff(pairs[start : stop + 1])
        number = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        sentence = np.repeat(np.arange(start, stop), sizes)
        width = lengths[1][sentence]
        i = able[0][bounds[0][sentence] + number // width]
        j = able[1][bounds[1][sentence] + number % width]
        key = first.ids[i].astype(np.int64) * t + (second.ids[j] - n)
        place = np.minimum(np.searchsorted(keys, key), max(len(keys) - 1, 0))
        hit = keys[place] == key if len(keys) else np.zeros(len(key), bool)
        found[0].append(i[hit])
        found[1].append(j[hit])
        start = stop
    return tuple(np.concatenate(side) if side else np.empty(0, np.int64) for side in found)


def _characters(words: Sequence[str], index: dict[str, int]) -> sparse.csr_array:
    """[words, characters] of one where a word has a character."""
    rows, columns = [], []
    for row, word in enumerate(words):
        if written_in_characters(word):
            own = {index[character] for character in word if character in index}
            rows += [row] * len(own)
            columns += sorted(own)
    return sparse.csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=(len(words), len(index)))
