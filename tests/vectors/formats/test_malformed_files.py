"""Readers: every mistake in a file is told with its place and its word."""

import gzip
import pickle
import struct

import numpy as np
import pytest

from repline.errors import InputError
from repline.reading.wrong_records import LeftOut
from repline.vectors.conversion import convert
from repline.vectors.formats import text_format
from repline.vectors.formats.readers import read
from tests.vectors.formats.small_vectors import BINARY, MATRIX, TEXT, WINK, WORDS, fasttext


def malformed():
    yield "no.txt", b"", "the file is empty"
    yield "blank.txt", b"\ncat 1 2 3\n", "line 1: the line is empty"
    yield "short.txt", b"cat 1 2 3\ndog 1 2\n", "line 2: word 'dog' has 2 values, expected 3"
    yield "long.txt", b"cat 1 2 3\ndog 1 2 3 4\n", "line 2: word 'dog' has 4 values, expected 3"
    yield "header.txt", b"2 3\ncat 1 2 3 4\ndog 1 2 3 4\n", "line 2: word 'cat' has 4 values, expected 3"
    yield "middle.txt", b"cat 1 2 3\n\ndog 1 2 3\n", "line 2: expected a word, found none"
    yield "letters.txt", b"cat 1 2 3\ndog 1 x2 3\n", "line 2: value 2 of 'dog' is 'x2', expected a number"
    yield "nan.txt", b"cat 1 2 3\ndog 1 2 nan\n", "line 2: value 3 of 'dog' is nan, expected a finite float32"
    yield "inf.txt", b"cat -inf 2 3\n", "line 1: value 1 of 'cat' is -inf, expected a finite float32"
    yield "large.txt", b"cat 1 2 3\ndog 1 1e39 3\n", "line 2: value 2 of 'dog' is inf, expected a finite float32"
    twice = "line 3: word 'cat' is there twice, first as word 1; remove one of the two, or keep the first: `repline "
    yield "twice.txt", b"cat 1 2 3\ndog 1 2 3\ncat 4 5 6\n", twice
    yield "latin.txt", b"cat 1 2 3\nna\xefve 1 2 3\n", r"line 2: word 'na\xefve' is not UTF-8"
    yield "many.txt", b"1 3\ncat 1 2 3\ndog 1 2 3\n", "line 3: the first line promises 1 words, but there are more"
    yield (
        "few.txt",
        b"3 3\ncat 1 2 3\ndog 1 2 3\n",
        "line 4: the first line promises 3 words, but the file ends after 2",
    )
    yield "first.txt", b"cat 0.1\ndog 0.1 0.2\nthe 0.3 0.4\n", "line 1: word 'cat' has 1 values, expected 2"
    yield "names.txt", b"word x y\ndog 0.1 0.2\nthe 0.3 0.4\n", "line 1: value 1 of 'word' is 'x', expected a number"
    yield "promise.txt", b"2 3\ncat 0.1 0.2\ndog 0.1 0.2\n", "line 1: the first line promises 3 values a word, but"
    yield "decimal.txt", b"2 2\ncat 0.1 0.2 0.3\ndog 0.1 0.2\n", "line 2: word 'cat' has 3 values, expected 2"
    yield "python.txt", b"1 3\ncat 1_0 2 3\n", "line 2: value 1 of 'cat' is '1_0', expected a number"
    yield "none.txt", b"0 3\n", "line 1: expected vectors, found '0 3'"
    yield "words.txt", b"cat\ndog\n", "line 1: expected vectors, found 'cat'"
    yield (
        "short.bin",
        BINARY[:-1],
        f"byte {len(BINARY) - 1}: the file ends inside the vector of '1999' after 6 of the 7",
    )
    yield "word.bin", BINARY[: BINARY.index(b"1999") + 2], "the file ends after 6 of the 7 words"
    yield "long.bin", BINARY + b"dog", "there is more after the last of the 7 words: b'dog'"
    yield "nan.bin", b"1 2\ncat " + struct.pack("<2f", 1, np.nan), "byte 4: value 2 of 'cat' is nan"
    yield "latin.bin", b"1 2\nna\xefve " + struct.pack("<2f", 1, 2), r"byte 4: word 'na\xefve' is not UTF-8"
    yield "nothing.bin", b"1 2\n " + struct.pack("<2f", 1, 2), "byte 4: expected a word, found none"
    yield (
        "twice.bin",
        b"2 1\ncat \0\0\0\0cat \0\0\0\0",
        "byte 12: word 'cat' is there twice, first as word 1",
    )
    yield "wide.bin", b"2 1\ncat \0\0\0\0" + b"\1" * 20000, "byte 12: word 2 of 2 does not end"
    yield "head.bin", b"2 1\n", "byte 4: the file ends after 0 of the 2 words"
    yield "cut.bin", fasttext()[:90], "byte 90: the file ends early"
    yield "vocabulary.bin", fasttext()[:120], "byte 120: the file ends early"
    yield "matrix.bin", fasttext()[:250], "byte 250: the file ends inside its matrix of 7 x 3"
    yield "rows.bin", fasttext(rows=10**12), "the file ends inside its matrix of 1000000000000 x 3"
    yield "again.bin", fasttext([*WORDS[:6], "the"]), "word 'the' is there twice, first as word 1"
    yield "classes.bin", fasttext(labels=1), "this is a fastText classifier"
    yield "quantised.ftz", fasttext(quantised=True), "this fastText model is quantised"
    latin = fasttext().replace("naïve".encode(), b"na\xefve\xef")
    yield "latin_model.bin", latin, r"word 'na\xefve\xef' is not UTF-8"
    yield "cut.json", WINK[:-90], "the file is truncated or damaged at"
    yield "size.json", WINK.replace(b'"size":7', b'"size":8'), "it promises 8 words, but holds 7"
    yield "wide.json", WINK.replace(b"[", b"[1,", 2), "word 'the' has 6 values, expected 5"
    yield "null.json", WINK.replace(b",1.0,2]", b",null,2]"), "value 4 of 'naïve' is 'null', expected a number"
    yield "model.kv", pickle.dumps(WORDS), "this is a pickle, which can run code"
    yield "vectors.zip", b"PK\x03\x04abc", "this is a zip archive or a workbook"
    yield "unknown.bin", b"\x01\x02\x00\x03 \xff", "these bytes are of no format that is read here"


