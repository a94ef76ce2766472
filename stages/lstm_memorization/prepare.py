"""data/<corpus> -> data/corpora/middle_token: the training distributions and the test sets."""

from pathlib import Path

import numpy as np

from repline.cards import read_card
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization import settings
from stages import run
from stages.lstm_memorization.paths import CORPUS


def main() -> None:
    chosen = settings.load()
    folder = Path("data") / chosen.corpus
    corpus = LanguageModelingCorpus.load(folder)
    card = middle_token.build(
        np.concatenate([corpus.ids(split) for split in chosen.splits]),
        corpus.words,
        CORPUS,
        distributions=chosen.distributions,
        lengths=chosen.lengths,
        source=read_card(folder),
        **chosen.data,
    )
    print(", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
