"""The base class of networks that classify documents: words as numbers, word vectors, probabilities of labels.

Notation: B documents, S sentences of a document, L words of a sentence (or of a document without sentences), C labels.
"""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.errors import InputError

PADDING, UNKNOWN = 0, 1  # numbers of no word, and of a word that is not in the vocabulary


class Readout(NamedTuple):
    """Attention weights of words [B, S, L] and of sentences [B, S], 0 where there is none."""

    words: Tensor
    sentences: Tensor


class DocumentNetwork(nn.Module, PyTorchModelHubMixin):
    """A network with a table of word vectors and an output for each label; the rest is its children's.

    A hierarchical one takes numbers [B, S, L], another one [B, L]; 0 where there is no word.

    Args:
        labels: names of the C labels.
        words: what the numbers from 2 on stand for.
        dimensions: of a word vector.
        sentences, length: how many sentences, and words of one, are read of a document; without a hierarchy the first
            `length` words of each of the first `sentences` sentences one after the other.
        spread: standard deviation of word vectors that begin at random.

    Raises:
        InputError: fewer than two labels.
    """

    hierarchical = False

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        spread: float = 0.3,
    ):
        super().__init__()
        if len(labels) < 2:
            raise InputError(f"a classifier needs two labels or more, found {list(labels)}")
        self.labels, self.words = list(labels), list(words)
        self.index = {word: number for number, word in enumerate(self.words, start=2)}
        self.sentences, self.length = sentences, length
        self.embedding = nn.Embedding(len(self.words) + 2, dimensions, padding_idx=PADDING)
        nn.init.normal_(self.embedding.weight, std=spread)
        nn.init.zeros_(self.embedding.weight[PADDING].data)

    def begin(self, vectors: Tensor, has_vector: Tensor) -> "DocumentNetwork":
        """Set the vectors [V, d] of the words where `has_vector`, bool [V], is true; the others stay random."""
        with torch.no_grad():
            self.embedding.weight[2:][has_vector] = vectors[has_vector]
        return self

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor:
        """Numbers of words -> unnormalised log-probabilities (logits) of the labels [B, C]."""

    def read(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The part of a document that is read: the beginnings of its first sentences, joined without hierarchy."""
        parts = [list(sentence[: self.length]) for sentence in sentences if sentence][: self.sentences]
        return parts if self.hierarchical or not parts else [list(chain.from_iterable(parts))]

    def numbers(self, documents: Sequence[Sequence[Sequence[str]]]) -> Tensor:
        """Sentences of words as numbers, int32 [N, S, L] or [N, L]. A document without words is one unknown word."""
        index, numbered = self.index, []
        for sentences in documents:
            read = self.read(sentences)
            numbered.append([[index.get(word, UNKNOWN) for word in sentence] for sentence in read] or [[UNKNOWN]])
        longest = max(len(sentence) for document in numbered for sentence in document)
        size = max(len(document) for document in numbered), longest
        ids = np.zeros((len(numbered), *size), dtype=np.int32)
        for row, document in enumerate(numbered):
            for position, sentence in enumerate(document):
                ids[row, position, : len(sentence)] = sentence
        return torch.from_numpy(ids if self.hierarchical else ids[:, 0])

    @torch.inference_mode()
    def probabilities(self, ids: Tensor, batch: int = 64) -> Tensor:
        """Numbers [N, ...] -> the probability of each label [N, C], documents of similar length at a time."""
        training = self.training
        self.eval()
        device = self.embedding.weight.device
        order = lengths(ids).argsort(stable=True)
        probabilities = torch.empty(len(ids), len(self.labels))
        for rows in order.split(batch):
            probabilities[rows] = self(cut(ids[rows]).to(device)).softmax(dim=1).cpu()
        self.train(training)
        return probabilities


def lengths(ids: Tensor) -> Tensor:
    """Sentences of each document [N] for numbers [N, S, L], words for [N, L]."""
    return (ids != PADDING).any(dim=2).sum(dim=1) if ids.dim() == 3 else (ids != PADDING).sum(dim=1)


def cut(ids: Tensor) -> Tensor:
    """Cut off the padding that all documents of the batch share; at least one sentence and one word are left."""
    present = ids != PADDING
    longest = max(int(present.flatten(0, -2).any(dim=0).sum()), 1)
    ids = ids[..., :longest]
    if ids.dim() == 3:
        ids = ids[:, : max(int(present.any(dim=2).any(dim=0).sum()), 1)]
    return ids
