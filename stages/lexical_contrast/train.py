"""Specialise the vectors with one configuration: `python -m stages.lexical_contrast.train syn_hyp1_ant`.

data/corpora/lexical_contrast -> data/models/lexical_contrast/<configuration>/seed-<s>, and the first of these as
data/vectors/lexical_contrast-<configuration>.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from repline import parameters
from repline.errors import InputError
from repline.files import new_folder
from repline.systems.lexical_contrast.constraint_rows import configuration as joined
from repline.vectors.normalisation import unit_length
from repline.vectors.store import save
from stages import run, word_vectors
from stages.lexical_contrast.prepare import read_sets
from stages.lexical_contrast.settings import METHODS, attract, check, named, repel


def main() -> None:
    settings = check(parameters.read())
    chosen = named(settings, sys.argv[1:])
    name, method = chosen["name"], chosen.get("method", "attract_repel")
    words, matrix = start(settings)
    near, far = joined(read_sets(words), attract(chosen), repel(chosen))
    seeds = settings["seeds"] if method == "attract_repel" else settings["seeds"][:1]  # the peers draw nothing
    card = {
        "description": f"Vectors specialised by {method} with the constraint sets {name}",
        "licence": "that of the vectors, and of the lexicons",
        "sources": [word_vectors.source(settings["vectors"]), word_vectors.source("corpora/lexical_contrast")],
        "totals": {"attract": len(near), "repel": len(far)},
        "tools": ["scipy"],
    }
    with new_folder(Path("data/models/lexical_contrast") / name) as folder:
        for seed in seeds:
            used = chosen | settings[method] | {"seed": seed, "unit_length": settings["unit_length"]}
            vectors = specialised(method, matrix, near, far, seed, settings[method])
            save(folder / f"seed-{seed}", words, vectors, name=name, parameters=used, **card)
            if seed == seeds[0]:
                save(f"data/vectors/lexical_contrast-{name}", words, vectors, parameters=used, **card)


def start(settings: dict[str, Any]) -> tuple[list[str], np.ndarray]:
    """The words and the vectors that are specialised."""
    words, matrix = word_vectors.vectors(settings["vectors"], settings["words"])
    return words, unit_length(matrix) if settings["unit_length"] else matrix


def specialised(
    method: str, matrix: np.ndarray, near: np.ndarray, far: np.ndarray, seed: int, options: dict[str, Any]
) -> np.ndarray:
    if method == "retrofitting":
        return METHODS[method](matrix, np.concatenate([near, near[:, ::-1]]), **options)
    if method == "counter_fitting":
        return METHODS[method](matrix, near, far, **options)
    try:
        return METHODS[method](matrix, near, far, seed=seed, report=_progress(seed, options["epochs"]), **options)
    except ValueError as error:
        raise InputError(f"lexical_contrast.attract_repel: {error}") from None


def _progress(seed: int, epochs: int) -> Any:
    def report(epoch: int, cost: float) -> None:
        print(f"seed {seed}, epoch {epoch} of {epochs}: cost of a pair {cost:.4f}", flush=True)

    return report


if __name__ == "__main__":
    run(main)
