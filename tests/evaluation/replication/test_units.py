"""The units of test items: texts or groups of pairs that share texts, and their draws."""

import numpy as np

from repline.evaluation.replication.units import (
    MIN_GROUPS,
    NO_UNIT,
    draws_of_units,
    pair_units,
    single_units,
    units_of_pairs,
    units_of_part,
    weights_of_units,
)
from repline.evaluation.replication.weighted_draws import draws


def test_units_of_pairs_are_the_texts_that_they_share():
    firsts, seconds = ["a", "b", "x", "y", "a"], ["b", "c", "a", "z", "b"]
    (ab, bc, xa, yz, again) = pair_units(firsts, seconds).tolist()
    assert ab == again and NO_UNIT not in ab and len(set(ab)) == 2
    assert bc[0] in ab and xa[0] in ab and bc[0] != xa[0] and bc[1] == xa[1] == yz[1] == NO_UNIT
    assert yz[0] not in (*ab, NO_UNIT)
    assert pair_units(["y", "z"], ["z", "y"]).tolist() == [[0, NO_UNIT]] * 2
    assert pair_units([], []).shape == (0, 2)


def test_units_of_many_groups_of_pairs_are_the_groups():
    """Each text has a pair with a second and a third one; the three pairs of a group share no text with others."""
    texts = [[f"{group}{name}" for name in "abc"] for group in range(MIN_GROUPS)]
    firsts = [text for a, b, _ in texts for text in (a, b, a)]
    seconds = [text for _, b, c in texts for text in (b, c, c)]
    units = pair_units(firsts, seconds)
    assert units[:, 0].tolist() == np.repeat(np.arange(MIN_GROUPS), 3).tolist()
    assert (units[:, 1] == NO_UNIT).all()
    few = pair_units(firsts[3:], seconds[3:])  # one group less, so that texts are drawn
    assert NO_UNIT not in few and len(np.unique(few)) == 3 * (MIN_GROUPS - 1)


def test_pairs_that_share_nothing_are_drawn_as_single_items():
    names = [f"text {number}" for number in range(50)]
    for count in (50, 5):
        units = pair_units(names[:count], [f"other {name}" for name in names[:count]])
        assert units[:, 0].tolist() == list(range(count))
        assert (draws_of_units(units) == draws(count)).all()
    assert (draws_of_units(single_units(7), range(3, 6)) == draws(7)[3:6]).all()


def test_an_item_counts_as_often_as_all_of_its_units_together():
    units = np.array([[0, 1], [1, NO_UNIT], [0, NO_UNIT]])
    drawn = draws(2)
    expected = np.stack([drawn[:, 0] * drawn[:, 1], drawn[:, 1], drawn[:, 0]], axis=1)
    assert (draws_of_units(units) == expected).all()


def test_weights_are_everything_once_and_then_the_draws():
    units = single_units(7)
    assert (weights_of_units(units)[0] == 1).all() and (weights_of_units(units)[1:] == draws(7)).all()
    assert weights_of_units(pair_units([], [])).shape == (201, 0)


def test_named_groups_of_pairs_come_before_shared_texts():
    firsts, seconds = ["a", "a", "b"], ["x", "y", "z"]
    assert units_of_pairs(["m", "n", "m"], firsts, seconds).tolist() == [[0], [1], [0]]
    assert (units_of_pairs(["m", "n", "o"], firsts, seconds) == pair_units(firsts, seconds)).all()


def test_units_of_a_part_are_numbered_anew():
    units = np.array([[0, NO_UNIT], [4, 2], [2, 7], [9, NO_UNIT]])
    assert units_of_part(units, np.array([False, True, True, False])).tolist() == [[1, 0], [0, 2]]
    assert units_of_part(units, np.array([True, False, False, True])).tolist() == [[0, NO_UNIT], [1, NO_UNIT]]
