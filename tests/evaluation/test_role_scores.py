"""Counts of arguments: cases by hand, and the shared task's own script where there is one.

The script is in no package that is installed here. `SRL_EVAL` may name it: srl-eval.pl, as it lies in the wheel
allennlp-models 2.10.1, and on the pages of the CoNLL-2005 shared task.
"""

import os
import random
import re
import shutil
import subprocess

import pytest

from repline.corpora.srl.bracket_columns import arguments_of, column_of
from repline.corpora.srl.propositions import Argument
from repline.evaluation.role_scores import RoleCounts, precision_recall_f1, role_counts, whole_arguments

CASES = [  # gold, found, counts that srl-eval.pl gives
    ("(A0*) (V*) (A1* *)", "(A0*) (V*) (A1* *)", (2, 0, 0)),
    ("(A0*) (V*) (A1* *)", "* (V*) * *", (0, 0, 2)),
    ("(A0*) (V*) (A1* *)", "(A1*) (V*) (A1* *)", (1, 1, 1)),
    ("(A0*) (V*) (A1* *)", "(A0*) (V*) (A1*) (A2*)", (1, 2, 1)),
    ("(A1*) (V*) (C-A1* *)", "(A1*) (V*) (C-A1* *)", (1, 0, 0)),  # one argument of two spans
    ("(A1*) (V*) (C-A1* *)", "(A1*) (V*) (A2* *)", (0, 2, 1)),
    ("(A1*) (V*) (A1* *)", "(A1*) (V*) (C-A1* *)", (0, 1, 2)),
    ("* (V*) (A1* *)", "* (V*) (C-A1* *)", (1, 0, 0)),  # which continues nothing, so it is an A1
    ("(V*) (A1*) (C-V*) *", "(V*) (A1*) * *", (1, 0, 0)),  # the predicate is not counted
    ("(R-A0*) (V*) (A1* *)", "(A0*) (V*) (A1* *)", (1, 1, 1)),
    ("(A1*) (A1*) (V*) (C-A1*)", "(A1*) (A1*) (V*) (C-A1*)", (2, 0, 0)),
]


@pytest.mark.parametrize(("gold", "predicted", "counts"), CASES)
def test_by_hand(gold, predicted, counts):
    assert role_counts(arguments_of(gold.split()), arguments_of(predicted.split())) == RoleCounts(*counts)


def test_a_continuation_is_of_the_last_argument_of_its_label():
    spans = [Argument("C-A1", 6, 6), Argument("A1", 0, 1), Argument("A1", 3, 3), Argument("V", 5, 5)]
    assert whole_arguments(spans) == [("A1", ((0, 1),)), ("A1", ((3, 3), (6, 6)))]


def test_f1_of_nothing_and_of_all():
    assert precision_recall_f1(0, 0, 3) == (0, 0, 0) and precision_recall_f1(3, 0, 0) == (100, 100, 100)
    assert precision_recall_f1(1, 1, 3) == pytest.approx((50, 25, 100 / 3))


def drawn(generator, words, verb):
    labels = ["A0", "A1", "A2", "C-A1", "C-A0", "R-A0", "AM-TMP", "C-V"]
    arguments, position = [], 0
    while position < words:
        length = min(generator.randint(1, 3), words - position)
        if position <= verb < position + length:
            arguments += [Argument("V", verb, verb)]
            position = verb + 1
            continue
        if generator.random() < 0.7:
            arguments.append(Argument(generator.choice(labels), position, position + length - 1))
        position += length
    return arguments


def changed(generator, gold, words, verb):
    if generator.random() < 0.3:
        return drawn(generator, words, verb)
    kept_arguments = [argument for argument in gold if argument.label == "V" or generator.random() < 0.8]
    return [
        argument._replace(label=generator.choice(["A0", "A1"]))
        if argument.label != "V" and generator.random() < 0.2
        else argument
        for argument in kept_arguments
    ]


def script_totals(folder, pairs):
    script = os.environ.get("SRL_EVAL", "")
    if not os.path.exists(script) or shutil.which("perl") is None:
        pytest.skip("no srl-eval.pl: set SRL_EVAL to it, and install perl")
    for name, side in (("gold", 0), ("found", 1)):
        with open(folder / name, "w", encoding="utf-8") as file:
            for sentence in pairs:
                words, verb = sentence[2:]
                cells = column_of(sentence[side], words)
                file.writelines(
                    f"{'act' if position == verb else '-'}\t{cell}\n" for position, cell in enumerate(cells)
                )
                file.write("\n")
    process = subprocess.run(
        ["perl", script, folder / "gold", folder / "found"], capture_output=True, text=True, check=True
    )
    return re.search(r"Overall +(\d+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+)", process.stdout).groups()


def test_as_the_script_on_random_outputs(tmp_path):
    generator = random.Random(0)
    pairs = []
    for _ in range(400):
        words = generator.randint(3, 15)
        verb = generator.randrange(words)
        gold = drawn(generator, words, verb)
        pairs.append((gold, changed(generator, gold, words, verb), words, verb))
    totals = [sum(column) for column in zip(*(role_counts(*pair[:2]) for pair in pairs), strict=True)]
    formatted = (*map(str, totals), *(f"{value:.2f}" for value in precision_recall_f1(*totals)))
    assert min(totals) > 300
    assert script_totals(tmp_path, pairs) == formatted


def test_as_the_script_on_the_cases_by_hand(tmp_path):
    pairs = []
    for gold, predicted, _ in CASES:
        cells = gold.split()
        pairs.append((arguments_of(cells), arguments_of(predicted.split()), len(cells), cells.index("(V*)")))
    totals = [sum(column) for column in zip(*(case[2] for case in CASES), strict=True)]
    assert script_totals(tmp_path, pairs)[:3] == tuple(map(str, totals))
