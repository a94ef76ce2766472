"""Train all classifiers of one vector space: `python -m stages.name_typing.train glove`.

data/<labels>, data/<vectors> -> data/models/name_typing/<space>/<control>/{lr,mlp,mlp_shared}/seed-<n>
"""

import json
from pathlib import Path

import torch

from repline.files import new_folder
from repline.systems.name_typing.named_vectors import controlled, read_names
from repline.systems.name_typing.settings import read
from repline.systems.name_typing.training import PERCEPTRONS, save_classifier, train_logistic, train_perceptron
from repline.training.settings import hardware
from stages import run, threads
from stages.argument import argument

MODELS = Path("data/models/name_typing")
SCRATCH = "data/scratch/name_typing"


def main() -> None:
    settings = read()
    name = argument("a space of name_typing.spaces", settings.spaces)
    space = settings.spaces[name]
    torch.set_num_threads(threads())
    given, _ = read_names(Path("data") / settings.labels, Path("data") / space.vectors, settings.sizes)
    with new_folder(MODELS / name) as folder:
        for control in ("given", *space.controls):
            names = controlled(given, control)
            model, record = train_logistic(names, settings.lr)
            _save(model, record, folder / control / "lr" / "seed-0")
            for kind in PERCEPTRONS:
                knobs = getattr(settings, kind)
                for seed in settings.seeds if control == "given" else settings.seeds[:1]:
                    own = hardware(knobs.hardware)
                    run_name = f"{name}-{control}-{kind}-{seed}"
                    options = {"seed": seed, "threads": threads(), "hardware": own, "name": run_name}
                    model, record = train_perceptron(names, kind, knobs, SCRATCH, **options)
                    _save(model, record, folder / control / kind / f"seed-{seed}")


def _save(model: torch.nn.Module, record: dict, folder: Path) -> None:
    save_classifier(model, folder, record)
    shown = {key: value for key, value in record.items() if key in ("l2", "hidden", "dev_f1")}
    print(f"{'/'.join(folder.parts[-3:])}: {json.dumps(shown)}", flush=True)


if __name__ == "__main__":
    run(main)
