"""A trained encoder of sentences, with vectors for words that training did not have."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict, cast

import numpy as np
import torch
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import read_encoder, write_encoder
from repline.pretrained import pretrained
from repline.segmentation.treebank import words
from repline.systems.rnn_cnn.model import UNKNOWN, ContextModel
from repline.systems.rnn_cnn.vocabulary_expansion import expansion
from repline.use.folders import describe
from repline.use.stored_vectors import store_vectors, vectors_of_encoder
from repline.vectors import store

BATCH = 256  # sentences of similar length, in a step of the recurrence


class SentenceEncoder:
    """Encode n raw sentences as [n, z]; all their words are read, in lower case, split after the Penn Treebank.

    The vector of a word of the vocabulary is the learnt one; of another word with a pre-trained vector x it is x W, of
    any other word the vector of unknown words. A sentence without a word is the zero vector.

    Args:
        model: of d dimensions.
        index: pre-trained word -> row; matrix: [V', d'], may be memory-mapped.
    """

    def __init__(self, model: ContextModel, index: Mapping[str, int], matrix: NDArray[np.floating]):
        self.model, self.index, self.matrix = model.eval(), index, matrix
        self.number_of = {word: row for row, word in enumerate(model.words, 1)}
        self.learnt = model.embedding.weight.detach().cpu().numpy()  # [V + 1, d]
        both = [(index[word], row) for word, row in self.number_of.items() if word in index]
        rows, numbers = (np.array(side) for side in zip(*both, strict=True)) if both else (np.zeros(0, int),) * 2
        self.map = expansion(matrix[rows], self.learnt[numbers]) if both else None

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        return self.encode_words([_cached_words(sentence) for sentence in sentences])

    @torch.inference_mode()
    def encode_words(self, split: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """Sentence vectors [n, z] of sentences that are split into words in lower case."""
        row_of: dict[str, int] = {}
        for word in (word for sentence_words in split for word in sentence_words):
            row_of.setdefault(word, len(row_of))
        vectors = np.pad(self.word_vectors(list(row_of)), ((0, 1), (0, 0)))  # the last row is the padding
        sentence_vectors = np.zeros((len(split), self.model.features), np.float32)
        filled = sorted((row for row in range(len(split)) if split[row]), key=lambda row: len(split[row]))
        for start in range(0, len(filled), BATCH):
            batch = filled[start : start + BATCH]
            lengths = torch.tensor([len(split[row]) for row in batch])
            rows = np.full((len(batch), int(lengths[-1])), len(row_of))  # [B, M]
            for batch_row, row in enumerate(batch):
                rows[batch_row, : len(split[row])] = [row_of[word] for word in split[row]]
            sentence_vectors[batch] = self.model.sentence_vectors(torch.from_numpy(vectors[rows]), lengths).numpy()
        return sentence_vectors

    def word_vectors(self, vocabulary: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of words in lower case, [n, d]."""
        vectors = self.learnt[[self.number_of.get(word, UNKNOWN) for word in vocabulary]]
        new = [row for row, word in enumerate(vocabulary) if word not in self.number_of and word in self.index]
        if new and self.map is not None:
            rows = [self.index[vocabulary[row]] for row in new]
            vectors[new] = np.asarray(self.matrix[rows], np.float64) @ self.map
        return vectors


@functools.lru_cache(maxsize=1 << 17)  # many models encode the sentences of the same tasks
def _cached_words(sentence: str) -> tuple[str, ...]:
    return tuple(words(sentence.lower()))


def write(folder: str | Path, *, vectors: str | Path, vocabulary: Sequence[str], splitter: str) -> None:
    """Write what a model's folder needs to encode sentences.

    The suite of sentences reads all pre-trained vectors where they are. For raw text the folder has a copy of those of
    the vocabulary and of frequent words.

    Args:
        folder: of the saved model.
        vectors: the folder of pre-trained vectors.
        vocabulary: of the model.
        splitter: of the words of most training sentences, see `repline.segmentation.word_splitters`.
    """
    write_encoder(folder, "rnn_cnn", vectors=str(vectors))
    store_vectors(folder, vectors, vocabulary)
    describe(folder, "rnn_cnn", "text_encoder", {"words": "lower case", "splitter": splitter})


class Described(TypedDict):
    """The entries of encoder.json other than the system's name."""

    vectors: str


def load(folder: Path) -> SentenceEncoder:
    """The encoder that `write` described; InputError where what it needs is not there."""
    described = cast(Described, read_encoder(folder))
    if "vectors" not in described:
        raise InputError(f"{folder}/encoder.json: 'vectors' is missing; train the model again")
    vocabulary, matrix = store.words_and_matrix(vectors_of_encoder(folder, described["vectors"]))
    index = {word: row for row, word in enumerate(vocabulary)}
    return SentenceEncoder(pretrained(ContextModel, folder), index, matrix)
