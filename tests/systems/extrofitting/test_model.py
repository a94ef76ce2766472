import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from repline.systems.extrofitting import model as extrofitting
from repline.systems.extrofitting.model import (
    between_class_covariance,
    component_labels,
    discriminants,
    edge_covariance,
    expanded,
    extrofit,
    notebook_labels,
    permuted_labels,
    project,
    total_covariance,
    whitening,
    within_class_covariance,
)

WORDS, DIMENSIONS, CLASSES = 300, 8, 40


def cosines(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.fixture
def data():
    random = np.random.default_rng(0)
    labels = np.concatenate([np.arange(CLASSES), random.integers(0, CLASSES, WORDS - CLASSES)])
    matrix = random.normal(size=(CLASSES, DIMENSIONS))[labels] + random.normal(size=(WORDS, DIMENSIONS)) * 0.7
    return matrix @ random.normal(size=(DIMENSIONS, DIMENSIONS)) + 1, labels


@pytest.fixture
def lexicon():
    random = np.random.default_rng(1)
    pairs = random.integers(0, 120, size=(150, 2))
    return random.normal(size=(200, 6)) + 2, np.concatenate([pairs, pairs[:, ::-1]])


def scatters(matrix, labels):
    """S_W and S_B class by class, as they are written."""
    classes, mean = np.unique(labels), matrix.mean(0)
    within = between = 0
    for label in classes:
        members = matrix[labels == label]
        within = within + (members - members.mean(0)).T @ (members - members.mean(0))
        between = between + len(members) * np.outer(members.mean(0) - mean, members.mean(0) - mean)
    return within / (len(matrix) - len(classes)), between / (len(classes) - 1)


def test_covariances_are_those_of_the_definition(data):
    within, between = scatters(*data)
    assert_allclose(within_class_covariance(*data), within, rtol=1e-12, atol=1e-12)
    assert_allclose(between_class_covariance(*data), between, rtol=1e-10, atol=1e-10)


def test_words_alone_in_their_class_count_in_neither_covariance_twice(data):
    matrix, labels = data
    labels = np.where(np.arange(WORDS) < 150, labels, 1000 + np.arange(WORDS))
    within, between = scatters(matrix, labels)
    assert_allclose(within_class_covariance(matrix, labels), within, rtol=1e-12, atol=1e-12)
    assert_allclose(between_class_covariance(matrix, labels), between, rtol=1e-10, atol=1e-10)


def test_the_size_of_the_blocks_changes_nothing(data, lexicon, monkeypatch):
    before = within_class_covariance(*data), edge_covariance(*lexicon), total_covariance(data[0])
    monkeypatch.setattr(extrofitting, "BLOCK", 7)
    after = within_class_covariance(*data), edge_covariance(*lexicon), total_covariance(data[0])
    for whole, by_blocks in zip(before, after, strict=True):
        assert_allclose(whole, by_blocks, rtol=1e-12, atol=1e-12)
    assert_allclose(project(data[0], np.eye(DIMENSIONS)), data[0] - data[0].mean(0), atol=1e-12)


def test_directions_whiten_the_classes_and_order_what_separates_them(data):
    within, between = within_class_covariance(*data), between_class_covariance(*data)
    directions, values = discriminants(within, between)
    assert_allclose(directions.T @ within @ directions, np.eye(DIMENSIONS), atol=1e-8)
    assert_allclose(directions.T @ between @ directions, np.diag(values), atol=1e-8)
    assert (np.diff(values) < 0).all()


def test_all_directions_are_a_whitening_by_the_classes(data):
    matrix, _ = data
    within, between = within_class_covariance(*data), between_class_covariance(*data)
    variances, axes = np.linalg.eigh(within)
    root = axes @ np.diag(variances**-0.5) @ axes.T  # the symmetric square root of the inverse
    expected = cosines((matrix - matrix.mean(0)) @ root)
    assert_allclose(cosines(project(matrix, discriminants(within, between)[0])), expected, atol=1e-8)
    assert_allclose(cosines(project(matrix, whitening(within))), expected, atol=1e-8)


def test_the_generalised_problem_by_hand():
    within, between = np.diag([1.0, 4.0]), np.array([[2.0, 1.0], [1.0, 2.0]])
    directions, values = discriminants(within, between)
    product = np.linalg.inv(within) @ between
    assert_allclose(product, [[2, 1], [0.25, 0.5]])
    assert_allclose(product @ directions, directions * values, atol=1e-12)
    with pytest.raises(ValueError, match="S_W is singular"):
        discriminants(np.diag([1.0, 0.0]), between)


@pytest.mark.parametrize("coefficients", [np.full(DIMENSIONS, 1 / DIMENSIONS), np.arange(DIMENSIONS) - 2.0])
def test_a_column_that_depends_on_the_others_changes_no_cosine(data, coefficients):
    matrix, labels = data
    widened = np.column_stack([matrix, matrix @ coefficients])
    plain = project(matrix, whitening(within_class_covariance(matrix, labels)))
    enlarged = project(widened, whitening(within_class_covariance(widened, labels)))
    assert np.linalg.matrix_rank(enlarged) == DIMENSIONS
    assert_allclose(cosines(enlarged), cosines(plain), atol=1e-8)


def test_a_column_that_is_constant_in_every_class_changes_no_cosine(data):
    matrix, labels = data
    means = np.array([matrix[labels == label].mean() for label in range(CLASSES)])
    widened = np.column_stack([matrix, means[labels]])
    plain = project(matrix, whitening(within_class_covariance(matrix, labels)))
    enlarged = project(widened, whitening(within_class_covariance(widened, labels)))
    assert_allclose(cosines(enlarged), cosines(plain), atol=1e-8)


def test_the_same_as_scikit_learn(data):
    matrix, labels = data
    peer = LinearDiscriminantAnalysis(solver="svd").fit(matrix, labels).transform(matrix)
    within, between = within_class_covariance(*data), between_class_covariance(*data)
    ours = project(matrix, discriminants(within, between)[0])
    assert_allclose(cosines(ours), cosines(peer), atol=1e-8)
    factor = np.sqrt((peer**2).sum(0) / (ours**2).sum(0))  # one factor for all columns, which agree up to their sign
    assert_allclose(factor, np.sqrt(WORDS / (WORDS - CLASSES)), rtol=1e-8)
    assert_allclose(np.abs(ours) * factor, np.abs(peer), atol=1e-8)


def test_nothing_to_learn_is_an_error(data):
    matrix, _ = data
    with pytest.raises(ValueError, match="every word is its own class"):
        within_class_covariance(matrix, np.arange(WORDS))
    with pytest.raises(ValueError, match="all words are one class"):
        within_class_covariance(matrix, np.zeros(WORDS, int))
    for labels in ("notebook", "components", "edges"):
        with pytest.raises(ValueError, match=r"own class|no two words"):
            extrofit(matrix, np.empty((0, 2), int), labels=labels)
    with pytest.raises(ValueError, match="nothing to whiten by"):
        whitening(np.zeros((3, 3)))


@pytest.mark.parametrize("labels", ["notebook", "components", "edges"])
def test_an_invertible_map_and_a_shift_before_change_no_cosine(lexicon, labels):
    matrix, edges = lexicon
    random = np.random.default_rng(5)
    moved = matrix @ random.normal(size=(6, 6)) + random.normal(size=6) * 3
    assert_allclose(
        cosines(extrofit(moved, edges, labels=labels)), cosines(extrofit(matrix, edges, labels=labels)), atol=1e-8
    )


def test_the_paper_s_expansion_changes_no_cosine(lexicon):
    matrix, edges = lexicon
    assert_array_equal(expanded(matrix)[:, -1], matrix.mean(1))
    plain, with_mean = (extrofit(vectors, edges, labels="notebook") for vectors in (matrix, expanded(matrix)))
    assert_allclose(cosines(with_mean), cosines(plain), atol=1e-8)
    single = expanded(matrix.astype(np.float32))  # the mean is rounded, so it depends on the others only nearly
    assert_allclose(cosines(extrofit(single, edges)), cosines(plain), atol=1e-4)
    pair = np.array([[2.0, 4.0], [6.0, 8.0], [0.0, 1.0]])
    assert_array_equal(expanded(pair, np.array([(0, 1)]))[:, -1], [5.0, 7.0, 0.5])


def test_means_that_are_averaged_over_neighbours_change_cosines(lexicon):
    matrix, edges = lexicon
    averaged = extrofit(expanded(matrix, edges), edges, labels="notebook")
    assert np.abs(cosines(averaged) - cosines(extrofit(matrix, edges, labels="notebook"))).max() > 0.01


def test_words_outside_the_lexicon_move_too(lexicon):
    matrix, edges = lexicon
    outside = np.setdiff1d(np.arange(200), edges)
    before, after = cosines(matrix - matrix.mean(0)), cosines(extrofit(matrix, edges))
    assert len(outside) >= 80
    assert np.abs(before - after)[np.ix_(outside, outside)].mean() > 0.01


def as_the_notebook_does_it(edges, words, order):
    labels, neighbours = np.zeros(words, int), {}
    for word, neighbour in edges.tolist():
        if word != neighbour:
            neighbours.setdefault(word, set()).add(neighbour)
    for visit, word in enumerate(order, 1):
        for row in neighbours.get(word, [word]):
            labels[row] = visit
    return labels


@pytest.mark.parametrize("seed", [0, 1])
def test_notebook_labels_are_those_of_the_loop(seed):
    random = np.random.default_rng(seed)
    edges = random.integers(0, 80, size=(90, 2))  # directed: some words are listed by nobody and list others
    visit = np.random.default_rng(seed).permutation(100)
    expected = as_the_notebook_does_it(edges, 100, np.argsort(visit))
    assert (expected == 0).sum() > 1
    assert_array_equal(notebook_labels(edges, 100, seed), expected)
    assert (notebook_labels(edges, 100, seed + 1) != expected).any()


def test_components_join_what_hangs_together():
    labels = component_labels(np.array([(0, 1), (2, 1), (4, 3)]), 6)
    assert labels[0] == labels[1] == labels[2]
    assert labels[3] == labels[4]
    assert len(np.unique(labels)) == 3


def test_permuted_labels_keep_the_sizes_and_stay_among_the_rows():
    labels = np.arange(50) // 3
    everywhere = permuted_labels(labels, 0)
    assert_array_equal(np.sort(everywhere), labels)
    assert (everywhere != labels).any()
    some = permuted_labels(labels, 0, among=np.arange(10, 40))
    assert_array_equal(some[:10], labels[:10])
    assert_array_equal(some[40:], labels[40:])
    assert_array_equal(np.sort(some[10:40]), labels[10:40])
    assert (some != labels).any()


def test_edge_covariance_is_the_mean_over_edges():
    matrix = np.array([[0.0, 0.0], [1.0, 2.0], [5.0, 5.0]])
    assert_array_equal(edge_covariance(matrix, np.array([(0, 1), (1, 0)])), [[1, 2], [2, 4]])


def test_float32_stays_float32(lexicon):
    matrix, edges = lexicon
    single = extrofit(matrix.astype(np.float32), edges)
    assert single.dtype == np.float32
    assert_allclose(single, extrofit(matrix, edges), rtol=1e-3, atol=1e-3)
