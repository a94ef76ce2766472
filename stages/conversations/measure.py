"""How alike all encoders find the pairs of a test: `python -m stages.conversations.measure NAME`.

data/models/conversations, data/<pairs> -> data/evaluation/conversations/measured/<test>.npz
"""

from pathlib import Path

from repline.files import new_file
from repline.systems.conversations.encoder import load
from repline.systems.conversations.pair_tests import (
    averaged,
    read_pair_test,
    similarities,
    unknown,
    vectors_of,
    word_overlap,
    write_measured,
)
from repline.systems.conversations.settings import read
from repline.vectors import store
from stages import run
from stages.argument import argument
from stages.conversations.places import MEASURED, MODELS


def main() -> None:
    settings = read()
    name = argument("the name of a test", settings.tests)
    given = settings.tests[name]
    test = read_pair_test(Path("data") / given.pairs, given.kind)
    tuning = settings.tuning if given.kind == "similarity" else None
    words, matrix = store.words_and_matrix(Path("data/vectors") / settings.vectors)
    place = {word: row for row, word in enumerate(words)}
    runs = {
        "tfidf": [word_overlap(test, tuning)],
        "average": [similarities(test, vectors_of(test, lambda sentences: averaged(sentences, place, matrix)), tuning)],
    }
    without: dict[str, int] = {}
    for variant in settings.variants:
        runs[variant] = []
        for seed in settings.seeds:
            encoder = load(MODELS / variant / f"seed-{seed}")
            without = without or unknown(test, encoder.known)  # all variants know the same words
            runs[variant].append(similarities(test, vectors_of(test, encoder.of), tuning))
    with new_file(MEASURED / f"{name}.npz") as partial, open(partial, "wb") as file:
        write_measured(file, test, runs, without)
    pairs = ", ".join(f"{len(scores):,} {split}" for split, scores in test.gold.items())
    print(
        f"{MEASURED / name}.npz: {len(runs)} encoders, {pairs}, {sum(without.values())} sentences without a known word"
    )


if __name__ == "__main__":
    run(main)
