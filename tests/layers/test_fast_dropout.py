import pytest
import torch

from repline.layers.fast_dropout import FastDropout


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.5])
def test_the_share_that_is_dropped_and_the_scale_of_the_rest(rate):
    torch.manual_seed(0)
    values = torch.full((401, 500), 3.0)
    dropped = FastDropout(rate)(values)
    assert abs(float((dropped == 0).float().mean()) - rate) < 0.005
    assert torch.allclose(dropped[dropped != 0], torch.tensor(3.0 / (1 - rate)))


def test_every_position_is_dropped_as_often_as_its_neighbours():
    torch.manual_seed(1)
    layer = FastDropout(0.3)
    shares = torch.stack([layer(torch.ones(7)) == 0 for _ in range(4000)]).float().mean(0)
    assert torch.all((shares - 0.3).abs() < 0.04)


def test_it_is_seeded_passes_gradients_through_what_stays_and_does_nothing_in_evaluation():
    layer, values = FastDropout(0.4), torch.randn(6, 5, requires_grad=True)
    torch.manual_seed(2)
    first = layer(values)
    torch.manual_seed(2)
    assert torch.equal(first, layer(values))
    first.sum().backward()
    assert values.grad is not None and torch.equal(values.grad == 0, first == 0)
    assert layer.eval()(values) is values and FastDropout(0.0)(values) is values
