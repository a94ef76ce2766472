"""The encoders of a corpus on other tasks: `python -m stages.supervised_unsupervised.transfer NAME`.

data/models/supervised_unsupervised/NAME, data/<sources> -> data/evaluation/supervised_unsupervised/transfer/NAME.json
"""

from pathlib import Path

import torch

from repline.cards import read_card
from repline.evaluation.sentences.task_files import read_tasks
from repline.files import write_json
from repline.systems.supervised_unsupervised.corpus import read_data
from repline.systems.supervised_unsupervised.settings import read, recipes, seeds_of
from repline.systems.supervised_unsupervised.training import Recipe
from repline.systems.supervised_unsupervised.transfer import transferred
from stages import run, threads
from stages.argument import argument
from stages.supervised_unsupervised.places import CORPORA, MODELS, TRANSFER


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    torch.set_num_threads(threads())
    asked = settings.transfer
    sources = [Path("data") / source for source in dict.fromkeys(asked.sources)]
    made_with = read_card(CORPORA / name)["parameters"]
    every = recipes(settings)
    variants = asked.variants or list(every)
    found = transferred(
        MODELS / name,
        read_data(CORPORA / name),
        read_tasks(sources, asked.tasks),
        asked,
        variants={variant: seeds_of(settings, variant) for variant in variants},
        untrained=(Recipe(**every[variants[0]]), settings.seeds),
        **{key: made_with[key] for key in ("vectors", "lower_case", "spread")},
    )
    write_json(TRANSFER / f"{name}.json", found)
    for variant, runs in found.items():
        shown = ", ".join(f"{task} {100 * runs[0][task]['value']:.1f}" for task in runs[0])
        print(f"{variant}, the first of {len(runs)} seeds: {shown}")


if __name__ == "__main__":
    run(main)
