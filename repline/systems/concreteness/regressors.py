"""Regressors from a word's vector to its rating: support vectors, ridge, and a small feed-forward network.

    x' = (x - m) / s,    r = t r' + u                      standardised by the words that a regressor is fitted on
    SVR     r' = Σ_i β_i k(x'_i, x') + b,    k(x, z) = exp(-γ |x - z|²)
            of min |w|²/2 + C Σ_i max(0, |y'_i - r'_i| - ε),    w the coefficients in the space of k
    ridge   r' = w · x' + b,    of min Σ_i (y'_i - r'_i)² + penalty |w|²
    FFN     h_1 = drop(relu(x' W_1 + b_1)),    h_2 = drop(relu(h_1 W_2 + b_2)),    r' = h_2 w + b

Across languages a regressor of the first reads x = z W for a vector z of the second, where W is orthogonal and brings
the pairs of a seed dictionary nearest to each other; its baseline DIC has no regressor: r(t) is the mean of r(s) over
the rated words s that translate to t.

Notation: n words, d dimensions, E networks side by side. m, s [d] and u, t are means and standard deviations of the
vectors and of the ratings y, y' = (y - u) / t; γ, C, ε are `gamma` (1/d where none is set), `c`, `epsilon` of
`SupportVectors`. In `RatingNetworks` they are `mean`, `deviation`, `rating_mean`, `rating_deviation`, the layers
`weights` and `biases`, r' is `forward` and r is `predict` [n, E].

W lies in `repline.vectors.alignment`, DIC in `repline.lexicons.bilingual_dictionary`, what joins them in
`repline.systems.concreteness.transfer`.

Source: Ljubešić, Fišer & Peti-Stantić 2018, sections 4.1 and 4.4; it does not say how ratings are scaled.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from huggingface_hub import PyTorchModelHubMixin
from numpy.typing import NDArray
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR
from torch import Tensor, nn

from repline.systems.concreteness.settings import SupportVectors

CACHE = 500  # MB of kernel rows
SVR_DEFAULTS = SupportVectors()


def support_vectors(d: int, settings: SupportVectors = SVR_DEFAULTS, *, standardise_ratings: bool = True) -> Any:
    """Epsilon-insensitive support vector regression with the kernel k(x, x') = exp(-gamma |x - x'|^2).

    Args:
        d: dimensions of a vector.
        settings: gamma, the weight of errors, and epsilon.
        standardise_ratings: False fits the ratings in their own unit.

    Returns:
        a scikit-learn regressor; X [n, d], y [n].

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.1.
    """
    gamma = 1 / d if settings.gamma is None else settings.gamma
    svr = SVR(kernel="rbf", gamma=gamma, C=settings.c, epsilon=settings.epsilon, cache_size=CACHE)
    return standardised(svr) if standardise_ratings else make_pipeline(StandardScaler(), svr)


def ridge(penalty: float = 10.0) -> Any:
    """Linear least squares with a penalty on the squared coefficients: the baseline without a kernel."""
    return standardised(Ridge(alpha=penalty))


def linear_coefficients(x: NDArray, y: NDArray, *, c: float = 1.0, epsilon: float = 0.1) -> NDArray[np.float64]:
    """The coefficients of support vector regression with a linear kernel, on standardised vectors and ratings: [d].

    Args:
        x: [n, d] vectors.
        y: [n] ratings.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.4.
    """
    fitted = standardised(SVR(kernel="linear", C=c, epsilon=epsilon, cache_size=CACHE)).fit(x, y)
    return fitted.regressor_[-1].coef_.ravel()


def standardised(regressor: Any) -> Any:
    """A regressor on vectors and ratings that are standardised by the words it is fitted on."""
    return TransformedTargetRegressor(make_pipeline(StandardScaler(), regressor), transformer=StandardScaler())


class RatingNetworks(nn.Module, PyTorchModelHubMixin):
    """Feed-forward networks with two hidden layers, several side by side: one a fold, target or seed.

    m, s [d] and u, t are the means and standard deviations of a network's training words and their ratings; they are
    kept with the weights but are no parameters. The networks share nothing: trained together they are what each would
    be alone, in one pass.

    Args:
        d: dimensions of a vector.
        dropout: probability that a unit is dropped: 0.5 within a language, 0.8 across languages.
        members: number of networks, E.
        hidden: units of the two layers.

    Source: Ljubešić, Fišer & Peti-Stantić 2018, section 4.1; the initialisation (Glorot, biases 0) is not stated.
    """

    mean: Tensor
    deviation: Tensor
    rating_mean: Tensor
    rating_deviation: Tensor

    def __init__(self, d: int, dropout: float = 0.5, members: int = 1, hidden: Sequence[int] = (128, 32)):
        super().__init__()
        sizes = (d, *hidden, 1)
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for inputs, outputs in pairwise(sizes):
            weight = torch.empty(members, inputs, outputs)
            for member in weight:
                nn.init.xavier_uniform_(member)
            self.weights.append(nn.Parameter(weight))
            self.biases.append(nn.Parameter(torch.zeros(members, outputs)))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mean", torch.zeros(members, d))
        self.register_buffer("deviation", torch.ones(members, d))
        self.register_buffer("rating_mean", torch.zeros(members))
        self.register_buffer("rating_deviation", torch.ones(members))

    def standardise_by(self, member: int, x: Tensor, y: Tensor) -> None:
        """Take the means and standard deviations of one network's training words. x: [n, d], y: [n]."""
        self.mean[member], self.deviation[member] = x.mean(0), _positive(x.std(0, correction=0))
        self.rating_mean[member], self.rating_deviation[member] = y.mean(), _positive(y.std(correction=0))

    def forward(self, x: Tensor) -> Tensor:
        """[n, E, d], or [n, 1, d] for the same words in every network -> standardised ratings [n, E]."""
        h = ((x - self.mean) / self.deviation).transpose(0, 1)  # [E, n, d]
        last = len(self.weights) - 1
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            h = torch.baddbmm(bias[:, None], h, weight)  # [E, n, units]
            if layer < last:
                h = self.dropout(torch.relu(h))
        return h.squeeze(-1).T

    def standardised(self, y: Tensor) -> Tensor:
        """Ratings [n, E] in the unit of `forward`."""
        return (y - self.rating_mean) / self.rating_deviation

    def predict(self, x: NDArray) -> NDArray[np.float64]:
        """Ratings [n, E] of vectors [n, d], in the unit of the training ratings; call it in eval mode."""
        with torch.inference_mode():
            ratings = self(torch.as_tensor(np.array(x, np.float32)).to(self.rating_mean.device)[:, None])
            return (ratings * self.rating_deviation + self.rating_mean).double().cpu().numpy()


def _positive(deviation: Tensor) -> Tensor:
    return torch.where(deviation > 0, deviation, torch.ones_like(deviation))
