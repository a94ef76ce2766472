"""GloVe on the documents, in one way of writing names: the vectors that a network starts from."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.cards import Card
from repline.errors import InputError, count_remedy
from repline.systems.entity_documents.corpus import PARTS, REST, Documents
from repline.systems.entity_documents.settings import Glove
from repline.vectors import store
from repline.vectors.glove import train_glove
from repline.vectors.normalisation import unit_length
from repline.vectors.windows import window_counts

VECTORS = "vectors"  # the folder next to the networks that begin with them
Texts = Literal["train", "all"]  # the training documents alone; or all, those of dev, test and no part among them


def write_vectors(
    folder: str | Path,
    documents: Documents,
    texts: Texts,
    recipe: Glove,
    report: Callable[[int, float], None] | None = None,
) -> Card:
    """Train GloVe vectors on the texts of documents and save them; windows do not cross documents.

    Args:
        folder: of `repline.vectors.store`; replaces what was there.
        texts: which documents; their labels are not used.
        report: called with the iteration and the mean loss of a cell.

    Returns:
        The card.

    Raises:
        InputError: no two words that are frequent enough stand near each other.

    Source: Pennington et al. 2014; Pivovarova & Yangarber 2018, section 3.
    """
    parts = ("train",) if texts == "train" else (*PARTS, REST)
    texts_of_parts = [tokens for part in parts for tokens in documents.tokens[part]]
    words, counts = np.unique([token for tokens in texts_of_parts for token in tokens], return_counts=True)
    frequent = np.flatnonzero(counts >= recipe.minimum_count)
    frequent = frequent[np.argsort(-counts[frequent], kind="stable")]
    names = [str(words[row]) for row in frequent]
    index = {word: number for number, word in enumerate(names)}
    ids = np.array([index.get(token, -1) for tokens in texts_of_parts for token in tokens], dtype=np.int64)
    document = np.repeat(np.arange(len(texts_of_parts)), [len(tokens) for tokens in texts_of_parts])
    matrix = window_counts(ids, document, len(names), recipe.window)
    if not matrix.nnz:
        raise InputError(
            f"{folder}: no two words that occur {recipe.minimum_count} times stand near each other in "
            f"{len(texts_of_parts)} documents; {count_remedy(recipe.minimum_count, 'more documents')}"
        )
    x, y, _, _ = train_glove(matrix, recipe, seed=recipe.seed, report=report)
    return store.save(
        folder,
        names,
        x + y,
        counts=counts[frequent].tolist(),
        description="GloVe on documents with names written in one way",
        parameters=recipe.model_dump() | {"texts": texts},
        totals={"documents": len(texts_of_parts), "tokens": len(ids), "cells": int(matrix.nnz)},
    )


def nearest(words: Sequence[str], vectors: NDArray, word: str, number: int = 4) -> list[str]:
    """The `number` words of highest cosine with a word; none for a word without a vector."""
    if word not in words:
        return []
    unit = unit_length(np.asarray(vectors))
    cosines = unit @ unit[words.index(word)]
    cosines[words.index(word)] = -np.inf
    return [words[row] for row in np.argsort(-cosines, kind="stable")[:number]]
