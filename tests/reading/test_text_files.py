"""Tests of the opener of text files: what a file is called, in and packed as does not change its lines."""

import bz2
import gzip
import lzma
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.reading.file_names import files_by_name, files_with, present, unpacked_name
from repline.reading.text_files import blocks, checked_lines, numbered_lines, read_text

TEXT = "Grüße\t1\n\n诗人 贾岛\nline\u2028separator\x0bno end\x85here\nlast\n"
LINES = ["Grüße\t1", "", "诗人 贾岛", "line\u2028separator\x0bno end\x85here", "last"]
PACKED = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".BZ2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda content: pa.compress(content, codec="zstd", asbytes=True),
}


def lines_of(path: Path, encoding: str = "utf-8") -> list[str]:
    numbers, lines = zip(*numbered_lines(path, encoding), strict=True)
    assert list(numbers) == list(range(1, len(lines) + 1))
    return list(lines)


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("closed", [True, False])
def test_encoding_line_end_and_compression_change_no_line(tmp_path, suffix, encoding, end, closed):
    path = tmp_path / f"a.txt{suffix}"
    text = TEXT if closed else TEXT.removesuffix("\n")
    path.write_bytes(PACKED[suffix](text.replace("\n", end).encode(encoding)))
    assert lines_of(path) == LINES
    assert read_text(path) == TEXT


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_at_the_border_of_a_block_are_one(tmp_path, encoding, end):
    lines = ["x" * (length % 71) for length in range(5000)]
    for shift in range(4):
        (tmp_path / "a.txt").write_bytes((end.join(["y" * shift, *lines]) + end).encode(encoding))
        assert lines_of(tmp_path / "a.txt") == ["y" * shift, *lines]


def test_a_compression_is_known_by_its_content(tmp_path):
    (tmp_path / "a.txt").write_bytes(gzip.compress(TEXT.encode()))
    assert lines_of(tmp_path / "a.txt") == LINES
    (tmp_path / "BZh.txt").write_text("BZh is no compression\n", encoding="utf-8")
    assert lines_of(tmp_path / "BZh.txt") == ["BZh is no compression"]
    assert b"".join(blocks(tmp_path / "a.txt", 7)) == TEXT.encode()


def test_an_empty_file_has_no_lines(tmp_path):
    for name, content in (("a.txt", b""), ("b.txt", b"\xef\xbb\xbf"), ("c.gz", gzip.compress(b""))):
        (tmp_path / name).write_bytes(content)
        assert list(numbered_lines(tmp_path / name)) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\ncaf\xe9 b\n", r"a\.txt, line 2: expected UTF-8 text, found the byte 0xe9 as byte 4 .*encoding: latin-1"),
        (b"a\nb\0\n", r"a\.txt, line 2: .*NUL character .0x00.; a file in UTF-16 without"),
        ("a\n".encode("utf-16") + b"\x00", r"a\.txt, line \d: expected UTF-16-LE text"),
    ],
)
def test_other_encodings_are_refused_with_line_and_byte(tmp_path, content, message):
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(numbered_lines(tmp_path / "a.txt"))


def test_the_caller_says_the_encoding_where_no_mark_does(tmp_path):
    (tmp_path / "a.txt").write_bytes("Grüße\n".encode("latin-1"))
    assert lines_of(tmp_path / "a.txt", "latin-1") == ["Grüße"]
    (tmp_path / "b.txt").write_bytes("Grüße\r\n".encode("utf-16-le"))
    assert lines_of(tmp_path / "b.txt", "utf-16-le") == ["Grüße"]
    (tmp_path / "c.txt").write_bytes("Grüße\n".encode("utf-8-sig"))
    assert lines_of(tmp_path / "c.txt", "latin-1") == ["Grüße"]
    with pytest.raises(InputError, match="there is no encoding 'latin-99'"):
        lines_of(tmp_path / "a.txt", "latin-99")


def test_lines_outside_the_encoding_can_be_left_out(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"a\ncaf\xe9\nb\n")
    refused: list[InputError] = []
    assert list(checked_lines(tmp_path / "a.txt", refuse=refused.append)) == [(1, "a"), (3, "b")]
    assert "line 2" in str(refused[0])


@pytest.mark.parametrize("suffix", [".gz", ".BZ2", ".xz", ".zst"])
def test_damaged_compressions_are_refused(tmp_path, suffix):
    whole = PACKED[suffix]("".join(f"line {number * 7919}\n" for number in range(99_999)).encode())
    for content in (whole[: len(whole) // 2], b"no compression"):
        (tmp_path / f"a.txt{suffix}").write_bytes(content)
        with pytest.raises(InputError, match=r"the compression is damaged after line \d+"):
            list(numbered_lines(tmp_path / f"a.txt{suffix}"))


def test_files_that_cannot_be_opened_are_refused(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        list(numbered_lines(tmp_path / "absent"))
    with pytest.raises(InputError, match="found a folder"):
        list(numbered_lines(tmp_path))


def test_a_workbook_is_named_as_one(tmp_path):
    """The sheets of Excel and LibreOffice are zip archives; no encoding would help."""
    path = tmp_path / "pairs.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", "<worksheet/>")
    with pytest.raises(InputError, match=r"pairs\.xlsx: this is a zip archive or a workbook.*save the sheet as text"):
        list(numbered_lines(path))


def test_names_are_compared_without_compression_and_case_of_suffix(tmp_path):
    assert unpacked_name("a/News.EN.TXT.GZ") == "News.EN.txt"
    assert unpacked_name("entity2id") == "entity2id"
    assert unpacked_name(".hidden") == ".hidden"
    (tmp_path / "train.TSV.zst").touch()
    assert present(tmp_path / "train.tsv") == tmp_path / "train.TSV.zst"
    assert present(tmp_path / "test.tsv") == tmp_path / "test.tsv"
    assert files_by_name(tmp_path) == {"train.tsv": tmp_path / "train.TSV.zst"}
    (tmp_path / "train.tsv").touch()
    assert present(tmp_path / "train.tsv") == tmp_path / "train.tsv"
    with pytest.raises(InputError, match="same file twice"):
        files_by_name(tmp_path)


def test_files_of_a_kind_are_none_twice(tmp_path):
    for name in ("b.txt", "a.TXT.gz", "notes.md", "notes.md.gz", "c.tsv"):
        (tmp_path / name).touch()
    (tmp_path / "folder.txt").mkdir()
    assert [path.name for path in files_with(tmp_path, ".txt", ".tsv")] == ["a.TXT.gz", "b.txt", "c.tsv"]
    assert files_with(tmp_path / "notes.md", ".txt") == [tmp_path / "notes.md"]
    (tmp_path / "a.txt").touch()
    with pytest.raises(InputError, match=r"a\.TXT\.gz and a\.txt are the same file twice; keep one of them"):
        files_with(tmp_path, ".txt")
