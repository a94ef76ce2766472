"""HRRLM for chunks: a phrase is a sum of bindings too, whose role weights the context decides.

    a^w      = softmax(W_a h_w)                              role weights of a word, from the LSTM after reading it
    E_i(c)   = sum_{w in c} a_i^w W_i^T E(w)                 chunk filler i
    E(c)     = sum_i r_i * E_i(c)                            (*: circular convolution)
    p        = tanh([U_1; U_2]^T [E(c_{t-1}); E(c_{t-2})])   prediction of the next chunk, within its sentence
    score(c) = sum_i alpha_i (r_i # p) . E_i(c)              over all chunks of the mini-batch (#: correlation)

The words below are those of `repline.systems.hrrlm.model`, whose weights a chunk model starts from.

Notation: M chunk roles, C chunks in a batch, P of them predicted (the first two of a sentence are not); d, B, T as in
`repline.systems.hrrlm.model`. Chunks are numbered through the batch, sentence by sentence, from left to right.

Source: "Towards Decomposed Linguistic Representation with Holographic Reduced Representation" (anonymous, 2018),
section 3.3.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from repline.algebra.circular_convolution import bind, near_orthogonal
from repline.pretrained import DescribedModel
from repline.systems.hrrlm.model import HRRLM, RANGE, annealed, isometric_distance

CONTEXT = 2  # chunks that the next one is predicted from


class Chunks(NamedTuple):
    """The chunks of a batch of sentences.

    number: [B, T] of each word's chunk in 0..C-1, or -1 for a word in none.
    position: [C] of each chunk in its sentence, from 0.
    kind: [C], equal for chunks of the same words.
    """

    number: Tensor
    position: Tensor
    kind: Tensor


def chunks_of(number: Tensor, kind: Tensor) -> Chunks:
    """The chunks of a batch, from numbers that begin at 0 in every sentence.

    Args:
        number: [B, T], of each word's chunk in its sentence, every number from 0 up being there; -1 outside.
        kind: [B, T], of each word's chunk.
    """
    counts = number.amax(1) + 1  # [B]
    starts = counts.cumsum(0) - counts
    inside = number >= 0
    whole = torch.where(inside, number + starts[:, None], -1)
    positions, kinds = (number.new_empty(int(counts.sum())) for _ in range(2))
    positions[whole[inside]] = number[inside]
    kinds[whole[inside]] = kind[inside]
    return Chunks(whole, positions, kinds)


class ChunkHRRLM(nn.Module, DescribedModel):
    """Words and chunks in one model.

    Args:
        words: as in `HRRLM`.
        chunk_roles: M.
        annealing: training steps until every alpha of the chunk level is 1 (those of the word level are 1).
        word_level: the sizes of the `HRRLM`; initial, bases and beta also of the chunk roles.
    """

    roles: Tensor  # [M, d], trained or fixed
    step: Tensor  # training steps so far

    def __init__(self, words: Sequence[str], chunk_roles: int = 2, annealing: int = 0, **word_level: Any):
        super().__init__()
        self.word_level = HRRLM(words, **word_level)
        self.annealing = annealing
        dimensions = self.word_level.lstm.hidden_size
        self.role_weights = nn.Linear(dimensions, chunk_roles)  # W_a
        self.projections = nn.Parameter(torch.empty(chunk_roles, dimensions, dimensions))  # W_i
        self.prediction = nn.Linear(CONTEXT * dimensions, dimensions, bias=False)  # U
        for weight in (*self.role_weights.parameters(), self.projections, self.prediction.weight):
            nn.init.uniform_(weight, -RANGE, RANGE)
        roles = near_orthogonal(chunk_roles, dimensions)
        if self.word_level.initial == "uniform":
            nn.init.uniform_(roles, -RANGE, RANGE)
        if isinstance(self.word_level.roles, nn.Parameter):
            self.roles = nn.Parameter(roles)  # [M, d]
        else:
            self.register_buffer("roles", roles)
        self.register_buffer("step", torch.zeros((), dtype=torch.long))

    def forward(self, inputs: Tensor, chunks: Chunks) -> tuple[Tensor, Tensor]:
        """Sentences [B, T] -> what `word_level.decode` wants [B, T, N d'], chunk fillers [C, M, d]."""
        outputs, basis, _ = self.word_level.read(inputs, self.word_level.initial_state(len(inputs)))
        inside = chunks.number >= 0  # [B, T]; n of them are true
        embedded = nn.functional.embedding(inputs[inside], self.word_level.coefficients) @ basis.mT  # [n, d]
        weights = self.role_weights(outputs[inside]).softmax(-1)  # [n, M]
        fillers = self.chunk_fillers(embedded, weights, chunks.number[inside], len(chunks.position))
        hidden = self.word_level.scores_of(outputs, basis)
        if self.training:
            self.step += 1
        return hidden, fillers

    def chunk_fillers(self, embedded: Tensor, weights: Tensor, number: Tensor, count: int) -> Tensor:
        """E_i(c) = sum of a_i W_i^T E(w) over the words of c.

        Args:
            embedded: [n, d], E(w) of n words.
            weights: [n, M], their role weights.
            number: [n], of each word's chunk.
            count: C.

        Returns:
            [C, M, d].
        """
        weighted = weights[..., None] * embedded[:, None]  # [n, M, d]
        summed = weighted.new_zeros(count, *weighted.shape[1:]).index_add(0, number, weighted)  # [C, M, d]
        return torch.einsum("cme,med->cmd", summed, self.projections)

    def chunk_vectors(self, fillers: Tensor, alpha: Tensor | None = None) -> Tensor:
        """E(c) = sum_i r_i * E_i(c); with alpha [M] each binding is weighted. [C, M, d] -> [C, d]."""
        bound = bind(self.roles, fillers)  # [C, M, d]
        return bound.sum(1) if alpha is None else (bound * alpha[:, None]).sum(1)

    def next_chunk_scores(self, fillers: Tensor, chunks: Chunks) -> tuple[Tensor, Tensor]:
        """Scores of every chunk of the batch as the next one, wherever two chunks of the sentence go before.

        By the adjoint of binding, score(c) = p . sum_i alpha_i r_i * E_i(c): one matrix product. Chunks of the same
        words as the true one are no wrong answers, so they score -inf.

        Args:
            fillers: [C, M, d].

        Returns:
            [P, C] and the true ones [P].
        """
        vectors = self.chunk_vectors(fillers)  # [C, d]
        true = (chunks.position >= CONTEXT).nonzero()[:, 0]  # [P]
        before = torch.cat([vectors[true - 1 - back] for back in range(CONTEXT)], -1)  # [P, 2 d]
        predicted = torch.tanh(self.prediction(before))  # [P, d]
        scores = predicted @ self.chunk_vectors(fillers, self.alpha()).mT  # [P, C]
        same = chunks.kind[true, None] == chunks.kind
        same[torch.arange(len(true), device=true.device), true] = False
        return scores.masked_fill(same, float("-inf")), true

    def alpha(self) -> Tensor:
        """[M]: 1, and for the others step / annealing until it is 1."""
        return annealed(self.step, self.annealing, len(self.roles)).to(self.projections.dtype)

    def penalty(self) -> Tensor:
        """Penalty of the word level, plus beta |R^T R - I|^2 of the chunk roles where they are trained."""
        words = self.word_level.penalty()
        if not isinstance(self.roles, nn.Parameter):
            return words
        return words + self.word_level.beta * isometric_distance(self.roles.mT)
