import numpy as np
import pytest
from scipy.stats import ortho_group

from repline.errors import InputError
from repline.vectors import alignment
from repline.vectors.normalisation import unit_length

RANDOM = np.random.default_rng(0)
ROTATION = ortho_group.rvs(20, random_state=1)


def unit(matrix):
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def clusters(words, d=20):
    """Vectors with a structure, as those of words have: a few topics, of different size."""
    topics = RANDOM.normal(size=(12, d)) * np.linspace(2, 0.5, d)
    return unit(topics[RANDOM.integers(12, size=words)] + RANDOM.normal(size=(words, d)) * np.linspace(1.2, 0.3, d))


B = clusters(400)
A = B @ ROTATION.T  # a row of A times ROTATION is that of B


def test_a_rotation_is_recovered():
    pairs = RANDOM.permutation(400)[:25]  # at least d independent ones
    w = alignment.orthogonal_map(A[pairs], B[pairs])
    assert w == pytest.approx(ROTATION, abs=1e-10)
    assert A @ w == pytest.approx(B, abs=1e-10)


def test_the_orthogonal_map_is_orthogonal_and_the_best():
    noisy = A + 0.3 * RANDOM.normal(size=A.shape)
    w = alignment.orthogonal_map(noisy, B)
    assert w.T @ w == pytest.approx(np.eye(20), abs=1e-10)
    error = np.linalg.norm(noisy @ w - B)
    random_errors = [np.linalg.norm(noisy @ q - B) for q in ortho_group.rvs(20, size=100, random_state=2)]
    assert error < min(random_errors)
    nearby = [w @ ortho_group.rvs(20, random_state=seed) for seed in range(3)]
    assert all(np.linalg.norm(noisy @ q - B) > error for q in nearby)


def test_spaces_of_different_dimensions():
    wide = np.hstack([A, 0.01 * RANDOM.normal(size=(400, 5))])
    w = alignment.orthogonal_map(wide, B)
    assert w.shape == (25, 20)
    assert w.T @ w == pytest.approx(np.eye(20), abs=1e-10)
    assert wide @ w == pytest.approx(B, abs=0.1)


def test_least_squares_solves_the_normal_equations():
    target = RANDOM.normal(size=(400, 7))
    w = alignment.least_squares_map(A, target, penalty=0.5)
    assert w == pytest.approx(np.linalg.solve(A.T @ A + 0.5 * np.eye(20), A.T @ target), abs=1e-10)


def test_csls_holds_hubs_back():
    x = unit(np.array([[1.0, 0.0, 0.0], [1.0, 0.4, 0.0], [1.0, 0.0, 0.4]]))
    y = unit(np.array([[1.0, 0.15, 0.15], [0.6, 0.8, 0.0], [0.6, 0.0, 0.8]]))
    assert (x @ y.T).argmax(axis=1).tolist() == [0, 0, 0]  # a hub
    rows, values = alignment.csls_nearest(x, y, neighbours=2)
    cosines = x @ y.T
    r_x = np.sort(cosines, axis=1)[:, -2:].mean(axis=1)
    r_y = np.sort(cosines, axis=0)[-2:].mean(axis=0)
    full = 2 * cosines - r_x[:, None] - r_y
    assert rows.tolist() == full.argmax(axis=1).tolist()
    assert values == pytest.approx(full.max(axis=1))
    assert rows.tolist() == [0, 1, 2]


def test_blocks_do_not_show(monkeypatch):
    noisy = unit(A @ ROTATION + 0.2 * RANDOM.normal(size=A.shape))
    whole = alignment.csls_nearest(noisy, B)
    monkeypatch.setattr(alignment, "BLOCK", 7)
    parts = alignment.csls_nearest(noisy, B)
    assert (whole[0] == parts[0]).all()
    assert whole[1] == pytest.approx(parts[1])


