"""What training and evaluation read alike: parameters, word vectors, the probabilities of their words."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow.parquet as pq

from repline import parameters
from repline.systems.usif.model import index_sentences
from repline.systems.usif.random_walk import Constants, derive, word_probabilities
from repline.systems.usif.variants import VARIANTS, variant_averages
from repline.vectors import store

CORPUS = Path("data/corpora/usif")
PAPER_LENGTH = 11  # words in a sentence of the STS tests
KINDS = Literal["glove", "psl", "paranmt"]


@dataclass(frozen=True)
class Settings:
    """The section `usif` of params.yaml, checked."""

    vectors: str
    kind: str
    length: int | None
    components: int
    probes: dict[str, Any]


def settings(*, pairs: str, labelled: str, unigrams: str, vectors: str, kind: KINDS, length: int | None,
             components: int, probes: dict) -> Settings:  # fmt: skip
    """The keyword arguments are the parameters; the first three are those of `prepare`."""
    return Settings(vectors, kind, length, components, parameters.bind(_probes, probes, "usif.probes"))


def read() -> Settings:
    """InputError on any mistake in the section `usif`."""
    values = parameters.section(parameters.read(), "usif")
    return settings(**parameters.bind(settings, values, "usif"))


class Words:
    """Word vectors, the probabilities of their words, and the constants that follow from the counts."""

    def __init__(self, folder: str | Path, length: int):
        loaded = store.load(folder)
        counted = pq.read_table(CORPUS / "unigrams.parquet")
        counts = counted["count"].to_numpy()
        self.index, self.vectors = loaded.key_to_index, loaded.vectors
        self.probabilities = word_probabilities(loaded.index_to_key, counted["word"].to_pylist(), counts)
        self.unigrams = counts / counts.sum()
        self.constants: Constants = derive(self.unigrams, length)

    def averages(self, variant: str, sentences: list[list[str]]) -> np.ndarray:
        rows, offsets = index_sentences(sentences, self.index)
        return variant_averages(VARIANTS[variant], rows, offsets, self.vectors, self.probabilities, self.constants)


def mean_length(sentences: list[list[str]]) -> int:
    """n: the mean number of words, to the nearest whole number above 0."""
    return max(1, round(sum(map(len, sentences)) / max(1, len(sentences))))


def _probes(*, seeds: list[int], hidden: int, learning_rate: float, l2: float, batch: int, epochs: int) -> None:
    """The keyword arguments are the parameters."""
