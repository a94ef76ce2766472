"""data/corpora/usif, data/vectors -> data/models/usif/<task>-<variant>/seed-<s>: probes on fixed sentence vectors.

The tasks are those whose sentences are in the corpus: sst or another classification, sick_r and sick_e.
"""

from repline.parameters import arguments, check, load, signature
from repline.systems.usif.probe_training import train_probe
from repline.systems.usif.settings import Runs, Settings
from stages import run
from stages.seeds import models
from stages.usif import probes


def main() -> None:
    settings = load(Settings, "usif")
    knobs = signature(train_probe, given=("name", "seed", "threads", "hardware"), base=Runs)
    chosen = check(knobs, settings.probes, "usif.probes")
    options = arguments(chosen, of=train_probe)
    with models("data/models/usif") as made:
        for task in probes.tasks(settings):
            for variant in probes.VARIANTS:
                vectors = probes.embedded(task, variant, settings.components)
                name = f"{task.name}-{variant}"
                data = vectors, task.targets, task.classes
                made.train(train_probe, *data, seeds=chosen.seeds, into=name, name=f"usif-{name}", **options)


if __name__ == "__main__":
    run(main)
