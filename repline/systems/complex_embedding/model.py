"""CE-Mix and CE-Sup with their readouts, and their baseline, a real bag of words.

    |t> = Σ_k w_k(t) exp(i θ_k(t)) |k>,    Σ_k w_k² = 1                            a word
    CE-Mix   ρ = 1/m Σ_l |t_l><t_l|                                                a sentence of m words
    CE-Sup   ρ = |S><S|,    |S> = Σ_l |t_l> / ‖Σ_l |t_l>‖
    born     p_c = Tr(P_c ρ)                              P_c orthogonal projectors, the paper's text with P = P† for Pᵀ
    dense    p_c = σ(Re Σ_jk W_c,jk ρ_jk + b_c)           the authors' program
    vector   p_c = σ(Re Σ_j W_c,j s_j + b_c)              its CE-Sup: s = 1/m Σ_l |t_l>, no density matrix
    Real-Embed   p_c = σ(<W_c, 1/m Σ_l w(t_l)> + b_c)

All complex numbers are pairs of real numbers: t = a + ib. A readout is one or several forms O_c on density matrices,

    score_c = Re Σ_jk (X_c + iY_c)_jk ρ_jk = <X_c, Re ρ> - <Y_c, Im ρ>,    Im ρ = N - Nᵀ
    N_jk = 1/m Σ_l b_lj a_lk of a mixture, b_j a_k of a superposition

Notation: B sentences of m words, n latent concepts (`dimensions`), C labels. w is `embedding` [V + 2, n] with rows of
length 1, θ `phase`, (a, b) `states(ids)` [B, m, n], ρ `density_matrices(ids)` [B, n, n], W = X + iY `weight`
[2, C, n, n], b_c `bias` [C], P `observables()` [C, n, n].

Density matrices and projectors lie in `repline.systems.complex_embedding.density`, words and labels in
`repline.layers.document_network`, unit rows in `repline.training.optimizers.unit_row_adam`.

Source throughout: Li, Uprety, Wang & Song 2018, sections 2 and 3, and the authors' program where the paper is silent.
"""

import math
from abc import abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from repline.errors import InputError
from repline.layers.document_network import PADDING, DocumentNetwork, cut
from repline.systems.complex_embedding import density
from repline.systems.complex_embedding.settings import Amplitudes, Phases, ReadoutForm, Sentence
from repline.training.optimizers.unit_row_adam import mark_unit_rows, unit

MIN_PROBABILITY = 1e-6  # that Born's rule gives
BIAS = -1.0  # first value; the authors' program


class BagOfStates(DocumentNetwork):
    """The base of the complex networks and the real one: unit vectors of words, no order, a probability for each label.

    For one seed, or one set of given vectors, the table of word vectors begins with the same numbers in all networks.

    Attributes:
        additive: whether a sentence's score is the mean of its words' scores, up to the bias.
        bias: of each label [C]; a network with the readout born has none.
    """

    additive = True
    bias: nn.Parameter

    def __init__(self, labels: Sequence[str], words: Sequence[str], dimensions: int, sentences: int, length: int):
        super().__init__(labels, words, dimensions, sentences, length)
        mark_unit_rows(self.embedding.weight)
        with torch.no_grad():
            self.embedding.weight.copy_(unit(self.embedding.weight))

    def begin(self, vectors: Tensor, has_vector: Tensor) -> "BagOfStates":
        """Set the vectors [V, d] of the words where `has_vector` is true, scaled to length 1; zero ones stay random."""
        super().begin(unit(vectors), has_vector & (vectors.norm(dim=1) > 0))
        return self

    @abstractmethod
    def scores(self, ids: Tensor) -> Tensor:
        """Scores of the labels [B, C] without the bias; for `born` the probabilities. ids: word numbers [B, m]."""

    def forward(self, ids: Tensor) -> Tensor:
        """Log probability of each label by itself [B, C], so that the C need not sum to 1. ids: word numbers [B, m]."""
        return self.log_shares(self.scores(cut(ids)))

    def log_shares(self, scores: Tensor) -> Tensor:
        """Log probabilities log sigmoid(score + bias): [B, C] -> [B, C]."""
        return logsigmoid(scores + self.bias)

    @torch.inference_mode()
    def word_scores(self, batch: int = 4096) -> Tensor:
        """The scores of every sentence of one word [V + 1, C]; row 0 belongs to unknown words."""
        numbers = torch.arange(1, len(self.words) + 2, device=self.embedding.weight.device)[:, None]
        return torch.cat([self.scores(part) for part in numbers.split(batch)])


