"""Inputs that training and evaluation share: word vectors, the probabilities of their words."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from repline.systems.usif.model import index_sentences
from repline.systems.usif.random_walk import Constants, derive, word_probabilities
from repline.systems.usif.variants import VARIANTS, variant_averages
from repline.vectors import store

CORPUS = Path("data/corpora/usif")
PAPER_LENGTH = 11  # words in a sentence of the STS tests


class Words:
    """Word vectors, the probabilities of their words, and the constants that follow from the counts."""

    def __init__(self, folder: str | Path, length: int):
        words, self.vectors = store.words_and_matrix(folder)
        counted = pq.read_table(CORPUS / "unigrams.parquet")
        counts = counted["count"].to_numpy()
        self.index = {word: row for row, word in enumerate(words)}
        self.probabilities = word_probabilities(words, counted["word"].to_pylist(), counts)
        self.unigrams = counts / counts.sum()
        self.constants: Constants = derive(self.unigrams, length)

    def averages(self, variant: str, sentences: list[list[str]]) -> np.ndarray:
        rows, offsets = index_sentences(sentences, self.index)
        return variant_averages(VARIANTS[variant], rows, offsets, self.vectors, self.probabilities, self.constants)


def mean_length(sentences: list[list[str]]) -> int:
    """n: the mean number of words, to the nearest whole number above 0."""
    return max(1, round(sum(map(len, sentences)) / max(1, len(sentences))))
