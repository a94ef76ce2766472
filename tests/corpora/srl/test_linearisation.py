"""Sentences as bracketed sequences, and back: the paper's example, odd outputs, and every gold instance at hand."""

import os
import random
from pathlib import Path

import pytest

from repline.corpora.srl import made_roles
from repline.corpora.srl.bracket_columns import arguments_of, column_of
from repline.corpora.srl.linearisation import Reading, read_target, source_of, target_of
from repline.corpora.srl.propositions import Argument
from repline.corpora.srl.role_files import read_role_files

SENTENCE = "The trade figures turn out well , and all those recently unloaded bonds spurt in price ."
WORDS = SENTENCE.split()
PAPER = {  # predicate: arguments, source, target (table 1)
    3: (
        [Argument("A1", 0, 2), Argument("V", 3, 4), Argument("A2", 5, 5)],
        "the trade figures <PRED> turn out well , and all those recently unloaded bonds spurt in price .",
        "(# the trade figures P0:A1) (# turn out P0:V) (# well P0:A2) , and all those recently unloaded bonds spurt in "
        "price .",
    ),
    11: (
        [Argument("AM-TMP", 10, 10), Argument("V", 11, 11), Argument("A1", 12, 12)],
        "the trade figures turn out well , and all those recently <PRED> unloaded bonds spurt in price .",
        "the trade figures turn out well , and all those (# recently P0:AM-TMP) (# unloaded P0:V) (# bonds P0:A1) "
        "spurt in price .",
    ),
    13: (
        [Argument("A1", 8, 12), Argument("V", 13, 13), Argument("AM-ADV", 14, 15)],
        "the trade figures turn out well , and all those recently unloaded bonds <PRED> spurt in price .",
        "the trade figures turn out well , and (# all those recently unloaded bonds P0:A1) (# spurt P0:V) (# in price "
        "P0:AM-ADV) .",
    ),
}


@pytest.mark.parametrize("predicate", PAPER)
def test_the_papers_example(predicate):
    arguments, source, target = PAPER[predicate]
    assert source_of(WORDS, predicate) == source.split()
    assert target_of(WORDS, arguments) == target.split()
    assert read_target(target.split()) == Reading([word.lower() for word in WORDS], arguments, True)


def test_a_sentence_without_a_predicate_is_its_words():
    assert source_of(WORDS, None) == target_of(WORDS, []) == [word.lower() for word in WORDS]


def drawn(generator, words):
    """Spans that share no word, adjacent ones with the same label among them."""
    arguments, position = [], 0
    while position < words:
        length = generator.randint(1, 3)
        if position + length <= words and generator.random() < 0.6:
            arguments.append(
                Argument(generator.choice(["A0", "A1", "C-A1", "R-AM-TMP"]), position, position + length - 1)
            )
        position += length
    return arguments


def test_any_spans_come_back():
    generator = random.Random(0)
    for _ in range(300):
        words = [generator.choice(["a", "B", "(#", "\\(#", "\\\\(#", "P0:A0)", "<PRED>", ")", "|"]) for _ in range(9)]
        arguments = drawn(generator, len(words))
        lower = [word.lower() for word in words]
        assert read_target(target_of(words, arguments)) == Reading(lower, arguments, True)
        assert arguments_of(column_of(arguments, len(words))) == arguments
        assert [token for token in source_of(words, 4) if token == "<PRED>"] == ["<PRED>"]


@pytest.mark.parametrize(
    ("target", "arguments", "balanced"),
    [
        ("(# a (# b P0:A0)", [Argument("A0", 1, 1)], False),
        ("a P0:A0) b", [], False),
        ("(# a P0:A0) b P0:A1)", [Argument("A0", 0, 0)], False),
        ("(# a b", [], False),
        ("a b (# P0:A0)", [], True),
        ("(# a P0:A0) (# b P0:A0)", [Argument("A0", 0, 0), Argument("A0", 1, 1)], True),
    ],
)
def test_what_a_decoder_may_write(target, arguments, balanced):
    reading = read_target(target.split())
    assert (reading.arguments, reading.balanced) == (arguments, balanced)


def gold(folder):
    for sentence in read_role_files(folder):
        for proposition in sentence.propositions:
            yield sentence.tokens, proposition.arguments


def assert_all_come_back(instances):
    number = 0
    for tokens, arguments in instances:
        number += 1
        reading = read_target(target_of(tokens, arguments))
        assert reading == Reading([token.lower() for token in tokens], list(arguments), True)
        assert arguments_of(column_of(arguments, len(tokens))) == list(arguments)
    return number


def test_every_made_instance_comes_back(tmp_path):
    made_roles.write(tmp_path, seed=3, train=300, dev=20, test=20, nouns=50)
    assert 340 <= assert_all_come_back(gold(tmp_path)) <= 343


def test_every_instance_of_the_web_treebank_comes_back():
    folder = Path(os.environ.get("REPLINE_MIRROR", "")) / "srl"
    if not (folder / "ewt_propbank.jsonl.gz").exists():
        pytest.skip("PropBank on the Web Treebank is in the mirror alone, and REPLINE_MIRROR names none")
    assert assert_all_come_back(gold(folder)) == 50181
