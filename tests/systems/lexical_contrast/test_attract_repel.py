import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from repline.systems.lexical_contrast import attract_repel as module
from repline.systems.lexical_contrast.attract_repel import adagrad, attract_repel, cost_and_gradient, negatives
from repline.systems.lexical_contrast.settings import AttractRepel

HAND = np.array([(1, 0), (0, 1), (0.6, 0.8), (0.8, -0.6)])  # a b c d
POSITION_WORDS = np.array([0, 2, 1, 3])  # the pairs (a, b) and (c, d): left words, then right ones
A, B, C, D = range(4)


def cosine(vectors, pair):
    first, second = vectors[pair[0]], vectors[pair[1]]
    return first @ second / np.linalg.norm(first) / np.linalg.norm(second)


def random_batch(seed, words=9, pairs=6, dimensions=5):
    random = np.random.default_rng(seed)
    every = [(i, j) for i in range(words) for j in range(i + 1, words)]
    pair_rows = np.array(every)[random.permutation(len(every))[:pairs]]
    used, position_words = np.unique(pair_rows.T, return_inverse=True)
    return random.normal(size=(len(used), dimensions)), position_words.ravel(), random


def test_the_batch_by_hand():
    similarity, partner = HAND @ HAND.T, POSITION_WORDS[[2, 3, 0, 1]]
    assert negatives(similarity, POSITION_WORDS, partner, "attract").tolist() == [D, B, C, A]  # of a, c, b, d
    assert negatives(similarity, POSITION_WORDS, partner, "repel").tolist() == [C, A, D, B]
    assert cost_and_gradient(HAND, POSITION_WORDS, "attract", 1.0)[0] == pytest.approx(7.2)
    assert cost_and_gradient(HAND, POSITION_WORDS, "repel", 1.0)[0] == pytest.approx(4.0)


def test_a_replaced_negative_is_the_word_at_that_place():
    none = np.full(4, -1)
    assert cost_and_gradient(HAND, POSITION_WORDS, "attract", 1.0, none)[0] == pytest.approx(7.2)
    replacement = np.array([1, -1, -1, -1])  # a's negative is c (cosine 0.6) in place of d (0.8)
    assert cost_and_gradient(HAND, POSITION_WORDS, "attract", 1.0, replacement)[0] == pytest.approx(7.0)


@pytest.mark.parametrize("kind", ["attract", "repel"])
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("weight", [0.0, 0.3])
def test_the_gradient_is_that_of_central_differences(kind, seed, weight):
    x, position_words, random = random_batch(seed)
    original = random.normal(size=x.shape)
    replacement = random.integers(
        0, len(position_words), len(position_words)
    )  # fixed negatives: the choice of one is no smooth function
    cost = lambda vectors: cost_and_gradient(vectors, position_words, kind, 0.5, replacement, original, weight)  # noqa: E731
    gradient = cost(x)[1]
    numeric = np.empty_like(x)
    for position in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[position] = 1e-6
        numeric[position] = (cost(x + step)[0] - cost(x - step)[0]) / 2e-6
    assert np.abs(gradient).max() > 0.1
    assert_allclose(gradient, numeric, atol=1e-5)


@pytest.mark.parametrize("kind", ["attract", "repel"])
def test_the_cost_is_a_sum_over_places(kind):
    x, position_words, random = random_batch(5)
    original, replacement = random.normal(size=x.shape), random.integers(0, len(position_words), len(position_words))
    u = x / np.linalg.norm(x, axis=1, keepdims=True)
    k, expected = len(position_words) // 2, 0.0
    assert len(x) < len(position_words)  # a word that is there twice is drawn back twice
    for number, word in enumerate(position_words):
        near, far = u[position_words[(number + k) % (2 * k)]], u[position_words[replacement[number]]]
        difference = u[word] @ far - u[word] @ near
        expected += max(0, 0.6 + (difference if kind == "attract" else -difference))
        expected += 0.3 / 2 * ((original[word] - u[word]) ** 2).sum()
    cost, _ = cost_and_gradient(x, position_words, kind, 0.6, replacement, original, 0.3)
    assert cost == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["attract", "repel"])
def test_the_gradient_is_orthogonal_to_the_vectors_and_length_costs_nothing(kind):
    x, position_words, random = random_batch(3)
    cost, gradient = cost_and_gradient(x, position_words, kind, 1.0)
    assert_allclose(np.einsum("md,md->m", x, gradient), 0, atol=1e-12)
    longer = x * random.uniform(0.1, 10, size=(len(x), 1))
    assert cost_and_gradient(longer, position_words, kind, 1.0)[0] == pytest.approx(cost, abs=1e-12)


