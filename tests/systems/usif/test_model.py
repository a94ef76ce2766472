"""uSIF's sentence vectors against a loop over sentences, and what must stay the same whatever the blocks."""

import tracemalloc
import warnings

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.sentence_similarity import cosines
from repline.systems.usif.model import (
    CommonComponents,
    embed,
    embed_stream,
    index_sentences,
    weighted_averages,
)

WORDS = [f"w{number}" for number in range(60)]
INDEX = {word: row for row, word in enumerate(WORDS)}
RNG = np.random.default_rng(7)
VECTORS = RNG.normal(size=(60, 9)).astype(np.float32) + 0.5
WEIGHTS = RNG.uniform(0.03, 2, size=60)
SENTENCES = [[WORDS[row] for row in RNG.integers(0, 60, size=size)] for size in RNG.integers(1, 20, size=80)]
ROWS, OFFSETS = index_sentences(SENTENCES, INDEX)


def loop(sentences, weights, normalization):
    """The definition, a sentence at a time."""
    result = []
    for sentence in sentences:
        rows = [INDEX[word] for word in sentence]
        matrix = VECTORS[rows].astype(np.float64)
        norms = np.linalg.norm(matrix, axis=0)
        if normalization == "divide":
            matrix = matrix / norms
        elif normalization == "multiply":
            matrix = matrix * norms
        elif normalization == "unit":
            matrix = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        result.append((weights[rows][:, None] * matrix).mean(axis=0))
    return np.array(result)


@pytest.mark.parametrize("normalization", ["none", "divide", "multiply", "unit"])
@pytest.mark.parametrize("weights", [WEIGHTS, None])
def test_averages_are_those_of_a_loop(normalization, weights):
    averages = weighted_averages(ROWS, OFFSETS, VECTORS, weights, normalization=normalization)
    expected = loop(SENTENCES, np.ones(60) if weights is None else weights, normalization)
    assert averages.dtype == np.float32
    np.testing.assert_allclose(averages, expected, rtol=2e-5, atol=2e-6)


def test_sentences_without_any_known_word_have_vectors_too():
    rows, offsets = index_sentences([["unheard"], ["of", "it"]], INDEX)
    averages = weighted_averages(rows, offsets, VECTORS, WEIGHTS, empty=0.5)
    expected = weighted_averages(*index_sentences([["unheard"], ["w1"]], INDEX), VECTORS, WEIGHTS, empty=0.5)[0]
    np.testing.assert_array_equal(averages, np.stack([expected, expected]))
    assert weighted_averages(rows, offsets, VECTORS, None, normalization="none").shape == (2, 9)


def test_dividing_gives_every_dimension_of_a_sentence_the_norm_one():
    rows = ROWS[OFFSETS[0] : OFFSETS[1]]
    norms = np.linalg.norm(VECTORS[rows], axis=0)
    np.testing.assert_allclose(np.linalg.norm(VECTORS[rows] / norms, axis=0), 1, rtol=1e-6)
    # one-hot weights show the scaled vector of a single word of the sentence
    for row in set(rows):
        weights = np.zeros(60)
        weights[row] = 1
        average = weighted_averages(rows, np.array([0, len(rows)]), VECTORS, weights)[0]
        times = (rows == row).sum()
        np.testing.assert_allclose(average, VECTORS[row] / norms * times / len(rows), rtol=1e-5)


@pytest.mark.parametrize("scale", [RNG.uniform(0.01, 50, size=9).astype(np.float32), np.float32(12.5)])
def test_the_scale_of_a_dimension_and_of_all_does_not_matter(scale):
    before = embed(ROWS, OFFSETS, VECTORS, WEIGHTS)
    after = embed(ROWS, OFFSETS, VECTORS * scale, WEIGHTS)
    np.testing.assert_allclose(after, before, rtol=1e-3, atol=2e-6)


@pytest.mark.parametrize("normalization", ["none", "unit", "multiply"])
def test_scores_do_not_change_with_the_length_of_all_vectors(normalization):
    options = {"normalization": normalization, "empty": 0.0}
    before = embed(ROWS, OFFSETS, VECTORS, WEIGHTS, **options)
    after = embed(ROWS, OFFSETS, VECTORS * np.float32(8), WEIGHTS, **options)
    np.testing.assert_allclose(cosines(after[:40], after[40:]), cosines(before[:40], before[40:]), atol=1e-6)


