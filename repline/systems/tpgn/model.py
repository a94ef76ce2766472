"""The Tensor Product Generation Network, and the LSTM that it is compared with.

    S:    z_1a = W_1a p_{t-1} - D_1a e_{t-1} + U_1a Ŝ_{t-1},    Ŝ_0 = C_s (v - v̄)
    U:    z_2a = Ŝ_{t-1} w_2a - D_2a e_{t-1} + U_2a p_{t-1},    p_0 = 0
    each an LSTM with gates a in {i, f, o} and candidate c,      the two cells begin at 0
          cell_t = σ(z_f) * cell_{t-1} + σ(z_i) * tanh(z_c),    Ŝ_t (of S) or p_t (of U) = σ(z_o) * tanh(cell_t)
    e_t = W_e x_t,    u_t = tanh(W_u p_t),    f_t = diag(Ŝ_t, ..., Ŝ_t) u_t,    p(x_t) = softmax(W_x f_t)

S holds a plan of the sentence, the d x d matrix Ŝ; U holds p, from which fillers f are unbound. Both read the step
before. All maps have biases, which the paper does not print.

Notation: B captions, T words, V words in the vocabulary, n features of a picture, e numbers in a word's vector, d the
size of p. v [B, n] is `features`, v̄ [n] `mean`; (Ŝ, p) is `State.hidden` [B, d^2 + d], Ŝ alone `structure(hidden)`;
W_e is `embedding` [V, e], C_s `first`, W_1, D_1, U_1 `W1`, `D1`, `U1` and w_2, D_2, U_2 `w2`, `D2`, `U2` (four gates
each); W_u is `unbinding`, u `readout(hidden)`, f `predictors(hidden)` [..., d^2], W_x `output`.

Unbinding lies in `repline.algebra.tensor_product`, the softmax of the loss in `repline.layers.linear_cross_entropy`,
the search for captions in `repline.layers.generation.beam_search`.

Source: Huang, Smolensky, He, Deng & Wu 2017, equations 3 to 18.
"""

from abc import ABC, abstractmethod
from typing import Literal, NamedTuple

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.algebra.tensor_product import unbind_blocks

GATES = 4  # input, forget, cell, output, in the order of torch.nn.LSTM
FORGET = 1


class State(NamedTuple):
    """The state of an LSTM for every caption: h and c, [B, units] each."""

    hidden: Tensor
    cell: Tensor

    def rows(self, indices: Tensor) -> "State":
        """Select captions of the batch by row number [B']."""
        return State(self.hidden[indices], self.cell[indices])


class Weights(NamedTuple):
    """Weights of a recurrent layer, laid out as in torch.nn.LSTM: [4 units, e], [4 units, units] and [4 units]."""

    inputs: Tensor
    recurrent: Tensor
    bias: Tensor