def test_adagrad_s_first_step():
    state = np.full((3, 2), module.ACCUMULATOR)
    gradient = np.array([[0.5, -7.0]])
    step = adagrad(gradient, state, np.array([1]), 0.05)
    clipped = np.array([0.5, -2.0])
    assert_allclose(step[0], 0.05 * clipped / np.sqrt(0.1 + clipped**2))
    assert (np.abs(step) < 0.05).all()
    assert_allclose(state, [[0.1, 0.1], [0.35, 4.1], [0.1, 0.1]])


@pytest.fixture
def space():
    random = np.random.default_rng(0)
    matrix = random.normal(size=(60, 8)) * random.uniform(0.5, 3, size=(60, 1))
    pairs = np.unique(np.sort(random.integers(0, 40, size=(80, 2)), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return matrix, pairs[::2], pairs[1::2]


def test_words_in_no_constraint_keep_their_direction_exactly(space):
    matrix, attract, repel = space
    vectors = attract_repel(matrix, attract, repel, AttractRepel(epochs=3, batch=5))
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    assert_allclose(vectors[40:], unit[40:], rtol=1e-15)
    assert_array_equal(vectors[40:], attract_repel(matrix, attract[:0], repel[:0])[40:])
    assert np.abs(vectors[:40] - unit[:40]).max() > 0.1
    assert_allclose(np.linalg.norm(vectors, axis=1), 1)


def test_no_constraints_and_no_epochs_only_normalise(space):
    matrix, attract, repel = space
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    assert_allclose(attract_repel(matrix, attract[:0], repel[:0]), unit, rtol=1e-15)
    assert_allclose(attract_repel(matrix, attract, repel, AttractRepel(epochs=0, batch=5)), unit, rtol=1e-15)


def test_a_margin_of_minus_two_moves_nothing(space):
    matrix, attract, repel = space
    options = {"batch": 5, "epochs": 2, "regularisation": 0.0, "attract_margin": -2.0, "repel_margin": -2.0}
    assert_array_equal(
        attract_repel(matrix, attract, repel, AttractRepel(**options)), attract_repel(matrix, attract[:0], repel[:0])
    )


@pytest.fixture
def batches(monkeypatch):
    """What every step is given, in order: rows of the matrix at its places, its kind, and its replacements."""
    steps, true = [], cost_and_gradient

    def recorded(x, position_words, kind, margin, replacement, original, weight):
        steps.append((original[position_words, 0].astype(int), kind, replacement))
        return true(x, position_words, kind, margin, replacement, original, weight)

    monkeypatch.setattr(module, "cost_and_gradient", recorded)
    return steps


def numbered(matrix):
    """Vectors with the number of their row in front, by which a step's words are recognised."""
    return np.hstack([np.arange(len(matrix))[:, None], matrix])


def test_every_kind_has_an_adagrad_state_of_its_own_and_words_are_drawn_back_to_where_they_were(space, batches):
    matrix, attract, repel = space
    matrix = numbered(matrix) / 10
    matrix[:, 0] *= 10
    margins, batch, rate, penalty = {"attract": 0.6, "repel": 0.2}, 5, 0.05, 0.02
    specialised = attract_repel(
        matrix,
        attract,
        repel,
        AttractRepel(
            epochs=3,
            batch=batch,
            learning_rate=rate,
            regularisation=penalty,
            attract_margin=margins["attract"],
            repel_margin=margins["repel"],
        ),
    )
    vectors, state = matrix.copy(), {kind: np.full(matrix.shape, 0.1) for kind in margins}
    for rows, kind, replacement in batches:
        words, position_words = np.unique(rows, return_inverse=True)
        _, gradient = cost_and_gradient(
            vectors[words], position_words, kind, margins[kind], replacement, matrix[words], batch * penalty
        )
        gradient = gradient.clip(-2, 2)
        state[kind][words] += gradient**2
        vectors[words] -= rate * gradient / np.sqrt(state[kind][words])
    assert_allclose(specialised, vectors / np.linalg.norm(vectors, axis=1, keepdims=True), atol=1e-12)


def test_an_epoch_mixes_the_batches_of_both_kinds_over_shuffled_pairs(space, batches):
    matrix, attract, repel = space
    attract = attract[:-12]
    attract_repel(numbered(matrix), attract, repel, AttractRepel(epochs=2, batch=3))
    epoch = len(attract) // 3 + len(repel) // 3
    assert len(batches) == 2 * epoch
    orders, pairs = [], []
    for steps in (batches[:epoch], batches[epoch:]):
        orders.append([kind for _, kind, _ in steps])
        assert orders[-1].count("attract") == len(attract) // 3
        assert orders[-1] not in (sorted(orders[-1]), sorted(orders[-1], reverse=True))
        for kind, every in (("attract", attract), ("repel", repel)):
            taken = [pair for rows, of, _ in steps for pair in rows.reshape(2, -1).T.tolist() if of == kind]
            assert len(set(map(tuple, taken))) == len(taken) == len(every) // 3 * 3  # each pair once
            assert set(map(tuple, taken)) <= set(map(tuple, every.tolist()))
            assert taken != every[: len(taken)].tolist()
            pairs.append(taken)
    assert orders[0] != orders[1]
    assert pairs[0] != pairs[2]
    assert pairs[1] != pairs[3]


@pytest.mark.parametrize("mix", [0.0, 0.2, 1.0])
def test_a_share_of_the_negatives_is_a_word_of_another_pair_on_either_side(space, batches, mix):
    matrix, attract, repel = space
    attract_repel(numbered(matrix), attract, repel, AttractRepel(epochs=150, batch=5, mix=mix))
    replacement = np.array([replaced for _, _, replaced in batches])  # [steps, 10]
    there = replacement >= 0
    assert there.mean() == pytest.approx(mix, abs=0.02)
    assert replacement.max(initial=-1) < 10
    pair_of_place = np.broadcast_to(np.arange(10) % 5, replacement.shape)
    assert (replacement[there] % 5 != pair_of_place[there]).all()
    if mix:
        assert (replacement[there] < 5).mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("kind", ["attract", "repel"])
def test_a_pair_moves_one_way_over_fifty_steps(kind):
    random = np.random.default_rng(4)
    matrix = random.normal(size=(12, 10))
    matrix[1] -= matrix[1] @ matrix[0] / (matrix[0] @ matrix[0]) * matrix[0]  # a right angle: far from either end
    pairs = np.arange(12).reshape(-1, 2)
    none = np.empty((0, 2), int)
    sets = (pairs, none) if kind == "attract" else (none, pairs)
    cosines = [
        cosine(attract_repel(matrix, *sets, AttractRepel(epochs=steps, batch=6, mix=0.0)), (0, 1))
        for steps in range(0, 51, 2)
    ]
    sign = 1 if kind == "attract" else -1
    assert (np.diff(cosines) * sign > -1e-9).all()
    assert sign * (cosines[-1] - cosines[0]) > 0.2


def test_both_kinds_do_what_they_are_named_for(space):
    matrix, attract, repel = space
    vectors = attract_repel(matrix, attract, repel, AttractRepel(epochs=20, batch=5))
    for pairs, sign in ((attract, 1), (repel, -1)):
        change = [cosine(vectors, pair) - cosine(matrix, pair) for pair in pairs]
        assert sign * np.mean(change) > 0.1


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(space):
    matrix, attract, repel = space
    first, again, other_seed = (
        attract_repel(matrix, attract, repel, AttractRepel(epochs=2, batch=5), seed=seed) for seed in (0, 0, 1)
    )
    assert_array_equal(first, again)
    assert (first != other_seed).any()


def test_every_epoch_is_reported_and_costs_fall(space):
    costs = []
    attract_repel(*space, AttractRepel(epochs=20, batch=5), report=lambda epoch, cost: costs.append((epoch, cost)))
    assert [epoch for epoch, _ in costs] == list(range(1, 21))
    assert costs[-1][1] < costs[0][1]


def test_float32_stays_float32_and_the_input_is_only_read(space):
    matrix, attract, repel = space
    matrix = matrix.astype(np.float32)
    matrix.setflags(write=False)
    assert attract_repel(matrix, attract, repel, AttractRepel(epochs=1, batch=5)).dtype == np.float32


@pytest.mark.parametrize(
    ("pairs", "batch", "words"),
    [
        ([(0, 0), (1, 2)], 2, "row 0 is paired with itself"),
        ([(0, 1), (1, 0)], 2, "there twice"),
        ([(0, 1), (2, 9)], 2, "row 9 of 5"),
        ([(0, 1)], 2, "1 pairs make no batch of 2; choose"),
        ([(0, 1), (2, 4)], 2, "1 pairs make no batch of 2 .1 more have a word whose vector is zero.; choose"),
        ([(0, 1), (2, 3)], 1, "greater than or equal to 2"),
        ([(0, 1, 2)], 2, r"\(1, 3\)"),
    ],
)
def test_wrong_pairs_are_refused(pairs, batch, words):
    with pytest.raises(ValueError, match=words):
        attract_repel(np.eye(5, 4), np.array(pairs), np.empty((0, 2), int), AttractRepel(batch=batch))


def test_pairs_of_a_vector_of_zeros_are_left_out(space):
    (matrix, attract, repel), recipe = space, AttractRepel(epochs=3, batch=5)
    without = matrix.copy()
    without[attract[0, 0]] = 0
    there = [pairs[without[pairs].any(-1).all(-1)] for pairs in (attract, repel)]
    assert len(there[0]) < len(attract)
    moved = attract_repel(without, attract, repel, recipe)
    assert np.isfinite(moved).all() and not moved[attract[0, 0]].any()
    assert_array_equal(moved, attract_repel(without, *there, recipe))
