"""Pairs that encoders are judged on: what they must have, and that measured numbers are kept as they are."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.conversations.pair_tests import (
    Measured,
    averaged,
    read_measured,
    read_pair_test,
    similarities,
    unknown,
    vectors_of,
    word_overlap,
    write_measured,
)
from repline.systems.conversations.settings import Tuning
from tests.systems.conversations.small_data import write_pairs

ROWS = [
    (split, first, second, None, score, "news")
    for split in ("train", "dev", "test")
    for first, second, score in (("A cat", "a cat", 5.0), ("a cat", "a sea", 1.0), ("a sea", "zebu ox", 0.0))
]
WORDS = {"a": 0, "cat": 1, "sea": 2}
MATRIX = np.eye(3, 4, dtype=np.float32)


def _encode(sentences):
    return averaged(sentences, WORDS, MATRIX)


def test_what_was_measured_is_read_again(tmp_path):
    write_pairs(tmp_path / "c", ROWS)
    test = read_pair_test(tmp_path / "c", "similarity")
    tuning = Tuning(steps=2)
    runs = {
        "average": [similarities(test, vectors_of(test, _encode), tuning)] * 2,
        "tfidf": [word_overlap(test, tuning)],
    }
    write_measured(tmp_path / "m.npz", Measured(test.gold, test.groups, unknown(test, WORDS), runs))
    measured = read_measured(tmp_path / "m.npz")
    assert measured.gold["test"].tolist() == [5, 1, 0] and measured.groups["dev"].tolist() == ["news"] * 3
    assert measured.unknown == {"train": 1, "dev": 1, "test": 1}
    assert measured.runs["average"][1].keys() == {"untuned", "tuned"} and measured.runs["tfidf"][0].keys() == {
        "untuned"
    }
    same, half, none = measured.runs["average"][0]["untuned"]["test"]
    assert (
        same == pytest.approx(0, abs=1e-6) and half == pytest.approx(-np.pi / 3) and none == pytest.approx(-np.pi / 2)
    )
    assert measured.runs["tfidf"][0]["untuned"]["test"][0] == pytest.approx(0, abs=1e-6)


def test_without_a_train_nothing_is_tuned(tmp_path):
    write_pairs(tmp_path / "c", [row for row in ROWS if row[0] == "test"])
    test = read_pair_test(tmp_path / "c", "similarity")
    assert similarities(test, vectors_of(test, _encode), Tuning()).keys() == {"untuned"}


def test_good_questions_are_those_that_are_relevant(tmp_path):
    labels = ("PerfectMatch", "Relevant", "Irrelevant")
    write_pairs(tmp_path / "c", [("dev", "a cat", "a sea", label, None, "q1") for label in labels])
    test = read_pair_test(tmp_path / "c", "questions")
    assert test.gold["dev"].tolist() == [1, 1, 0] and test.groups["dev"].tolist() == ["q1"] * 3


@pytest.mark.parametrize(
    ("kind", "row", "message"),
    [
        ("similarity", ("test", "a", "b", "yes", None, ""), "test, pair or line 9: expected a score, found none"),
        ("questions", ("dev", "a", "b", None, 1.0, ""), "dev, pair or line 0: expected a label, found none"),
        ("similarity", None, "there is no pair in the split 'test'"),
    ],
)
def test_pairs_that_say_nothing_are_an_error(tmp_path, kind, row, message):
    rows = [*ROWS, row] if kind == "similarity" and row else [row] if row else [("dev", "a", "b", None, 1.0, "")]
    write_pairs(tmp_path / "c", rows)
    with pytest.raises(InputError, match=message):
        read_pair_test(tmp_path / "c", kind)


def test_an_empty_sentence_is_named(tmp_path):
    write_pairs(tmp_path / "c", [*ROWS, ("test", " ", "a cat", None, 1.0, "")])
    test = read_pair_test(tmp_path / "c", "similarity")
    with pytest.raises(InputError, match="test, pair or line 9: a sentence is empty"):
        unknown(test, WORDS)
