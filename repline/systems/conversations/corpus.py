"""Conversations and pairs of inference as numbers: packed sentences, pairs of a message and its reply, labels.

Notation: N sentences, T tokens of all of them, P pairs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.corpora.dialogue.conversation_corpus import SPLITS, message_rows, read_conversations
from repline.corpora.sentence_pairs.pair_corpus import SPLITS as PAIR_SPLITS
from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus
from repline.corpora.sentence_pairs.pair_labels import check_labels
from repline.errors import InputError
from repline.segmentation.treebank import words
from repline.systems.conversations.model import UNKNOWN


@dataclass(frozen=True)
class Sentences:
    """Packed sentences: tokens int32 [T], one sentence behind the other, and where each begins [N + 1]."""

    tokens: Tensor
    starts: Tensor

    def __len__(self) -> int:
        return len(self.starts) - 1

    def batch(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Batch of sentences [B]: their tokens [t] and lengths [B]."""
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        shifts = torch.repeat_interleave(starts - (lengths.cumsum(0) - lengths), lengths)
        return self.tokens[torch.arange(len(shifts)) + shifts], lengths


@dataclass(frozen=True)
class Turns:
    """Turns of several sources as tokens.

    Attributes:
        tokens: one list of tokens per turn, encoded as a dictionary of distinct tokens and indices into it.
        messages: by source and split ("train", "dev", "test"), the rows of turns whose next turn is a reply [P].
        texts: a number for the text of each turn; equal texts have equal numbers [N].
        conversations: a number for the conversation of each turn, distinct over all sources [N].
    """

    tokens: pa.ListArray
    messages: Mapping[str, Mapping[str, NDArray[np.int64]]]
    texts: NDArray[np.int64]
    conversations: NDArray[np.int64]

    def of_split(self, split: str) -> NDArray[np.int64]:
        """The messages of all sources [P]."""
        return np.concatenate([splits[split] for splits in self.messages.values()])


@dataclass(frozen=True)
class Inference:
    """Labelled pairs of inference: tokens of premises and hypotheses, and the label of each pair, by split."""

    first: dict[str, list[list[str]]]
    second: dict[str, list[list[str]]]
    labels: dict[str, list[str]]

    @property
    def names(self) -> list[str]:
        """The labels, sorted."""
        return sorted(set(self.labels["train"]))

    def numbers(self, split: str) -> Tensor:
        """The labels of a split as numbers [P]."""
        number_of = {name: number for number, name in enumerate(self.names)}
        return torch.tensor([number_of[label] for label in self.labels[split]])


def read_turns(folders: Mapping[str, str | Path]) -> Turns:
    """Read the turns of corpora of conversations; folders: by name of the source. InputError where one is missing."""
    tables = {name: read_conversations(folder) for name, folder in folders.items()}
    if not tables:
        raise InputError("params.yaml: conversations.sources: expected at least one source of conversations")
    messages, passed = {}, 0
    conversations: list[NDArray[np.int64]] = []
    conversation_count = 0
    for name, table in tables.items():
        rows = message_rows(table)
        splits = table["split"].to_numpy()[rows]
        messages[name] = {split: rows[splits == split] + passed for split in SPLITS}
        passed += len(table)
        names = pc.unique(table["doc_id"])
        conversations.append(pc.index_in(table["doc_id"], names).to_numpy().astype(np.int64) + conversation_count)
        conversation_count += len(names)
    tokens = pa.concat_tables(tables.values())["tokens"].combine_chunks()
    tokens = tokens.chunk(0) if isinstance(tokens, pa.ChunkedArray) else tokens
    text_numbers = pc.binary_join(tokens, " ").dictionary_encode().indices.to_numpy().astype(np.int64)
    distinct = tokens.flatten().dictionary_encode()
    packed = pa.ListArray.from_arrays(tokens.offsets, distinct)
    return Turns(packed, messages, text_numbers, np.concatenate(conversations))


def read_inference(folder: str | Path) -> Inference:
    """Read the labelled pairs of a corpus of sentence pairs, split into words as turns are.

    Raises:
        InputError: a pair without a label, or a label in dev or test that train does not have.
    """
    first, second, labels = {}, {}, {}
    for split in PAIR_SPLITS:
        table = read_pair_corpus(folder, split)
        labels[split], ids = table["label"].to_pylist(), table["pair_id"].to_pylist()
        check_labels(folder, split, ids, labels[split], set(labels["train"]) - {None})
        first[split], second[split] = (
            [split_words(text) for text in table[side].to_pylist()] for side in ("text_a", "text_b")
        )
    return Inference(first, second, labels)


def inference_groups(folder: str | Path) -> list[str]:
    """The group of each test pair [P]: of pairs that belong together, as the three about one noun; else its own."""
    table = read_pair_corpus(folder, "test")
    pairs = zip(table["group"].to_pylist(), table["pair_id"].to_pylist(), strict=True)
    return [group or pair_id for group, pair_id in pairs]


def split_words(text: str) -> list[str]:
    """Split a raw sentence into the tokens of the encoder: lower case, punctuation and clitics apart."""
    return [token.lower() for token in words(text)]


def vocabulary(turns: Turns, inference: Inference, size: int) -> list[str]:
    """The `size` most frequent words of training turns and pairs; equally frequent words in alphabetical order."""
    distinct = turns.tokens.values
    rows = turns.of_split("train")
    used = np.zeros(len(turns.tokens), bool)
    used[rows] = used[rows + 1] = True
    inside = np.repeat(used, np.diff(turns.tokens.offsets.to_numpy()))
    counts = np.bincount(distinct.indices.to_numpy()[inside], minlength=len(distinct.dictionary))
    count_of = dict(zip(distinct.dictionary.to_pylist(), counts.tolist(), strict=True))
    for side in (inference.first, inference.second):
        for sentence in side["train"]:
            for token in sentence:
                count_of[token] = count_of.get(token, 0) + 1
    return sorted((word for word, uses in count_of.items() if uses), key=lambda word: (-count_of[word], word))[:size]


def turn_numbers(turns: Turns, words: Sequence[str]) -> Sentences:
    """The turns as numbers of words; other words are `UNKNOWN`."""
    number_of = {word: number for number, word in enumerate(words, 1)}
    distinct = turns.tokens.values
    table = torch.tensor([number_of.get(word, UNKNOWN) for word in distinct.dictionary.to_pylist()], dtype=torch.int32)
    starts = torch.from_numpy(turns.tokens.offsets.to_numpy().astype(np.int64))
    return Sentences(table[torch.from_numpy(distinct.indices.to_numpy().astype(np.int64))], starts)


def pack(sentences: Iterable[Sequence[str]], number_of: Mapping[str, int]) -> Sentences:
    """Sentences of at least one token as numbers; number_of: word -> its number, from 1 on."""
    numbers = [[number_of.get(token, UNKNOWN) for token in sentence] for sentence in sentences]
    starts = torch.tensor([0, *(len(number) for number in numbers)]).cumsum(0)
    return Sentences(torch.tensor([number for sentence in numbers for number in sentence], dtype=torch.int32), starts)
