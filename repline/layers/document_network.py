"""What all networks that classify documents share: words as numbers, their vectors, probabilities of labels.

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

PADDING, UNKNOWN = 0, 1  # numbers of no word, and of a word that is not among the words


class Readout(NamedTuple):
    """What a network looked at: weights of words [B, S, L] and of sentences [B, S], 0 where there is none."""

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

    def begin(self, vectors: Tensor, known: Tensor) -> "DocumentNetwork":
        """Start from given vectors [V, d] of the words where `known`, bool [V]; the others stay at random."""
        with torch.no_grad():
            self.embedding.weight[2:][known] = vectors[known]
        return self

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor:
        """Numbers of words -> log-odds of the labels [B, C], up to a constant of the document."""

    def read(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """What is read of a document: the beginnings of its first sentences; without a hierarchy as one sentence."""
        found = [list(sentence[: self.length]) for sentence in sentences if sentence][: self.sentences]
        return found if self.hierarchical or not found else [list(chain.from_iterable(found))]

    def numbers(self, documents: Sequence[Sequence[Sequence[str]]]) -> Tensor:
        """Sentences of words as numbers, int32 [N, S, L] or [N, L]. A document without words is one unknown word."""
        index, found = self.index, []
        for sentences in documents:
            read = self.read(sentences)
            found.append([[index.get(word, UNKNOWN) for word in sentence] for sentence in read] or [[UNKNOWN]])
        size = max(len(one) for one in found), max(len(sentence) for one in found for sentence in one)
        ids = np.zeros((len(found), *size), dtype=np.int32)
        for row, one in enumerate(found):
            for place, sentence in enumerate(one):
                ids[row, place, : len(sentence)] = sentence
        return torch.from_numpy(ids if self.hierarchical else ids[:, 0])

    @torch.inference_mode()
    def probabilities(self, ids: Tensor, batch: int = 64) -> Tensor:
        """Numbers [N, ...] -> the probability of each label [N, C], documents of similar length at a time."""
        training = self.training
        self.eval()
        device = self.embedding.weight.device
        order = lengths(ids).argsort(stable=True)
        found = torch.empty(len(ids), len(self.labels))
        for rows in order.split(batch):
            found[rows] = self(cut(ids[rows]).to(device)).softmax(dim=1).cpu()
        self.train(training)
        return found


def lengths(ids: Tensor) -> Tensor:
    """Sentences of each document [N] for numbers [N, S, L], words for [N, L]."""
    return (ids != PADDING).any(dim=2).sum(dim=1) if ids.dim() == 3 else (ids != PADDING).sum(dim=1)


def cut(ids: Tensor) -> Tensor:
    """The numbers without sentences and words that no document of the batch has; at least one of each is left."""
    there = ids != PADDING
    longest = max(int(there.flatten(0, -2).any(dim=0).sum()), 1)
    ids = ids[..., :longest]
    if ids.dim() == 3:
        ids = ids[:, : max(int(there.any(dim=2).any(dim=0).sum()), 1)]
    return ids
