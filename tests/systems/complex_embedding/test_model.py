"""Networks: pairs of real numbers against complex ones, additivity, gauge, order, padding, the loss, saved tables."""

import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.layers.document_network import PADDING
from repline.pretrained import pretrained
from repline.systems.complex_embedding import density, settings
from repline.systems.complex_embedding.cached_scores import CachedScores
from repline.systems.complex_embedding.evaluation import exact_measures, turned
from repline.systems.complex_embedding.model import ComplexEmbedding, RealEmbedding
from repline.systems.complex_embedding.training import own_label_loss
from repline.training.optimizers.unit_row_adam import UnitRowAdam
from tests.evaluation.classification.test_networks import defaults_of_both

WORDS = [f"w{number}" for number in range(20)]
TEXTS = [[["w1", "w2", "w3"]], [["w4"]], [["w5", "absent"], ["w6", "w6"]], [[f"w{number}" for number in range(9)]], []]
SUP = {"sentence": "superposition"}
KINDS = {
    "ce_mix": {},
    "ce_mix_born": {"readout": "born"},
    "ce_sup": SUP,
    "ce_sup_born": SUP | {"readout": "born"},
    "ce_sup_vector": SUP | {"readout": "vector"},
    "zero": {"phases": "zero"},
    "word": {"phases": "word"},
    "real": None,
}
MATRICES = ("ce_mix", "ce_mix_born", "ce_sup", "ce_sup_born", "zero", "word")
SUMS = ("ce_mix", "ce_mix_born", "ce_sup_vector", "zero", "word", "real")


def network(kind, labels="xyz", **knobs):
    torch.manual_seed(0)
    build = RealEmbedding if KINDS[kind] is None else ComplexEmbedding
    return build(list(labels), WORDS, 6, 4, 12, **((KINDS[kind] or {}) | knobs)).double()


