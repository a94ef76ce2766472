"""Synthetic documents whose label is a polarity word, turned round by a negation too far away for a narrow window.

Three sentences of nine filler words; in one of them, drawn, stand a polarity word (good, bad) and an operator (not,
indeed), four places or more apart. The label is positive for "good ... indeed" and "bad ... not", in either order. Each
word alone and each pair of neighbours says nothing: the four combinations are equally frequent.
"""

from pathlib import Path

import numpy as np

from repline.errors import InputError
from repline.files import new_file
from repline.parameters import Count

FILE = "negation.tsv"
FILLERS = (
    *("the", "room", "was", "on", "a", "street", "with", "two", "windows", "and"),
    *("we", "had", "some", "tea", "there", "in", "autumn", "before", "leaving", "again"),
)
SENTENCES, WORDS, APART = 3, 9, 4


def write(folder: str | Path, *, seed: int = 0, train: Count = 2000, dev: Count = 200, test: Count = 200) -> None:
    """Write `negation.tsv`: part, label, text, with a head; no text is there twice.

    Raises:
        InputError: a part that is not a positive number.
    """
    sizes = {"train": train, "dev": dev, "test": test}
    if min(sizes.values()) < 1:
        raise InputError(f"negation_toy: expected parts of at least one document, found {sizes}")
    rng = np.random.default_rng(seed)
    seen: set[str] = set()
    with new_file(Path(folder) / FILE) as partial, open(partial, "w", encoding="utf-8", newline="\n") as file:
        file.write("part\tlabel\ttext\n")
        for part, size in sizes.items():
            for number in range(size):
                while True:
                    label, text = _document(rng, number % 4)
                    if text not in seen:
                        break
                seen.add(text)
                file.write(f"{part}\t{label}\t{text}\n")


def _document(rng: np.random.Generator, combination: int) -> tuple[str, str]:
    bad, negated = divmod(combination, 2)
    sentences = [[FILLERS[filler] for filler in rng.integers(len(FILLERS), size=WORDS)] for _ in range(SENTENCES)]
    apart = int(rng.integers(APART, WORDS))
    first = int(rng.integers(WORDS - apart))
    positions = rng.permutation([first, first + apart])
    sentence_changed = sentences[int(rng.integers(SENTENCES))]
    sentence_changed[positions[0]], sentence_changed[positions[1]] = ("good", "bad")[bad], ("indeed", "not")[negated]
    label = "negative" if bad ^ negated else "positive"
    return label, " ".join(" ".join(sentence) + " ." for sentence in sentences)
