"""Training steps of the Bracket-RNN, compared with the plain AWD-LSTM and with a stack per sentence in Python."""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from benchmarks.timing import line, paired
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.training.language_model_batches import IGNORED
from repline.training.language_models import language_modeling_loss

PAIRS = 0.148  # pairs of brackets per word, as in the training part of the English Web Treebank
SIZES = (  # name, V, units, sentences, words of each
    ("small: 1 layer of 100, 4,000 words, 64 sentences of 20", 4000, 100, 64, 20),
    ("the poster's 1 layer of 400, 10,000 words, 20 sentences of 35", 10_000, 400, 20, 35),
)
LIMIT = "The output layer and its loss take 59 % of a step; the stack per sentence computes the same products."


def main() -> None:
    torch.set_num_threads(1)
    print(
        f"{'one thread, forward, backward and clipping, the same words':<72} {'repline':>13} {'peer':>13} {'ratio':>8}"
    )
    for name, vocabulary, units, rows, words in SIZES:
        torch.manual_seed(0)
        plain, bracketed = _lines(rows, words, vocabulary)
        dropouts = {"hidden_dropout": 0.3, "output_dropout": 0.3}
        base = AWDLSTM(vocabulary, embedding=units, units=units, layers=1, **dropouts).train()
        ours = BracketRNN(vocabulary, embedding=units, units=units, layers=1, **dropouts).train()
        batch, peer_batch = _batch(bracketed, vocabulary), _batch(plain, vocabulary)
        step, peer = _step(ours, batch), _step(base, peer_batch)
        seconds, peer_seconds = paired(step, peer, rounds=7)
        line(f"{name}, against the AWD-LSTM", seconds, peer_seconds, goal=0.6)
        tokens = rows * (words + 1)
        print(f"    {tokens / seconds:,.0f} words/s and brackets; the AWD-LSTM {tokens / peer_seconds:,.0f} words/s")
        seconds, peer_seconds = paired(step, _python_step(ours, bracketed, vocabulary), rounds=1)
        line(f"{name}, against a stack per sentence", seconds, peer_seconds, 20, LIMIT)


def _lines(rows: int, words: int, vocabulary: int) -> tuple[list[list[int]], list[list[int]]]:
    """Random sentences, and the same with brackets at random places, nested."""
    generator = torch.Generator().manual_seed(0)
    plain, bracketed = [], []
    for _ in range(rows):
        sentence = torch.randint(2, vocabulary, (words,), generator=generator).tolist()
        opening, closing = [0] * words, [0] * words
        spans: list[tuple[int, int]] = []
        while len(spans) < round(PAIRS * words):
            start, end = sorted(torch.randint(0, words + 1, (2,), generator=generator).tolist())
            crossing = any(a < start < b < end or start < a < end < b for a, b in spans)
            if end - start >= 2 and not crossing:
                spans.append((start, end))
                opening[start] += 1
                closing[end - 1] += 1
        line_ = []
        for word, opens, closes in zip(sentence, opening, closing, strict=True):
            line_ += [vocabulary] * opens + [word] + [vocabulary + 1] * closes
        plain.append(sentence)
        bracketed.append(line_)
    return plain, bracketed


def _batch(lines: list[list[int]], vocabulary: int) -> tuple[Tensor, Tensor, Tensor]:
    stream = torch.tensor([[1, *row, 1] for row in lines])  # every line has as many symbols
    targets = torch.where(stream[:, 1:] < vocabulary, stream[:, 1:], IGNORED)
    return stream[:, :-1], targets, torch.full((len(lines),), stream.shape[1] - 1)


def _step(model: nn.Module, batch: tuple[Tensor, Tensor, Tensor]):
    loss = language_modeling_loss()

    def step() -> None:
        model.zero_grad()
        loss(model, batch)[0].backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)

    return step


def _python_step(model: BracketRNN, lines: list[list[int]], vocabulary: int):
    """The plain way: one sentence and one symbol at a time, the stack a Python list, the words decoded as they come."""
    (lstm,), (merge,) = model.layers, model.merges
    weights = (lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, lstm.bias_hh_l0)

    def net(number: int, saved: Tensor, now: Tensor) -> Tensor:
        first, second = merge.nets[number]
        return torch.tanh(torch.cat([saved, now], 1) @ first.mT) @ second.mT

    def step() -> None:
        model.zero_grad()
        for symbols in lines:
            state = (torch.zeros(1, lstm.hidden_size), torch.zeros(1, lstm.hidden_size))
            stack, losses = [], []
            for symbol, following in zip([1, *symbols], [*symbols, 1], strict=True):
                if symbol == vocabulary:
                    stack.append(state)
                x = model.embedding[symbol] if symbol < vocabulary else model.brackets[symbol - vocabulary]
                state = torch.lstm_cell(x[None], state, *weights)
                if symbol == vocabulary + 1:
                    saved = stack.pop()
                    state = (torch.tanh(net(0, saved[0], state[0])), net(1, saved[1], state[1]))
                if following < vocabulary:
                    losses.append(cross_entropy(model.decode(state[0]), torch.tensor([following])))
            (torch.stack(losses).sum() / (len(lines) * len(losses))).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)

    return step


if __name__ == "__main__":
    main()
