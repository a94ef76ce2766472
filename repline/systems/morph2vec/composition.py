"""Compose vectors of any words with a trained model: of words of its space, and of unseen words."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray

from repline.cards import read_card
from repline.parameters import Values
from repline.segmentation.morphology import Segmentation
from repline.segmentation.morphology.candidates import Prefixes
from repline.segmentation.morphology.segmentation_files import Segmentations
from repline.systems.morph2vec.corpus import KNOBS, LISTED, Splitter, Words, encode
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.training import morph_rows

BATCH = 1024  # words


class Composition(NamedTuple):
    """Composed vectors of N words."""

    vectors: NDArray[np.float32]  # [N, d], zeros where no candidate is known
    is_known: NDArray[np.bool_]  # [N], whether the model knows all morphs of some candidate
    segmentations: list[Segmentation]  # the candidate with the largest weight; empty where none is known


def splitter(
    folder: str | Path, space: Words, listed: Segmentations | None = None, knobs: Values | None = None
) -> Splitter:
    """The candidates of words outside the space, from its known words.

    Args:
        folder: of `corpus.prepare`, or of a model that was trained on it; space: what it holds.
        listed: the published segmentations that it was prepared with; None for those that the folder holds.
        knobs: of the search for candidates; None for those in the folder's card.
    """
    links = pq.read_table(Path(folder) / "suffixes.parquet")
    suffixes = dict(zip(links["suffix"].to_pylist(), links["link"].to_pylist(), strict=True))
    if listed is None and (Path(folder) / LISTED).exists():
        stored = json.loads((Path(folder) / LISTED).read_text(encoding="utf-8"))
        listed = {word: [tuple(morphs) for morphs in options] for word, options in stored.items()}
    parameters = read_card(folder)["parameters"] if knobs is None else knobs
    prefixes = Prefixes(space.words, space.vectors, ~space.held_out)
    return Splitter(prefixes, suffixes, listed or {}, {name: parameters[name] for name in KNOBS})


def compose(model: Morph2Vec, segmented: Sequence[Sequence[Segmentation]]) -> Composition:
    """Vectors of N words, each from its candidates; candidates with a morph that the model lacks are left out."""
    keep = max((len(many) for many in segmented), default=1) or 1
    segments = max((len(morphs) for many in segmented for morphs in many), default=1)
    ids = torch.from_numpy(encode(segmented, morph_rows(model.morphs), keep, segments))
    is_known = (ids[:, 0, 0] >= 0).numpy()
    vectors = np.zeros((len(ids), model.projection.out_features), dtype=np.float32)
    segmentations: list[Segmentation] = [()] * len(ids)
    rows = np.flatnonzero(is_known)
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            composed = model.compose(ids[some])
            vectors[some] = composed.vectors.numpy()
            best = composed.weights.argmax(1)
            for row, numbers in zip(some, ids[some, best].tolist(), strict=True):
                segmentations[row] = tuple(model.morphs[number] for number in numbers if number >= 0)
    return Composition(vectors, is_known, segmentations)


def compose_any(
    model: Morph2Vec, words: Sequence[str], space: Words, unseen: Callable[[str], list[Segmentation]]
) -> Composition:
    """Vectors of any words: from the candidates of the space for its known words, from `unseen` for all others."""
    rows = {word: row for row, word in enumerate(space.words) if not space.held_out[row]}
    return compose(model, [space.candidates[rows[word]] if word in rows else unseen(word) for word in words])
