import numpy as np
import pytest
from scipy import sparse

from repline.algebra.walks import all_walks, row_stochastic
from repline.errors import InputError
from repline.systems.wordnet_embeddings.autoencoder import autoencode
from repline.systems.wordnet_embeddings.model import affinities, positive_pmi, reduce, unit_rows
from repline.systems.wordnet_embeddings.settings import Components, Recipe, Walks


def graph(edges, nodes):
    matrix = np.zeros((nodes, nodes))
    for a, b in edges:
        matrix[a, b] = matrix[b, a] = 1
    return sparse.csr_matrix(matrix)


def random_graph(nodes, seed=0):
    rng = np.random.default_rng(seed)
    matrix = np.triu((rng.random((nodes, nodes)) < 5 / nodes) * rng.integers(1, 4, (nodes, nodes)), 1).astype(float)
    matrix[3] = matrix[:, 3] = 0
    return sparse.csr_matrix(matrix + matrix.T)


def cosines(vectors):
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T


def test_pmi_of_a_path():
    matrix = affinities(graph([(0, 1), (1, 2)], 3), Walks(method="dense"))
    np.testing.assert_allclose(matrix, np.diag([0.649093, 0.263034, 0.649093]), atol=5e-7)


@pytest.mark.parametrize("method", ["dense", "streamed"])
def test_pmi_of_a_tree_of_five(method):
    matrix = affinities(graph([(0, 1), (0, 2), (0, 3), (3, 4)], 5), Walks(method=method))
    expected = [
        [0.550869, 0, 0, 0, 0],
        [0.135832, 1.339275, 0, 0, 0],
        [0.135832, 0, 1.339275, 0, 0],
        [0, 0, 0, 0.862496, 0.228819],
        [0, 0, 0, 0.447459, 1.409391],
    ]
    matrix = matrix.toarray() if sparse.issparse(matrix) else matrix
    np.testing.assert_allclose(matrix, expected, atol=5e-7 if method == "dense" else 1e-5)


def test_pmi_is_the_pointwise_mutual_information_of_equal_rows():
    walks = all_walks(row_stochastic(graph([(0, 1), (1, 2), (2, 3), (0, 3)], 4)), 0.6)
    joint = walks / walks.sum()
    information = np.log2(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0)))
    np.testing.assert_allclose(positive_pmi(walks.copy()), np.maximum(information, 0), atol=1e-12)


@pytest.mark.parametrize("alpha", [0.65, 0.75, 0.85])
def test_streamed_affinities_are_the_dense_ones_cell_by_cell(alpha):
    relations = random_graph(150)
    dense = affinities(relations, Walks(alpha=alpha, method="dense"))
    streamed = affinities(relations, Walks(alpha=alpha, method="streamed"))
    assert ((streamed.toarray() > 0) == (dense > 0)).all()
    np.testing.assert_allclose(streamed.toarray(), dense, atol=1e-4)
    np.testing.assert_allclose(
        affinities(relations, Walks(alpha=alpha, method="streamed", pmi=False)),
        affinities(relations, Walks(alpha=alpha, method="dense", pmi=False)),
        atol=3e-5,
    )


def test_unit_rows_have_length_one_and_empty_rows_stay_empty():
    matrix = affinities(random_graph(50), Walks(method="dense"))
    matrix[7] = 0
    for form in (matrix, sparse.csr_matrix(matrix)):
        unit = unit_rows(form)
        unit = unit.toarray() if sparse.issparse(unit) else unit
        lengths = np.linalg.norm(unit, axis=1)
        np.testing.assert_allclose(np.delete(lengths, 7), 1)
        assert lengths[7] == 0


@pytest.mark.parametrize("method", ["dense", "streamed"])
def test_at_full_rank_cosines_are_those_of_the_centred_affinities(method):
    relations = random_graph(80)
    unit = unit_rows(affinities(relations, Walks(method="dense")))
    vectors = reduce(affinities(relations, Walks(method=method)), Components(dimensions=80))
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(cosines(vectors), cosines(unit - unit.mean(axis=0)), atol=1e-4)


