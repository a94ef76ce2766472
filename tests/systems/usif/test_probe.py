"""Probes on fixed sentence vectors, and the sentence vectors of every variant."""

import warnings

import numpy as np
import pytest
import torch

from repline.systems.usif.model import CommonComponents
from repline.systems.usif.probe import SentenceProbe, expected_score, score_distribution
from repline.systems.usif.random_walk import derive
from repline.systems.usif.settings import Recipe
from repline.systems.usif.training import train
from repline.systems.usif.variants import (
    VARIANTS,
    inverse_document_frequencies,
    variant_averages,
    variant_embeddings,
)
from repline.training.run import Run


def test_a_pair_is_the_same_in_both_orders():
    torch.manual_seed(0)
    model, first, second = SentenceProbe(4, ["a", "b"], True, 8), torch.randn(3, 4), torch.randn(3, 4)
    assert torch.equal(model(first, second), model(second, first))
    assert not torch.equal(model(first, second), model(first, first))
    inside, _, outside = model.layers
    x = torch.cat([(first - second).abs(), first * second], 1)
    expected = torch.tanh(x @ inside.weight.T + inside.bias) @ outside.weight.T + outside.bias
    torch.testing.assert_close(model(first, second), expected)


def test_a_probe_of_pairs_learns_whether_two_sentences_agree(tmp_path):
    torch.manual_seed(2)
    inputs = {part: [torch.randn(size, 4), torch.randn(size, 4)] for part, size in (("train", 300), ("dev", 60))}
    labels = {part: (first[:, 0] * second[:, 0] > 0).long() for part, (first, second) in inputs.items()}
    recipe = Recipe(hidden=16, learning_rate=0.02, l2=0.0, batch=32, epochs=10)
    targets = {part: torch.eye(2)[classes] for part, classes in labels.items()}
    train(recipe, inputs, targets, ["apart", "alike"], Run(tmp_path / "probe", scratch=tmp_path / "scratch"))
    model = SentenceProbe.from_pretrained(tmp_path / "probe").eval()
    assert model.pairs
    assert (model(*inputs["dev"]).argmax(1) == labels["dev"]).float().mean() > 0.8


def test_distributions_have_the_score_as_their_mean():
    scores = torch.tensor([1.0, 3.6, 5.0])
    distributions = score_distribution(scores, 5)
    torch.testing.assert_close(distributions.sum(1), torch.ones(3))
    torch.testing.assert_close(distributions @ torch.arange(1.0, 6), scores)
    torch.testing.assert_close(distributions[1], torch.tensor([0, 0, 0.4, 0.6, 0]))
    torch.testing.assert_close(expected_score(distributions.clamp(min=1e-30).log()), scores)


def test_a_probe_learns_and_is_saved_twice_the_same(tmp_path):
    torch.manual_seed(1)
    inputs = {part: [torch.randn(size, 6)] for part, size in (("train", 300), ("dev", 60), ("test", 100))}
    labels = {part: (x[0][:, 0] * x[0][:, 1] > 0).long() for part, x in inputs.items()}
    targets = {part: torch.nn.functional.one_hot(classes, 2).float() for part, classes in labels.items()}
    recipe = Recipe(hidden=32, learning_rate=0.01, l2=1e-4, batch=32, epochs=15)
    saved = []
    for run in ("one", "two"):
        train(recipe, inputs, targets, ["n", "y"], Run(tmp_path / run, scratch=tmp_path / f"s-{run}"))
        saved.append((tmp_path / run / "model.safetensors").read_bytes())
    assert saved[0] == saved[1]
    model = SentenceProbe.from_pretrained(tmp_path / "one").eval()
    assert (model(*inputs["test"]).argmax(1) == labels["test"]).float().mean() > 0.8
    assert model.classes == ["n", "y"]


def test_the_penalty_keeps_the_weights_of_a_probe_small(tmp_path):
    torch.manual_seed(1)
    inputs = {part: [torch.randn(40, 6)] for part in ("train", "dev")}
    targets = {part: torch.eye(2)[(x[0][:, 0] > 0).long()] for part, x in inputs.items()}
    sizes = []
    for l2 in (0.0, 10.0):
        recipe = Recipe(hidden=8, learning_rate=0.05, batch=20, epochs=3, l2=l2)
        train(recipe, inputs, targets, ["n", "y"], Run(tmp_path / f"{l2}", scratch=tmp_path / "scratch"))
        model = SentenceProbe.from_pretrained(tmp_path / f"{l2}")
        sizes.append(sum(float(parameter.detach().square().sum()) for parameter in model.parameters()))
    assert sizes[1] < 0.7 * sizes[0]


@pytest.mark.parametrize("length", [2, 3])
def test_a_sentence_without_a_known_word_is_as_heavy_as_the_smoothing_of_its_weights(length):
    probabilities = np.array([0.5, 0.25, 0.15, 0.10])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        constants = derive(probabilities if length == 2 else np.full(4, 0.25), length)
    a = 1.5 if length == 2 else 2.0  # 2 where a is infinite
    expected = {"none": 1e-3, "idf": 1e-3, "sif": 1e-3, "usif": a}
    vectors = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    for name, variant in VARIANTS.items():
        averages = variant_averages(
            variant, np.array([0, 1, 2]), np.array([0, 2, 2, 3]), vectors, probabilities, constants
        )
        assert averages[1] == pytest.approx([expected[variant.weighting]] * 3), name


def test_every_variant_gives_vectors_and_they_differ():
    rng = np.random.default_rng(0)
    vectors, probabilities = rng.normal(size=(40, 8)).astype(np.float32) + 0.3, rng.dirichlet(np.full(40, 0.3)) + 1e-4
    rows, offsets = rng.integers(0, 40, size=200), np.arange(0, 201, 10)
    constants = derive(probabilities / probabilities.sum(), 2)
    vectors_by_variant = {}
    for name, variant in VARIANTS.items():
        averages = variant_averages(variant, rows, offsets, vectors, probabilities, constants)
        vectors_by_variant[name] = variant_embeddings(variant, averages, 5)
        assert vectors_by_variant[name].shape == (20, 8)
        with_other_components = variant_embeddings(variant, averages, 5, CommonComponents.of(averages[:10], 5))
        assert np.allclose(with_other_components, vectors_by_variant[name]) == (variant.removal == "none")
    names = list(vectors_by_variant)
    for number, name in enumerate(names):
        assert not any(
            np.allclose(vectors_by_variant[name], vectors_by_variant[earlier]) for earlier in names[:number]
        ), name


def test_idf_counts_sentences_not_words():
    idf = inverse_document_frequencies(np.array([0, 0, 1, 0]), np.array([0, 3, 4]), 3)
    assert idf == pytest.approx([1, np.log(3 / 2) + 1, np.log(3) + 1])
