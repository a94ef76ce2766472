import numpy as np
import pytest

from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.lexical_contrast.antonyms import (
    Question,
    best_threshold,
    closest_opposite,
    contrast,
    contrast_scores,
    linked,
    looked_up,
    tuned_contrast_scores,
)

#                     cue     hot     warm        side    cold
SPACE = Embedding(
    ["cue", "same", "near", "side", "opposite"],
    np.array([(1.0, 0.0), (2.0, 0.0), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.1)]),
)


def question(*options, cue="cue", answer=0, related=0):
    return Question(cue, options, answer, related)


def test_the_farthest_or_the_nearest_option_answers():
    questions = [question("opposite", "same", "side"), question("near", "same", "opposite")]
    assert closest_opposite(SPACE, questions)["precision"] == 0.5
    assert closest_opposite(SPACE, questions, "nearest")["precision"] == 0
    assert closest_opposite(SPACE, [question("opposite", "same", "side", answer=1)], "nearest")["f1"] == 1


def test_f1_is_accuracy_when_everything_is_answered():
    questions = [question("opposite", "near"), question("side", "opposite"), question("side", "same")]
    result = closest_opposite(SPACE, questions)
    assert result["answered"] == result["questions"] == 3
    assert result["f1"] == result["precision"] == result["recall"] == pytest.approx(2 / 3)


def test_vectors_that_tell_nothing_apart_find_no_opposite():
    space = Embedding(["cue", "a", "b", "c"], np.ones((4, 2)))
    questions = [question("a", "b", "c"), question("b", "a", "c", answer=2)]
    for rule in ("farthest", "nearest"):
        result = closest_opposite(space, questions, rule)
        assert (result["f1"], result["answered"]) == (0, 2)
    assert closest_opposite(SPACE, [question("opposite", "opposite")])["f1"] == 0


def test_unanswered_questions_lower_the_recall_alone():
    questions = [
        question("opposite", "same"),
        question("opposite", "same", cue="unseen"),
        question("never", "nowhere"),
        question("opposite", "never"),
    ]
    result = closest_opposite(SPACE, questions)
    assert (result["answered"], result["precision"], result["recall"]) == (2, 1.0, 0.5)
    assert result["f1"] == pytest.approx(2 / 3)
    assert closest_opposite(SPACE, questions[1:3])["f1"] == 0


def test_only_the_related_options_when_asked():
    questions = [question("side", "same", "near", "opposite", related=3)]
    assert closest_opposite(SPACE, questions)["f1"] == 0
    assert closest_opposite(SPACE, questions, related=True)["f1"] == 1


def test_the_lookup_answers_what_the_constraints_hold():
    questions = [question("a", "b"), question("b", "a"), question("b", "c")]
    result = looked_up(questions, {frozenset(("cue", "a"))})
    assert (result["answered"], result["precision"], result["recall"]) == (2, 0.5, pytest.approx(1 / 3))


def test_a_threshold_is_learnt_and_missing_words_are_errors_of_both_classes():
    validation = ([("cue", "same"), ("cue", "near"), ("cue", "side"), ("cue", "opposite")], np.array([0, 0, 1, 1]))
    perfect = contrast(SPACE, validation, validation)
    assert (perfect["f1"], perfect["f1_synonym"], perfect["f1_antonym"]) == (1, 1, 1)
    assert 0 <= perfect["threshold_f1"] < 0.9
    test = ([*validation[0], ("cue", "unseen"), ("unseen", "cue")], np.array([0, 0, 1, 1, 0, 1]))
    result = contrast(SPACE, validation, test)
    assert (result["pairs"], result["kept"]) == (6, 4)
    # two of two known synonyms right, one unknown synonym missed, and one unknown antonym taken for a synonym
    assert result["f1_synonym"] == result["f1_antonym"] == pytest.approx(2 * 2 / (3 + 3))
    for label in (0, 1):  # two more of one class: the other class gets two wrong ones, this one misses two
        test = ([*validation[0], ("cue", "unseen"), ("unseen", "cue")], np.array([0, 0, 1, 1, label, label]))
        result = contrast(SPACE, validation, test)
        assert result["f1_synonym"] == result["f1_antonym"] == pytest.approx(2 * 2 / (2 + 4))
    swapped = contrast(SPACE, validation, (validation[0], 1 - validation[1]))
    assert swapped["f1"] == 0


def test_each_score_has_the_threshold_that_is_best_for_it():
    rng = np.random.default_rng(0)
    labels = (rng.random(60) < 0.5).astype(int)
    pairs = rng.normal(0.1 - 0.2 * labels, 0.3), np.ones(60, bool), labels
    once = np.ones((1, 60))
    for name in ("f1", "f1_synonym", "f1_antonym"):
        tried = [contrast_scores(pairs, threshold, once)[name][0] for threshold in (-1.0, *pairs[0])]
        assert contrast_scores(pairs, best_threshold(pairs, name), once)[name][0] == max(tried)
    all_synonyms, mean = (contrast_scores(pairs, best_threshold(pairs, name), once) for name in ("f1_synonym", "f1"))
    assert mean["f1"][0] > all_synonyms["f1"][0]


def test_the_reported_scores_and_thresholds_are_those_that_are_best_on_the_validation_pairs():
    rng = np.random.default_rng(1)
    validation, test = ((rng.uniform(-1, 1, 40), rng.random(40) < 0.8, rng.integers(0, 2, 40)) for _ in range(2))
    once = np.ones((1, 40))
    scores = tuned_contrast_scores(validation, test, once)
    thresholds = {name: best_threshold(validation, name) for name in ("f1", "f1_synonym", "f1_antonym")}
    assert len(set(thresholds.values())) == 3
    for name, threshold in thresholds.items():
        assert scores[f"threshold_{name}"].tolist() == [threshold]
        assert scores[name] == contrast_scores(test, threshold, once)[name]
    assert scores["called_synonyms"] == (test[0] > thresholds["f1"])[test[1]].mean()


@pytest.mark.parametrize("seed", range(20))
def test_the_threshold_of_f1_synonym_ignores_validation_antonyms_without_vectors(seed):
    rng = np.random.default_rng(seed)
    cosines, labels, have_vectors = rng.uniform(-1, 1, 30), rng.integers(0, 2, 30), np.ones(30, bool)
    unknown = (np.concatenate([cosines, np.zeros(40)]), np.arange(70) < 30, np.concatenate([labels, np.ones(40, int)]))
    assert best_threshold(unknown, "f1_synonym") == best_threshold((cosines, have_vectors, labels), "f1_synonym")


def test_the_share_of_pairs_called_synonyms_is_told():
    validation = ([("cue", "same"), ("cue", "near"), ("cue", "side"), ("cue", "opposite")], np.array([0, 0, 1, 1]))
    test = ([*validation[0], ("cue", "unseen"), ("near", "same")], np.array([0, 0, 1, 1, 0, 1]))
    assert contrast(SPACE, validation, test)["called_synonyms"] == pytest.approx(3 / 5)


def test_questions_whose_cue_or_answer_share_a_word_are_linked():
    questions = [question("a", "x"), question("cue", "x", cue="a"), question("c", "a", cue="b"), question("d", cue="c")]
    groups = linked(questions)
    assert groups[0] == groups[1] != groups[2] == groups[3]
    assert linked([]).tolist() == []
