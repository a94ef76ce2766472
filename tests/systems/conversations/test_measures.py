"""P@N, MAP, the angle and the matrix: the invariants of the measures."""

import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import spearmanr

from repline.corpora.dialogue.conversation_corpus import ROWS
from repline.systems.conversations.corpus import inference_groups, read_turns
from repline.systems.conversations.measures import (
    correlations,
    pearson,
    ranked_conversations,
    resampled_accuracy,
    resampled_responses,
    similarity_metrics,
    word_overlap_ranks,
)
from repline.systems.conversations.question_ranking import (
    average_precision,
    average_precisions,
    expected_in_random_order,
)
from repline.systems.conversations.response_ranking import WordOverlap, blocks, chance, precisions, ranks_of, true_ranks
from repline.systems.conversations.settings import Tuning
from repline.systems.conversations.tuning import angles, tune
from tests.systems.conversations.small_data import write_pairs


def test_blocks_hold_every_pair_at_most_once():
    shuffled = blocks(257, 100, seed=0)
    assert shuffled.shape == (2, 100) and len(set(shuffled.ravel().tolist())) == 200
    assert blocks(30, 100, seed=0).shape == (1, 30)


def test_precision_does_not_fall_with_n_and_a_perfect_ranker_has_it_all():
    random = np.random.default_rng(0)
    texts = np.arange(2000)
    scores = random.normal(size=(2000, 2000))
    ranks = ranks_of(blocks(2000, 100, 0), texts, lambda rows: scores[np.ix_(rows, rows)])
    p_at_n = precisions(ranks)
    assert p_at_n["p1"] <= p_at_n["p3"] <= p_at_n["p10"] and (ranks <= 100).all() and (ranks >= 1).all()
    for cut in (1, 3, 10):
        error = math.sqrt(cut / 100 * (1 - cut / 100) / 2000)
        assert abs(p_at_n[f"p{cut}"] - chance(100, 2000)[f"p{cut}"]) < 3 * error
    assert precisions(true_ranks(np.eye(50), np.arange(50))) == {"p1": 1, "p3": 1, "p10": 1}


def test_chance_is_that_of_the_candidates_that_there_are():
    assert chance(100, 100) == chance(100, 5000) == {"p1": 0.01, "p3": 0.03, "p10": 0.1}
    assert chance(100, 20) == {"p1": 0.05, "p3": 0.15, "p10": 0.5}, "fewer test pairs than candidates"
    assert chance(100, 5) == {"p1": 0.2, "p3": 0.6, "p10": 1}


def test_ties_have_the_mean_rank_and_equal_texts_are_no_rivals():
    assert true_ranks(np.zeros((5, 5)), np.arange(5)).tolist() == [3] * 5
    scores = np.array([[1.0, 2.0, 2.0], [0.0, 1.0, 0.0], [3.0, 3.0, 3.0]])
    assert true_ranks(scores, np.array([0, 1, 2])).tolist() == [3, 1, 2]
    assert true_ranks(scores, np.array([0, 0, 2])).tolist() == [2, 1, 2]


def test_word_overlap_finds_the_reply_that_repeats_the_message():
    messages = [["what", "is", "a", "zebu"], ["who", "likes", "tea"]]
    ranker = WordOverlap([*messages, ["a", "cat"]])
    scores = ranker.scores(messages, [["a", "zebu"], ["tea"]])(np.array([0, 1]))
    assert true_ranks(scores, np.arange(2)).tolist() == [1, 1]


def test_resampled_precisions_lie_around_the_measured_one():
    ranks = np.array([1.0] * 30 + [50.0] * 70)
    replicates = resampled_responses([{"all": ranks}, {"all": ranks[::-1]}], {"all": np.arange(100)})
    p_at_1 = [replicate["all"]["p1"] for replicate in replicates]
    assert abs(np.mean(p_at_1) - 0.3) < 0.02 and 0.02 < np.std(p_at_1) < 0.07


def test_the_messages_of_a_conversation_are_drawn_together():
    is_ranked_first = np.arange(20) % 2
    ranks = {"all": np.repeat(np.where(is_ranked_first, 1.0, 50.0), 5)}
    conversations = {"all": np.repeat(np.arange(20), 5)}
    p_at_1 = [replicate["all"]["p1"] for replicate in resampled_responses([ranks], conversations)]
    assert np.allclose(np.multiply(p_at_1, 20), np.round(np.multiply(p_at_1, 20)))
    assert 0.09 < np.std(p_at_1) < 0.14  # of 20 conversations 0.112, of 100 messages 0.05


def test_pairs_of_inference_about_one_noun_are_drawn_together(tmp_path):
    write_pairs(tmp_path, [("test", "a cat", "an animal", "yes", None, noun) for noun in "aaabbb"] + [
        ("test", "a cat", "a dog", "no", None, ""),
        ("dev", "a cat", "a dog", "no", None, "c"),
    ])  # fmt: skip
    groups = inference_groups(tmp_path)
    assert groups == ["a", "a", "a", "b", "b", "b", "6"]  # a pair without a group is one of its own
    right = np.array([True] * 3 + [False] * 3)
    drawn = [replicate["accuracy"] for replicate in resampled_accuracy([right], groups[:6])]
    assert set(drawn) == {0.0, 0.5, 1.0}