class CaptionGenerator(nn.Module, ABC):
    """Base of both models: word vectors, features of a picture minus their mean, one recurrence.

    Args:
        words: V.
        features: n.
        embedding: e.
        units: of the recurrence.
        outputs: size of what the words are predicted from.
        dropout: on the vectors of words and on what words are predicted from.
    """

    mean: Tensor
    first: nn.Linear  # from features to the state before the first word; each model defines its own

    def __init__(self, words: int, features: int, embedding: int, units: int, outputs: int, dropout: float):
        super().__init__()
        self.units = units
        self.embedding = nn.Embedding(words, embedding)  # W_e
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.register_buffer("mean", torch.zeros(features))  # of the features of the training pictures
        self.output = _linear(outputs, words)  # W_x
        self.dropout = nn.Dropout(dropout)

    def begin(self, features: Tensor) -> State:
        """The state before the first word, from features of pictures [B, n]."""
        first = self.first(features - self.mean)
        hidden = nn.functional.pad(first, (0, self.units - first.shape[1]))
        return State(hidden, torch.zeros_like(hidden))

    def forward(self, words: Tensor, state: State, weights: Weights | None = None) -> tuple[Tensor, State]:
        """Read words [B, T] -> the states after each [B, T, units], and the last one.

        Args:
            weights: of `weights()`; a caller that reads word by word asks for them once.
        """
        inputs, recurrent, bias = self.weights() if weights is None else weights
        vectors = self.dropout(self.embedding(words))  # [B, T, e]
        before = state.hidden[None], state.cell[None]
        layer = [inputs, recurrent, bias, torch.zeros_like(bias)]
        hidden, after, cell = torch.lstm(vectors, before, layer, True, 1, 0.0, self.training, False, True)
        return hidden, State(after[0], cell[0])

    @abstractmethod
    def weights(self) -> Weights:
        """Weights of the recurrence, as one LSTM with one bias."""

    @abstractmethod
    def predictors(self, hidden: Tensor) -> Tensor:
        """The vectors from which the softmax layer predicts words: states [..., units] -> [..., outputs]."""

    @abstractmethod
    def readout(self, hidden: Tensor) -> Tensor:
        """The vectors that the evaluation examines for parts of speech: states [..., units] -> [..., m]."""

    def softmax_layer(self) -> tuple[Tensor, Tensor]:
        """W_x [V, outputs] and its bias [V]."""
        return self.output.weight, self.output.bias

    def log_probabilities(self, hidden: Tensor) -> Tensor:
        """log p of the word that follows a state: [..., units] -> [..., V]."""
        return nn.functional.linear(self.dropout(self.predictors(hidden)), *self.softmax_layer()).log_softmax(-1)


class TPGN(CaptionGenerator, PyTorchModelHubMixin):
    """Two coupled LSTMs: S holds a d x d matrix Ŝ, a plan of the sentence; U holds p, from which Ŝ is unbound.

    The two are computed as one LSTM of d^2 + d units with the state (Ŝ, p), whose recurrent weights are, for a gate,

        | U_1a           W_1a |      whose lower left block is Ŝ w_2a on the flattened Ŝ
        | I_d (x) w_2a'  U_2a |

    so that a step is one product and one fused cell. Unbinding is not inside the recurrence; it is done for all steps
    at once, block by block.

    Args:
        words, features, embedding, dropout: of `CaptionGenerator`.
        dimensions: d.
        output: free: W_x is learned; tied: W_x = W_e' P with P learned [e, d^2].
        sign: of D; it changes the sign of a free parameter and nothing else.

    Source: Huang, Smolensky, He, Deng & Wu 2017, equations 3 to 18. (19), W_x = W_e', needs word vectors of d^2
    numbers, so `tied` has P between them. All maps have biases, which the paper does not print.
    """

    def __init__(
        self,
        words: int,
        features: int,
        embedding: int,
        dimensions: int,
        output: Literal["free", "tied"] = "free",
        sign: Literal["minus", "plus"] = "minus",
        dropout: float = 0.0,
    ):
        d, square = dimensions, dimensions**2
        super().__init__(words, features, embedding, square + d, square if output == "free" else embedding, dropout)
        self.dimensions, self.sign = d, -1.0 if sign == "minus" else 1.0
        self.first = _linear(features, square)  # C_s
        self.W1, self.D1, self.U1 = _gates(square, d), _gates(square, embedding), _gates(square, square)
        self.w2, self.D2, self.U2 = _gates(1, d), _gates(d, embedding), _gates(d, d)
        self.b1, self.b2 = _gate_biases(square), _gate_biases(d)
        self.unbinding = _linear(d, square)  # W_u
        self.project = None
        if output == "tied":
            self.output.weight = self.embedding.weight
            self.project = _linear(square, embedding, bias=False)  # P

    def weights(self) -> Weights:
        """Both subnets as the weights of one LSTM."""
        identity = torch.eye(self.dimensions, dtype=self.w2.dtype, device=self.w2.device)
        structure_weights = torch.einsum("ij,aok->aijk", identity, self.w2).flatten(2)  # I (x) w_2': [4, d, d^2]
        upper = torch.cat([self.U1, self.W1], 2)  # [4, d^2, d^2 + d]
        lower = torch.cat([structure_weights, self.U2], 2)  # [4, d, d^2 + d]
        inputs = self.sign * torch.cat([self.D1, self.D2], 1)  # [4, d^2 + d, e]
        bias = torch.cat([self.b1, self.b2], 1)
        return Weights(inputs.flatten(0, 1), torch.cat([upper, lower], 1).flatten(0, 1), bias.flatten())

    def structure(self, hidden: Tensor) -> Tensor:
        """The matrix Ŝ of states: [..., d^2 + d] -> [..., d, d]."""
        return hidden[..., : self.dimensions**2].unflatten(-1, (self.dimensions, self.dimensions))

    def readout(self, hidden: Tensor) -> Tensor:
        """The unbinding vectors u: [..., d^2 + d] -> [..., d^2]."""
        return self.unbinding(hidden[..., self.dimensions**2 :]).tanh()

    def predictors(self, hidden: Tensor) -> Tensor:
        """The fillers f: [..., d^2 + d] -> [..., d^2]; P f where the output is tied."""
        fillers = unbind_blocks(self.structure(hidden), self.readout(hidden))
        return fillers if self.project is None else self.project(fillers)


