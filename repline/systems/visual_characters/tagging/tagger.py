"""Joint segmentation and tagging: characters, iterated dilated convolutions, and a linear-chain CRF over labels.

Source: Broscheit, Gemulla & Keuper 2018, section 4.3.
"""

from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.layers.dilated_convolution import IteratedDilatedConvolution
from repline.layers.linear import Linear
from repline.layers.linear_chain_crf import LinearChainCRF
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.systems.visual_characters.settings import Kind

ENCODER = "encoder.safetensors"  # in the folder of a tagger with fixed vectors: the encoder that made them


class Tagger(nn.Module, PyTorchModelHubMixin):
    """Label characters with words and tags: dilated convolutions and a linear-chain CRF.

    Args:
        labels: L of them, `B-n`, `I-n` and so on.
        kind, characters, dimensions, features, channels: as in `CharacterEncoder`.
        hidden: features of the convolutions.
        dilations, iterations: of `IteratedDilatedConvolution`.
        dropout, output_dropout: in the convolutions, and before the emissions.
        fixed: the characters' vectors are those of a table that is not trained, `vectors` [n + 1, d].
    """

    vectors: Tensor

    def __init__(
        self,
        labels: Sequence[str],
        kind: Kind,
        characters: int,
        dimensions: int,
        features: int = 0,
        channels: int = 32,
        hidden: int = 512,
        dilations: Sequence[int] = (1, 2, 4),
        iterations: int = 1,
        dropout: float = 0.1,
        output_dropout: float = 0.5,
        fixed: bool = False,
    ):
        super().__init__()
        self.labels = list(labels)
        self.encoder = None if fixed else CharacterEncoder(kind, characters, dimensions, features, channels)
        self.register_buffer("vectors", torch.zeros(characters + 1, dimensions) if fixed else None)
        self.inputs = Linear(dimensions, hidden)
        self.convolutions = IteratedDilatedConvolution(hidden, dilations, 3, iterations, dropout)
        self.dropout = nn.Dropout(output_dropout)
        self.output = Linear(hidden, len(self.labels))
        self.crf = LinearChainCRF(len(self.labels))

    def forward(self, ids: Tensor) -> Tensor:
        """Emissions: characters [B, T], 0 behind the end -> [B, T, L]."""
        vectors = self.vectors[ids] if self.encoder is None else self.encoder(ids)  # [B, T, d]
        states = self.convolutions(torch.relu(self.inputs(vectors)), ids > 0)
        return self.output(self.dropout(states))

    @torch.no_grad()
    def tag(self, ids: Tensor) -> list[list[str]]:
        """The best labels of each sentence [B, T], by Viterbi."""
        best, _ = self.crf.viterbi(self(ids), ids > 0)
        lengths = (ids > 0).sum(1).tolist()
        return [[self.labels[label] for label in row[:n]] for row, n in zip(best.tolist(), lengths, strict=True)]


def tagger_loss(model: Tagger, batch: tuple[Tensor, ...]) -> tuple[Tensor, int]:
    """Mean negative log-likelihood of the labels for each character, in nats, and the number of characters.

    Args:
        batch: characters [B, T], 0 behind the end, and labels [B, T].
    """
    ids, labels = batch
    characters = int((ids > 0).sum())
    return -model.crf(model(ids), labels, ids > 0).sum() / characters, characters
