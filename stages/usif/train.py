"""data/corpora/usif, data/vectors -> data/models/usif/<task>-<variant>/seed-<s>: probes on fixed sentence vectors.

The tasks are those whose sentences are in the corpus: sst or another classification, sick_r and sick_e.
"""

import shutil

from repline.files import new_folder
from repline.parameters import arguments, check, load, signature
from repline.systems.usif.probe_training import train_probe
from repline.systems.usif.settings import Runs, Settings
from stages import run, threads
from stages.usif import probes


def main() -> None:
    settings = load(Settings, "usif")
    knobs = signature(train_probe, given=("name", "seed", "threads"), base=Runs)
    chosen = check(knobs, settings.probes, "usif.probes")
    options = arguments(chosen, of=train_probe)
    checkpoints = []
    with new_folder("data/models/usif") as folder:
        for task in probes.tasks(settings):
            for variant in probes.VARIANTS:
                vectors = probes.embedded(task, variant, settings.components)
                for seed in chosen.seeds:
                    checkpoints += [
                        train_probe(
                            vectors,
                            task.targets,
                            task.classes,
                            folder / f"{task.name}-{variant}" / f"seed-{seed}",
                            "data/scratch",
                            name=f"usif-{task.name}-{variant}",
                            seed=seed,
                            threads=threads(),
                            **options,
                        )
                    ]
    for scratch in checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    run(main)
