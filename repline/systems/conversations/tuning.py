"""Similarity of sentences by the angle of their vectors, and a matrix that is learnt for it.

    sim(u, v) = -arccos( u . v / (|u| |v|) ), from -pi to 0;   after tuning sim(M u, M v)
    L(M) = 1 - r( sim(M u, M v), scores ) + pull |M - I|^2

r is Pearson's. M begins as I; the M of the step that is best on dev is kept.

Source: Yang et al. 2018, section 4.3. The size of M and the loss are not stated.
"""

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.systems.conversations.settings import Tuning

EDGE = 1e-6  # the slope of arccos is infinite at 1, so that training keeps this far from it


def angles(first: NDArray[np.floating], second: NDArray[np.floating]) -> NDArray[np.float64]:
    """The similarity sim of each pair of rows: [n, m] and [n, m] -> [n]; -pi/2 where a vector is zero."""
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    cosines = np.divide((first * second).sum(1), lengths, out=np.zeros(len(first)), where=lengths > 0)
    return -np.arccos(cosines.clip(-1, 1))


def tune(
    first: NDArray[np.floating],
    second: NDArray[np.floating],
    scores: NDArray[np.floating],
    dev: tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.floating]],
    settings: Tuning,
) -> NDArray[np.float32]:
    """Learn M [m, m] from pairs with scores.

    Args:
        first, second: vectors of the pairs [n, m]; scores: people's [n].
        dev: first, second and scores of the pairs that choose the best step.
        settings: steps, learning rate and pull.
    """
    u, v, gold = (torch.as_tensor(np.asarray(array, np.float32)) for array in (first, second, scores))
    dev_vectors = [torch.as_tensor(np.asarray(array, np.float32)) for array in dev]
    matrix = torch.eye(u.shape[1], requires_grad=True)
    unit = torch.eye(u.shape[1])
    optimizer = torch.optim.Adam([matrix], settings.learning_rate)
    best_r, best_matrix = -math.inf, unit.clone()
    for _ in range(settings.steps):
        with torch.no_grad():
            if (r := float(_correlation(matrix, *dev_vectors))) > best_r:
                best_r, best_matrix = r, matrix.detach().clone()
        optimizer.zero_grad()
        loss = 1 - _correlation(matrix, u, v, gold) + settings.pull * (matrix - unit).square().sum()
        loss.backward()
        optimizer.step()
    return best_matrix.numpy()


def _correlation(matrix: Tensor, first: Tensor, second: Tensor, scores: Tensor) -> Tensor:
    cosines = torch.cosine_similarity(first @ matrix.T, second @ matrix.T, dim=1)
    similar = -cosines.clamp(EDGE - 1, 1 - EDGE).arccos()
    return torch.cosine_similarity(similar - similar.mean(), scores - scores.mean(), dim=0)
