"""The CRF against the sum and the maximum over all label sequences."""

import itertools

import pytest
import torch

from repline.layers.linear_chain_crf import LinearChainCRF

LABELS, STEPS = 3, 4


@pytest.fixture
def field():
    torch.manual_seed(0)
    crf = LinearChainCRF(LABELS).double()
    for weights in crf.parameters():
        torch.nn.init.normal_(weights, std=2.0)
    lengths = torch.tensor([4, 1, 3])
    mask = torch.arange(STEPS) < lengths[:, None]
    return crf, 3 * torch.randn(3, STEPS, LABELS, dtype=torch.float64), mask


def every_score(crf, emissions, length):
    """All label sequences of one row, and their scores by the definition."""
    sequences = list(itertools.product(range(LABELS), repeat=length))
    scores = []
    for labels in sequences:
        total = crf.start[labels[0]] + crf.end[labels[-1]]
        total = total + sum(emissions[step, label] for step, label in enumerate(labels))
        scores.append(total + sum(crf.transition[before, after] for before, after in itertools.pairwise(labels)))
    return sequences, torch.stack(scores)


def test_partition_and_likelihood_are_those_of_all_sequences(field):
    crf, emissions, mask = field
    log_z = crf.log_partition(emissions, mask)
    for row, length in enumerate(mask.sum(1).tolist()):
        sequences, scores = every_score(crf, emissions[row], length)
        assert torch.isclose(log_z[row], scores.logsumexp(0))
        labels = torch.full((1, STEPS), 2)  # outside the mask they do not count
        labels[0, :length] = torch.tensor(sequences[len(sequences) // 2])
        log_likelihood = crf(emissions[row : row + 1], labels, mask[row : row + 1])
        assert torch.isclose(log_likelihood[0], scores[len(sequences) // 2] - scores.logsumexp(0))


def test_viterbi_finds_the_best_sequence(field):
    crf, emissions, mask = field
    labels, best = crf.viterbi(emissions, mask)
    assert (best <= crf.log_partition(emissions, mask)).all()
    for row, length in enumerate(mask.sum(1).tolist()):
        sequences, scores = every_score(crf, emissions[row], length)
        assert labels[row, :length].tolist() == list(sequences[int(scores.argmax())])
        assert labels[row, length:].tolist() == [0] * (STEPS - length)
        assert torch.isclose(best[row], scores.max())
    assert torch.allclose(crf.score(emissions, labels, mask), best)


def test_gradient_is_the_difference_of_the_marginals(field):
    crf, emissions, mask = field
    emissions.requires_grad_()
    crf.log_partition(emissions, mask).sum().backward()
    marginals = emissions.grad.sum(2)
    assert torch.allclose(marginals, mask.double())  # the probabilities of the labels at each place
    assert torch.autograd.gradcheck(lambda one: crf.log_partition(one, mask), emissions)


def test_large_scores_stay_finite(field):
    crf, emissions, mask = field
    crf, emissions = crf.float(), 300 * emissions.float()
    with torch.no_grad():
        crf.transition.mul_(10)
    partition = crf.log_partition(emissions, mask)
    assert torch.isfinite(partition).all()
    assert (crf.viterbi(emissions, mask)[1] <= partition + 1e-2).all()
