"""URN, the Unitary Recurrent Network: every symbol is an orthogonal matrix, a sentence is their product.

    Q(x)    = exp(S(x)),   S(x)ᵀ = -S(x), non-zero only in its first k rows and columns (k-TURN), or full (Full-URN)
    s_0     = e_1
    s_{t+1} = Q(x_t) s_t                    no activation function anywhere
    logits  = W s_{t+1} + b                 read after x_t

Notation: n state size, k truncation, V symbols, C classes, B sequences in a batch, T their length, D distinct symbols
in a batch. S(x) is made of row x of `embedding` [V, P], P = nk - k(k+1)/2 numbers; Q is `matrices` [D, n, n], s_1 to
s_T are `states(ids)` [B, T, n], W and b `readout` (n -> C). The two trained baselines are here too: unconstrained
matrices in the same recurrence, and an LSTM.

    model = URN.from_pretrained("data/models/urn/dyck-turn/seed-0")
    average_effect(model.phrase(["(", ")"]))   # repline.algebra.rotations: effects, distances, angles, planes

exp lies in `repline.algebra.orthogonal`, low-rank where k is small, what Q does in `repline.algebra.rotations`, the
product over a batch in `repline.systems.urn.grouped_recurrence`.

Source: Bernardy & Lappin 2022, sections 2 and 3.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.algebra.orthogonal import LowRankUpdate, exponential, low_rank_exponential, parameter_count
from repline.systems.urn.grouped_recurrence import grouped_recurrence

FEW_SYMBOLS = (
    64  # up to here a batch is grouped by symbol and multiplied by dense matrices; beyond, by low-rank updates
)


class _SymbolMatrices(nn.Module, ABC):
    """The recurrence of all matrix embeddings: one matrix per symbol, a linear readout, dropout as in the paper's code.

    Dropout (rate rho, inverted scaling) falls on the parameters of each symbol of the batch before its matrix is built
    (so that Q stays orthogonal; zeroing entries of Q itself, as the paper's text has it, would not), on the state fed
    to each step, and on the state that is read. The state masks are drawn once per sequence and kept over its steps,
    the parameter masks once per symbol and group of sequences, so that a batch needs one exponential for each of them.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        classes: Sequence[str],
        n: int,
        dropout: float,
        parameter_masks: int,
        parameters: int,
    ):
        super().__init__()
        self.symbols, self.classes, self.n, self.dropout = list(symbols), list(classes), n, dropout
        self.parameter_masks = parameter_masks
        self.index = {symbol: number for number, symbol in enumerate(self.symbols)}
        if len(self.index) != len(self.symbols):
            raise ValueError("the symbols of a model must be distinct")
        self.embedding = nn.Parameter(torch.empty(len(self.symbols), parameters).uniform_(-0.05, 0.05))  # [V, P]
        self.readout = nn.Linear(n, len(self.classes))
        nn.init.xavier_uniform_(self.readout.weight)
        nn.init.trunc_normal_(self.readout.bias, std=0.1)

    @abstractmethod
    def matrices(self, parameters: Tensor) -> Tensor:
        """[..., P] -> [..., n, n]."""

    def updates(self, parameters: Tensor) -> LowRankUpdate | None:
        """[..., P] -> the same matrices as low-rank updates, where the model has such a form."""
        return None

    def states(self, ids: Tensor) -> Tensor:
        """The state after each symbol.

        Args:
            ids: [B, T], integers in 0..V-1 (any symbol may pad on the right: the states before it do not see it).

        Returns:
            [B, T, n].
        """
        groups = min(self.parameter_masks, len(ids)) if self.training else 1
        group = torch.arange(len(ids), device=ids.device) * groups // len(ids)  # [B]
        distinct, local = (ids + group[:, None] * len(self.symbols)).unique(return_inverse=True)  # [D], [B, T]
        parameters = self._dropped(self.embedding[distinct % len(self.symbols)])  # [D, P]
        if not self.training:  # rounding once keeps |s| = 1 over thousands of symbols; in training it does not matter
            parameters = parameters.double()
        dtype = self.embedding.dtype
        state_mask = self._dropped(torch.ones(len(ids), self.n, dtype=dtype, device=ids.device))  # [B, n]
        start = torch.zeros_like(state_mask)
        start[:, 0] = 1
        update = self.updates(parameters) if len(distinct) > FEW_SYMBOLS else None
        if update is not None:
            return _low_rank_recurrence(update.u.to(dtype), update.v.to(dtype), local, start, state_mask)
        return grouped_recurrence(self.matrices(parameters).to(dtype), local, start, state_mask)

    def forward(self, ids: Tensor, lengths: Tensor | None = None) -> Tensor:
        """Unnormalised log-probabilities of the classes.

        Args:
            ids: [B, T].
            lengths: [B]; None to read the state after every symbol, else only after the lengths-th of each sequence.

        Returns:
            [B, T, C], or [B, C] with lengths.
        """
        states = self.states(ids)  # [B, T, n]
        if lengths is not None:
            states = _last(states, lengths)  # [B, n]
        state_mask = self._dropped(torch.ones_like(states[:, 0] if lengths is None else states))  # [B, n]
        return self.readout(states * (state_mask[:, None] if lengths is None else state_mask))

    def matrix(self, symbol: str) -> Tensor:
        """The matrix of one symbol, [n, n], in float64. Raises KeyError for a symbol that the model does not have."""
        with torch.no_grad():
            return self.matrices(self.embedding[self.index[symbol]].double())

    def phrase(self, symbols: Sequence[str]) -> Tensor:
        """Q(x_0 ... x_m) = Q(x_m) ... Q(x_1) Q(x_0), [n, n] in float64: later symbols multiply from the left.

        The empty phrase is the identity. In a URN the inverse of a phrase is its transpose.
        """
        product = torch.eye(self.n, dtype=torch.float64, device=self.embedding.device)
        for symbol in symbols:
            product = self.matrix(symbol) @ product
        return product

    def _dropped(self, values: Tensor) -> Tensor:
        return nn.functional.dropout(values, self.dropout, self.training)


