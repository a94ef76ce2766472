"""The networks that every classifier is compared with: TextCNN, a recurrent network, and HAN.

Notation as in `repline.layers.document_network`; d dimensions of a word vector.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from repline.layers.document_network import PADDING, DocumentNetwork, Readout, cut


class TextCNN(DocumentNetwork):
    """h = [max over positions of ReLU(conv_w(E[words])) for each width w], softmax(W dropout(h) + b).

    Args:
        widths, filters: of the convolutions, this many filters each; positions outside the text count as zero.
        dropout: of h.
        shared: of `DocumentNetwork`.

    Source: Kim 2014; the paper's baseline has widths 3, 4, 5 and 100 filters.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        widths: Sequence[int] = (3, 4, 5),
        filters: int = 100,
        dropout: float = 0.5,
        spread: float = 0.3,
    ):
        super().__init__(labels, words, dimensions, sentences, length, spread)
        self.convolutions = nn.ModuleList(nn.Conv1d(dimensions, filters, width, padding=width // 2) for width in widths)
        self.output = nn.Sequential(nn.Dropout(dropout), nn.Linear(filters * len(widths), len(self.labels)))

    def forward(self, ids: Tensor) -> Tensor:
        ids = cut(ids)
        there = (ids != PADDING)[:, None]  # [B, 1, L]
        states = self.embedding(ids).transpose(1, 2)  # [B, d, L]
        # after a ReLU nothing is below zero, so padding wins no maximum
        maxima = [(torch.relu(layer(states))[..., : ids.shape[1]] * there).amax(dim=2) for layer in self.convolutions]
        return self.output(torch.cat(maxima, dim=1))


class RecurrentClassifier(DocumentNetwork):
    """A GRU over the words, in both directions, the maximum of its outputs over the positions, softmax.

    Args:
        units: of a direction.
        dropout: of the words and of the maximum.
        shared: of `DocumentNetwork`.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        units: int = 50,
        dropout: float = 0.2,
        spread: float = 0.3,
    ):
        super().__init__(labels, words, dimensions, sentences, length, spread)
        self.dropout = nn.Dropout(dropout)
        self.recurrence = nn.GRU(dimensions, units, batch_first=True, bidirectional=True)
        self.output = nn.Linear(2 * units, len(self.labels))

    def forward(self, ids: Tensor) -> Tensor:
        ids = cut(ids)
        states = read_both_ways(self.recurrence, self.dropout(self.embedding(ids)), ids != PADDING)  # [B, L, 2 units]
        states = states.masked_fill((ids == PADDING)[..., None], torch.finfo(states.dtype).min)
        return self.output(self.dropout(states.amax(dim=1)))


class AdditiveAttention(nn.Module):
    """u_t = tanh(W h_t + b), a = softmax(u_t . u), sum over t of a_t h_t.

    Args:
        size: of h.
        hidden: of u.

    Source: Yang et al. 2016, eq. (5) to (7).
    """

    def __init__(self, size: int, hidden: int):
        super().__init__()
        self.hidden = nn.Linear(size, hidden)
        self.context = nn.Parameter(torch.randn(hidden) / hidden**0.5)

    def forward(self, states: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """[R, l, size], bool [R, l] -> the weighted sum [R, size] and the weights [R, l]."""
        scores = torch.tanh(self.hidden(states)) @ self.context
        weights = scores.masked_fill(~there, torch.finfo(scores.dtype).min).softmax(dim=1) * there
        return torch.einsum("rl,rld->rd", weights, states), weights


class HAN(DocumentNetwork):
    """A hierarchical attention network: a GRU in both directions and attention over words, then over sentences.

    Args:
        units: of a direction, at both levels.
        hidden: of the attentions.
        dropout: of words and of the document's vector.
        shared: of `DocumentNetwork`.

    Source: Yang et al. 2016; Gao et al. 2018 take 50 units and 200.
    """

    hierarchical = True

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        sentences: int,
        length: int,
        *,
        units: int = 50,
        hidden: int = 200,
        dropout: float = 0.1,
        spread: float = 0.3,
    ):
        super().__init__(labels, words, dimensions, sentences, length, spread)
        self.dropout = nn.Dropout(dropout)
        sizes = (dimensions, 2 * units)
        self.recurrences = nn.ModuleList(nn.GRU(size, units, batch_first=True, bidirectional=True) for size in sizes)
        self.attentions = nn.ModuleList(AdditiveAttention(2 * units, hidden) for _ in range(2))
        self.output = nn.Linear(2 * units, len(self.labels))

    def forward(self, ids: Tensor) -> Tensor:
        return self.output(self.dropout(self._document(cut(ids))[0]))

    @torch.inference_mode()
    def readout(self, ids: Tensor) -> Readout:
        """The weights of both attentions for one batch [B, S, L]."""
        training = self.training
        self.eval()
        weights = self._document(ids.to(self.embedding.weight.device))[1]
        self.train(training)
        return weights

    def _document(self, ids: Tensor) -> tuple[Tensor, Readout]:
        """[B, S, L] -> the documents' vectors [B, 2 units] and what was looked at."""
        words = ids != PADDING
        there = words.any(dim=2)  # [B, S]
        states = self.dropout(self.embedding(ids[there]))  # [R, L, d]: the sentences of all documents
        states = read_both_ways(self.recurrences[0], states, words[there])
        vectors, weights = self.attentions[0](states, words[there])
        sentences = vectors.new_zeros(*there.shape, vectors.shape[1])  # [B, S, 2 units]
        sentences[there] = vectors
        word_shares = weights.new_zeros(ids.shape)
        word_shares[there] = weights
        states = read_both_ways(self.recurrences[1], sentences, there)
        documents, sentence_shares = self.attentions[1](states, there)
        return documents, Readout(word_shares, sentence_shares)


def read_both_ways(recurrence: nn.Module, states: Tensor, there: Tensor) -> Tensor:
    """[R, l, d], bool [R, l] (true from the left) -> the outputs [R, l, 2 units], zero behind the ends."""
    ends = there.sum(dim=1).clamp(min=1).cpu()
    packed = pack_padded_sequence(states, ends, batch_first=True, enforce_sorted=False)
    return pad_packed_sequence(recurrence(packed)[0], batch_first=True, total_length=states.shape[1])[0]


PEERS: dict[str, type[DocumentNetwork]] = {"cnn": TextCNN, "gru": RecurrentClassifier, "han": HAN}
