"""What trained models of expressions and of formulas answer, many sequences at a time."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.systems.rrnet.tasks import ExpressionEvaluator, RelationClassifier

PREDICTION_BATCH = 1000  # sequences


def right_values(
    model: ExpressionEvaluator, ids: Tensor, lengths: Tensor, values: Tensor
) -> tuple[NDArray[np.bool_], list[Tensor]]:
    """Whether the value that is read off each expression is right, and the operations that were executed.

    Args:
        ids: [N, T].
        lengths: [N], characters.
        values: [N].

    Returns:
        [N], and [B, K] of each batch; none for an encoder without operations.
    """
    is_correct, operations = torch.empty(len(ids), dtype=torch.bool), []
    for rows in batches_of_similar_length(lengths):
        longest = int(lengths[rows].max())
        predicted, encoding = model.predict(ids[rows, :longest], lengths[rows])
        is_correct[rows] = predicted == values[rows]
        operations += [] if encoding.operations is None else [encoding.operations]
    return is_correct.numpy(), operations


def predicted_relations(model: RelationClassifier, ids: Tensor, words: Tensor) -> Tensor:
    """The most probable relation of each pair of formulas. ids [N, 2, T], words [N, 2] -> [N]."""
    predicted = torch.empty(len(ids), dtype=torch.int64)
    with torch.inference_mode():
        for rows in batches_of_similar_length(words.amax(1)):
            predicted[rows] = model(ids[rows], words[rows])[0].argmax(1)
    return predicted


def batches_of_similar_length(lengths: Tensor) -> Iterator[Tensor]:
    """Numbers of rows, those of similar length together. lengths [N] -> [B] each."""
    yield from lengths.argsort(stable=True).split(PREDICTION_BATCH)
