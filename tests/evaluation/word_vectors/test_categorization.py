import numpy as np
import pytest

from repline.evaluation.word_vectors.categorization import categorization, purity
from repline.evaluation.word_vectors.embedding import Embedding


def test_purity_by_hand():
    # cluster 0 holds a a b, cluster 1 holds b b, cluster 2 holds a c: 2 + 2 + 1 of 7
    assert purity(list("aabbbac"), [0, 0, 0, 1, 1, 2, 2]) == pytest.approx(5 / 7)
    assert purity(list("ab"), [3, 3]) == 0.5
    with pytest.raises(ValueError, match="one cluster for each"):
        purity(list("ab"), [1])


@pytest.fixture
def embedding():
    generator = np.random.default_rng(0)
    centres = np.repeat(np.eye(3) * 10, 5, axis=0)
    matrix = (centres + generator.standard_normal((15, 3))).astype(np.float32)
    return Embedding([f"{kind}{number}" for kind in "abc" for number in range(5)], matrix)


def test_categories_that_stand_apart_are_found(embedding):
    result = categorization(embedding, embedding.words, [word[0] for word in embedding.words])
    assert result["purity"] == result["purity_penalised"] == 1
    assert len(result["purities"]) == 6 and set(result["purities"].values()) == {1}
    assert (result["words"], result["kept"], result["categories"], result["coverage"]) == (15, 15, 3, 1)


def test_missing_words_are_left_out_or_have_the_mean(embedding):
    words = [*embedding.words, "x", "y", "z"]
    result = categorization(embedding, words, [word[0] for word in embedding.words] + ["a", "b", "c"])
    assert result["purity"] == 1
    # the three fall together, wherever they fall: at most one of them is in a cluster of its category
    assert result["purity_penalised"] == pytest.approx(16 / 18)
    assert result["coverage"] == pytest.approx(15 / 18)


def test_the_best_clustering_counts(embedding):
    generator = np.random.default_rng(1)
    noise = Embedding([str(row) for row in range(40)], generator.standard_normal((40, 4)).astype(np.float32))
    categories = [str(row % 5) for row in range(40)]
    result = categorization(noise, noise.words, categories)
    assert result["purity"] == max(result["purities"].values()) == result["purities"][result["clustering"]]
    assert len(set(result["purities"].values())) > 1
    assert categorization(noise, noise.words, categories) == result


def test_too_few_words_have_no_purity(embedding):
    result = categorization(embedding, ["x", "y"], ["a", "b"])
    assert (result["purity"], result["purity_penalised"], result["clustering"], result["kept"]) == (None, None, None, 0)
    assert categorization(embedding, ["a1", "a2", "x"], ["a", "a", "b"])["purity"] is None
    with pytest.raises(ValueError, match="one category for each of 1 words"):
        categorization(embedding, ["a1"], [])
