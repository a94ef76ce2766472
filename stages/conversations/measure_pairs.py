"""Measure how alike all encoders find the pairs of a test: `python -m stages.conversations.measure_pairs NAME`.

data/models/conversations, data/<pairs> -> data/evaluation/conversations/measured/<test>.npz
"""

from repline.systems.conversations.pair_similarities import measure_pairs
from repline.systems.conversations.pair_tests import read_pair_test, write_measured
from repline.systems.conversations.settings import load
from repline.training.run import runs
from repline.vectors import store
from stages import run
from stages.argument import argument
from stages.folders import DATA, EVALUATION, MODELS, VECTORS


def main() -> None:
    settings = load()
    name = argument("the name of a test", settings.tests)
    kind = settings.tests[name].kind
    test = read_pair_test(DATA / settings.tests[name].pairs, kind)
    models = {variant: runs(MODELS / "conversations" / variant) for variant in settings.variants}
    words, vectors = store.words_and_matrix(VECTORS / settings.vectors)
    measured = measure_pairs(test, models, words, vectors, settings.tuning if kind == "similarity" else None)
    path = EVALUATION / "conversations/measured" / f"{name}.npz"
    write_measured(path, measured)
    pairs = ", ".join(f"{len(scores):,} {split}" for split, scores in test.gold.items())
    without = sum(measured.unknown.values())
    print(f"{path}: {len(measured.runs)} encoders, {pairs}, {without} sentences without a known word")


if __name__ == "__main__":
    run(main)
