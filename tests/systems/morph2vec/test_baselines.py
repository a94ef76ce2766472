"""Stems, prefixes, and the ridge regression on n-grams."""

import numpy as np

from repline.systems.morph2vec.baselines import NgramRidge, longest_prefix, longest_stem
from repline.systems.morph2vec.settings import Ridge


def test_stems_are_first_parts_of_candidates_and_prefixes_any_beginning():
    rows = {"walk": 3, "walker": 5, "wa": 7}
    segmented = [[("walk", "ers"), ("walk", "er", "s")], [("walks",)], [("tal", "k")]]
    assert longest_stem(segmented, rows).tolist() == [5, -1, -1]
    assert longest_prefix(["walkers", "wall", "w", "talk"], rows).tolist() == [5, 7, -1, -1]


def test_the_regression_is_that_of_the_closed_form():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abc"), size=rng.integers(2, 6))) for _ in range(40)]
    vectors = rng.normal(size=(40, 3))
    ridge = NgramRidge(words, vectors, Ridge(shortest=2, longest=3, least=2, penalty=0.3))
    x = ridge.features(words).toarray()
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = np.linalg.solve(x.T @ x + 0.3 * np.eye(x.shape[1]), x.T @ unit)
    np.testing.assert_allclose(ridge.weights, expected, atol=1e-4)
    assert not ridge.predict(["zzzz"]).any()


def test_the_columns_of_the_regression_depend_on_no_hashes():
    """Strings hash otherwise in every process, and the last bits of the weights depend on the order of the columns."""
    words = ["walked", "talked", "walker"]
    ridge = NgramRidge(words, np.eye(3), Ridge(shortest=2, longest=2, least=2, penalty=0.3))
    assert list(ridge.columns) == ["<w", "wa", "al", "lk", "ke", "ed", "d>"]
