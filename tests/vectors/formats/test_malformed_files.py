"""Readers: every mistake in a file is told with its place and its word."""

import pickle
import struct

import numpy as np
import pytest

from repline.errors import InputError
from repline.vectors.formats import text_format
from repline.vectors.formats.readers import read
from tests.vectors.formats.small_vectors import BINARY, TEXT, WINK, WORDS, fasttext


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
    yield "twice.txt", b"cat 1 2 3\ndog 1 2 3\ncat 4 5 6\n", "line 3: word 'cat' is there twice, first as word 1"
    yield "latin.txt", b"cat 1 2 3\nna\xefve 1 2 3\n", r"line 2: word 'na\xefve' is not UTF-8"
    yield "many.txt", b"1 3\ncat 1 2 3\ndog 1 2 3\n", "line 3: the first line promises 1 words, but there are more"
    yield (
        "few.txt",
        b"3 3\ncat 1 2 3\ndog 1 2 3\n",
        "line 4: the first line promises 3 words, but the file ends after 2",
    )
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
    yield "cut.json", WINK[:-90], "the file is truncated or damaged here"
    yield "size.json", WINK.replace(b'"size":7', b'"size":8'), "it promises 8 words, but holds 7"
    yield "wide.json", WINK.replace(b"[", b"[1,", 2), "word 'the' has 6 values, expected 5"
    yield "null.json", WINK.replace(b",1.0,2]", b",null,2]"), "value 4 of 'naïve' is 'null', expected a number"
    yield "model.kv", pickle.dumps(WORDS), "this is a pickle, which can run code"
    yield "vectors.zip", b"PK\x03\x04abc", "this is an archive or a table"
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
