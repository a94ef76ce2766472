"""One encoder and one decoder for all languages, with one vector of the sentence between them.

    m_1..m_n = LSTM(s),    h(s) = pool(m_1..m_n)
    p(t_j | t_<j, s) = softmax(W_o LSTM([emb(t_{j-1}); h(s)]; state j-1) + b),    state 0 = (h(s), 0)
    L_NMT(s -> t) = (1/n_t) Σ_j -log p(t_j | t_<j, s)
    L = L_NMT(s -> t) + L_NMT(t -> s) + α ‖h(s) - h(t)‖²        or β ‖θ_enc‖² in place of the last term

The encoder is not told the language; the first input of the decoder says which one to write. The bag of words is a
baseline: h = tanh(mean of word vectors), and one softmax of h predicts the words of the translation, in any order.

Notation: B sentences, T words, e dimensions of a word vector, d of a sentence's, V words. emb is `embedding` [V, e], h
`encode(ids)` [B, d], W_o, b `output` (its rows of the language alone with `own_words`), L_NMT `translation_loss`, the
third term without α `similarity_loss`, θ_enc `encoder_parameters`.

The encoder lies in `repline.layers.recurrent_encoder`, pool in `repline.layers.sentence_pooling`, the decoder in
`repline.layers.generation.bottleneck_decoder`, its softmax in `repline.layers.linear_cross_entropy`, the search for a
translation in `repline.layers.generation.beam_search`, L in `repline.systems.multilingual_seq2seq.training`.

Source: Yu, Li & Oguz 2018, "Multilingual Seq2seq Training with Similarity Loss for Cross-Lingual Document
Classification", section 3.
"""

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn
from torch.nn.functional import embedding_bag

from repline.layers.generation.beam_search import beam_search
from repline.layers.generation.bottleneck_decoder import BottleneckDecoder, BottleneckState
from repline.layers.linear import linear
from repline.layers.linear_cross_entropy import linear_cross_entropy
from repline.layers.recurrent_encoder import LSTMEncoder
from repline.layers.sentence_pooling import SentencePooling
from repline.systems.multilingual_seq2seq.settings import Kind, Pooling
from repline.systems.multilingual_seq2seq.vocabulary import END, PAD, UNKNOWN, language_token


