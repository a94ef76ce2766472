"""Formulas as raw text: their words, and what is true of them."""

import random

import pytest

from repline.errors import InputError
from repline.systems.rrnet import propositional_logic as logic
from repline.systems.rrnet.propositional_logic import MEANINGS, exact_relation, words_of


def test_words_stand_apart_with_and_without_blanks():
    assert words_of("(NOT(a))") == words_of("( not ( a ) )") == ["(", "not", "(", "a", ")", ")"]
    assert words_of(" \n") == []


def test_the_relation_of_drawn_pairs_is_found_again():
    rng = random.Random(0)
    for _ in range(300):
        left, right, relation, _ = logic.draw_pair(rng)
        assert exact_relation(words_of(left), words_of(right)) == relation
        assert relation in MEANINGS


def test_a_formula_that_is_always_true_stands_in_no_relation():
    assert exact_relation(words_of("( a ( or ( not a ) ) )"), ["a"]) is None
    assert exact_relation(["a"], words_of("( a ( and ( not a ) ) )")) is None


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("( a or b )", "its brackets or words are not in place"),
        ("( a ( or b )", "its brackets or words are not in place"),
        ("a )", "its brackets or words are not in place"),
        ("a b", "its brackets or words are not in place"),
        ("( not )", "its brackets or words are not in place"),
        ("not", "its brackets or words are not in place"),
        ("( a ( xor b ) )", "there is no word 'xor'"),
    ],
)
def test_what_is_no_formula_is_told(formula, reason):
    with pytest.raises(InputError, match=rf"expected a formula such as .*: {reason}"):
        exact_relation(words_of(formula), ["a"])
