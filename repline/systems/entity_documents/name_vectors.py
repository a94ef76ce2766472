"""GloVe on the documents, in one way of writing names: the vectors that a network starts from."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from repline.parameters import Count, Positive, Section, arguments
from repline.systems.entity_documents.documents import PARTS, REST, Documents
from repline.vectors import recipes, store
from repline.vectors.glove import train_glove
from repline.vectors.normalisation import unit_length
from repline.vectors.windows import window_counts

Texts = Literal["train", "all"]  # documents of training alone; or all there are, also of dev, of test and of no part


class Glove(Section):
    """The knobs of `repline.vectors.glove.train_glove`, and which words and windows are counted."""

    dimensions: Count
    window: Count
    minimum_count: Count
    iterations: Count
    learning_rate: Positive
    maximum: Positive
    seed: int


def write_vectors(
    folder: str | Path,
    documents: Documents,
    texts: Texts,
    report: Callable[[int, float], None] | None = None,
    **knobs: Unpack[Glove],
) -> dict[str, Any]:
    """Train vectors on the texts of documents, which count as one window each, and save them.

    Args:
        folder: of `repline.vectors.store`; replaces what was there.
        texts: which documents. Their labels are not looked at.
        report: called with the iteration and the mean loss of a cell.

    Returns:
        the card.

    Raises:
        InputError: no word is frequent enough.

    Source: Pennington et al. 2014; Pivovarova & Yangarber 2018, section 3.
    """
    chosen = Glove(**knobs)
    parts = ("train",) if texts == "train" else (*PARTS, REST)
    found = [tokens for part in parts for tokens in documents.tokens[part]]
    words, counts = np.unique([token for tokens in found for token in tokens], return_counts=True)
    kept = np.flatnonzero(counts >= chosen.minimum_count)
    kept = kept[np.argsort(-counts[kept], kind="stable")]
    names = [str(words[place]) for place in kept]
    index = {word: number for number, word in enumerate(names)}
    ids = np.array([index.get(token, -1) for tokens in found for token in tokens], dtype=np.int64)
    document = np.repeat(np.arange(len(found)), [len(tokens) for tokens in found])
    matrix = window_counts(ids, document, len(names), chosen.window)
    own = {name: value for name, value in arguments(chosen).items() if name in recipes.Glove.model_fields}
    x, y, _, _ = train_glove(matrix, recipes.Glove(**own), seed=chosen.seed, report=report)
    return store.save(
        folder,
        names,
        x + y,
        counts=counts[kept].tolist(),
        description="GloVe on documents with names written in one way",
        parameters=chosen.model_dump() | {"texts": texts},
        totals={"documents": len(found), "tokens": len(ids), "cells": int(matrix.nnz)},
    )


def nearest(words: Sequence[str], vectors: NDArray, word: str, number: int = 4) -> list[str]:
    """The words whose vectors have the highest cosines with that of a word; none for a word that is not there."""
    if word not in words:
        return []
    unit = unit_length(np.asarray(vectors))
    cosines = unit @ unit[words.index(word)]
    cosines[words.index(word)] = -np.inf
    return [words[place] for place in np.argsort(-cosines, kind="stable")[:number]]
