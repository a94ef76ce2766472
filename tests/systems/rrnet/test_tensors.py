"""Expressions of several lengths and pairs of formulas as tensors: padded on the right, everything in its row."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.errors import InputError
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors


@pytest.fixture
def expressions(tmp_path):
    table = {"expression": ["(1+2)", "7", "(3*4)", "9"], "length": [1, 0, 1, 0], "value": [3, 7, 12, 9]}
    pq.write_table(pa.table(table), tmp_path / "test.parquet")
    return tmp_path / "test.parquet"


def test_expressions_come_by_length_and_are_padded_on_the_right(expressions):
    ids, sizes, values = expression_tensors(expressions, [0, 1])
    assert sizes.tolist() == [1, 1, 5, 5] and values.tolist() == [7, 9, 3, 12]
    read = [math_expressions.decode(row[None, :size].numpy())[0] for row, size in zip(ids, sizes, strict=True)]
    assert read == ["7", "9", "(1+2)", "(3*4)"]
    assert ids.shape == (4, 5) and not ids[:2, 1:].any()
    assert expression_tensors(expressions, [1], most=1)[2].tolist() == [3]


@pytest.mark.parametrize(
    ("lengths", "most", "message"), [([2], None, "some .* 2, found 0"), ([0], 3, "3 .* 0, found 2")]
)
def test_too_few_expressions_are_told(expressions, lengths, most, message):
    with pytest.raises(InputError, match=f"expected {message}"):
        expression_tensors(expressions, lengths, most)


def test_both_formulas_of_a_pair_stand_beside_their_relation(tmp_path):
    first, last = propositional_logic.RELATIONS[0], propositional_logic.RELATIONS[-1]
    a, b = (word for word in propositional_logic.WORDS if word in ("a", "b"))
    table = {"left": [a, f"( not {b} )"], "right": [f"( {a} and {b} )", b], "relation": [last, first], "length": [1, 3]}
    pq.write_table(pa.table(table), tmp_path / "test.parquet")
    ids, words, relations, lengths = relation_tensors(tmp_path / "test.parquet")
    assert words.tolist() == [[1, 5], [4, 1]] and lengths.tolist() == [1, 3]
    assert relations.tolist() == [len(propositional_logic.RELATIONS) - 1, 0]
    sides = zip(ids.flatten(0, 1), words.flatten(), strict=True)
    read = [" ".join(propositional_logic.WORDS[word] for word in side[:size]) for side, size in sides]
    assert read == [a, f"( {a} and {b} )", f"( not {b} )", b]
    assert not ids[0, 0, 1:].any()
    assert relation_tensors(tmp_path / "test.parquet", longest=2)[3].tolist() == [1]
    with pytest.raises(InputError, match="at most 0 connectives"):
        relation_tensors(tmp_path / "test.parquet", longest=0)
