"""A trained BiLSTM as an encoder of sentences; the linear maps of the second loss are not part of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
import torch
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import read_encoder
from repline.pretrained import pretrained
from repline.systems.supervised_unsupervised.model import InferSent
from repline.systems.supervised_unsupervised.words_with_vectors import MARKS, mark_vectors, words_with_vectors
from repline.use.stored_vectors import vectors_of_encoder
from repline.vectors import store

BATCH = 128  # sentences of about one length that are encoded at a time


class MaximumOfStates:
    """n sentences -> [n, l]; a sentence without a known word is the zero vector.

    Args:
        model: trained, or not.
        index: word -> row of vectors [V, d].
        lower_case: whether words are looked up in lower case.
        spread: of the vectors of the marks.

    Raises:
        InputError: the vectors have other dimensions than the model.
    """

    def __init__(
        self,
        model: InferSent,
        index: Mapping[str, int],
        vectors: NDArray[np.floating],
        *,
        lower_case: bool = True,
        spread: float = 0.3,
    ):
        expected = model.dimensions
        if vectors.shape[1] != expected:
            raise InputError(f"expected vectors of {expected} dimensions, as the model reads, found {vectors.shape[1]}")
        self.model, self.index, self.vectors = model.eval(), index, vectors
        self.lower_case, self.marks = lower_case, mark_vectors(expected, spread)

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        return self.encode_rows(self.rows(sentences))

    def rows(self, sentences: Sequence[str]) -> list[list[int]]:
        """The rows of the words of each raw sentence that have a vector."""
        words = [words_with_vectors(sentence, self.index, self.lower_case) for sentence in sentences]
        return [[self.index[word] for word in sentence] for sentence in words]

    @torch.no_grad()
    def encode_rows(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Sentence vectors [n, l] from the rows of the words of each sentence; zero for a sentence of none."""
        sentence_vectors = np.zeros((len(rows), self.model.size), np.float32)
        device = next(self.model.parameters()).device
        filled = sorted((row for row in range(len(rows)) if rows[row]), key=lambda row: -len(rows[row]))
        for start in range(0, len(filled), BATCH):
            batch = filled[start : start + BATCH]
            lengths = torch.tensor([len(rows[row]) + len(MARKS) for row in batch])
            vectors = np.zeros((len(batch), int(lengths.max()), self.marks.shape[1]), np.float32)  # [N, T, d]
            for number, row in enumerate(batch):
                inside = self.vectors[list(rows[row])]
                vectors[number, : len(inside) + len(MARKS)] = np.vstack([self.marks[:1], inside, self.marks[1:]])
            encoded = self.model.encode(torch.from_numpy(vectors).to(device), lengths.to(device))
            sentence_vectors[batch] = encoded.cpu().numpy()
        return sentence_vectors


class Described(TypedDict):
    """The entries of encoder.json other than the system's name."""

    vectors: str
    lower_case: bool
    spread: float


def load(folder: Path) -> MaximumOfStates:
    """The encoder of a folder that `training.train` wrote; InputError where what it needs is not there."""
    described = cast(Described, read_encoder(folder))
    try:
        vectors, lower_case, spread = described["vectors"], described["lower_case"], described["spread"]
    except KeyError as error:
        raise InputError(f"{folder}/encoder.json: {error} is missing; train the model again") from None
    index, matrix = _words(vectors_of_encoder(folder, vectors))
    return MaximumOfStates(pretrained(InferSent, folder), index, matrix, lower_case=lower_case, spread=spread)


@lru_cache(maxsize=1)
def _words(vectors: Path) -> tuple[dict[str, int], np.memmap]:
    words, matrix = store.words_and_matrix(vectors)
    return {word: row for row, word in enumerate(words)}, matrix
