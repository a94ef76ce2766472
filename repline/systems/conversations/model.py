"""Two tasks on one sentence encoder: the reply to a message, and inference from a premise to a hypothesis.

    a      = (Σ_i w_i + Σ_i b_{i, i+1}) / sqrt(n),   enc(x) = W_3 relu(W_2 relu(W_1 a))         encoder dan
    enc(x) = W mean of the states of a transformer + b                                          encoder transformer
    u = enc(message) / |enc(message)|,   v = enc(reply) / |enc(reply)|,   v' = g(v),   S_ij = u_i · v'_j
    L = -1/B Σ_i log( exp S_ii / Σ_j exp S_ij )                                                 replies
    f = [u_1; u_2; |u_1 - u_2|; u_1 * u_2],   p(label) = softmax(W_2 relu(W_1 f))               inference
    sim(u, v) = -arccos( u · v / (|u| |v|) )                                                    of two sentences

v' keeps its length: with vectors of length 1 on both sides a score could not exceed 1, and no reply of many could
become likely. The layers W have biases.

Notation: B pairs of a batch, m dimensions of a sentence vector, n words of a sentence; w and b are rows of `DAN.words`
and `DAN.bigrams` (hashed). u and v are `forward(tokens, lengths)` [B, m], g is `replies`, S `scores` [B, B], L
`response_loss`, the layers that read f are `head`.

The encoders lie in `repline.systems.conversations.encoders`, sim and its tuning in
`repline.systems.conversations.tuning`.

Source: Yang et al. 2018, sections 2.2 to 2.4, and 4.3 for sim.
"""

from collections.abc import Sequence

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from repline.errors import InputError
from repline.systems.conversations.encoders import DAN, Transformer, dense_layers
from repline.systems.conversations.settings import EncoderName

UNKNOWN = 0  # the number of every word outside the vocabulary


class ConversationEncoder(nn.Module, PyTorchModelHubMixin):
    """A sentence encoder with a network for replies and a head for inference.

    Args:
        words: the vocabulary; its words have the numbers from 1 on.
        labels: of inference; empty for a model without that head.
        encoder: dan or transformer.
        dimensions: of a word's embedding.
        buckets, layers: of `DAN`; layers[-1] is m for both encoders.
        replies: units of the layers of g; the last must be m.
        hidden: units of the hidden layer of the head.
        blocks, heads, inner, dropout: number of layers of `Transformer`, and its arguments.

    Raises:
        InputError: sizes that do not fit together.

    Source: Yang et al. 2018, sections 2.2 to 2.4.
    """

    def __init__(
        self,
        words: Sequence[str],
        labels: Sequence[str] = (),
        encoder: EncoderName = "dan",
        dimensions: int = 300,
        buckets: int = 200_000,
        layers: Sequence[int] = (300, 300, 500),
        replies: Sequence[int] = (500, 500, 500),
        hidden: int = 512,
        blocks: int = 6,
        heads: int = 8,
        inner: int = 2048,
        dropout: float = 0.1,
    ):
        super().__init__()
        size = layers[-1]
        if replies[-1] != size:
            raise InputError(
                f"expected {size} units in the last layer for replies, as in sentence vectors, found {replies[-1]}"
            )
        if encoder == "transformer" and dimensions % heads:
            raise InputError(f"expected dimensions that {heads} heads divide, found {dimensions}")
        self.words, self.labels, self.size = list(words), list(labels), size
        rows = len(self.words) + 1
        self.encoder: DAN | Transformer
        if encoder == "dan":
            self.encoder = DAN(rows, buckets, dimensions, layers)
        else:
            self.encoder = Transformer(
                rows, dimensions, layers=blocks, heads=heads, inner=inner, size=size, dropout=dropout
            )
        self.replies = dense_layers(size, replies)
        # the head is built last, so that one seed gives all models the same weights of the parts that they share
        self.head = dense_layers(4 * size, (hidden, len(self.labels))) if self.labels else None

    def begin(self, rows: Tensor, vectors: Tensor) -> None:
        """Set the embeddings of the words with the numbers `rows` [n] to `vectors` [n, d]."""
        with torch.no_grad():
            self.encoder.words.weight[rows] = vectors

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Sentence vectors of length 1: tokens [T] of sentences with `lengths` [B] words -> [B, m]."""
        return normalize(self.encoder(tokens, lengths), dim=1)

    def infer(self, first: Tensor, second: Tensor) -> Tensor:
        """Logits of the labels [B, C], of premises and hypotheses as sentence vectors [B, m] each."""
        if self.head is None:
            raise InputError("this model was made without labels of inference")
        return self.head(torch.cat([first, second, (first - second).abs(), first * second], 1))


def response_loss(scores: Tensor, texts: Tensor | None = None, symmetric: bool = False) -> Tensor:
    """Cross-entropy of the true reply among the replies of the batch, the mean over messages.

        L = -1/B sum_i log( exp S_ii / sum_j exp S_ij )

    Args:
        scores: S [B, B], a row a message, a column a reply.
        texts: a number for the text of each reply [B]; a reply with the text of the true one is not among its rivals.
        symmetric: the mean of this loss and of the loss over columns; not in the paper.

    Source: Yang et al. 2018, section 2.2.
    """
    if texts is not None:
        same = texts[:, None] == texts
        same.fill_diagonal_(False)
        scores = scores.masked_fill(same, -torch.inf)
    true = torch.arange(len(scores), device=scores.device)
    loss = cross_entropy(scores, true)
    return (loss + cross_entropy(scores.T, true)) / 2 if symmetric else loss
