"""Math expressions: the evaluator on the paper's own samples, and what the generator promises."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from repline import parameters
from repline.cards import read_card
from repline.errors import InputError
from repline.systems.rrnet import math_expressions as mee
from repline.systems.rrnet.settings import MathExpressions

PARAMETERS = {"operators": "+-*%", "lengths": [3, 4, 6], "train": 300, "validation": 40, "test": 50, "seed": 1}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mee") / "math_expressions"
    mee.generate(folder, MathExpressions(**PARAMETERS))
    return folder


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("((9+(2+6))+(1*3))", 20),
        ("(((7-2)%((3%1)+6))*9)", 45),
        ("((((3-0)+(7-6))*(0+9))-7)", 29),
        ("((4*(6+(7*(2*8))))%(9+(3+7)))", 16),
        ("(3%1)", 0),
        ("((2-7)%3)", 1),  # floor: the sign of the divisor
        ("((7-9)*(3-8))", 10),
        ("7", 7),
    ],
)
def test_value(expression, value):
    assert mee.value(expression) == value


def _product(nines):
    return "9" if nines == 1 else f"({_product(nines - 1)}*9)"


def test_an_expression_too_long_for_64_bits_has_no_value():
    assert mee.value(_product(13)) == 9**13
    assert mee.value(_product(14)) is None
    assert mee.value(f"({_product(21)}%((9*9)+8))") is None


def test_own_expressions_have_at_most_twelve_operators(tmp_path):
    file = tmp_path / "own.txt"
    file.write_text(f"((9+2)+3)\n({_product(21)}%((9*9)+8))\t79\n")
    with pytest.raises(InputError, match=r"own.txt, line 2: expected at most 12 operators, found 23"):
        mee.write_own_expressions(file, tmp_path)
    assert mee.write_own_expressions(file, tmp_path, on_error="salvage") == 1


@pytest.mark.parametrize("expression", ["(5%(3%1))", "((8%0)+9)", "((1+2)%(3-3))"])
def test_division_by_zero_has_no_value(expression):
    assert mee.value(expression) is None


@pytest.mark.parametrize(
    "broken",
    [
        "((7-2)%(3%1)+6)*9",
        "(1+2",
        "1+2",
        "()",
        "(1)",
        "(+12)",
        "(12+)",
        "(1+2+3)",
        "12",
        "(1+2))",
        "1)+(2",
        "((1+2)(3))",
    ],
)
def test_what_is_not_fully_bracketed_is_refused(broken):
    with pytest.raises(InputError, match="expression 0 is not fully bracketed"):
        mee.value(broken)


def test_values_are_pythons():
    rng = np.random.default_rng(3)
    for length in (1, 2, 5, 7):
        ids = mee.draw(400, length=length, rng=rng)
        values, defined = mee.evaluate(ids)
        for text, value, sound in zip(mee.decode(ids), values, defined, strict=True):
            try:
                expected = eval(text)  # an expression of the generator: digits, brackets and operators
            except ZeroDivisionError:
                assert not sound
            else:
                assert sound and value == expected


def test_form_of_a_drawn_expression():
    for length in (0, 1, 4, 7):
        for text in mee.decode(mee.draw(50, length=length, rng=np.random.default_rng(length))):
            assert len(text) == 4 * length + 1
            assert sum(map(str.isdigit, text)) == length + 1
            assert text.count("(") == text.count(")") == sum(text.count(sign) for sign in "+-*%") == length


def test_the_splits(corpus):
    seen = set()
    for name in mee.SPLITS:
        table = pq.read_table(corpus / f"{name}.parquet")
        expressions, lengths = table["expression"].to_pylist(), table["length"].to_pylist()
        assert [lengths.count(length) for length in (3, 4, 6)] == [PARAMETERS[name]] * 3
        assert not seen & set(expressions) and len(set(expressions)) == len(expressions)
        seen |= set(expressions)
        assert [len(text) for text in expressions] == [4 * length + 1 for length in lengths]
        assert all(10 <= value <= 99 for value in table["value"].to_pylist())
        assert [mee.value(text) for text in expressions] == table["value"].to_pylist()
    card = read_card(corpus)
    assert card["counts"]["train_expressions"] == 900
    assert (
        0.17 < 390 / card["counts"]["drawn_of_length_6"] < 0.21
    )  # accepted: 0.190 as measured on the authors' program


def test_the_same_seed_gives_the_same_bytes_and_a_length_does_not_depend_on_others(corpus, tmp_path):
    mee.generate(tmp_path / "again", MathExpressions(**PARAMETERS))
    mee.generate(tmp_path / "one", MathExpressions(**PARAMETERS | {"lengths": [4]}))
    mee.generate(tmp_path / "other", MathExpressions(**PARAMETERS | {"seed": 2}))
    for name in ("train.parquet", "test.parquet", "card.json"):
        assert (tmp_path / "again" / name).read_bytes() == (corpus / name).read_bytes()
    column = "expression"
    ours = pq.read_table(corpus / "test.parquet")[column].to_pylist()
    assert pq.read_table(tmp_path / "one/test.parquet")[column].to_pylist() == ours[50:100]
    assert pq.read_table(tmp_path / "other/test.parquet")[column].to_pylist() != ours


def test_there_are_7649_expressions_of_two_operators():
    with pytest.raises(InputError, match=r"expected 9000 different expressions of length 2 .* found 7649"):
        mee.distinct(9000, length=2, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"operators": "+/"}, "math_expressions.operators: expected some of"),
        ({"operators": ""}, "math_expressions.operators: expected some of"),
        ({"lengths": [0, 3]}, "different lengths of 1 to 12"),
        ({"lengths": [3, 3]}, "different lengths of 1 to 12"),
        ({"test": 0}, "math_expressions.test should be greater than or equal to 1, found 0"),
        ({"seed": -1}, "math_expressions.seed"),
        ({"lengths": [1]}, "found .* and no new one"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(change, message, tmp_path):
    with pytest.raises(InputError, match=message):
        corpus = parameters.check(MathExpressions, PARAMETERS | change, "rrnet.corpora.math_expressions")
        mee.generate(tmp_path / "corpus", corpus)
    assert not list(tmp_path.iterdir())


def test_encode_refuses_what_is_no_expression():
    with pytest.raises(InputError, match="expression 1: expected 5 characters"):
        mee.encode(["(1+2)", "(1+(2+3))"])
    with pytest.raises(InputError, match="characters outside"):
        mee.encode(["(1/2)"])
    assert mee.decode(mee.encode(["(1%2)", "(9*0)"])) == ["(1%2)", "(9*0)"]
