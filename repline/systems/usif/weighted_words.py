"""Word vectors with the probabilities of their words, and weighted averages of them by variant."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from repline.systems.usif.model import index_sentences
from repline.systems.usif.random_walk import derive, word_probabilities
from repline.systems.usif.settings import VariantName
from repline.systems.usif.variants import VARIANTS, variant_averages
from repline.vectors import store


class WeightedWords:
    """V words with vectors.

    Attributes:
        index: word -> row; vectors: [V, d]; probabilities: p(w), [V].
        unigrams: p(w) of all counted words.
    """

    def __init__(self, vocabulary: Sequence[str], vectors: np.ndarray, counted: Sequence[str], counts: np.ndarray):
        self.index = {word: row for row, word in enumerate(vocabulary)}
        self.vectors = vectors
        self.probabilities = word_probabilities(vocabulary, counted, counts)
        self.unigrams = counts / counts.sum()

    @classmethod
    def read(cls, vectors: str | Path, corpus: str | Path) -> "WeightedWords":
        """The vectors of a folder of data/vectors, and the counts of a corpus that `corpus.prepare` wrote."""
        unigrams = pq.read_table(Path(corpus) / "unigrams.parquet")
        words, matrix = store.words_and_matrix(vectors)
        return cls(words, matrix, unigrams["word"].to_pylist(), unigrams["count"].to_numpy())

    def averages(self, variant: VariantName, sentences: Sequence[Sequence[str]], length: int) -> np.ndarray:
        """Sentence vectors of a variant before removal, float32 [N, d]; `length` is n of the constants."""
        rows, offsets = index_sentences(sentences, self.index)
        constants = derive(self.unigrams, length)
        return variant_averages(VARIANTS[variant], rows, offsets, self.vectors, self.probabilities, constants)


def mean_length(sentences: Sequence[Sequence[str]]) -> int:
    """n: the mean number of words, to the nearest whole number above 0."""
    return max(1, round(sum(map(len, sentences)) / max(1, len(sentences))))
