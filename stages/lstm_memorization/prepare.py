"""data/<corpus> -> data/corpora/middle_token: the training distributions and the test sets."""

import numpy as np

from repline.cards import read_card
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.lstm_memorization.corpus import build
from repline.systems.lstm_memorization.settings import load
from stages import run
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    folder = DATA / settings.corpus
    corpus = LanguageModelingCorpus.load(folder)
    card = build(
        np.concatenate([corpus.ids(split) for split in settings.splits]),
        corpus.words,
        CORPORA / "middle_token",
        settings.data,
        distributions=settings.distributions,
        lengths=settings.lengths,
        source=read_card(folder),
    )
    print(", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
