"""How alike a trained model finds the sentences of your own pairs."""

from pathlib import Path

import numpy as np

from repline.corpora.sentence_pairs.pair_tables import fields
from repline.errors import InputError
from repline.systems.conversations.corpus import split_words
from repline.systems.conversations.encoder import load
from repline.systems.conversations.tuning import angles
from repline.text_files import numbered_lines


def own_similarities(model: str | Path, pairs: str | Path) -> list[tuple[float, str]]:
    """The similarity of each pair, 0 for the same direction down to -pi, and its line.

    Args:
        model: a folder that `training.train` wrote.
        pairs: two sentences a line, parted by a tab; empty lines are passed over.

    Raises:
        InputError: no such file or model, a line that is not two sentences, an empty sentence, or one of which the
            model knows no word, naming file and line.
    """
    encoder = load(Path(model))
    sides: tuple[list[list[str]], list[list[str]]] = [], []
    lines = []
    for number, line in numbered_lines(pairs):
        if not line.strip():
            continue
        lines.append(line)
        for side, sentence in zip(sides, fields(pairs, number, line, 2), strict=False):
            tokens = split_words(sentence)
            if not tokens:
                raise InputError(f"{pairs}, line {number}: a sentence is empty")
            if not any(token in encoder.number_of for token in tokens):
                raise InputError(f"{pairs}, line {number}: the model knows no word of {sentence.strip()[:80]!r}")
            side.append(tokens)
    if not lines:
        raise InputError(f"{pairs}: expected two sentences a line, found none")
    similar = angles(*(encoder.of(side) for side in sides))
    return list(zip(np.asarray(similar).tolist(), lines, strict=True))
