"""What is measured of a space on its own items and on resampled ones, with and without the constrained items."""

import numpy as np
import pytest

from repline.evaluation.replication.bootstrap import drawn_items
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.systems.lexical_contrast import space_scores
from repline.systems.lexical_contrast.antonyms import Question, closest_opposite, contrast

WORDS = [f"w{number}" for number in range(30)]


@pytest.fixture
def spaces():
    random = np.random.default_rng(0)
    return [Embedding(WORDS, random.normal(size=(30, 4))) for _ in range(3)]


@pytest.fixture
def questions():
    random = np.random.default_rng(1)
    rows = [random.permutation(WORDS)[:6].tolist() for _ in range(12)]
    return [Question(row[0], tuple(row[1:]), 0, 3) for row in rows]


def test_the_first_weights_give_the_number_itself_and_the_others_that_of_the_drawn_questions(spaces, questions):
    measured = space_scores.opposites_of(spaces[0], questions, weights_of(12, 4), np.zeros(12, dtype=bool), spaces[1])
    assert measured["unconstrained"] == {}
    for name, options in (("farthest", {}), ("nearest", {"rule": "nearest"}), ("related", {"related": True})):
        assert measured[name][0] == pytest.approx(closest_opposite(spaces[0], questions, **options)["f1"])
        drawn = [questions[item] for item in drawn_items(12, 2)]
        assert measured[name][3] == pytest.approx(closest_opposite(spaces[0], drawn, **options)["f1"])


def test_free_questions_are_those_without_a_constraint_and_the_start_is_measured_on_the_same(spaces, questions):
    question = questions[0]
    free = space_scores.free_of(questions, frozenset([frozenset((question.options[2], question.cue))]))
    assert free.tolist() == [False] + [True] * 11  # the second synonym of the first question
    assert space_scores.free_of(
        [question], frozenset([frozenset((question.cue, question.options[3]))])
    ).all()  # no related option
    assert not space_scores.free_of(questions, None).any()
    weights = weights_of(12, 2)
    measured = space_scores.opposites_of(spaces[0], questions, weights, free, spaces[1])["unconstrained"]
    assert measured["related"][0] == pytest.approx(closest_opposite(spaces[0], questions[1:], related=True)["f1"])
    assert measured["start_related"][0] == pytest.approx(closest_opposite(spaces[1], questions[1:], related=True)["f1"])


def test_similarity_of_free_pairs_and_of_the_start_on_the_same_pairs(spaces):
    pairs = list(zip(WORDS[:20], WORDS[5:25], strict=True))
    scores = np.arange(20.0)
    free = ~space_scores.in_constraints(pairs, frozenset([frozenset((WORDS[5], WORDS[0].upper().lower()))]))
    assert free.tolist() == [False] + [True] * 19
    measured = space_scores.similarity_of(spaces[0], pairs, scores, weights_of(20, 3), free, spaces[1])
    assert measured["spearman"][0] == pytest.approx(similarity(spaces[0], pairs, scores)["spearman"])
    assert measured["unconstrained"][0] == pytest.approx(similarity(spaces[0], pairs[1:], scores[1:])["spearman"])
    assert measured["start_unconstrained"][0] == pytest.approx(similarity(spaces[1], pairs[1:], scores[1:])["spearman"])


def test_the_threshold_of_unconstrained_pairs_is_tuned_on_such_pairs(spaces):
    pairs, labels = list(zip(WORDS[:20], WORDS[5:25], strict=True)), np.arange(20) % 2
    parts = ((pairs[:10], labels[:10]), (pairs[10:], labels[10:]))
    constrained = frozenset(map(frozenset, [pairs[0], pairs[1], pairs[10], pairs[11]]))
    measured = space_scores.contrast_of(spaces[0], parts, weights_of(10, 2), constrained, spaces[1])
    assert measured["f1"][0] == pytest.approx(contrast(spaces[0], *parts)["f1"])
    free = ((pairs[2:10], labels[2:10]), (pairs[12:], labels[12:]))
    assert measured["unconstrained"]["f1"][0] == pytest.approx(contrast(spaces[0], *free)["f1"])
    assert measured["unconstrained"]["start_f1"][0] == pytest.approx(contrast(spaces[1], *free)["f1"])
    everything = frozenset(map(frozenset, pairs))
    assert space_scores.contrast_of(spaces[0], parts, np.ones((1, 10)), everything, spaces[1])["unconstrained"] == {}


def test_runs_have_a_mean_and_replicates_draw_them():
    runs = [{"a": {"x": np.array([1.0, 2.0, 3.0])}}, {"a": {"x": np.array([3.0, 4.0, 5.0])}}]
    assert numbers(runs) == {"a": {"x": 2.0}}
    assert numbers([{"x": np.array([np.nan, 1.0])}]) == {"x": None}
    parts = replicates(runs)
    assert len(parts) == 2
    assert parts[0]["a"]["x"] in (2.0, 3.0, 4.0)
