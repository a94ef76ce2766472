"""The words of any Parquet corpus as a stream: counted, as sentences for gensim, as numbers for counting models."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import Card, read_card
from repline.errors import InputError, count_remedy, in_one_line, readable, shown
from repline.files import as_written

ROWS = 4096  # sentences in memory at a time


@dataclass(frozen=True)
class Tokens:
    """The words of one column of a corpus.

    Attributes:
        corpus: a folder with `part-*.parquet`, or one Parquet file.
        column: lists of words, `tokens` or `lemma`.
        lower: whether words that differ only in their case are the same.
        keep: a regular expression (RE2) that a word has to match somewhere to be kept, "\\p{L}" for those with a
            letter; None keeps all.
    """

    corpus: str | Path
    column: str = "tokens"
    lower: bool = True
    keep: str | None = None

    def files(self) -> list[Path]:
        """The Parquet files of the corpus in their order; InputError if there are none."""
        path = Path(self.corpus)
        files = [path] if path.is_file() else sorted(path.glob("part-*.parquet"))
        if not files:
            raise InputError(
                f"{path}: expected a Parquet file, or a folder with part-*.parquet; run `dvc repro` for it"
            )
        return files

    def card(self) -> Card | None:
        """The card of the corpus, None for a file that has none."""
        return read_card(self.corpus) if (Path(self.corpus) / "card.json").exists() else None

    def batches(self, *columns: str) -> Iterator[pa.RecordBatch]:
        """The rows of all files, `column` and some others, some thousand at a time; InputError if a file is damaged."""
        for path in self.files():
            try:
                file = pq.ParquetFile(path)
                self._check(file.schema_arrow, path, columns)
                yield from file.iter_batches(ROWS, columns=[self.column, *columns])
            except (OSError, pa.ArrowException) as error:
                reason = in_one_line(error)
                raise InputError(
                    f"{path}: this is no readable Parquet file ({reason}); make the corpus again"
                ) from None

    def vocabulary(self, *, minimum_count: int = 1, maximum_words: int | None = None) -> tuple[list[str], np.ndarray]:
        """The words that occur at least `minimum_count` times, most frequent first, ties in the order of code points.

        Args:
            minimum_count: at least 1.
            maximum_words: how many to keep at most; None for all.

        Returns:
            V words and their counts, int64 [V].

        Raises:
            InputError: no word is frequent enough, or the corpus cannot be read.
        """
        for _ in self.batches():  # a damaged file raises our InputError here, before DuckDB's own error
            break
        try:
            counted = self._counted()
        except duckdb.Error as error:  # of a later file
            raise InputError(f"{self.corpus}: the corpus cannot be read ({in_one_line(error)})") from None
        words = self.normalise(counted.column("word").combine_chunks())
        counted = pa.table({"word": words, "count": counted.column("count").combine_chunks()}).group_by("word")
        counted = counted.aggregate([("count", "sum")]).filter(pc.field("count_sum") >= minimum_count)
        if self.keep is not None:
            counted = counted.filter(pc.match_substring_regex(counted.column("word"), self.keep))
        counted = counted.sort_by([("count_sum", "descending"), ("word", "ascending")]).slice(0, maximum_words)
        if not len(counted):
            raise InputError(
                f"{self.corpus}: no word of {shown(self.column)} occurs {minimum_count} times; "
                f"{count_remedy(minimum_count, 'a larger corpus')}"
            )
        return counted.column("word").to_pylist(), counted.column("count_sum").to_numpy()

    def _counted(self) -> pa.Table:
        """`word` and `count`, as the corpus spells the words."""
        with duckdb.connect() as database:
            database.execute("set threads = 1")
            database.execute("set preserve_insertion_order = false")
            return database.sql(
                f"select word, count(*)::bigint as count from (select unnest({_quoted(self.column)}) as word "
                "from read_parquet($files)) where word <> '' group by word",
                params={"files": as_written(self.files())},
            ).to_arrow_table()

    def normalise(self, words: pa.Array) -> pa.Array:
        """The words in lower case if `lower` is set, else unchanged."""
        words = words.cast(pa.string())
        return pc.utf8_lower(words) if self.lower else words

    def sentences(self, longest: int = 10_000) -> Iterator[list[str]]:
        """Each row as a list of words; a row of more than `longest` words, gensim's limit, comes in pieces."""
        for batch in self.batches():
            words, lengths = self._flat(batch)
            texts, start = words.to_pylist(), 0
            for length in lengths:
                for piece_start in range(start, start + max(length, 1), longest):
                    yield texts[piece_start : min(piece_start + longest, start + length)]
                start += length

    def numbered(self, words: list[str], *columns: str) -> Iterator[tuple[np.ndarray, np.ndarray, pa.RecordBatch]]:
        """Each batch of rows as word numbers.

        Args:
            words: the vocabulary; a word's number is its index in it.
            columns: further columns to read.

        Yields:
            int32 [n] numbers of the words of some rows, one row after another, -1 for other words; int64 [rows] how
            many each row has; and the batch itself.
        """
        vocabulary = pa.array(words, pa.string())
        for batch in self.batches(*columns):
            flat, lengths = self._flat(batch)
            ids = pc.fill_null(pc.index_in(flat, value_set=vocabulary), -1)
            yield ids.to_numpy(zero_copy_only=False).astype(np.int32, copy=False), lengths, batch

    def _flat(self, batch: pa.RecordBatch) -> tuple[pa.Array, np.ndarray]:
        lists = batch.column(self.column)
        lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        return self.normalise(pc.fill_null(lists.flatten(), "")), lengths

    def _check(self, schema: pa.Schema, path: Path, columns: tuple[str, ...]) -> None:
        for name in (self.column, *columns):
            if name not in schema.names:
                raise InputError(
                    f"{path}: there is no column {shown(name)}; there are {readable(', '.join(schema.names))}"
                )
        kind = schema.field(self.column).type
        if not pa.types.is_list(kind) or not pa.types.is_string(kind.value_type):
            raise InputError(f"{path}: the column {shown(self.column)} should hold lists of words, found {kind}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
