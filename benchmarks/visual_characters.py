"""Encoders of characters with each distinct character of a batch encoded once, beside one encoding per token."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from benchmarks.timing import line, paired
from repline.systems.visual_characters.encoders import EDGE, CharacterEncoder

CHARACTERS, SENTENCES, LENGTH, DIMENSIONS = 3_500, 64, 40, 256
GOAL = 3
ENCODERS = {"fc_2l": {"kind": "fc_2l"}, "cnn_fc_relu, F = 64": {"kind": "cnn_fc_relu", "features": 64, "channels": 8}}


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    pixels = torch.rand(CHARACTERS, EDGE, EDGE) > 0.7
    ids = _batch()
    distinct = len(ids.unique())
    print(f"{'one thread, forward and backward':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for name, shape in ENCODERS.items():
        encoder = CharacterEncoder(characters=CHARACTERS, dimensions=DIMENSIONS, **shape).show(pixels)
        seconds, peer = paired(_once(encoder, ids), _per_token(encoder, ids), rounds=3)
        line(f"{SENTENCES} x {LENGTH} characters, {distinct} distinct, {name}, d = {DIMENSIONS}", seconds, peer, GOAL)


def _batch() -> Tensor:
    """Characters with the frequencies of text: Zipf's law with an offset, as of Chinese [SENTENCES, LENGTH]."""
    weights = 1 / (np.arange(CHARACTERS) + 20.0)
    drawn = np.random.default_rng(0).choice(CHARACTERS, size=(SENTENCES, LENGTH), p=weights / weights.sum())
    return torch.from_numpy(drawn) + 1


def _once(encoder: CharacterEncoder, ids: Tensor) -> Callable[[], None]:
    return lambda: encoder(ids).sum().backward()


def _per_token(encoder: CharacterEncoder, ids: Tensor) -> Callable[[], None]:
    return lambda: encoder.encode(ids.flatten()).view(*ids.shape, -1).sum().backward()


if __name__ == "__main__":
    main()