def test_blocks_and_the_order_of_words_do_not_change_averages():
    whole = weighted_averages(ROWS, OFFSETS, VECTORS, WEIGHTS)
    for block in (1, 7, 80, 1000):
        assert (weighted_averages(ROWS, OFFSETS, VECTORS, WEIGHTS, block=block) == whole).all()
    turned = index_sentences([sentence[::-1] for sentence in SENTENCES], INDEX)
    np.testing.assert_allclose(weighted_averages(*turned, VECTORS, WEIGHTS), whole, rtol=1e-5, atol=1e-7)
    twice = index_sentences([sentence * 2 for sentence in SENTENCES], INDEX)  # repeats are kept: g grows by √2
    np.testing.assert_allclose(weighted_averages(*twice, VECTORS, WEIGHTS), whole / np.sqrt(2), rtol=1e-5, atol=1e-7)


def test_unknown_words_are_left_out_and_an_empty_sentence_is_constant():
    rows, offsets = index_sentences([["?", "w3", "?"], ["?"], [], ["w3"]], INDEX)
    assert rows.tolist() == [3, 3]
    assert offsets.tolist() == [0, 1, 1, 1, 2]
    averages = weighted_averages(rows, offsets, VECTORS, None, empty=0.0012)
    assert (averages[[1, 2]] == np.float32(0.0012)).all()
    np.testing.assert_allclose(averages[0], np.sign(VECTORS[3]))  # one word: its pattern of signs
    assert (averages[0] == averages[3]).all()
    assert index_sentences([], INDEX)[1].tolist() == [0]


def test_a_dimension_of_zeros_does_not_divide_by_zero():
    vectors = VECTORS.copy()
    vectors[:, 4] = 0
    sentence_vectors = embed(ROWS, OFFSETS, vectors, WEIGHTS)
    assert np.isfinite(sentence_vectors).all()
    assert (weighted_averages(ROWS, OFFSETS, vectors, WEIGHTS)[:, 4] == 0).all()


AVERAGES = loop(SENTENCES, WEIGHTS, "divide")


def test_components_are_the_right_singular_vectors():
    _, sigma, vt = np.linalg.svd(AVERAGES, full_matrices=False)
    components = CommonComponents.of(AVERAGES, 5)
    np.testing.assert_allclose(components.singular_values, sigma[:5], rtol=1e-10)
    np.testing.assert_allclose(np.abs(components.directions @ vt[:5].T), np.eye(5), atol=1e-8)
    np.testing.assert_allclose(components.directions @ components.directions.T, np.eye(5), atol=1e-12)
    assert components.shares.sum() == pytest.approx(1)
    assert components.shares == pytest.approx(sigma[:5] ** 2 / (sigma[:5] ** 2).sum())


def test_piecewise_removal_leaves_one_less_lambda_of_each_component():
    components = CommonComponents.of(AVERAGES, 5)
    removed = components.remove(AVERAGES)
    before, after = AVERAGES @ components.directions.T, removed @ components.directions.T
    np.testing.assert_allclose(after, (1 - components.shares) * before, atol=1e-12)


def test_one_component_is_the_removal_of_sif():
    component = CommonComponents.of(AVERAGES, 1)
    removed = component.remove(AVERAGES)
    np.testing.assert_allclose(removed @ component.directions[0], 0, atol=1e-12)
    direction = component.directions[0]
    np.testing.assert_allclose(removed, AVERAGES - np.outer(AVERAGES @ direction, direction), atol=1e-12)
    np.testing.assert_allclose(CommonComponents.of(AVERAGES, 5).remove(AVERAGES, "first"), removed, atol=1e-10)


def test_full_removal_leaves_nothing_and_none_everything():
    components = CommonComponents.of(AVERAGES, 3)
    np.testing.assert_allclose(components.remove(AVERAGES, "full") @ components.directions.T, 0, atol=1e-12)
    assert (components.remove(AVERAGES, "none") == AVERAGES).all()
    assert (CommonComponents.of(AVERAGES, 0).remove(AVERAGES) == AVERAGES).all()


