"""The artificial language: its spaces, dictionary and ratings agree with English as its settings say."""

import numpy as np
import pytest

from repline.systems.concreteness.artificial_language import make_language, spell
from repline.systems.concreteness.settings import Language
from repline.vectors.alignment import orthogonal_map
from repline.vectors.normalisation import unit_length

RANDOM = np.random.default_rng(0)
WORDS = [f"w{letter}{second_letter}" for letter in "abcdefghij" for second_letter in "abcdefghij"] + ["7"]
VECTORS = RANDOM.normal(size=(101, 6))
RATINGS = {word: {"concreteness": float(value)} for word, value in zip(WORDS, VECTORS[:, 0], strict=True)}


def test_numbers_are_spelled_alike():
    assert (spell("dog"), spell("7"), spell(spell("dog"))) == ("qbt", "7", "dog")


def test_without_noise_the_spaces_are_turned_only():
    language = make_language(WORDS, VECTORS, RATINGS, Language(noise=0.0, seed=1))
    w = orthogonal_map(language.vectors, unit_length(VECTORS))
    assert language.vectors @ w == pytest.approx(unit_length(VECTORS), abs=1e-5)
    assert not np.allclose(language.vectors, unit_length(VECTORS), atol=0.1)


def test_the_dictionary_and_the_ratings_are_as_asked():
    language = make_language(
        WORDS, VECTORS, RATINGS, Language(translated=1.0, second=0.0, agreement=1.0, rated=50, seed=1)
    )
    assert language.pairs == [(word, spell(word)) for word in WORDS]
    assert len(language.ratings) == 50
    assert all(values == RATINGS[spell(word)] for word, values in language.ratings.items())
    some = make_language(WORDS, VECTORS, RATINGS, Language(translated=0.5, second=1.0, seed=1))
    heads = {source for source, _ in some.pairs}
    assert 30 < len(heads) < 70
    assert len(some.pairs) == 2 * len(heads)
    assert all(spell(source) != target for source, target in some.pairs[1::2])


def test_every_word_of_a_long_dictionary_has_its_translation():
    words = [f"v{number}" for number in range(2500)]
    language = make_language(words, RANDOM.normal(size=(2500, 3)), {}, Language(translated=1.0, second=0.0, seed=1))
    assert language.pairs == [(word, spell(word)) for word in words]


def test_ratings_agree_as_two_groups_of_people_do():
    words = [f"w{number}" for number in range(5000)]
    ratings = {
        word: {"concreteness": float(value)} for word, value in zip(words, RANDOM.normal(size=5000), strict=True)
    }
    language = make_language(words, RANDOM.normal(size=(5000, 3)), ratings, Language(agreement=0.9, rated=5000, seed=2))
    pairs = np.array(
        [(values["concreteness"], ratings[spell(word)]["concreteness"]) for word, values in language.ratings.items()]
    )
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(0.9, abs=0.01)


def test_every_rated_word_has_its_concept_with_or_without_the_dictionary():
    language = make_language(WORDS, VECTORS, RATINGS, Language(translated=0.5, rated=40, seed=1))
    assert {word for _, word in language.concepts} == set(language.ratings)
    assert all(spell(source) == word for source, word in language.concepts)
    assert 5 < len(set(language.concepts) - set(language.pairs)) < 35


def test_a_seed_makes_the_same_language():
    first, second = (make_language(WORDS, VECTORS, RATINGS, Language(seed=3)) for _ in range(2))
    assert (first.vectors == second.vectors).all()
    assert first[2:] == second[2:]
    assert make_language(WORDS, VECTORS, RATINGS, Language(seed=4)).pairs != first.pairs
