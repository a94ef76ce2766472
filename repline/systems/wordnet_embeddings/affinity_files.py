"""Affinities of words on disk, so that variants which differ only in what follows the walks share them."""

import json
from pathlib import Path

import numpy as np
from scipy import sparse

from repline.errors import InputError
from repline.files import new_folder, write_json
from repline.systems.wordnet_embeddings.training import Affinities

SPARSE, DENSE, ABOUT = "affinities.npz", "affinities.npy", "words.json"


def save(folder: str | Path, affinities: Affinities) -> None:
    """Write X, its words, the counts and what was left out into a folder, which appears whole."""
    with new_folder(folder) as partial:
        if sparse.issparse(affinities.matrix):
            sparse.save_npz(partial / SPARSE, affinities.matrix, compressed=False)
        else:
            np.save(partial / DENSE, affinities.matrix, allow_pickle=False)
        notes = {"notes": affinities.notes} if affinities.notes else {}
        write_json(partial / ABOUT, {"words": affinities.words, "totals": affinities.totals} | notes)


def load(folder: str | Path) -> Affinities:
    """Read what `save` wrote.

    Raises:
        InputError: there is no such folder, or it lacks a file.
    """
    folder = Path(folder)
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if (folder / SPARSE).exists():
            matrix = sparse.csr_matrix(sparse.load_npz(folder / SPARSE))
        else:
            matrix = np.load(folder / DENSE, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError as error:
        raise InputError(f"{error.filename}: there is no such file; run `dvc repro` for the affinities") from None
    return Affinities(about["words"], matrix, about["totals"], about.get("notes", []))
