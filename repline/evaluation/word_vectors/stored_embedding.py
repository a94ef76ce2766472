"""The embedding of a folder of vectors, also of those words alone that another folder has."""

from pathlib import Path

import numpy as np

from repline.errors import InputError
from repline.evaluation.word_vectors.embedding import Embedding
from repline.vectors import store


def stored_embedding(folder: str | Path, like: str | Path | None = None, *, ignore_case: bool = True) -> Embedding:
    """The vectors that `repline.vectors.store` wrote, in their own order.

    Args:
        like: another such folder, whose words alone are taken; None for all.
        ignore_case: of `Embedding`.

    Raises:
        InputError: a folder is missing, or the two have no word in common.
    """
    embedding = Embedding(*store.words_and_matrix(folder), ignore_case=ignore_case)
    if like is None or Path(like) == Path(folder):
        return embedding
    rows = np.unique(embedding.rows(store.load_vocabulary(like)["word"].to_pylist()))
    rows = rows[rows >= 0]
    if not len(rows):
        raise InputError(f"{folder} and {like} have no word in common; take vectors of one language")
    words = [embedding.words[row] for row in rows]
    return Embedding(words, np.asarray(embedding.matrix[rows]), ignore_case=ignore_case)
