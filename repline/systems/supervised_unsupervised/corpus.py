"""Pairs of sentences with labels and fixed vectors of their words, as one folder.

pairs.parquet       split, source, first, second (known words), label, pair_id, group
words.parquet       word; the two marks first
vectors.npy         float32 [V, d], a row for each word
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from repline.cards import Card, card_or_files, write_card
from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus
from repline.corpora.sentence_pairs.pair_labels import check_labels
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.reading.wrong_records import LeftOut, WrongRecord
from repline.systems.supervised_unsupervised.settings import Corpus
from repline.systems.supervised_unsupervised.words_with_vectors import MARKS, mark_vectors, words_with_vectors
from repline.vectors.store import words_and_matrix

SPLITS = ("train", "dev", "test")
PADDING = 0  # word numbers begin at 1


class Split(NamedTuple):
    """The pairs of a split.

    Attributes:
        first, second: the numbers of the words, between the marks, [B, T], `PADDING` behind the end.
        labels: the name of each pair's label.
        sources: the corpus that each pair is from.
        groups: of pairs that belong together, as the three about one noun; else the pair's own.
    """

    first: Tensor
    second: Tensor
    labels: list[str]
    sources: list[str]
    groups: list[str]


class Data(NamedTuple):
    """The corpus that `write_data` wrote.

    Attributes:
        pairs: by split.
        vectors: of the words [V + 1, d]; row 0 is the padding's, zero.
        labels: the names, sorted.
        words: V words, the two marks first.
    """

    pairs: dict[str, Split]
    vectors: Tensor
    labels: list[str]
    words: Sequence[str] = ()

    def numbers(self, split: str) -> Tensor:
        """The labels of a split as numbers [B]."""
        number_of = {label: number for number, label in enumerate(self.labels)}
        return torch.tensor([number_of[label] for label in self.pairs[split].labels])


def write_data(folder: str | Path, corpus: Corpus, data: str | Path = "data") -> Card:
    """Write the corpus folder of pairs, words and vectors, and return its card.

    Args:
        folder: replaces what was there.
        corpus: the pairs and the vectors, folders of `data`.

    Raises:
        WrongRecord: a sentence that is empty or of whose words none has a vector. With `on_error: salvage` such pairs
            are left out, and the card counts them.
        InputError: a pair without a label, a label in dev or test that train does not have, or vectors that are not
            finite.
    """
    pairs = [Path(data) / source for source in dict.fromkeys(corpus.pairs)]
    vectors = Path(data) / corpus.vectors
    names, matrix = words_and_matrix(vectors)
    row_of = {name: row for row, name in enumerate(names)}
    names_of_columns = ("split", "source", "first", "second", "label", "pair_id", "group")
    columns: dict[str, list] = {name: [] for name in names_of_columns}
    dropped = total = 0
    left_out = LeftOut(corpus.on_error)
    for source in pairs:
        for split in SPLITS:
            for row in read_pair_corpus(source, split)[: corpus.train if split == "train" else None].to_pylist():
                pair = f"{split}, pair or line {row['pair_id']}"
                if row["label"] is None:
                    raise InputError(f"{source}: {pair}: expected a label, found none")
                with left_out:
                    sides = [_known(row[f"text_{side}"], row_of, corpus.lower_case, source, pair, position)
                             for side, position in (("a", "first"), ("b", "second"))]  # fmt: skip
                    total += sum(map(len, (row["tokens_a"], row["tokens_b"])))
                    dropped += sum(
                        len(row[f"tokens_{side}"]) - len(words) for side, words in zip("ab", sides, strict=True)
                    )
                    group = row["group"] or row["pair_id"]
                    values = (split, source.name, *sides, row["label"], row["pair_id"], f"{source.name}/{group}")
                    for column, value in zip(columns.values(), values, strict=True):
                        column.append(value)
    _check_labels(columns, pairs)
    vocabulary = sorted({word for side in ("first", "second") for words in columns[side] for word in words})
    table = np.concatenate(
        [mark_vectors(matrix.shape[1], corpus.spread), matrix[[row_of[word] for word in vocabulary]]]
    )
    if not (finite := np.isfinite(table).all(1)).all():
        word = [*MARKS, *vocabulary][int(np.argmin(finite))]
        raise InputError(f"{vectors}: the vector of {shown(word)} is not finite (NaN or infinity)")
    with new_folder(folder) as partial:
        pq.write_table(pa.table(columns), partial / "pairs.parquet", compression="zstd")
        pq.write_table(pa.table({"word": [*MARKS, *vocabulary]}), partial / "words.parquet", compression="zstd")
        np.save(partial / "vectors.npy", table.astype(np.float32))
        return write_card(
            partial,
            name=Path(folder).name,
            description="Pairs of sentences with labels, and fixed vectors of their words",
            licence="; ".join(dict.fromkeys(str(card_or_files(source)["licence"]) for source in pairs)),
            sources=[{"corpus": card_or_files(source)} for source in (*pairs, vectors)],
            parameters=corpus.model_dump(exclude={"pairs", "vectors", "on_error"}) | {"vectors": str(vectors)},
            counts={split: columns["split"].count(split) for split in SPLITS}
            | {"words": len(vocabulary), "tokens": total, "unknown_tokens": dropped}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=("numpy", "pyarrow"),
        )


def read_data(folder: str | Path) -> Data:
    """Read the corpus that `write_data` wrote; InputError where there is none."""
    folder = Path(folder)
    if not (folder / "pairs.parquet").exists():
        raise InputError(f"{folder}: expected pairs.parquet, found none; run `dvc repro` for it")
    rows = pq.read_table(folder / "pairs.parquet").to_pylist()
    words = pq.read_table(folder / "words.parquet")["word"].to_pylist()
    number_of = {word: number for number, word in enumerate(words, 1)}
    vectors = np.load(folder / "vectors.npy", allow_pickle=False)
    pairs = {}
    for split in SPLITS:
        split_rows = [row for row in rows if row["split"] == split]
        both = numbered([row[side] for side in ("first", "second") for row in split_rows], number_of)
        first, second = both.split(len(split_rows))
        labels, sources, groups = ([row[column] for row in split_rows] for column in ("label", "source", "group"))
        pairs[split] = Split(first, second, labels, sources, groups)
    table = torch.from_numpy(np.concatenate([np.zeros((1, vectors.shape[1]), np.float32), vectors]))
    return Data(pairs, table, sorted(set(pairs["train"].labels)), words)


def numbered(sentences: Sequence[Sequence[str]], number_of: dict[str, int]) -> Tensor:
    """Sentences of known words as numbers between the marks [N, T], `PADDING` behind the end."""
    begin, end = (number_of[mark] for mark in MARKS)
    rows = [torch.tensor([begin, *(number_of[word] for word in sentence), end]) for sentence in sentences]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PADDING)


def lengths_of(numbers: Tensor) -> Tensor:
    """Length of each sentence with its marks: word numbers [N, T] -> [N]."""
    return (numbers != PADDING).sum(1)


def _known(
    sentence: str, row_of: dict[str, int], lower_case: bool, source: Path, pair: str, position: str
) -> list[str]:
    if not sentence.strip():
        raise WrongRecord(source, pair, f"the {position} sentence is empty")
    words = words_with_vectors(sentence, row_of, lower_case)
    if not words:
        reason = f"no word of the {position} sentence has a vector"
        raise WrongRecord(source, pair, f"{reason}: {shown(sentence)}", reason)
    return words


def _check_labels(columns: dict[str, list], pairs: Sequence[str | Path]) -> None:
    trained = {label for split, label in zip(columns["split"], columns["label"], strict=True) if split == "train"}
    corpora = {Path(corpus).name: corpus for corpus in pairs}
    for split, source, label, name in zip(
        columns["split"], columns["source"], columns["label"], columns["pair_id"], strict=True
    ):
        check_labels(corpora[source], split, [name], [label], trained)
    for corpus in pairs:
        if corpora[Path(corpus).name] != corpus:
            raise InputError(f"{corpus} and {corpora[Path(corpus).name]} have the same name; rename one of the folders")
