"""The equations by hand, and the compiled gradients against autograd and finite differences."""

import numpy as np
import pytest
import torch

from repline.systems.transea.gradients import NORMS, Tables, add_numbers, add_triples, step, zeros
from repline.systems.transea.model import (
    TransEA,
    attribute_loss,
    distance,
    first_tables,
    joint_loss,
    residual,
    structure_loss,
)

ALPHA, MARGIN = 0.3, 1.0


def tables(d=2, rows=None):
    """Float64 tables: rows of entities, relations, attributes."""
    random = np.random.default_rng(0)
    n, m, k = rows or (4, 1, 1)
    return Tables(*(random.normal(size=(count, d)) for count in (n, m, k)), random.normal(size=k))


def structure(tables, triples, corrupted, norm="L1", margin=MARGIN, weight=1.0):
    gradients, uses = zeros(tables)
    loss = add_triples(tables, gradients, uses, np.array(triples), np.array(corrupted), NORMS[norm], margin, weight)
    return loss, gradients, uses


def test_the_hinge_of_the_example_is_two_and_not_zero():
    vectors = tables()
    vectors.entities[:3] = [(1, 0), (0, 1), (1, 1)]  # h, t, t'
    vectors.relations[0] = (0, 1)
    loss, gradients, _ = structure(vectors, [(0, 0, 1)], [(0, 0, 2)])
    assert loss == 2.0
    assert gradients.entities[1].tolist() == [-1.0, 0.0]  # by t: -sign(h + r - t) = sign(t - h - r)
    e, r = torch.tensor(vectors.entities), torch.tensor(vectors.relations)
    true, wrong = distance(e[0], r[0], e[1]), distance(e[0], r[0], e[2])
    assert (true.item(), wrong.item()) == (1.0, 0.0)
    assert structure_loss(true, wrong, 1.0).item() == 2.0
    assert torch.relu(1 - true + wrong).item() == 0.0  # as printed: the wrong triple costs nothing


def test_the_residual_of_the_example():
    vectors = tables()
    vectors.attributes[0], vectors.entities[0], vectors.biases[0] = (0.6, 0.8), (1, 0), 0.1
    gradients, uses = zeros(vectors)
    loss = add_numbers(vectors, gradients, uses, np.array([0]), np.array([0]), np.array([0.5]), False, ALPHA)
    assert loss == pytest.approx(0.2)
    assert gradients.biases[0] == ALPHA
    assert gradients.entities[0] == pytest.approx(ALPHA * np.array([0.6, 0.8]))
    rho = residual(torch.tensor([1.0, 0.0]), torch.tensor([0.6, 0.8]), 0.1, 0.5)
    assert rho.item() == pytest.approx(0.2)
    assert attribute_loss(rho).item() == pytest.approx(0.2)


@pytest.mark.parametrize("attribute_norm", ["L1", "squared"])
@pytest.mark.parametrize("norm", ["L1", "L2", "squared"])
def test_gradients_are_those_of_autograd_and_of_finite_differences(norm, attribute_norm):
    random = np.random.default_rng(1)
    vectors = tables(d=5, rows=(6, 2, 3))
    triples = np.stack([random.integers(6, size=20), random.integers(2, size=20), random.integers(6, size=20)], axis=1)
    corrupted = triples.copy()
    corrupted[:10, 0], corrupted[10:, 2] = random.integers(6, size=10), random.integers(6, size=10)
    entity, attribute, value = random.integers(6, size=9), random.integers(3, size=9), random.random(9)

    def loss(parts):
        e, r, a, b = parts
        true, wrong = (distance(e[side[:, 0]], r[side[:, 1]], e[side[:, 2]], norm) for side in (triples, corrupted))
        rho = residual(e[entity], a[attribute], b[attribute], torch.tensor(value))
        return joint_loss(structure_loss(true, wrong, MARGIN), attribute_loss(rho, attribute_norm), ALPHA)

    gradients, uses = zeros(vectors)
    by_parts = (1 - ALPHA) * add_triples(vectors, gradients, uses, triples, corrupted, NORMS[norm], MARGIN, 1 - ALPHA)
    by_parts += ALPHA * add_numbers(
        vectors, gradients, uses, entity, attribute, value, attribute_norm == "squared", ALPHA
    )
    parts = [torch.tensor(table, requires_grad=True) for table in vectors]
    total = loss(parts)
    total.backward()
    assert by_parts == pytest.approx(total.item())
    for gradient, part in zip(gradients, parts, strict=True):
        assert gradient == pytest.approx(part.grad.numpy(), rel=1e-9, abs=1e-9)
    with torch.no_grad():
        for number, table in enumerate(parts):
            axes = (1,) if table.dim() == 1 else (1, 2)
            ends = []
            for move in (1e-6, -1e-6):
                moved = [part.clone() for part in parts]
                moved[number][axes] += move
                ends.append(loss(moved).item())
            slope = (ends[0] - ends[1]) / 2e-6
            assert gradients[number][axes] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_a_step_moves_used_rows_and_brings_them_to_length_one():
    vectors = tables(d=3, rows=(5, 2, 1))
    before = Tables(*(table.copy() for table in vectors))
    gradients, uses = zeros(vectors)
    triples, corrupted = np.array([(0, 0, 1)] * 4), np.array([(0, 0, 2)] * 4)
    add_triples(vectors, gradients, uses, triples, corrupted, 1, 100.0, 1.0)
    by_hand = before.relations[0] - 0.1 * 10 * gradients.relations[0] / 4  # the mean of four, times ten
    assert uses.entities.tolist() == [8, 4, 4, 0, 0] and uses.relations.tolist() == [4, 0]
    step(vectors, gradients, uses, 0.1, 10.0, 0.0, np.array([True, False, False]))
    assert np.linalg.norm(vectors.entities[:3], axis=1) == pytest.approx(1, abs=1e-6)
    assert (vectors.entities[3:] == before.entities[3:]).all() and (vectors.relations[1] == before.relations[1]).all()
    assert vectors.relations[0] == pytest.approx(by_hand)
    assert not any(part.any() for part in (*gradients, *uses))


def test_a_gap_of_zero_has_no_slope():
    vectors = tables(d=2, rows=(3, 1, 1))
    vectors.entities[:] = 0
    vectors.relations[:] = 0
    for norm in NORMS:
        _, gradients, _ = structure(vectors, [(0, 0, 1)], [(0, 0, 2)], norm)
        assert not gradients.entities.any() and np.isfinite(gradients.relations).all()


def test_first_tables_are_the_same_with_and_without_attributes():
    plain, numbers = first_tables(5, 2, 0, 8, seed=3), first_tables(5, 2, 4, 8, seed=3)
    assert (plain["entities"] == numbers["entities"]).all() and (plain["relations"] == numbers["relations"]).all()
    assert np.abs(plain["entities"]).max() <= (6 / 13) ** 0.5 and numbers["biases"].tolist() == [np.float32(0.01)] * 4


def test_a_model_tells_distances_and_numbers():
    model = TransEA(3, 1, 1, 2)
    with torch.no_grad():
        model.entities.copy_(torch.tensor([[1.0, 0], [0, 1], [1, 1]]))
        model.relations.copy_(torch.tensor([[0.0, 1]]))
        model.attributes.copy_(torch.tensor([[0.6, 0.8]]))
    assert model(torch.tensor([[0, 0, 1], [0, 0, 2]])).tolist() == [1.0, 0.0]
    assert model.predict(torch.tensor([2]), torch.tensor([0])).tolist() == pytest.approx([1.4])
