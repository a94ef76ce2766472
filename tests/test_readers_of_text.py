"""What every reader of text does alike: marks, encodings, line ends and compression change nothing it reads.

The readers are found by code: every module that reads text files has an entry here, or stands in WITHOUT with a reason.
"""

import ast
import bz2
import gzip
import lzma
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pytest

from repline.errors import InputError
from tests.text_readers import BY_NAME, READERS, WITHOUT, write

ROOT = Path(__file__).parent.parent
READING = {"numbered_lines", "checked_lines", "read_text", "read_bytes", "blocks", "open_unpacked"}  # of text_files
SAME: dict[str, Callable[[str], bytes]] = {  # what changes nothing
    "mark": lambda text: text.encode("utf-8-sig"),
    "utf_16": lambda text: text.encode("utf-16"),
    "cr_lf": lambda text: text.replace("\n", "\r\n").encode(),
    "lonely_cr": lambda text: text.replace("\n", "\r").encode(),
    "mark_and_cr_lf": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "no_last_end": lambda text: text.rstrip("\n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bzip2": lambda text: bz2.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "zstandard": lambda text: pa.compress(text.encode(), codec="zstd", asbytes=True),
}
SUFFIXES = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstandard": ".zst"}
CASES = [pytest.param(reader, id=name) for name, reader in BY_NAME.items()]


def test_every_module_that_reads_text_is_tried():
    found = set()
    for path in (path for path in (ROOT / "repline").rglob("*.py") if "cli" not in path.parts):  # these have tests/cli
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = {name.name for node in imports if node.module == "repline.reading.text_files" for name in node.names}
        if names & READING:
            found.add(".".join(path.relative_to(ROOT).with_suffix("").parts))
    assert found - READERS.keys() - WITHOUT.keys() == set()


@pytest.mark.parametrize("reader", CASES)
def test_marks_encodings_line_ends_and_compression_change_nothing(reader, tmp_path):
    expected = reader.read(write(tmp_path / "plain", reader.contents()))
    for change, apply in SAME.items():
        files = {name: apply(text) for name, text in reader.files.items()}
        assert reader.read(write(tmp_path / change, files)) == expected, change
        if suffix := SUFFIXES.get(change):
            assert reader.read(write(tmp_path / suffix, files, suffix)) == expected, suffix


@pytest.mark.parametrize("reader", CASES)
def test_blank_lines_change_nothing_or_are_refused(reader, tmp_path):
    expected = reader.read(write(tmp_path / "plain", reader.contents()))
    places = {"end": lambda text: f"{text}\n"}
    if not reader.by_blank_lines:
        places["middle"] = lambda text: text.replace("\n", "\n\n", 1)
    for place, change in places.items():
        for name in reader.files:
            files = {other: (change(text) if other == name else text).encode() for other, text in reader.files.items()}
            folder = write(tmp_path / f"{place} {name}", files)
            try:
                assert reader.read(folder) == expected, (place, name)
            except InputError as error:
                assert "line" in str(error), error


@pytest.mark.parametrize("reader", CASES)
def test_a_byte_outside_the_encoding_is_refused_with_its_line(reader, tmp_path):
    for name, text in reader.files.items():
        files = {other: content.encode() for other, content in reader.files.items()}
        lines = text.encode().split(b"\n")
        lines[0] = lines[0][:-1] + b"\xff" + lines[0][-1:]
        folder = write(tmp_path / name, files | {name: b"\n".join(lines)})
        with pytest.raises(InputError, match="line 1"):
            reader.read(folder)


@pytest.mark.parametrize("reader", [case for case in CASES if case.values[0].separator])
@pytest.mark.parametrize("change", ["more", "fewer"])
def test_a_row_of_more_or_fewer_fields_is_refused_or_changes_nothing(reader, change, tmp_path):
    separator = reader.separator
    expected = reader.read(write(tmp_path / "plain", reader.contents()))
    for name, text in reader.files.items():
        if separator not in text:
            continue
        rows = text.rstrip("\n").split("\n")
        last = max(number for number, row in enumerate(rows) if separator in row)
        rows[last] = f"{rows[last]}{separator}more" if change == "more" else rows[last].rpartition(separator)[0]
        files = {other: content.encode() for other, content in reader.files.items()}
        folder = write(tmp_path / name, files | {name: ("\n".join(rows) + "\n").encode()})
        try:
            assert reader.read(folder) == expected, name
        except InputError as error:
            assert "line" in str(error) or "row" in str(error), error


@pytest.mark.parametrize(
    ("name", "file", "head"),
    [
        ("corpora.captions.caption_table-0", "captions.tsv", "image\tcaption"),
        ("corpora.labelled.collections.labelled_tsv-0", "a.tsv", "category\tsentence"),
        ("corpora.parallel.aligned_texts-1", "a.tsv", "language\tdocument\tlabel\ttext"),
        ("corpora.parallel.translations-1", "a.tsv", "id\ten\tde"),
        ("corpora.parallel.translations-1", "a.tsv", "key\tsource\ttarget"),
        ("graphs.graph_files-0", "train.tsv", "head\trelation\ttail"),
        ("graphs.graph_files-0", "numbers.tsv", "subject\tpredicate\tobject"),
        ("lexicons.bilingual_dictionary-0", "a.tsv", "source\ttarget"),
        ("lexicons.definitions-0", "a.tsv", "word\tdefinition"),
    ],
)
def test_a_head_may_have_the_columns_in_any_order(name, file, head, tmp_path):
    reader = BY_NAME[name]
    expected = reader.read(write(tmp_path / "plain", reader.contents()))
    separator = reader.separator or "\t"
    rows = [line.split(separator) for line in reader.files[file].splitlines()]
    for order in permutations(range(len(rows[0]))):
        lines = [[fields[column] for column in order] for fields in (head.split("\t"), *rows)]
        text = "".join(separator.join(fields) + "\n" for fields in lines)
        folder = write(tmp_path / "".join(map(str, order)), reader.contents() | {file: text.encode()})
        assert reader.read(folder) == expected, order
