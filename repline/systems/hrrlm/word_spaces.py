"""The vectors of all words in each space of a model: the composite, and those of each filler."""

import torch
from numpy.typing import NDArray
from torch import nn

SPECIAL = 2  # <unk> and <eos> are no words


def spaces(model: nn.Module) -> dict[str, NDArray]:
    """The vectors of all words [V, d]: composite, and filler_1, filler_2, ... of an HRRLM."""
    with torch.inference_mode():
        vectors = {"composite": model.word_vectors().numpy()}
        for filler in range(len(getattr(model, "roles", ()))):
            vectors[f"filler_{filler + 1}"] = model.filler_vectors(filler).numpy()
    return vectors
