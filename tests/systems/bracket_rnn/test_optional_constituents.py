"""Optional constituents: the poster's example, a plain tree walk against the vectorised one, and the control."""

import numpy as np
import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.systems.bracket_rnn.optional_constituents import (
    Spans,
    bracket_numbers,
    check_balanced,
    linearise,
    nesting,
    optional_spans,
    optional_tokens,
    random_spans,
)

WORDS = ["reports", "of", "an", "imminent", "agreement", "circulated"]
HEADS = np.array([5, 4, 4, 4, 0, -1])
RELATIONS = ["nsubj", "case", "det", "amod", "nmod", "root"]
OPTIONAL, REQUIRED = ["nmod:*", "amod", "obl:*"], ["nmod:poss"]
ONE_SENTENCE = np.array([0, 6])


def brackets(minimum_length=2, is_word=None, words=WORDS):
    optional = optional_tokens(pa.array(RELATIONS), OPTIONAL, REQUIRED)
    spans, counts = optional_spans(HEADS, ONE_SENTENCE, optional, is_word, minimum_length=minimum_length)
    opening, closing, _ = bracket_numbers(spans, np.array([0, len(words)]))
    line, _ = linearise(np.arange(len(words)), opening, closing, -1, -2)
    return " ".join({-1: "(", -2: ")"}.get(number) or words[number] for number in line), counts


def test_the_example_of_the_poster():
    text, counts = brackets()
    assert text == "reports ( of an imminent agreement ) circulated"
    assert counts == {"optional": 2, "discontinuous": 0, "short": 1, "repeated": 0, "pairs": 1}
    assert brackets(minimum_length=1)[0] == "reports ( of an ( imminent ) agreement ) circulated"


def test_the_nesting_of_a_word_counts_the_brackets_that_it_is_in():
    opening, closing = np.array([0, 2, 0, 1, 0], np.uint8), np.array([0, 0, 1, 2, 0], np.uint8)  # a ((b c) (d)) e
    assert nesting(opening, closing).tolist() == [0, 2, 2, 2, 0]
    spans = Spans(np.array([0, 0, 0]), np.array([1, 1, 3]), np.array([4, 3, 4]))
    numbers = bracket_numbers(spans, np.array([0, 5]))
    assert [numbers[0].tolist(), numbers[1].tolist(), numbers[2]] == [opening.tolist(), closing.tolist(), {"depth": 2}]


def test_words_that_are_left_out_are_in_no_subtree():
    is_word = np.array([True, False, True, True, True, True])
    text, _ = brackets(is_word=is_word, words=[word for word in WORDS if word != "of"])
    assert text == "reports ( an imminent agreement ) circulated"
    is_word = np.array([True, False, False, False, False, True])
    assert brackets(is_word=is_word, words=["reports", "circulated"])[0] == "reports circulated"
    assert brackets(1, np.array([True, True, False, False, True, True]), ["reports", "of", "it", "circulated"])[0] == (
        "reports ( of it ) circulated"
    )


@pytest.mark.parametrize(
    ("relation", "optional"),
    [("obl", True), ("obl:agent", True), ("oblique", False), ("amod", True), ("amod:x", False), ("nmod:poss", False)],
)
def test_lists_of_relations(relation, optional):
    assert optional_tokens(pa.array([relation, "nmod"]), OPTIONAL, REQUIRED).tolist() == [optional, True]


