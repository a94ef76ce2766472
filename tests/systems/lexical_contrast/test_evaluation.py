"""The evaluation of lexical contrast draws what is not independent together, and says where its thresholds lie."""

from itertools import pairwise

import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.lexical_contrast.antonyms import Question
from repline.systems.lexical_contrast.corpus import HELD_OUT, QUESTIONS, SETS, Space, read_questions
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
    return lambda questions, **others: evaluate({}, space, settings, questions, contrasts, other_questions=others)


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


def test_questions_of_another_source_have_numbers_of_their_own(evaluated):
    questions = questions_of([WORDS[:2], WORDS[2:4]])
    alone = evaluated(questions)
    asked = [Question("w4", ("w5", "w6", "w7"), related=1), Question("w8", ("unknown", "w9"), related=1)]
    both = evaluated(questions, given=asked)
    scores = both.metrics["start"].pop("questions")["given"]
    assert scores["farthest"] in (0, 0.5)  # the second question has one option, which is wrong
    assert (scores["questions"], scores["answered"], scores["unconstrained_questions"]) == (2, 2, 0)
    assert "related" not in scores  # nothing is to be chosen among the opposite alone
    assert both.metrics.pop("questions")["given"] == {
        "lookup": {"f1": 0.0, "precision": 0.0, "recall": 0.0, "questions": 2, "answered": 0},
        "chance": pytest.approx((1 / 3 + 1 / 2) / 2),
        "pairs_in": {"pairs": 2} | dict.fromkeys(SETS, 0),
    }
    assert both.metrics == alone.metrics
    drawn = {replicate["start"]["questions"]["given"]["farthest"] for replicate in both.replicates}
    assert drawn <= {0, 0.5, 1}
    first_draws = [replicate["start"]["opposites"] for replicate in alone.replicates]
    assert [replicate["start"]["opposites"] for replicate in both.replicates] == first_draws


def test_questions_are_read_in_the_form_of_the_gre(tmp_path):
    lines = "\ufeffadroit: prim Unskillful strong :: unskillful\r\n\r\nhiatus : nexus vortex :: nexus\n"
    (tmp_path / "test.txt").write_text(lines, encoding="utf-8", newline="")
    assert read_questions(tmp_path) == [
        Question("adroit", ("unskillful", "prim", "strong"), related=1),
        Question("hiatus", ("nexus", "vortex"), related=1),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("adroit prim unskillful :: unskillful", "expected `cue: options :: opposite`"),
        ("adroit: prim unskillful", "expected `cue: options :: opposite`"),
        ("adroit: prim apt :: unskillful", "the opposite 'unskillful' among them, found 'prim apt'"),
        ("adroit: prim prim apt :: apt", "two or more different options"),
        ("adroit: apt :: apt", "two or more different options"),
    ],
)
def test_a_line_that_is_no_question_is_named(tmp_path, line, problem):
    (tmp_path / "test.txt").write_text(f"hiatus: nexus vortex :: nexus\n{line}\n")
    with pytest.raises(InputError) as caught:
        read_questions(tmp_path)
    assert "test.txt, line 2: " in str(caught.value)
    assert problem in str(caught.value)


def test_a_file_without_questions_is_named(tmp_path):
    (tmp_path / "test.txt").write_text("\n\n")
    with pytest.raises(InputError, match=r"test.txt: expected questions such as .*, found none"):
        read_questions(tmp_path)


def test_a_folder_without_questions_is_named(tmp_path):
    with pytest.raises(InputError, match=f"expected {QUESTIONS}, or questions as"):
        read_questions(tmp_path)
