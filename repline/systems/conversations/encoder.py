"""A trained model as an encoder of raw sentences."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.conversations.corpus import Sentences, pack, split_words
from repline.systems.conversations.model import ConversationEncoder

BATCH = 512  # sentences that are encoded at a time


class SentenceEncoder:
    """Encode n sentences as float32 [n, m], vectors of length 1.

    Args:
        model: a trained model.

    Attributes:
        number_of: word -> its number in the model, from 1 on.
    """

    def __init__(self, model: ConversationEncoder):
        self.model = model.eval()
        self.number_of = {word: number for number, word in enumerate(model.words, 1)}

    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        split = [split_words(sentence) for sentence in sentences]
        if [] in split:
            raise InputError(f"sentence {split.index([]) + 1} of {len(split)} is empty")
        return self.of(split)

    def of(self, split: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """The vectors of sentences that are split into words, at least one each."""
        return encoded(self.model, pack(split, self.number_of)).numpy()


@torch.no_grad()
def encoded(model: ConversationEncoder, sentences: Sentences, rows: torch.Tensor | None = None) -> torch.Tensor:
    """The vectors of packed sentences [N, m], or of some of them; rows: which [N]."""
    selected = torch.arange(len(sentences)) if rows is None else rows
    device = next(model.parameters()).device
    lengths = sentences.starts[selected + 1] - sentences.starts[selected]
    order = lengths.argsort(stable=True)  # batches of similar lengths: a transformer pads less
    vectors = torch.zeros(len(selected), model.size)
    for batch in order.split(BATCH):
        vectors[batch] = model(*(part.to(device) for part in sentences.batch(selected[batch]))).cpu()
    return vectors


def load(folder: Path) -> SentenceEncoder:
    """The encoder of a folder of a saved model; InputError where there is none, or weights are not finite."""
    model = pretrained(ConversationEncoder, folder)
    for name, value in model.state_dict().items():
        if not torch.isfinite(value).all():
            raise InputError(f"{folder}: {name} has a number that is not finite; train the model again")
    return SentenceEncoder(model)
