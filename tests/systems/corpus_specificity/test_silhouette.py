import numpy as np
import pytest
from sklearn.metrics import silhouette_samples, silhouette_score

from repline.systems.corpus_specificity.silhouette import silhouette, silhouettes


@pytest.mark.parametrize("seed", range(5))
def test_the_same_as_scikit_learn(seed):
    random = np.random.default_rng(seed)
    vectors, labels = random.normal(size=(60, 7)), random.permutation(np.repeat(list("abcde"), [30, 10, 15, 4, 1]))
    assert silhouette(vectors, labels) == pytest.approx(silhouette_score(vectors, labels, metric="cosine"), abs=1e-10)
    assert silhouettes(vectors, labels) == pytest.approx(
        silhouette_samples(vectors, labels, metric="cosine"), abs=1e-10
    )


def test_by_hand():
    x, y = (1.0, 0.0), (0.0, 1.0)
    assert silhouette(np.array([x, x, y, y]), ["a", "a", "b", "b"]) == 1
    assert silhouette(np.array([x, y, x, y]), ["a", "a", "b", "b"]) == -0.5
    assert silhouette(np.array([x, x, x, x]), ["a", "a", "b", "b"]) == 0


def test_length_does_not_count_and_zero_is_far_from_all():
    random = np.random.default_rng(0)
    vectors, labels = random.normal(size=(20, 3)), np.repeat(["a", "b"], 10)
    scaled = vectors * random.uniform(0.1, 10, size=(20, 1))
    assert silhouette(scaled, labels) == pytest.approx(silhouette(vectors, labels), abs=1e-12)
    zeros = np.zeros((4, 2))
    assert silhouette(zeros, ["a", "a", "b", "b"]) == 0


def test_two_categories_are_needed():
    with pytest.raises(ValueError, match="two or more categories"):
        silhouette(np.eye(3), ["a", "a", "a"])
    with pytest.raises(ValueError, match="expected 3 labels"):
        silhouette(np.eye(3), ["a", "b"])
