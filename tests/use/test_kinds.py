"""What all models of a kind do alike: an empty text, an unknown word, one input and many."""

import math
from typing import ClassVar

import numpy as np
import pytest

from repline.errors import InputError
from repline.use.text_classifier import TextClassifier
from repline.use.text_encoder import TextEncoder
from repline.use.text_scorer import Continuation, LanguageModel
from repline.use.word_space import WordVectors

KNOWN = {"good": 0.9, "bad": 0.1}


class Opinions(TextClassifier):
    """Knows two words; counts how many texts it gets at a time."""

    def __init__(self):
        super().__init__(["negative", "positive"], [0.25, 0.75])
        self.batches = []

    def _probabilities(self, texts):
        self.batches.append(len(texts))
        known_values = [[KNOWN[word] for word in text.split() if word in KNOWN] for text in texts]
        positive = np.array([np.mean(values) if values else 0.5 for values in known_values])
        return np.stack([1 - positive, positive], axis=1), np.array([len(values) for values in known_values])


class Lengths(TextEncoder):
    """The numbers of two letters in a text; a text without them is unknown."""

    dimensions = 2

    def _vectors(self, texts):
        counts = np.array([[text.count("a"), text.count("b")] for text in texts], np.float32).reshape(-1, 2)
        return counts + 1, counts.sum(axis=1)


class Coin(LanguageModel):
    """Heads three times as often as tails."""

    chances: ClassVar[dict[str, float]] = {"heads": 0.75, "tails": 0.25}

    def tokens(self, text):
        return text.split()

    def known(self, token):
        return token in self.chances

    def token_log_probabilities(self, texts):
        return [[math.log(self.chances.get(token, 1e-9)) for token in tokens] for tokens in texts]

    def next_probabilities(self, tokens, n):
        return [Continuation(*item) for item in self.chances.items()][:n]


def test_classifier():
    model = Opinions()
    answer = model.classify("a good day")
    assert (answer.label, answer.known_words) == ("positive", 1)
    assert answer.probabilities == pytest.approx({"positive": 0.9, "negative": 0.1})
    assert list(answer.probabilities) == ["positive", "negative"]
    assert [answer.label for answer in model.classify(["bad", "good"])] == ["negative", "positive"]
    assert model.classify([]) == []


@pytest.mark.parametrize("text", ["", "   ", "xyzzy", "好"])
def test_classifier_without_a_known_word_answers_the_shares_of_training(text):
    answer = Opinions().classify(text)
    assert (answer.label, answer.probability, answer.known_words) == ("positive", 0.75, 0)


def test_classifier_takes_texts_in_batches():
    model = Opinions()
    assert len(model.classify(["good"] * 150, batch=64)) == 150
    assert model.batches == [64, 64, 22]
    with pytest.raises(InputError, match=r'classify\("a text"\)'):
        model.classify([["good"]])


def test_encoder():
    model = Lengths()
    assert model.encode("aab").tolist() == [3, 2]
    assert model.encode(["a", ""]).tolist() == [[2, 1], [0, 0]]
    assert model.encode([]).shape == (0, 2)
    assert model.similarity("a", "aa") == pytest.approx(7 / math.sqrt(5 * 10))
    assert model.similarity(["a", ""], ["a", "b"]).tolist() == pytest.approx([1, 0])
    assert model.similarity("ab", "a\xadb") == pytest.approx(1)
    assert model.answers([{"text": "zzz"}]) == [{"vector": [0.0, 0.0], "known_words": 0}]


def test_arrays_are_of_texts_and_not_of_their_letters():
    vectors, known_words = Lengths().vectors("aab")
    assert (vectors.tolist(), known_words.tolist()) == ([[3, 2]], [3])
    assert Lengths().vectors("a\xadb")[0].tolist() == [[2, 2]], "cleaned, as everywhere"
    probabilities, known_words = Opinions().probabilities("good bad")
    assert (probabilities.tolist(), known_words.tolist()) == ([[0.5, 0.5]], [2])
    for method in (Lengths().vectors, Opinions().probabilities):
        assert [array.shape for array in method([])] == [(0, 2), (0,)]
        for wrong in (None, 7, b"good", [["good"]], ["good", None]):
            with pytest.raises(InputError, match=f"{method.__name__} takes a text or a list of texts"):
                method(wrong)


