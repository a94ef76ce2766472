"""Raw input is checked: a text is never read as a list of characters, and a wrong nesting shows the right call."""

import math

import numpy as np
import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.use.inputs import (
    finite_number,
    in_batches,
    is_pair,
    one_or_all,
    pairs_of,
    probability,
    text_of,
    texts_of,
    whole_number,
)


def test_texts():
    assert texts_of("a text", "classify") == ["a text"]
    assert texts_of(("a", ""), "classify") == ["a", ""]
    assert texts_of([], "classify") == []


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (None, "found None$"),
        (3, "found a value of type int$"),
        (b"bytes", "found a value of type bytes$"),
        ([["a"]], "found a value of type list as item 0$"),
        (["a", 3.5], "found a value of type float as item 1$"),
        ({"a": 1}, "found a value of type dict$"),
        (np.float64(3), "found a value of type float64$"),
        (np.array(["a"]), r"found a value of type ndarray; give its tolist\(\)$"),
        (pa.array(["a"]), r"found a value of type StringArray; give its tolist\(\)$"),
    ],
)
def test_wrong_texts_show_the_call(texts, found):
    with pytest.raises(InputError, match=found) as caught:
        texts_of(texts, "classify")
    assert 'classify("a text") or classify(["a text", "another"])' in str(caught.value)


def test_pairs():
    assert pairs_of(("a", "b"), "classify") == [("a", "b")]
    assert pairs_of([("a", "b"), ["c", "d"]], "classify") == [("a", "b"), ("c", "d")]
    assert pairs_of([], "classify") == []
    assert is_pair(("a", "b")) and not is_pair([("a", "b")]) and not is_pair("ab")


@pytest.mark.parametrize("pairs", ["ab", ["a"], [("a",)], [("a", "b", "c")], [("a", 1)], None])
def test_wrong_pairs_show_the_call(pairs):
    with pytest.raises(InputError, match="compare takes a pair of texts or a list of pairs") as caught:
        pairs_of(pairs, "compare", ("premise", "hypothesis"))
    assert 'compare(("premise", "hypothesis"))' in str(caught.value)


def test_a_single_text():
    assert text_of("a text", "next") == "a text" and text_of("", "next") == ""
    for value, found in (([], "a value of type list"), (None, "None"), (["a"], "a value of type list")):
        with pytest.raises(InputError) as caught:
            text_of(value, "next")
        assert str(caught.value) == f'next takes a text: next("text"); found {found}'
    with pytest.raises(InputError, match=r'^vector takes a word: vector\("word"\); found a value of type int$'):
        text_of(7, "vector", "word")
    with pytest.raises(InputError, match=r"^unit takes an attribute: "):
        text_of(7, "unit", "attribute")


@pytest.mark.parametrize(
    "read",
    [
        lambda text: text_of(text, "call"),
        lambda text: texts_of(text, "call"),
        lambda text: texts_of(["a", text], "call"),
        lambda text: pairs_of(("a", text), "call"),
        lambda text: pairs_of([("a", "b"), (text, "a")], "call"),
    ],
)
def test_half_a_character_is_named(read):
    with pytest.raises(InputError, match=r"^call: a text holds '\\ud83d', half of a surrogate pair and no character"):
        read("a \ud83d face")
    read("a \U0001f600 face")


def test_invisible_characters_are_left_out():
    assert text_of("\ufeffsta\xadte", "next") == "state"
    assert texts_of("sta\u200bte", "score") == ["state"] and texts_of(["sta\xadte", "\u200b"], "score") == ["state", ""]
    assert pairs_of(("a\xad", "b\ufeff"), "call") == pairs_of([("\u200ba", "b")], "call") == [("a", "b")]
    assert texts_of("sta\xadte", "score", as_written=True) == ["sta\xadte"]


def test_letters_are_composed_with_their_marks():
    assert text_of("cafe\u0301", "next") == "caf\u00e9" and texts_of(["e\u0301", "e"], "score") == ["\u00e9", "e"]
    assert pairs_of(("e\u0301", "\u1112\u1161\u11ab"), "call") == [("\u00e9", "\ud55c")]
    assert texts_of("e\u0301", "score", as_written=True) == ["e\u0301"]


def test_texts_of_an_array_become_plain_texts():
    first, second = np.array(["a", "b"])
    texts = [text_of(first, "call"), *texts_of([first], "call"), *pairs_of([(first, second)], "call")[0]]
    texts += texts_of(first, "call", as_written=True)
    assert texts == ["a", "a", "a", "b", "a"] and {type(text) for text in texts} == {str}


def test_one_or_all():
    assert one_or_all("a", [1]) == 1
    assert one_or_all(["a"], [1]) == [1]
    assert one_or_all(("a", "b"), [1], is_pair) == 1


def test_batches():
    assert in_batches([1, 2, 3], 2) == [[1, 2], [3]]
    assert in_batches([], 2) == []
    with pytest.raises(InputError, match="expected a whole number of 1 or more as batch, found 0"):
        in_batches([1], 0)


def test_whole_numbers():
    assert whole_number(0, "n", 0) == 0 and type(whole_number(np.int32(3), "n", 1)) is int
    for value in (-1, "3", 2.5, 2.0, None, True, [3], math.nan):
        with pytest.raises(InputError, match=r"^expected a whole number of 0 or more as n, found "):
            whole_number(value, "n", 0)


def test_finite_numbers():
    assert finite_number(np.float32(0.5), "threshold") == 0.5 and finite_number(-1, "threshold") == -1
    for value in ("0.5", None, True, [0.5], math.nan, math.inf):
        with pytest.raises(InputError, match=r"^expected a number as threshold, found "):
            finite_number(value, "threshold")


def test_probabilities():
    assert [probability(value, "threshold") for value in (0, np.float32(0.5), 1)] == [0, 0.5, 1]
    for value in (50, -0.1, 1.01, "0.5", math.nan):
        with pytest.raises(InputError, match=r"^expected a number .*as threshold, found "):
            probability(value, "threshold")
