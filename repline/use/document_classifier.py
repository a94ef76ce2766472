"""Networks of documents as classifiers of raw texts, which are split into sentences and words as in training."""

import warnings
from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from repline.errors import InputError, Notice
from repline.layers.document_network import DocumentNetwork
from repline.pretrained import pretrained
from repline.segmentation.document_sentences import sentences_of
from repline.segmentation.recipes import BLANKS, Splitting
from repline.use.folders import RAW_INPUT, Description
from repline.use.text_classifier import TextClassifier


class DocumentClassifier(TextClassifier):
    """A `DocumentNetwork` that takes raw texts.

    Args:
        network: in evaluation mode; it has the vocabulary and the labels.
        splitting: of `repline.segmentation.document_sentences.sentences_of`, or `BLANKS`.
        shares: the share of each label in training [C].
    """

    def __init__(self, network: DocumentNetwork, splitting: str, shares: Sequence[float]):
        super().__init__(network.labels, shares)
        self.network, self.splitting = network, splitting

    def sentences(self, text: str) -> list[list[str]]:
        """The sentences of a raw text, as lists of words."""
        for splitting in get_args(Splitting):
            if splitting == self.splitting:
                return sentences_of(text, splitting)
        words = text.split()
        return [words] if words else []

    def _probabilities(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The probability of each label [n, C], and how many words of what is read of each text are known [n]."""
        documents = [self.sentences(text) for text in texts]
        parts = [self.network.read(document) for document in documents]
        known_words = [sum(word in self.network.index for sentence in part for word in sentence) for part in parts]
        if any(_words(part) < _words(document) for part, document in zip(parts, documents, strict=True)):
            warnings.warn(self._what_is_read(), Notice, stacklevel=3)
        return self.network.probabilities(self.network.numbers(documents)).numpy(), np.array(known_words)

    def _what_is_read(self) -> str:
        sentences = (
            f"the first {self.network.sentences:,} sentences of a text and " if self.network.sentences > 1 else ""
        )
        unit = "a sentence" if self.splitting != "whole" else "a text"
        return f"of long texts a part is read: {sentences}the first {self.network.length:,} words of {unit}"


def _words(sentences: Sequence[Sequence[str]]) -> int:
    return sum(map(len, sentences))


def load_document_classifier(
    description: Description, networks: Mapping[str, type[DocumentNetwork]]
) -> DocumentClassifier:
    """The classifier that `repline.evaluation.classification.description.describe_network` described.

    Args:
        description: of its folder.
        networks: by the name of a kind, the class.

    Raises:
        InputError: the folder is damaged, or its network is of another kind.
    """
    values, path = description.raw_input, description.folder / RAW_INPUT
    network, splitting, shares = str(values.get("network")), str(values.get("splitting")), values.get("shares")
    if network not in networks or splitting not in (*get_args(Splitting), BLANKS) or not isinstance(shares, list):
        raise InputError(
            f"{path}: expected network ({', '.join(networks)}), splitting and shares of labels; train the model again"
        )
    model = pretrained(networks[network], description.folder)
    if len(shares) != len(model.labels):
        raise InputError(f"{path}: expected shares of {len(model.labels)} labels, found {len(shares)}; copy it again")
    return DocumentClassifier(model, splitting, shares)
