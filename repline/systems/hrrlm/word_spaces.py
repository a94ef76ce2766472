"""The vectors of all words in each space of a model: the composite, and those of each filler."""

import torch
from numpy.typing import NDArray

from repline.systems.hrrlm.model import HRRLM, TiedLanguageModel

SPECIAL = 2  # <unk> and <eos> are no words


def spaces(model: TiedLanguageModel) -> dict[str, NDArray]:
    """The vectors of all words [V, d]: composite, and filler_1, filler_2, ... of an HRRLM."""
    with torch.inference_mode():
        vectors = {"composite": model.word_vectors().numpy()}
        if isinstance(model, HRRLM):
            for filler in range(len(model.roles)):
                vectors[f"filler_{filler + 1}"] = model.filler_vectors(filler).numpy()
    return vectors
