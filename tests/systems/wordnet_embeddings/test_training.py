import numpy as np
import pytest

from repline.systems.wordnet_embeddings.autoencoder import autoencode
from repline.systems.wordnet_embeddings.model import reduce, unit_rows
from repline.systems.wordnet_embeddings.settings import Recipe
from repline.systems.wordnet_embeddings.training import Affinities, word_vectors


@pytest.fixture
def small_affinities():
    matrix = np.random.default_rng(0).random((40, 40))
    return Affinities([f"w{number}" for number in range(40)], matrix, {})


def test_the_reduction_is_the_one_that_is_asked_for(small_affinities):
    recipe = Recipe(dimensions=5, seed=3)
    np.testing.assert_array_equal(word_vectors(small_affinities, recipe), reduce(small_affinities.matrix, recipe))
    recipe = Recipe(dimensions=5, reduction="autoencoder", optimizer="adadelta", epochs=1, batch=7, seed=3)
    codes = word_vectors(small_affinities, recipe)  # which sets the threads of torch
    np.testing.assert_array_equal(codes, autoencode(unit_rows(small_affinities.matrix), recipe)[0])


def test_one_dimension_is_enough_and_none_is_refused(small_affinities):
    assert word_vectors(small_affinities, Recipe(dimensions=1)).shape == (40, 1)
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        Recipe(dimensions=0)
    for wrong in ({"dimensions": None}, {"unit_length": False}):
        with pytest.raises(ValueError, match="an autoencoder needs"):
            Recipe(reduction="autoencoder", **wrong)


def test_the_first_columns_of_the_default_are_those_of_fewer_components(small_affinities):
    default = Recipe(dimensions=8)
    for dimensions in (8, 3):
        assert Recipe(dimensions=dimensions, centre=True).has_fewer_components_than(default)
    for change in ({"dimensions": 9}, {"dimensions": None}, {"dimensions": 3, "centre": False}):
        assert not Recipe(**change).has_fewer_components_than(default)
    coded = [Recipe(dimensions=dimensions, reduction="autoencoder") for dimensions in (3, 8)]
    assert not coded[0].has_fewer_components_than(coded[1])
    np.testing.assert_allclose(
        np.abs(word_vectors(small_affinities, Recipe(dimensions=3))),
        np.abs(word_vectors(small_affinities, default)[:, :3]),
        atol=1e-5,
    )


def test_affinities_are_shared_by_what_differs_after_the_walks():
    default = Recipe(words=50)
    assert Recipe(words=50, dimensions=3, centre=False).has_affinities_of(default)
    assert not Recipe(words=50, alpha=0.5).has_affinities_of(default)
