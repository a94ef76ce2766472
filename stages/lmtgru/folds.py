"""The texts of a corpus, fold by fold."""

from collections.abc import Iterator

from repline.corpora.labelled.classified_texts import Texts, read_texts
from repline.systems.lmtgru.folds import fold_of
from repline.systems.lmtgru.settings import Settings
from stages.lmtgru.places import TEXTS, fold_name


def folds(settings: Settings, name: str) -> Iterator[tuple[str, Texts]]:
    """The name of each fold and its texts; InputError where they cannot be read."""
    texts = read_texts(TEXTS / settings.corpora[name].texts)
    number = settings.corpora[name].folds
    for fold in settings.folds(name):
        yield fold_name(fold), texts if fold is None or number is None else fold_of(texts, fold, number)
