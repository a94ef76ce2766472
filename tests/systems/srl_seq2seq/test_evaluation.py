"""Measures of outputs, baselines and controls, and replicates of them."""

from collections import Counter

import numpy as np
import pytest

from repline.corpora.srl.linearisation import OPEN, target_of
from repline.corpora.srl.propositions import Argument
from repline.systems.srl_seq2seq.baselines import frequent_label, noun_chunks, shuffled_labels, unlabelled
from repline.systems.srl_seq2seq.corpus import Instance
from repline.systems.srl_seq2seq.evaluation import confusion, instance_counts, measured, measures
from repline.systems.srl_seq2seq.settings import Ranges

RANGES = Ranges(length=[5, 9], distance=[2, 3], position=[2, 4])
FIRST = Instance(
    "a-1:3",
    ["The", "dog", "saw", "a", "Cat"],
    ["DT", "NN", "VBD", "DT", "NN"],
    2,
    [Argument("A0", 0, 1), Argument("V", 2, 2), Argument("A1", 3, 4)],
)
SECOND = Instance("a-2:2", ["She", "ran"], ["PRP", "VBD"], 1, [Argument("A0", 0, 0), Argument("V", 1, 1)])
GOLD = [FIRST.target, SECOND.target]


def of(outputs, instances=(FIRST, SECOND)):
    names, table = instance_counts(instances, outputs, RANGES, ["A0", "A1"])
    return measures(names, table.sum(0))


def test_a_perfect_output_gives_100_and_an_empty_one_0():
    best = of(GOLD)
    assert best["f1_min"] == best["f1_max"] == best["exact_copy"] == best["brackets"] == best["perfect"] == 100
    assert best["labels"] == {"A0": 100, "A1": 100} and best["spans"]["exact"] == best["spans"]["labelled_right"] == 100
    assert best["position"] == {"begin": 0, "middle": 0, "end": 0} and best["missing"]["none"] == 100
    assert best["length"] == {"short": 100, "middle": 100, "long": None}
    worst = of([[], []])
    assert worst["f1_min"] == worst["same_length"] == worst["exact_copy"] == 0
    assert worst["f1_max"] == worst["brackets"] == 100


def test_an_output_of_another_length_has_found_nothing_at_least_and_everything_at_most():
    metrics = of([[*FIRST.target, "more"], SECOND.target])
    assert (metrics["same_length"], metrics["precision"], metrics["recall"]) == (50, 100, pytest.approx(100 / 3))
    assert metrics["f1_min"] == 50 and metrics["f1_max"] == 100


def test_the_least_f1_is_never_above_the_most():
    generator = np.random.default_rng(0)
    for _ in range(50):
        outputs = []
        for target in GOLD:
            output = [token for token in target if generator.random() < 0.9]
            outputs.append(output)
        metrics = of(outputs)
        assert metrics["f1_min"] <= metrics["f1_max"]
        if metrics["same_length"] == 100:
            assert metrics["f1_min"] == metrics["f1_max"]


def test_a_replaced_word_keeps_the_length_but_is_no_copy():
    metrics = of([[token.replace("cat", "rat") for token in FIRST.target], SECOND.target])
    assert (metrics["same_length"], metrics["exact_copy"], metrics["f1_min"]) == (100, 50, 100)


def test_errors_are_counted_where_they_are():
    wrong = target_of(FIRST.tokens, [Argument("A0", 0, 1), Argument("V", 2, 2), Argument("A0", 4, 4)])
    metrics = of([wrong, SECOND.target])
    assert metrics["position"] == {"begin": 0, "middle": 50, "end": 100}
    assert metrics["distance"] == {"near": pytest.approx(80), "middle": 0, "far": None}
    assert metrics["spans"]["partial"] == pytest.approx(100 / 3) and metrics["duplicates"] == 50
    assert metrics["missing"] == metrics["excess"] == {"none": 50, "one": 50, "more": 0}


def test_confusion_is_of_exact_spans():
    mislabelled = target_of(FIRST.tokens, [Argument("A1", 0, 1), Argument("V", 2, 2), Argument("A1", 4, 4)])
    rows = {
        (row["gold"], row["found"]): row["percent"]
        for row in confusion([FIRST, SECOND], [mislabelled, GOLD[1]], ["A0", "A1"])
    }
    assert rows == {("A0", "A0"): 50, ("A0", "A1"): 50, ("A0", "other"): 0} | dict.fromkeys(
        [("A1", "A0"), ("A1", "A1"), ("A1", "other")]
    )


def test_an_output_without_brackets_is_balanced_and_not_bracketed():
    plain = unlabelled([FIRST, SECOND])
    assert plain == [["the", "dog", "saw", "a", "cat"], ["she", "ran"]]
    metrics = of(plain)
    assert (metrics["exact_copy"], metrics["brackets"], metrics["bracketed"]) == (100, 100, 0)
    assert of(GOLD)["bracketed"] == 100
    assert of([[OPEN, *FIRST.target], SECOND.target])["bracketed"] == 50


def test_baselines_and_the_control():
    assert noun_chunks([FIRST, SECOND], "A0", "A1") == GOLD
    assert frequent_label([FIRST, SECOND], [FIRST]) == [
        target_of(FIRST.tokens, [Argument("A0", 0, 1), Argument("V", 2, 2), Argument("A0", 3, 4)])
    ]
    many = [FIRST, SECOND] * 20
    shuffled = shuffled_labels(many, 0)
    assert shuffled == shuffled_labels(many, 0) != many
    assert [[argument[1:] for argument in instance.arguments] for instance in shuffled] == [
        [argument[1:] for argument in instance.arguments] for instance in many
    ]
    counts = [
        Counter(argument.label for instance in instances for argument in instance.arguments)
        for instances in (many, shuffled)
    ]
    assert counts[0] == counts[1] and all(
        argument.label == "V"
        for instance in shuffled
        for argument in instance.arguments
        if argument.first == instance.predicate
    )


def test_replicates_draw_seeds_and_sentences():
    bad = [[], SECOND.target]
    system = measured([FIRST, SECOND], [GOLD, bad], RANGES, [])
    assert system.values["seeds"] == [100, 50] and system.values["f1_min"] == 75
    assert len(system.replicates) == 200
    assert {0, 100} < {replicate["same_length"] for replicate in system.replicates} <= {0, 25, 50, 75, 100}


def test_the_instances_of_a_sentence_are_drawn_together():
    instances = [
        FIRST._replace(name=f"http://x/{document}-1:{predicate + 1}", predicate=predicate)
        for document in (1, 2)
        for predicate in (2, 3)
    ]
    system = measured(instances, [[FIRST.target, FIRST.target, [], []]], RANGES, [])
    assert system.values["same_length"] == 50
    assert {replicate["same_length"] for replicate in system.replicates} == {0, 50, 100}