class URN(_SymbolMatrices, PyTorchModelHubMixin):
    """k-TURN (an integer k) or Full-URN (k=None).

    Args:
        symbols: the V distinct symbols, in the order of their ids.
        classes: the C names of what is predicted.
        n: state size, even.
        k: truncation; None for full matrices.
        dropout: rate rho of all three masks.
        parameter_masks: masks of the parameters of one symbol in a batch of training; the paper's code has one a
            sequence.

    Raises:
        ValueError: repeated symbols, or a k outside 1..n.

    Source: Bernardy & Lappin 2022, section 2.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        classes: Sequence[str],
        n: int = 50,
        k: int | None = 3,
        dropout: float = 0.05,
        parameter_masks: int = 1,
    ):
        super().__init__(symbols, classes, n, dropout, parameter_masks, parameter_count(n, k))
        self.k = k

    def matrices(self, parameters: Tensor) -> Tensor:
        if self.k is None:
            return exponential(parameters, self.n)
        return low_rank_exponential(parameters, self.n, self.k).dense()

    def updates(self, parameters: Tensor) -> LowRankUpdate | None:
        return None if self.k is None else low_rank_exponential(parameters, self.n, self.k)


class UnconstrainedRecurrence(_SymbolMatrices, PyTorchModelHubMixin):
    """The "arbitrary" baseline: the URN's recurrence with an unconstrained n x n matrix per symbol.

    Args: as for `URN`, without k. Source: Bernardy & Lappin 2022, section 5.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        classes: Sequence[str],
        n: int = 50,
        dropout: float = 0.05,
        parameter_masks: int = 1,
    ):
        super().__init__(symbols, classes, n, dropout, parameter_masks, n * n)

    def matrices(self, parameters: Tensor) -> Tensor:
        return parameters.unflatten(-1, (self.n, self.n))


class LSTMReader(nn.Module, PyTorchModelHubMixin):
    """The LSTM baseline: embedding, one LSTM layer, the same linear readout; dropout on what the LSTM reads and gives.

    Args:
        symbols, classes, dropout: as for `URN`.
        embedding: size of a symbol's vector.
        units: size of the LSTM's state.
    """

    def __init__(
        self,
        symbols: Sequence[str],
        classes: Sequence[str],
        embedding: int = 12,
        units: int = 50,
        dropout: float = 0.05,
    ):
        super().__init__()
        self.symbols, self.classes = list(symbols), list(classes)
        self.embedding = nn.Embedding(len(self.symbols), embedding)
        self.lstm = nn.LSTM(embedding, units, batch_first=True)
        self.readout = nn.Linear(units, len(self.classes))
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor, lengths: Tensor | None = None) -> Tensor:
        """[B, T] -> [B, T, C], or [B, C] after the lengths-th symbol of each sequence."""
        states, _ = self.lstm(self.dropout(self.embedding(ids)))  # [B, T, units]
        if lengths is not None:
            states = _last(states, lengths)
        return self.readout(self.dropout(states))


def _low_rank_recurrence(u: Tensor, v: Tensor, ids: Tensor, state: Tensor, state_mask: Tensor) -> Tensor:
    """States [B, T, n] of ids [B, T] into updates U [D, n, 2k], V [D, 2k, n]; O(nk) a token."""
    u = nn.functional.embedding(ids.mT, u.flatten(1)).unflatten(-1, u.shape[1:])  # [T, B, n, 2k]
    v = nn.functional.embedding(ids.mT, v.flatten(1)).unflatten(-1, v.shape[1:])  # [T, B, 2k, n]
    states = []
    for u_t, v_t in zip(u.unbind(), v.unbind(), strict=True):
        state = state * state_mask  # [B, n]
        moved = (v_t * state[:, None]).sum(-1)  # [B, 2k]
        state = state + (u_t * moved[:, None]).sum(-1)  # [B, n]
        states.append(state)
    return torch.stack(states, dim=1)


def _last(states: Tensor, lengths: Tensor) -> Tensor:
    """[B, T, n], [B] -> the state after the lengths-th symbol, [B, n]."""
    return states[torch.arange(len(states), device=states.device), lengths - 1]
