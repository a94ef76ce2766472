"""Batches: each row once, an order of seed and epoch alone, similar lengths together."""

import pytest
import torch

from repline.training.batches import batches
from tests.training.pretend_processes import be_process


def test_every_row_once_and_a_new_order_each_epoch():
    loader = batches([torch.arange(103)], 10, seed=1)
    first = torch.cat([batch[0] for batch in loader])
    assert sorted(first.tolist()) == list(range(103))
    assert len(loader) == 11
    loader.sampler.set_epoch(1)
    second = torch.cat([batch[0] for batch in loader])
    assert not torch.equal(first, second)
    loader.sampler.set_epoch(0)
    assert torch.equal(torch.cat([batch[0] for batch in loader]), first)
    other_seed = batches([torch.arange(103)], 10, seed=2)
    assert not torch.equal(torch.cat([batch[0] for batch in other_seed]), first)


def test_unshuffled_keeps_the_order():
    assert torch.cat([batch[0] for batch in batches([torch.arange(7)], 3, shuffle=False)]).tolist() == list(range(7))


def test_similar_lengths_share_a_batch_which_is_cut():
    lengths = torch.randint(1, 30, (200,), generator=torch.Generator().manual_seed(0))
    ids = torch.arange(30).expand(200, 30) + 1
    seen = []
    for cut, batch_lengths in batches([ids, lengths], 20, lengths=lengths, padded=(0,)):
        assert cut.shape[1] == batch_lengths.max()
        assert batch_lengths.max() - batch_lengths.min() <= 6
        seen += batch_lengths.tolist()
    assert sorted(seen) == sorted(lengths.tolist())


def test_only_padded_tensors_are_cut():
    ids, sides, labels = torch.ones(4, 6), torch.ones(4, 2), torch.ones(4, 3, 5)
    lengths = torch.tensor([1, 1, 4, 4])
    cut = batches([sides, ids, labels], 2, lengths=lengths, padded=(1,), shuffle=False)
    assert [[tuple(tensor.shape) for tensor in batch] for batch in cut] == [
        [(2, 2), (2, 1), (2, 3, 5)],
        [(2, 2), (2, 4), (2, 3, 5)],
    ]


def test_no_rows_or_different_rows():
    with pytest.raises(ValueError, match="non-zero"):
        batches([torch.zeros(0, 3)], 4)
    with pytest.raises(ValueError, match="one"):
        batches([torch.zeros(3), torch.zeros(4)], 4)


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("rows", [32, 33, 34, 35])
def test_several_processes_see_every_row_once(monkeypatch, rows, shuffle):
    lengths = torch.arange(rows) + 1
    shares = []
    for rank in range(3):
        be_process(monkeypatch, rank, 3)
        loader = batches([lengths], 8, seed=1, lengths=lengths, shuffle=shuffle)
        shares.append([batch[0].tolist() for batch in loader])
        assert len(loader) == len(shares[-1]) and all(shares[-1])
    assert len(set(map(len, shares))) == 1
    assert sorted(row for share in shares for batch in share for row in batch) == lengths.tolist()
    be_process(monkeypatch, 0, 1)
    alone = batches([lengths], 8, lengths=lengths, shuffle=False)
    assert [len(batch[0]) for batch in alone] == [8] * 4 + [rows - 32] * (rows > 32)
