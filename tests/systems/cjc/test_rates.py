import numpy as np
import pytest

from repline.systems.cjc.mixed_analogies import analogy_scores, by_mix, question_weights, questions
from repline.systems.cjc.parallel_sentences import Vocabulary
from repline.systems.cjc.rates import (
    alignment_scores,
    directions,
    named,
    ranks,
    scores,
    synonym_scores,
    synonyms,
)


def once(items):
    return np.ones((1, items), int)


def test_rates_of_the_first_and_the_last_rank():
    assert scores(np.array([1, 20]), 20).tolist() == [[100, 100, 100], [pytest.approx(5), 0, 0]]
    means = named(scores(np.array([1, 11]), 20), np.array([[1, 1], [0, 2], [3, 1]]))
    assert means["rate"].tolist() == pytest.approx([75, 50, 87.5])
    assert means["p1"].tolist() == [50, 0, 75] and means["p10"].tolist() == [50, 0, 75]
    assert np.isnan(named(np.empty((0, 3)), once(0))["rate"]).all()


def test_ranks_count_what_is_strictly_nearer():
    candidates = np.array([[1.0, 0], [2, 0], [0, 1], [1, 1], [0, 0]])
    assert ranks(np.array([[3.0, 0]] * 5), candidates, np.arange(5)).tolist() == [1, 1, 4, 3, 4]
    assert ranks(np.array([[3.0, 0]]), candidates, np.array([2]), [[0, 1, 3]]).tolist() == [1]


def test_a_random_embedding_has_half():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(4000, 20))
    pairs = np.stack([np.arange(2000), np.arange(2000, 4000)], axis=1)
    assert named(synonym_scores(vectors, 2000, pairs), once(2000))["rate"][0] == pytest.approx(50, abs=2)


def test_translations_that_coincide_are_found_both_ways():
    vectors = np.concatenate([np.eye(6), np.eye(6)[[0, 1, 2, 3, 5, 4]]])
    pairs = np.stack([np.arange(6), np.arange(6, 12)], axis=1)
    rates = synonyms(synonym_scores(vectors, 6, pairs), np.array([True] * 4 + [False] * 2), once(6))
    assert rates["sharing"]["p1"] == 100 and rates["not_sharing"]["p1"] == 0
    assert rates["forth"]["p1"] == rates["back"]["p1"] == pytest.approx(100 * 4 / 6)
    sentences = [np.array([0, 1]), np.array([2, 3]), np.array([4, 5])]
    translations = [sentence + 6 for sentence in sentences]
    aligned = directions(alignment_scores(vectors, sentences, translations), once(3))
    assert aligned["both"]["rate"] == 100


def test_a_sentence_without_a_known_word_finds_its_translation_in_the_middle():
    vectors = np.concatenate([np.eye(6), np.eye(6)])
    sentences = [np.array([0, 1]), np.array([2, 3]), np.array([4, 5]), np.array([], int)]
    alignment = alignment_scores(vectors, sentences, [sentence + 6 for sentence in sentences])
    assert alignment[:3, :, 0].tolist() == [[100, 100]] * 3
    assert alignment[3].tolist() == [[75, 0, 100]] * 2  # rank 2 of 4
    excluded = ranks(np.zeros((1, 2)), np.eye(2)[[0, 1, 0, 1, 0]], np.array([4]), [[0, 1]])
    assert excluded.tolist() == [2]  # of three


def vocabulary(pairs):
    first = [f"z{word}" for word in range(2 * pairs)]
    second = [f"j{word}" for word in range(2 * pairs)]
    word_pairs = [
        (first[2 * pair], first[2 * pair + 1], second[2 * pair], second[2 * pair + 1]) for pair in range(pairs)
    ]
    return Vocabulary(first, second, np.ones(4 * pairs, int)), word_pairs


def test_twenty_one_pairs_make_the_questions_of_the_paper():
    words, pairs = vocabulary(22)
    analogies = questions(words, pairs)
    assert analogies.words.shape == (420, 16, 4)
    assert np.bincount(analogies.mix).tolist() == [1, 4, 6, 4, 1]
    assert len({tuple(question) for question in analogies.words.reshape(-1, 4).tolist()}) == 420 * 16
    assert analogies.words.max() < 2 * 44 and set(analogies.words[:, analogies.mix == 4].ravel().tolist()) == set(
        range(42)
    )


def test_analogies_that_are_parallelograms_are_answered_in_every_mix():
    words, pairs = vocabulary(5)
    base = np.eye(5)[np.repeat(np.arange(5), 2)]  # [10, 5]: a pair's words differ in the last column alone
    one_language = np.column_stack([base, np.tile([0.0, 1.0], 5)])
    vectors = np.concatenate([one_language, one_language])
    for exclude in (False, True):
        rates = by_mix(analogy_scores(questions(words, pairs), vectors, 10, exclude=exclude), once(20))
        assert [rates[f"mix_{mix}"]["rate"] for mix in range(5)] == [100] * 5
        assert rates["mixed"]["p1"] == rates["pure"]["p1"] == 100


def test_a_resample_of_pairs_has_the_questions_of_these_pairs():
    analogies = questions(*vocabulary(4))
    times, nothing_drawn = question_weights(analogies, np.array([[2, 0, 1, 1], [4, 0, 0, 0]]))
    drawn_times = {0: 2, 2: 1, 3: 1}
    for pairs, count in zip(analogies.pairs.tolist(), times.tolist(), strict=True):
        assert count == np.prod([drawn_times.get(pair, 0) for pair in pairs])
    of_pairs = [
        {tuple(words) for words in analogies.words[analogies.pairs[:, 0] == pair, 0, :2].tolist()} for pair in range(4)
    ]
    assert [len(words) for words in of_pairs] == [1] * 4  # the first pair of a question is the pair that is named
    assert (nothing_drawn == 1).all()


def test_pairs_outside_the_vocabulary_ask_nothing():
    words, pairs = vocabulary(3)
    assert questions(words, [*pairs, ("z0", "absent", "j0", "j1")]).words.shape == (6, 16, 4)
    assert len(questions(words, [("absent", "z0", "j0", "j1")]).words) == 0
