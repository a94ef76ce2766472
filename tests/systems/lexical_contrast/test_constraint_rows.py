import numpy as np
from numpy.testing import assert_array_equal

from repline.systems.lexical_contrast.constraint_rows import (
    attract_and_repel,
    expanded_antonyms,
    pair_rows,
    pair_set,
    with_directions,
    without,
)

A, B, C, D = range(4)


def pairs(*rows):
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def test_pairs_of_known_words_become_a_set_of_rows():
    words = ["big", "large", "small"]
    row_pairs = pair_rows(
        [("Big", "small"), ("small", "big"), ("big", "big"), ("large", "tiny"), ("large", "big")], words
    )
    assert_array_equal(row_pairs, [(0, 1), (0, 2)])
    assert pair_rows([], words).shape == pair_set(pairs()).shape == (0, 2)


def test_pairs_of_a_vector_of_length_zero_have_no_directions():
    matrix = np.array([(1, 0), (0, -2), (0, 0), (1e-30, 1e-30)], dtype=np.float32)
    assert_array_equal(with_directions(pairs((A, B), (B, C), (A, D)), matrix), [(A, B)])
    assert with_directions(pairs((B, C)), matrix).shape == with_directions(pairs(), matrix).shape == (0, 2)


def test_antonyms_expand_by_the_synonyms_of_either_end():
    assert_array_equal(expanded_antonyms(pairs((A, B)), pairs((A, C))), [(A, C), (B, C)])
    assert_array_equal(expanded_antonyms(pairs((C, D)), pairs((A, C))), [(A, C), (A, D)])
    assert_array_equal(expanded_antonyms(pairs(), pairs((A, C))), [(A, C)])


def test_what_is_a_synonym_too_is_not_added_but_what_was_there_stays():
    assert_array_equal(expanded_antonyms(pairs((A, B), (B, C)), pairs((A, C))), [(A, C)])
    assert_array_equal(expanded_antonyms(pairs((A, C)), pairs((A, C))), [(A, C)])


def test_a_triangle_does_not_pair_a_word_with_itself():
    assert_array_equal(expanded_antonyms(pairs((A, C), (B, C)), pairs((A, C))), [(A, B), (A, C)])


def test_repelling_wins_a_conflict_either_way_round():
    sets = {"syn": pair_set([(A, B), (C, A)]), "hyp1": pair_set([(B, A), (B, D)]), "ant": pair_set([(A, C)])}
    attract, repel = attract_and_repel(sets, ["syn", "hyp1"], ["ant"])
    assert_array_equal(attract, [(A, B), (B, D)])
    assert_array_equal(repel, [(A, C)])
    attract, repel = attract_and_repel(sets, ["syn"], [])
    assert_array_equal(attract, [(A, B), (A, C)])
    assert repel.shape == (0, 2)
    assert_array_equal(without(pairs((A, B)), pairs()), [(A, B)])
