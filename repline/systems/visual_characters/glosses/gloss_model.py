"""Words to glosses: the mean of the character vectors, and a linear softmax over the glosses."""

from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.layers.linear import Linear
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.systems.visual_characters.settings import Kind


class GlossModel(nn.Module, PyTorchModelHubMixin):
    """Predict the glosses of words by a softmax over the mean of their characters' vectors.

    Args:
        glosses: G.
        kind, characters, dimensions, features, channels: as in `CharacterEncoder`.
    """

    def __init__(
        self, glosses: int, kind: Kind, characters: int, dimensions: int, features: int = 0, channels: int = 32
    ):
        super().__init__()
        self.encoder = CharacterEncoder(kind, characters, dimensions, features, channels)
        self.output = Linear(dimensions, glosses)

    def forward(self, ids: Tensor) -> Tensor:
        """Log-probabilities of the glosses: words [B, T], 0 behind their ends -> [B, G].

        A word without any character has the probabilities of the bias alone.
        """
        return self.output(self.word_vectors(ids)).log_softmax(-1)

    def word_vectors(self, ids: Tensor) -> Tensor:
        """The mean of the vectors of each word's characters: [B, T] -> [B, d]."""
        lengths = (ids > 0).sum(-1, keepdim=True).clamp(min=1)  # [B, 1]
        return self.encoder(ids).sum(-2) / lengths


def gloss_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Mean over words of the mean negative log-probability of a word's glosses, in nats.

    Args:
        batch: characters [B, T], 0 behind the end, and glosses [B, M], -1 behind the last.
    """
    ids, targets = batch
    return gloss_losses(model(ids), targets).mean()


def gloss_losses(log_probabilities: Tensor, targets: Tensor) -> Tensor:
    """The loss of each word: [B, G], [B, M] -> [B]."""
    there = targets >= 0
    gloss_log_probabilities = log_probabilities.gather(1, targets.clamp(min=0)).where(there, 0.0)
    return -gloss_log_probabilities.sum(1) / there.sum(1)


def hits(log_probabilities: Tensor, targets: Tensor, first: int = 10) -> Tensor:
    """Whether any gloss of a word is among its `first` most probable ones: [B, G], [B, M] -> [B] bool."""
    top = log_probabilities.topk(min(first, log_probabilities.shape[1]), dim=1).indices  # [B, first]
    return (top[:, :, None] == targets[:, None, :]).flatten(1).any(1)
