"""How many meanings a word has, by a wordnet."""

from collections.abc import Iterable, Mapping

import numpy as np

from repline.lexicons.wordnet.synsets import WordNet
from repline.systems.image_lexicon.image_words import POS

CODES = {"noun": "n", "verb": "v", "adjective": "a"}  # of wordnets


def senses(wordnet: WordNet, words: Iterable[str]) -> dict[str, int]:
    """The number of synsets of each word, of all parts of speech; 0 for one that is not there. A blank is `_`."""
    return {word: len(wordnet.synsets(word)) for word in words}


def mean_senses(wordnet: WordNet, entries: Iterable[tuple[str, str]]) -> dict[str, Mapping[str, float]]:
    """The mean over the words of each part of speech: `any` counts all synsets, `own` those of that part of speech.

    The paper's numbers are of the first kind (9.18, 6.88 and 5.08), though it speaks of senses per part of speech.

    Args:
        entries: words with their parts of speech.

    Source: Hartmann & Søgaard 2018, section 4.2.
    """
    counts_by_pos: dict[str, list[tuple[int, int]]] = {pos: [] for pos in POS.values()}
    for word, pos in entries:
        counts_by_pos[pos].append((len(wordnet.synsets(word)), len(wordnet.synsets(word, CODES[pos]))))
    means = {pos: np.mean(counts, axis=0) for pos, counts in counts_by_pos.items() if counts}
    return {
        kind: {pos: float(mean[column]) for pos, mean in means.items()} for column, kind in enumerate(("any", "own"))
    }
