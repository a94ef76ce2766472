"""Predict ratings out of fold, once per seed: `python -m stages.concreteness.train RATINGS PART`.

data/corpora/concreteness/<ratings> -> data/models/concreteness/within/<ratings>/<part>/seed-<s>/predictions.parquet
"""

from repline.systems.concreteness.rated_words import read_rated_words
from repline.systems.concreteness.settings import load
from repline.systems.concreteness.training import train
from stages import run
from stages.argument import arguments
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    ratings, name = arguments({"some ratings": settings.ratings, "a part": settings.parts})
    part, rated = settings.parts[name], read_rated_words(CORPORA / "concreteness" / ratings)
    with trained_runs("concreteness", "within", ratings, name) as runs:
        for seed in part.seeds:
            words = rated.sample(part.most, seed)
            train(settings.svr, settings.ffn, part.methods, words, settings.folds, runs.run(seed))
            print(f"{ratings} {name}, seed {seed}: {len(words.words)} words", flush=True)


if __name__ == "__main__":
    run(main)
