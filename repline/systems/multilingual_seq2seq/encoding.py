"""Vectors of sentences that are given as word numbers, in batches of similar length."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.pair_batches import cut
from repline.systems.multilingual_seq2seq.vocabulary import PAD
from repline.training.padded_rows import padded_rows

ENCODING_BATCH = 512  # sentences


@torch.no_grad()
def embed(model: MultilingualEncoderDecoder, sentences: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """The vector h of each sentence [N, d]; sentences of similar length share a batch."""
    was_training = model.training
    model.eval()
    device = model.embedding.weight.device
    order = np.argsort([len(sentence) for sentence in sentences], kind="stable")
    vectors = np.empty((len(sentences), model.size), np.float32)
    for start in range(0, len(order), ENCODING_BATCH):
        rows = order[start : start + ENCODING_BATCH]
        ids = cut(torch.from_numpy(padded_rows([sentences[row] for row in rows], PAD, np.int32)))
        vectors[rows] = model.encode(ids.to(device)).cpu().numpy()
    model.train(was_training)
    return vectors
