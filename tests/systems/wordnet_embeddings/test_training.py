import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.wordnet_embeddings.autoencoder import autoencode
from repline.systems.wordnet_embeddings.model import reduce, unit_rows
from repline.systems.wordnet_embeddings.training import Affinities, fewer_components, word_vectors


@pytest.fixture
def found():
    matrix = np.random.default_rng(0).random((40, 40))
    return Affinities([f"w{number}" for number in range(40)], matrix, {})


def test_the_reduction_is_the_one_that_is_asked_for(found):
    np.testing.assert_array_equal(word_vectors(found, dimensions=5, seed=3), reduce(found.matrix, dimensions=5, seed=3))
    codes = word_vectors(found, dimensions=5, reduction="autoencoder", optimizer="adadelta", epochs=1, batch=7, seed=3)
    expected, _ = autoencode(unit_rows(found.matrix), dimensions=5, optimizer="adadelta", epochs=1, batch=7, seed=3)
    np.testing.assert_array_equal(codes, expected)


def test_one_dimension_is_enough_and_none_is_refused(found):
    assert word_vectors(found, dimensions=1).shape == (40, 1)
    with pytest.raises(InputError, match="at least one dimension, found 0"):
        word_vectors(found, dimensions=0)
    for wrong in ({"dimensions": None}, {"unit_length": False}):
        with pytest.raises(InputError, match="an autoencoder needs"):
            word_vectors(found, reduction="autoencoder", **wrong)


def test_the_first_columns_of_the_default_are_those_of_fewer_components(found):
    default = {"dimensions": 8, "centre": True}
    assert fewer_components({"dimensions": 8, "centre": True}, default)
    assert fewer_components({"dimensions": 3, "centre": True}, default)
    for other in (
        {"dimensions": 9, "centre": True},
        {"dimensions": None, "centre": True},
        {"dimensions": 3, "centre": False},
    ):
        assert not fewer_components(other, default)
    own = {"dimensions": 3, "reduction": "autoencoder"}
    assert not fewer_components(own, {"dimensions": 8, "reduction": "autoencoder"})
    np.testing.assert_allclose(
        np.abs(word_vectors(found, dimensions=3)), np.abs(word_vectors(found, dimensions=8)[:, :3]), atol=1e-5
    )
