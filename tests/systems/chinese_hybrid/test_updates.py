"""One step of the compiled loop compared with the hand example, autograd, and a plain CBOW."""

import numpy as np
import pytest
import torch

from repline.systems.chinese_hybrid import updates
from repline.systems.chinese_hybrid.model import KINDS, word_vectors
from repline.systems.chinese_hybrid.subwords import subwords_of

WORDS = ["海水", "明月", "明明", "水", "癌"]
COMPONENTS = {
    "海": ("氵", "每"),
    "水": ("水",),
    "明": ("日", "月"),
    "月": ("月",),
    "癌": ("疒", "口", "口", "口", "山"),
}
ALL = ["context_words", "context_characters", "context_components", "own_characters", "own_components"]


def taken(inputs, outputs, target, negatives, bags, *, consistency, divided=True, rate=1.0):
    """One step with bags given as [(members, weights)]; returns the objective of each bag and of the consistency."""
    members = np.concatenate([np.asarray(bag[0]) for bag in bags]).astype(np.int64)
    weights = np.concatenate([np.asarray(bag[1]) for bag in bags]).astype(np.float32)
    ends = np.cumsum([len(bag[0]) for bag in bags]).astype(np.int64)
    shape = (len(bags), inputs.shape[1])
    h, errors, g = np.empty(shape, np.float32), np.empty(shape, np.float32), np.empty(len(bags), np.float32)
    objective = np.zeros(len(bags) + 1)
    updates.step(
        inputs, outputs, target, np.array([*negatives, 0], np.int64), len(negatives), members, weights, ends, len(bags),
        consistency, divided, np.float32(rate), h, errors, g, True, objective,
    )  # fmt: skip
    return objective, h, errors


def bags_of(kinds, sentence, low, high, center, subwords):
    bags = []
    for kind in kinds:
        members, weights = np.empty(100, np.int64), np.empty(100, np.float32)
        count = updates.fill_bag(kind, np.array(sentence), low, high, center, *subwords.arrays, members, weights)
        bags.append((members[:count].copy(), weights[:count].copy()))
    return bags


@pytest.mark.parametrize(
    ("consistency", "objective", "gradient"),
    [(True, -5.835156, [0.316558, -0.045017]), (False, -5.361079, [0.278803, -0.045017])],
)
def test_hand_example(consistency, objective, gradient):
    inputs = np.tile(np.array([1, 0], np.float32), (5, 1))
    outputs = np.array([[0.5, 0], [-0.2, 0.1]], np.float32)
    bags = [([row], [1]) for row in range(5)]
    step_taken, _, errors = taken(inputs, outputs, 0, [1], bags, consistency=consistency)
    assert step_taken.sum() == pytest.approx(objective, abs=1e-5)
    assert errors[0] == pytest.approx(gradient, abs=1e-5)
    assert inputs[0] == pytest.approx([1 + gradient[0], gradient[1]], abs=1e-5)


@pytest.mark.parametrize("consistency", [True, False])
@pytest.mark.parametrize("kinds", [ALL, ALL[:3], ["composed_context"]], ids=["cowe", "jwe", "cwe"])
def test_a_divided_step_is_the_gradient(kinds, consistency):
    random = np.random.default_rng(0)
    subwords = subwords_of(WORDS, COMPONENTS, [False, False, False, True, False])
    inputs = random.normal(size=(subwords.rows, 6)).astype(np.float32)
    outputs = random.normal(size=(len(WORDS), 6)).astype(np.float32)
    sentence, center, negatives = [0, 1, 2, 4, 3], 2, [4, 3, 1]
    bags = bags_of([KINDS[kind] for kind in kinds], sentence, 0, 5, center, subwords)

    x, o = (torch.tensor(array, dtype=torch.float64, requires_grad=True) for array in (inputs, outputs))
    h = [torch.tensor(weights, dtype=torch.float64) @ x[torch.tensor(members)] for members, weights in bags]
    logistic = torch.nn.functional.logsigmoid
    expected = sum(logistic(o[2] @ hidden) + sum(logistic(-o[n] @ hidden) for n in negatives) for hidden in h)
    if consistency:
        expected = expected + logistic(o[2] @ torch.stack(h).mean(0))
    expected.backward()

    before = inputs.copy(), outputs.copy()
    step_taken, _, _ = taken(inputs, outputs, 2, negatives, bags, consistency=consistency, rate=0.01)
    assert step_taken.sum() == pytest.approx(expected.item(), rel=1e-5)
    np.testing.assert_allclose((inputs - before[0]) / 0.01, x.grad.numpy(), atol=2e-4)
    np.testing.assert_allclose((outputs - before[1]) / 0.01, o.grad.numpy(), atol=2e-4)


