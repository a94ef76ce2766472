"""Readers: every file format comes back as it was written."""

import bz2
import gzip
import lzma
from pathlib import Path

import gensim
import numpy as np
import pyarrow as pa
import pytest
from gensim.models.fasttext import load_facebook_vectors

from repline.errors import InputError
from repline.vectors.formats import binary_format, text_format, wink_format
from repline.vectors.formats.readers import detect, read
from tests.vectors.formats.small_vectors import BINARY, HEADER, LINES, MATRIX, TEXT, WINK, WORDS, fasttext


def zstandard(content: bytes) -> bytes:
    return pa.compress(content, codec="zstd", asbytes=True)


GENSIM = Path(gensim.__file__).parent / "test" / "test_data"


@pytest.mark.parametrize("block", [1, 40, 1 << 20])
@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("glove.txt", TEXT, "text"),
        ("word2vec.txt", HEADER + TEXT, "text"),
        ("fasttext.vec", HEADER + TEXT.replace(b"\n", b" \n"), "text"),
        ("marked.txt", b"\xef\xbb\xbf" + HEADER + TEXT.replace(b"\n", b"\r\n"), "text"),
        ("utf16.txt", (HEADER + TEXT).decode().replace("\n", "\r\n").encode("utf-16"), "text"),
        ("utf32.txt", TEXT.decode().encode("utf-32"), "text"),
        ("lonely_cr.txt", (HEADER + TEXT).replace(b"\n", b"\r"), "text"),
        ("without_end.txt", TEXT[:-1], "text"),
        ("tabs.txt", TEXT.replace(b" ", b"\t"), "text"),
        ("word2vec.bin", BINARY, "word2vec-binary"),
        ("with_lines.bin", LINES, "word2vec-binary"),
        ("named_wrongly.txt", LINES, "word2vec-binary"),
        ("model.bin", fasttext(), "fasttext-binary"),
        ("wink.json", WINK, "wink"),
    ],
)
def test_every_file_format(tmp_path, monkeypatch, block, name, content, format):
    for module in (text_format, binary_format, wink_format):
        monkeypatch.setattr(module, "BLOCK_BYTES", block)
    (tmp_path / name).write_bytes(content)
    assert detect(tmp_path / name) == format
    for limit in (None, 4):
        words, matrix = read(tmp_path / name, limit=limit)
        assert words == WORDS[:limit]
        np.testing.assert_allclose(matrix, MATRIX[:limit], rtol=2e-7)
        assert matrix.dtype == np.float32


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard])
@pytest.mark.parametrize("content", [TEXT, BINARY, WINK])
def test_packed_files(tmp_path, pack, content):
    path = tmp_path / "vectors.packed"
    path.write_bytes(pack(content))
    words, matrix = read(path)
    assert words == WORDS
    np.testing.assert_allclose(matrix, MATRIX, rtol=2e-7)
    path.write_bytes(pack(content)[:-20])
    with pytest.raises(InputError, match="the packed file is truncated or damaged"):
        read(path)


def test_text_keeps_every_bit(tmp_path):
    (tmp_path / "v.txt").write_bytes(TEXT)
    assert np.array_equal(read(tmp_path / "v.txt")[1], MATRIX)


def test_words_with_spaces_as_glove_840b_has_them(tmp_path):
    (tmp_path / "v.txt").write_bytes(b"cat 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\na\xc2\xa0b 1 1 1\n")
    words, matrix = read(tmp_path / "v.txt")
    assert words == ["cat", ". . .", "at name@domain.com", "a\xa0b"]
    assert matrix[:3].tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b". . . 0.1 0.2\n...\xe2\x80\x89king 0.3 0.4\n1 1/2 0.5 0.6\n", [". . .", "...\u2009king", "1 1/2"]),
        (b"at 2 0.1 0.2\nking 0.3 0.4\nqueen 0.5 0.6\n", ["at 2", "king", "queen"]),
        (b"at 2 0.1 0.2\nking 0.3 0.4\n", ["at 2", "king"]),
        (b"3 2\nking 0.3 0.4\nat 2 0.1 0.2\nNew York 12 0.5 0.6\n", ["king", "at 2", "New York 12"]),
        (b"2 2\nM\xc3\xbcnchen 1860 0.1 0.2\nto infinity 0.3 0.4\n", ["München 1860", "to infinity"]),
        (b"2 2\na \xc3\xa9\xc3\xa9 0.1 0.2\nb 0.3 0.4\n", ["a éé", "b"]),
        (b"2020 0.1 0.2\n1e5 0.3 0.4\n3 4 0.5 0.6\n", ["2020", "1e5", "3 4"]),
        (b"New\tYork\t0.1\t0.2\nking\t0.3\t0.4\n", ["New\tYork", "king"]),
    ],
)
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_words_with_blanks_and_numbers_wherever_they_are(tmp_path, monkeypatch, content, words, block):
    monkeypatch.setattr(text_format, "BLOCK_BYTES", block)
    (tmp_path / "v.txt").write_bytes(content)
    read_words, matrix = read(tmp_path / "v.txt")
    assert read_words == words
    assert sorted(matrix[:2, 0].tolist()) == pytest.approx([0.1, 0.3])


@pytest.mark.parametrize("content", [TEXT, b"7 3\n" + TEXT])
@pytest.mark.parametrize("end", [b"\n", b"\r\n \n", b"\x1a"])
def test_blank_lines_at_the_end_are_no_words(tmp_path, content, end):
    (tmp_path / "v.txt").write_bytes(content + end)
    words, matrix = read(tmp_path / "v.txt")
    assert words == WORDS
    assert np.array_equal(matrix, MATRIX)


@pytest.mark.parametrize("content", [TEXT + b"the 9 9 9\n", BINARY.replace(b"7 3", b"8 3") + b"the " + bytes(12)])
def test_the_first_of_two_vectors_can_be_kept(tmp_path, content):
    (tmp_path / "v").write_bytes(content)
    words, matrix = read(tmp_path / "v", duplicates="first")
    assert words == WORDS
    assert np.array_equal(matrix, MATRIX)


@pytest.mark.parametrize(
    ("name", "count"),
    [("test_glove.txt", 76), ("euclidean_vectors.bin", 2747), ("lee_fasttext.vec", 1762), ("word2vec_pre_kv_c", 1750)],
)
def test_real_files(name, count):
    words, matrix = read(GENSIM / name)
    assert (len(words), len(matrix)) == (count, count)


def test_a_real_fasttext_model_is_gensims():
    theirs = load_facebook_vectors(str(GENSIM / "crime-and-punishment.bin"))
    words, matrix = read(GENSIM / "crime-and-punishment.bin")
    assert words == theirs.index_to_key
    assert np.array_equal(matrix, theirs.vectors)
    printed, values = read(GENSIM / "crime-and-punishment.vec")  # by fastText itself, with five digits
    assert printed == words
    is_word = np.array(words) != "</s>"  # fastText gives it no n-grams, gensim does
    assert is_word.sum() == len(words) - 1
    np.testing.assert_allclose(matrix[is_word], values[is_word], atol=1e-4)
