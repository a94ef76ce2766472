"""Chinese characters to English words: LSTM encoder, attention decoder, beam search.

Source: Broscheit, Gemulla & Keuper 2018, section 4.2, table 3.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.layers.generation.attention_decoder import AttentionDecoder, DecoderState, Memory
from repline.layers.generation.beam_search import Hypothesis, beam_search
from repline.layers.recurrent_encoder import LSTMEncoder
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.systems.visual_characters.settings import Decoding, Kind
from repline.systems.visual_characters.translation.translation_pairs import BEGIN, END, PAD, UNKNOWN


class Search(NamedTuple):
    """The state of the search: that of the decoder, what it attends to, and its keys."""

    decoder: DecoderState
    memory: Memory
    keys: Tensor

    def rows(self, hypotheses: Tensor) -> "Search":
        """The states of some hypotheses."""
        return Search(self.decoder.rows(hypotheses), self.memory.rows(hypotheses), self.keys[hypotheses])


class Translator(nn.Module, PyTorchModelHubMixin):
    """Translate sentences of characters into words: an LSTM encoder, and a decoder with attention.

    Args:
        words: of the target, by number; the first are the symbols of `translation_pairs`.
        kind, characters, dimensions, features, channels: as in `CharacterEncoder`.
        units: h, of each direction of the encoder's first layer.
        layers: of the encoder.
        decoder_units: of each layer of the decoder.
        dropout: of both.
    """

    def __init__(
        self,
        words: Sequence[str],
        kind: Kind,
        characters: int,
        dimensions: int,
        features: int = 0,
        channels: int = 32,
        units: int = 512,
        layers: int = 2,
        decoder_units: Sequence[int] = (512, 1024),
        dropout: float = 0.2,
    ):
        super().__init__()
        self.words = list(words)
        self.encoder = CharacterEncoder(kind, characters, dimensions, features, channels)
        self.reader = LSTMEncoder(dimensions, units, layers, dropout)
        self.decoder = AttentionDecoder(len(self.words), dimensions, self.reader.size, decoder_units, dropout)

    def read(self, ids: Tensor) -> tuple[Tensor, Memory]:
        """The encoder's last output [B, m], and what the decoder attends to; characters [B, S], 0 behind the end."""
        there = ids > 0
        states, last = self.reader(self.encoder(ids), there.sum(1))
        return last, Memory(states, there)

    def forward(self, ids: Tensor, symbols: Tensor) -> Tensor:
        """Logits of what follows each symbol: [B, S], [B, T] -> [B, T, V]."""
        last, memory = self.read(ids)
        return self.decoder(symbols, last, memory)

    def without_source(self, symbols: Tensor) -> Tensor:
        """The decoder alone, as a language model: [B, T] -> [B, T, V]; what it attends to is zero."""
        nothing = self.decoder.output.weight.new_zeros(len(symbols), 1, self.reader.size)
        there = torch.ones(len(symbols), 1, dtype=torch.bool, device=symbols.device)
        return self.decoder(symbols, nothing[:, 0], Memory(nothing, there))

    @torch.no_grad()
    def translate(self, ids: Tensor, decoding: Decoding) -> list[list[str]]:
        """The best translation of each sentence [B, S], of known words alone."""
        last, memory = self.read(ids)
        first = Search(self.decoder.begin(last), memory, self.decoder.keys(memory))

        def step(symbols: Tensor, state: Search) -> tuple[Tensor, Search]:
            decoder, _ = self.decoder.step(symbols, state.decoder, state.memory, state.keys)
            scores = self.decoder.log_probabilities(decoder)
            scores[:, [PAD, BEGIN, UNKNOWN]] = float("-inf")
            return scores, Search(decoder, state.memory, state.keys)

        hypotheses: list[Hypothesis] = beam_search(
            step,
            first,
            len(ids),
            begin=BEGIN,
            end=END,
            beam=decoding.beam,
            longest=decoding.longest,
            length_power=decoding.length_power,
            device=ids.device,
        )
        return [[self.words[symbol] for symbol in hypothesis.symbols] for hypothesis in hypotheses]


def translation_loss(model: Translator, batch: tuple[Tensor, ...]) -> tuple[Tensor, int]:
    """Mean cross-entropy of the target symbols in nats, and their number.

    Args:
        batch: characters [B, S], 0 behind the end; symbols [B, T] from BEGIN to END, PAD behind it.
    """
    ids, symbols = batch
    return _cross_entropy(model(ids, symbols[:, :-1]), symbols[:, 1:])


def language_model_loss(model: Translator, batch: tuple[Tensor, ...]) -> tuple[Tensor, int]:
    """Mean cross-entropy of the target symbols without the source, in nats, and their number."""
    _, symbols = batch
    return _cross_entropy(model.without_source(symbols[:, :-1]), symbols[:, 1:])


def _cross_entropy(logits: Tensor, targets: Tensor) -> tuple[Tensor, int]:
    return cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD), int((targets != PAD).sum())
