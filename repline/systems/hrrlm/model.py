"""HRRLM: a recurrent language model whose words are sums of role-filler bindings; and its tied baseline.

    E_i(w)      = F_i s_i^w                                  filler i, in its own subspace of d' dimensions
    E(w)        = Σ_i r_i * E_i(w)                           the LSTM reads it (*: circular convolution)
    score(h, w) = Σ_i α_i (r_i # h) · E_i(w)                 decoded from the LSTM's output (#: correlation)
    p(w | h)    = softmax(score(h, ·) + b)                   b is not stated in the paper
    penalty     = β (‖FᵀF - I‖² + ‖RᵀR - I‖²)                F = [F_1 ... F_N], R = [r_1 ... r_N]; 0 if fixed

α_1 = 1, the others rise from 0 to 1 over the first T training steps: what filler 1 learns meanwhile is mostly
syntax. By the adjoint (r # h) · e = h · (r * e), so everything is a product with one basis, made once a step:

    B = [C(r_1) F_1 ... C(r_N) F_N],    E(w) = B s^w,    score(h, w) = (h B α) · s^w          C(r) x = r * x (circulant)

Notation: d = embedding = LSTM size, N fillers, d' `width` of each subspace, V words, B sequences, T their length. s is
`coefficients` [V, N d'], F `fillers` [N, d, d'], r `roles` [N, d], the basis B `basis()` [d, N d'], α `alpha()` [N], E
`word_vectors()` and E_i `filler_vectors(i - 1)` [V, d].

    model = repline.pretrained.pretrained(HRRLM, "data/models/hrrlm/isometric/seed-0")
    model.filler_vectors(0), model.filler_vectors(1), model.word_vectors()     # [V, d] each

Convolution, correlation and the basis lie in `repline.algebra.circular_convolution`; what is called a language model
here in `repline.training.language_models`; the same for phrases in `repline.systems.hrrlm.chunk_model`.

Source: "Towards Decomposed Linguistic Representation with Holographic Reduced Representation" (anonymous, 2018),
sections 3.1 and 3.2.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from repline.algebra.circular_convolution import near_orthogonal, orthonormal_blocks, structured_basis
from repline.pretrained import DescribedModel
from repline.systems.hrrlm.settings import Bindings, Layers

State = tuple[Tensor, Tensor]  # [layers, B, d] each, as nn.LSTM has them
RANGE = 0.05  # everything trained starts in U(-0.05, 0.05)


class TiedLanguageModel(nn.Module, ABC):
    """LSTM layers between an embedding and the same embedding again; dropout before, between and after the layers."""

    def __init__(self, words: Sequence[str], sizes: Layers):
        super().__init__()
        dimensions, layers, dropout, bias = sizes.dimensions, sizes.layers, sizes.dropout, sizes.bias
        self.words = list(words)
        self.lstm = nn.LSTM(dimensions, dimensions, layers, batch_first=True, dropout=dropout if layers > 1 else 0.0)
        self.dropout = nn.Dropout(dropout)
        for weight in self.lstm.parameters():
            nn.init.uniform_(weight, -RANGE, RANGE)
        self.bias = nn.Parameter(torch.zeros(len(self.words))) if bias else None  # [V]

    def initial_state(self, batch: int) -> State:
        """Zeros, [layers, batch, d] twice."""
        zeros = self._zeros(self.lstm.num_layers, batch, self.lstm.hidden_size)
        return zeros, zeros

    @abstractmethod
    def forward(self, inputs: Tensor, state: State) -> tuple[Tensor, State]:
        """Read words [B, T]; what `decode` wants, [B, T, ...], and the state after the last of them."""

    @abstractmethod
    def output(self) -> tuple[Tensor, Tensor | None]:
        """Weight [V, ...] and bias [V] or None of the layer that decodes."""

    def decode(self, hidden: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the next word, [..., V]."""
        return nn.functional.linear(hidden, *self.output())

    @abstractmethod
    def word_vectors(self) -> Tensor:
        """The vector of each word, [V, d]."""

    def penalty(self) -> Tensor:
        """The penalty that is added to the loss of each step: 0."""
        return self._zeros()

    def _zeros(self, *size: int) -> Tensor:
        return next(self.lstm.parameters()).new_zeros(size)

    def _read(self, embedded: Tensor, state: State) -> tuple[Tensor, State]:
        """[B, T, d] -> outputs of the highest layer [B, T, d], state."""
        outputs, state = self.lstm(self.dropout(embedded), state)
        return self.dropout(outputs), state


class TiedLSTM(TiedLanguageModel, DescribedModel):
    """The baseline of equal size: one free vector a word, score(h, w) = h . E(w).

    Args:
        words: V of them, in the order of their ids.
        sizes: `Layers`.
    """

    def __init__(self, words: Sequence[str], **sizes: Any):
        layers = Layers(**sizes)
        super().__init__(words, layers)
        self.embedding = nn.Parameter(torch.empty(len(self.words), layers.dimensions).uniform_(-RANGE, RANGE))  # [V, d]

    def forward(self, inputs: Tensor, state: State) -> tuple[Tensor, State]:
        return self._read(nn.functional.embedding(inputs, self.embedding), state)

    def output(self) -> tuple[Tensor, Tensor | None]:
        return self.embedding, self.bias

    def word_vectors(self) -> Tensor:
        return self.embedding


