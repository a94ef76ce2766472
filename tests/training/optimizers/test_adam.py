import torch

from repline.training.optimizers.adam import adam


def test_the_bits_are_those_of_torch():
    weights = []
    for make in (torch.optim.Adam, adam):
        torch.manual_seed(0)
        parameters = [torch.nn.Parameter(torch.randn(size)) for size in ((5, 3), (7,), ())]
        optimizer = make(parameters, 0.1, betas=(0.9, 0.99), weight_decay=0.01)
        for _ in range(20):
            for parameter in parameters:
                parameter.grad = torch.randn_like(parameter)
            optimizer.step()
        weights.append([parameter.tolist() for parameter in parameters])
    assert weights[0] == weights[1]
