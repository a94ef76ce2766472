"""Every variant and seed on a corpus: `python -m stages.multilingual_seq2seq.train NAME`.

data/corpora/multilingual_seq2seq/<corpus> -> data/models/multilingual_seq2seq/<corpus>/<variant>/seed-<s>
"""

from repline.systems.multilingual_seq2seq.corpus import read_data
from repline.systems.multilingual_seq2seq.settings import read
from repline.systems.multilingual_seq2seq.training import train_model
from stages import run
from stages.argument import argument
from stages.multilingual_seq2seq.places import CORPORA, MODELS
from stages.seeds import models


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    data, pairs = read_data(CORPORA / name), settings.corpora[name].pairs
    with models(MODELS / name) as made:
        for variant, knobs in settings.recipes(name).items():
            seeds = settings.seeds_of(name, variant)
            given = {key: value for key, value in knobs.items() if key != "seeds"}
            made.train(train_model, data, seeds=seeds, into=variant, pairs=pairs, name=f"{name}-{variant}", **given)


if __name__ == "__main__":
    run(main)