@pytest.mark.parametrize("method", ["dense", "streamed"])
def test_a_permuted_vocabulary_has_permuted_vectors(method):
    relations = random_graph(90)
    order = np.random.default_rng(5).permutation(90)
    vectors, permuted = (
        reduce(affinities(matrix, Walks(method=method)), Components(dimensions=20))
        for matrix in (relations, relations[order][:, order])
    )
    np.testing.assert_allclose(cosines(permuted), cosines(vectors[order]), atol=1e-3)


def test_variants_change_what_they_name():
    relations = random_graph(80)
    published = affinities(relations, Walks(method="dense"))
    plain = reduce(published, Components(dimensions=None, unit_length=False))
    np.testing.assert_allclose(plain, published, rtol=1e-6)
    first = reduce(published, Components(dimensions=20))
    np.testing.assert_allclose(reduce(published, Components(dimensions=5)), first[:, :5], atol=1e-5)
    for change in ({"unit_length": False}, {"centre": False}):
        changed = reduce(published, Components(dimensions=20, **change))
        assert np.abs(cosines(changed) - cosines(first)).max() > 0.01
    np.testing.assert_allclose(affinities(relations, Walks(pmi=False)), all_walks(row_stochastic(relations), 0.75))


def test_the_formula_without_a_limit_is_refused_unless_asked_for():
    relations = random_graph(40)
    with pytest.raises(InputError, match="the walks on this graph have no sum"):
        affinities(relations, Walks(steps="adjacency"))
    literal = affinities(relations, Walks(steps="adjacency_inverted"))
    assert np.isfinite(literal).all()
    assert (all_walks(relations, 0.75, diverging=True) < 0).any()
    with pytest.raises(InputError, match="the streamed way needs stochastic steps"):
        affinities(relations, Walks(steps="adjacency", method="streamed"))


def test_a_valid_decay_on_the_adjacency_matrix_sums_its_walks():
    relations = random_graph(40)
    matrix = affinities(relations, Walks(steps="adjacency", alpha=0.05, pmi=False))
    series = sum(np.linalg.matrix_power(0.05 * relations.toarray(), power) for power in range(60))
    np.testing.assert_allclose(matrix, series, rtol=1e-8)


def test_two_runs_give_the_same_bytes_and_threads_change_nothing():
    relations = random_graph(1200)
    runs = [
        reduce(affinities(relations, threads=threads), Components(dimensions=10), threads=threads).tobytes()
        for threads in (1, 1, 3)
    ]
    assert len(set(runs)) == 1


def test_an_autoencoder_learns_its_rows():
    rows = unit_rows(affinities(random_graph(200), Walks(method="streamed")))
    recipe = Recipe(dimensions=30, epochs=20, batch=20)
    options = {"penalty": 0.0, "learning_rate": 0.02}
    codes, losses = autoencode(rows, recipe, **options)
    assert codes.shape == (200, 30)
    assert (codes >= 0).all()
    guessing = -np.mean(_entropy(rows.mean()))  # the same value for every cell
    assert losses[-1] < 0.7 * guessing < 0.7 * losses[0]
    again, _ = autoencode(sparse.csr_matrix(rows), recipe, **options)
    assert (again == codes).all()
    sparser, _ = autoencode(rows, recipe, **options | {"penalty": 0.01})
    assert sparser.mean() < codes.mean()
    _, peer = autoencode(rows, recipe.model_copy(update={"optimizer": "adadelta"}), penalty=0.0)
    assert peer[-1] < peer[0] != losses[0]


def test_the_penalty_of_an_autoencoder_is_on_the_l1_norm_of_a_code():
    rows = unit_rows(affinities(random_graph(50), Walks(method="dense")))
    recipe = Recipe(dimensions=10, epochs=1, batch=50)
    options = {"learning_rate": 0.0}  # nothing moves
    codes, (plain,) = autoencode(rows, recipe, penalty=0.0, **options)
    _, (penalised,) = autoencode(rows, recipe, penalty=0.5, **options)
    assert penalised - plain == pytest.approx(0.5 * np.abs(codes).sum(1).mean(), rel=1e-4)
    _, (twice,) = autoencode(np.vstack([rows, rows]), recipe, penalty=0.0, **options)  # a mean over rows
    assert twice == pytest.approx(plain, rel=1e-4)


def _entropy(p):
    return p * np.log(p) + (1 - p) * np.log(1 - p)
