"""Train one model with every seed: `python -m stages.tpgn.train tpgn`.

data/<captions> -> data/models/tpgn/<model>/seed-<s>/{fixed,stopped}
"""

from repline.corpora.captions.caption_corpus import read_captions
from repline.systems.tpgn.corpus import prepare
from repline.systems.tpgn.settings import load
from repline.systems.tpgn.training import train
from stages import run
from stages.argument import argument
from stages.folders import DATA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    name = argument("the name of a model", settings.models)
    data = prepare(read_captions(DATA / settings.captions), settings.minimum_count, settings.longest)
    with trained_runs("tpgn", name) as runs:
        for seed in settings.seeds:
            train(settings.training, settings.models[name], data, DATA / settings.vectors, runs.run(seed))


if __name__ == "__main__":
    run(main)
