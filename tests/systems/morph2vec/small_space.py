"""A small space of words made of stems and suffixes, and a short training on it."""

import numpy as np

from repline.systems.morph2vec.settings import Preparation, Recipe

STEMS = ["walk", "talk", "bird", "cat", "house", "tree", "play", "jump", "look", "rain", "snow", "work"]
SUFFIXES = ["", "s", "ed", "er", "ers"]
PREPARATION = Preparation(language="en", threshold=0.5, segments=4, keep=4, shortest=2, held_out=10, seed=0)
RECIPE = Recipe(
    embedding=8,
    units=8,
    encoder="bilstm",
    mixing="attention",
    dropout=0.0,
    weight_decay=0.0,
    logit_penalty=0.0,
    learning_rate=0.02,
    epochs=30,
    batch=8,
)


def word_vectors():
    """Words, and vectors that are those of a stem, longer than those of the suffixes, added."""
    rng = np.random.default_rng(0)
    parts = {part: rng.normal(size=16) for part in (*STEMS, *SUFFIXES)} | {"": np.zeros(16)}
    words = [stem + suffix for suffix in SUFFIXES for stem in STEMS]
    matrix = [2 * parts[stem] + parts[suffix] for suffix in SUFFIXES for stem in STEMS]
    return words, np.array(matrix, dtype=np.float32)