def test_mutual_pairs_and_identical_strings():
    order = RANDOM.permutation(400)
    pairs = alignment.mutual_pairs(B, B[order])
    assert (order[pairs[:, 1]] == pairs[:, 0]).all()
    assert len(pairs) == 400
    assert alignment.identical_strings(["a", "7", "b"], ["7", "c", "a"]).tolist() == [[0, 2], [1, 0]]
    assert alignment.identical_strings(["a"], ["b"]).shape == (0, 2)


def test_refinement_gets_far_from_a_poor_dictionary():
    noisy = unit(A + 0.1 * RANDOM.normal(size=A.shape) * B.std())
    seeds = np.stack([np.arange(15)] * 2, axis=1)
    start = alignment.precision_at_1(unit(noisy @ alignment.orthogonal_map(noisy[:15], B[:15])), B, _same(400))
    w, pairs = alignment.refine(noisy, B, seeds)
    assert alignment.precision_at_1(unit(noisy @ w), B, _same(400)) > max(start, 0.95)
    assert (pairs[:, 0] == pairs[:, 1]).mean() > 0.95
    assert w.T @ w == pytest.approx(np.eye(20), abs=1e-10)


def test_no_dictionary_at_all():
    order = RANDOM.permutation(400)
    w, pairs = alignment.unsupervised_map(A, B[order])
    assert w == pytest.approx(ROTATION, abs=1e-6)
    assert (order[pairs[:, 1]] == pairs[:, 0]).mean() > 0.99
    again, _ = alignment.unsupervised_map(A, B[order])  # the choices follow the seed
    assert (again == w).all()


def test_profiles_are_those_of_the_root_of_the_similarities(monkeypatch):
    seen = []
    monkeypatch.setattr(alignment, "mutual_pairs", lambda *profiles: seen.extend(profiles))
    alignment.similarity_profiles(A, B[::-1])
    for side, profiles in zip((A, B[::-1]), seen, strict=True):
        values, vectors = np.linalg.eigh(side @ side.T)
        values[values < 1e-10] = 0  # of A A^T, whose rank is that of A: the root of a rounding error is none
        root = (vectors * np.sqrt(values)) @ vectors.T
        np.testing.assert_allclose(root @ root, side @ side.T, atol=1e-10)
        expected = unit(np.sort(root, axis=1))
        np.testing.assert_allclose(profiles, unit(expected - expected.mean(axis=0)), atol=1e-10)


def test_the_best_search_is_kept(monkeypatch):
    good, bad = (ROTATION, _same(400)), (np.eye(20), _same(30))
    searches = iter([bad, good, bad])
    monkeypatch.setattr(alignment, "refine", lambda *_, **__: next(searches))
    assert alignment.unsupervised_map(A, B)[0] is good[0]


def test_precision_counts_any_translation():
    pairs = np.array([[0, 0], [0, 5], [1, 2], [2, 2]])
    assert alignment.precision_at_1(B, B, pairs) == pytest.approx(2 / 3)


def test_mistakes():
    with pytest.raises(InputError, match=r"expected pairs of vectors, .*found 3 and 4"):
        alignment.orthogonal_map(A[:3], B[:4])
    with pytest.raises(InputError, match="found 0 and 0"):
        alignment.least_squares_map(A[:0], B[:0])
    with pytest.raises(InputError, match="same number of words of both languages, found 3 and 4"):
        alignment.similarity_profiles(A[:3], B[:4])


def _same(n):
    return np.stack([np.arange(n)] * 2, axis=1)


def test_pairs_of_one_matrix_are_those_of_two_searches(monkeypatch):
    random = np.random.default_rng(4)
    a, b = (unit_length(random.normal(size=(size, 8))) for size in (60, 45))
    whole = alignment.mutual_pairs(a, b)
    monkeypatch.setattr(alignment, "MAX_WHOLE", 0)
    assert (alignment.mutual_pairs(a, b) == whole).all()
    assert 5 < len(whole) < 45
