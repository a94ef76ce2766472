"""Every variant and seed on a corpus: `python -m stages.srl_seq2seq.train NAME`.

data/corpora/srl_seq2seq/<corpus> -> data/models/srl_seq2seq/<corpus>/<variant>/seed-<s>, with outputs on test
"""

from repline.systems.srl_seq2seq.corpus import read_data
from repline.systems.srl_seq2seq.settings import read, recipes, seeds
from repline.systems.srl_seq2seq.training import train_model
from stages import run
from stages.argument import argument
from stages.seeds import models
from stages.srl_seq2seq.places import CORPORA, MODELS


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    data = read_data(CORPORA / name)
    with models(MODELS / name) as made:
        for variant, knobs in recipes(settings, name).items():
            knobs.pop("runs", None)
            own = seeds(settings, name, variant)
            made.train(train_model, data, seeds=own, into=variant, name=f"{name}-{variant}", **knobs)


if __name__ == "__main__":
    run(main)