def _write_echoes(folder):
    """Conversations of three turns: in those of tea all turns are one word, in those of cats the reply is another."""
    columns = {name: [] for name in ROWS.names}
    for number in range(40):
        words = ("tea", "tea", "tea") if number % 2 else ("cat", "dog", "cat")
        for turn, word in enumerate(words):
            split = ("test", "train", "dev", "test")[number // 2 % 4]
            for column, value in zip(columns.values(), (f"c{number}", turn, [word], split, True), strict=True):
                column.append(value)
    folder.mkdir()
    pq.write_table(pa.table(columns, schema=ROWS), folder / "part-00000.parquet")


def test_ranks_come_with_the_number_of_their_conversation(tmp_path):
    for name in ("first", "second"):  # with the same names of conversations
        _write_echoes(tmp_path / name)
    turns = read_turns({name: tmp_path / name for name in ("first", "second")})
    assert turns.conversations.tolist() == np.repeat(np.arange(80), 3).tolist()
    ranks = word_overlap_ranks(turns, candidates=8, seed=0)
    conversations = ranked_conversations(turns, candidates=8, seed=0)
    assert ranks.keys() == conversations.keys() == {"all", "first", "second"}
    for name, numbers in conversations.items():
        assert (numbers % 2 == 1).tolist() == (ranks[name] == 1).tolist()
    assert set(conversations["all"].tolist()) == set(turns.conversations[turns.of_split("test")].tolist())


def test_average_precision_by_hand():
    good = np.zeros(10, bool)
    good[[0, 2, 3]] = True
    assert math.isclose(average_precision(good, -np.arange(10.0)), (1 + 2 / 3 + 3 / 4) / 3)
    assert average_precision(np.zeros(3, bool), np.arange(3.0)) == 0
    assert average_precision(good, np.zeros(10)) == average_precision(good, -np.arange(10.0))


def test_a_question_without_a_good_one_counts_as_zero():
    groups, good = ["a", "a", "b", "b"], np.array([False, True, False, False])
    assert average_precisions(groups, good, np.array([1.0, 0.0, 1.0, 0.0])).tolist() == [0.5, 0.0]
    assert np.allclose(expected_in_random_order(groups, good, draws=2000), [0.75, 0], atol=0.03)


def test_angles_of_equal_orthogonal_and_opposite_vectors():
    u = np.array([[2.0, 0.0]] * 4)
    v = np.array([[1.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [0.0, 0.0]])
    assert np.allclose(angles(u, v), [0, -math.pi / 2, -math.pi, -math.pi / 2])


def test_angles_rank_as_cosines_and_are_distances():
    random = np.random.default_rng(0)
    u, v, w = random.normal(size=(3, 300, 5))
    cosines = (u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)
    assert spearmanr(angles(u, v), cosines).statistic == pytest.approx(1)
    assert (-angles(u, w) <= -angles(u, v) - angles(v, w) + 1e-9).all()


def test_a_matrix_that_is_a_multiple_of_one_changes_nothing():
    u, v = np.random.default_rng(0).normal(size=(2, 50, 5))
    assert np.allclose(angles(u @ (3 * np.eye(5)), v @ (3 * np.eye(5))), angles(u, v))


def _pairs(count, seed):
    """Vectors of which only the first two numbers say how alike two sentences are."""
    random = np.random.default_rng(seed)
    u, v = random.normal(size=(2, count, 6))
    v[:, :2] += 2 * u[:, :2] * random.random((count, 1))
    return u, v, angles(u[:, :2], v[:, :2])


def test_tuning_finds_the_dimensions_that_count_on_new_pairs():
    train, dev, test = _pairs(600, 0), _pairs(200, 1), _pairs(400, 2)
    matrix = tune(*train, dev, Tuning(steps=60, learning_rate=0.02))
    before = pearson(angles(*test[:2]), test[2])
    after = pearson(angles(*(side @ matrix.T for side in test[:2])), test[2])
    assert after > before + 0.1


def test_tuning_keeps_the_step_that_is_best_on_dev():
    train, dev = _pairs(100, 0), _pairs(100, 1)
    opposite = (*dev[:2], -dev[2])
    assert np.allclose(tune(*train, opposite, Tuning(steps=1)), np.eye(6))


def test_correlations_are_of_all_and_of_groups():
    similar, scores = np.array([1.0, 2.0, 3.0, 1.0]), np.array([1.0, 2.0, 1.0, 3.0])
    r = correlations(similar, scores, np.array(["news", "news", "captions", "captions"]))
    assert r.keys() == {"all", "captions", "news"}
    assert r["news"] == pytest.approx(1) and r["captions"] == pytest.approx(-1)
    assert r["all"] == pytest.approx(np.corrcoef(similar, scores)[0, 1])
    assert pearson(np.ones(3), np.arange(3.0)) == 0


def test_pearson_of_the_cosine_differs_where_spearman_does_not():
    similar = -np.array([0.1, 0.2, 1.0, 1.5, 3.0])
    groups = np.array([""] * 5)
    metrics = similarity_metrics(
        {"untuned": {"test": similar}}, {"test": np.array([5.0, 4, 3, 2, 0])}, {"test": groups}
    )
    measured = metrics["untuned"]["test"]
    assert measured["spearman"] == pytest.approx(1) and abs(measured["all"] - measured["cosine"]) > 0.005
