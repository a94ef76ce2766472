"""Training of the classifiers of one vector space."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from repline.files import new_folder, write_json
from repline.parameters import Count, Positive, Section
from repline.systems.name_typing.evaluation import measures, name_counts
from repline.systems.name_typing.logistic_regression import fit_logistic
from repline.systems.name_typing.model import LinearTypes, SeparatePerceptrons, SharedPerceptron
from repline.systems.name_typing.named_vectors import Names
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.settings import ANY, Hardware

PERCEPTRONS = {"mlp": SeparatePerceptrons, "mlp_shared": SharedPerceptron}
MODELS = {"lr": LinearTypes} | PERCEPTRONS


class Logistic(Section):
    """Knobs of LR: penalties, of which the one with the best micro-F1 on dev at 0.5 is taken."""

    l2: Annotated[list[Positive], Field(min_length=1)]


class Perceptron(Section):
    """Knobs of the perceptrons: hidden units of each type's (or of the shared layer), chosen as LR's penalty is."""

    hidden: Annotated[list[Count], Field(min_length=1)]
    epochs: Count
    batch: Count
    learning_rate: Positive
    hardware: dict[str, Any] = Field(default_factory=dict)


def train_logistic(names: Mapping[str, Names], knobs: Logistic) -> tuple[LinearTypes, dict[str, Any]]:
    """The logistic regression of all types, and what was chosen for it."""
    train = names["train"]
    x = torch.from_numpy(train.vectors)
    found = []
    for l2 in knobs.l2:
        model = LinearTypes(x.shape[1], train.labels.shape[1])
        model.standardised.fit(x)
        slopes, intercepts = fit_logistic(model.standardised(x).numpy(), train.known, l2)
        with torch.no_grad():
            model.readout.weight.copy_(torch.from_numpy(slopes))
            model.readout.bias.copy_(torch.from_numpy(intercepts))
        found.append((_dev_f1(model, names["dev"]), {"l2": l2}, model.eval()))
    return _best(found)


def train_perceptron(
    names: Mapping[str, Names],
    kind: str,
    knobs: Perceptron,
    scratch: str | Path,
    *,
    seed: int,
    threads: int = 1,
    hardware: Hardware = ANY,
    name: str,
) -> tuple[nn.Module, dict[str, Any]]:
    """One of `PERCEPTRONS` by Adam on the mean of the log losses, and what was chosen for it.

    Args:
        kind: mlp or mlp_shared.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on, and are removed.
        threads, hardware: of `repline.training.fit`.
        name: of the run, unique in scratch.
    """
    train = names["train"]
    x, y = torch.from_numpy(train.vectors), torch.from_numpy(train.known.astype(np.float32))
    found = []
    for hidden in knobs.hidden:
        torch.manual_seed(seed)
        model = PERCEPTRONS[kind](x.shape[1], y.shape[1], hidden)
        model.standardised.fit(x)
        settings = knobs.model_dump(exclude={"hardware", "hidden"}) | {"hidden": hidden, "seed": seed, "kind": kind}
        mark = fingerprint(model, settings | {"threads": threads}, (x, y), hardware=hardware)
        checkpoints = Path(scratch) / f"{name}-{mark}"
        history = fit(
            model,
            type_loss,
            batches((x, y), knobs.batch, seed=seed),
            epochs=knobs.epochs,
            learning_rate=knobs.learning_rate,
            optimizer=lambda parameters, rate: torch.optim.Adam(parameters, rate, fused=True),
            seed=seed,
            checkpoints=checkpoints,
            together=16,
            threads=threads,
            hardware=hardware,
            name=name,
        )
        shutil.rmtree(checkpoints, ignore_errors=True)
        found.append((_dev_f1(model, names["dev"]), settings | {"history": history}, model.cpu().eval()))
    return _best(found)


def type_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """The log loss, summed over types (which share nothing but, perhaps, a layer) and averaged over names."""
    x, y = batch
    return binary_cross_entropy_with_logits(model(x), y, reduction="sum") / len(x)


def probabilities(model: nn.Module, names: Names) -> NDArray[np.float32]:
    """P(t|n) of the covered names, [c, T]."""
    with torch.inference_mode():
        parts = [model(part).sigmoid() for part in torch.from_numpy(names.vectors).split(8192)]
    return torch.cat(parts).numpy()


def save_classifier(model: nn.Module, folder: str | Path, record: Mapping[str, Any]) -> None:
    """config.json, model.safetensors, and training.json with what was chosen; replaces what was there."""
    with new_folder(folder) as partial:
        model.save_pretrained(partial)
        write_json(partial / "training.json", dict(record))


def _dev_f1(model: nn.Module, dev: Names) -> float:
    counts = name_counts(probabilities(model, dev) > 0.5, dev.known)
    return float(measures(counts, np.ones((1, len(counts)), np.int64))["f1"][0])


def _best(found: list[tuple[float, dict[str, Any], Any]]) -> tuple[Any, dict[str, Any]]:
    f1, record, model = max(found, key=lambda one: one[0])
    return model, record | {"dev_f1": f1}
