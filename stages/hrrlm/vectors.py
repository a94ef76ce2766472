"""data/models/hrrlm -> data/vectors/hrrlm, hrrlm-filler-1, hrrlm-filler-2, ..., hrrlm-baseline, of the first seed."""

from pathlib import Path

import numpy as np
import torch

from repline.cards import read_card
from repline.systems.hrrlm import settings
from repline.systems.hrrlm.training import load_model, train_words
from repline.vectors import store
from stages import run
from stages.hrrlm import paths

VECTORS = Path("data/vectors")
SPECIAL = 2  # <unk> and <eos> are no words


def main() -> None:
    chosen = settings.load()
    variants = settings.words(chosen, train_words)
    corpus = paths.view(chosen)
    card = read_card(corpus.folder)
    for variant, name in ((chosen.vectors, "hrrlm"), (chosen.baseline, "hrrlm-baseline")):
        model = load_model(paths.runs(variant, chosen)[0], corpus, variants[variant])
        for space, matrix in spaces(model).items():
            folder = VECTORS / (name if space == "composite" else f"{name}-{space.replace('_', '-')}")
            store.save(
                folder,
                corpus.words[SPECIAL:],
                matrix[SPECIAL:],
                counts=np.asarray(corpus.counts[SPECIAL:]),
                description=f"Word vectors of a language model: {variant}, {space.replace('_', ' ')}",
                licence=card["licence"],
                sources=[{"corpus": card}],
                parameters=variants[variant] | {"seed": chosen.seeds[0], "vocabulary": chosen.vocabulary},
                tools=["torch"],
            )
            print(f"{folder}: {len(matrix) - SPECIAL:,} words, {matrix.shape[1]} dimensions")


def spaces(model: torch.nn.Module) -> dict[str, np.ndarray]:
    """composite, and of an HRRLM filler_1, filler_2, ...: the vectors of all words, [V, d]."""
    with torch.inference_mode():
        found = {"composite": model.word_vectors().numpy()}
        for filler in range(len(getattr(model, "roles", ()))):
            found[f"filler_{filler + 1}"] = model.filler_vectors(filler).numpy()
    return found


if __name__ == "__main__":
    run(main)
