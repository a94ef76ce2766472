import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.parquet import sentence_schema
from repline.errors import InputError
from repline.systems.corpus_specificity.corpus import clean_documents, words_alone
from repline.systems.corpus_specificity.running_text import read_documents, read_stop_words
from repline.systems.corpus_specificity.settings import Documents


def rows(folder):
    return pq.read_table(folder / "part-00000.parquet").to_pylist()


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    columns = {
        "doc_id": ["7", "7", "3"],
        "sentence_id": [0, 1, 0],
        "tokens": [["The", "Cat", ",", "42"], ["sat", "x-ray", "!"], ["Été", "n't", "--", "B2"]],
    }
    pq.write_table(pa.table(columns, schema=sentence_schema()), folder / "part-00000.parquet")
    return folder


def test_words_are_letters_in_lower_case():
    assert words_alone(["The", "x-ray", "42", "B2", "%", "n't", "--", "Été"], {"the"}) == ["x-ray", "été"]


def test_documents_are_cut_by_tokens_before_words_leave(corpus, tmp_path):
    card = clean_documents(tmp_path / "out", corpus, Documents(block=5), ["the"])
    blocks = [(row["doc_id"], row["sentence_id"], row["tokens"]) for row in rows(tmp_path / "out")]
    assert blocks == [("7", 0, ["cat", "sat"]), ("7", 1, ["x-ray"]), ("3", 0, ["été"])]
    assert card["counts"] == {"documents": 3, "empty_blocks": 0, "tokens": 4, "stop_words": 1}


def test_whole_documents_and_empty_blocks(corpus, tmp_path):
    clean_documents(tmp_path / "whole", corpus, Documents(block=None))
    assert [row["tokens"] for row in rows(tmp_path / "whole")] == [["the", "cat", "sat", "x-ray"], ["été"]]
    card = clean_documents(tmp_path / "tiny", corpus, Documents(block=1))
    assert (card["counts"]["documents"], card["counts"]["empty_blocks"]) == (5, 6)


def test_a_sample_is_of_its_size_and_the_same_each_time(corpus, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        clean_documents(tmp_path / name, corpus, Documents(block=2, maximum_documents=3, seed=seed))
    first, again, other_seed = (rows(tmp_path / name) for name in "abc")
    assert first == again != other_seed
    assert 1 <= len(first) <= 3


def test_a_corpus_without_words_is_refused_and_leaves_nothing(corpus, tmp_path):
    with pytest.raises(InputError, match="no words in it"):
        clean_documents(tmp_path / "out", corpus, Documents(), ["the", "cat", "sat", "x-ray", "été"])
    assert not (tmp_path / "out").exists()


def test_archives_tagged_and_plain(tmp_path):
    with zipfile.ZipFile(tmp_path / "brown.zip", "w") as archive:
        archive.writestr("brown/README", "no text")
        archive.writestr("brown/ca01", "\n\n\tThe/at Jury/nn 1/2/cd ./.\n")
    with zipfile.ZipFile(tmp_path / "abc.zip", "w") as archive:
        archive.writestr("abc/science.txt", "A caf\xe9 isn't either/or.".encode("cp1252"))
    (tmp_path / "stories.cor").write_text("One day.\n\nTwo.\n")
    with zipfile.ZipFile(tmp_path / "stopwords.zip", "w") as archive:
        archive.writestr("stopwords/english", "the\nof\n")
    assert dict(read_documents(tmp_path)) == {
        "abc/science.txt": ["A", "café", "isn't", "either", "/", "or", "."],
        "brown/ca01": ["The", "Jury", "1/2", "."],
        "stories/1": ["One", "day", "."],
        "stories/3": ["Two", "."],
    }
    assert read_stop_words(tmp_path) == {"the", "of"}
    with pytest.raises(InputError, match="expected stop words for the language 'klingon', found none"):
        read_stop_words(tmp_path, "klingon")


def test_a_damaged_archive_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "abc.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("abc/a.txt", "word " * 1000)
    whole = (tmp_path / "abc.zip").read_bytes()
    (tmp_path / "abc.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="the archive is damaged"):
        list(read_documents(tmp_path))


def test_a_folder_without_text_is_refused(tmp_path):
    with pytest.raises(InputError, match="expected part-"):
        list(read_documents(tmp_path))