class RealEmbedding(BagOfStates):
    """The paper's Real-Embed: the mean of unit vectors of words, and a linear layer with a sigmoid for each label.

    Args:
        labels, words, dimensions, sentences, length: of `DocumentNetwork`.
        wide: multiple of the dimensions, to have as many numbers a word as a complex network.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        wide: int = 1,
    ):
        super().__init__(labels, words, dimensions * wide, sentences, length)
        self.wide = wide
        self.weight = nn.Parameter(torch.randn(len(self.labels), dimensions * wide) / math.sqrt(dimensions * wide))
        self.bias = nn.Parameter(torch.full((len(self.labels),), BIAS))

    def begin(self, vectors: Tensor, has_vector: Tensor) -> "RealEmbedding":
        """Set the first vectors as in `BagOfStates.begin`; a wide network holds `wide` copies of each."""
        super().begin(vectors.repeat(1, self.wide), has_vector)
        return self

    def scores(self, ids: Tensor) -> Tensor:
        """Scores [B, C] of the labels, `<W, mean of the words' vectors>`, from word numbers [B, m]."""
        return self.embedding(ids).sum(dim=1) / _counts(ids)[:, None] @ self.weight.T


class ComplexEmbedding(BagOfStates):
    """Words are complex unit vectors; a sentence is a density matrix of them, and a readout of it gives the labels.

    Args:
        labels, words, dimensions, sentences, length: of `DocumentNetwork`.
        sentence: mixture (CE-Mix), the mean of the words' projectors; or superposition (CE-Sup), the projector of their
            normalised sum.
        readout: born, p_c = Tr(P_c rho) for orthogonal projectors P_c, the paper's text; dense, sigmoid(Re sum_jk
            W_jk rho_jk + bias), the authors' program; vector, `sigmoid(Re <W, mean of the states> + bias)`, which is
            the program's CE-Sup, without a density matrix.
        phases: learned; random or zero, both frozen; or word, one learned phase for all coordinates of a word.
        amplitudes: learned or frozen.

    Raises:
        InputError: readout vector of a mixture, or fewer dimensions than labels.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        sentence: Sentence = "mixture",
        readout: ReadoutForm = "dense",
        phases: Phases = "learned",
        amplitudes: Amplitudes = "learned",
    ):
        super().__init__(labels, words, dimensions, sentences, length)
        if readout == "vector" and sentence == "mixture":
            raise InputError("complex_embedding: the readout vector is of a superposition, found a mixture")
        if dimensions < len(self.labels):
            raise InputError(
                f"complex_embedding: {len(self.labels)} labels need as many dimensions, found {dimensions}"
            )
        self.mixed, self.readout = sentence == "mixture", readout
        self.additive = self.mixed or readout == "vector"
        self.embedding.weight.requires_grad_(amplitudes == "learned")
        self.phase = None
        if phases != "zero":
            self.phase = nn.Embedding(len(self.words) + 2, 1 if phases == "word" else dimensions)
            nn.init.uniform_(self.phase.weight, -math.pi, math.pi)
            self.phase.weight.requires_grad_(phases != "random")
        shape = (len(self.labels), dimensions, *(() if readout == "vector" else (dimensions,)))
        if readout == "born":
            self.basis = nn.Parameter(torch.randn(2, dimensions, dimensions))
        else:
            self.weight = nn.Parameter(torch.randn(2, *shape) / math.sqrt(math.prod(shape[1:])))
            self.bias = nn.Parameter(torch.full((len(self.labels),), BIAS))

    def states(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """Real and imaginary parts of the words' states [B, m, n], zero at padding. ids: word numbers [B, m]."""
        amplitudes = self.embedding(ids)
        if self.phase is None:
            return amplitudes, torch.zeros_like(amplitudes)
        phases = self.phase(ids)
        return amplitudes * phases.cos(), amplitudes * phases.sin()

    def density_matrices(self, ids: Tensor) -> Tensor:
        """Density matrices of sentences, complex [B, n, n], see `density`. ids: word numbers [B, m]."""
        words = torch.complex(*self.states(ids))
        return (density.mixture if self.mixed else density.superposition)(words, ids != PADDING)

    def scores(self, ids: Tensor) -> Tensor:
        """Scores [B, C] of the labels, from word numbers [B, m]."""
        real, imaginary = self.states(ids)
        if self.readout == "vector":
            sums = real.sum(dim=1), imaginary.sum(dim=1)
            return (sums[0] @ self.weight[0].T - sums[1] @ self.weight[1].T) / _counts(ids)[:, None]
        forms, turned = self._forms()
        if self.mixed:
            pairs = torch.cat([real, imaginary], dim=1)  # [B, 2m, n]
            same = (pairs.mT @ pairs).flatten(1)  # m Re rho
            cross = (imaginary.mT @ real).flatten(1)  # m N
            return (same @ forms.flatten(1).T - cross @ turned.flatten(1).T) / _counts(ids)[:, None]
        state = density.superposed(torch.cat([real, imaginary], dim=2).sum(dim=1))
        real, imaginary = state.chunk(2, dim=1)
        quadratic = [torch.einsum("bj,cjk,bk->bc", part, forms, part) for part in (real, imaginary)]
        return quadratic[0] + quadratic[1] - torch.einsum("bj,cjk,bk->bc", imaginary, turned, real)

    def log_shares(self, scores: Tensor) -> Tensor:
        """Log probabilities of the labels from scores [B, C]; with the readout born, scores are probabilities."""
        if self.readout == "born":
            return scores.clamp(MIN_PROBABILITY, 1 - MIN_PROBABILITY).log()
        return super().log_shares(scores)

    def observables(self) -> Tensor:
        """The Hermitian O_c with Tr(O_c rho) = score_c: projectors for born; complex [C, n, n]."""
        if self.readout == "born":
            return density.projectors(torch.complex(*self.basis), len(self.labels))
        weight = torch.complex(*self.weight)
        return (weight.mT + weight.conj()) / 2

    def _forms(self) -> tuple[Tensor, Tensor]:
        """X_c and Y_c - Y_c^T of the module's docstring: two of [C, n, n]."""
        if self.readout == "born":
            projectors = self.observables()
            return projectors.real, -2 * projectors.imag
        return self.weight[0], self.weight[1] - self.weight[1].mT


def _counts(ids: Tensor) -> Tensor:
    """Number of words of each sentence, at least 1: [B, m] -> [B]."""
    return (ids != PADDING).sum(dim=1).clamp(min=1)