def random_trees(seed, sentences=200):
    """Random parents (roots among them), random optional tokens, random kept ones."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(1, 15, sentences)
    heads = []
    for length in lengths:
        order = generator.permutation(length)
        parents = np.full(length, -1)
        for position, token in enumerate(order[1:], 1):
            parents[token] = order[generator.integers(0, position)] if generator.random() < 0.95 else -1
        near = generator.random(length) < 0.7  # many short arcs, so that many subtrees are contiguous
        parents[1:] = np.where(near[1:] & (np.arange(1, length) > 0), np.arange(length - 1), parents[1:])
        if _reaches_root(parents):
            heads.append(parents)
        else:
            heads.append(np.arange(length) - 1)
    total = int(lengths.sum())
    return heads, np.cumsum([0, *lengths]), generator.random(total) < 0.6, generator.random(total) < 0.8


def _reaches_root(heads):
    for token in range(len(heads)):
        for _ in range(len(heads)):
            token = heads[token]
            if token < 0:
                break
        else:
            return False
    return True


def plain_spans(heads, optional, is_word, minimum_length):
    """One sentence at a time, one token at a time: start, end, and whether nothing is left out between them."""
    word = {token: position for position, token in enumerate(np.flatnonzero(is_word))}
    for top in np.flatnonzero(optional):
        inside = []
        for token in range(len(heads)):
            ancestor = token
            while ancestor >= 0 and ancestor != top:
                ancestor = heads[ancestor]
            if ancestor == top and is_word[token]:
                inside.append(word[token])
        if len(inside) >= minimum_length:
            yield inside[0], inside[-1] + 1, inside == list(range(inside[0], inside[-1] + 1))


@pytest.mark.parametrize("minimum_length", [1, 2])
def test_spans_are_those_of_a_plain_tree_walk(minimum_length):
    heads, offsets, optional, is_word = random_trees(0)
    spans, counts = optional_spans(np.concatenate(heads), offsets, optional, is_word, minimum_length=minimum_length)
    expected, discontinuous = [], 0
    for row, parents in enumerate(heads):
        part = slice(offsets[row], offsets[row + 1])
        walked = list(plain_spans(parents, optional[part], is_word[part], minimum_length))
        whole = [(start, end) for start, end, whole in walked if whole]
        expected += [(row, start, end) for start, end in sorted(whole, key=lambda span: (span[0], -span[1]))]
        discontinuous += len(walked) - len(whole)
    assert list(zip(spans.sentence, spans.start, spans.end, strict=True)) == expected
    assert counts["discontinuous"] == discontinuous > 0 and counts["pairs"] == len(spans) > 0
    assert counts["optional"] == counts["discontinuous"] + counts["short"] + counts["pairs"]


def test_repeated_spans_collapse_when_asked():
    heads, offsets, optional, is_word = random_trees(1)
    flat = np.concatenate(heads)
    every, _ = optional_spans(flat, offsets, optional, is_word)
    once, counts = optional_spans(flat, offsets, optional, is_word, collapse=True)
    distinct = set(zip(every.sentence, every.start, every.end, strict=True))
    assert set(zip(once.sentence, once.start, once.end, strict=True)) == distinct and len(once) == len(distinct)
    assert counts["repeated"] == len(every) - len(once) > 0


def text_of(spans, lengths):
    """Opening and closing of a text whose sentences end with one more number, as by <eos>."""
    sentences = np.cumsum([0, *(lengths + 1)])
    return *bracket_numbers(spans, sentences), sentences


def test_lines_are_balanced_nested_and_keep_their_words():
    heads, offsets, optional, is_word = random_trees(2)
    lengths = np.add.reduceat(is_word, offsets[:-1]).astype(int)
    spans, _ = optional_spans(np.concatenate(heads), offsets, optional, is_word)
    opening, closing, depth, sentences = text_of(spans, lengths)
    check_balanced(opening, closing, sentences)
    ids = np.arange(sentences[-1])
    stream, spans_of_row = linearise(ids, opening, closing, -1, -2)
    assert np.array_equal(stream[spans_of_row], ids) and np.array_equal(stream[stream >= 0], ids)
    assert len(stream) == len(ids) + 2 * len(spans)
    level = np.cumsum((stream == -1).astype(int) - (stream == -2))
    assert level.min() == 0 and level.max() == depth["depth"] and level[-1] == 0
    assert not level[spans_of_row[sentences[1:] - 1]].any()  # nothing is open at an <eos>


def test_the_control_has_as_many_spans_of_the_same_lengths_and_none_cross():
    heads, offsets, optional, is_word = random_trees(3)
    lengths = np.add.reduceat(is_word, offsets[:-1]).astype(int)
    spans, _ = optional_spans(np.concatenate(heads), offsets, optional, is_word)
    control = random_spans(spans, lengths, seed=0)
    again, other_seed = random_spans(spans, lengths, seed=0), random_spans(spans, lengths, seed=1)
    assert np.array_equal(control.start, again.start) and not np.array_equal(control.start, other_seed.start)
    assert not np.array_equal(control.start, spans.start)
    assert np.array_equal(control.sentence, spans.sentence)
    for row in range(len(lengths)):
        ours, theirs = (part.sentence == row for part in (control, spans))
        assert sorted((control.end - control.start)[ours]) == sorted((spans.end - spans.start)[theirs])
        spans_of_row = list(zip(control.start[ours], control.end[ours], strict=True))
        assert spans_of_row == sorted(spans_of_row, key=lambda position: (position[0], -position[1]))  # as `Spans` are
        assert all(0 <= start < end <= lengths[row] for start, end in spans_of_row)
        assert not any(a < c < b < d for a, b in spans_of_row for c, d in spans_of_row)
    check_balanced(*text_of(control, lengths)[:2], text_of(control, lengths)[3])


def test_a_random_place_is_any_free_one():
    spans = Spans(np.zeros(1, int), np.zeros(1, int), np.full(1, 2))
    starts = {int(random_spans(spans, np.array([5]), seed).start[0]) for seed in range(60)}
    assert starts == {0, 1, 2, 3}


def test_unbalanced_numbers_are_refused():
    sentences = np.array([0, 3, 6])
    balanced = np.array([0, 1, 0, 0, 0, 0], np.uint8), np.array([0, 1, 0, 0, 0, 0], np.uint8)
    check_balanced(*balanced, sentences)
    with pytest.raises(InputError, match="sentence 1: its brackets are not balanced"):
        check_balanced(np.array([0, 1, 0, 0, 1, 0], np.uint8), balanced[1], sentences)
    with pytest.raises(InputError, match="sentence 0: its brackets are not balanced"):
        check_balanced(balanced[1][::-1].copy(), np.array([0, 0, 1, 0, 0, 0], np.uint8), sentences)
    with pytest.raises(InputError, match="sentence 0"):
        check_balanced(np.array([1, 0, 0, 0, 0, 0], np.uint8), np.array([0, 0, 0, 1, 0, 0], np.uint8), sentences)


def test_what_is_no_parse_is_refused():
    with pytest.raises(InputError, match="without a relation"):
        optional_tokens(pa.array(["nmod", None]), OPTIONAL)
    with pytest.raises(InputError, match="none of the relations of the corpus"):
        optional_tokens(pa.array(["prep", "pobj"]), OPTIONAL)
    optional = np.ones(3, bool)
    with pytest.raises(InputError, match="sentence 0: its heads go in a circle"):
        optional_spans(np.array([1, 0, -1]), np.array([0, 3]), optional)
    with pytest.raises(InputError, match="sentence 1: a head is outside the sentence"):
        optional_spans(np.array([-1, 2, -1]), np.array([0, 1, 3]), optional)


def test_a_corpus_without_sentences_has_no_spans():
    nothing = np.zeros(0, int)
    spans, counts = optional_spans(nothing, np.zeros(1, int), nothing.astype(bool))
    assert len(spans) == 0 and not any(counts.values())
    assert len(random_spans(spans, nothing, 0)) == 0