def test_one_bag_undivided_is_word2vecs_cbow():
    random = np.random.default_rng(1)
    inputs, outputs = random.normal(size=(2, 5, 4)).astype(np.float32)
    context, target, negatives, rate = [0, 1, 3], 2, [4, 0], 0.025
    expected_inputs, expected_outputs = inputs.astype(np.float64), outputs.astype(np.float64)
    h = expected_inputs[context].mean(0)
    error = np.zeros(4)
    for word, label in [(target, 1), *((negative, 0) for negative in negatives)]:
        g = rate * (label - 1 / (1 + np.exp(-h @ expected_outputs[word])))
        error += g * expected_outputs[word]
        expected_outputs[word] += g * h
    expected_inputs[context] += error
    taken(inputs, outputs, target, negatives, [(context, [1 / 3] * 3)], consistency=False, divided=False, rate=rate)
    np.testing.assert_allclose(inputs, expected_inputs, atol=1e-6)
    np.testing.assert_allclose(outputs, expected_outputs, atol=1e-6)


def test_consistency_touches_no_negative():
    random = np.random.default_rng(2)
    inputs, outputs = random.normal(size=(2, 5, 4)).astype(np.float32)
    after = {}
    for consistency in (True, False):
        changed = outputs.copy()
        taken(inputs.copy(), changed, 2, [4, 0], [([0], [1]), ([1], [1])], consistency=consistency)
        after[consistency] = changed
    np.testing.assert_array_equal(after[True][[0, 4]], after[False][[0, 4]])
    assert not np.array_equal(after[True][2], after[False][2])


def test_the_order_of_the_context_does_not_matter():
    random = np.random.default_rng(3)
    subwords = subwords_of(WORDS, COMPONENTS)
    inputs = random.normal(size=(subwords.rows, 4)).astype(np.float32)
    means = []
    for sentence in ([0, 1, 2, 3, 4], [4, 3, 2, 0, 1]):
        bags = bags_of([KINDS[kind] for kind in ALL], sentence, 0, 5, 2, subwords)
        outputs = np.ones((5, 4), np.float32)
        means.append(taken(inputs.copy(), outputs, 2, [], bags, consistency=True)[1])
    np.testing.assert_allclose(means[0], means[1], atol=1e-6)


def test_bags_count_what_is_there_twice():
    subwords = subwords_of(WORDS, COMPONENTS)
    characters, components = len(WORDS), len(WORDS) + len(subwords.characters)
    sentence = [2, 4, 0]  # 明明 癌 海水
    context, own_bag, parts = bags_of(
        [KINDS["context_characters"], KINDS["own_characters"], KINDS["own_components"]], sentence, 0, 2, 0, subwords
    )
    assert [subwords.characters[row - characters] for row in context[0]] == ["癌"]
    assert [subwords.characters[row - characters] for row in own_bag[0]] == ["明", "明"]
    assert [subwords.components[row - components] for row in parts[0]] == ["日", "月", "日", "月"]
    (own_bag,) = bags_of([KINDS["own_components"]], sentence, 0, 3, 1, subwords)
    assert [subwords.components[row - components] for row in own_bag[0]] == ["疒", "口", "口", "口", "山"]
    assert own_bag[1] == pytest.approx([0.2] * 5)


def test_composed_context_leaves_out_the_characters_of_names():
    subwords = subwords_of(WORDS, COMPONENTS, [True, False, False, False, False])
    ((members, weights),) = bags_of([KINDS["composed_context"]], [0, 1, 3], 0, 3, 2, subwords)
    assert members[:2].tolist() == [0, 1] and len(members) == 4
    assert weights == pytest.approx([0.5, 0.25, 0.125, 0.125])
    inputs = np.arange(subwords.rows, dtype=np.float32)[:, None]
    composed = word_vectors(["composed_context"], inputs, subwords)
    assert composed[0, 0] == 0  # a name stays as it is
    assert composed[1, 0] == (1 + np.mean(members[2:])) / 2
    np.testing.assert_array_equal(word_vectors(["context_words"], inputs, subwords), inputs[:5])