def test_no_cosine_is_beyond_one():
    texts = ["a" * number for number in range(1, 200)]
    cosines = Lengths().similarity(texts, texts)
    assert cosines.max() == 1 and cosines.min() > 0.999


def test_encoder_refuses_texts_that_do_not_fit():
    with pytest.raises(InputError, match="two lists of one length; found a list of 1 and a list of 2"):
        Lengths().similarity(["a"], ["a", "b"])
    with pytest.raises(InputError, match="two lists of one length; found a text and a list of 1"):
        Lengths().similarity("a", ["a"])
    with pytest.raises(InputError, match="similarity takes a text or a list of texts"):
        Lengths().similarity("a", 3)
    with pytest.raises(InputError, match="encode takes a text or a list of texts"):
        Lengths().encode([["a"]])


def test_language_model():
    model = Coin()
    score = model.score("heads edge")
    assert score.log_probability == pytest.approx(math.log(0.75) + math.log(1e-9))
    assert (score.tokens, score.unknown) == (["heads", "edge"], ["edge"])
    assert model.score("heads").perplexity == pytest.approx(4 / 3)
    empty = model.score("")
    assert (empty.log_probability, empty.tokens) == (0.0, []) and math.isnan(empty.perplexity)
    assert model.next("", 1) == [("heads", 0.75)]
    assert model.prefers("heads", "heads", "tails") == pytest.approx(math.log(3))
    (answer,) = model.answers([{"text": ""}])
    assert answer["perplexity"] is None and answer["next"] == [["heads", 0.75], ["tails", 0.25]]


def test_words_of_equal_vectors_come_in_their_order_however_many_are_asked():
    rng = np.random.default_rng(0)
    matrix = np.repeat(rng.normal(size=(40, 7)).astype(np.float32), 5, axis=0)  # five words a vector
    words = WordVectors([str(number) for number in range(200)], matrix)
    alone = [words.nearest(row[None], 12)[0] for row in matrix]
    for size in (3, 64, 200):
        together = [near for start in range(0, 200, size) for near in words.nearest(matrix[start : start + size], 12)]
        assert together == alone
    assert [int(near.word) for near in alone[7]][:5] == [5, 6, 7, 8, 9]
    assert [near.word for near in words.nearest(np.zeros((1, 7)), 3)[0]] == ["0", "1", "2"]
    with pytest.raises(InputError, match="finite numbers"):
        words.most_similar(np.full(7, np.nan, np.float32))


def test_word_vectors():
    words = WordVectors(["a", "b", "c"], np.array([[1, 0], [3, 4], [0, -2]], np.float32))
    assert words.vector("b").tolist() == [3, 4]
    assert words.vectors(["c", "unknown"]).tolist() == [[0, -2], [0, 0]]
    assert [item.word for item in words.most_similar("a")] == ["b", "c"]
    assert words.most_similar(np.array([0.0, -1.0]), 1) == [("c", 1.0)]
    assert words.similarity("a", "b") == pytest.approx(0.6) and words.similarity("b", " C ") == pytest.approx(-0.8)
    assert WordVectors(["a", "b"], np.array([[1, 0], [0, 0]], np.float32)).similarity("a", "b") == 0
    assert "a" in words and "unknown" not in words
    assert "\ufeffa" in words and words.vector("a\xad").tolist() == [1, 0]
    assert words.most_similar("\u200ba") == words.most_similar("a")
    assert (
        " B " in words
        and words.vector("B\t").tolist() == [3, 4]
        and words.most_similar(" A") == words.most_similar("a")
    )
    assert words.answers([{"word": "a\xad"}]) == words.answers([{"word": "a"}])
    for call, message in (
        (lambda: words.similarity("a", "unknown"), "'unknown' has no vector here"),
        (lambda: words.vector("unknown"), "'unknown' has no vector here; of 3 words the first is 'a'"),
        (lambda: words.vector(["a"]), r'vector takes a word: vector\("word"\); found a value of type list'),
        (lambda: words.most_similar([["a"]]), r'most_similar\("word"\); found a value of type list'),
        (
            lambda: words.most_similar(np.array(["a", "b"])),
            "takes a word or a vector of numbers; found an array of <U1",
        ),
        (lambda: words.most_similar(np.ones(3)), r"takes a word or a vector \[2\]; found one of shape \(3,\)"),
    ):
        with pytest.raises(InputError, match=message):
            call()
