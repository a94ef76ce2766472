"""A convolutional network that gives each document a probability of each label.

    x_0 = E[tokens]
    x_n = [ReLU(W_nw * x_{n-1} + b_nw) for each width w of layer n]      (*: convolution over places)
    h   = max over places of x_last
    p   = σ(W Dropout(h) + b),   loss = mean over labels of -y log p - (1 - y) log(1 - p)
    a document has label i where p_i >= θ_i, the threshold of the best F1 of label i on dev

Notation: B documents, T places, d dimensions, f features of a layer, C labels. E is `embedding` [V + 2, d], x_n the
output of `layers[n - 1]` and x_last `features(ids)` [B, f, T]; W, b are `output`, whose result is the log-odds of p
[B, C]. The paper leaves open whether a hidden layer stands between h and p: `hidden` has both.

The thresholds lie in `repline.evaluation.multi_label`, GloVe, whose vectors E begins with, in `repline.vectors.glove`.

Source: Pivovarova & Yangarber 2018, section 3.
"""

from collections.abc import Iterable, Sequence
from typing import cast

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.errors import InputError
from repline.parameters import Values

PADDING, UNKNOWN = 0, 1  # the numbers of padding, and of tokens outside the vocabulary
SPREAD = 0.3  # standard deviation of vectors that begin at random


class DocumentClassifier(nn.Module, PyTorchModelHubMixin):
    """Embedding, convolutions of several widths side by side in each layer, maximum over the document, sigmoids.

    Places without a token are zero after every layer and do not take part in the maximum, so that it does not matter
    how far a batch is padded.

    Args:
        labels: names of the C labels.
        words: the vocabulary; its words have the numbers from 2 on.
        dimensions: d.
        layers: each with its `widths` (odd), and the number of `filters` of each width.
        dropout: of h, and of the hidden layer.
        hidden: units of a layer with ReLU between h and the labels; None for none.

    Raises:
        InputError: an even width, no layer, or no label.

    Source: Pivovarova & Yangarber 2018, section 3.
    """

    def __init__(
        self,
        labels: Sequence[str],
        words: Sequence[str],
        dimensions: int,
        layers: Sequence[Values],
        dropout: float = 0.5,
        hidden: int | None = None,
    ):
        super().__init__()
        widths = [width for layer in layers for width in layer["widths"]]
        if not labels or not widths or any(width % 2 == 0 for width in widths):
            raise InputError(
                f"a classifier needs labels and layers of odd widths, found {len(labels)} labels and the widths "
                f"{widths}"
            )
        self.labels, self.words = list(labels), list(words)
        self.embedding = nn.Embedding(len(self.words) + 2, dimensions, padding_idx=PADDING)
        self.layers = nn.ModuleList()
        features = dimensions
        for layer in layers:
            sizes = [(layer["filters"], width) for width in layer["widths"]]
            self.layers.append(nn.ModuleList(_convolution(features, *size) for size in sizes))
            features = sum(filters for filters, _ in sizes)
        between = [] if hidden is None else [nn.Dropout(dropout), nn.Linear(features, hidden), nn.ReLU()]
        self.output = nn.Sequential(*between, nn.Dropout(dropout), nn.Linear(hidden or features, len(self.labels)))
        nn.init.normal_(self.embedding.weight, std=SPREAD)
        nn.init.zeros_(self.embedding.weight[PADDING].data)

    def begin(self, vectors: Tensor, has_vector: Tensor, rates: Tensor) -> "DocumentClassifier":
        """Set the first vectors of words, and the first outputs to the shares of the labels.

        Args:
            vectors: [V, d] of the words.
            has_vector: bool [V], the words whose vectors are set; the others stay random.
            rates: [C] the share of documents with each label, within (0, 1): the first output is its log-odds.
        """
        with torch.no_grad():
            self.embedding.weight[2:][has_vector] = vectors[has_vector]
            cast(nn.Linear, self.output[-1]).bias.copy_(rates.logit())
        return self

    def features(self, ids: Tensor) -> Tensor:
        """Features of the last layer at each place [B, f, T]; ids: numbers of tokens [B, T], 0 behind the end."""
        is_token = (ids != PADDING)[:, None, :]  # [B, 1, T]
        states = self.embedding(ids).transpose(1, 2)  # [B, d, T]
        for layer in cast(Iterable[nn.ModuleList], self.layers):
            states = torch.cat([torch.relu(convolution(states)) for convolution in layer], dim=1) * is_token
        return states

    def forward(self, ids: Tensor) -> Tensor:
        """Log-odds of the labels [B, C]; ids: numbers of tokens [B, T].

        Padding is zero and nothing after a ReLU is below zero, so padding does not change the maximum.
        """
        return self.output(self.features(ids).amax(dim=2))

    def numbers(self, documents: Sequence[Sequence[str]], longest: int) -> Tensor:
        """The first `longest` tokens of each document as numbers [N, T], 0 behind the end; T is at least 1."""
        index = {word: number for number, word in enumerate(self.words, start=2)}
        size = max([1, *(min(len(tokens), longest) for tokens in documents)])
        numbers = torch.zeros(len(documents), size, dtype=torch.int64)
        for row, tokens in enumerate(documents):
            cut = [index.get(token, UNKNOWN) for token in tokens[:longest]]
            numbers[row, : len(cut)] = torch.tensor(cut, dtype=torch.int64)
        return numbers

    @torch.inference_mode()
    def probabilities(self, ids: Tensor, batch: int = 256) -> Tensor:
        """The probability of each label [N, C], in batches of documents; ids: numbers of tokens [N, T]."""
        training = self.training
        self.eval()
        device = self.embedding.weight.device
        parts = [self(part.to(device)).sigmoid().cpu() for part in ids.split(batch)]
        self.train(training)
        return torch.cat(parts)


def _convolution(inputs: int, filters: int, width: int) -> nn.Conv1d:
    layer = nn.Conv1d(inputs, filters, width, padding=width // 2)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(cast(Tensor, layer.bias))
    return layer
