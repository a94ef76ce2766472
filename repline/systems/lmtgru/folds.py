"""Cross-validation: the same texts in other parts, fold by fold."""

from itertools import chain

import numpy as np

from repline.corpora.labelled.classified_texts import Text, Texts, as_texts
from repline.corpora.labelled.stratified_split import stratified
from repline.errors import InputError

PARTS = ("train", "dev", "test")


def fold_of(texts: Texts, fold: int, folds: int, *, dev: float = 0.1, seed: int = 0) -> Texts:
    """One fold: a `folds`-th of all texts as test, of the rest a share as dev, every label with the same share.

    The test parts of all folds have no text in common and are together all texts.

    Args:
        fold: from 0 to folds - 1.
        dev: share of the texts that are not test.

    Raises:
        InputError: fewer texts than folds, or a part that would be empty.
    """
    every = [
        Text(name, texts.labels[label], sentences)
        for part in PARTS
        for name, label, sentences in zip(texts.ids[part], texts.gold[part], texts.sentences[part], strict=True)
    ]
    if len(every) < folds:
        raise InputError(f"{len(every)} texts cannot give {folds} folds")
    number = _fold_numbers([one.label for one in every], folds, seed)
    rest = [one for one, place in zip(every, number, strict=True) if place != fold]
    parts = stratified([one.label for one in rest], {"dev": dev}, "train", seed)
    kept = (one._replace(part=part) for one, part in zip(rest, parts, strict=True))
    test = (one._replace(part="test") for one, place in zip(every, number, strict=True) if place == fold)
    return as_texts(list(chain(kept, test)))


def _fold_numbers(labels: list[str], folds: int, seed: int) -> list[int]:
    """The fold of each text: the texts of each label in a drawn order, dealt out in turn."""
    rng = np.random.default_rng([seed, 2])
    order = sorted(rng.permutation(len(labels)).tolist(), key=lambda place: labels[place])
    found = [0] * len(labels)
    for turn, place in enumerate(order):
        found[place] = turn % folds
    return found
