"""An encoder and a decoder that copies: a sentence in, the same sentence with brackets of roles out.

    h_j = [forward LSTM; backward LSTM](x_1 .. x_T)_j
    α_t = softmax_j(h_j · s_{t-1}),   c_t = Σ_j α_tj h_j,   s_t = LSTM([emb(y_{t-1}); c_t], s_{t-1})
    ψ_g(v) = (W_o [s_t; c_t] + b_o)_v                  to generate v, of the words V or the brackets L
    ψ_c(j) = tanh(h_jᵀ W_c) · s_t                      to copy the word at position j
    Z = Σ_{v ∈ V ∪ L} exp ψ_g(v) + Σ_j exp ψ_c(j)
    p(y) = [ 1{y ∈ V ∪ L} exp ψ_g(y) + Σ_{j: x_j = y} exp ψ_c(j) ] / Z
    loss = -(1/Y) Σ_t log p(y_t)

s_0 is the tanh of an affine map of the encoder's last states. The paper's Z leaves L out, so that its p does not add up
to 1.

Notation: B sentences, T tokens of a source, Y of a target, d features of a state, G symbols that can be generated.
A symbol from G on is a word of its own instance, the first one that is not among the G being G itself, and so on.
x is `sources` [B, T], y `targets` [B, Y], h `CopyMemory` [B, T, d], emb `embedding`, W_o `output`; `forward` gives
log p(y_t) [B, Y], and `sequence_loss` the loss.

α, c, s and ψ_c lie in `repline.layers.generation.copying_decoder`, Z and p in `repline.layers.generation.copy_mixture`,
the search for the best y in `repline.layers.generation.beam_search`.

Source: Daza & Frank 2018, section 3; Gu et al. 2016, equations 5 and 6.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.corpora.srl.linearisation import MARK, OPEN, closing
from repline.errors import InputError
from repline.layers.generation.copy_mixture import mixture_log_likelihood, mixture_log_probabilities
from repline.layers.generation.copying_decoder import CopyingDecoder, CopyMemory, CopyState
from repline.layers.lstm_reader import both_last_outputs, read_sequences

NOTHING, END, UNKNOWN = 0, 1, 2  # symbols: before the first and behind the last, the end, any other word
SPECIAL = ("<nothing>", "<end>", "<unk>", MARK)


class Search(NamedTuple):
    """The state of the decoder for N hypotheses.

    Attributes:
        sources: symbols of the words [N, T], with the instance's own ones; spread: how many symbols there are.
    """

    state: CopyState
    memory: CopyMemory
    sources: Tensor
    spread: int

    def rows(self, indices: Tensor) -> "Search":
        """Select hypotheses by row number [N']."""
        return Search(self.state.rows(indices), self.memory.rows(indices), self.sources[indices], self.spread)


class RoleSeq2Seq(nn.Module, PyTorchModelHubMixin):
    """Bidirectional LSTM, attention, and a decoder that generates or copies; brackets can only be generated.

    Args:
        labels: of roles, with V.
        words: V, without the special ones.
        embedding: size of the vectors of words and brackets, which encoder and decoder share.
        units: of each direction of the encoder; the decoder has d = 2 units, for the attention is a product.
        layers: of the encoder.
        copying: whether words are copied; False is the paper's attention-only model.
        dropout: on embeddings and between the layers of the encoder.

    Raises:
        InputError: no label.

    Source: Daza & Frank 2018, section 3.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        embedding: int,
        units: int,
        layers: int = 1,
        copying: bool = True,
        dropout: float = 0.0,
    ):
        super().__init__()
        if not labels:
            raise InputError("there is no role to label, expected one at least")
        self.symbols = [*SPECIAL, OPEN, *(closing(label) for label in labels), *words]
        self.number = {symbol: number for number, symbol in enumerate(self.symbols)}
        self.copying = copying
        self.embedding = nn.Embedding(len(self.symbols), embedding)
        self.encoder = nn.LSTM(
            embedding, units, layers, batch_first=True, bidirectional=True, dropout=dropout if layers > 1 else 0.0
        )
        self.decoder = CopyingDecoder(embedding, 2 * units)
        self.output = nn.Linear(4 * units, len(self.symbols) - 1)  # W_o, of [s; c]; `NOTHING` is never generated
        self.dropout = nn.Dropout(dropout)

    def begin(self, vectors: Tensor) -> None:
        """Set the vectors [V, e] of the words, with which training begins."""
        with torch.no_grad():
            self.embedding.weight[-len(vectors) :] = vectors

    def encode(self, sources: Tensor) -> tuple[CopyMemory, Tensor]:
        """Symbols [B, T] -> what the decoder reads from, and the last states of both directions [B, d]."""
        there = sources != NOTHING
        embedded = self.dropout(self.embedding(self.known(sources)))
        states = read_sequences(self.encoder, embedded, there.sum(1))
        memory = self.decoder.remember(states, there, there & (sources != self.number[MARK]))
        return memory, both_last_outputs(states, there.sum(1))

    def known(self, symbols: Tensor) -> Tensor:
        """Symbols with an instance's own words replaced by the unknown word."""
        return symbols.where(symbols < len(self.symbols), UNKNOWN)

    def forward(self, sources: Tensor, targets: Tensor) -> Tensor:
        """log p of each symbol of the targets, given those before it: [B, T], [B, Y] -> [B, Y], 0 behind the end."""
        memory, last = self.encode(sources)
        before = torch.nn.functional.pad(targets, (1, 0))[:, :-1]
        hidden, context = self.decoder(self.dropout(self.embedding(self.known(before))), last, memory)
        there = targets != NOTHING
        generated = self.output(torch.cat([hidden[there], context[there]], -1))  # [N, G - 1], from symbol 1 on
        if self.copying:
            copied = self.decoder.copy_scores(hidden, memory)[there]
            source_symbols = sources[:, None].expand(-1, targets.shape[1], -1)[there]
            log_likelihood = mixture_log_likelihood(generated, targets[there] - 1, copied, source_symbols - 1)
        else:
            log_likelihood = mixture_log_likelihood(generated, self.known(targets[there]) - 1)
        return log_likelihood.new_zeros(targets.shape).masked_scatter(there, log_likelihood)

    def search(self, sources: Tensor) -> Search:
        """The state before the first symbol, for sources [B, T]."""
        memory, last = self.encode(sources)
        spread = max(len(self.symbols), int(sources.max()) + 1)
        return Search(self.decoder.begin(last), memory, sources, spread)

    def step(self, symbols: Tensor, search: Search) -> tuple[Tensor, Search]:
        """log p of each possible next symbol, and the new state: symbols [N] -> [N, S]."""
        state = self.decoder.step(self.embedding(self.known(symbols)), search.state, search.memory)
        generated = self.output(torch.cat([state.hidden, state.context], -1))
        padding = 0
        if self.copying:
            copied = self.decoder.copy_scores(state.hidden[:, None], search.memory)[:, 0]
            source_symbols = (search.sources - 1).clamp(min=0)  # padding is never copied
            log_probabilities = mixture_log_probabilities(generated, copied, source_symbols, search.spread - 1)
        else:
            log_probabilities, padding = generated.log_softmax(-1), search.spread - len(self.symbols)
        log_probabilities = torch.nn.functional.pad(log_probabilities, (1, padding), value=float("-inf"))
        return log_probabilities, search._replace(state=state)


def sequence_loss(model: RoleSeq2Seq, batch: tuple[Tensor, ...]) -> Tensor:
    """-1/Y Σ_t log p(y_t), the end counted in Y, mean over the batch. batch: sources [B, T], targets [B, Y]."""
    sources, targets = batch
    sources = sources[:, : int((sources != NOTHING).sum(1).max())]
    lengths = (targets != NOTHING).sum(1)
    return -(model(sources, targets).sum(1) / lengths).mean()