class HRRLM(TiedLanguageModel, DescribedModel):
    """The language model of role-filler bindings.

    Args:
        words: V of them, in the order of their ids.
        annealing: T, training steps until all alpha are 1; 0 for no annealing; not stated in the paper.
        sizes: `Bindings`.

    Raises:
        ValueError: N d' > d with orthonormal bases, or with a penalty that could then never become 0; or a value that
            `Bindings` does not take.

    Source: sections 3.2 and 4.1, appendix A.
    """

    fillers: Tensor  # [N, d, d'], trained or fixed
    roles: Tensor  # [N, d]
    step: Tensor  # training steps so far

    def __init__(self, words: Sequence[str], annealing: int = 0, **sizes: Any):
        bindings = Bindings(**sizes)
        super().__init__(words, bindings)
        dimensions, fillers = bindings.dimensions, bindings.fillers
        width, bases = bindings.width, bindings.bases
        if bases == "isometric" and fillers * width > dimensions:
            raise ValueError(f"{fillers} subspaces of {width} dimensions cannot be orthogonal in {dimensions}")
        self.beta, self.annealing, self.initial = bindings.beta, annealing, bindings.initial
        if bindings.initial == "orthonormal":
            columns, roles = orthonormal_blocks(fillers, dimensions, width), near_orthogonal(fillers, dimensions)
        else:
            columns = torch.empty(fillers, dimensions, width).uniform_(-RANGE, RANGE)
            roles = torch.empty(fillers, dimensions).uniform_(-RANGE, RANGE)
        for name, value in (("fillers", columns), ("roles", roles)):  # [N, d, d'], [N, d]
            if bases == "isometric":
                self.register_parameter(name, nn.Parameter(value))
            else:
                self.register_buffer(name, value)
        size = (len(self.words), fillers * width)
        self.coefficients = nn.Parameter(torch.empty(size).uniform_(-RANGE, RANGE))  # [V, N d']
        self.register_buffer("step", torch.zeros((), dtype=torch.long))  # training steps so far

    def forward(self, inputs: Tensor, state: State) -> tuple[Tensor, State]:
        """Words [B, T] -> h B alpha, [B, T, N d'], and the state. In training it counts the steps."""
        outputs, basis, state = self.read(inputs, state)
        hidden = self.scores_of(outputs, basis)
        if self.training:
            self.step += 1
        return hidden, state

    def read(self, inputs: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        """Words [B, T] -> outputs h [B, T, d], the basis B [d, N d'], the state."""
        basis = self.basis()
        embedded = nn.functional.embedding(inputs, self.coefficients) @ basis.mT  # [B, T, N d'] -> [B, T, d]
        outputs, state = self._read(embedded, state)
        return outputs, basis, state

    def scores_of(self, outputs: Tensor, basis: Tensor) -> Tensor:
        """h [..., d] -> h B alpha, [..., N d']: how much of each basis filler is decoded, weighted by its alpha."""
        width = self.fillers.shape[-1]
        return outputs @ (basis * self.alpha().repeat_interleave(width))

    def output(self) -> tuple[Tensor, Tensor | None]:
        return self.coefficients, self.bias

    def basis(self) -> Tensor:
        """B = [C(r_1) F_1 ... C(r_N) F_N], [d, N d']."""
        return structured_basis(self.roles, self.fillers)

    def alpha(self) -> Tensor:
        """[N]: 1, and for the others step / T until it is 1."""
        return annealed(self.step, self.annealing, len(self.roles)).to(self.coefficients.dtype)

    def penalty(self) -> Tensor:
        """beta (|F^T F - I|^2 + |R^T R - I|^2) with F = [F_1 ... F_N], R = [r_1 ... r_N]; 0 for fixed bases."""
        if not isinstance(self.fillers, nn.Parameter):
            return super().penalty()
        columns = self.fillers.transpose(0, 1).flatten(1)  # [d, N d']
        return self.beta * (isometric_distance(columns) + isometric_distance(self.roles.mT))

    def word_vectors(self) -> Tensor:
        """E(w) of every word, [V, d]: the composite."""
        return self.coefficients @ self.basis().mT

    def filler_vectors(self, filler: int) -> Tensor:
        """E_i(w) of every word, [V, d], for filler i = `filler` from 0."""
        return self.coefficients.unflatten(1, (len(self.roles), -1))[:, filler] @ self.fillers[filler].mT

    def embedding_parameters(self) -> int:
        """V N d' + N d d' + N d (+ V): coefficients, bases, roles, and the bias if there is one."""
        bias = 0 if self.bias is None else self.bias.numel()
        return self.coefficients.numel() + self.fillers.numel() + self.roles.numel() + bias


def isometric_distance(columns: Tensor) -> Tensor:
    """|A^T A - I|^2, squared Frobenius: 0 for orthonormal columns, n for A = 0. A: [d, n]."""
    gram = columns.mT @ columns
    return (gram - torch.eye(len(gram), dtype=gram.dtype, device=gram.device)).square().sum()


def annealed(step: Tensor, steps: int, count: int) -> Tensor:
    """[count] weights: 1, then min(1, step / steps) for all others.

    Args:
        step: scalar, training steps so far.
        steps: until all weights are 1; 0 for at once.
    """
    rising = (step / steps).clamp(max=1) if steps else torch.ones_like(step, dtype=torch.float)
    return torch.cat([torch.ones_like(rising)[None], rising.expand(count - 1)])
