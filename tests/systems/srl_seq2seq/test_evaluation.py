"""Measures of outputs, baselines and controls, and replicates of them."""

from collections import Counter

import numpy as np
import pytest

from repline.corpora.srl.linearisation import target_of
from repline.corpora.srl.propositions import Argument
from repline.systems.srl_seq2seq.baselines import frequent_label, noun_chunks, shuffled_labels
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
    found = of([[*FIRST.target, "more"], SECOND.target])
    assert (found["same_length"], found["precision"], found["recall"]) == (50, 100, pytest.approx(100 / 3))
    assert found["f1_min"] == 50 and found["f1_max"] == 100


def test_the_least_f1_is_never_above_the_most():
    generator = np.random.default_rng(0)
    for _ in range(50):
        outputs = []
        for target in GOLD:
            output = [token for token in target if generator.random() < 0.9]
            outputs.append(output)
        found = of(outputs)
        assert found["f1_min"] <= found["f1_max"]
        if found["same_length"] == 100:
            assert found["f1_min"] == found["f1_max"]


def test_a_replaced_word_keeps_the_length_but_is_no_copy():
    found = of([[token.replace("cat", "rat") for token in FIRST.target], SECOND.target])
    assert (found["same_length"], found["exact_copy"], found["f1_min"]) == (100, 50, 100)


def test_errors_are_counted_where_they_are():
    wrong = target_of(FIRST.tokens, [Argument("A0", 0, 1), Argument("V", 2, 2), Argument("A0", 4, 4)])
    found = of([wrong, SECOND.target])
    assert found["position"] == {"begin": 0, "middle": 50, "end": 100}
    assert found["distance"] == {"near": pytest.approx(80), "middle": 0, "far": None}
    assert found["spans"]["partial"] == pytest.approx(100 / 3) and found["duplicates"] == 50
    assert found["missing"] == found["excess"] == {"none": 50, "one": 50, "more": 0}


def test_confusion_is_of_exact_spans():
    other = target_of(FIRST.tokens, [Argument("A1", 0, 1), Argument("V", 2, 2), Argument("A1", 4, 4)])
    rows = {
        (row["gold"], row["found"]): row["percent"]
        for row in confusion([FIRST, SECOND], [other, GOLD[1]], ["A0", "A1"])
    }
    assert rows == {("A0", "A0"): 50, ("A0", "A1"): 50, ("A0", "other"): 0} | dict.fromkeys(
        [("A1", "A0"), ("A1", "A1"), ("A1", "other")]
    )


def test_baselines_and_the_control():
    assert noun_chunks([FIRST, SECOND], "A0", "A1") == GOLD
    assert frequent_label([FIRST, SECOND], [FIRST]) == [
        target_of(FIRST.tokens, [Argument("A0", 0, 1), Argument("V", 2, 2), Argument("A0", 3, 4)])
    ]
    many = [FIRST, SECOND] * 20
    dealt = shuffled_labels(many, 0)
    assert dealt == shuffled_labels(many, 0) != many
    assert [[one[1:] for one in each.arguments] for each in dealt] == [
        [one[1:] for one in each.arguments] for each in many
    ]
    counts = [Counter(one.label for each in those for one in each.arguments) for those in (many, dealt)]
    assert counts[0] == counts[1] and all(
        one.label == "V" for each in dealt for one in each.arguments if one.first == each.predicate
    )


def test_replicates_draw_seeds_and_instances():
    bad = [[], SECOND.target]
    found = measured([FIRST, SECOND], [GOLD, bad], RANGES, [])
    assert found.values["seeds"] == [100, 50] and found.values["f1_min"] == 75
    assert len(found.replicates) == 200
    assert {0, 100} < {one["same_length"] for one in found.replicates} <= {0, 25, 50, 75, 100}
