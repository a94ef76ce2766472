"""data/corpora/usif, data/vectors -> data/models/usif/<task>-<variant>/seed-<s>: probes on fixed sentence vectors.

The tasks are those whose sentences are in the corpus: sst or another classification, sick_r and sick_e.
"""

from repline.systems.usif.probe_training import train_probe
from stages import run
from stages.seeds import models
from stages.usif import probes, weighted_words


def main() -> None:
    settings = weighted_words.read()
    options = dict(settings.probes)
    seeds = options.pop("seeds")
    with models("data/models/usif") as made:
        for task in probes.tasks(settings):
            for variant in probes.VARIANTS:
                vectors = probes.embedded(task, variant, settings.components)
                name = f"{task.name}-{variant}"
                data = vectors, task.targets, task.classes
                made.train(train_probe, *data, seeds=seeds, into=name, name=f"usif-{name}", **options)


if __name__ == "__main__":
    run(main)