def test_components_of_blocks_and_in_place():
    whole = CommonComponents.of(AVERAGES, 5)
    blocks = CommonComponents.of((AVERAGES[start : start + 11] for start in range(0, 80, 11)), 5)
    np.testing.assert_allclose(blocks.shares, whole.shares, rtol=1e-10)
    expected, copy = whole.remove(AVERAGES), AVERAGES.copy()
    assert whole.remove(copy, out=copy) is copy
    np.testing.assert_allclose(copy, expected)


@pytest.mark.parametrize(
    ("averages", "m", "message"),
    [
        (np.zeros((0, 4)), 1, "at least one sentence"),
        (np.ones((9, 4)), 5, "should be 0 to 4, found 5"),
        (np.ones((9, 4)), -1, "should be 0 to 4, found -1"),
        (np.full((9, 4), np.nan), 1, "not finite"),
    ],
)
def test_what_has_no_components(averages, m, message):
    with pytest.raises(InputError, match=message):
        CommonComponents.of(averages, m)


def test_few_sentences_are_warned_of():
    with pytest.warns(UserWarning, match="only 2 sentences"):
        CommonComponents.of(AVERAGES[:2], 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CommonComponents.of(AVERAGES[:6], 5)


def test_all_zero_sentences_stay_zero():
    assert (CommonComponents.of(np.zeros((9, 4)), 2).remove(np.zeros((9, 4))) == 0).all()


def test_a_sentence_equals_itself_and_sides_may_be_swapped():
    sentence_vectors = embed(ROWS, OFFSETS, VECTORS, WEIGHTS)
    np.testing.assert_allclose(cosines(sentence_vectors, sentence_vectors), 1, rtol=1e-12)
    assert (
        cosines(sentence_vectors[:40], sentence_vectors[40:]) == cosines(sentence_vectors[40:], sentence_vectors[:40])
    ).all()
    assert cosines(np.zeros((1, 3)), np.ones((1, 3))).tolist() == [0]


def test_a_stream_gives_what_memory_gives(tmp_path):
    path = tmp_path / "sentences.npy"
    blocks = [SENTENCES[start : start + 13] for start in range(0, 80, 13)]
    components = embed_stream((index_sentences(block, INDEX) for block in blocks), path, VECTORS, WEIGHTS)
    expected = embed(ROWS, OFFSETS, VECTORS, WEIGHTS)
    written = np.load(path, allow_pickle=False)
    assert (written.shape, written.dtype) == ((80, 9), np.float32)
    np.testing.assert_allclose(written, expected, rtol=1e-4, atol=1e-6)
    assert len(components.directions) == 5
    again = embed_stream([(ROWS, OFFSETS)], path, VECTORS, WEIGHTS, components=components)
    assert again is components
    np.testing.assert_allclose(np.load(path), expected, rtol=1e-4, atol=1e-6)
    assert embed_stream([(ROWS, OFFSETS)], path, VECTORS, WEIGHTS, removal="none") is None
    assert (np.load(path) == weighted_averages(ROWS, OFFSETS, VECTORS, WEIGHTS)).all()


def test_the_memory_of_a_stream_does_not_grow_with_it(tmp_path):
    block = index_sentences(SENTENCES * 110, INDEX)  # 8,800 sentences
    result = 8_800 * VECTORS.itemsize * VECTORS.shape[1]

    def peak(blocks):
        tracemalloc.start()
        embed_stream((block for _ in range(blocks)), tmp_path / "s.npy", VECTORS, WEIGHTS)
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak_bytes

    peak(2)
    assert peak(12) - peak(2) < result  # and not ten times that


def test_a_stream_that_breaks_leaves_no_file(tmp_path):
    def blocks():
        yield ROWS, OFFSETS
        raise OSError("the disk went away")

    with pytest.raises(OSError, match="went away"):
        embed_stream(blocks(), tmp_path / "sentences.npy", VECTORS, WEIGHTS)
    assert list(tmp_path.iterdir()) == []
