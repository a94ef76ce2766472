"""data/{corpora,models,evaluation} of supervised_unsupervised -> metrics, claims, figures, plots.

`python -m stages.supervised_unsupervised.evaluate`
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.replication.weighted_draws import as_parts
from repline.systems.supervised_unsupervised.corpus import read_data
from repline.systems.supervised_unsupervised.evaluation import accuracies, per_place, reconstructions, transfers
from repline.systems.supervised_unsupervised.settings import CONTROLS, Settings, read, seeds_of
from repline.systems.supervised_unsupervised.state_probe import mean_errors
from repline.systems.supervised_unsupervised.training import MEASURED
from stages import run
from stages.conclusion import conclude
from stages.supervised_unsupervised.figures import figures, plots
from stages.supervised_unsupervised.places import CORPORA, MODELS, TRANSFER


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated: dict[str, Any] = {}
    for name in settings.corpora:
        metrics[name], repeated[name] = _corpus(name, settings)
    conclude("supervised_unsupervised", metrics, figures(metrics), plots(metrics), as_parts(repeated))


def _corpus(name: str, settings: Settings) -> tuple[dict[str, Any], dict[str, Any]]:
    """The numbers of a corpus, and their replicates."""
    data, moved = read_data(CORPORA / name), _transfer(name)
    gold = data.numbers("test").numpy()
    found: dict[str, Any] = {}
    repeated: dict[str, Any] = {}
    for variant in settings.variants:
        folders = [MODELS / name / variant / f"seed-{seed}" for seed in seeds_of(settings, variant)]
        measured = [_measured(folder) for folder in folders]
        trained = [json.loads((folder / "training.json").read_text(encoding="utf-8")) for folder in folders]
        accuracy, accuracy_again = accuracies([one["labels"] for one in measured], gold, data.pairs["test"].sources)
        parts, parts_again = reconstructions(measured)
        found[variant] = parts | {
            "accuracy": accuracy,
            "dev_accuracy": float(np.mean([max(one["dev_accuracy"] for one in run["history"]) for run in trained])),
            "parameters": trained[0]["parameters"],
            "parameters_of_the_second_loss": trained[0]["parameters_of_the_second_loss"],
        }
        repeated[variant] = parts_again | {"accuracy": accuracy_again}
        if variant in moved:
            found[variant]["transfer"], repeated[variant]["transfer"] = transfers(moved[variant])
    means = {target: per_place([errors]) for target, errors in mean_errors(data).items()}
    found[CONTROLS] = {"mean_vector": {target: point for target, (point, _) in means.items()}}
    repeated[CONTROLS] = {"mean_vector": {target: again for target, (_, again) in means.items()}}
    for control in ("untrained", "average"):
        point, again = transfers(moved[control])
        found[CONTROLS][control], repeated[CONTROLS][control] = {"transfer": point}, {"transfer": again}
    found[CONTROLS]["most_frequent"] = float(np.mean(gold == np.bincount(data.numbers("train")).argmax()))
    found["counts"] = read_card(CORPORA / name)["counts"]
    return found, repeated


def _measured(folder: Path) -> dict[str, np.ndarray]:
    try:
        with np.load(folder / MEASURED, allow_pickle=False) as found:
            return dict(found)
    except FileNotFoundError:
        raise InputError(f"{folder / MEASURED}: there is no such file; run `dvc repro` for it") from None


def _transfer(name: str) -> dict[str, Any]:
    path = TRANSFER / f"{name}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; run `dvc repro` for it") from None


if __name__ == "__main__":
    run(main)
