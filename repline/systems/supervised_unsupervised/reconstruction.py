"""The second loss: a linear map of every hidden state predicts a word vector.

    AE        sum_{t=1..T}   |L h_t - w_t|^2                                                   (eq. 1)
    LM        sum_{t=1..T-1} |L h_t - w_{t+1}|^2                                               (eq. 2)
    combined  (AE + LM) / 2, with one L
    bi-AE     a sum_{t=1..T}   |Lf hf_t - w_t|^2     + (1 - a) sum_{t=1..T} |Lb hb_t - w_t|^2      (eq. 3)
    bi-LM     a sum_{t=1..T-1} |Lf hf_t - w_{t+1}|^2 + (1 - a) sum_{t=2..T} |Lb hb_t - w_{t-1}|^2  (eq. 4)

hf_t and hb_t are the halves of h_t that have read the sentence forwards and backwards. The word vectors w are fixed.

Notation: N sentences, T places, l features of a state, d of a word vector.

Source: Levi 2018, sections 2.1 and 2.2.
"""

from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from repline.systems.supervised_unsupervised.settings import Kind, Reduction

Offset = Literal[0, 1, -1, "reversed"]  # from a place to the place of its target
Side = Literal["both", "forwards", "backwards"]  # which way the features have read


class Term(NamedTuple):
    """One term of the loss: the states that are mapped, the words that they are mapped to, and its weight."""

    name: str
    side: Side
    offset: Offset
    share: float


def terms(kind: Kind, forward_share: float = 0.5, reversed_targets: bool = False) -> list[Term]:
    """The sums of a loss.

    Args:
        forward_share: a.
        reversed_targets: the backward sum of bi-LM as in the authors' program, see `aligned`.
    """
    backward = 1 - forward_share
    return {
        "ae": [Term("current", "both", 0, 1.0)],
        "lm": [Term("next", "both", 1, 1.0)],
        "combined": [Term("current", "both", 0, 0.5), Term("next", "both", 1, 0.5)],
        "bi_ae": [Term("forward", "forwards", 0, forward_share), Term("backward", "backwards", 0, backward)],
        "bi_lm": [
            Term("forward", "forwards", 1, forward_share),
            Term("backward", "backwards", "reversed" if reversed_targets else -1, backward),
        ],
    }[kind]


def aligned(vectors: Tensor, lengths: Tensor, offset: Offset) -> tuple[Tensor, Tensor]:
    """The target vector of each place, and whether it has one: [N, T, d], [N, T].

    Args:
        vectors: of the words [N, T, d]; lengths: [N].
        offset: 0 the same place, 1 the next, -1 the one before; reversed: the place t has w_{T-t+2}, from t = 2 on,
            which the authors' program takes for w_{t-1}.
    """
    position = torch.arange(vectors.shape[1], device=vectors.device).expand(vectors.shape[:2])  # [N, T]
    ends = lengths[:, None]
    if offset == "reversed":
        source, valid = (ends - position).clamp(0, vectors.shape[1] - 1), (position > 0) & (position < ends)
        return vectors.gather(1, source[:, :, None].expand_as(vectors)), valid
    valid = position < ends - max(offset, 0)
    if offset < 0:
        valid = valid & (position > 0)
    return (vectors.roll(-offset, 1) if offset else vectors), valid


def squared_error(predicted: Tensor, vectors: Tensor, lengths: Tensor, offset: Offset) -> tuple[Tensor, Tensor]:
    """Sum over places and dimensions of the squared error of each sentence [N], and how many places have a target [N].

    Args:
        predicted: [N, T, d]; vectors, lengths, offset: of `aligned`.
    """
    targets, valid = aligned(vectors, lengths, offset)
    errors = (predicted - targets).square().sum(2).masked_fill(~valid, 0.0)
    return errors.sum(1), valid.sum(1)


class Reconstruction(nn.Module):
    """The linear maps of one loss, and its value.

    The first weights come from a separate generator, so that the encoder's first weights do not depend on the loss.

    Args:
        kind: of the loss, see the equations above.
        size: l; dimensions: d.
        reduction: paper sums over places and dimensions; authors takes their mean, as their program does.
        forward_share, reversed_targets: of `terms`.
        seed: of the first weights.
    """

    def __init__(
        self,
        kind: Kind,
        size: int,
        dimensions: int,
        *,
        reduction: Reduction = "paper",
        forward_share: float = 0.5,
        reversed_targets: bool = False,
        seed: int = 0,
    ):
        super().__init__()
        self.terms, self.reduction = terms(kind, forward_share, reversed_targets), reduction
        features = {"both": size, "forwards": size // 2, "backwards": size // 2}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            sides = dict.fromkeys(term.side for term in self.terms)
            self.maps = nn.ModuleDict({side: nn.Linear(features[side], dimensions) for side in sides})

    def predicted(self, states: Tensor) -> dict[Side, Tensor]:
        """Predicted word vectors by side: states [N, T, l] -> a word vector for each place [N, T, d]."""
        sides = dict.fromkeys(term.side for term in self.terms)
        return {side: self.maps[side](part(states, side)) for side in sides}

    def errors(self, states: Tensor, vectors: Tensor, lengths: Tensor) -> dict[str, tuple[Tensor, Tensor]]:
        """By the name of the term, the `squared_error` of each sentence."""
        predicted = self.predicted(states)
        return {term.name: squared_error(predicted[term.side], vectors, lengths, term.offset) for term in self.terms}

    def forward(self, states: Tensor, vectors: Tensor, lengths: Tensor) -> Tensor:
        """The loss of each sentence [N]; 0 where no place has a target.

        Args:
            states: [N, T, l]; vectors: of the words [N, T, d]; lengths: [N].
        """
        errors = self.errors(states, vectors, lengths)
        total = states.new_zeros(len(states))
        for term in self.terms:
            sums, targets = errors[term.name]
            if self.reduction == "authors":
                sums = sums / (targets * vectors.shape[2]).clamp(min=1)
            total = total + term.share * sums
        return total


def part(states: Tensor, side: Side) -> Tensor:
    """The half of the states [..., l] that has read one way, [..., l / 2], or both halves."""
    half = states.shape[-1] // 2
    return {"both": states, "forwards": states[..., :half], "backwards": states[..., half:]}[side]
