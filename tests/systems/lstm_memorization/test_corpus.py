"""The six training distributions and the rare-word test set: what each keeps of the text, and what it loses."""

import hashlib
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from repline.cards import read_card
from repline.errors import InputError
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.settings import CorpusRecipe

WORDS = [f"w{number:03d}" for number in range(150)]
DISTRIBUTIONS = ["uniform", "unigram", "5gram", "10gram", "50gram", "language"]


@pytest.fixture(scope="module")
def text():
    """20,003 tokens of 150 types with Zipfian counts, in runs of neighbours so that order matters."""
    generator = np.random.default_rng(0)
    drawn = generator.zipf(1.3, size=40_000) - 1
    return np.sort(drawn[drawn < 150][:20_003].reshape(-1, 83), axis=1).ravel().astype(np.int32)


def build(text, folder, **changes):
    options = {"distributions": DISTRIBUTIONS, "lengths": [10, 20]}
    recipe = {"types": 120, "test_types": 30, "test_sequences": 300, "maximum_tokens": 19_703}
    recipe |= {key: value for key, value in changes.items() if key not in options}
    options |= {key: value for key, value in changes.items() if key in options}
    return middle_token.build(text, WORDS, folder, CorpusRecipe(**recipe), **options)


@pytest.fixture(scope="module")
def corpus(text, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "middle_token"
    build(text, folder)
    return folder


def test_the_middle_is_at_half_the_length():
    assert [5, 6, 7, 8, 9, 10, 11, 12, 13, 14][middle_token.target(10)] == 10
    assert range(20)[middle_token.target(20)] == 10
    assert range(300)[middle_token.target(300)] == 150
    assert [1, 2, 3][middle_token.target(3)] == 2


def test_language_is_the_text_without_its_rarer_types(text, corpus):
    types = middle_token.read_types(corpus)
    words = types["word"].to_pylist()
    counts = Counter(WORDS[word_id] for word_id in text)
    assert words == sorted(counts, key=lambda word: (-counts[word], word))[:120]
    assert types["count"].to_pylist() == [counts[word] for word in words]
    language = middle_token.read_stream(corpus, "language")
    assert [words[word_id] for word_id in language] == [
        WORDS[word_id] for word_id in text if WORDS[word_id] in set(words)
    ][:19_703]


def test_every_distribution_has_as_many_tokens_of_the_same_types(corpus):
    streams = {name: middle_token.read_stream(corpus, name) for name in DISTRIBUTIONS}
    assert len({len(stream) for stream in streams.values()}) == 1
    assert all(stream.dtype == np.int32 and stream.min() >= 0 and stream.max() < 120 for stream in streams.values())
    counts = np.bincount(streams["language"], minlength=120)
    assert counts.sum() == 19_703
    for name in DISTRIBUTIONS[1:]:
        assert np.array_equal(np.bincount(streams[name], minlength=120), counts), name
        assert name == "language" or not np.array_equal(streams[name], streams["language"])


@pytest.mark.parametrize("chunk", [5, 10, 50])
def test_every_aligned_chunk_is_one_of_the_text(corpus, chunk):
    language, permuted = (middle_token.read_stream(corpus, name) for name in ("language", f"{chunk}gram"))
    whole = len(language) // chunk * chunk
    assert whole < len(language)  # the rest is tested, too
    before, after = (stream[:whole].reshape(-1, chunk).tolist() for stream in (language, permuted))
    assert Counter(map(tuple, before)) == Counter(map(tuple, after))
    assert before != after
    assert np.array_equal(language[whole:], permuted[whole:])


def test_unigram_has_no_order_left(corpus):
    language, unigram = (middle_token.read_stream(corpus, name) for name in ("language", "unigram"))
    repeated = [(stream[1:] == stream[:-1]).mean() for stream in (language, unigram)]
    chance = (np.bincount(language) / len(language)) @ (np.bincount(language) / len(language))
    assert repeated[0] > 0.5
    assert repeated[1] == pytest.approx(chance, abs=0.02)


def test_uniform_is_uniform(corpus):
    counts = np.bincount(middle_token.read_stream(corpus, "uniform"), minlength=120)
    assert chisquare(counts).pvalue > 0.01


def test_the_test_draws_from_the_rarest_types_alone(corpus):
    types = middle_token.read_types(corpus).to_pylist()
    rarest = sorted(range(120), key=lambda word_id: (types[word_id]["count"], types[word_id]["word"]))[:30]
    assert [word_id for word_id in range(120) if types[word_id]["rare"]] == sorted(rarest)
    test = middle_token.read_test(corpus, 20)
    assert test.shape == (300, 20)
    assert set(test.ravel()) == set(rarest)
    assert chisquare(np.bincount(test.ravel(), minlength=120)[rarest]).pvalue > 0.01


def test_ties_are_broken_by_the_word():
    words = ["d", "a", "c", "b", "unseen"]
    text, frequent, counts = middle_token.most_frequent(np.array([0, 0, 1, 2, 3]), words, 3)
    assert frequent == ["d", "a", "b"] and counts.tolist() == [2, 1, 1]
    assert text.tolist() == [0, 0, 1, 2]
    assert [frequent[word_id] for word_id in middle_token.rarest(frequent, counts, 2)] == ["a", "b"]


def test_the_test_is_the_same_file_whatever_is_trained_on(text, corpus, tmp_path):
    def digests(folder):
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "test").iterdir()}

    build(text, tmp_path / "one", distributions=["unigram"], lengths=[20])
    assert digests(tmp_path / "one")["20.npy"] == digests(corpus)["20.npy"]
    assert read_card(corpus)["parameters"]["test_sha256"]["20"] == digests(corpus)["20.npy"]
    build(text, tmp_path / "other", seed=1)
    assert digests(tmp_path / "other") != digests(corpus)


def test_built_twice_it_is_the_same(text, corpus, tmp_path):
    build(text, tmp_path / "again")
    files = sorted(path.relative_to(corpus) for path in corpus.rglob("*") if path.is_file())
    assert len(files) == 6 + 2 + 2
    assert all((corpus / file).read_bytes() == (tmp_path / "again" / file).read_bytes() for file in files)


def test_sequences_do_not_overlap_unless_told_to():
    assert middle_token.starts(100, 30).tolist() == [0, 30, 60]
    assert middle_token.starts(100, 30, stride=35).tolist() == [0, 35, 70]
    assert len(middle_token.starts(929_589, 10)) == 92_958
    assert len(middle_token.starts(929_589, 300)) == 3_098
    train, validation = middle_token.split(1000, 10, validation_share=0.1)
    assert (len(train), len(validation)) == (90, 10)
    assert sorted([*train, *validation]) == list(range(0, 1000, 10))
    assert sorted(validation) != list(validation)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"types": 200}, "the text has 150 types, and 200 were asked for"),
        ({"test_types": 121}, "expected a test of 1 to 120 types"),
        ({"distributions": ["bigram"]}, "there is no distribution 'bigram'"),
        ({"lengths": [10, 15_000]}, "too few for two sequences of 15000"),
    ],
)
def test_what_cannot_be_built_is_said_and_nothing_is_written(text, tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        build(text, tmp_path / "corpus", **changes)
    assert not list(tmp_path.iterdir())


def test_too_few_sequences_and_missing_files_are_said(corpus):
    with pytest.raises(InputError, match="leave nothing for training or validation"):
        middle_token.split(30, 10)
    with pytest.raises(InputError, match=r"3gram\.npy"):
        middle_token.read_stream(corpus, "3gram")