class MultilingualEncoderDecoder(nn.Module, PyTorchModelHubMixin):
    """Encode sentences of any language as vectors, and decode vectors into sentences of any language.

    Args:
        words: all languages' words by number; the first are PAD, UNKNOWN, END and the tokens of the languages.
        rows: by language, the numbers of the words that it has, UNKNOWN and END among them.
        kind: lstm, or the bag of words.
        dimensions: e.
        units: of each direction of the encoder's first layer; its further layers and the decoder have d = 2 units.
        layers: of the encoder.
        pooling: of the states of the last layer.
        dropout: on the input of each layer of the encoder and on the decoder's word vectors.
        own_words: the softmax is over the words of the language alone, else over all.
        deviation: of the word vectors at the start.
    """

    def __init__(
        self,
        words: list[str],
        rows: dict[str, list[int]],
        kind: Kind = "lstm",
        dimensions: int = 512,
        units: int = 512,
        layers: int = 2,
        pooling: Pooling = "mean",
        dropout: float = 0.1,
        own_words: bool = True,
        deviation: float = 0.1,
    ):
        super().__init__()
        self.words, self.rows, self.kind = words, rows, kind
        self.languages = sorted(rows, key=lambda language: words.index(language_token(language)))
        self.size = 2 * units if kind == "lstm" else dimensions
        self.embedding = nn.Embedding(len(words), dimensions, padding_idx=PAD)
        with torch.no_grad():
            self.embedding.weight.mul_(deviation)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(self.size, len(words))
        if kind == "lstm":
            self.reader = LSTMEncoder(dimensions, units, layers, dropout)
            self.pool = SentencePooling(pooling, self.size)
            self.decoder = BottleneckDecoder(dimensions, self.size)
        for number, language in enumerate(self.languages):
            numbers = torch.tensor(rows[language]) if own_words else torch.arange(len(words))
            column = torch.full((len(words),), int((numbers == UNKNOWN).nonzero()[0, 0]))
            column[numbers] = torch.arange(len(numbers))
            self.register_buffer(f"rows_{number}", numbers, persistent=False)
            self.register_buffer(f"column_{number}", column, persistent=False)

    @property
    def encoder_parameters(self) -> list[nn.Parameter]:
        """θ_enc: the parameters of word vectors, encoder and pooling."""
        parts = [self.embedding] + ([self.reader, self.pool] if self.kind == "lstm" else [])
        return [parameter for part in parts for parameter in part.parameters()]

    def encode(self, ids: Tensor) -> Tensor:
        """The vector h of each sentence: words [B, T], PAD behind the ends -> [B, d]."""
        there = ids != PAD
        if self.kind == "bag":
            total = embedding_bag(ids, self.embedding.weight, mode="sum", padding_idx=PAD)
            return (total / there.sum(1, keepdim=True).clamp(min=1)).tanh()
        states, _ = self.reader(self.embedding(ids), there.sum(1).clamp(min=1))
        return self.pool(states, there)

    def forward(self, ids: Tensor) -> Tensor:
        """Encode sentences, see `encode`."""
        return self.encode(ids)

    def translation_loss(self, source: Tensor, target: Tensor, language: str) -> Tensor:
        """L_NMT in nats, the mean over the sentences.

        Args:
            source: h [B, d].
            target: words [B, T], PAD behind the ends.
            language: of the target.
        """
        rows, column = self._part(language)
        if self.kind == "bag":
            logits = linear(source, self.output.weight[rows], self.output.bias[rows])  # [B, R]
            there = target != PAD
            mean_logit = (logits.gather(1, column[target]) * there).sum(1) / there.sum(1)
            return (logits.logsumexp(1) - mean_logit).mean()
        lengths = (target != PAD).sum(1)
        begin = self.words.index(language_token(language))
        inputs = torch.cat([torch.full_like(target[:, :1], begin), target], 1)  # [B, T + 1]
        targets = torch.cat([target, torch.full_like(target[:, :1], PAD)], 1)
        targets[torch.arange(len(target), device=target.device), lengths] = END
        lengths = lengths + 1
        there = torch.arange(inputs.shape[1], device=target.device) < lengths[:, None]  # [B, T + 1]
        states = self.decoder(self.dropout(self.embedding(inputs)), lengths, source)
        factors = (1.0 / lengths)[:, None].expand(inputs.shape)
        weight, bias = self.output.weight[rows], self.output.bias[rows]
        total = linear_cross_entropy(states[there], weight, bias, column[targets[there]], factors[there])
        return total / len(target)

    @torch.no_grad()
    def translate(
        self, ids: Tensor, language: str, *, beam: int = 5, longest: int = 50, length_power: float = 0.9
    ) -> list[list[str]]:
        """The best translation of each sentence [B, T], of known words alone; beam 1 is greedy."""
        rows, _ = self._part(language)
        hidden = torch.ones(len(self.words), dtype=torch.bool, device=ids.device)
        hidden[rows] = False
        hidden[[PAD, UNKNOWN]] = True
        hidden[3 : 3 + len(self.languages)] = True

        def step(symbols: Tensor, state: BottleneckState) -> tuple[Tensor, BottleneckState]:
            state = self.decoder.step(self.embedding(symbols), state)
            return self.output(state.hidden).masked_fill(hidden, float("-inf")).log_softmax(-1), state

        hypotheses = beam_search(
            step,
            self.decoder.begin(self.encode(ids)),
            len(ids),
            begin=self.words.index(language_token(language)),
            end=END,
            beam=beam,
            longest=longest,
            length_power=length_power,
            device=ids.device,
        )
        return [[self.words[symbol] for symbol in hypothesis.symbols] for hypothesis in hypotheses]

    def _part(self, language: str) -> tuple[Tensor, Tensor]:
        """Numbers of the R words that a language can write [R], and the column of each word's logit among them [V]."""
        number = self.languages.index(language)
        return getattr(self, f"rows_{number}"), getattr(self, f"column_{number}")


def similarity_loss(first: Tensor, second: Tensor) -> Tensor:
    """‖h(s) - h(t)‖², summed over the dimensions, the mean over the pairs: [B, d], [B, d] -> scalar."""
    return (first - second).square().sum(1).mean()
