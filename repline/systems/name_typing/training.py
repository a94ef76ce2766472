"""Training of the classifiers of one vector space."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from repline.files import another_process, new_folder, write_json
from repline.parameters import JsonObject
from repline.pretrained import save_model
from repline.systems.name_typing.classifier_files import RawNames, describe_classifier
from repline.systems.name_typing.corpus import Names
from repline.systems.name_typing.evaluation import measures, name_counts, probabilities
from repline.systems.name_typing.logistic_regression import fit_logistic
from repline.systems.name_typing.model import LinearTypes, SeparatePerceptrons, SharedPerceptron
from repline.systems.name_typing.settings import Classifier, Classifiers, Logistic, Perceptron
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.run import Run, first_weights

PERCEPTRONS: dict[str, type[SeparatePerceptrons] | type[SharedPerceptron]] = {
    "mlp": SeparatePerceptrons,
    "mlp_shared": SharedPerceptron,
}
BATCHES_PER_TURN = 16  # of the training loop


def train(
    classifier: Classifier,
    recipes: Classifiers,
    names: Mapping[str, Names],
    this_run: Run,
    raw_names: RawNames | None = None,
) -> None:
    """Train a classifier of all types on the names of train, and save it with what was chosen for it on dev.

    Args:
        classifier: lr, mlp or mlp_shared.
        raw_names: what the folder keeps to type any name; None for a control, whose vectors say nothing.
    """
    if classifier == "lr":
        train_logistic(recipes.lr, names, this_run)
    else:
        train_perceptron(classifier, getattr(recipes, classifier), names, this_run)
    if raw_names is not None:
        describe_classifier(this_run.folder, classifier, names, raw_names)


def train_logistic(recipe: Logistic, names: Mapping[str, Names], this_run: Run) -> None:
    """Train the logistic regression of all types; the same for every seed."""
    torch.set_num_threads(this_run.threads)
    train = names["train"]
    x = torch.from_numpy(train.vectors)
    candidates = []
    for l2 in recipe.l2:
        model = LinearTypes(x.shape[1], train.labels.shape[1])
        model.standardised.fit(x)
        slopes, intercepts = fit_logistic(model.standardised(x).numpy(), train.covered_labels, l2)
        with torch.no_grad():
            model.readout.weight.copy_(torch.from_numpy(slopes))
            model.readout.bias.copy_(torch.from_numpy(intercepts))
        candidates.append((_dev_f1(model, names["dev"]), {"l2": l2}, model.eval()))
    _save_best(candidates, this_run)


def train_perceptron(classifier: str, recipe: Perceptron, names: Mapping[str, Names], this_run: Run) -> None:
    """Train one of `PERCEPTRONS` by Adam on the mean of the log losses.

    Args:
        classifier: mlp or mlp_shared.
    """
    torch.set_num_threads(this_run.threads)
    train = names["train"]
    x, y = torch.from_numpy(train.vectors), torch.from_numpy(train.covered_labels.astype(np.float32))
    hardware = this_run.hardware_for(recipe)
    stops_early = recipe.patience is not None  # else the weights of the last epoch are those that count
    watched = (names["dev"].vectors, names["dev"].covered_labels) if stops_early else ()
    candidates = []
    for hidden in recipe.hidden:
        torch.manual_seed(this_run.seed)
        model = PERCEPTRONS[classifier](x.shape[1], y.shape[1], hidden)
        model.standardised.fit(x)
        record = recipe.record() | {"hidden": hidden, "seed": this_run.seed, "kind": classifier}
        depends_on = record | {"threads": this_run.threads}
        data = (*first_weights(model), x, y, *watched)
        mark = fingerprint(model, depends_on, data, loss=type_loss, code_digest=this_run.code_digest, hardware=hardware)
        history = fit(
            model,
            type_loss,
            batches((x, y), recipe.batch, seed=this_run.seed),
            epochs=recipe.epochs,
            learning_rate=recipe.learning_rate,
            gradient_clip=recipe.gradient_clip,
            optimizer=lambda parameters, rate: torch.optim.Adam(parameters, rate, fused=True),
            seed=this_run.seed,
            checkpoints=this_run.checkpoint_folder(mark, f"{hidden}-units"),
            batches_per_turn=BATCHES_PER_TURN,
            threads=this_run.threads,
            hardware=hardware,
            checkpointing=this_run.checkpointing,
            name=this_run.title,
            patience=recipe.patience,
            measure=(lambda model: {"dev_f1": _dev_f1(model, names["dev"])}) if stops_early else None,
            highest="dev_f1" if stops_early else None,
        )
        candidates.append((_dev_f1(model, names["dev"]), record | {"history": history}, model.cpu().eval()))
    _save_best(candidates, this_run)


def type_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """The log loss, summed over types (which share nothing but, perhaps, a layer) and averaged over names."""
    x, y = batch
    return binary_cross_entropy_with_logits(model(x), y, reduction="sum") / len(x)


def _dev_f1(model: nn.Module, dev: Names) -> float:
    counts = name_counts(probabilities(model, dev) > 0.5, dev.covered_labels)
    return float(measures(counts, np.ones((1, len(counts)), np.int64))["f1"][0])


def _save_best(candidates: Sequence[tuple[float, JsonObject, Any]], this_run: Run) -> None:
    """Write config.json, model.safetensors, and training.json with what was chosen; replaces what was there."""
    f1, record, model = max(candidates, key=lambda candidate: candidate[0])
    with new_folder(this_run.folder) as partial:
        save_model(model, partial)
        write_json(partial / "training.json", {**record, "dev_f1": f1})
    if not another_process():
        selected = next(f"{key} {record[key]}" for key in ("l2", "hidden") if key in record)
        print(f"{this_run.title}: {selected}, F1 on dev {100 * f1:.1f}", flush=True)
