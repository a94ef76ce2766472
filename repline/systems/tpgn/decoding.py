"""Captions from a trained model, greedy or by beam search, and the vectors by which it wrote each word."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from repline.layers.generation.beam_search import beam_search
from repline.systems.tpgn.corpus import BEGIN, END, UNKNOWN, picture_features
from repline.systems.tpgn.model import CaptionGenerator

BLOCK = 250  # pictures at a time


@torch.no_grad()
def generate(
    model: CaptionGenerator,
    features: NDArray[np.float32],
    rows: NDArray[np.int64],
    *,
    beam: int = 1,
    longest: int = 18,
    length_power: float = 0.0,
) -> list[list[int]]:
    """The caption of each picture as numbers of words; beam 1 is greedy search.

    Args:
        features: of all pictures [pictures, n]; rows: of the pictures to describe [N].
        longest: words of a caption.
        length_power: α of `repline.layers.generation.beam_search`; 0 leaves probabilities as they are.
    """
    model.eval()
    weights, device = model.weights(), model.mean.device

    def step(symbols: Tensor, state: Any) -> tuple[Tensor, Any]:
        hidden, state = model(symbols[:, None], state, weights)
        scores = model.log_probabilities(hidden[:, 0])  # [N, V]
        scores[:, [BEGIN, UNKNOWN]] = float("-inf")  # these are no words
        return scores, state

    generated: list[list[int]] = []
    for start in range(0, len(rows), BLOCK):
        block = picture_features(features, rows[start : start + BLOCK]).to(device)
        captions = beam_search(
            step,
            model.begin(block),
            len(block),
            begin=BEGIN,
            end=END,
            beam=beam,
            longest=longest + 1,
            length_power=length_power,
            device=device,
        )
        generated += [hypothesis.symbols[:longest] for hypothesis in captions]
    return generated


@torch.no_grad()
def readouts(
    model: CaptionGenerator, features: NDArray[np.float32], rows: NDArray[np.int64], captions: Sequence[Sequence[int]]
) -> NDArray[np.float32]:
    """The unbinding vector u (of an LSTM the state h) of each word of captions: [words, m], caption by caption.

    The model reads each caption again; the vector of a word is that from which the word was predicted.
    """
    model.eval()
    device, vectors = model.mean.device, []
    for start in range(0, len(rows), BLOCK):
        block = captions[start : start + BLOCK]
        lengths = torch.tensor([len(caption_words) for caption_words in block])
        words = torch.full((len(block), 1 + max(1, int(lengths.max()))), END)
        words[:, 0] = BEGIN
        for row, caption in zip(words, block, strict=True):
            row[1 : 1 + len(caption)] = torch.tensor(caption)
        shown = picture_features(features, rows[start : start + BLOCK]).to(device)
        hidden, _ = model(words[:, :-1].to(device), model.begin(shown))
        written = torch.arange(hidden.shape[1]) < lengths[:, None]
        vectors.append(model.readout(hidden[written.to(device)]).cpu().numpy())
    return np.concatenate(vectors)
