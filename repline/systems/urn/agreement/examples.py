"""Read the agreement corpus that `repline.systems.urn.agreement.corpus.extract` wrote."""

from pathlib import Path
from typing import NamedTuple, TypedDict

import numpy as np
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray
from torch import Tensor


class Examples(NamedTuple):
    """One part of the corpus, N examples.

    Attributes:
        ids: [N, T], padded on the right with 0.
        lengths: [N].
        number: [N], of the verb; 0 is singular, 1 plural.
        attractors: [N], nouns of the other number between subject and verb.
    """

    ids: Tensor
    lengths: Tensor
    number: Tensor
    attractors: NDArray[np.int16]


def read_examples(folder: str | Path, part: str) -> Examples:
    """The examples of one part, train or test, of the corpus in `folder`."""
    table = pq.read_table(Path(folder) / f"{part}.parquet", columns=["ids", "singular", "attractors"])
    column = table["ids"].combine_chunks()
    offsets = torch.from_numpy(column.offsets.to_numpy().astype("int64"))
    flat = torch.from_numpy(column.flatten().to_numpy().astype("int64"))
    lengths = offsets.diff()
    positions = torch.arange(int(lengths.max()) if len(lengths) else 0)
    ids = torch.zeros(len(lengths), len(positions), dtype=torch.long)
    ids[positions < lengths[:, None]] = flat
    number = (~torch.from_numpy(table["singular"].to_numpy(zero_copy_only=False).copy())).long()
    return Examples(ids, lengths, number, table["attractors"].to_numpy())


class VocabularyRow(TypedDict):
    """A word of the vocabulary; `noun_number` is "singular", "plural", or None for no noun."""

    id: int
    word: str
    count: int
    noun_number: str | None


def read_vocabulary(folder: str | Path) -> list[VocabularyRow]:
    """The words by their numbers."""
    return pq.read_table(Path(folder) / "vocabulary.parquet").to_pylist()
