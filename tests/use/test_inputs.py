"""Raw input is checked: a text is never read as a list of characters, and a wrong nesting shows the right call."""

import pytest

from repline.errors import InputError
from repline.use.inputs import in_batches, is_pair, one_or_all, pairs_of, texts_of


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


def test_one_or_all():
    assert one_or_all("a", [1]) == 1
    assert one_or_all(["a"], [1]) == [1]
    assert one_or_all(("a", "b"), [1], is_pair) == 1


def test_batches():
    assert in_batches([1, 2, 3], 2) == [[1, 2], [3]]
    assert in_batches([], 2) == []
