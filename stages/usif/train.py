"""Train probes of one variant, once per task and seed: `python -m stages.usif.train VARIANT`.

data/corpora/usif, data/vectors -> data/models/usif/<variant>/<task>/seed-<s>. The tasks are those whose sentences are
in the corpus: sst or another classification, sick_r and sick_e.
"""

from repline.systems.usif.probe_tasks import embedded, read_tasks
from repline.systems.usif.settings import load
from repline.systems.usif.training import train
from repline.systems.usif.weighted_words import WeightedWords
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, VECTORS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variant = argument("the name of a variant", settings.probes.variants)
    words = WeightedWords.read(VECTORS / settings.vectors, CORPORA / "usif")
    with trained_runs("usif", variant) as runs:
        for task in read_tasks(CORPORA / "usif", settings.length):
            vectors = embedded(task, words, variant, settings.components)
            for seed in settings.probes.seeds:
                train(settings.probes.training, vectors, task.targets, task.classes, runs.run(seed, task.name))


if __name__ == "__main__":
    run(main)
