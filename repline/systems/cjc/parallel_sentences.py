"""Parallel sentences: a split into training and test, the words of both languages, and sentences as word numbers.

Notation: the n words of the first language (Chinese in the paper) have the numbers 0..n-1, the t words of the second
n..n+t-1. A side of the bitext is one long list of word numbers, cut into sentences by offsets.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.corpora.parallel.bitext import Bitext
from repline.corpora.parallel.scripts import HAN, KANA
from repline.errors import InputError, count_remedy
from repline.systems.cjc.settings import HeldOut

Sentences = list[list[str]]


class Side(NamedTuple):
    """The sentences of one language: `ids` [T] in a row; sentence s is ids[offsets[s] : offsets[s + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def sentences(self) -> NDArray[np.int64]:
        """[T] the sentence of each token."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class Split(NamedTuple):
    """A bitext as training pairs, held-out pairs, and pairs of words that are translations.

    `lexicon` are those that test, `dictionary` other pairs, which may have several translations; they share no word.
    """

    training: Bitext
    held_out: Bitext
    lexicon: list[tuple[str, str]]
    dictionary: list[tuple[str, str]]


def split(bitext: Bitext, test: HeldOut, fewer: bool = False) -> Split:
    """Split a bitext: held-out sentences, one-word lines as pairs of words, and the rest for training.

    A line of one word is an entry of a dictionary: such pairs never train. Those whose word is of Chinese characters or
    kana on both sides, and which name one translation each way, are the lexicon that tests synonyms.

    Args:
        test: how many pairs are held out.
        fewer: hold out as many as there are, if they are fewer.

    Raises:
        InputError: fewer such pairs than are held out.

    Source: the rates of Wang et al. 2018, section 5.1, on what this bitext has in place of their test sets.
    """
    single = [row for row in range(len(bitext.first)) if min(len(bitext.first[row]), len(bitext.second[row])) == 1]
    words = {(bitext.first[row][0], bitext.second[row][0]) for row in single if _one_word(bitext, row)}
    rest = np.setdiff1d(np.arange(len(bitext.first)), single)
    lengths = np.array([(len(bitext.first[row]), len(bitext.second[row])) for row in rest]).reshape(-1, 2)
    eligible = rest[(lengths.min(axis=1) >= test.shortest) & (lengths.max(axis=1) <= test.longest)]
    if len(eligible) < test.sentences and not fewer:
        lengths_of = f"{test.shortest} to {test.longest} words"
        raise InputError(
            f"expected {test.sentences} pairs of sentences of {lengths_of} to hold out, found {len(eligible)}; "
            "take more text"
        )
    size = min(test.sentences, len(eligible))
    held_out_rows = np.sort(np.random.default_rng(test.seed).choice(eligible, size=size, replace=False))
    training = np.setdiff1d(rest, held_out_rows)
    lexicon = one_to_one(sorted(words))
    tested = [set(side) for side in zip(*lexicon, strict=True)] or [set(), set()]
    dictionary = sorted(pair for pair in words if pair[0] not in tested[0] and pair[1] not in tested[1])
    return Split(bitext.rows(training.tolist()), bitext.rows(held_out_rows.tolist()), lexicon, dictionary)


def one_to_one(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs whose words are both in no other pair."""
    first, second = (Counter(side) for side in zip(*pairs, strict=True)) if pairs else (Counter(), Counter())
    return [(word, translation) for word, translation in pairs if first[word] == second[translation] == 1]


class Vocabulary(NamedTuple):
    """The words of both languages, those of each from the most frequent on, and how often they occur."""

    first: list[str]
    second: list[str]
    counts: NDArray[np.int64]  # [n + t]

    @classmethod
    def of(cls, bitext: Bitext, minimum_count: int) -> "Vocabulary":
        """Words with at least `minimum_count` occurrences; InputError where a language has none."""
        sides, counts = [], []
        for language, sentences in zip(bitext.languages, (bitext.first, bitext.second), strict=True):
            count_of = Counter(chain.from_iterable(sentences))
            words = sorted(
                (word for word in count_of if count_of[word] >= minimum_count), key=lambda word: (-count_of[word], word)
            )
            if not words:
                raise InputError(
                    f"no {language} word occurs {minimum_count} times; {count_remedy(minimum_count, 'more text')}"
                )
            sides.append(words)
            counts += [count_of[word] for word in words]
        return cls(sides[0], sides[1], np.array(counts, dtype=np.int64))

    def numbers(self) -> tuple[dict[str, int], dict[str, int]]:
        """The number of each word, by language."""
        first = {word: row for row, word in enumerate(self.first)}
        return first, {word: row for row, word in enumerate(self.second, start=len(self.first))}


def numbered(bitext: Bitext, vocabulary: Vocabulary) -> tuple[Side, Side]:
    """Both sides as word numbers: other words are left out first, then pairs with an empty side."""
    sides = [
        [[index[word] for word in sentence if word in index] for sentence in sentences]
        for index, sentences in zip(vocabulary.numbers(), (bitext.first, bitext.second), strict=True)
    ]
    rows = [row for row in range(len(sides[0])) if sides[0][row] and sides[1][row]]
    first, second = (side([sentences[row] for row in rows]) for sentences in sides)
    return first, second


def side(sentences: Sequence[Sequence[int]]) -> Side:
    """Sentences of word numbers as one side."""
    lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
    ids = np.fromiter(chain.from_iterable(sentences), np.int32, int(lengths.sum()))
    return Side(ids, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def lists(sentences: Side) -> list[NDArray[np.int32]]:
    """The sentences of a side."""
    return [sentences.ids[start:stop] for start, stop in pairwise(sentences.offsets)]


def written_in_characters(word: str) -> bool:
    """Whether a word is of Chinese characters and kana alone, so that it may match."""
    return bool(word) and all(HAN.match(sign) or KANA.match(sign) for sign in unicodedata.normalize("NFC", word))


def _one_word(bitext: Bitext, row: int) -> bool:
    sides = bitext.first[row], bitext.second[row]
    return all(len(words) == 1 and written_in_characters(words[0]) for words in sides)
