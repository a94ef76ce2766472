"""The evaluation of lexical contrast draws what is not independent together, and says where its thresholds lie."""

from itertools import pairwise

import numpy as np
import pytest

from repline.systems.lexical_contrast.antonyms import Question
from repline.systems.lexical_contrast.corpus import HELD_OUT, SETS, Space
from repline.systems.lexical_contrast.evaluation import evaluate
from repline.systems.lexical_contrast.settings import load
from tests.stages import parameter_files

WORDS = [f"w{number}" for number in range(30)]


@pytest.fixture
def evaluated():
    """Evaluates questions and pairs on the start alone, in random vectors."""
    sets = dict.fromkeys((*SETS, HELD_OUT), np.empty((0, 2), np.int64))
    space = Space(WORDS, np.random.default_rng(0).normal(size=(30, 4)), sets)
    settings = load({"lexical_contrast": parameter_files.shared()["lexical_contrast"] | {"contrast": "pairs"}})
    pairs, labels = list(zip(WORDS[:20], WORDS[5:25], strict=True)), np.arange(20) % 2
    contrasts = {"noun": ((pairs[:10], labels[:10]), (pairs[10:], labels[10:]))}
    return lambda questions: evaluate({}, space, settings, questions, contrasts)


def questions_of(pairs):
    return [Question(cue, (answer, "w28", "w29"), 0, 3) for cue, answer in pairs]


def scores_of(evaluation, rule="farthest"):
    return {replicate["start"]["opposites"][rule] for replicate in evaluation.replicates}


def test_questions_that_share_a_word_are_drawn_together(evaluated):
    chain = evaluated(questions_of(pairwise(WORDS[:13])))
    number = chain.metrics["start"]["opposites"]["farthest"]
    assert 0 < number < 1
    assert scores_of(chain) == {number}  # one group, which every replicate draws whole
    apart = evaluated(questions_of(zip(WORDS[0:24:2], WORDS[1:24:2], strict=True)))
    assert len(scores_of(apart)) > 3


def test_the_thresholds_and_the_share_called_synonyms_are_in_the_metrics(evaluated):
    scores = evaluated(questions_of([WORDS[:2]])).metrics["start"]["contrast"]["pairs"]["noun"]
    assert scores.keys() == {
        *("f1", "f1_synonym", "f1_antonym", "threshold_f1", "threshold_f1_synonym", "threshold_f1_antonym"),
        *("called_synonyms", "unconstrained", "pairs", "kept"),
    }
    assert 0 <= scores["called_synonyms"] <= 1
