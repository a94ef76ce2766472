"""From a character to its vector: a table of vectors, or a network that reads the character's bitmap.

    CNN_F(p) = conv_4(pool(relu(conv_3(pool(relu(conv_3(p)))))))          edges 22, 20, 10, 8, 4, 1; F features
    emb           t = E[j]
    fc_1l         t = W p + b
    fc_2l         t = W_2 relu(BN(W_1 p + b_1)) + b_2
    cnn_relu      t = relu(BN(CNN_d(p)))
    cnn_fc_relu   t = relu(BN(W relu(BN(CNN_F(p))) + b))
    cnn_sm_fc     t = W softmax(CNN_F(p)) + b
    word          the mean of the t of its characters; two words are compared by the cosine

Characters are numbered from 1; 0 is no character, and its vector is zero. Whatever the batch, each of its distinct
characters is encoded once, and its vector is gathered wherever it stands; the statistics of batch normalisation are so
over types of characters, not over tokens.

Notation: n characters j, d dimensions of t, F `features`, c `channels` of the two conv_3. E is `table` [n + 1, d], p a
row of `bitmaps` [n + 1, 22, 22], CNN_F `convolutions`, all other kinds `pixel_network`; t is `encode(ids)` [k, d].

The translator lies in `repline.systems.visual_characters.translation`, made of `repline.layers.recurrent_encoder`,
`.attention_decoder` and `.beam_search`; the tagger in `repline.systems.visual_characters.tagging`, made of
`repline.layers.dilated_convolution` and `.linear_chain_crf`; bitmaps in `repline.glyphs.bitmaps`.

Source: Broscheit, Gemulla & Keuper 2018, section 3, tables 1 and 2.
"""

import torch
from torch import Tensor, nn

from repline.errors import InputError
from repline.layers.linear import Linear
from repline.systems.visual_characters.settings import Kind

EDGE = 22  # of a bitmap, in pixels; the convolutions fit no other
UNKNOWN = 0  # row of the table for characters that training did not know


