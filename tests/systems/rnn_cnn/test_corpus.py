"""Ordered text from its three forms, and the pairs of a sentence and what follows."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.errors import InputError
from repline.systems.rnn_cnn.corpus import read_corpus, write_corpus
from repline.systems.rnn_cnn.ordered_text import read_documents, sentences_of_text
from repline.systems.rnn_cnn.settings import Text

STORY = "The cat sat down. The dog came in! 'Who is it?' the cat said. No answer came at all."


@pytest.fixture
def texts(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in "ab":
        rows = [" ".join(f"{name}{number}x{word}" for word in range(4)).capitalize() + "." for number in range(20)]
        (folder / f"{name}.txt").write_text("\ufeff" + "\r\n".join(rows), encoding="utf-8")
    return folder


def written(tmp_path, texts, **more):
    knobs = {"vocabulary": 60, "held_out": 0.25} | more
    write_corpus(tmp_path / "corpus", Text(sources=[texts.name], **knobs), texts.parent)
    return read_corpus(tmp_path / "corpus")


def test_sentences_end_before_capitals_and_not_after_titles():
    assert sentences_of_text(STORY) == [
        "The cat sat down.", "The dog came in!", "'Who is it?' the cat said.", "No answer came at all.",
    ]  # fmt: skip
    assert sentences_of_text("Sie ging. „Nun gut.“ Es war spät. „Wer?“ fragte er. Österreich.") == [
        "Sie ging.",
        "„Nun gut.“",
        "Es war spät.",
        "„Wer?“ fragte er.",
        "Österreich.",
    ]
    assert sentences_of_text("I saw Mr. Hyde and\nJ. B. Smith. He ran.") == [
        "I saw Mr. Hyde and J. B. Smith.",
        "He ran.",
    ]


def test_paragraphs_end_sentences(tmp_path):
    (tmp_path / "book.txt").write_text("CHAPTER I\n\nIt was\nlate. We slept\n", encoding="utf-8")
    assert list(read_documents(tmp_path)) == [("book", [["chapter", "i"], ["it", "was", "late", "."], ["we", "slept"]])]


def test_a_corpus_of_sentences_is_read_by_document(tmp_path):
    rows = {"doc_id": ["1", "1", "2"], "tokens": [["A", "b"], ["C"], ["D"]]}
    pq.write_table(pa.table(rows), tmp_path / "part-00000.parquet")
    assert list(read_documents(tmp_path)) == [("1", [["a", "b"], ["c"]]), ("2", [["d"]])]
    assert list(read_documents(tmp_path, ["2"])) == [("2", [["d"]])]
    assert list(read_documents(tmp_path, first=1)) == [("1", [["a", "b"]]), ("2", [["d"]])]


def test_verses_are_read_by_book(tmp_path):
    (tmp_path / "t_web.csv").write_text('h,b,c,v,t\n1,1,1,1,"In {a note} Eden."\n2,1,2,1,Out.\n3,2,1,1,So.\n', "utf-8")
    (tmp_path / "key_english.csv").write_text("h,n,t,g\n1,Genesis,OT,1\n2,Exodus,OT,1\n", "utf-8")
    (tmp_path / "key_genre_english.csv").write_text("h,n\n1,Law\n", "utf-8")
    documents = [("Genesis", [["in", "eden", "."], ["out", "."]]), ("Exodus", [["so", "."]])]
    assert list(read_documents(tmp_path)) == documents


@pytest.mark.parametrize("held_out", [False, True])
def test_source_and_target_are_one_piece_of_the_stream_inside_a_document(tmp_path, texts, held_out):
    corpus = written(tmp_path, texts, vocabulary=121)  # which has every word of the training part
    pairs, targets = corpus.pairs(7, held_out), 7
    assert len(pairs) == (2 * (5 - 2) if held_out else 2 * (15 - 2))  # two more sentences make 10 words, one makes 5
    for pair, following in zip(pairs, corpus.following(pairs, targets), strict=True):
        start, end = corpus.sentences[pair : pair + 2]
        text = [*corpus.stream[start:end], *following]
        assert text == corpus.stream[start : end + targets].tolist()
        if not held_out:
            names = {corpus.words[number - 1] for number in text} - {"."}
            assert len({name[0] for name in names}) == 1 and not any(f"x{name}" in names for name in range(15, 20))
            assert max(int(name[1:].split("x")[0]) for name in names) < 15


def test_the_vocabulary_is_of_the_most_frequent_words_of_the_training_part(tmp_path, texts):
    corpus = written(tmp_path, texts, vocabulary=2)
    assert corpus.words[0] == "." and corpus.counts.tolist() == [30, 1]
    assert np.isin(corpus.stream, [0, 1, 2]).all()
    with pytest.raises(InputError, match="has 121 different words, and a vocabulary of 122"):
        written(tmp_path, texts, vocabulary=122)


def test_short_and_long_sentences_are_left_out(tmp_path, texts):
    (texts / "a.txt").write_text("One two three four five. Six. Seven eight nine. " * 4, encoding="utf-8")
    corpus = written(tmp_path, texts, documents=["a"], shortest=3, longest=5, vocabulary=4, held_out=0.0)
    assert np.diff(corpus.sentences).tolist() == [4] * 4


def test_the_card_counts_the_sentences_that_are_left_out(tmp_path, texts):
    (texts / "a.txt").write_text("Too short. " + "Just right words here. " * 30 + "Long " * 20 + ".", encoding="utf-8")
    card = write_corpus(
        tmp_path / "corpus", Text(sources=[texts.name], vocabulary=5, shortest=4, longest=10), texts.parent
    )
    counts = card["counts"]
    assert (counts["left_out_short_sentences"], counts["left_out_long_sentences"]) == (1, 1)
    assert counts["sentences"] == 30 + 20


def test_nats_by_frequency_are_those_of_the_known_targets(tmp_path, texts):
    corpus = written(tmp_path, texts, vocabulary=2)
    nats = corpus.unigram_nats(np.array([[1, 0, 2], [0, 0, 0]]))
    assert nats[0] == pytest.approx(-(np.log(30 / 31) + np.log(1 / 31)) / 2) and np.isnan(nats[1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: [path.unlink() for path in folder.iterdir()], "found none"),
        (lambda folder: (folder / "a.txt").write_bytes(b"ok\n\xff\n"), "a.txt, line 2: expected UTF-8"),
        (lambda folder: [path.write_text("") for path in folder.iterdir()], "no sentence of 3 to 60 words"),
    ],
)
def test_broken_text_is_one_sentence_and_nothing_is_written(tmp_path, texts, change, message):
    change(texts)
    with pytest.raises(InputError, match=message):
        written(tmp_path, texts)
    assert not (tmp_path / "corpus").exists()


def test_a_document_that_is_not_there(tmp_path, texts):
    with pytest.raises(InputError, match="no document named c"):
        written(tmp_path, texts, documents=["a", "c"])


def test_a_damaged_corpus(tmp_path, texts):
    written(tmp_path, texts)
    (tmp_path / "corpus/stream.npy").write_bytes(b"")
    with pytest.raises(InputError, match="no whole corpus of ordered text"):
        read_corpus(tmp_path / "corpus")
