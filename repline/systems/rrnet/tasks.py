"""The tasks of RRNet and its baselines: the value of an expression, and the relation between two formulas.

    encoder "lstm"          an LSTM
    encoder "tree_lstm"     a TreeLSTM, which sees the whole sequence and its brackets
    encoder "transformer"   self-attention alone, the mean of its last layer
    encoder "brackets"      RRNet: ( splits, ) merges, all else recurs
    encoder "imitated"      the same in training, where a policy learns these labels, and its own choices afterwards
    encoder "recur"         RRNet that only recurs, which is an LSTM
    encoder "random"        RRNet: each symbol has an operation, drawn once
    encoder "learned"       RRNet with a policy, trained by REINFORCE

Notation: B sequences, T symbols, e the size of a vector, d units.

Source: Jacob et al. 2018, sections 3.1 and 3.2. The sizes, the classifier and the layer of the policy are not stated.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.systems.rrnet.model import Decisions, RRNet, bracket_operations, symbol_operations
from repline.systems.rrnet.schedule import OPERATIONS, RECUR, STAY
from repline.systems.rrnet.settings import EncoderKind, Memory
from repline.systems.rrnet.tree_lstm import TreeLSTM, trees

OPENING, CLOSING = "(", ")"
SEGMENTS = 8  # different lengths in a batch, up to which an LSTM runs once for each


class Encoding(NamedTuple):
    """States at the end of a batch of sequences, and how they came about.

    Attributes:
        hidden, memory: h and c, [B, d].
        log_probabilities: of the policy, [B, K, 3]; None without one.
        decisions: of the policy.
        before: h before each step, [B, K, d].
        operations: [B, K]; None where there are none.
    """

    hidden: Tensor
    memory: Tensor
    log_probabilities: Tensor | None = None
    decisions: Decisions | None = None
    before: Tensor | None = None
    operations: Tensor | None = None


class Transformer(nn.Module):
    """A baseline without recurrence: layers of self-attention over vectors with the sines of their positions.

    Args:
        inputs: e.
        units: d.
        layers, heads: their numbers; d is a multiple of the second.
    """

    def __init__(self, inputs: int, units: int, layers: int = 2, heads: int = 4):
        super().__init__()
        self.units, self.enter = units, nn.Linear(inputs, units)
        layer = nn.TransformerEncoderLayer(units, heads, 2 * units, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, nn.LayerNorm(units), enable_nested_tensor=False)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """[B, T, e], [B] -> [B, d]."""
        positions = torch.arange(inputs.shape[1], device=inputs.device)
        rates = torch.exp(torch.arange(0, self.units, 2, device=inputs.device) * (-math.log(10000.0) / self.units))
        angles = positions[:, None] * rates  # [T, d / 2]
        sines = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)  # [T, d]
        inside = positions < lengths[:, None]  # [B, T]
        states = self.layers(self.enter(inputs) + sines, src_key_padding_mask=~inside)
        return (states * inside[..., None]).sum(1) / lengths[:, None]


class Encoder(nn.Module):
    """Encoder of a sequence of symbols: symbols in, the state at their end out.

    Args:
        symbols: V names, in the order of their ids.
        embedding: e.
        units: d.
        kind: as in the head of this module.
        memory, most: of `RRNet`.
        seed: of the operations drawn for "random".
    """

    layer: nn.LSTM | TreeLSTM | Transformer | RRNet
    assigned: Tensor

    def __init__(
        self,
        symbols: Sequence[str],
        embedding: int,
        units: int,
        kind: EncoderKind,
        *,
        memory: Memory = "merge",
        most: int = 0,
        seed: int = 0,
    ):
        super().__init__()
        if most and kind != "learned":
            raise ValueError("only a learned policy chooses several operations a symbol")
        self.kind = kind
        self.opening, self.closing = list(symbols).index(OPENING), list(symbols).index(CLOSING)
        self.embedding = nn.Embedding(len(symbols), embedding)
        if kind == "lstm":
            self.layer = nn.LSTM(embedding, units, batch_first=True)
        elif kind == "tree_lstm":
            self.layer = TreeLSTM(embedding, units)
        elif kind == "transformer":
            self.layer = Transformer(embedding, units)
        else:
            policy = kind in ("learned", "imitated")
            self.layer = RRNet(embedding, units, memory=memory, policy=policy, most=most)
        drawn = torch.randint(len(OPERATIONS), (len(symbols),), generator=torch.Generator().manual_seed(seed))
        self.register_buffer("assigned", drawn)

    def forward(self, ids: Tensor, lengths: Tensor) -> Encoding:
        """[B, T], [B] -> states after the lengths-th symbol of each sequence."""
        if isinstance(self.layer, nn.LSTM):
            hidden, memory = _last_states(self.layer, self.embedding(ids), lengths)
            return Encoding(hidden, memory)
        if isinstance(self.layer, TreeLSTM):
            hidden, memory = self.layer(self.embedding.weight, trees(ids, lengths, self.opening, self.closing))
            return Encoding(hidden, memory)
        if isinstance(self.layer, Transformer):
            hidden = self.layer(self.embedding(ids), lengths)
            return Encoding(hidden, torch.zeros_like(hidden))
        vectors = self.embedding.weight
        if self.kind == "learned" or (self.kind == "imitated" and not self.training):
            decisions = self.layer.decide(vectors, ids, lengths)
            operations, reads = decisions.operations, decisions.reads
        else:
            operations, reads, decisions = self._operations(ids, lengths), ids, None
        hidden, state = self.layer(vectors, reads, operations)
        last, memory = state.now.chunk(2, 1)
        if self.layer.policy is None:
            return Encoding(last, memory, operations=operations)
        if decisions is None:
            decisions = self._labels(operations, ids)
        scores = self.layer.log_probabilities(vectors, decisions, hidden, None)
        return Encoding(last, memory, scores, decisions, self.layer.before(hidden, None), operations)

    def _operations(self, ids: Tensor, lengths: Tensor) -> Tensor:
        if self.kind == "random":
            return symbol_operations(ids, self.assigned, lengths=lengths)
        if self.kind == "recur":
            ended = torch.arange(ids.shape[1], device=ids.device) >= lengths[:, None]
            return torch.where(ended, STAY, RECUR)
        return bracket_operations(ids, self.opening, self.closing, lengths)

    def _labels(self, operations: Tensor, ids: Tensor) -> Decisions:
        """Decisions for gold operations, as if a policy had made them."""
        size = ((operations == 0).long() - (operations == 1).long()).cumsum(1)
        before = torch.cat([torch.zeros_like(size[:, :1]), size[:, :-1]], 1)
        always = torch.ones_like(operations, dtype=torch.bool)
        allowed = torch.stack([always, before > 0, always], -1)
        return Decisions(operations, ids, operations.clamp(max=RECUR), allowed, operations != STAY)


class ExpressionEvaluator(nn.Module, PyTorchModelHubMixin):
    """Reads an expression, and writes its value: two digits from left to right.

    The decoder is an LSTM that starts from the state of the encoder and reads the digit before (at first a start sign).

    Args: as for `Encoder`.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        embedding: int = 32,
        units: int = 128,
        kind: EncoderKind = "brackets",
        memory: Memory = "merge",
        most: int = 0,
        seed: int = 0,
    ):
        super().__init__()
        self.encoder = Encoder(symbols, embedding, units, kind, memory=memory, most=most, seed=seed)
        self.digits = nn.Embedding(11, embedding)  # ten digits, and the start
        self.decoder = nn.LSTM(embedding, units, batch_first=True)
        self.readout = nn.Linear(units, 10)
        self.value = nn.Linear(units, 1) if kind == "learned" else None

    def forward(self, ids: Tensor, lengths: Tensor, values: Tensor) -> tuple[Tensor, Encoding]:
        """Scores of both digits, each given the right digits before it.

        Args:
            ids: [B, T].
            lengths: [B].
            values: int64 [B], 10 to 99.

        Returns:
            ([B, 2, 10], the encoder's states).
        """
        encoding = self.encoder(ids, lengths)
        before = torch.stack([torch.full_like(values, 10), values // 10], 1)  # [B, 2]
        hidden, _ = self.decoder(self.digits(before), _decoder_state(encoding))
        return self.readout(hidden), encoding

    @torch.inference_mode()
    def predict(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Encoding]:
        """The value that is read off digit by digit, int64 [B], and the encoder's states."""
        encoding = self.encoder(ids, lengths)
        state = _decoder_state(encoding)
        digit, result = torch.full_like(ids[:, 0], 10), torch.zeros_like(ids[:, 0])
        for _ in range(2):
            hidden, state = self.decoder(self.digits(digit[:, None]), state)
            digit = self.readout(hidden[:, 0]).argmax(1)
            result = 10 * result + digit
        return result, encoding


class RelationClassifier(nn.Module, PyTorchModelHubMixin):
    """Reads two formulas with one encoder: features [u; v; |u - v|; u v], a tanh layer, a softmax over relations.

    Args:
        relations: C names.
        others: as for `Encoder`.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        relations: Sequence[str],
        embedding: int = 32,
        units: int = 100,
        kind: EncoderKind = "brackets",
        memory: Memory = "merge",
        seed: int = 0,
    ):
        super().__init__()
        self.relations = list(relations)
        self.encoder = Encoder(symbols, embedding, units, kind, memory=memory, seed=seed)
        self.hidden = nn.Linear(4 * units, units)
        self.readout = nn.Linear(units, len(self.relations))
        self.value = nn.Linear(units, 1) if kind == "learned" else None

    def forward(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Encoding]:
        """Scores of the relations.

        Args:
            ids: int64 [B, 2, T], left and right formula.
            lengths: int64 [B, 2].

        Returns:
            ([B, C], the encoder's states of 2B formulas).
        """
        encoding = self.encoder(ids.flatten(0, 1)[:, : int(lengths.max())], lengths.flatten())
        u, v = encoding.hidden.unflatten(0, (-1, 2)).unbind(1)
        features = torch.cat([u, v, (u - v).abs(), u * v], 1)
        return self.readout(self.hidden(features).tanh()), encoding


def _decoder_state(encoding: Encoding) -> tuple[Tensor, Tensor]:
    """h and c [1, B, d] before the first digit, laid out as a GPU's LSTM wants them."""
    return encoding.hidden[None].contiguous(), encoding.memory[None].contiguous()


def _last_states(lstm: nn.LSTM, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """h and c [B, d] after the lengths-th of inputs [B, T, e]."""
    ends = lengths.unique().tolist()
    if len(ends) > SEGMENTS:
        packed = nn.utils.rnn.pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
        _, (hidden, memory) = lstm(packed)
        return hidden[0], memory[0]
    # a few lengths: all rows up to the shortest, the others on to the next, which keeps the fast kernel
    order = lengths.argsort(stable=True, descending=True)
    starts = torch.tensor([0, *ends[:-1]], device=lengths.device)
    inputs, alive = inputs[order], (lengths[:, None] > starts).sum(0).tolist()
    hidden = memory = inputs.new_zeros(1, len(inputs), lstm.hidden_size)
    for rows, start, end in zip(alive, starts.tolist(), ends, strict=True):
        _, state = lstm(inputs[:rows, start:end], (hidden[:, :rows], memory[:, :rows]))
        hidden, memory = (torch.cat([new, old[:, rows:]], 1) for new, old in zip(state, (hidden, memory), strict=True))
    back = order.argsort()
    return hidden[0, back], memory[0, back]
