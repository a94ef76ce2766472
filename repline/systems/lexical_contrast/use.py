"""Attract-Repel and counter-fitting on raw words, and on anybody's vectors and pairs of words."""

import warnings
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.errors import InputError, shown
from repline.systems.lexical_contrast import attract_repel as attraction
from repline.systems.lexical_contrast import counter_fitting
from repline.systems.lexical_contrast.constraint_rows import with_directions, without
from repline.systems.lexical_contrast.settings import AttractRepel, CounterFitting
from repline.use.folders import Description
from repline.use.word_space import NormalisedWordVectors, load_vectors
from repline.vectors.word_pairs import float_matrix, pair_rows

WordPairs = Iterable[tuple[str, str]]


def load(description: Description) -> NormalisedWordVectors:
    """The vectors of one configuration; a word is looked up as it stands, else in lower case."""
    return load_vectors(description)


def attract_repel_words(
    words: Sequence[str],
    matrix: ArrayLike,
    synonyms: WordPairs = (),
    antonyms: WordPairs = (),
    *,
    recipe: AttractRepel = attraction.AS_PUBLISHED,
    seed: int = 0,
    notice: Callable[[str], None] = warnings.warn,
    report: Callable[[int, float], None] | None = None,
) -> NDArray:
    """Specialise anybody's vectors by Attract-Repel: synonyms come near each other, antonyms are driven apart.

    Where a kind has fewer pairs than a batch, the batch shrinks to it. A kind with a single pair is left out, because
    its negative examples are words of other pairs. Pairs of a word whose vector is zero are left out, because it has no
    direction.

    Args:
        words: [V], the word of each row.
        matrix: [V, d], an array or a list of lists; read only.
        synonyms, antonyms: pairs of words in either order; pairs with an unknown word are left out, and synonyms that
            are antonyms, too.
        recipe: how long, how fast, with which margins.
        seed: of the order of the pairs, and of the random negatives.
        notice: called with a sentence where the batch shrinks, or pairs of vectors of zeros or a kind are left out.
        report: called after each epoch with its number from 1 and the mean cost of a pair.

    Returns:
        [V, d] of the type of `matrix` (float64 for whole numbers), rows of unit length; a word without pairs
            keeps its direction.

    Raises:
        InputError: words and vectors do not fit, an item is no pair of words, or no kind has two pairs of known words
            with vectors that are not zero.
    """
    matrix = float_matrix(words, matrix, "Attract-Repel")
    attract, repel = _rows(words, synonyms, antonyms)
    pairs = {"synonyms": attract, "antonyms": repel}
    for kind, rows in pairs.items():
        pairs[kind] = with_directions(rows, matrix)
        if excluded := len(rows) - len(pairs[kind]):
            notice(f"{excluded} of {len(rows)} pairs of {kind} have a word whose vector is zero, and are left out")
        if len(pairs[kind]) == 1:
            notice(f"one pair of {kind} alone has no negative examples, so it is left out; counter-fitting takes it")
            pairs[kind] = rows[:0]
    sizes = [len(rows) for rows in pairs.values() if len(rows)]
    if not sizes:
        raise InputError("Attract-Repel needs two pairs of one kind at least; counter-fitting takes a single pair")
    batch = min(recipe.batch, *sizes)
    if batch < recipe.batch:
        notice(f"there are {min(sizes)} pairs of a kind: the batch is {batch} pairs instead of {recipe.batch}")
    smaller = recipe.model_copy(update={"batch": batch})
    return attraction.attract_repel(matrix, pairs["synonyms"], pairs["antonyms"], smaller, seed=seed, report=report)


def counter_fit_words(
    words: Sequence[str],
    matrix: ArrayLike,
    synonyms: WordPairs = (),
    antonyms: WordPairs = (),
    *,
    recipe: CounterFitting = counter_fitting.AS_PUBLISHED,
) -> NDArray:
    """Specialise anybody's vectors by counter-fitting, which takes every pair in every epoch.

    Args:
        words, matrix, synonyms, antonyms: see `attract_repel_words`.
        recipe: epochs, distances and weights.

    Returns:
        [V, d] of the type of `matrix` (float64 for whole numbers), rows of unit length; a word in no pair and
            without near words keeps its direction.

    Raises:
        InputError: words and vectors do not fit, an item is no pair of words, no pair has two known words, or too many
            words are near each other, as in vectors with a large mean.
    """
    matrix = float_matrix(words, matrix, "counter-fitting")
    attract, repel = _rows(words, synonyms, antonyms)
    return counter_fitting.counter_fit(matrix, attract, repel, recipe)


def _rows(
    words: Sequence[str], synonyms: WordPairs, antonyms: WordPairs
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    repel = pair_rows(words, antonyms)
    attract = without(pair_rows(words, synonyms), repel)
    if not len(attract) + len(repel):
        raise InputError(
            f"no pair of synonyms or antonyms has two words with a vector; of {len(words):,} words the first is "
            f"{shown(words[0])}"
        )
    return attract, repel
