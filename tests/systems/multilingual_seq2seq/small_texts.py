"""Synthetic texts in three languages that are translations of each other, as word numbers."""

import numpy as np

from repline.systems.multilingual_seq2seq.corpus import Data, Texts
from repline.systems.multilingual_seq2seq.vocabulary import END, UNKNOWN

LANGUAGES = ("en", "de", "fr")
CONCEPTS = 12
FIRST = 3 + len(LANGUAGES)


def small_data(texts: int = 60, seed: int = 0) -> Data:
    """Sentences of two to five concepts, all even or all odd, which is the label; five texts are a document."""
    rng = np.random.default_rng(seed)
    words = ["<pad>", "<unk>", "<end>", *(f"<{language}>" for language in LANGUAGES)]
    words += [f"{language}{concept}" for language in LANGUAGES for concept in range(CONCEPTS)]
    rows = {
        language: [UNKNOWN, END, *range(FIRST + number * CONCEPTS, FIRST + (number + 1) * CONCEPTS)]
        for number, language in enumerate(LANGUAGES)
    }
    sets = {}
    for part in ("train", "dev", "test"):
        kinds = [str(row // 5 % 2) for row in range(texts)]
        concepts = [2 * rng.integers(0, CONCEPTS // 2, rng.integers(2, 6)) + int(kind) for kind in kinds]
        ids = {
            language: [(FIRST + number * CONCEPTS + text).tolist() for text in concepts]
            for number, language in enumerate(LANGUAGES)
        }
        firsts: dict[tuple[int, ...], int] = {}
        alike = [firsts.setdefault(tuple(text), row) for row, text in enumerate(ids["en"])]
        sets[part] = Texts(
            ids,
            [f"{part}-{row // 5}" for row in range(texts)],
            list(kinds),
            [True] * texts,
            {language: list(alike) for language in LANGUAGES},
        )
    return Data(words, rows, sets)
