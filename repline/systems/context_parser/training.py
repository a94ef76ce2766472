"""Train a parser by MIRA on complete sentences.

Source: Rekaby Salama et al. (2018), section 3; the options of the authors' models.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from repline.corpora.scenes.scene import SceneSentence
from repline.errors import InputError
from repline.systems.context_parser.corpus import Fold
from repline.systems.context_parser.mira import learn
from repline.systems.context_parser.model import ContextParser, encode, vocabularies
from repline.systems.context_parser.relations import context_of, gold_relations
from repline.systems.context_parser.settings import CONTEXT, UNI, Recipe
from repline.systems.context_parser.sparse_weights import FREE, new_table

FIRST_BITS = 18  # of the table of weights, which grows


def train(
    recipe: Recipe, folds: Sequence[Fold], folder: str | Path, *, progress: Callable[[int, int], None] | None = None
) -> None:
    """Train the parsers of every fold, with the context and without, and one with it that sees all sentences.

    They are saved in `folder`: fold-1/context, fold-1/uni, ..., all.

    Args:
        progress: of the last one, see `fitted`.
    """
    for number, fold in enumerate(folds, start=1):
        for kind in (CONTEXT, UNI):
            fitted(recipe, fold.train, context=kind == CONTEXT).save(Path(folder) / f"fold-{number}" / kind)
    # every sentence once, in the order in which the folds bring them
    sentences = list(dict.fromkeys(sentence for fold in folds for sentence in fold.train))
    fitted(recipe, sentences, progress=progress).save(Path(folder) / "all")


def fitted(
    recipe: Recipe,
    sentences: Sequence[SceneSentence],
    *,
    context: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> ContextParser:
    """A parser with the mean weights of all updates.

    Args:
        sentences: complete, with trees and references, in the order in which they are learned.
        context: whether arcs have features of the context, with weight 1; else the parser is uni-modal.
        progress: called with sentences seen and updates made, after each of them.

    Raises:
        InputError: no sentence, or one with a gap.
    """
    if not sentences:
        raise InputError("there is no sentence to train the parser on")
    for sentence in sentences:
        if sentence.gaps:
            raise InputError(f"scene {sentence.scene}: a sentence to train on has a gap: {sentence.text!r}")
    words, tags = vocabularies(sentences)
    prepared = []
    for sentence in sentences:
        encoded = encode(sentence.words, words, tags)
        related = np.zeros((len(sentence.words) + 1, len(sentence.words) + 1), np.uint8)
        if context:
            related = gold_relations(
                sentence.words, context_of(sentence.triplets, sentence.words, next_to=recipe.next_to)
            )
        prepared.append((encoded, related, np.array([0, *(word.head for word in sentence.words)], np.int64)))
    keys, values, sums = new_table(FIRST_BITS)
    used, updates = 0, 0
    for epoch in range(recipe.epochs):
        for number, (encoded, related, gold) in enumerate(prepared, start=1):
            keys, values, sums, used, updates, _ = learn(
                keys, values, sums, used, updates, encoded, related, gold, float(recipe.c)
            )
            if progress is not None:
                progress(epoch * len(prepared) + number, updates)
    return ContextParser(words, tags, *_mean(keys, values, sums, updates), context=context, next_to=recipe.next_to)


def _mean(keys: np.ndarray, values: np.ndarray, sums: np.ndarray, updates: int) -> tuple[np.ndarray, np.ndarray]:
    """The features whose mean weight over all updates is not zero, sorted, and these means.

    An update that came after u others is part of T - u of the T weights whose mean is taken.
    """
    is_used = keys != FREE
    features = keys[is_used]
    means = values[is_used] - sums[is_used] / max(updates, 1)
    order = np.argsort(features)
    order = order[means[order] != 0.0]
    return features[order], means[order]
