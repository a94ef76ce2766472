"""A model of rnn_cnn on raw texts: `encode(texts)` and `similarity(a, b)`."""

from collections.abc import Sequence

import numpy as np

from repline.pretrained import pretrained
from repline.systems.rnn_cnn.encoder import SentenceEncoder, words_of
from repline.systems.rnn_cnn.model import ContextModel
from repline.use.folders import Description
from repline.use.stored_vectors import FOLDER
from repline.use.text_encoder import TextEncoder
from repline.vectors import store


class ContextVectors(TextEncoder):
    """Pooled states of the recurrent encoder.

    Texts are split as in training: Treebank words in lower case. A text is read as one sentence. Known are the words of
    the vocabulary, and those with a pre-trained vector.

    Args:
        sentences: the encoder of a trained model.
    """

    def __init__(self, sentences: SentenceEncoder):
        self.sentences = sentences
        self.dimensions = sentences.model.features

    def vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        split = [words_of(text) for text in texts]
        vocabulary, further = self.sentences.number_of, self.sentences.index
        known_words = [sum(word in vocabulary or word in further for word in words) for words in split]
        return self.sentences.encode_words(split), np.array(known_words, dtype=np.int64)


def load(description: Description) -> ContextVectors:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    words, matrix = store.words_and_matrix(description.folder / FOLDER)
    index = {word: row for row, word in enumerate(words)}
    return ContextVectors(SentenceEncoder(pretrained(ContextModel, description.folder), index, matrix))
