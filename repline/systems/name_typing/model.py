"""Classifiers of names: for each type t the probability P(t|n) that a name n has it, from the word vector of n alone.

    x = (v_n - mean) / deviation                     by dimension, of the training names
    LR           P(t|n) = σ(a_t · x + b_t)
    MLP          P(t|n) = σ(c_t · relu(W_t x + b_t) + e_t)
    mlp_shared   P(t|n) = σ(c_t · relu(W x + b) + e_t)     one hidden layer for all types; not in the paper

The vectors v are those of skip-gram and CBOW, and of two models that know the order of words,

    SSKIP   log σ(u_jo · v_c) + Σ_k log σ(-u_jk · v_c)     for each word o at offset j from c; one U_j an offset
    CWIN    log σ(u_c · h) + Σ_k log σ(-u_k · h),          h = [v_-w; ...; v_-1; v_1; ...; v_w]

Notation: B names, T types, d dimensions of a vector, h hidden units, k negatives, w words on either side. a and b are
`LinearTypes.readout`; W_t [h, d] with b_t as its last column is `SeparatePerceptrons.first` [T, h, d + 1], c `second`
[T, h], e `bias` [T]. Every `forward` gives log-odds [B, T].

SSKIP and CWIN lie in `repline.systems.name_typing.order_updates`, negatives in `repline.vectors.negative_sampling`.

Source: Yaghoobzadeh, Kann & Schütze 2018, section 4.1; Ling, Dyer, Black & Trancoso 2015 for SSKIP and CWIN.
"""

import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import Tensor, nn

from repline.algebra.full_precision import full_precision
from repline.systems.name_typing.settings import Classifier


class Standardised(nn.Module):
    """(x - mean) / deviation, by dimension; dimensions that do not vary become 0."""

    mean: Tensor
    scale: Tensor

    def __init__(self, d: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("scale", torch.ones(d))

    def fit(self, x: Tensor) -> None:
        """Take mean and deviation of training vectors [N, d]."""
        deviation, mean = torch.std_mean(x, 0, correction=0)
        self.mean.copy_(mean)
        self.scale.copy_(torch.where(deviation > 0, 1 / deviation.clamp(min=1e-12), 0))

    def forward(self, x: Tensor) -> Tensor:
        return (x - self.mean) * self.scale


class LinearTypes(nn.Module, PyTorchModelHubMixin):
    """Logistic regression: P(t|n) = σ(a_t · x + b_t), one classifier a type.

    Source: Yaghoobzadeh, Kann & Schütze 2018, section 4.1 (LR).
    """

    def __init__(self, d: int, types: int):
        super().__init__()
        self.standardised = Standardised(d)
        self.readout = nn.Linear(d, types)

    def forward(self, x: Tensor) -> Tensor:
        """[B, d] -> log-odds [B, T]."""
        return self.readout(self.standardised(x))


class SeparatePerceptrons(nn.Module, PyTorchModelHubMixin):
    """One perceptron a type, which share nothing: P(t|n) = σ(c_t · relu(W_t x + b_t) + e_t).

    All are computed at once: the first layers are one matrix product, for all have the same input.

    Source: Yaghoobzadeh, Kann & Schütze 2018, section 4.1 (MLP).
    """

    def __init__(self, d: int, types: int, hidden: int):
        super().__init__()
        self.standardised = Standardised(d)
        self.first = nn.Parameter(torch.empty(types, hidden, d + 1))  # W_t and, as its last column, b_t
        self.second = nn.Parameter(torch.empty(types, hidden))
        self.bias = nn.Parameter(torch.empty(types))
        _spread(d, hidden, self.first)
        _spread(hidden, 1, self.second, self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """[B, d] -> log-odds [B, T]."""
        x = self.standardised(x)
        x = torch.cat([x, x.new_ones(len(x), 1)], 1)  # [B, d + 1]
        return GroupedPerceptrons.apply(x, self.first, self.second).T + self.bias


@full_precision
class GroupedPerceptrons(torch.autograd.Function):
    """c_t . relu(W_t x) of all types, [T, B], with a gradient that passes over the hidden units once.

    Autograd's own, of an einsum, copies the [T, h, B] units several times, which costs more than the products. The
    units become their own gradient in place, so there is one backward pass. Args: x [B, m], which gets no gradient;
    W [T, h, m]; c [T, h].
    """

    @staticmethod
    def forward(ctx, x: Tensor, first: Tensor, second: Tensor) -> Tensor:
        hidden = (first.flatten(0, 1) @ x.T).relu_().unflatten(0, second.shape)  # [T, h, B]
        ctx.save_for_backward(x, hidden, second)
        return torch.bmm(second[:, None], hidden)[:, 0]

    @staticmethod
    def backward(ctx, gradient: Tensor):
        x, hidden, second = ctx.saved_tensors
        second_gradient = torch.bmm(hidden, gradient[:, :, None])[:, :, 0]
        hidden_gradient = hidden.sign_().mul_(second[:, :, None]).mul_(gradient[:, None])  # [T, h, B]
        first_gradient = hidden_gradient.flatten(0, 1) @ x  # [T h, m]
        return None, first_gradient.unflatten(0, second.shape), second_gradient


class SharedPerceptron(nn.Module, PyTorchModelHubMixin):
    """One perceptron with an output a type, whose hidden layer all types share. The paper has no such model."""

    def __init__(self, d: int, types: int, hidden: int):
        super().__init__()
        self.standardised = Standardised(d)
        self.first = nn.Linear(d, hidden)
        self.second = nn.Linear(hidden, types)
        _spread(d, hidden, self.first.weight, self.first.bias)
        _spread(hidden, types, self.second.weight, self.second.bias)

    def forward(self, x: Tensor) -> Tensor:
        """[B, d] -> log-odds [B, T]."""
        return self.second(self.first(self.standardised(x)).relu_())


CLASSIFIERS: dict[Classifier, type[LinearTypes] | type[SeparatePerceptrons] | type[SharedPerceptron]] = {
    "lr": LinearTypes,
    "mlp": SeparatePerceptrons,
    "mlp_shared": SharedPerceptron,
}


def _spread(inputs: int, outputs: int, *parameters: Tensor) -> None:
    """Draw weights as Glorot and Bengio do, and biases alike, as scikit-learn's perceptrons begin."""
    bound = (6 / (inputs + outputs)) ** 0.5
    for parameter in parameters:
        nn.init.uniform_(parameter, -bound, bound)
