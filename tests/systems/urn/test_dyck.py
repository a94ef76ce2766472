from fractions import Fraction
from functools import cache

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.stats import chisquare

from repline.cards import read_card
from repline.errors import InputError
from repline.systems.urn import dyck
from repline.systems.urn.settings import DyckCorpus

SIZES = DyckCorpus(pairs=10, train_depth=3, train_strings=20480, test_strings=5120, seed=1234)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "dyck"
    dyck.generate(folder, SIZES)
    return folder


def strings(folder, split):
    return pq.read_table(folder / f"{split}.parquet")["string"].to_pylist()


@pytest.mark.parametrize(
    ("string", "expected"),
    [("([{}])", [0, 1, 2]), ("(())", [0, 0]), ("{()[()]}", [0, 0, 1, 3]), ("+<>(+-)-", [0, 0, 1, 2]), ("()", [0])],
)
def test_attractors_are_openings_of_another_kind_inside_the_pair(string, expected):
    counts = dyck.attractor_counts(dyck.encode([string]))
    assert counts[counts >= 0].tolist() == expected


def test_depths_and_matching_of_one_string():
    assert dyck.nesting_depths(dyck.encode(["{()[()]}"])).tolist() == [[1, 2, 2, 2, 3, 3, 2, 1]]
    assert dyck.matching(dyck.encode(["{()[()]}"])).tolist() == [[-1, -1, 1, -1, -1, 4, 3, 0]]


def test_alphabet_has_the_brackets_in_pairs_then_start_and_padding():
    assert len(dyck.ALPHABET) == 12
    assert dyck.ALPHABET[dyck.START] == "s"
    assert dyck.ALPHABET[dyck.START + 1] == " "
    for number, kind in enumerate(dyck.KINDS):
        assert dyck.encode([kind]).tolist() == [[2 * number, 2 * number + 1]]


def test_counts_on_arrays_equal_a_stack_machine(folder):
    test = strings(folder, "test")[:200]
    ids = dyck.encode(test)
    counts, depths, opening_of = dyck.attractor_counts(ids), dyck.nesting_depths(ids), dyck.matching(ids)
    closing_of = dict(zip("({[<+", ")}]>-", strict=True))
    for row, string in enumerate(test):
        stack = []
        for position, symbol in enumerate(string):
            if symbol in closing_of:
                stack.append(position)
                assert counts[row, position] == opening_of[row, position] == -1
                assert depths[row, position] == len(stack)
            else:
                assert depths[row, position] == len(stack)
                start = stack.pop()
                assert closing_of[string[start]] == symbol
                inside = [opened for opened in string[start + 1 : position] if opened in closing_of]
                assert counts[row, position] == sum(opened != string[start] for opened in inside)
                assert opening_of[row, position] == start


