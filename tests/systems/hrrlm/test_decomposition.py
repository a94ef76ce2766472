"""The AUC of form and meaning on spaces whose structure is known."""

import numpy as np
import pytest

from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.hrrlm.decomposition import CATEGORIES, decomposition, pair_space, resampled_areas, roc, verb_pairs

PAIRS = {category: [(f"{category}{verb}", f"{category}{verb}s") for verb in range(30)] for category in CATEGORIES}
WORDS = [word for pairs in PAIRS.values() for pair in pairs for word in pair]


def _embedding(forms, verbs, noise=0.0, seed=0):
    """Vectors of a form's one-hot vector times `forms`, a verb's random one times `verbs`, and noise."""
    random = np.random.default_rng(seed)
    form = np.tile(np.eye(2), (len(WORDS) // 2, 1))
    verb = np.repeat(random.normal(size=(len(WORDS) // 2, 40)), 2, axis=0)
    matrix = np.hstack([forms * form, verbs * verb, noise * random.normal(size=(len(WORDS), 40))])
    return Embedding(WORDS, matrix.astype(np.float32))


def test_random_vectors_are_as_good_as_guessing():
    measured = decomposition(_embedding(0, 0, 1), PAIRS)
    assert measured["syntactic"] == pytest.approx(0.5, abs=0.05)
    assert measured["semantic"] == pytest.approx(0.5, abs=0.05)
    assert {category: areas["pairs"] for category, areas in measured["categories"].items()} == dict.fromkeys(PAIRS, 30)


def test_forms_as_one_hot_vectors_are_told_apart_perfectly():
    measured = decomposition(_embedding(30, 1), PAIRS)
    assert measured["syntactic"] == 1
    assert measured["semantic"] < 0.9  # two forms of a verb are never of one form


def test_verbs_that_share_a_vector_are_found():
    measured = decomposition(_embedding(0, 1, 0.1), PAIRS)
    assert measured["semantic"] > 0.99
    assert measured["syntactic"] < 0.5  # the nearest pairs are of different form


def test_pairs_outside_the_vocabulary_do_not_count():
    pairs = PAIRS | {"past-tense": [*PAIRS["past-tense"][:4], ("unheard", "of"), (WORDS[0], "nowhere")]}
    measured = decomposition(_embedding(0, 1), pairs)["categories"]["past-tense"]
    assert measured["pairs"] == 4
    few = decomposition(_embedding(0, 1), PAIRS | {"past-tense": PAIRS["past-tense"][:1]})
    assert few["categories"]["past-tense"] == {"syntactic": None, "semantic": None, "pairs": 1}
    assert few["semantic"] is None
    nothing = decomposition(_embedding(0, 1), {"past-tense": [("unheard", "of")]})
    assert nothing["categories"]["past-tense"]["pairs"] == 0


def test_a_word_in_two_pairs_is_not_its_own_relation():
    embedding = Embedding(["be", "is", "are", "was"], np.eye(4, dtype=np.float32))
    measured = decomposition(embedding, {"plural-verbs": [("be", "is"), ("be", "are"), ("was", "is")]})
    assert measured["semantic"] == 0.5  # all cosines of different words are 0; "be" with itself would be 1


def test_curves_end_in_the_corners():
    false, true = roc(_embedding(0, 1, 0.1), PAIRS["past-tense"], "semantic")
    assert (false[0], true[0]) == (0, 0) and (false[-1], true[-1]) == (1, 1)
    with pytest.raises(ValueError, match="needs two pairs of words, found 1"):
        roc(_embedding(0, 1), PAIRS["past-tense"][:1], "semantic")


def test_pairs_come_from_the_questions_of_their_section():
    questions = [("go", "going", "be", "being"), ("be", "being", "do", "doing"), ("go", "went", "be", "was")]
    sections = ["gram5-present-participle", "gram5-present-participle", "gram7-past-tense"]
    assert verb_pairs(questions, sections, CATEGORIES[1:]) == {
        "past-tense": [("go", "went"), ("be", "was")],
        "present-participle": [("go", "going"), ("be", "being"), ("do", "doing")],
    }
    with pytest.raises(ValueError, match="no question belongs to plural-verbs"):
        verb_pairs(questions, sections)


def test_every_pair_once_is_the_measurement_itself_and_repeated_pairs_are_one_verb():
    embedding = _embedding(1, 1, 0.5)
    measured = decomposition(embedding, PAIRS)["categories"]["past-tense"]
    space = pair_space(embedding, PAIRS["past-tense"])
    areas = resampled_areas(space, np.arange(30))
    assert areas == pytest.approx({truth: measured[truth] for truth in areas})
    assert resampled_areas(space, np.zeros(30, dtype=int)) == {"syntactic": None, "semantic": None}  # one verb's words
    perfect = pair_space(_embedding(0, 1), PAIRS["past-tense"])
    assert resampled_areas(perfect, np.arange(30) // 2)["semantic"] == 1  # a pair drawn twice is not two verbs
