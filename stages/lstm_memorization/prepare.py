"""data/<corpus> -> data/corpora/middle_token: the training distributions and the test sets."""

from pathlib import Path

import numpy as np

from repline import parameters
from repline.cards import read_card
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.lstm_memorization import corpus as middle_token
from stages import run
from stages.lstm_memorization import settings


def main() -> None:
    section = settings.check(parameters.read())
    folder = Path("data") / section["corpus"]
    corpus = LanguageModelingCorpus.load(folder)
    card = middle_token.build(
        np.concatenate([corpus.ids(split) for split in section["splits"]]),
        corpus.words,
        settings.CORPUS,
        distributions=section["distributions"],
        lengths=section["lengths"],
        source=read_card(folder),
        **section["data"],
    )
    print(", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
