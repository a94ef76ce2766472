"""Vectors of any words from a trained model: known ones, and unseen ones by their candidates."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray

from repline.cards import read_card
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.candidates import Prefixes
from repline.segmentation.morphology.segmentation_files import Segmentations
from repline.systems.morph2vec.corpus import Splitter, Words, encode
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.training import numbered

BATCH = 1024  # words


class Composition(NamedTuple):
    """What `compose` gives."""

    vectors: NDArray[np.float32]  # [N, d], zeros where no candidate is known
    known: NDArray[np.bool_]  # [N]
    chosen: list[Segmentation]  # of the candidates that one with the largest weight; empty where none is known


def splitter(folder: str | Path, space: Words, listed: Segmentations | None = None) -> Splitter:
    """The candidates of words outside the space, from its known words.

    Args:
        folder: of `corpus.prepare`; space: what it holds.
        listed: the published segmentations that it was prepared with.
    """
    links = pq.read_table(Path(folder) / "suffixes.parquet")
    suffixes = dict(zip(links["suffix"].to_pylist(), links["link"].to_pylist(), strict=True))
    parameters = read_card(folder)["parameters"]
    knobs = {name: parameters[name] for name in ("threshold", "segments", "keep", "shortest")}
    return Splitter(Prefixes(space.words, space.vectors, ~space.held_out), suffixes, listed or {}, knobs)


def compose(model: Morph2Vec, segmented: Sequence[Sequence[Segmentation]]) -> Composition:
    """The vectors of N words from their candidates; those with a morph that the model lacks do not count."""
    keep = max((len(many) for many in segmented), default=1) or 1
    segments = max((len(morphs) for many in segmented for morphs in many), default=1)
    ids = torch.from_numpy(encode(segmented, numbered(model.morphs), keep, segments))
    known = (ids[:, 0, 0] >= 0).numpy()
    vectors = np.zeros((len(ids), model.projection.out_features), dtype=np.float32)
    chosen: list[Segmentation] = [()] * len(ids)
    rows = np.flatnonzero(known)
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            composed = model.compose(ids[some])
            vectors[some] = composed.vectors.numpy()
            best = composed.weights.argmax(1)
            for row, numbers in zip(some, ids[some, best].tolist(), strict=True):
                chosen[row] = tuple(model.morphs[number] for number in numbers if number >= 0)
    return Composition(vectors, known, chosen)


def compose_any(
    model: Morph2Vec, words: Sequence[str], space: Words, unseen: Callable[[str], list[Segmentation]]
) -> Composition:
    """The vectors of any words: by the candidates of the space where it knows them, else by those of unseen words."""
    rows = {word: row for row, word in enumerate(space.words) if not space.held_out[row]}
    return compose(model, [space.candidates[rows[word]] if word in rows else unseen(word) for word in words])
