"""Turn batches of sentences into streams of word numbers on disk, with one batch and the types in memory."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import DTypeLike, NDArray

from repline.corpora.language_modeling.text_sources import BATCH, SPLITS, Sentences, split_column, token_counts
from repline.errors import InputError

UNKNOWN_ID, END_ID = 0, 1
_NUMBER = r"^[+\-−]?[.,]?\p{Nd}+(?:[.,:/\-–]\p{Nd}+)*$"
_MARK = r"^[^\p{L}\p{N}\p{Sc}<>%&#]+$"
_COPIED = 1 << 20  # numbers at once when streams get their final ids


@dataclass(frozen=True)
class Spelling:
    """How tokens become words. By default they are words already."""

    lowercase: bool = False
    numbers: bool = False
    drop_punctuation: bool = False

    def words(self, tokens: pa.Array) -> pa.Array:
        """The word of each token."""
        words = pc.utf8_lower(tokens) if self.lowercase else tokens
        return pc.if_else(pc.match_substring_regex(words, _NUMBER), "N", words) if self.numbers else words

    def kept(self, tokens: pa.Array, pos: pa.Array | None) -> NDArray[np.bool_]:
        """Which tokens are not dropped."""
        if not self.drop_punctuation:
            return np.ones(len(tokens), bool)
        mark = pc.equal(pos, "PUNCT") if pos is not None else pc.match_substring_regex(tokens, _MARK)
        return ~pc.fill_null(mark, False).to_numpy(zero_copy_only=False)


def column_of_words(spelling: Spelling, tokens: Sequence[str]) -> tuple[list[str], NDArray[np.bool_]]:
    """The words of one sentence without those that are dropped, and which of its tokens are kept."""
    column = pa.array(tokens, pa.string())
    is_kept = spelling.kept(column, None)
    return spelling.words(column.filter(pa.array(is_kept))).to_pylist(), is_kept


def document_splits(
    sentences: Sentences, shares: Mapping[str, float], seed: int
) -> Callable[[pa.RecordBatch], list[str]]:
    """Decide which documents go where: whole ones, in the order of a seeded hash, until each share is reached.

    Args:
        sentences: read once here, only for the sizes of documents that have no split.
        shares: of the tokens, by split; what is left is train.

    Returns:
        a function from a batch to the split of each of its rows.
    """
    sizes: dict[str, int] = {}
    for split, batch in sentences.batches():
        if split is None and "split" not in batch.schema.names:
            for document, tokens in zip(batch["doc_id"].to_pylist(), token_counts(batch), strict=True):
                sizes[document] = sizes.get(document, 0) + tokens
    ordered = sorted(sizes, key=lambda document: _rank(seed, document))
    split_by_document: dict[str, str] = {}
    total, before, limit = sum(sizes.values()), 0, 0.0
    remaining = iter(ordered)
    for split, share in shares.items():
        limit += share * total
        while before < limit and (document := next(remaining, None)) is not None:
            split_by_document[document] = split
            before += sizes[document]

    def split_of(batch: pa.RecordBatch) -> list[str]:
        splits_given = split_column(batch)
        return splits_given or [split_by_document.get(document, "train") for document in batch["doc_id"].to_pylist()]

    return split_of


class Streams:
    """The three splits of a corpus, written as the batches come; types are numbered as they come, sorted at the end.

    Args:
        folder: an existing one, for `<split>/{ids,sentences,position}.npy` and `<split>/rows.parquet`.
        schema: of the batches.
        spelling: of the words.
        longest: sentences with more words are left out, or are an error.
        train_tokens: at most this many numbers in train.
    """

    def __init__(
        self, folder: Path, schema: pa.Schema, spelling: Spelling, longest: int, train_tokens: int | None
    ) -> None:
        self.folder, self.spelling, self.longest, self.train_tokens = folder, spelling, longest, train_tokens
        self.types: dict[str, int] = {"<unk>": UNKNOWN_ID, "<eos>": UNKNOWN_ID}  # a written <eos> ends no sentence
        self.names = ["<unk>", "<eos>"]
        self.dropped = self.empty = 0
        self.full = False
        self.parts = {split: _Part(folder / split, schema) for split in SPLITS}
        self.counts = np.zeros(2, np.int64)

    def add(self, batch: pa.RecordBatch, split: str | list[str], *, limited: bool) -> None:
        """Append the words of a batch of sentences to the stream.

        Args:
            split: of all its rows, or of each.
            limited: leave out sentences with too many words.

        Raises:
            InputError: a sentence with too many words, unless such are left out.
        """
        if isinstance(split, str):
            self._append(split, batch, limited)
            return
        column = np.array(split)
        for name in SPLITS:
            rows = column == name
            if rows.any():
                self._append(name, batch if rows.all() else batch.filter(pa.array(rows)), limited)

    def close(self) -> dict[str, int]:
        """Finish all but the ids, and count."""
        counts = {"dropped_long_sentences": self.dropped, "dropped_empty_sentences": self.empty}
        for split, part in self.parts.items():
            part.close()
            counts[f"{split}_sentences"] = part.rows
            counts[f"{split}_tokens"] = part.ids.length
        return counts

    def vocabulary(self) -> tuple[pa.Array, pa.Array]:
        """Number the types of train by falling count (ties by the string), and rewrite the streams so.

        Returns:
            the words, and how often each occurs in train.
        """
        counts = np.zeros(len(self.names), np.int64)
        counts[: len(self.counts)] = self.counts
        seen = [number for number in range(2, len(self.names)) if counts[number]]
        seen.sort(key=lambda number: (-counts[number], self.names[number]))
        order = np.array([UNKNOWN_ID, END_ID, *seen])
        final = np.full(len(self.names), UNKNOWN_ID, np.int32)  # what train lacks is unknown
        final[order] = np.arange(len(order), dtype=np.int32)
        for split in SPLITS:
            ids = np.load(self.folder / split / "ids.npy", mmap_mode="r+")
            for start in range(0, len(ids), _COPIED):
                ids[start : start + _COPIED] = final[ids[start : start + _COPIED]]
            ids.flush()
        return pa.array([self.names[number] for number in order]), pa.array(counts[order])

    def _append(self, split: str, batch: pa.RecordBatch, limited: bool) -> None:
        if split == "train" and self.full:
            return
        lists = batch["tokens"]
        tokens = lists.flatten()
        pos = batch["pos"].flatten() if "pos" in batch.schema.names else None
        raw = np.array(token_counts(batch), np.int64)  # [S] tokens of each row
        if tokens.null_count or lists.null_count:
            raise InputError("a sentence of the source has a token without text; make the source again")
        is_kept = self.spelling.kept(tokens, pos if pos is not None and len(pos) == len(tokens) else None)
        row = np.repeat(np.arange(len(raw)), raw)  # [tokens] which row a token is of
        token_in_row = np.arange(len(tokens)) - np.repeat(np.cumsum(raw) - raw, raw)  # [tokens] which token of its row
        lengths = np.bincount(row[is_kept], minlength=len(raw))  # [S] words
        good = (lengths > 0) & (lengths <= self.longest)
        if not limited and (lengths > self.longest).any():
            first = int(np.argmax(lengths > self.longest))
            where = f"document {batch['doc_id'][first]}, sentence {batch['sentence_id'][first]}"
            raise InputError(
                f"{where}: the sentence has {lengths[first]:,} words and the limit is {self.longest:,}; "
                "set language_modeling.maximum_tokens to leave such sentences out"
            )
        if split == "train" and self.train_tokens is not None:
            room = self.train_tokens - self.parts[split].ids.length
            over = np.cumsum(np.where(good, lengths + 1, 0)) > room
            if over.any():
                self.full = True
                good[int(np.argmax(over)) :] = False
                lengths[int(np.argmax(over)) :] = -1  # not looked at
        self.empty += int((lengths == 0).sum())
        self.dropped += int((lengths > self.longest).sum())
        is_kept &= good[row]
        lengths = lengths[good]
        ends = np.cumsum(lengths + 1)  # [S] where each sentence ends in the stream of this batch
        ids = np.full(int(ends[-1]) if len(ends) else 0, END_ID, np.int32)
        position = np.full(len(ids), -1, np.int16)
        words = np.ones(len(ids), bool)
        words[ends - 1] = False
        ids[words] = self._numbers(self.spelling.words(tokens.filter(pa.array(is_kept))))
        position[words] = token_in_row[is_kept]
        if split == "train":
            counts = np.bincount(ids, minlength=len(self.names))
            counts[: len(self.counts)] += self.counts
            self.counts = counts
        self.parts[split].append(ids, position, ends, batch.filter(pa.array(good)))

    def _numbers(self, words: pa.Array) -> NDArray[np.int32]:
        """The number of each word, new words getting the next ones."""
        encoded = words.dictionary_encode()
        numbers = np.empty(len(encoded.dictionary), np.int32)
        for index, word in enumerate(encoded.dictionary.to_pylist()):
            number = self.types.setdefault(word, len(self.names))
            if number == len(self.names):
                self.names.append(word)
            numbers[index] = number
        return numbers[encoded.indices.to_numpy()]


class _Part:
    """The files of one split."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        folder.mkdir()
        self.ids = _GrowingArray(folder / "ids.npy", np.int32)
        self.position = _GrowingArray(folder / "position.npy", np.int16)
        self.sentences = _GrowingArray(folder / "sentences.npy", np.int64)
        self.sentences.append(np.zeros(1, np.int64))
        self.writer = pq.ParquetWriter(folder / "rows.parquet", schema, compression="zstd")
        self.rows = 0
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_rows = 0

    def append(self, ids: NDArray, position: NDArray, ends: NDArray, rows: pa.RecordBatch) -> None:
        self.sentences.append(self.ids.length + ends)
        self.ids.append(ids)
        self.position.append(position)
        self.rows += len(rows)
        self._waiting.append(rows)
        self._waiting_rows += len(rows)
        if self._waiting_rows >= BATCH:
            self._write()

    def close(self) -> None:
        self._write()
        self.writer.close()
        for array in (self.ids, self.position, self.sentences):
            array.close()

    def _write(self) -> None:
        if self._waiting:
            self.writer.write_table(pa.Table.from_batches(self._waiting).combine_chunks())
        self._waiting, self._waiting_rows = [], 0


class _GrowingArray:
    """A one-dimensional .npy file that is appended to; the header has room for the length that it gets in the end."""

    def __init__(self, path: Path, dtype: DTypeLike) -> None:
        self.file = open(path, "wb")  # noqa: SIM115  (open from batch to batch)
        self.dtype, self.length = np.dtype(dtype), 0
        self._header()

    def append(self, values: NDArray) -> None:
        self.file.write(np.ascontiguousarray(values, self.dtype).tobytes())
        self.length += len(values)

    def close(self) -> None:
        self.file.seek(0)
        self._header()
        self.file.close()

    def _header(self) -> None:
        np.lib.format.write_array_header_1_0(
            self.file,
            {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (self.length,)},
        )


def _rank(seed: int, document: str) -> str:
    return hashlib.md5(f"{seed}:{document}".encode(), usedforsecurity=False).hexdigest()
