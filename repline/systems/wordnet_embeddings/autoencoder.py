"""An autoencoder in place of the principal axes: a dense encoder and decoder that reproduce the rows of X.

    h = relu(W x + b),    x' = sigmoid(W' h + b'),    loss = BCE(x', x) + penalty * |h|_1

Source: Saedi et al. 2018, section 4.1. The paper names the sigmoid, the binary cross-entropy and Nadam; the encoder's
ReLU, the penalty on its activity, the epochs and the batch are those of the published code, which runs Adadelta.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from repline.algebra.principal_components import Matrix
from repline.systems.wordnet_embeddings.settings import Recipe


def autoencode(
    matrix: Matrix, recipe: Recipe, *, learning_rate: float | None = None, penalty: float = 1e-4
) -> tuple[NDArray[np.float32], list[float]]:
    """Train the autoencoder on the rows of X.

    Args:
        matrix: X [n, m] with values from 0 to 1, dense or sparse (rows of a batch are made dense).
        recipe: the width of the code (its dimensions), the optimizer, how many epochs and how large batches; the seed
            is of the initial weights and of the order of rows.
        learning_rate: of the optimizer; None for PyTorch's default.
        penalty: on the mean over the batch of the codes' L1 norms.

    Returns:
        codes h, float32 [n, dimensions], non-negative; and the mean loss of each epoch.

    Raises:
        ValueError: the recipe has no number of dimensions.
    """
    if recipe.dimensions is None:
        raise ValueError("an autoencoder needs a number of dimensions, the width of its code")
    generator = torch.Generator().manual_seed(recipe.seed)
    rows, columns = matrix.shape
    encoder, decoder = nn.Linear(columns, recipe.dimensions), nn.Linear(recipe.dimensions, columns)
    with torch.no_grad():
        for layer in (encoder, decoder):
            nn.init.xavier_uniform_(layer.weight, generator=generator)
            layer.bias.zero_()
    kind = {"nadam": torch.optim.NAdam, "adadelta": torch.optim.Adadelta}[recipe.optimizer]
    options = {} if learning_rate is None else {"lr": learning_rate}
    descent = kind([*encoder.parameters(), *decoder.parameters()], **options)
    losses = []
    for _ in range(recipe.epochs):
        total = 0.0
        for batch_rows in torch.randperm(rows, generator=generator).split(recipe.batch):
            x = _rows(matrix, batch_rows.numpy())
            code = torch.relu(encoder(x))
            loss = nn.functional.binary_cross_entropy_with_logits(decoder(code), x)
            loss = loss + penalty * code.abs().sum(1).mean()
            descent.zero_grad(set_to_none=True)
            loss.backward()
            descent.step()
            total += float(loss.detach()) * len(batch_rows)
        losses.append(total / rows)
    with torch.inference_mode():
        parts = [
            torch.relu(encoder(_rows(matrix, batch_rows.numpy())))
            for batch_rows in torch.arange(rows).split(recipe.batch)
        ]
        return torch.cat(parts).numpy(), losses


def _rows(matrix: Matrix, indices: NDArray[np.int64]) -> torch.Tensor:
    rows = matrix[indices]
    return torch.from_numpy(np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), dtype=np.float32))
