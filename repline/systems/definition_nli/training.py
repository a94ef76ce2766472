"""Train one model on prepared pairs, keeping the weights of the epoch that was best on dev."""

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.lexicons.definitions import Dictionary, shuffled, write_definitions
from repline.parameters import JsonObject
from repline.systems.definition_nli.corpus import LANGUAGE, SPLITS, Data, Split
from repline.systems.definition_nli.model import DICTIONARY, PADDING, DefinitionNLI
from repline.systems.definition_nli.settings import Recipe
from repline.training.batches import batches
from repline.training.run import Run, run
from repline.use.folders import describe

PREDICTIONS = "predictions.npz"  # in a model's folder
PREDICTION_BATCH = 256  # pairs
BATCHES_PER_TURN = 8  # of the training loop


def train(recipe: Recipe, data: Data, this_run: Run) -> None:
    """Train one model and save it with its dictionary and its labels of dev and test, `predictions.npz`.

    The weights of the epoch with the highest accuracy on dev are kept.
    """
    torch.manual_seed(this_run.seed)
    labels = sorted(set(data.pairs["train"].labels))
    model = DefinitionNLI(
        labels, data.words, data.vectors.shape[1], recipe.kind, recipe.weights, recipe.state, recipe.dropout
    )
    model.begin(torch.from_numpy(data.vectors), torch.from_numpy(data.unknown))
    dictionary = _dictionary(data, recipe, this_run.seed)
    model.define(dictionary)
    parts = {split: _numbers(model, data.pairs[split]) for split in SPLITS}
    train, dev = parts["train"], parts["dev"]
    lengths = torch.maximum(*((side != PADDING).sum(1) for side in train[:2]))
    run(
        model,
        label_loss,
        batches(train, recipe.batch, seed=this_run.seed, lengths=lengths, padded=(0, 1)),
        recipe,
        this_run,
        data=(*train, *dev, model.entry_of, model.definitions),
        optimizer=_adadelta if recipe.optimizer == "adadelta" else None,
        measure=lambda model: {"dev_accuracy": float((predicted(model, *dev[:2]) == dev[2]).float().mean())},
        highest="dev_accuracy",
        batches_per_turn=BATCHES_PER_TURN,
    )
    write_definitions(dictionary, this_run.folder / DICTIONARY)
    predictions = {split: predicted(model, *parts[split][:2]).numpy() for split in ("dev", "test")}
    np.savez(this_run.folder / PREDICTIONS, allow_pickle=False, **predictions)
    shares = train[2].bincount(minlength=len(labels)).double() / len(train[2])
    options: JsonObject = {"language": LANGUAGE, "spread": data.spread, "longest": data.longest}
    describe(this_run.folder, "definition_nli", "inference", {**options, "shares": shares.tolist()})


def label_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Cross-entropy. batch: premises [B, T], hypotheses [B, T], labels [B]."""
    premises, hypotheses, labels = batch
    return cross_entropy(model(torch.cat([premises, hypotheses])), labels)


@torch.no_grad()
def predicted(model: DefinitionNLI, premises: Tensor, hypotheses: Tensor) -> Tensor:
    """The label of each pair as a number [N]; premises and hypotheses are [N, T]."""
    was_training = model.training
    model.eval()
    device = model.vectors.device
    labels = [
        model(torch.cat([premise_batch, hypothesis_batch]).to(device)).argmax(1).cpu()
        for premise_batch, hypothesis_batch in zip(
            premises.split(PREDICTION_BATCH), hypotheses.split(PREDICTION_BATCH), strict=True
        )
    ]
    model.train(was_training)
    return torch.cat(labels)


def _numbers(model: DefinitionNLI, split: Split) -> tuple[Tensor, Tensor, Tensor]:
    both = model.numbers(split.first + split.second)
    number_of_label = {label: number for number, label in enumerate(model.labels)}
    first, second = both.split(len(split.labels))
    return first, second, torch.tensor([number_of_label[label] for label in split.labels])


def _dictionary(data: Data, recipe: Recipe, seed: int) -> Dictionary:
    """The definitions of a run's headwords, the most frequent first."""
    frequent = [word for word in data.words if word in data.dictionary][: recipe.headwords]
    dictionary = {word: data.dictionary[word] for word in frequent}
    return shuffled(dictionary, seed) if recipe.dictionary == "shuffled" else dictionary


def _adadelta(parameters: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Optimizer:
    return torch.optim.Adadelta(parameters, learning_rate, rho=0.9)
