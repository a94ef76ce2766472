"""Train one variant on a corpus, once per seed: `python -m stages.srl_seq2seq.train CORPUS VARIANT`.

data/corpora/srl_seq2seq/<corpus> -> data/models/srl_seq2seq/<corpus>/<variant>/seed-<s>, with outputs on test
"""

from repline.systems.srl_seq2seq.corpus import read_data
from repline.systems.srl_seq2seq.settings import load
from repline.systems.srl_seq2seq.training import train
from stages import run
from stages.argument import arguments
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    corpus, variant = arguments({"a corpus": settings.corpora, "a variant": settings.variants})
    data, recipe = read_data(CORPORA / "srl_seq2seq" / corpus), settings.recipe_for(corpus, variant)
    with trained_runs("srl_seq2seq", corpus, variant) as runs:
        for seed in settings.seeds_for(corpus, variant):
            train(recipe, data, runs.run(seed))


if __name__ == "__main__":
    run(main)
