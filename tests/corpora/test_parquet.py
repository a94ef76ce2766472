import itertools

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora import parquet
from repline.corpora.parquet import PartWriter, sentence_schema

SCHEMA = sentence_schema(["head", "pos"], section=True)


def rows(start, end):
    return pa.Table.from_pylist(
        [
            {"doc_id": str(n), "sentence_id": 0, "section": "", "tokens": ["a"] * (n % 7), "pos": [], "head": [n]}
            for n in range(start, end)
        ],
        schema=SCHEMA,
    )


def written(folder, cuts):
    folder.mkdir()
    with PartWriter(folder, SCHEMA) as writer:
        for start, end in itertools.pairwise(cuts):
            writer.write(rows(start, end))
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_columns_stand_in_the_order_of_the_contract():
    assert SCHEMA.names == ["doc_id", "sentence_id", "section", "tokens", "pos", "head"]
    assert SCHEMA.field("sentence_id").type == pa.int32()


def test_how_rows_arrive_does_not_change_the_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROW_GROUP_BYTES", 20_000)
    monkeypatch.setattr(parquet, "PART_BYTES", 60_000)
    whole = written(tmp_path / "whole", [0, 3000])
    assert written(tmp_path / "pieces", [0, 1, 255, 256, 257, 1000, 1000, 2999, 3000]) == whole
    assert len(whole) > 1
    read = pq.read_table([tmp_path / "whole" / name for name in whole])
    assert read.to_pylist() == rows(0, 3000).to_pylist()
    assert pq.ParquetFile(tmp_path / "whole/part-00000.parquet").num_row_groups > 1
    assert pq.ParquetFile(tmp_path / "whole/part-00000.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_no_rows_are_one_empty_part(tmp_path):
    assert list(written(tmp_path / "empty", [0])) == ["part-00000.parquet"]
    assert pq.read_schema(tmp_path / "empty/part-00000.parquet").equals(SCHEMA)


def test_an_error_passes_through(tmp_path):
    with pytest.raises(RuntimeError), PartWriter(tmp_path, SCHEMA) as writer:
        writer.write(rows(0, 10))
        raise RuntimeError
