"""The encoders: length, padding, order of words, the divisor, the hash of bigrams."""

import pytest
import torch

from repline.systems.conversations.encoders import DAN, Transformer, bigram_rows, padded_group_sizes, timing_signal
from repline.systems.conversations.model import ConversationEncoder

WORDS = [f"w{number}" for number in range(30)]
KINDS = {
    "dan": {"encoder": "dan", "dimensions": 8, "buckets": 50, "layers": [8, 6], "replies": [6]},
    "transformer": {
        "encoder": "transformer",
        "dimensions": 8,
        "layers": [6],
        "replies": [6],
        "blocks": 2,
        "heads": 2,
        "inner": 12,
    },
}


def _packed(*sentences):
    return torch.tensor([word for sentence in sentences for word in sentence]), torch.tensor(
        [len(sentence) for sentence in sentences]
    )


def _dan(buckets=0):
    torch.manual_seed(0)
    return DAN(31, buckets, 8, [8, 6])


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_has_length_one_and_does_not_depend_on_its_batch(kind):
    torch.manual_seed(0)
    model = ConversationEncoder(WORDS, **KINDS[kind]).eval()
    alone = model(*_packed([3, 1, 2]))
    among = model(*_packed([5], [3, 1, 2], [7, 7, 7, 8, 9, 1, 2]))
    torch.testing.assert_close(alone.norm(dim=1), torch.ones(1), atol=1e-6, rtol=0)
    torch.testing.assert_close(among[1:2], alone, atol=1e-5, rtol=0)


def test_the_order_of_words_counts_by_bigrams_alone():
    for buckets, same in ((0, True), (50, False)):
        model = _dan(buckets)
        vectors, reordered = model(*_packed([3, 1, 2])), model(*_packed([2, 1, 3]))
        assert torch.allclose(vectors, reordered, atol=1e-6) == same


def test_a_sentence_said_twice_is_longer_by_the_root_of_two():
    model = _dan()
    once, twice = model.averages(*_packed([3, 1, 2])), model.averages(*_packed([3, 1, 2, 3, 1, 2]))
    torch.testing.assert_close(twice, 2**0.5 * once)


def test_averages_are_sums_of_words_and_bigrams_over_the_root_of_the_words():
    model = _dan(50)
    rows = bigram_rows(torch.tensor([3, 1, 2]), torch.tensor([3]), 50)
    expected = (model.words.weight[[3, 1, 2]].sum(0) + model.bigrams.weight[rows].sum(0)) / 3**0.5
    torch.testing.assert_close(model.averages(*_packed([4, 4], [3, 1, 2]))[1], expected)


def test_single_words_have_no_bigram():
    model = _dan(50)
    averages = model.averages(*_packed([4], [5]))
    torch.testing.assert_close(averages, model.words.weight[[4, 5]])
    assert len(bigram_rows(*_packed([4], [5]), 50)) == 0


def test_bigrams_do_not_cross_sentences():
    rows = bigram_rows(*_packed([1, 2, 3], [2, 3]), 1000)
    assert rows.tolist() == [*bigram_rows(*_packed([1, 2]), 1000), *bigram_rows(*_packed([2, 3], [2, 3]), 1000)]
    assert len(set(bigram_rows(torch.arange(200), torch.tensor([200]), 100_000).tolist())) > 190


def test_gradients_of_the_tables_are_sparse():
    model = _dan(50)
    model(*_packed([3, 1, 2])).sum().backward()
    assert model.words.weight.grad.is_sparse and model.bigrams.weight.grad.is_sparse


@pytest.mark.parametrize(("positions", "same"), [(False, True), (True, False)])
def test_without_positions_a_transformer_reads_a_bag_of_words(positions, same):
    torch.manual_seed(0)
    model = Transformer(31, 8, layers=2, heads=2, inner=12, size=6, dropout=0.0, positions=positions).eval()
    vectors, reordered = model(*_packed([3, 1, 2])), model(*_packed([2, 3, 1]))
    assert torch.allclose(vectors, reordered, atol=1e-5) == same


def test_sentences_are_padded_with_others_of_their_length():
    assert padded_group_sizes([1, 1, 2, 3, 9], max_tokens=6) == [3, 1, 1]
    assert padded_group_sizes([4] * 7, max_tokens=12) == [3, 3, 1]
    assert padded_group_sizes([], max_tokens=12) == []
    torch.manual_seed(0)
    model = Transformer(31, 8, layers=2, heads=2, inner=12, size=6, dropout=0.0)
    lengths = torch.tensor([3, 400, 1, 200, 2, 300, 1])  # more than is padded at a time
    tokens = torch.randint(31, (int(lengths.sum()),))
    in_one_batch = model(tokens, lengths)
    sentences = tokens.split(lengths.tolist())
    alone = [model(sentence, torch.tensor([len(sentence)])) for sentence in sentences]
    torch.testing.assert_close(in_one_batch, torch.cat(alone), atol=1e-5, rtol=1e-5)


def test_the_timing_signal_is_made_of_sines_and_cosines():
    signal = timing_signal(5, 6)
    assert signal.shape == (5, 6)
    torch.testing.assert_close(signal[0], torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
    torch.testing.assert_close(signal[2, 0], torch.tensor(2.0).sin())
    torch.testing.assert_close(signal[3, 5], torch.tensor(3e-4).cos())
