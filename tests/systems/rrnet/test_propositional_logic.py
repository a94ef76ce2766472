"""Propositional logic: relations by the definition of sets, and the pairs of the generator."""

import random
from collections import Counter

import pyarrow.parquet as pq
import pytest

from repline import parameters
from repline.errors import InputError
from repline.systems.rrnet import propositional_logic as logic
from repline.systems.rrnet.settings import PropositionalLogic

PARAMETERS = {"pairs": 3000, "budget": 12, "variables": 4, "seed": 1}

A, B, U = 0b1010, 0b1100, 0b1111  # two variables over the universe of four assignments


@pytest.mark.parametrize(
    ("left", "right", "relation"),
    [
        (A, A, "="),
        (A, A | B, "<"),
        (A | B, A, ">"),
        (A, U & ~A, "^"),
        (A & B, U & ~A, "|"),
        (A | B, U & ~A, "v"),
        (A, B, "#"),
    ],
)
def test_relations_on_two_variables(left, right, relation):
    assert logic.relation(left, right, U) == relation


def _satisfying(formula):
    """The assignments that satisfy a written formula, as Python reads it: `( a ( or b ) )` is `( a | ( b ) )`."""
    for written, python in (("( or", "| ("), ("( and", "& ("), ("not", "~")):
        formula = formula.replace(written, python)
    return eval(formula, {}, logic.TRUE) & logic.ASSIGNMENTS


def test_the_same_relations_of_written_formulas():
    for left, right, relation in [
        ("a", "( a ( or b ) )", "<"),
        ("( a ( or b ) )", "a", ">"),
        ("a", "( not a )", "^"),
        ("( a ( and b ) )", "( not a )", "|"),
        ("( a ( or b ) )", "( not a )", "v"),
        ("a", "b", "#"),
        ("( not ( not c ) )", "c", "="),
    ]:
        assert logic.relation(_satisfying(left), _satisfying(right)) == relation


def test_exchange_of_the_formulas_swaps_only_entailments():
    swapped = {"<": ">", ">": "<"}
    rng = random.Random(0)
    seen = Counter()
    for _ in range(3000):
        left, right, relation, _ = logic.draw_pair(rng)
        seen[relation] += 1
        back = logic.relation(_satisfying(right), _satisfying(left))
        assert back == swapped.get(relation, relation)
    assert set(seen) == set(logic.RELATIONS)


def test_drawn_pairs():
    rng = random.Random(5)
    for _ in range(500):
        left, right, relation, length = logic.draw_pair(rng, budget=12, variables=4)
        sets = [_satisfying(formula) for formula in (left, right)]
        assert 0 not in sets and logic.ASSIGNMENTS not in sets
        assert relation == logic.relation(*sets)
        connectives = [sum(word in logic.CONNECTIVES for word in formula.split()) for formula in (left, right)]
        assert length == min(12, max(connectives))
        assert len(set(left + right) & set(logic.VARIABLES) - set("andort")) <= 4
        assert left.count("(") == left.count(")")
        names = {word for word in (left + " " + right).split() if word in logic.VARIABLES}
        assert len(names) <= 4


def test_the_splits(tmp_path):
    logic.generate(tmp_path / "one", PropositionalLogic(**PARAMETERS))
    logic.generate(tmp_path / "two", PropositionalLogic(**PARAMETERS))
    seen: set[tuple[str, str]] = set()
    lengths = {}
    for name in logic.SPLITS:
        assert (tmp_path / f"one/{name}.parquet").read_bytes() == (tmp_path / f"two/{name}.parquet").read_bytes()
        rows = pq.read_table(tmp_path / f"one/{name}.parquet").to_pylist()
        pairs = {(row["left"], row["right"]) for row in rows}
        assert len(pairs) == len(rows) and not pairs & seen
        seen |= pairs
        lengths[name] = Counter(row["length"] for row in rows)
    for length in range(2, 9):
        total = sum(lengths[name][length] for name in logic.SPLITS)
        assert lengths["train"][length] == pytest.approx(0.8 * total, abs=1)
        assert lengths["test"][length] == pytest.approx(0.1 * total, abs=1)
    assert max(lengths["train"]) == 12


def test_encode():
    ids, lengths = logic.encode(["a", "( not b )"])
    assert lengths.tolist() == [1, 4]
    assert [[logic.WORDS[number] for number in row] for row in ids] == [["a"] * 4, ["(", "not", "b", ")"]]
    with pytest.raises(InputError, match="formula 1: expected words of"):
        logic.encode(["a", "( nor b )"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": 0}, "propositional_logic.pairs should be greater than or equal to 1, found 0"),
        ({"pairs": 2}, "expected enough pairs for three splits"),
        ({"budget": 0}, "propositional_logic.budget"),
        ({"variables": 7}, "propositional_logic.variables should be less than or equal to 6, found 7"),
        ({"seed": -1}, "propositional_logic.seed"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(change, message, tmp_path):
    with pytest.raises(InputError, match=message):
        corpus = parameters.check(PropositionalLogic, PARAMETERS | change, "rrnet.corpora.propositional_logic")
        logic.generate(tmp_path / "corpus", corpus)
    assert not list(tmp_path.iterdir())
