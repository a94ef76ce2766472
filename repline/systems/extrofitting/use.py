"""Extrofitting on raw words, and on anybody's vectors and lexicon."""

from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repline.errors import InputError, shown
from repline.systems.extrofitting import model
from repline.use.folders import Description
from repline.use.inputs import whole_number
from repline.use.word_space import NormalisedWordVectors, load_vectors
from repline.vectors.word_pairs import float_matrix, known_pair_rows


def load(description: Description) -> NormalisedWordVectors:
    """The vectors of one lexicon and method; a word is looked up as it stands, else in lower case."""
    return load_vectors(description)


def extrofit_words(
    words: Sequence[str],
    matrix: ArrayLike,
    pairs: Iterable[tuple[str, str]],
    *,
    labels: model.Labels = "edges",
    seed: int = 0,
) -> NDArray:
    """Extrofit anybody's vectors by anybody's lexicon: all vectors are whitened by the covariance of related words.

    Args:
        words: [V], the word of each row.
        matrix: [V, d], an array or a list of lists; read only. The published program scales vectors to unit length
            first, see `repline.vectors.normalisation.unit_length`.
        pairs: of words that are neighbours, in either order; pairs with an unknown word are left out.
        labels: where the covariance comes from, see `repline.systems.extrofitting.model.extrofit`. The published
            program's labels are "notebook"; they need words with several neighbours, which a list of pairs may lack.
        seed: of the order of "notebook".

    Returns:
        [V, d] of the type of `matrix`, float64 for whole numbers; words outside the lexicon move, too.

    Raises:
        InputError: words and vectors do not fit, a vector is not finite, an item of `pairs` is no pair of words, no
            pair has two known words, or these have equal vectors; or there are no such labels.
    """
    if labels not in get_args(model.Labels):
        raise InputError(f"extrofitting: expected labels {', '.join(get_args(model.Labels))}; found {shown(labels)}")
    matrix, seed = float_matrix(words, matrix, "extrofitting"), whole_number(seed, "seed", 0)
    rows = known_pair_rows(words, pairs, "lexicon")
    try:
        return model.extrofit(matrix, np.concatenate([rows, rows[:, ::-1]]), labels=labels, seed=seed)
    except ValueError as error:
        raise InputError(f"extrofitting: {error}") from None
