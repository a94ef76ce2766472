"""The longest length solved, the run that is tested, and the landmarks of two curves."""

from repline.systems.lstm_memorization.learning_curves import best, deepest_dip, longest_solved, take_off, together_from


def test_the_longest_solved_length_comes_before_the_first_failure():
    assert longest_solved({10: 1.0, 20: 0.995, 40: 0.98, 60: 1.0}) == 20
    assert longest_solved({40: 0.99, 10: 1.0}) == 40
    assert longest_solved({10: 0.5}) == 0
    assert longest_solved({10: 0.5}, solved=0.4) == 10
    assert longest_solved({}) == 0


def test_what_is_best_in_validation_is_tested_the_first_of_equal_ones():
    assert best([0.2, 0.9, 0.9]) == 1
    assert best([0.3]) == 0


def test_landmarks():
    validation = [0.1, 0.6, 0.995, 0.95, 0.96, 0.99, 1.0]
    test = [0.0, 0.2, 0.60, 0.94, 0.97, 0.99, 1.0]
    assert take_off(validation) == 2
    assert together_from(validation, test) == 4
    assert deepest_dip(validation) == (4, 0.95)
    assert take_off([0.1, 0.5]) is None
    assert together_from(validation[:3], test[:3]) is None
    assert together_from([0.0, 0.0], [0.0, 0.0]) is None  # together, and both at nothing
    assert deepest_dip([0.5, 0.9]) is None
