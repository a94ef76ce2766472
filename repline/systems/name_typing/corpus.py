"""Names with their types and vectors: what the classifiers of one vector space are trained and tested on.

On disk: card.json, types.json, for each split names.json and arrays.npz with the fields of `Names`, and the vectors of
the whole space (vectors.npy, vocabulary.parquet), which a trained classifier takes along for other names.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, write_card
from repline.corpora.freebase.label_sets import SPLITS, read_label_set
from repline.errors import InputError
from repline.evaluation.word_vectors.embedding import Embedding
from repline.files import link_or_copy, new_folder, write_json
from repline.systems.name_typing.settings import Control, Sizes
from repline.vectors.store import VECTORS, VOCABULARY, words_and_matrix

TYPES, NAMES, ARRAYS = "types.json", "names.json", "arrays.npz"


@dataclass(frozen=True)
class Names:
    """Names of one split, n of them, those without a vector too.

    Attributes:
        names: [n]. labels: bool [n, T], m(n, t).
        rows: [n], the place of each name's vector in `vectors`, -1 where it has none.
        vectors: float32 [c, d], of the covered names in their order.
    """

    names: Sequence[str]
    labels: NDArray[np.bool_]
    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]

    @property
    def covered(self) -> NDArray[np.bool_]:
        """[n]: whether a name has a vector."""
        return self.rows >= 0

    @property
    def covered_labels(self) -> NDArray[np.bool_]:
        """bool [c, T], the labels of the covered names."""
        return self.labels[self.covered]

    def with_vectors(self, vectors: NDArray[np.float32]) -> "Names":
        """Replace the vectors of the names by [c, d']."""
        return Names(self.names, self.labels, self.rows, vectors)


def write_data(folder: str | Path, labels: str | Path, vectors: str | Path, sizes: Sizes | None = None) -> Card:
    """Write the names of a label set with vectors of a space, and return the card.

    Args:
        folder: replaces what was there.
        labels, vectors, sizes: of `names_with_vectors`.

    Raises:
        InputError: as of `names_with_vectors`.
    """
    names, types = names_with_vectors(labels, vectors, sizes)
    with new_folder(folder) as partial:
        write_json(partial / TYPES, types)
        for split, part in names.items():
            write_json(partial / split / NAMES, list(part.names))
            np.savez(partial / split / ARRAYS, labels=part.labels, rows=part.rows, vectors=part.vectors)
        for name in (VECTORS, VOCABULARY):
            link_or_copy(Path(vectors) / name, partial / name)
        return write_card(
            partial,
            name=Path(folder).name,
            description="Names with their types, and the word vectors of one space",
            licence="; ".join(dict.fromkeys(str(card_or_files(source)["licence"]) for source in (labels, vectors))),
            sources=[{"corpus": card_or_files(source)} for source in (labels, vectors)],
            parameters=sizes.model_dump() if sizes else {},
            counts={f"{count}_{split}": number for split, part in names.items() for count, number in _counts(part)},
            tools=("numpy",),
        )


def read_data(folder: str | Path) -> tuple[dict[str, Names], list[str]]:
    """The names of each split and the types of a folder that `write_data` wrote; InputError if there is none."""
    folder = Path(folder)
    if not (folder / TYPES).is_file():
        raise InputError(
            f"{folder}: expected names and their types, found none; run `python -m stages.name_typing.prepare "
            f"{folder.name}`"
        )
    names = {}
    for split in SPLITS:
        with np.load(folder / split / ARRAYS, allow_pickle=False) as arrays:
            words = json.loads((folder / split / NAMES).read_text(encoding="utf-8"))
            names[split] = Names(words, arrays["labels"], arrays["rows"], arrays["vectors"])
    return names, json.loads((folder / TYPES).read_text(encoding="utf-8"))


def _counts(names: Names) -> tuple[tuple[str, int], ...]:
    return ("names", len(names.names)), ("vectors", len(names.vectors))


def names_with_vectors(
    labels: str | Path, vectors: str | Path, sizes: Sizes | None = None
) -> tuple[dict[str, Names], list[str]]:
    """The names of a label set with vectors of a space.

    Args:
        labels: a folder of `repline.corpora.freebase.label_sets`.
        vectors: a folder of data/vectors; words that differ in case only are one word.
        sizes: of each split; names after the last one that is used are left out.

    Returns:
        the names of train, dev and test, and the T types.

    Raises:
        InputError: a folder that is not as described, or a split without a covered name.
    """
    every, types = read_labels(labels)
    words, matrix = words_and_matrix(vectors)
    embedding = Embedding(words, matrix)
    names = {}
    for split, all_names in every.items():
        rows = embedding.rows(all_names.names)
        covered_rows = np.flatnonzero(rows >= 0)
        if not len(covered_rows):
            raise InputError(f"{labels}: expected names of its part {split} with a vector in {vectors}, found none")
        size = getattr(sizes, split, None)
        rows = rows[: covered_rows[size] if size is not None and size < len(covered_rows) else None]
        covered = rows >= 0
        rows_of_vectors = np.full(len(rows), -1)
        rows_of_vectors[covered] = np.arange(covered.sum())
        used = np.asarray(matrix[rows[covered]], np.float32)
        names[split] = Names(all_names.names[: len(rows)], all_names.labels[: len(rows)], rows_of_vectors, used)
    return names, types


def read_labels(folder: str | Path) -> tuple[dict[str, Names], list[str]]:
    """All names of a label set by split, still without vectors, and the types; InputError where the folder has none."""
    table, types = read_label_set(folder)
    type_number = {kind: number for number, kind in enumerate(types)}
    split_of = np.array(table["split"].to_pylist())
    names = {}
    for split in SPLITS:
        part = table.filter(split_of == split)
        flags = np.zeros((len(part), len(types)), bool)
        for row, kinds in enumerate(part["types"].to_pylist()):
            flags[row, [type_number[kind] for kind in kinds]] = True
        none = np.zeros((0, 0), np.float32)
        names[split] = Names(part["name"].to_pylist(), flags, np.full(len(part), -1), none)
    return names, types


def controlled(names: Mapping[str, Names], control: Control, seed: int = 0) -> dict[str, Names]:
    """Replace the vectors of the names by those of a control.

    Args:
        control: given, the vectors as they are; random, N(0, 1) in their place; permuted, each name has the vector of
            another one, in training as in test.
    """
    if control == "given":
        return dict(names)
    rng = np.random.default_rng(seed)
    if control == "random":
        return {
            split: part.with_vectors(rng.standard_normal(part.vectors.shape, np.float32))
            for split, part in names.items()
        }
    vectors = np.concatenate([part.vectors for part in names.values()])
    vectors = vectors[rng.permutation(len(vectors))]
    ends = np.cumsum([len(part.vectors) for part in names.values()])
    parts = np.split(vectors, ends[:-1])
    return {split: names[split].with_vectors(part) for split, part in zip(names, parts, strict=True)}
