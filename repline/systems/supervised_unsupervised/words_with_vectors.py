"""The words of a sentence that have a vector, between two marks: what the encoder reads.

`<s> a man sleeps </s>`: a word without a vector is left out. The marks have random vectors, always the same.
"""

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from repline.segmentation.treebank import words

MARKS = ("<s>", "</s>")
SEED = 10  # of the vectors of the marks


def words_with_vectors(sentence: str, vocabulary: Container[str], lower_case: bool) -> list[str]:
    """The words of a sentence that have a vector, in order, without the marks.

    Args:
        sentence: raw text, split as in the Penn Treebank.
        vocabulary: the words that have a vector.
        lower_case: whether words are looked up in lower case.
    """
    text = sentence.lower() if lower_case else sentence
    return [word for word in words(text) if word in vocabulary and word not in MARKS]


def mark_vectors(dimensions: int, spread: float) -> NDArray[np.float32]:
    """Gaussian vectors of the two marks [2, d].

    Args:
        spread: their standard deviation.
    """
    drawn = np.random.default_rng(SEED).standard_normal((len(MARKS), dimensions))
    return (spread * drawn).astype(np.float32)