class CaptionLSTM(CaptionGenerator, PyTorchModelHubMixin):
    """One LSTM that begins with a linear map of the features, and predicts words from its state h.

    Args:
        words, features, embedding, dropout: of `CaptionGenerator`.
        units: of the layer; `matched_units` gives as many as make it as large as a TPGN.

    Source: Vinyals et al. 2015, "Show and Tell", with the features in the first state instead of the first input.
    """

    def __init__(self, words: int, features: int, embedding: int, units: int, dropout: float = 0.0):
        super().__init__(words, features, embedding, units, units, dropout)
        self.first = _linear(features, units)
        self.W, self.U, self.b = _gates(units, embedding), _gates(units, units), _gate_biases(units)

    def weights(self) -> Weights:
        """Weights laid out as in `torch.nn.LSTM`, with one bias."""
        return Weights(self.W.flatten(0, 1), self.U.flatten(0, 1), self.b.flatten())

    def readout(self, hidden: Tensor) -> Tensor:
        """Return the states unchanged."""
        return hidden

    def predictors(self, hidden: Tensor) -> Tensor:
        """Return the states unchanged."""
        return hidden


def parameter_count(model: nn.Module) -> int:
    """The number of trainable parameters of a model."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)


def matched_units(parameters: int, words: int, features: int, embedding: int, frozen: bool = False) -> int:
    """Units of the `CaptionLSTM` whose number of parameters is nearest to `parameters`; at least 1.

    With n features, e numbers in a word's vector and V words, of u units it has

        4 u (u + e + 1) + u (n + 1) + V (u + 1) + V e,    without V e where word vectors are not trained.
    """

    def size(units: int) -> int:
        return 4 * units * (units + embedding + 1) + units * (features + 1) + words * (units + 1 + word_parameters)

    word_parameters = 0 if frozen else embedding
    units = 1
    while size(units + 1) <= parameters:
        units += 1
    return units if parameters - size(units) <= size(units + 1) - parameters else units + 1


def _linear(inputs: int, outputs: int, bias: bool = True) -> nn.Linear:
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.xavier_uniform_(layer.weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def _gates(outputs: int, inputs: int) -> nn.Parameter:
    """Glorot weights [4, outputs, inputs], each gate initialised by itself; [4, 1, inputs] for a vector."""
    weights = torch.empty(GATES, outputs, inputs)
    for gate in weights:
        nn.init.xavier_uniform_(gate)
    return nn.Parameter(weights)


def _gate_biases(units: int) -> nn.Parameter:
    """Biases [4, units]: 1 for the forget gate, 0 for the others."""
    biases = torch.zeros(GATES, units)
    biases[FORGET] = 1.0
    return nn.Parameter(biases)
