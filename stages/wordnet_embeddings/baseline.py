"""Vectors of text to compare with: `python -m stages.wordnet_embeddings.baseline glove_6b_50d`.

data/vectors/<baseline>, tests -> data/models/wordnet_embeddings/<name>: the vectors of the tests' words.
"""

from pathlib import Path

import numpy as np

from repline.cards import read_card
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.wordnet_embeddings.settings import read
from repline.vectors import store
from stages import run
from stages.argument import argument
from stages.wordnet_embeddings import inputs
from stages.wordnet_embeddings.variant import FOLDER


def main() -> None:
    settings, _ = read()
    name = argument("the name of a baseline", settings.baselines)
    place = Path("data/vectors") / settings.baselines[name]
    found, card = Embedding.of(store.load(place)), read_card(place)
    asked = dict.fromkeys(word for pairs, _ in inputs.tests(settings).values() for pair in pairs for word in pair)
    rows = found.rows(asked)
    rows = sorted(set(rows[rows >= 0].tolist()))
    store.save(
        FOLDER / name,
        [found.words[row] for row in rows],
        np.asarray(found.matrix[rows]),
        description="Vectors of text, for the words of the tests alone",
        licence=card["licence"],
        sources=[card],
        parameters={},
        totals={"vectors": len(found)},
        tools=[],
    )
    print(f"{name}: {len(rows)} words of the tests")


if __name__ == "__main__":
    run(main)
