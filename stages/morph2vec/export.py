"""Vectors of unseen words from a trained model: `python -m stages.morph2vec.export morph2vec-unseen`.

data/models/morph2vec/<model>, a file of words -> data/vectors/morph2vec-unseen
"""

import sys

from repline.errors import InputError
from repline.segmentation.morphology.letters import lower_case
from repline.systems.morph2vec.composition import compose_any, read_words, splitter
from repline.systems.morph2vec.settings import models_of, read, space_of
from repline.text_files import numbered_lines
from repline.vectors.store import save
from stages import run, word_vectors
from stages.morph2vec.inputs import CORPORA, DATA, named, runs, segmentations


def main() -> None:
    settings = read()
    name = named(sys.argv[1:], settings.exports, "an export")
    chosen = settings.exports[name]
    every = models_of(settings)
    named([chosen.model], every, f"a model in morph2vec.exports.{name}")
    recipe = every[chosen.model]
    space = space_of(settings, recipe.space)
    model = runs(settings, chosen.model, recipe)[0]
    prepared = read_words(CORPORA / recipe.space)
    lines = (line.strip() for _, line in numbered_lines(DATA / chosen.words))
    words = list(dict.fromkeys(lower_case(line, space.language) for line in lines if line))
    listed = segmentations(space.segmentations, space.language)
    composed = compose_any(model, words, prepared, splitter(CORPORA / recipe.space, prepared, listed))
    if not composed.known.any():
        raise InputError(f"{DATA / chosen.words}: none of {len(words)} words has known morphs")
    save(
        f"data/vectors/{name}",
        [word for word, known in zip(words, composed.known, strict=True) if known],
        composed.vectors[composed.known],
        description=f"Vectors of words without one, composed of their morphs by {chosen.model}",
        licence="that of the vectors they are composed for",
        sources=[word_vectors.source(space.vectors)],
        parameters={"model": chosen.model} | recipe.model_dump(exclude={"hardware"}),
        totals={"asked": len(words)},
        tools=["torch"],
    )
    print(f"data/vectors/{name}: {composed.known.sum():,} of {len(words):,} words have known morphs")


if __name__ == "__main__":
    run(main)