def test_training_strings_are_exactly_three_deep_and_balanced_by_kind(folder):
    train = strings(folder, "train")
    ids = dyck.encode(train)
    assert ids.shape == (20480, 20)
    dyck.matching(ids)  # raises if one string is not balanced
    assert (dyck.nesting_depths(ids).max(axis=1) == 3).all()
    kinds = np.bincount(ids[ids % 2 == 0] // 2, minlength=5)
    assert kinds.sum() == 204800
    assert chisquare(kinds).pvalue > 1e-3
    assert set(pq.read_table(folder / "train.parquet")["depth"].to_pylist()) == {3}


def test_test_strings_have_the_depths_and_attractors_of_the_published_generator(folder):
    ids = dyck.encode(strings(folder, "test"))
    depths = dyck.nesting_depths(ids).max(axis=1)
    assert depths.tolist() == pq.read_table(folder / "test.parquet")["depth"].to_pylist()
    reference = np.array([1, 166, 667, 969, 985, 892, 622, 442, 258, 118])
    observed = np.bincount(depths, minlength=11)[1:]
    expected = (observed + reference) / 2
    assert ((observed - expected) ** 2 / expected).sum() * 2 < 27.9  # two samples, 9 degrees of freedom, p = 0.001
    counts = dyck.attractor_counts(ids)
    observed = np.bincount(counts[counts >= 0], minlength=10)
    reference = np.array([24958, 8213, 5005, 3687, 2946, 2317, 1910, 1344, 646, 174])
    assert observed.sum() == reference.sum() == 51200
    assert (np.abs(observed - reference) < 4 * np.sqrt(2 * reference)).all()


@cache
def exact(start, end, cap):
    """Probability of each path between two points, from the definition of the recursion, in exact fractions."""
    (i0, j0), (i1, j1) = start, end
    if i0 == i1 or j0 == j1:
        return {")" * (j1 - j0) + "(" * (i1 - i0): Fraction(1)}
    paths, again = {}, Fraction(0)
    for j in range(j0, j1 + 1):
        low, high = max(i0, j), min(i1, j + cap)
        for i in range(low, high + 1):
            chance = Fraction(1, (j1 - j0 + 1) * (high - low + 1))
            if (i, j) in (start, end):
                again += chance
                continue
            for head, p in exact(start, (i, j), cap).items():
                for tail, q in exact((i, j), end, cap).items():
                    paths[head + tail] = paths.get(head + tail, 0) + chance * p * q
    return {path: p / (1 - again) for path, p in paths.items()}


@pytest.mark.parametrize("depth", [None, 1, 2, 3])
def test_paths_are_drawn_with_the_probabilities_of_the_recursion(depth):
    pairs, number = 4, 40000
    if depth is None:
        expected = exact((0, 0), (pairs, pairs), pairs)
    else:
        expected = {}
        for i in range(depth, pairs + 1):
            for head, p in exact((0, 0), (i, i - depth), depth).items():
                for tail, q in exact((i, i - depth), (pairs, pairs), depth).items():
                    expected[head + tail] = expected.get(head + tail, 0) + p * q / (pairs - depth + 1)
    assert sum(expected.values()) == 1
    ids = dyck.draw(number, pairs=pairs, depth=depth, rng=np.random.default_rng(7))
    paths, counts = np.unique(dyck.decode(ids % 2), return_counts=True)
    assert set(paths) == set(expected)
    if len(expected) > 1:
        assert chisquare(counts, [float(expected[path]) * number for path in paths]).pvalue > 1e-3


def test_same_seed_same_bytes_and_another_seed_other_strings(folder, tmp_path):
    dyck.generate(tmp_path / "again", SIZES)
    dyck.generate(tmp_path / "other", SIZES.model_copy(update={"seed": 1235}))
    for name in ("train.parquet", "test.parquet", "card.json"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    assert strings(folder, "test") != strings(tmp_path / "other", "test")


def test_the_size_of_train_does_not_change_test(folder, tmp_path):
    dyck.generate(tmp_path / "dyck", SIZES.model_copy(update={"train_strings": 10}))
    assert (tmp_path / "dyck/test.parquet").read_bytes() == (folder / "test.parquet").read_bytes()


def test_card_counts_the_strings(folder):
    counts = read_card(folder)["counts"]
    assert counts["train_strings"] == counts["train_strings_of_depth_3"] == 20480
    assert sum(counts.get(f"test_strings_of_depth_{depth}", 0) for depth in range(1, 11)) == 5120


@pytest.mark.parametrize("string", ["(]", "((", "())(", ")("])
def test_unbalanced_strings_are_refused(string):
    with pytest.raises(InputError, match="string 1 is not balanced"):
        dyck.matching(dyck.encode(["()" * (len(string) // 2), string]))


def test_foreign_characters_and_unequal_lengths_are_refused():
    with pytest.raises(InputError, match=r"string 1 .*outside"):
        dyck.encode(["()", "(x"])
    with pytest.raises(InputError, match=r"string 1 .*expected 2 characters"):
        dyck.encode(["()", "(())"])
    with pytest.raises(InputError, match="brackets only"):
        dyck.matching(dyck.encode(["s("]))


def test_decode_is_the_inverse_of_encode(folder):
    test = strings(folder, "test")[:50]
    assert dyck.decode(dyck.encode(test)) == test
