"""`repline train` of sentence encoders on files of one's own, in a folder that is no checkout."""

import json
import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import load_encoder
from tests.cli.train_command import TOPICS, notes_of, topic_sentences, train, trained, write_topic_vectors


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with vectors, a text and counts of words."""
    monkeypatch.chdir(tmp_path)
    write_topic_vectors(tmp_path / "mine.txt")
    (tmp_path / "text").mkdir()
    sentences = [f"{sentence.capitalize()}." for sentence in topic_sentences(200)]
    (tmp_path / "text" / "book.txt").write_text("\n".join(sentences) + "\n")
    words = [*TOPICS["animals"], *TOPICS["cars"]]
    (tmp_path / "counts.txt").write_text("the 900\na 700\nand 500\nnear 90\n" + "".join(f"{w} 20\n" for w in words))
    return tmp_path


def knows_topics(model) -> bool:
    """Whether sentences of a topic are nearer to each other than to those of the other one."""
    texts, same_topics = ["the cat and a horse", "a road near the fuel"], ["a goat near a dog", "the wheel and a tyre"]
    same, crossed = model.similarity(texts, same_topics), model.similarity(texts, same_topics[::-1])
    return bool((same > crossed + 0.1).all())


@pytest.mark.parametrize("counts", [["--counts", "counts.txt"], []])
def test_usif_of_word_vectors_counts_and_text(folder, counts):
    model = trained(folder, "usif", "--data", "text", "--vectors", "mine.txt", "--components", "1", *counts)
    assert knows_topics(model) and not model.encode(["", "zzz"]).any()


def test_usif_finds_counts_in_any_letter_case(folder):
    (folder / "capitals.txt").write_text((folder / "counts.txt").read_text().title())
    sentences = ["the cat and the dog", "the wheel"]
    options = ["--data", "text", "--vectors", "mine.txt", "--components", "1", "--counts"]
    vectors = []
    for file in ("counts.txt", "capitals.txt"):
        assert "have no count" not in notes_of("usif", *options, file)
        vectors.append(repline.load("model").encode(sentences))
    np.testing.assert_array_equal(*vectors)
    (folder / "few.txt").write_text("the 5\n")
    assert "% of the text) have no count, and weigh as much as the rarest word" in notes_of("usif", *options, "few.txt")
    (folder / "foreign.txt").write_text("katze 5\n")
    with pytest.raises(InputError, match=r"foreign.txt: none of the .* words of the text has a count"):
        train("usif", *options, "foreign.txt")


def test_rnn_cnn_of_text_in_order(folder):
    sizes = ["--vocabulary", "16", "--units", "8", "--targets", "4", "--batch", "16"]
    model = trained(folder, "rnn_cnn", "--data", "text", "--vectors", "mine.txt", *sizes)
    assert knows_topics(model)
    assert json.loads((folder / "model/encoder.json").read_text())["vectors"] == "vectors"
    moved = shutil.move(folder / "model", folder / "elsewhere")
    assert load_encoder(moved)(["the cat"]).any()


def test_rnn_cnn_takes_all_words_of_a_text_with_few(folder):
    (folder / "text" / "more.txt").write_text("the cat\n\nthe dog and the cat sit\n")
    options = ["--data", "text", "--vectors", "mine.txt", "--units", "4", "--targets", "4"]
    assert "left out: 1 sentences of fewer than 3 words" in notes_of("rnn_cnn", *options)
    assert len(repline.load("model").sentences.number_of) < 30


REPLIES = {
    "how are you": "fine thank you",
    "what time is it": "it is noon now",
    "where do you live": "in a small town",
    "who is there": "only your old friend",
}


def test_conversations_rank_the_right_reply_first(folder):
    pairs = list(REPLIES.items())
    chats = [{"turns": [turn for shift in range(4) for turn in pairs[(start + shift) % 4]]} for start in range(40)]
    (folder / "chats.jsonl").write_text("".join(json.dumps(chat) + "\n" for chat in chats))
    sizes = ["--size", "16", "--dimensions", "16", "--batch", "16", "--epochs", "8", "--learning-rate", "0.01"]
    model = trained(folder, "conversations", "--data", "chats.jsonl", *sizes)
    for message, reply in REPLIES.items():
        assert model.rank(message, list(REPLIES.values()))[0].reply == reply


@pytest.mark.parametrize(
    ("system", "options", "message"),
    [
        ("usif", ["--data", "none"], "none: "),
        ("usif", ["--data", "text", "--language", "xx"], "wordfreq has no list of the language 'xx'; give --counts"),
        ("usif", ["--data", "text", "--components", "500"], "text: 200 sentences are too few to find 500 common"),
        ("rnn_cnn", ["--data", "text", "--vocabulary", "9", "--vectors", "no.vec"], "no.vec: there is no such file"),
        ("conversations", ["--data", "text"], "text: expected a pair of message and reply"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, system, options, message):
    before = {path.name for path in folder.iterdir()}
    vectors = [] if system == "conversations" or "--vectors" in options else ["--vectors", "mine.txt"]
    with pytest.raises(InputError, match=message):
        train(system, *options, *vectors)
    assert {path.name for path in folder.iterdir()} == before
