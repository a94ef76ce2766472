"""LSTMs over sequences of different lengths, and large linear maps, compared with those of PyTorch."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from benchmarks.timing import line, paired
from repline.layers.linear import linear
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.layers.lstm_reader import read_sequences


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{'one thread, forward and backward':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for batch, longest, inputs, units in ((64, 30, 64, 32), (64, 30, 50, 100), (32, 25, 100, 200)):
        _lstm(batch, longest, inputs, units)
    for rows, inputs, outputs in ((896, 300, 100), (2560, 96, 192), (128, 300, 3000)):
        values = [torch.randn(*shape, requires_grad=True) for shape in ((rows, inputs), (outputs, inputs), (outputs,))]
        title = f"linear map of {rows} rows, {inputs} -> {outputs}, against torch.nn.functional.linear"
        line(title, *paired(_step(linear, *values), _step(nn.functional.linear, *values)))
    for rows, inputs, words in ((349, 60, 3000), (700, 200, 10000)):
        _softmax(rows, inputs, words)


def _lstm(batch: int, longest: int, inputs: int, units: int) -> None:
    lstm = nn.LSTM(inputs, units, batch_first=True, bidirectional=True)
    lengths = torch.randint(5, longest + 1, (batch,))
    values = torch.randn(batch, longest, inputs, requires_grad=True)

    def packed(values: Tensor) -> Tensor:
        sequences = pack_padded_sequence(values, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(lstm(sequences)[0], batch_first=True, total_length=longest)[0]

    title = f"BiLSTM of {units} over {batch} sequences of 5 to {longest}, against a packed torch.nn.LSTM"
    line(title, *paired(_step(lambda x: read_sequences(lstm, x, lengths), values), _step(packed, values)))


def _softmax(rows: int, inputs: int, words: int) -> None:
    values = [torch.randn(*shape, requires_grad=True) for shape in ((rows, inputs), (words, inputs), (words,))]
    targets = torch.randint(words, (rows,))

    def peer(hidden: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return nn.functional.cross_entropy(nn.functional.linear(hidden, weight, bias), targets, reduction="sum")

    title = f"cross-entropy of {rows} rows of {inputs}, {words:,} words, against torch's"
    line(title, *paired(_step(lambda h, w, b: linear_cross_entropy(h, w, b, targets), *values), _step(peer, *values)))


def _step(function: Callable[..., Tensor], *values: Tensor) -> Callable[[], None]:
    def step() -> None:
        for value in values:
            value.grad = None
        function(*values).sum().backward()

    return step


if __name__ == "__main__":
    main()
