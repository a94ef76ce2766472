"""The scores of the experiment, and what is made of them."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from repline.systems.corpus_specificity.evaluation import halves, resample, summarise
from repline.systems.corpus_specificity.word_tests import Categories, Questions


def row(method, size, sample, k, *items):
    about = {"method": method, "size": size, "sample": sample, "k": k, "documents": size, "tokens": 10 * size}
    return about | {"score": np.mean(items), "items": list(items), "permuted": -np.mean(items)}


def test_random_vectors_answer_a_quarter_of_the_questions():
    words = [f"w{i}" for i in range(5000)]
    questions = Questions(tuple(tuple(words[i : i + 5]) for i in range(0, 5000, 5)))
    vectors = np.random.default_rng(0).normal(size=(5000, 50))
    scores = questions.scores(words, vectors, 0)
    assert scores["score"] == pytest.approx(25, abs=3)
    assert scores["permuted"] == pytest.approx(25, abs=3)
    assert np.mean(scores["items"]) == pytest.approx(scores["score"])
    assert set(scores["items"]) == {0, 100}


def test_a_tie_is_wrong():
    questions = Questions((("a", "b", "c", "d", "e"), ("f", "g", "h", "i", "j")))
    vectors = np.eye(10)
    vectors[[1, 2]] = [1.0] + [0.0] * 9  # b and c are both a
    vectors[6] = vectors[5]
    assert questions.scores(list("abcdefghij"), vectors, 0)["score"] == 50


def test_categories_by_their_words():
    test = Categories((("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")))
    words = list("hgfedcba")
    scores = test.scores(words, np.repeat(np.eye(4), 2, axis=0), 0)
    assert (scores["score"], scores["items"]) == (1, [1, 1, 1, 1])
    assert scores["permuted"] < 1


def test_a_zero_vector_is_far_from_all_and_a_word_alone_scores_nothing():
    words = list("abcdefg")
    x, y, nothing = (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)
    pairs = Categories((("a", "b"), ("c", "d")))
    assert pairs.scores(words, np.array([x, y, x, y, x, x, x]), 0)["score"] == -0.5
    assert pairs.scores(words, np.array([nothing] * 7), 0)["score"] == 0
    alone = Categories((("a", "b"), ("c",)))
    assert alone.scores(words, np.array([x, x, y, x, x, x, x]), 0)["score"] == pytest.approx(2 / 3)


def test_permuted_categories_score_below_zero():
    groups = tuple(tuple(f"{name}{i}" for i in range(10)) for name in "abcdefghij")
    words = [word for group in groups for word in group]
    vectors = np.repeat(np.eye(10), 10, axis=0) + np.random.default_rng(0).normal(size=(100, 10)) * 0.2
    scores = Categories(groups).scores(words, vectors, 0)
    assert scores["permuted"] < 0 < scores["score"]


def test_the_best_mean_decides_not_the_best_sample():
    rows = [
        row("full", 9, 0, 5, 0.9),
        row("full", 9, 1, 5, 0.1),
        row("full", 9, 0, 10, 0.6),
        row("full", 9, 1, 10, 0.6),
    ]
    full = summarise(rows)["full"]
    assert (full["k"], full["best"], full["standard_error"]) == (10, pytest.approx(0.6), 0)
    assert full["scores"] == {"5": pytest.approx(0.5), "10": pytest.approx(0.6)}
    assert full["standard_errors"]["5"] == pytest.approx(np.std([0.9, 0.1], ddof=1) / np.sqrt(2))
    assert (full["permuted"], full["samples"]) == (pytest.approx(-0.6), 2)


def test_equal_scores_take_the_smaller_dimensionality():
    assert summarise([row("full", 9, 0, k, 0.5) for k in (20, 5, 10)])["full"]["k"] == 5


def test_held_out_is_judged_on_the_other_half():
    """Both dimensionalities have the same mean; each half takes the one that is better on it and worse on the other."""
    rows = [row("full", 9, 0, 5, 0.8, 0.2), row("full", 9, 0, 10, 0.3, 0.7)]
    full = summarise(rows)["full"]
    assert full["held_out"] == pytest.approx((0.2 + 0.3) / 2)
    assert (full["best"], full["k"]) == (0.5, 5)


def test_held_out_is_the_mean_over_all_ways_to_halve_a_short_test():
    scores = np.random.default_rng(3).random((2, 5))
    held_out = []
    for size in (2, 3):
        for half in combinations(range(5), size):
            others = [item for item in range(5) if item not in half]
            held_out += scores[scores[:, half].mean(axis=1).argmax(), others].tolist()
    full = summarise([row("full", 9, 0, k, *scores[number]) for number, k in enumerate((5, 10))])["full"]
    assert full["held_out"] == pytest.approx(np.mean(held_out))


def test_held_out_without_a_choice_spreads_as_the_mean():
    rows = [row("full", 9, 0, 5, *np.random.default_rng(1).random(10))]
    points = [replicate["full"] for replicate in resample(rows)]
    assert [point["held_out"] for point in points] == pytest.approx([point["best"] for point in points])


def test_of_equal_scores_the_smaller_dimensionality_is_judged():
    """On the first two items both have the same mean, though 0.1 + 0.2 is above 0.3 in binary arithmetic."""
    rows = [row("full", 9, 0, 5, 0.3, 0.0, 1.0, 1.0), row("full", 9, 0, 10, 0.1, 0.2, 0.0, 0.0)]
    assert summarise(rows)["full"]["held_out"] == pytest.approx(np.mean([0.3, 0.0, 1.0, 1.0]))


@pytest.mark.parametrize("items", [2, 3, 10, 11, 20])
def test_each_half_chooses_once(items):
    ways = halves(items)
    assert {tuple(way) for way in ways} == {tuple(~way) for way in ways}
    assert set(ways.sum(axis=1)) == {items // 2, items - items // 2}
    assert len(ways) == {2: 2, 3: 6, 10: 252, 11: 200, 20: 200}[items]


def test_resampled_items_are_the_same_for_all_corpora():
    items = np.random.default_rng(0).random(10)
    rows = [row("full", 9, 0, 5, *items), row("random", 3, 0, 5, *(items - 0.1))]
    replicates = resample(rows)
    assert len(replicates) == 200
    best = [replicate["full"]["best"] for replicate in replicates]
    assert np.mean(best) == pytest.approx(items.mean(), abs=0.02)
    assert np.std(best) == pytest.approx(items.std() / np.sqrt(10), rel=0.2)
    differences = [replicate["full"]["best"] - replicate["random"]["smallest"]["best"] for replicate in replicates]
    assert differences == pytest.approx([0.1] * 200)
    assert replicates[0]["random"]["best"] == [replicates[0]["random"]["smallest"]["best"]]


def test_samples_are_drawn_too_and_the_dimensionality_is_chosen_anew():
    rows = [
        row("full", 9, sample, k, *[abs(sample - number)] * 4) for sample in (0, 1) for number, k in enumerate((5, 7))
    ]
    replicates = resample(rows)
    assert {(replicate["full"]["k"], replicate["full"]["best"]) for replicate in replicates} == {
        (5, 1.0),
        (7, 1.0),
    }


def test_a_half_that_is_not_drawn_judges_nothing():
    held_out = [replicate["full"]["held_out"] for replicate in resample([row("full", 9, 0, 5, 0.2, 0.4)])]
    assert {value and round(value, 9) for value in held_out} == {None, 0.3}


def test_methods_by_size():
    full = [row("full", 9, sample, 5, 0.5 + sample / 100) for sample in range(4)]
    rows = [row("random", size, sample, 5, size / 10 + sample / 100) for size in (6, 3) for sample in range(4)]
    result = summarise(full + rows)
    assert result["random"]["sizes"] == [3, 6]
    assert result["random"]["best"] == [pytest.approx(0.315), pytest.approx(0.615)]
    assert result["random"]["smallest"]["documents"] == 3
    expected = ks_2samp([full_row["score"] for full_row in full], [0.3, 0.31, 0.32, 0.33]).pvalue
    assert result["random"]["p"][0] == pytest.approx(expected)
    assert "out_of_domain" not in result


def test_one_sample_has_no_error_and_no_p():
    result = summarise([row("full", 9, 0, 5, 0.5), row("random", 3, 0, 5, 0.2)])
    assert result["full"]["standard_error"] is None
    assert result["random"]["p"] == [None]


def test_the_whole_corpus_is_needed():
    with pytest.raises(ValueError, match="full corpus"):
        summarise([row("random", 3, 0, 5, 0.2)])
