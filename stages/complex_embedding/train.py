"""Train one network on one corpus, once per seed: `python -m stages.complex_embedding.train reviews_ce_mix`.

data/corpora/classification/<texts> -> data/models/complex_embedding/networks/<corpus>/<network>/seed-<s>
"""

from repline.corpora.labelled.classified_texts import read_texts
from repline.systems.complex_embedding.settings import load
from repline.systems.complex_embedding.training import train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, VECTORS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    recipe, network = settings.corpora[training.corpus].recipe, settings.networks[training.network]
    texts = read_texts(CORPORA / "classification" / training.texts)
    with trained_runs("complex_embedding", "networks", training.corpus, training.network) as runs:
        for seed in settings.seeds(training):
            train(recipe, network, texts, runs.run(seed), VECTORS / settings.vectors)


if __name__ == "__main__":
    run(main)
