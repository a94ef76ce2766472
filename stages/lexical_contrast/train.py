"""Specialise the vectors with one configuration: `python -m stages.lexical_contrast.train syn_hyp1_ant`.

data/corpora/lexical_contrast -> data/models/lexical_contrast/<configuration>/seed-<s>, and the first of these as
data/vectors/lexical_contrast-<configuration>.
"""

from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.files import new_folder
from repline.parameters import arguments
from repline.systems.lexical_contrast.settings import METHODS, Settings, options, read
from repline.vectors.normalisation import unit_length
from repline.vectors.store import save
from stages import run, word_vectors
from stages.argument import argument
from stages.lexical_contrast.prepare import constraints, read_sets


def main() -> None:
    settings, configurations = read()
    name = argument("the name of a configuration", configurations)
    chosen = configurations[name]
    method, knobs = chosen.method, options(settings, chosen)
    words, matrix = start(settings)
    near, far = constraints(read_sets(words), chosen)
    seeds = settings.seeds if method == "attract_repel" else settings.seeds[:1]  # the peers draw nothing
    card = {
        "description": f"Vectors specialised by {method} with the constraint sets {name}",
        "licence": "that of the vectors, and of the lexicons",
        "sources": [word_vectors.source(settings.vectors), word_vectors.source("corpora/lexical_contrast")],
        "totals": {"attract": len(near), "repel": len(far)},
        "tools": ["scipy"],
    }
    with new_folder(Path("data/models/lexical_contrast") / name) as folder:
        for seed in seeds:
            used = {"name": name} | arguments(chosen) | knobs | {"seed": seed, "unit_length": settings.unit_length}
            vectors = specialised(method, matrix, near, far, seed, knobs)
            save(folder / f"seed-{seed}", words, vectors, name=name, parameters=used, **card)
            if seed == seeds[0]:
                save(f"data/vectors/lexical_contrast-{name}", words, vectors, parameters=used, **card)


def start(settings: Settings) -> tuple[list[str], np.ndarray]:
    """The words and the vectors that are specialised."""
    words, matrix = word_vectors.vectors(settings.vectors, settings.words)
    return words, unit_length(matrix) if settings.unit_length else matrix


def specialised(
    method: str, matrix: np.ndarray, near: np.ndarray, far: np.ndarray, seed: int, knobs: dict[str, Any]
) -> np.ndarray:
    if method == "retrofitting":
        return METHODS[method](matrix, np.concatenate([near, near[:, ::-1]]), **knobs)
    if method == "counter_fitting":
        return METHODS[method](matrix, near, far, **knobs)
    try:
        return METHODS[method](matrix, near, far, seed=seed, report=_progress(seed), **knobs)
    except ValueError as error:
        raise InputError(f"lexical_contrast.attract_repel: {error}") from None


def _progress(seed: int) -> Any:
    def report(epoch: int, cost: float) -> None:
        print(f"seed {seed}, epoch {epoch}: cost of a pair {cost:.4f}", flush=True)

    return report


if __name__ == "__main__":
    run(main)
