import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.sentences import sentence_cache
from repline.evaluation.sentences.recipes import RandomWeights
from repline.evaluation.sentences.sentence_cache import PROBES, SentenceVectors
from repline.evaluation.sentences.untrained import UntrainedEncoder

SENTENCES = {"one": "a.tsv, line 1", "two words": "a.tsv, line 2", "three": "a.tsv, line 3"}


class Counting:
    """Lengths of sentences; `given` is all that it was asked for."""

    def __init__(self, factor=1.0, transductive=False):
        self.factor, self.transductive, self.given = factor, transductive, []

    def __call__(self, sentences):
        self.given.append(list(sentences))
        shift = sum(map(len, sentences)) if self.transductive else 0
        return [[self.factor * len(sentence), shift] for sentence in sentences]


def test_vectors_are_made_once(tmp_path):
    encode = Counting()
    first = SentenceVectors("mine", encode, tmp_path)
    assert first.of(SENTENCES)["two words"].tolist() == [9, 0]
    first.of(SENTENCES)
    assert encode.given == [list(PROBES), list(SENTENCES)]
    again = Counting()
    second = SentenceVectors("another name", again, tmp_path)
    assert second.of({**SENTENCES, "new": "b"})["one"].tolist() == [3, 0]
    assert again.given == [list(PROBES), list(SENTENCES), ["new"]] and second.made == 1


def test_another_encoder_of_the_same_name_does_not_get_them(tmp_path):
    SentenceVectors("mine", Counting(), tmp_path).of(SENTENCES)
    other_cache = SentenceVectors("mine", Counting(factor=2), tmp_path)
    assert other_cache.of(SENTENCES)["one"].tolist() == [6, 0] and other_cache.made == 3


def test_an_encoder_that_looks_at_all_sentences_is_given_all_of_them(tmp_path):
    encode = Counting(transductive=True)
    vectors = SentenceVectors("mine", encode, tmp_path)
    assert vectors.of(SENTENCES)["one"].tolist() == [3, 17]
    fewer = {"one": "", "three": ""}
    assert vectors.of(fewer)["one"].tolist() == [3, 8]
    again = SentenceVectors("mine", Counting(transductive=True), tmp_path)
    assert again.of(SENTENCES)["one"].tolist() == [3, 17] and again.made == 0


class Russian:
    """Vectors of words of another language than English: zero for every sentence that encoders are known by."""

    def __init__(self, vectors, transductive=False):
        self.vectors, self.transductive = vectors, transductive

    def __call__(self, sentences):
        shift = len(sentences) * self.transductive
        found = [sum(self.vectors.get(word, 0) for word in sentence.split()) for sentence in sentences]
        return [[number, (number != 0) * shift] for number in found]


@pytest.mark.parametrize("transductive", [False, True])
def test_other_vectors_of_a_language_that_is_not_english_are_other_encoders(tmp_path, transductive):
    numbers = {f"слово{number}": float(number) for number in range(1, 51)}
    sentences = {f"{word} слово1": f"line {number}" for number, word in enumerate(numbers, start=1)}
    encoders = [Russian({word: factor * n for word, n in numbers.items()}, transductive) for factor in (1, 1, 2, 2, 1)]
    made = []
    for factor, encode in zip((1, 1, 2, 2, 1), encoders, strict=True):
        store = SentenceVectors("mine", encode, tmp_path)
        assert store.of(sentences)["слово7 слово1"][0] == factor * 8
        made.append(store.made)
    # what was kept of the first one is there beside that of the second where other sentences count
    assert made == ([50, 0, 50, 0, 0] if transductive else [50, 0, 50, 0, 50])


def first_encoder(sentences):
    return np.array([[len(sentence)] for sentence in sentences], dtype=np.float32)


def second_encoder(sentences):
    return np.array([[0 if "zz" in sentence else len(sentence)] for sentence in sentences], dtype=np.float32)


def test_two_functions_of_one_module_are_two_encoders(tmp_path):
    sentences = {"zz top" if number == 9 else f"text {number}": "" for number in range(40)}
    assert SentenceVectors("first", first_encoder, tmp_path).of(sentences)["zz top"] == 6
    second = SentenceVectors("second", second_encoder, tmp_path)
    assert second.of(sentences)["zz top"] == 0 and second.made == 40


def test_two_kinds_of_one_class_are_two_encoders(tmp_path):
    sentences = {f"слово{number}": "" for number in range(20)}
    index = {word: row for row, word in enumerate(sentences)}
    vectors = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    kinds = ("random_lstm", "random_echo_state", "random_lstm", "random_echo_state")
    made = []
    for kind in kinds:
        store = SentenceVectors(kind, UntrainedEncoder(kind, index, vectors, RandomWeights(dimensions=4)), tmp_path)
        store.of(sentences)
        made.append(store.made)
    assert made == [20, 20, 0, 0]


def test_a_difference_in_rounding_is_none(tmp_path):
    SentenceVectors("mine", Russian({"слово": 1.0}), tmp_path).of({"слово": "", "слово слово": ""})
    again = SentenceVectors("mine", Russian({"слово": 1.00001}), tmp_path)
    assert again.of({"слово": ""})["слово"][0] == 1 and again.made == 0


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SentenceVectors("mine", Counting()).of(SENTENCES)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("encode", "message"),
    [
        (lambda s: np.zeros(len(s)), "mine: expected a vector for each of 3 sentences, found 3"),
        (lambda s: np.zeros((len(s) - 1, 2)), "for each of 3 sentences, found 2 x 2"),
        (lambda s: "no", "mine: expected an array of numbers, found str"),
        (
            lambda s: np.where(np.array(s)[:, None] == "two words", np.nan, np.ones((len(s), 2))),
            r"a\.tsv, line 2: mine gives the sentence 'two words' a vector that is not finite",
        ),
    ],
)
def test_what_is_no_vector_is_named(tmp_path, encode, message):
    with pytest.raises(InputError, match=message):
        SentenceVectors("mine", encode).of(SENTENCES)


def test_a_block_with_a_broken_vector_is_not_kept(tmp_path):
    def encode(sentences):
        return [[np.nan if sentence == "three" else 1.0] for sentence in sentences]

    with pytest.raises(InputError, match="line 3"):
        SentenceVectors("mine", encode, tmp_path).of(SENTENCES)
    assert not list(tmp_path.rglob("*.npy"))


@pytest.mark.parametrize("bound", [False, True])
def test_an_encoder_of_this_package_is_asked_again_when_anything_it_reaches_changes(tmp_path, monkeypatch, bound):
    def store_of(digest):
        asked = []
        monkeypatch.setattr(sentence_cache, "library_digest", lambda name: asked.append(name) or digest)
        encoder = UntrainedEncoder("average", {"one": 0, "words": 1}, np.eye(2, dtype=np.float32))
        store = SentenceVectors("average", encoder.__call__ if bound else encoder, tmp_path)
        store.of(SENTENCES)
        assert asked == ["repline.evaluation.sentences.untrained"]
        return store

    assert [store_of(digest).made for digest in ("before", "before", "after")] == [3, 0, 3]
