"""The frozen and tied LSTM: its size, what can move in it, and what its output layer can express."""

import pytest
import torch
from torch import nn

from repline.systems.lstm_memorization.model import MiddleTokenLSTM


def model(types=200, size=16):
    torch.manual_seed(0)
    return MiddleTokenLSTM(types, size).eval()


@pytest.mark.parametrize(("size", "count"), [(50, 20_400), (100, 80_800), (200, 321_600)])
def test_parameters(size, count):
    parameters = list(MiddleTokenLSTM(30, size).parameters())
    assert sum(weights.numel() for weights in parameters) == count == 8 * size**2 + 8 * size
    assert all(weights.requires_grad and weights.abs().max() <= size**-0.5 for weights in parameters)


def test_training_leaves_the_embedding_as_it_is():
    net = model().train()
    before, weights = net.embedding.clone(), net.lstm.weight_hh_l0.clone()
    optimiser = torch.optim.AdamW(net.parameters(), 0.1, weight_decay=0.5)
    ids = torch.randint(0, 200, (8, 6))
    for _ in range(3):
        optimiser.zero_grad()
        nn.functional.cross_entropy(net(ids), ids[:, 3]).backward()
        optimiser.step()
    assert torch.equal(net.embedding, before)
    assert not torch.equal(net.lstm.weight_hh_l0, weights)


def test_the_embedding_is_standard_normal():
    torch.manual_seed(1)
    assert float(MiddleTokenLSTM(2000, 50).embedding.std()) == pytest.approx(1, abs=0.02)
    assert float(MiddleTokenLSTM(2000, 50, scale=0.1).embedding.std()) == pytest.approx(0.1, abs=0.002)


def test_the_output_layer_can_express_copying():
    torch.manual_seed(0)
    net = MiddleTokenLSTM(10_000, 50)
    answers = torch.cat([net.decode(rows).argmax(-1) for rows in net.embedding.split(1000)])
    assert (answers == torch.arange(10_000)).float().mean() > 0.99


def test_the_equations():
    net, ids = model(), torch.randint(0, 200, (3, 5))
    w, u = net.lstm.weight_ih_l0, net.lstm.weight_hh_l0
    b = net.lstm.bias_ih_l0 + net.lstm.bias_hh_l0
    h = c = torch.zeros(3, 16)
    with torch.no_grad():
        for step in range(5):
            i, f, g, o = (net.embedding[ids[:, step]] @ w.mT + h @ u.mT + b).chunk(4, -1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
        torch.testing.assert_close(net(ids), h @ net.embedding.mT, atol=1e-5, rtol=1e-5)
    hidden, cells = net.states(ids)
    assert hidden.shape == cells.shape == (3, 5, 16)
    torch.testing.assert_close(hidden[:, -1], h, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(cells[:, -1], c, atol=1e-6, rtol=1e-5)


def test_an_untrained_model_does_not_know_the_answer():
    torch.manual_seed(0)
    net = MiddleTokenLSTM(1000, 50).eval()
    ids = torch.randint(900, 1000, (2000, 20), generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        assert (net(ids).argmax(-1) == ids[:, 10]).float().mean() <= 0.01


def test_saved_and_loaded_it_is_the_same(tmp_path):
    net, ids = model(), torch.randint(0, 200, (3, 5))
    net.save_pretrained(tmp_path)
    loaded = MiddleTokenLSTM.from_pretrained(tmp_path).eval()
    assert torch.equal(loaded.embedding, net.embedding)
    assert torch.equal(loaded(ids), net(ids))
