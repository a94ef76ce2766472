import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity

# cosines: ab 1, ac 0, ad -1, ae 0.6
WORDS = ["a", "b", "c", "d", "e"]
MATRIX = np.array([[1, 0], [2, 0], [0, 3], [-1, 0], [0.6, 0.8]], dtype=np.float32)


@pytest.fixture
def embedding():
    return Embedding(WORDS, MATRIX)


def test_ranks_by_hand(embedding):
    # cosines 1, 0.6, 0, -1; scores rank the middle two the other way: rho = 1 - 6 * 2 / (4 * 15) = 0.8
    result = similarity(embedding, [("a", "b"), ("a", "e"), ("a", "c"), ("a", "d")], [10, 2, 3, 1])
    assert result["spearman"] == pytest.approx(0.8)
    x, y = np.array([1, 0.6, 0, -1]), np.array([10, 2, 3, 1])
    by_hand = ((x - x.mean()) * (y - y.mean())).sum() / np.sqrt(
        ((x - x.mean()) ** 2).sum() * ((y - y.mean()) ** 2).sum()
    )
    assert result["pearson"] == pytest.approx(by_hand, abs=1e-7)
    assert (result["pairs"], result["kept"], result["coverage"]) == (4, 4, 1)


def test_a_pair_with_a_missing_word_is_left_out_or_has_the_mean(embedding):
    pairs = [("a", "b"), ("a", "e"), ("a", "c"), ("a", "missing")]
    scores = [4, 3, 2, 1]
    result = similarity(embedding, pairs, scores)
    assert result["spearman"] == pytest.approx(1)
    assert (result["pairs"], result["kept"], result["coverage"]) == (4, 3, 0.75)
    mean = MATRIX.mean(axis=0)  # (0.52, 0.76): cosine with a 0.565, between those of e and c
    cosine = mean[0] / np.linalg.norm(mean)
    assert 0 < cosine < 0.6
    assert result["spearman_penalised"] == pytest.approx(0.8)  # ranks 4 3 1 2 against 4 3 2 1
    assert result["pearson_penalised"] == pytest.approx(np.corrcoef([1, 0.6, 0, cosine], scores)[0, 1], abs=1e-6)


def test_too_few_or_constant_values_have_no_correlation(embedding):
    assert similarity(embedding, [("a", "b"), ("a", "c")], [1, 2])["spearman"] is None
    assert similarity(embedding, [("a", "b"), ("a", "c"), ("a", "d")], [1, 1, 1])["spearman"] is None
    nothing = similarity(embedding, [("x", "y")] * 4, [1, 2, 3, 4])
    assert (nothing["spearman"], nothing["spearman_penalised"], nothing["kept"]) == (None, None, 0)


def test_not_one_score_a_pair(embedding):
    with pytest.raises(ValueError, match="one score for each of 1 pairs"):
        similarity(embedding, [("a", "b")], [1, 2])


def test_the_same_numbers_as_gensim():
    from gensim.models import KeyedVectors
    from gensim.test.utils import datapath

    from repline.evaluation.word_vectors.benchmark_files import read_pairs

    pairs, scores = read_pairs(datapath("wordsim353.tsv"))
    words = sorted({word.lower() for pair in pairs for word in pair})[::-1][40:]
    matrix = np.random.default_rng(0).standard_normal((len(words), 20)).astype(np.float32)
    keyed = KeyedVectors(20)
    keyed.add_vectors(words, matrix)
    linear, rank, missing = keyed.evaluate_word_pairs(datapath("wordsim353.tsv"))
    result = similarity(Embedding.of(keyed), pairs, scores)
    assert result["pearson"] == pytest.approx(linear[0], abs=1e-6)
    assert result["spearman"] == pytest.approx(rank[0], abs=1e-6)
    assert 1 - result["coverage"] == pytest.approx(missing / 100)
    assert 0 < result["coverage"] < 1


def test_case_joins_words_unless_it_is_kept():
    words, matrix = ["Polish", "polish", "cat"], np.eye(3, dtype=np.float32)
    joined = Embedding(words, matrix)
    assert joined.rows(["POLISH", "polish", "dog"]).tolist() == [0, 0, -1]
    assert joined.forms.tolist() == [0, 0, 2]
    apart = Embedding(words, matrix, ignore_case=False)
    assert apart.rows(["Polish", "polish", "POLISH"]).tolist() == [0, 1, -1]


def test_words_with_a_sharp_s_are_words_of_their_own():
    embedding = Embedding(["Masse", "Maße"], np.eye(2))
    assert list(embedding.rows(["masse", "maße", "MAẞE"])) == [0, 1, 1]


def test_a_zero_vector_is_a_missing_word():
    embedding = Embedding(["a", "b"], np.array([[0.0, 0], [1, 1]], dtype=np.float32))
    assert embedding.rows(["a", "b"]).tolist() == [-1, 1]
    assert embedding.vectors(np.array([-1, 1])).tolist() == [[0.5, 0.5], [1, 1]]


def test_wrong_vectors_are_named():
    with pytest.raises(InputError, match="2 words and an array of shape"):
        Embedding(["a", "b"], np.ones((1, 2), dtype=np.float32))
    broken = Embedding(["a", "b"], np.array([[1.0, 0], [np.nan, 1]], dtype=np.float32))
    with pytest.raises(InputError, match=r"'b' \(row 2\) holds NaN"):
        broken.rows(["a"])


@pytest.mark.filterwarnings("error")
def test_vectors_of_half_precision_have_their_length():
    """In float16 the squares of 300 add up to infinity, and sums of small ones lose their digits."""
    matrix = np.array([[300, 0], [300, 300], [0, 0.1]], dtype=np.float16)
    embedding = Embedding(["a", "b", "c"], matrix)
    assert embedding.norms == pytest.approx(np.linalg.norm(matrix.astype(np.float64), axis=1), rel=1e-6)
    assert embedding.rows(["a", "b", "c"]).tolist() == [0, 1, 2]


@pytest.mark.filterwarnings("error")
def test_vectors_whose_squares_no_float32_holds_have_their_length():
    matrix = np.array([[3e30, 4e30], [1, 1], [0, -2e25]], dtype=np.float32)
    embedding = Embedding(["a", "b", "c"], matrix)
    assert embedding.norms == pytest.approx([5e30, 2**0.5, 2e25], rel=1e-6)
    assert embedding.rows(["a", "b", "c"]).tolist() == [0, 1, 2]
