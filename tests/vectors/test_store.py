"""The store: what goes in comes out, mapped and not read, and nothing that is no vector goes in."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gensim.models import KeyedVectors

from repline.cards import read_card
from repline.errors import InputError
from repline.vectors.formats.readers import read
from repline.vectors.store import BLOCK, export_binary, export_text, load, save

WORDS = ["the", "Кот", "naïve", "猫", 'quo"te', "a,b"]


@pytest.fixture
def matrix():
    return np.random.default_rng(0).normal(size=(len(WORDS), 5)).astype(np.float32)


def test_what_is_saved_is_loaded_as_a_read_only_map(tmp_path, matrix):
    save(tmp_path / "v", WORDS, matrix, counts=[9, 5, 4, 3, 2, 0])
    loaded = load(tmp_path / "v")
    assert isinstance(loaded, KeyedVectors)
    assert isinstance(loaded.vectors, np.memmap)
    assert not loaded.vectors.flags.writeable
    assert loaded.vectors.dtype == np.float32
    assert np.array_equal(loaded.vectors, matrix)
    assert loaded.index_to_key == WORDS
    assert [loaded.get_vecattr(word, "count") for word in WORDS] == [9, 5, 4, 3, 2, 0]
    assert np.array_equal(loaded["猫"], matrix[3])
    cosines = matrix @ matrix[0] / np.linalg.norm(matrix, axis=1)
    assert loaded.most_similar("the", topn=1)[0][0] == WORDS[1 + int(cosines[1:].argmax())]


@pytest.mark.parametrize("change", [np.asfortranarray, np.float64, np.float16, lambda m: m[::-1][::-1]])
def test_any_memory_order_and_type_of_float_is_the_same_file(tmp_path, matrix, change):
    matrix = matrix.astype(np.float16).astype(np.float32)
    save(tmp_path / "a", WORDS, matrix, name="v")
    save(tmp_path / "b", WORDS, change(matrix), name="v")
    for file in ("vectors.npy", "vocabulary.parquet", "card.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_blocks_do_not_show(tmp_path):
    rows = BLOCK // 1000 * 2 + 7
    matrix = np.arange(rows * 1000, dtype=np.float32).reshape(rows, 1000)
    save(tmp_path / "v", [str(row) for row in range(rows)], matrix)
    assert np.array_equal(np.load(tmp_path / "v" / "vectors.npy"), matrix)


def test_a_loaded_map_can_be_saved_over_itself(tmp_path, matrix):
    save(tmp_path / "v", WORDS, matrix)
    loaded = load(tmp_path / "v")
    save(tmp_path / "v", loaded.index_to_key[:3], loaded.vectors[:3])
    assert np.array_equal(load(tmp_path / "v").vectors, matrix[:3])


def test_unknown_counts_are_null(tmp_path, matrix):
    save(tmp_path / "v", WORDS, matrix)
    table = pq.read_table(tmp_path / "v" / "vocabulary.parquet")
    assert table.schema.field("count").type == pa.int64()
    assert table.column("count").null_count == len(WORDS)
    assert "count" not in load(tmp_path / "v").expandos


def test_the_card_counts_and_cites(tmp_path, matrix):
    save(tmp_path / "v", WORDS, matrix, licence="CC0", sources=[{"name": "x", "sha256": "0"}], totals={"tokens": 7})
    card = read_card(tmp_path / "v")
    assert card["counts"] == {"words": 6, "dimensions": 5, "tokens": 7}
    assert (card["name"], card["licence"], card["sources"]) == ("v", "CC0", [{"name": "x", "sha256": "0"}])


@pytest.mark.parametrize("export", [export_text, export_binary])
def test_exports_are_read_back_by_gensim_and_by_us(tmp_path, matrix, export):
    matrix[0, 0], matrix[1, 1], matrix[2, 2] = 1e-38, 3.4e38, -0.0
    save(tmp_path / "v", WORDS, matrix)
    export(load(tmp_path / "v"), tmp_path / "exported")
    theirs = KeyedVectors.load_word2vec_format(tmp_path / "exported", binary=export is export_binary)
    words, ours = read(tmp_path / "exported")
    assert words == theirs.index_to_key == WORDS
    assert np.array_equal(ours, matrix)
    assert np.array_equal(theirs.vectors, matrix)


@pytest.mark.parametrize("export", [export_text, export_binary])
def test_a_word_with_a_space_cannot_be_exported(tmp_path, matrix, export):
    save(tmp_path / "v", ["new york", *WORDS[1:]], matrix)
    with pytest.raises(InputError, match=r"word 'new york' \(row 0\) has white space"):
        export(load(tmp_path / "v"), tmp_path / "exported")
    assert not (tmp_path / "exported").exists()


def changed(matrix, row, column, value):
    matrix = matrix.astype(np.float64)
    matrix[row, column] = value
    return matrix


@pytest.mark.parametrize(
    ("words", "change", "counts", "message"),
    [
        (WORDS[:5], None, None, "expected a word for each of 6 vectors, found 5 words"),
        (["the", *WORDS[:5]], None, None, "word 'the' is there twice, in rows 0 and 1"),
        (["", *WORDS[1:]], None, None, "expected a word for row 0, found ''"),
        ([3, *WORDS[1:]], None, None, "expected a word for row 0, found 3"),
        (WORDS, lambda m: changed(m, 2, 3, np.nan), None, "'naïve' (row 2) has nan as value 3"),
        (WORDS, lambda m: changed(m, 5, 0, np.inf), None, "'a,b' (row 5) has inf as value 0"),
        (WORDS, lambda m: changed(m, 5, 0, -1e39), None, "'a,b' (row 5) has -1e+39 as value 0"),
        (WORDS, lambda m: m[:, 0], None, "expected a matrix of floats, one row a word, found float32 6"),
        (WORDS, lambda m: m.astype(int), None, "found int64 6 x 5"),
        ([], lambda m: m[:0], None, "there are no vectors (the matrix is 0 x 5)"),
        (WORDS, None, [1, 2], "expected 6 whole numbers as counts, found 2"),
        (WORDS, None, [1, 2, -3, 4, 5, 6], "word 'naïve' (row 2) has a count of -3"),
    ],
)
def test_what_is_no_vector_is_refused_and_nothing_changes(tmp_path, matrix, words, change, counts, message):
    save(tmp_path / "v", WORDS, matrix)
    with pytest.raises(InputError) as caught:
        save(tmp_path / "v", words, change(matrix) if change else matrix, counts=counts)
    assert message in str(caught.value)
    assert np.array_equal(load(tmp_path / "v").vectors, matrix)
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_damaged_folders_are_told(tmp_path, matrix):
    folder = tmp_path / "v"
    with pytest.raises(InputError, match=r"vectors.npy: there is no such file"):
        load(folder)
    save(folder, WORDS, matrix)
    whole = (folder / "vectors.npy").read_bytes()
    (folder / "vectors.npy").write_bytes(whole[:-4])
    with pytest.raises(InputError, match=r"no whole [.]npy file"):
        load(folder)
    np.save(folder / "vectors.npy", matrix[:4])
    with pytest.raises(InputError, match="expected a word for each of 4 vectors, found 6"):
        load(folder)
    np.save(folder / "vectors.npy", matrix.astype(np.float64))
    with pytest.raises(InputError, match="expected float32 rows in C order, found float64 6 x 5"):
        load(folder)
    np.save(folder / "vectors.npy", np.array(WORDS, dtype=object))
    with pytest.raises(InputError, match=r"no whole [.]npy file"):
        load(folder)
    (folder / "vectors.npy").write_bytes(whole)
    (folder / "vocabulary.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"expected a Parquet table of `word` and `count`"):
        load(folder)
    (folder / "vocabulary.parquet").unlink()
    with pytest.raises(InputError, match=r"vocabulary.parquet: there is no such file"):
        load(folder)
