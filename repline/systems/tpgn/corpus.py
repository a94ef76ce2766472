"""Prepare captions as word numbers: the vocabulary, sequences for training, and references."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.corpora.captions.caption_corpus import Captions
from repline.corpora.captions.picture import Part
from repline.errors import InputError, count_remedy

SPECIAL = ("<s>", "</s>", "<unk>")
BEGIN, END, UNKNOWN = range(len(SPECIAL))
IGNORED = -100  # the number behind the end of a sequence, which no loss counts
BLOCK = 4096  # rows of features that are read at once


@dataclass(frozen=True)
class Sequences:
    """Captions for training, as word numbers.

    Attributes:
        words: [N, L], begin, words, end, then IGNORED.
        lengths: [N] of what is not ignored.
        rows: [N] of the features of each caption's picture.
    """

    words: Tensor
    lengths: Tensor
    rows: Tensor


@dataclass(frozen=True)
class Prepared:
    """A corpus of captions prepared for training and evaluation.

    Attributes:
        vocabulary: the word of each number.
        training, validation: the targets of train and dev.
        parts: the corpus.
        features: of all pictures [pictures, n], memory-mapped.
        mean: [n], of the features of the training pictures.
        longest: words of a caption that are learned.
    """

    vocabulary: list[str]
    training: Sequences
    validation: Sequences
    parts: Mapping[Part, Captions]
    features: NDArray[np.float32]
    mean: Tensor
    longest: int


def prepare(parts: Mapping[Part, Captions], minimum_count: int, longest: int) -> Prepared:
    """Number the captions of a corpus.

    Args:
        minimum_count: how often a word occurs, at least, in all training captions to be in the vocabulary.
        longest: words of a caption that are learned; the end of a longer caption is cut off.

    Raises:
        InputError: no word is frequent enough.
    """
    counts = Counter(
        word for picture_captions in parts["train"].captions for _, tokens in picture_captions for word in tokens
    )
    words = sorted(
        (word for word, count in counts.items() if count >= minimum_count), key=lambda word: (-counts[word], word)
    )
    if not words:
        raise InputError(
            f"no word of the training captions occurs {minimum_count} times; "
            f"{count_remedy(minimum_count, 'more captions')}"
        )
    vocabulary = [*SPECIAL, *words]
    numbers = {word: number for number, word in enumerate(vocabulary)}
    features = parts["train"].features
    return Prepared(
        vocabulary,
        _sequences(parts["train"], numbers, longest),
        _sequences(parts["dev"], numbers, longest),
        parts,
        features,
        _mean(features, parts["train"].rows),
        longest,
    )


def picture_features(features: NDArray[np.float32], rows: Tensor | NDArray[np.int64]) -> Tensor:
    """Features of pictures by row number, copied from the file: [B] -> [B, n]."""
    return torch.from_numpy(np.asarray(features[np.asarray(rows)], dtype=np.float32))


def _sequences(captions: Captions, numbers: Mapping[str, int], longest: int) -> Sequences:
    sequences, rows = [], []
    for row, targets in zip(captions.rows.tolist(), captions.targets(), strict=True):
        for tokens in targets:
            sequences.append([BEGIN, *(numbers.get(word, UNKNOWN) for word in tokens), END][: longest + 2])
            rows.append(row)
    words = torch.full((len(sequences), max(map(len, sequences))), IGNORED)
    for row, sequence in zip(words, sequences, strict=True):
        row[: len(sequence)] = torch.tensor(sequence)
    return Sequences(words, torch.tensor([len(symbols) for symbols in sequences]), torch.tensor(rows))


def _mean(features: NDArray[np.float32], rows: NDArray[np.int64]) -> Tensor:
    total = np.zeros(features.shape[1])
    for start in range(0, len(rows), BLOCK):
        total += features[rows[start : start + BLOCK]].sum(0, dtype=np.float64)
    return torch.from_numpy((total / len(rows)).astype(np.float32))


def sentences(captions: Sequence[Sequence[int]], vocabulary: Sequence[str]) -> list[list[str]]:
    """Numbers back to words."""
    return [[vocabulary[number] for number in caption] for caption in captions]
