"""data/models/hrrlm -> data/vectors/hrrlm, hrrlm-filler-1, hrrlm-filler-2, ..., hrrlm-baseline, of the first seed."""

import numpy as np

from repline.cards import read_card
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.hrrlm.settings import load
from repline.systems.hrrlm.training import load_model
from repline.systems.hrrlm.word_spaces import SPECIAL, spaces
from repline.training.run import runs
from repline.vectors import store
from stages import run
from stages.folders import DATA, MODELS, VECTORS


def main() -> None:
    settings = load()
    corpus = LanguageModelingCorpus.load(DATA / settings.corpus, settings.vocabulary)
    card = read_card(corpus.folder)
    for variant, name in ((settings.vectors, "hrrlm"), (settings.baseline, "hrrlm-baseline")):
        recipe = settings.words.variants[variant]
        model = load_model(runs(MODELS / "hrrlm" / variant)[0], corpus, recipe.record())
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
                parameters=recipe.record() | {"seed": settings.seeds[0], "vocabulary": settings.vocabulary},
                tools=["torch"],
            )
            print(f"{folder}: {len(matrix) - SPECIAL:,} words, {matrix.shape[1]} dimensions")


if __name__ == "__main__":
    run(main)