@pytest.mark.parametrize(("name", "content", "message"), [pytest.param(*case, id=case[0]) for case in malformed()])
def test_a_malformed_file_is_one_sentence_with_place_and_word(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(tmp_path / name)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert "\n" not in str(caught.value)


def test_a_duplicate_in_another_block_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(text_format, "BLOCK_BYTES", 10)
    (tmp_path / "v.txt").write_bytes(TEXT + b"the 9 9 9\n")
    with pytest.raises(InputError, match="line 8: word 'the' is there twice, first as word 1"):
        read(tmp_path / "v.txt")


GOOD = {"b": [0.3, 0.4], "c": [0.5, 0.6]}


@pytest.mark.parametrize(
    ("content", "notes"),
    [
        (b"3 2\na nan 0.2\nb 0.3 0.4\nc 0.5 0.6\n", ["1 (a value is not finite)", "line 2: value 1 of 'a' is nan"]),
        (b"a 0.1\nb 0.3 0.4\nc 0.5 0.6\n", ["1 (another number of values)", "line 1: word 'a' has 1 values"]),
        (b"b 0.3 0.4\nc 0.5 0.6\nna\xefve 0.1 0.2\n", ["1 (a word is not UTF-8)", "line 3: word 'na"]),
        (b"b 0.3 0.4\nx 0.3 ,\nc 0.5 0.6\n", ["1 (a value is no number)", "line 2: value 2 of 'x' is ','"]),
        (
            b"b 0.3 0.4\n\nc 0.5 0.6\nb 1 2\n",
            ["2 wrong records", "1 (a word is there twice)", "line 2: expected a word"],
        ),
        (b"4 2\nb 0.3 0.4\nc 0.5 0.6\n", ["fewer words than the first line promises", "ends after 2"]),
        (b"1 2\nb 0.3 0.4\nc 0.5 0.6\n", ["1 (more words than the first line promises)"]),
    ],
)
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_salvage_leaves_wrong_lines_out_and_counts_them(tmp_path, monkeypatch, content, notes, block):
    monkeypatch.setattr(text_format, "BLOCK_BYTES", block)
    (tmp_path / "v.txt").write_bytes(content)
    left_out = LeftOut("salvage")
    words, matrix = read(tmp_path / "v.txt", on_error=left_out)
    expected = {"b": GOOD["b"]} if content.startswith(b"1 ") else GOOD
    assert words == list(expected)
    np.testing.assert_allclose(matrix, list(expected.values()), rtol=1e-6)
    assert all(note in " | ".join(left_out.notes()) for note in notes)


def test_salvage_keeps_what_precedes_the_end_of_a_damaged_file(tmp_path):
    lines = b"".join(b"word%d %f %f\n" % (i, i / 7, i / 11) for i in range(9_999))
    for name, content in (("v.gz", gzip.compress(lines)[:-30_000]), ("v.bin", BINARY[:-1])):
        (tmp_path / name).write_bytes(content)
        left_out = LeftOut("salvage")
        words, _ = read(tmp_path / name, on_error=left_out)
        assert words[:2] == (["word0", "word1"] if name == "v.gz" else WORDS[:2])
        assert left_out.reasons.total() == 1
    with pytest.raises(InputError, match="the packed file is truncated or damaged"):
        read(tmp_path / "v.gz")


@pytest.mark.parametrize(
    ("name", "content", "word", "reason"),
    [
        ("v.bin", BINARY.replace("naïve".encode(), b"na\xefve\xef"), "naïve", "a word is not UTF-8"),
        ("v.json", WINK.replace(b",1.0,2]", b",null,2]"), "naïve", "a value is no number"),
        ("v.json", WINK.replace(b"[", b"[1,", 2), "the", "another number of values"),
    ],
)
def test_salvage_of_binary_files_and_json(tmp_path, name, content, word, reason):
    (tmp_path / name).write_bytes(content)
    left_out = LeftOut("salvage")
    words, matrix = read(tmp_path / name, on_error=left_out)
    assert words == [other for other in WORDS if other != word]
    np.testing.assert_allclose(matrix, MATRIX[[other != word for other in WORDS]], rtol=1e-6)
    assert left_out.reasons == {reason: 1}


def test_a_converted_folder_counts_what_was_left_out(tmp_path):
    (tmp_path / "v.txt").write_bytes(b"a nan 0.2\nb 0.3 0.4\nc 0.5 0.6\n")
    card = convert(tmp_path / "v.txt", tmp_path / "out", on_error="salvage")
    assert card["counts"] == {"words": 2, "dimensions": 2}
    assert card["notes"][0] == "salvaged: 1 wrong record left out: 1 (a value is not finite)"
    assert card["parameters"]["on_error"] == "salvage"
