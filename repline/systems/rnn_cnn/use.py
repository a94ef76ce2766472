"""A model of rnn_cnn on raw texts: `encode(texts)` and `similarity(a, b)`."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from repline.pretrained import pretrained
from repline.segmentation.word_splitters import recorded_splitter, word_splitter
from repline.systems.rnn_cnn.encoder import SentenceEncoder
from repline.systems.rnn_cnn.model import ContextModel
from repline.use.folders import RAW_INPUT, Description
from repline.use.stored_vectors import FOLDER, vectors_by_word
from repline.use.text_encoder import TextEncoder
from repline.vectors import store


class ContextVectors(TextEncoder):
    """Pooled states of the recurrent encoder.

    Texts are split as most sentences of training were, and are in lower case. A text is read as one sentence. Known are
    the words of the vocabulary, and those with a pre-trained vector. The suite of sentences splits its texts alike for
    every encoder, after the Penn Treebank, which differs from spaCy's tokenizer at hyphens.

    Args:
        sentences: the encoder of a trained model.
        splitter: a name of `repline.segmentation.word_splitters`.
    """

    def __init__(self, sentences: SentenceEncoder, splitter: str):
        self.sentences, self.splitter = sentences, splitter
        self.dimensions = sentences.model.features

    def use_vectors(self, folder: str | Path) -> None:
        """Read words outside the vocabulary from a folder of word vectors from now on.

        It should have the vectors that the model was trained with, of which its own folder has the frequent ones alone.

        Raises:
            InputError: there are no vectors, or they have other dimensions than those of training.
        """
        self.sentences = SentenceEncoder(self.sentences.model, *vectors_by_word(folder, self.sentences.matrix.shape[1]))

    def _vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        split_words = word_splitter(self.splitter)
        split = [[word.lower() for word in split_words(text)] for text in texts]
        vocabulary, further = self.sentences.number_of, self.sentences.index
        known_words = [sum(word in vocabulary or word in further for word in words) for words in split]
        return self.sentences.encode_words(split), np.array(known_words, dtype=np.int64)


def load(description: Description) -> ContextVectors:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    words, matrix = store.words_and_matrix(description.folder / FOLDER)
    index = {word: row for row, word in enumerate(words)}
    splitter = recorded_splitter(description.raw_input, str(description.folder / RAW_INPUT))
    return ContextVectors(SentenceEncoder(pretrained(ContextModel, description.folder), index, matrix), splitter)
