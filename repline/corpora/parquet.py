"""Corpora on disk: folders of Parquet parts whose bytes depend on the rows alone."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP_BYTES = 64 << 20
PART_BYTES = 1 << 30
BLOCK_ROWS = 256
ANNOTATIONS = {
    "lemma": pa.string(),
    "morphs": pa.string(),  # of each token, joined by hyphens
    "reading": pa.string(),
    "pos": pa.string(),
    "tag": pa.string(),
    "head": pa.int32(),
    "dep": pa.string(),
    "chunk": pa.string(),
    "entity": pa.string(),
}


def sentence_schema(annotations: Sequence[str] = (), section: bool = False) -> pa.Schema:
    """The schema of a corpus of sentences, one row each.

    Args:
        annotations: which of `lemma, morphs, reading, pos, tag, head, dep, chunk, entity` the corpus has, as lists
            parallel to `tokens`.
        section: whether there is a column with the path of the section.

    Returns:
        `doc_id, sentence_id, [section], tokens, *annotations` in this order.
    """
    fields = [("doc_id", pa.string()), ("sentence_id", pa.int32())]
    fields += [("section", pa.string())] if section else []
    fields += [("tokens", pa.list_(pa.string()))]
    fields += [(name, pa.list_(kind)) for name, kind in ANNOTATIONS.items() if name in annotations]
    return pa.schema(fields)


class PartWriter:
    """Writes `part-00000.parquet`, ... with zstd and row groups of about 64 MB.

    How the rows are cut into calls of `write` does not change the bytes. At most one row group is in memory.

    Args:
        folder: an existing folder, usually one of `repline.files.new_folder`.
        schema: of every table written.
        name: what the files are called before their number.
        repetitive: whether values recur (words do, paragraphs do not), so that dictionaries of them pay.
    """

    def __init__(self, folder: str | Path, schema: pa.Schema, name: str = "part", repetitive: bool = True) -> None:
        self.folder, self.schema, self.name, self.repetitive = Path(folder), schema, name, repetitive
        self.rows = 0
        self._loose: list[pa.Table] = []  # rows of an unfinished block
        self._loose_rows = 0
        self._blocks: list[pa.Table] = []  # blocks of an unfinished row group
        self._block_bytes = 0
        self._part_bytes = 0
        self._parts = 0
        self._closed = False
        self._writer: pq.ParquetWriter | None = None

    def write(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Append rows of the writer's schema."""
        table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
        self.rows += len(table)
        self._loose.append(table)
        self._loose_rows += len(table)
        if self._loose_rows < BLOCK_ROWS:
            return
        table = pa.concat_tables(self._loose)
        whole = len(table) - len(table) % BLOCK_ROWS
        for start in range(0, whole, BLOCK_ROWS):
            self._block(table.slice(start, BLOCK_ROWS))
        self._loose, self._loose_rows = [table.slice(whole)], len(table) - whole

    def close(self) -> None:
        """Write what is left; an empty corpus is one part without rows. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._loose_rows:
            self._block(pa.concat_tables(self._loose))
        if self._blocks or not self._parts:
            self._row_group()
        self._end_part()

    def _block(self, block: pa.Table) -> None:
        block = block.combine_chunks()  # one chunk a block, whatever batches it came in, and nothing else kept alive
        self._blocks.append(block)
        self._block_bytes += block.nbytes
        if self._block_bytes >= ROW_GROUP_BYTES:
            self._row_group()

    def _row_group(self) -> None:
        if self._writer is None:
            path = self.folder / f"{self.name}-{self._parts:05d}.parquet"
            self._writer = pq.ParquetWriter(path, self.schema, compression="zstd", use_dictionary=self.repetitive)
            self._parts += 1
        table = pa.concat_tables(self._blocks) if self._blocks else self.schema.empty_table()
        self._writer.write_table(table, row_group_size=max(len(table), 1))
        self._part_bytes += self._block_bytes
        self._blocks, self._block_bytes = [], 0
        if self._part_bytes >= PART_BYTES:
            self._end_part()

    def _end_part(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._part_bytes = None, 0

    def __enter__(self) -> "PartWriter":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self._end_part()
