"""Batches for language models: every word a target once, rows that go on, and one order per seed and epoch."""

import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.training.language_model_batches import END, IGNORED, contiguous, padded, sentence_batches

IDS = np.arange(2, 2 + 103, dtype=np.int32)


class _Corpus:
    def __init__(self, lengths):
        random = np.random.default_rng(0)
        self.offsets = np.concatenate([[0], np.cumsum(np.array(lengths) + 1)])
        self.stream = random.integers(2, 50, self.offsets[-1]).astype(np.int32)
        self.stream[self.offsets[1:] - 1] = END

    def ids(self, split):
        return self.stream

    def sentences(self, split):
        return self.offsets


def _targets(loader):
    return np.sort(np.concatenate([targets[targets != IGNORED] for _, targets, _ in loader]))


@pytest.mark.parametrize(("batch", "steps", "random"), [(1, 7, False), (4, 7, False), (10, 50, False), (4, 9, True)])
def test_every_word_of_the_stream_is_a_target_once(batch, steps, random):
    loader = contiguous(IDS, batch, steps, random_steps=random)
    np.testing.assert_array_equal(_targets(loader), IDS)


def test_rows_go_on_from_segment_to_segment():
    loader = list(contiguous(IDS, 4, 7))
    assert len(loader) == 4
    assert [bool(first) for _, _, first in loader] == [True, False, False, False]
    assert all(part.dtype == torch.int64 for part in loader[0][:2])
    inputs, targets, _ = (torch.cat(parts, 1) if parts[0].dim() else parts for parts in zip(*loader, strict=True))
    assert inputs[0, 0] == END
    assert torch.equal(inputs[0, 1:], targets[0, :-1])
    for row in range(1, 4):  # a later row reads the word before it, which ends the row above
        assert inputs[row, 0] == targets[row - 1, -1]
    assert torch.equal(targets[3, -1], torch.tensor(IGNORED))  # 103 words in 4 rows of 26


def test_symbols_that_are_read_and_not_predicted():
    symbols = np.array([5, 90, 6, 7, 91, 8])
    targets = np.array([6, 6, 7, IGNORED, 8, IGNORED])
    ((inputs, expected, _),) = contiguous(symbols, 1, 10, targets=targets)
    assert inputs.tolist() == [symbols.tolist()]
    assert expected.tolist() == [targets.tolist()]
    ((inputs, expected, lengths),) = padded(
        symbols, np.array([0, 4]), np.array([4, 2]), 2, targets=targets, shuffle=False
    )
    assert inputs.tolist() == [[91, 8, 0, 0], [5, 90, 6, 7]]
    assert expected.tolist() == [[8, IGNORED, IGNORED, IGNORED], [6, 6, 7, IGNORED]]
    assert lengths.tolist() == [2, 4]


def test_random_lengths_follow_seed_and_epoch():
    def lengths(seed, epoch):
        loader = contiguous(np.zeros(20_000, np.int32), 2, 70, random_steps=True, seed=seed)
        loader.sampler.set_epoch(epoch)
        return [inputs.shape[1] for inputs, _, _ in loader]

    assert lengths(1, 0) == lengths(1, 0)
    assert lengths(1, 0) != lengths(1, 1)
    assert lengths(1, 0) != lengths(2, 0)
    assert 60 < np.mean(lengths(1, 0)) < 75
    assert len(set(lengths(1, 0))) > 10
    assert min(lengths(1, 0)[:-1]) >= 5


def test_sentences_of_similar_length_share_a_batch():
    random = np.random.default_rng(1)
    corpus = _Corpus(random.integers(1, 30, 200))
    loader = sentence_batches(corpus, "train", 16, seed=3)
    np.testing.assert_array_equal(_targets(loader), np.sort(corpus.stream))
    for inputs, targets, lengths in loader:
        assert inputs.shape == targets.shape == (len(lengths), lengths.max())
        assert lengths.max() - lengths.min() <= 5
        assert (inputs[:, 0] == END).all()
        for read, expected, length in zip(inputs, targets, lengths, strict=True):
            assert torch.equal(read[1:length], expected[: length - 1])
            assert expected[length - 1] == END
            assert (expected[length:] == IGNORED).all()
    loader.sampler.set_epoch(1)
    second_pass = [batch[0].tolist() for batch in loader]
    loader.sampler.set_epoch(0)
    assert [batch[0].tolist() for batch in loader] != second_pass


def test_which_sentences_are_taken():
    corpus = _Corpus([1, 5, 3, 8, 2])
    lengths = [batch[2].tolist() for batch in sentence_batches(corpus, "train", 9, minimum_tokens=2, sentences=3)]
    assert lengths == [[4, 6, 9]]
    with pytest.raises(InputError, match="train: sentence 3 has 8 words and the limit is 7"):
        sentence_batches(corpus, "train", 2, maximum_tokens=7)
    with pytest.raises(InputError, match="expected 5 sentences of at least 2 words, found 4"):
        sentence_batches(corpus, "train", 2, minimum_tokens=2, sentences=5)


def test_bad_sizes():
    with pytest.raises(InputError, match="found a batch of 104"):
        contiguous(IDS, 104, 7)
    with pytest.raises(InputError, match="found a batch of 0"):
        contiguous(IDS, 0, 7)
    with pytest.raises(InputError, match="at least one step, found 0"):
        contiguous(IDS, 2, 0)
    with pytest.raises(ValueError, match="a target for each of 103"):
        contiguous(IDS, 2, 5, targets=IDS[:5])
