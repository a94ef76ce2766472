"""Train one network on one corpus, once per seed: `python -m stages.hcan.train chapters_hcan`.

data/corpora/classification/<texts>, data/models/hcan/vectors/<corpus>
-> data/models/hcan/networks/<corpus>/<network>/seed-<s>
"""

from repline.corpora.labelled.classified_texts import read_texts
from repline.systems.hcan.settings import load
from repline.systems.hcan.training import train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    training = settings.trainings[argument("the name of a training", settings.trainings)]
    corpus, network = settings.corpora[training.corpus], settings.networks[training.network]
    texts = read_texts(CORPORA / "classification" / training.texts)
    vectors = MODELS / "hcan" / "vectors" / training.corpus if corpus.vectors == "train" else None
    with trained_runs("hcan", "networks", training.corpus, training.network) as runs:
        for seed in settings.seeds(training):
            train(corpus.recipe, network, texts, runs.run(seed), vectors)


if __name__ == "__main__":
    run(main)
