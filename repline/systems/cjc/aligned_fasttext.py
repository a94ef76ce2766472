"""The baseline: fastText of each language alone, the vectors of the first mapped onto the second by Procrustes."""

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.systems.cjc.character_matching import Link
from repline.systems.cjc.corpus import Data
from repline.systems.cjc.parallel_sentences import Vocabulary
from repline.systems.cjc.settings import AlignmentPairs, FastText
from repline.vectors.alignment import identical_strings, orthogonal_map
from repline.vectors.normalisation import unit_length
from repline.vectors.store import words_and_matrix
from repline.vectors.training import fasttext

SIDES = ("first", "second")


def train_monolingual(folder: str | Path, data: Data, recipe: FastText, seed: int) -> None:
    """Train fastText on each language, into `folder`/first and `folder`/second."""
    for name in SIDES:
        fasttext(data.folder / f"{name}.parquet", Path(folder) / name, recipe.model_copy(update={"seed": seed}))


def monolingual_vectors(folder: str | Path, vocabulary: Vocabulary) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The fastText vectors of both languages, [n, d] and [t, d], in the order of the vocabulary.

    A word that occurs only in pairs that were left out, as their other side is empty, has a vector of zeros.

    Args:
        folder: as `train_monolingual` wrote it.
    """
    vectors = []
    for name, words in zip(SIDES, (vocabulary.first, vocabulary.second), strict=True):
        trained, matrix = words_and_matrix(Path(folder) / name)
        rows = {word: row for row, word in enumerate(words)}
        ordered = np.zeros((len(words), matrix.shape[1]), np.float32)
        ordered[[rows[word] for word in trained]] = matrix
        vectors.append(ordered)
    return vectors[0], vectors[1]


def seed_words(
    kind: AlignmentPairs,
    vocabulary: Vocabulary,
    links: Collection[Link],
    dictionary: Sequence[tuple[str, str]],
    without: Sequence[tuple[str, str]],
) -> NDArray[np.int64]:
    """The pairs that the map is learned from, [m, 2] rows of both languages.

    Args:
        kind: identical, words that both languages spell alike (names in Latin letters, punctuation, some of Chinese
            characters); characters, those and words whose characters correspond one by one by the table; dictionary,
            the pairs of `dictionary`.
        vocabulary: the words of both languages.
        links: characters that correspond.
        dictionary: pairs of words.
        without: the pairs of the test; no word of them is in the result.
    """
    first = {word: row for row, word in enumerate(vocabulary.first)}
    second = {word: row for row, word in enumerate(vocabulary.second)}
    if kind == "dictionary":
        pairs = [
            (first[word], second[translation])
            for word, translation in dictionary
            if word in first and translation in second
        ]
    else:
        pairs = [tuple(pair) for pair in identical_strings(vocabulary.first, vocabulary.second).tolist()]
    if kind == "characters":
        counterparts: dict[str, list[str]] = {}
        for character, translation in sorted(links):
            counterparts.setdefault(character, []).append(translation)
        for word, row in first.items():
            pairs += [
                (row, second[translation]) for translation in _spelled(word, counterparts) if translation in second
            ]
    tested = {first[word] for word, _ in without if word in first}
    tested_second = {second[word] for _, word in without if word in second}
    untested = sorted({pair for pair in pairs if pair[0] not in tested and pair[1] not in tested_second})
    return np.array(untested, dtype=np.int64).reshape(-1, 2)


def aligned(first: NDArray, second: NDArray, pairs: NDArray) -> NDArray[np.float32]:
    """Both languages in one space [n + t, d]: unit length, the first turned by the orthogonal map of the pairs.

    Raises:
        InputError: no pair to learn it from.

    Source: Smith et al. 2017, section 2.2.
    """
    if not len(pairs):
        raise InputError(
            "there is no pair of words to learn the map from; set `pairs` to another kind, or leave the variant out "
            "of cjc.aligned.variants"
        )
    first, second = unit_length(first), unit_length(second)
    turned = first @ orthogonal_map(first[pairs[:, 0]], second[pairs[:, 1]])
    return np.concatenate([turned, second]).astype(np.float32)


def _spelled(word: str, counterparts: dict[str, list[str]], limit: int = 64) -> list[str]:
    """A word in the characters of the other language, in every way; none where a character has no counterpart."""
    spelled = [""]
    for character in word:
        spelled = [start + counterpart for start in spelled for counterpart in counterparts.get(character, ())][:limit]
    return spelled
