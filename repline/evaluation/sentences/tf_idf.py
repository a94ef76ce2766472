"""TF-IDF of words as an encoder: what any vector of a sentence has to beat where only the cosine counts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.segmentation.treebank import words


class TfIdfEncoder:
    """n sentences -> [n, V]: counts of their words times log((1 + n) / (1 + df)) + 1, at unit length.

    The words are those of the Penn Treebank in lower case, without marks. A sentence without words is the zero vector.
    """

    transductive = True  # the frequencies df are those of the encoded sentences

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        weigh = TfidfVectorizer(analyzer=compared_words)
        if not any(compared_words(sentence) for sentence in sentences):
            return np.zeros((len(sentences), 1), np.float32)
        return weigh.fit_transform(sentences).toarray().astype(np.float32)


def compared_words(sentence: str) -> list[str]:
    """The words of a sentence with a letter or digit, in lower case."""
    return [word.lower() for word in words(sentence) if any(character.isalnum() for character in word)]
