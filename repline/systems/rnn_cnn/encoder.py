"""A trained encoder of sentences, with vectors for words that training did not have."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import read_encoder, write_encoder
from repline.pretrained import pretrained
from repline.segmentation.treebank import words
from repline.systems.rnn_cnn.model import UNKNOWN, ContextModel
from repline.systems.rnn_cnn.vocabulary_expansion import expansion
from repline.vectors import store

BATCH = 256  # sentences that pass through the recurrence at a time


class SentenceEncoder:
    """n sentences -> [n, z]; all their words are read, in lower case.

    A word of the vocabulary has its learnt vector, another one that has a pre-trained vector x has x W, any other the
    vector of unknown words. A sentence without a word is the zero vector.

    Args:
        model: of d dimensions.
        index: pre-trained word -> row; matrix: [V', d'], may be memory-mapped.
    """

    def __init__(self, model: ContextModel, index: Mapping[str, int], matrix: NDArray[np.floating]):
        self.model, self.index, self.matrix = model.eval(), index, matrix
        self.number = {word: row for row, word in enumerate(model.words, 1)}
        self.learnt = model.embedding.weight.detach().cpu().numpy()  # [V + 1, d]
        both = [(index[word], row) for word, row in self.number.items() if word in index]
        rows, numbers = (np.array(side) for side in zip(*both, strict=True)) if both else (np.zeros(0, int),) * 2
        self.map = expansion(matrix[rows], self.learnt[numbers]) if both else None

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        split = [_words(sentence) for sentence in sentences]
        number: dict[str, int] = {}
        for word in (word for one in split for word in one):
            number.setdefault(word, len(number))
        vectors = np.pad(self.word_vectors(list(number)), ((0, 1), (0, 0)))  # the last row is of no word
        found = np.zeros((len(split), self.model.features), np.float32)
        filled = sorted((place for place in range(len(split)) if split[place]), key=lambda place: len(split[place]))
        for start in range(0, len(filled), BATCH):
            places = filled[start : start + BATCH]
            lengths = torch.tensor([len(split[place]) for place in places])
            rows = np.full((len(places), int(lengths[-1])), len(number))  # [B, M]
            for row, place in enumerate(places):
                rows[row, : len(split[place])] = [number[word] for word in split[place]]
            found[places] = self.model.sentence_vectors(torch.from_numpy(vectors[rows]), lengths).numpy()
        return found

    def word_vectors(self, vocabulary: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of words in lower case, [n, d]."""
        found = self.learnt[[self.number.get(word, UNKNOWN) for word in vocabulary]]
        new = [place for place, word in enumerate(vocabulary) if word not in self.number and word in self.index]
        if new and self.map is not None:
            rows = [self.index[vocabulary[place]] for place in new]
            found[new] = np.asarray(self.matrix[rows], np.float64) @ self.map
        return found


@functools.lru_cache(maxsize=1 << 17)
def _words(sentence: str) -> tuple[str, ...]:
    """The words of a sentence in lower case, which many models read one after the other."""
    return tuple(words(sentence.lower()))


def write(folder: str | Path, *, vectors: str | Path) -> None:
    """Say in a model's folder where the pre-trained vectors are; they stay there."""
    write_encoder(folder, "rnn_cnn", vectors=str(vectors))


def load(folder: Path) -> SentenceEncoder:
    """The encoder that `write` described; InputError where what it needs is not there."""
    described = read_encoder(folder)
    if "vectors" not in described:
        raise InputError(f"{folder}/encoder.json: 'vectors' is missing; train the model again")
    vocabulary, matrix = store.words_and_matrix(described["vectors"])
    index = {word: row for row, word in enumerate(vocabulary)}
    return SentenceEncoder(pretrained(ContextModel, folder), index, matrix)
