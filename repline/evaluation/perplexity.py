"""Perplexity: exp of the mean negative log-likelihood per word, summed over batches, for any model.

likelihood(negative_log_likelihood(model), batches).perplexity
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError


@dataclass(frozen=True)
class Likelihood:
    """How well some words were predicted.

    Attributes:
        nats: sum of -log p over the words.
        words: how many.
    """

    nats: float
    words: int

    @property
    def cross_entropy(self) -> float:
        """Nats per word."""
        return self.nats / self.words

    @property
    def perplexity(self) -> float:
        """exp(nats / words); infinite where that overflows."""
        return math.exp(self.cross_entropy) if self.cross_entropy < 700 else math.inf

    def jointly(self, marks: "Likelihood") -> "Likelihood":
        """The words and what else was predicted with them (brackets, say), per word: exp((nats + nats') / words)."""
        return Likelihood(self.nats + marks.nats, self.words)


def likelihood(nll: Callable[[Any], Any], batches: Iterable[Any]) -> Likelihood:
    """Sum the losses of the words of all batches, one batch in memory at a time.

    Args:
        nll: batch -> the nats of each word that counts, an array or tensor of any shape; called in the order of the
            batches, so that it may carry a state.
        batches: any iterable.

    Raises:
        InputError: no words, or a loss that is not a number.
    """
    (total,) = likelihoods(lambda batch: (nll(batch),), batches)
    return total


def likelihoods(nll: Callable[[Any], tuple[Any, ...]], batches: Iterable[Any]) -> tuple[Likelihood, ...]:
    """Likelihood per kind of prediction, where a batch gives (nats of the words, nats of the brackets, ...)."""
    nats: list[float] = []
    words: list[int] = []
    for batch in batches:
        for kind, values in enumerate(nll(batch)):
            values = np.asarray(values.cpu() if hasattr(values, "cpu") else values, dtype=np.float64)
            if kind == len(nats):
                nats.append(0.0)
                words.append(0)
            nats[kind] += float(values.sum())
            words[kind] += values.size
    if not nats or not words[0]:
        raise InputError("there is no word to predict, so there is no perplexity; take a larger corpus")
    if any(map(math.isnan, nats)):
        raise InputError("the model gives a word a probability that is not a number; train it again at a lower rate")
    return tuple(map(Likelihood, nats, words))


def perplexity(nll: Callable[[Any], Any], batches: Iterable[Any]) -> float:
    """exp(mean nats per word) over all batches; see `likelihood`."""
    return likelihood(nll, batches).perplexity


@dataclass(frozen=True)
class RowLikelihoods:
    """How well the words of each row (sentence, or segment of a stream) were predicted: what is resampled.

    Attributes:
        nats: [R], sums of -log p over the words of a row.
        words: [R], how many it has.
    """

    nats: NDArray[np.float64]
    words: NDArray[np.int64]

    def total(self, rows: NDArray[np.integer] | None = None) -> Likelihood:
        """Likelihood of all rows, or of chosen rows; a repeated index counts each time."""
        if rows is None:
            return Likelihood(float(self.nats.sum()), int(self.words.sum()))
        weights = np.bincount(rows, minlength=len(self.nats))
        return Likelihood(float(weights @ self.nats), int(weights @ self.words))


def row_likelihoods(
    nll: Callable[[Any], tuple[Any, ...]], batches: Iterable[Any], rows: Callable[[Any], tuple[Any, ...]]
) -> tuple[RowLikelihoods, ...]:
    """Likelihoods per kind of prediction, row by row.

    Args:
        nll: batch -> the nats of each kind of prediction, as for `likelihoods`.
        rows: batch -> for each kind a mask [B, T] of the places that it predicts, in whose order its nats are.

    Raises:
        InputError: as for `likelihoods`.
    """
    nats: list[list[NDArray]] = []
    words: list[list[NDArray]] = []
    for batch in batches:
        for kind, (values, mask) in enumerate(zip(nll(batch), rows(batch), strict=True)):
            if kind == len(nats):
                nats.append([])
                words.append([])
            row = np.asarray(mask.cpu()).nonzero()[0]
            weights = np.asarray(values.cpu(), dtype=np.float64)
            nats[kind].append(np.bincount(row, weights, minlength=len(mask)))
            words[kind].append(np.bincount(row, minlength=len(mask)))
    likelihoods_of_rows = tuple(
        RowLikelihoods(np.concatenate(n), np.concatenate(w)) for n, w in zip(nats, words, strict=True)
    )
    if not likelihoods_of_rows or not likelihoods_of_rows[0].words.sum():
        raise InputError("there is no word to predict, so there is no perplexity; take a larger corpus")
    if any(np.isnan(kind.nats).any() for kind in likelihoods_of_rows):
        raise InputError("the model gives a word a probability that is not a number; train it again at a lower rate")
    return likelihoods_of_rows
