"""What is measured: ranks, similarity, analogies, cuts, allomorphs; each against a count by hand."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.morph2vec.allomorph_neighbours import allomorph_test, average_precision, neighbours
from repline.systems.morph2vec.corpus import Words
from repline.systems.morph2vec.gold_segments import cut_quality
from repline.systems.morph2vec.held_out import Nearness, nearness, replicates, scores
from repline.systems.morph2vec.word_tests import (
    analogy_test,
    printed_cosines,
    printed_scores,
    read_questions,
    read_similarity,
    similarity_test,
    words_of,
)


def test_ranks_count_what_is_nearer_than_the_truth():
    space = np.eye(4, dtype=np.float32)
    predicted = np.array([[0.0, 0, 2, 0], [0.6, 0.8, 0, 0], [0, 0, 0, 0]])
    near = nearness(predicted, np.array([2, 0, 1]), space)
    np.testing.assert_allclose(near.cosines, [1, 0.6, 0], atol=1e-6)
    assert near.ranks.tolist() == [0, 1, 1]  # zeros are as near to all four


def test_scores_are_means_over_runs_and_replicates_draw_words():
    run = Nearness(np.array([0.1, 0.9, 0.5]), np.array([0, 20, 5]))
    assert scores([run, run]) == {"cosine": 0.5, "median_rank": 6, "p10": pytest.approx(2 / 3)}
    drawn = replicates({"a": [run], "b": [run]})
    np.testing.assert_array_equal(drawn["a"]["p10"], drawn["b"]["p10"])
    assert drawn["a"]["p10"].std() > 0 and set(drawn["a"]["median_rank"]) <= {1, 6, 21}


def test_methods_are_compared_on_what_they_know_and_on_what_all_know():
    words = ["a", "b", "c", "d"]
    whole = np.array([[1, 0], [0.9, 0.4], [0.5, 0.8], [0, 1]], dtype=np.float32)
    part = whole.copy()
    part[3] = 0
    pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    order = np.array([5.0, 3, 1, 4, 2])
    numbers, repeated = similarity_test(words, {"whole": [whole], "part": [part]}, (pairs, order))
    assert numbers["whole"] == {"spearman": pytest.approx(1), "common": pytest.approx(1), "kept": 5, "pairs": 5}
    assert numbers["part"]["kept"] == 3 and numbers["part"]["spearman"] == numbers["part"]["common"]
    assert len(repeated["whole"]["spearman"]) == 200


def test_analogies_are_answered_among_all_words():
    words = ["man", "woman", "king", "queen", "noise"]
    matrix = np.array([[1, 0, 0.2], [1, 1, 0.2], [0.2, 0, 1], [0.2, 1, 1], [-1, -1, -1]], dtype=np.float32)
    lacking = matrix.copy()
    lacking[3] = 0
    questions = [("man", "woman", "king", "queen"), ("man", "woman", "king", "noise"), ("man", "x", "king", "queen")]
    numbers, _ = analogy_test(words, {"all": [matrix], "lacking": [lacking]}, questions)
    assert numbers["all"] == {"accuracy": 0.5, "common": 0, "kept": 2, "questions": 3}
    assert numbers["lacking"]["kept"] == 1
    printed = printed_cosines(words, matrix, {"p": ("man", "woman"), "q": ("man", "x")}, {"r": questions[0]})
    assert printed["q"] is None and printed["r"] > 0.9


def test_people_gave_one_to_ten_for_scores_from_zero_to_ten():
    tests = [([("a", "b"), ("c", "d")], np.array([0.0, 10.0])), ([("e", "f")], np.array([5.0]))]
    named = {"least": ("a", "b"), "most": ("c", "d"), "middle": ("e", "f"), "unrated": ("a", "d")}
    assert printed_scores(tests, named) == pytest.approx({"least": 0.1, "most": 1.0, "middle": 0.55})


def test_tests_are_read_in_the_lower_case_of_their_language(tmp_path):
    (tmp_path / "pairs.txt").write_text("IŞIK izler 5.4\nKitap roman 2\nbir iki 1\n")
    pairs, scored = read_similarity(tmp_path / "pairs.txt", "tr")
    assert pairs[0] == ("ışık", "izler") and scored.tolist() == [5.4, 2, 1]
    (tmp_path / "four.txt").write_text("a b c d\n\ne f g h\n")
    questions = read_questions(tmp_path / "four.txt", "tr")
    assert questions == [("a", "b", "c", "d"), ("e", "f", "g", "h")]
    assert words_of([(pairs, scored)], [questions])[:2] == ["ışık", "izler"]
    (tmp_path / "google.txt").write_text(": capital\nA B C D\n: gram1-adverb\nE F G H\n")
    assert read_questions(tmp_path / "google.txt", "en") == [("e", "f", "g", "h")]
    (tmp_path / "broken.txt").write_text("a b c d\na b c\n")
    with pytest.raises(InputError, match=r"broken.txt, line 2: expected four words"):
        read_questions(tmp_path / "broken.txt", "tr")


def test_googles_syntactic_questions_are_those_of_the_paper():
    import gensim

    path = f"{next(iter(gensim.__path__))}/test/test_data/questions-words.txt"
    assert len(read_questions(path, "en")) == 10_675


def test_average_precision_by_hand():
    assert average_precision(["y", "q"], {"y", "z"}) == 0.5
    assert average_precision(["q", "y"], {"y", "z"}) == 0.25
    assert average_precision(["y", "z"], {"y", "z"}) == 1


def test_forms_that_lie_together_are_found():
    names = ["lar", "ler", "da", "de", "x"]
    near = np.array([[1, 0.1], [1, 0], [0.1, 1], [0, 1], [-1, -1]])
    far = near[[0, 2, 1, 3, 4]]
    sets = {"+PL": ("lar", "ler"), "+LOC": ("da", "de", "ta"), "+NONE": ("x", "y")}
    numbers, repeated = allomorph_test(sets, names, {"near": [near], "far": [far]})
    assert numbers["near"] == {"map": 1, "precision": 1} and numbers["far"]["map"] == 0
    assert (numbers["sets"], numbers["forms"]) == (2, 4)
    assert 0 < numbers["chance"]["map"] < 1 and len(repeated["chance"]["map"]) == 200
    assert neighbours(names, near, ["lar", "absent"], 1) == {"lar": ["ler"]}


def test_cuts_of_held_out_words_against_gold():
    space = Words(
        ["walks", "birds", "walk"],
        np.eye(3, dtype=np.float32),
        np.array([True, True, False]),
        [[("walk", "s"), ("walks",)], [("bir", "ds"), ("bird", "s"), ("birds",)], [("walk",)]],
        [[("wal", "ks")], [], []],
    )
    gold = {"walks": [("walk", "s")], "birds": [("bird", "s")], "walk": [("walk",)]}
    numbers, repeated = cut_quality(gold, space, {"chosen": [("walks",), ("bird", "s")]})
    assert numbers["words"] == 2
    assert numbers["first"]["f1"] == 0.5 and numbers["best"]["f1"] == 1
    assert numbers["unseen"]["recall"] == 0 and numbers["chosen"] == {
        "precision": 1,
        "recall": 0.5,
        "f1": pytest.approx(2 / 3),
    }
    assert len(repeated["first"]["f1"]) == 200


def test_intervals_of_similarity_analogies_and_allomorphs_draw_the_runs():
    words = ["man", "woman", "king", "queen", "noise"]
    good = np.array([[1, 0, 0.2], [1, 1, 0.2], [0.2, 0, 1], [0.2, 1, 1], [-1, -1, -1]], dtype=np.float32)
    bad = good[[0, 4, 2, 1, 3]]
    pairs = [("man", "woman"), ("king", "queen"), ("man", "noise"), ("king", "noise")]
    questions = [("man", "woman", "king", "queen")] * 3
    sets = {"royal": ("king", "queen"), "people": ("man", "woman")}
    for measured, key in (
        (similarity_test(words, {"a": [good, bad]}, (pairs, np.array([4.0, 3, 2, 1]))), "spearman"),
        (analogy_test(words, {"a": [good, bad]}, questions), "accuracy"),
        (allomorph_test(sets, words, {"a": [good, bad]}), "map"),
    ):
        numbers, repeated = measured
        single = {
            "spearman": lambda run: similarity_test(words, {"a": [run]}, (pairs, np.array([4.0, 3, 2, 1]))),
            "accuracy": lambda run: analogy_test(words, {"a": [run]}, questions),
            "map": lambda run: allomorph_test(sets, words, {"a": [run]}),
        }[key]
        of_runs = [single(run)[0]["a"][key] for run in (good, bad)]
        assert of_runs[0] > of_runs[1] and numbers["a"][key] == pytest.approx(np.mean(of_runs))
        drawn = repeated["a"][key]
        assert np.nanmin(drawn) <= of_runs[1] and np.nanmax(drawn) >= of_runs[0]
