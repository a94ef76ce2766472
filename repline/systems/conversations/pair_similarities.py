"""Similarities of a test's pairs by every encoder: trained models, TF-IDF, averages of word vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.systems.conversations.encoder import load
from repline.systems.conversations.pair_tests import (
    Measured,
    PairTest,
    averaged,
    similarities,
    unknown,
    vectors_of,
    word_overlap,
)
from repline.systems.conversations.settings import Tuning


def measure_pairs(
    test: PairTest,
    models: Mapping[str, Sequence[Path]],
    words: Sequence[str],
    vectors: NDArray[np.floating],
    tuning: Tuning | None = None,
) -> Measured:
    """The similarities of `repline.systems.conversations.pair_tests.similarities`, of each run of each method.

    Args:
        models: by variant, the folder of each seed's model; all know the same words.
        words: V words; vectors: [V, d], which `average` averages.
        tuning: settings of the learnt matrix; None for no tuning.

    Raises:
        InputError: a test with an empty sentence, or a folder without a model.
    """
    row_of = {word: row for row, word in enumerate(words)}
    averages = vectors_of(test, lambda sentences: averaged(sentences, row_of, vectors))
    runs = {"tfidf": [word_overlap(test, tuning)], "average": [similarities(test, averages, tuning)]}
    without_words: dict[str, int] = {}
    for variant, folders in models.items():
        runs[variant] = []
        for folder in folders:
            encoder = load(folder)
            without_words = without_words or unknown(test, encoder.number_of)
            runs[variant].append(similarities(test, vectors_of(test, encoder.of), tuning))
    return Measured(test.gold, test.groups, without_words, runs)
