import numpy as np
import pytest

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.outliers import outlier_detection, position
from repline.evaluation.word_vectors.synonyms import synonyms

ANGLES = {"word": 0, "near": 10, "twin": -10, "middle": 40, "far": 90, "back": 180}
EMBEDDING = Embedding(
    list(ANGLES), np.array([[np.cos(np.radians(x)), np.sin(np.radians(x))] for x in ANGLES.values()], dtype=np.float64)
)


def test_the_nearest_option_is_the_synonym():
    solved, wrong = ("word", "near", "middle", "far"), ("word", "middle", "near", "far")
    result = synonyms(EMBEDDING, [solved, solved, solved, wrong])
    assert result["accuracy"] == result["accuracy_penalised"] == 0.75
    assert (result["questions"], result["kept"], result["coverage"]) == (4, 4, 1)


def test_a_tie_is_wrong():
    assert synonyms(EMBEDDING, [("word", "near", "near", "far")])["accuracy"] == 0


def test_a_tie_but_for_rounding_is_wrong():
    matrix = np.array([[1, 1, 1, 1, 1], [1, 2, 3, 5, 7], [1, 3, 2, 5, 7]], dtype=np.float32)
    embedding = Embedding(["word", "left", "right"], matrix)
    first, second = (synonyms(embedding, [("word", *options)]) for options in (("left", "right"), ("right", "left")))
    assert first["accuracy"] == second["accuracy"] == 0


def test_questions_with_missing_words():
    questions = [
        ("word", "near", "far", "back"),
        ("word", "near", "missing", "far"),  # right: what is missing cannot be chosen
        ("word", "missing", "near", "far"),
        ("missing", "near", "middle", "far"),
    ]
    result = synonyms(EMBEDDING, questions)
    assert (result["accuracy"], result["kept"], result["coverage"]) == (1, 1, 0.25)
    assert result["accuracy_penalised"] == 0.5
    assert synonyms(EMBEDDING, [("x", "y", "z")])["accuracy"] is None
    with pytest.raises(ValueError, match="at least one other option"):
        synonyms(EMBEDDING, [("word", "near")])


def test_positions_by_hand():
    # mean cosines with the others (sums): 0 deg: 1.970 + 0; 10: .985 + .940 + .174; -10: .985 + .940 - .174; 90: 0
    directions = EMBEDDING.matrix[[0, 1, 2, 4]]
    sums = [np.cos(np.radians([10, 10, 90])), np.cos(np.radians([10, 20, 80])), np.cos(np.radians([10, 20, 100]))]
    assert np.argsort([-row.sum() for row in sums]).tolist() == [1, 0, 2]
    assert position(directions) == 3
    assert position(directions[[0, 2, 3, 1]]) == 0  # the most compact one stands first
    assert position(directions[[1, 2, 3, 0]]) == 1
    assert position(np.array([[1.0, 0], [1, 0], [1, 0]])) == 0  # as compact as the outlier counts as after it


def test_accuracy_and_opp():
    members = ["word", "near", "twin"]
    result = outlier_detection(EMBEDDING, [(members, ["far", "back"])])
    assert (result["accuracy"], result["opp"], result["questions"]) == (1, 1, 2)
    # the outlier is the most compact: position 0 of 3
    hidden = outlier_detection(EMBEDDING, [(members, ["far"]), (["word", "twin", "far"], ["near"])])
    assert (hidden["accuracy"], hidden["opp"]) == (0.5, 0.5)


def test_outliers_with_missing_words():
    groups = [
        (["word", "near", "missing"], ["far", "missing"]),  # two members are left; the second outlier is missing
        (["word", "missing"], ["far"]),  # one member is none to belong to
    ]
    result = outlier_detection(EMBEDDING, groups)
    assert (result["questions"], result["kept"], result["coverage"]) == (3, 1, pytest.approx(1 / 3))
    assert (result["accuracy"], result["opp"]) == (1, 1)
    assert (result["accuracy_penalised"], result["opp_penalised"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    nothing = outlier_detection(EMBEDDING, [(["x", "y"], ["z"])])
    assert (nothing["accuracy"], nothing["opp"], nothing["accuracy_penalised"]) == (None, None, 0)