class CharacterEncoder(nn.Module):
    """Vectors of characters.

    Args:
        kind: emb, a table; or what turns pixels into a vector, by the equations of the module.
        characters: n, how many there are.
        dimensions: d.
        features: F.
        channels: of the first two convolutions.

    Attributes:
        known: [n + 1] bool, the characters of the training data; the others get the table's vector `UNKNOWN`. Networks
            do not need it.
    """

    known: Tensor
    bitmaps: Tensor

    def __init__(self, kind: Kind, characters: int, dimensions: int, features: int = 0, channels: int = 32):
        super().__init__()
        self.kind, self.dimensions = kind, dimensions
        self.register_buffer("known", torch.ones(characters + 1, dtype=torch.bool))
        self.register_buffer("bitmaps", None, persistent=False)  # [n + 1, 22, 22] uint8; row 0 is blank
        self.table = nn.Embedding(characters + 1, dimensions) if kind == "emb" else None
        self.network = None if kind == "emb" else pixel_network(kind, dimensions, features, channels)

    @property
    def reads_pixels(self) -> bool:
        """Whether the encoder reads pixels, and is no table."""
        return self.network is not None

    def show(self, pixels: Tensor) -> "CharacterEncoder":
        """Set the bitmaps of all characters, [n, 22, 22] bool, in the order of their numbers.

        Raises:
            InputError: other numbers of characters or pixels than the encoder is made for.
        """
        expected = (len(self.known) - 1, EDGE, EDGE)
        if tuple(pixels.shape) != expected:
            raise InputError(
                f"the encoder is made for {expected[0]} characters of {EDGE} x {EDGE} pixels, found bitmaps of shape "
                f"{tuple(pixels.shape)}; draw the characters with size {EDGE}"
            )
        self.bitmaps = torch.cat([pixels.new_zeros(1, EDGE, EDGE), pixels]).to(torch.uint8).to(self.known.device)
        return self

    def append(self, pixels: Tensor) -> None:
        """Append bitmaps of further characters, [k, 22, 22] bool; a table has only its unknown vector for them."""
        self.bitmaps = torch.cat([self.bitmaps, pixels.to(torch.uint8).to(self.bitmaps.device)])
        self.known = torch.cat([self.known, self.known.new_zeros(len(pixels))])

    def encode(self, ids: Tensor) -> Tensor:
        """Encode characters one by one, repeated characters again: [k] -> [k, d]."""
        if self.table is not None:
            return self.table(torch.where(self.known[ids], ids, UNKNOWN))
        return self.encode_pixels(self.bitmaps[ids])

    def encode_pixels(self, pixels: Tensor) -> Tensor:
        """The vectors of bitmaps, those of characters that training never saw too: [k, 22, 22] -> [k, d].

        Raises:
            InputError: the encoder is a table, which reads no pixels.
        """
        network = self.pixel_layers()
        if self.training and len(pixels) == 1:  # a single character has no variance: take the running statistics
            network.eval()
            try:
                return network(pixels.float())
            finally:
                network.train()
        return network(pixels.float())

    def pixel_layers(self) -> nn.Sequential:
        """The network from pixels to vectors; InputError where the encoder is a table, which reads no pixels."""
        if self.network is None:
            raise InputError(f"an encoder of the kind {self.kind} is a table of vectors, which reads no pixels")
        return self.network

    def forward(self, ids: Tensor) -> Tensor:
        """Vectors of the characters of a batch, [...] -> [..., d], each distinct one encoded once; zero where 0."""
        there = ids > 0
        distinct, numbers = ids[there].unique(return_inverse=True)  # [k], [tokens]
        vectors = self.encode(distinct)  # [k, d]
        gathered = vectors.new_zeros(*ids.shape, self.dimensions)
        gathered[there] = vectors[numbers]
        return gathered

    @torch.no_grad()
    def cached_table(self, block: int = 1024) -> Tensor:
        """The vectors of all characters [n + 1, d], row 0 zero; to gather from them is `forward` in evaluation mode."""
        ids = torch.arange(1, len(self.known), device=self.known.device)
        vectors = torch.cat([self.encode(part) for part in ids.split(block)])
        return torch.cat([vectors.new_zeros(1, self.dimensions), vectors])

    @torch.no_grad()
    def activations(self, ids: Tensor) -> Tensor:
        """Softmax over the features of cnn_sm_fc, [k] -> [k, F]."""
        convolutions, soft, _ = self.pixel_layers()
        return soft(convolutions(self.bitmaps[ids].float()))


def pixel_network(kind: Kind, dimensions: int, features: int, channels: int) -> nn.Sequential:
    """The network of a kind: bitmaps [k, 22, 22] -> [k, d]."""
    match kind:
        case "fc_1l":
            return nn.Sequential(nn.Flatten(), Linear(EDGE * EDGE, dimensions))
        case "fc_2l":
            return nn.Sequential(
                nn.Flatten(),
                Linear(EDGE * EDGE, dimensions),
                *_normalised(dimensions),
                Linear(dimensions, dimensions),
            )
        case "cnn_relu":
            return nn.Sequential(convolutions(dimensions, channels), *_normalised(dimensions))
        case "cnn_fc_relu":
            return nn.Sequential(
                convolutions(features, channels),
                *_normalised(features),
                Linear(features, dimensions),
                *_normalised(dimensions),
            )
        case "cnn_sm_fc":
            return nn.Sequential(convolutions(features, channels), nn.Softmax(-1), Linear(features, dimensions))
    raise ValueError(f"no encoder {kind!r}")


def convolutions(features: int, channels: int = 32) -> nn.Sequential:
    """Table 2: [k, 22, 22] -> [k, F]; edges 22 -> 20 -> 10 -> 8 -> 4 -> 1."""
    return nn.Sequential(
        nn.Unflatten(1, (1, EDGE)),  # [k, 1, 22, 22]
        nn.Conv2d(1, channels, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),  # [k, c, 10, 10]
        nn.Conv2d(channels, channels, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),  # [k, c, 4, 4]
        nn.Conv2d(channels, features, 4),
        nn.Flatten(),
    )


def _normalised(features: int) -> tuple[nn.Module, nn.Module]:
    return nn.BatchNorm1d(features), nn.ReLU()
