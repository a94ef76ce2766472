"""Train one of the `trainings`, once per seed: `python -m stages.multilingual_seq2seq.train NAME`.

data/corpora/multilingual_seq2seq/<corpus> -> data/models/multilingual_seq2seq/<corpus>/<variant>/seed-<s>
"""

from repline.systems.multilingual_seq2seq.corpus import read_data
from repline.systems.multilingual_seq2seq.settings import load
from repline.systems.multilingual_seq2seq.training import train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    corpus, variant = training.corpus, training.variant
    data, recipe = read_data(CORPORA / "multilingual_seq2seq" / corpus), settings.recipe_for(corpus, variant)
    with trained_runs("multilingual_seq2seq", corpus, variant) as runs:
        for seed in settings.seeds_for(corpus, variant):
            train(recipe, data, settings.corpora[corpus].pairs, runs.run(seed))


if __name__ == "__main__":
    run(main)
