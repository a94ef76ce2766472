import pytest

from repline.evaluation.entity_spans import entity_scores, f1_gain, resampled_f1

GOLD = [["B-person", "I-person", "O", "B-location"], ["O", "B-company"], ["O"]]
PREDICTED = [["B-person", "I-person", "O", "B-name"], ["B-name", "B-company"], ["O"]]


def test_types_that_the_gold_standard_lacks_count_as_spans_alone():
    scores = entity_scores(GOLD, PREDICTED)
    assert (scores["overall"]["precision"], scores["overall"]["recall"]) == (1, pytest.approx(2 / 3))
    assert (scores["spans"]["precision"], scores["spans"]["recall"]) == (0.75, 1)
    assert scores["location"]["recall"] == 0
    low, high = scores["overall"]["f1_interval"]
    assert 0 <= low <= scores["overall"]["f1"] <= high <= 1


def test_a_gain_is_paired():
    assert f1_gain(GOLD, PREDICTED, PREDICTED) == {"f1": 0, "interval": [0, 0]}
    gain = f1_gain(GOLD, GOLD, PREDICTED)
    assert gain["f1"] == pytest.approx(0.2)
    assert gain["interval"][0] >= 0


def test_no_entity_is_no_score():
    assert set(resampled_f1([["O"]], [["O"]])) == {0.0}


def test_no_sentence_is_no_score_and_no_crash():
    assert entity_scores([], [])["overall"]["f1_interval"] == [0, 0]
    assert f1_gain([], [], []) == {"f1": 0, "interval": [0, 0]}
