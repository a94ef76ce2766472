"""Cross-validation: the same texts in other parts, fold by fold."""

from dataclasses import replace
from itertools import chain

import numpy as np

from repline.corpora.labelled.classified_texts import Text, Texts, as_texts
from repline.corpora.labelled.stratified_split import stratified
from repline.errors import InputError

PARTS = ("train", "dev", "test")
AS_SPLIT = "as_split"  # the name of texts in their own parts


def folds_of(texts: Texts, folds: int | None) -> dict[str, Texts]:
    """The texts of each fold, by the names fold-0, fold-1, ...; without folds the texts as they are, named as_split.

    Raises:
        InputError: fewer texts than folds, or a part that would be empty.
    """
    if folds is None:
        return {AS_SPLIT: texts}
    return {f"fold-{fold}": fold_of(texts, fold, folds) for fold in range(folds)}


def fold_of(texts: Texts, fold: int, folds: int, *, dev: float = 0.1, seed: int = 0) -> Texts:
    """One fold: a `folds`-th of all texts is test, a share of the rest dev, with equal shares of each label.

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
        raise InputError(f"expected at least {folds} texts for {folds} folds, found {len(every)}")
    numbers = _fold_numbers([text.label for text in every], folds, seed)
    rest = [text for text, number in zip(every, numbers, strict=True) if number != fold]
    parts = stratified([text.label for text in rest], {"dev": dev}, "train", seed)
    rest_in_parts = (text._replace(part=part) for text, part in zip(rest, parts, strict=True))
    test = (text._replace(part="test") for text, number in zip(every, numbers, strict=True) if number == fold)
    return replace(as_texts(list(chain(rest_in_parts, test))), splitting=texts.splitting)


def _fold_numbers(labels: list[str], folds: int, seed: int) -> list[int]:
    """The fold of each text: the texts of each label in a drawn order, dealt out in turn."""
    rng = np.random.default_rng([seed, 2])
    order = sorted(rng.permutation(len(labels)).tolist(), key=lambda row: labels[row])
    numbers = [0] * len(labels)
    for turn, row in enumerate(order):
        numbers[row] = turn % folds
    return numbers