@pytest.mark.parametrize("kind", MATRICES)
def test_pairs_of_real_numbers_compute_what_complex_ones_do(kind):
    model = network(kind)
    ids = model.numbers(TEXTS)
    expected = density.measured(model.observables(), model.density_matrices(ids))
    torch.testing.assert_close(model.scores(ids), expected)
    if model.readout == "dense":
        weight = torch.complex(*model.weight).detach().numpy()
        rho = model.density_matrices(ids).detach().numpy()
        again = np.einsum("cjk,bjk->bc", weight, rho).real
        np.testing.assert_allclose(model.scores(ids).detach().numpy(), again, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_order_padding_and_company_change_nothing(kind):
    model = network(kind)
    ids = model.numbers(TEXTS)
    in_one_batch = model(ids)
    assert in_one_batch.isfinite().all()
    alone = torch.cat([model(model.numbers([text])) for text in TEXTS])
    torch.testing.assert_close(in_one_batch, alone)
    torch.testing.assert_close(model(torch.nn.functional.pad(ids, (0, 3), value=PADDING)), in_one_batch)
    torch.testing.assert_close(model(ids[3:4, torch.randperm(9)]), in_one_batch[3:4])


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_is_the_mean_of_its_words_but_for_a_superposition(kind):
    model = network(kind)
    measures = exact_measures(model, TEXTS)
    assert model.additive == (kind in SUMS)
    if kind in SUMS:
        assert measures["additivity"] < 1e-9
        assert measures["other_labels"] == 0
    else:
        assert measures["additivity"] > 1e-3


def test_a_superposition_interferes_by_hand():
    model = ComplexEmbedding(["one", "two"], ["a", "b"], 2, 1, 3, sentence="superposition", readout="born")
    with torch.no_grad():
        model.embedding.weight[2:] = torch.tensor([[1.0, 1.0], [1.0, -1.0]]) / 2**0.5
        model.phase.weight.zero_()
        model.basis[:] = torch.stack([torch.eye(2), torch.zeros(2, 2)])
    scores = model.scores(model.numbers([[["a"]], [["b"]], [["a", "b"]]]))[:, 0]
    torch.testing.assert_close(scores, torch.tensor([0.5, 0.5, 1.0]))


@pytest.mark.parametrize(("kind", "inert"), [("ce_mix", True), ("ce_mix_born", True), ("ce_sup", False)])
def test_the_gauge_of_a_word_is_seen_by_superpositions_alone(kind, inert):
    model = network(kind)
    ids = model.numbers(TEXTS)
    change = (turned(model, 1).scores(ids) - model.scores(ids)).abs().max()
    assert (change < 1e-9) == inert
    assert (exact_measures(model, TEXTS)["gauge"] < 1e-9) == inert


def test_one_phase_a_word_is_none_in_a_mixture():
    model, ids = network("word"), network("word").numbers(TEXTS)
    without_phases = network("word")
    with torch.no_grad():
        without_phases.phase.weight.zero_()
    torch.testing.assert_close(model.scores(ids), without_phases.scores(ids))


def test_equal_beginnings():
    table = network("real").embedding.weight
    for kind in ("ce_mix", "ce_sup_born", "zero"):
        assert torch.equal(network(kind).embedding.weight, table)
    vectors, has_vector = torch.randn(20, 6, dtype=torch.float64), torch.arange(20) % 2 == 0
    vectors[4] = 0
    begun = [network(kind).begin(vectors, has_vector).embedding.weight[2:] for kind in ("ce_mix", "real")]
    assert torch.equal(*begun)
    torch.testing.assert_close(begun[0].norm(dim=1), torch.ones(20, dtype=torch.float64), atol=1e-6, rtol=0)
    assert torch.equal(begun[0][[1, 4]], table[2:][[1, 4]])
    wide = network("real", wide=2).begin(vectors, has_vector)
    assert wide.embedding.weight.shape == (22, 12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_moves_the_rows_that_were_used_and_keeps_them_unit(kind):
    model = network(kind)
    optimizer = UnitRowAdam(model.parameters(), 0.1)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    ids, gold = model.numbers(TEXTS), torch.tensor([0, 1, 2, 0, 1])
    losses = []
    for _ in range(15):
        optimizer.zero_grad()
        losses.append(own_label_loss(model, (ids, gold)))
        losses[-1].backward()
        optimizer.step()
    assert losses[-1] < losses[0]
    norms = model.embedding.weight[1:].norm(dim=1)
    torch.testing.assert_close(norms, torch.ones_like(norms), atol=1e-5, rtol=0)
    used = torch.zeros(22, dtype=torch.bool)
    used[ids.unique()[1:].long()] = True
    for name, value in model.state_dict().items():
        if name in ("embedding.weight", "phase.weight"):
            changed = ((value - before[name]).abs() > 1e-6).any(dim=1)
            assert not changed[~used].any()
            assert changed[used].any() == ((kind, name) != ("word", "phase.weight"))  # which is inert in a mixture


def test_frozen_parts_stay():
    model = network("ce_mix", phases="random", amplitudes="frozen")
    before = [model.embedding.weight.clone(), model.phase.weight.clone()]
    optimizer = UnitRowAdam(model.parameters(), 0.1)
    own_label_loss(model, (model.numbers(TEXTS), torch.tensor([0, 1, 2, 0, 1]))).backward()
    optimizer.step()
    assert torch.equal(model.embedding.weight, before[0])
    assert torch.equal(model.phase.weight, before[1])


def test_the_loss_is_a_binary_cross_entropy_of_every_label():
    model = network("ce_mix")
    ids, gold = model.numbers(TEXTS), torch.tensor([0, 1, 2, 0, 1])
    expected = torch.nn.functional.binary_cross_entropy_with_logits(
        model.scores(ids) + model.bias, torch.eye(3, dtype=torch.float64)[gold]
    )
    torch.testing.assert_close(own_label_loss(model, (ids, gold)), expected)
    born = network("ce_mix_born")
    shares = born.scores(ids)
    torch.testing.assert_close(shares.sum(1), torch.ones(5, dtype=torch.float64))
    expected = torch.nn.functional.binary_cross_entropy(shares, torch.eye(3, dtype=torch.float64)[gold])
    torch.testing.assert_close(own_label_loss(born, (ids, gold)), expected)


def test_the_loss_of_a_sure_network_and_of_words_that_cancel_is_finite():
    model = network("ce_sup")
    with torch.no_grad():
        model.bias.fill_(200)
        model.embedding.weight[3] = -model.embedding.weight[2]
        model.phase.weight[3] = model.phase.weight[2]
    loss = own_label_loss(model, (model.numbers([[["w0", "w1"]], [["w2"]]]), torch.tensor([0, 1])))
    loss.backward()
    assert loss.isfinite()
    assert all(value.grad.isfinite().all() for value in (model.embedding.weight, model.phase.weight))


@pytest.mark.parametrize("kind", SUMS)
@pytest.mark.parametrize("labels", ["xy", "xyz"])
def test_one_number_a_word_classifies_as_the_network_does(kind, labels):
    model = network(kind, labels).float()
    texts = [[word for part in text for word in part] for text in TEXTS]
    table = CachedScores(model)
    expected = model.probabilities(model.numbers(TEXTS)).numpy()
    np.testing.assert_allclose(table.probabilities(texts), expected, atol=1e-6)
    assert table.classify(texts).tolist() == expected.argmax(axis=1).tolist()
    assert table.scores.shape == (21, len(labels))
    assert table.classify([]).tolist() == []


def test_a_superposition_has_no_numbers_of_words():
    with pytest.raises(InputError, match="is no sum over words"):
        CachedScores(network("ce_sup"))


@pytest.mark.parametrize(
    ("knobs", "message"),
    [({"readout": "vector"}, "readout vector is of a superposition"), ({"labels": "abcdefg"}, "7 labels need as many")],
)
def test_networks_that_cannot_be(knobs, message):
    with pytest.raises(InputError, match=message):
        network("ce_mix", **knobs)


@pytest.mark.parametrize("kind", ["ce_mix", "ce_sup_born", "zero", "real"])
def test_a_network_is_saved_and_read(tmp_path, kind):
    model = network(kind).float()
    model.save_pretrained(tmp_path)
    again = pretrained(type(model), tmp_path)
    ids = model.numbers(TEXTS)
    torch.testing.assert_close(again.probabilities(ids), model.probabilities(ids))


@pytest.mark.parametrize(
    ("section", "kind"), [(settings.ComplexEmbedding, ComplexEmbedding), (settings.RealEmbedding, RealEmbedding)]
)
def test_a_section_has_the_defaults_of_its_network(section, kind):
    of_section, of_network = defaults_of_both(section, kind)
    assert of_section == of_network
