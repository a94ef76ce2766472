"""Train one model on prepared pairs, keeping the weights of the epoch that was best on dev."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, Unpack

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.lexicons.definitions import Dictionary, shuffled, write_definitions
from repline.parameters import Count, Share
from repline.systems.definition_nli.corpus import SPLITS, Data, Split
from repline.systems.definition_nli.model import PADDING, DefinitionNLI, Kind, State
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.settings import Training, settings_of

PREDICTIONS, DICTIONARY = "predictions.npz", "dictionary.tsv"  # beside a model
AT_ONCE = 256  # pairs that are predicted together
TOGETHER = 8  # batches in a turn of the loop


class Recipe(Training):
    """The parameters of `train_model`.

    Attributes:
        optimizer: adam, or adadelta with rho 0.9.
        dictionary: the true one, or one with the definitions dealt out anew.
        headwords: only so many of the most frequent words are headwords; None for all.
        kind, weights, state, dropout: of `DefinitionNLI`.
    """

    kind: Kind
    weights: Literal[1, 5, 7] = 7
    state: State = "last"
    dictionary: Literal["true", "shuffled"] = "true"
    headwords: Count | None = None
    dropout: Share
    optimizer: Literal["adam", "adadelta"] = "adam"


def train_model(
    data: Data,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train, and save the model, its dictionary, and what it predicts of dev and test, `predictions.npz`.

    Args:
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the run, unique in scratch.

    Returns:
        the folder of this run's checkpoints.
    """
    recipe = Recipe(**knobs)
    torch.manual_seed(seed)
    labels = sorted(set(data.pairs["train"].labels))
    model = DefinitionNLI(
        labels, data.words, data.vectors.shape[1], recipe.kind, recipe.weights, recipe.state, recipe.dropout
    )
    model.begin(torch.from_numpy(data.vectors), torch.from_numpy(data.unknown))
    dictionary = _dictionary(data, recipe, seed)
    model.define(dictionary)
    parts = {split: _numbers(model, data.pairs[split]) for split in SPLITS}
    train, dev = parts["train"], parts["dev"]
    settings = {"seed": seed} | settings_of(recipe)
    weights = [value for _, value in sorted(model.state_dict().items())]
    mark = fingerprint(
        model,
        settings | {"threads": threads},
        (*weights, *train, *dev, model.entry_of, model.definitions),
        loss=label_loss,
        hardware=recipe.hardware,
    )
    checkpoints = Path(scratch) / f"definition_nli-{name}-{seed}-{mark}"
    lengths = torch.maximum(*((side != PADDING).sum(1) for side in train[:2]))
    history = fit(
        model,
        label_loss,
        batches(train, recipe.batch, seed=seed, lengths=lengths),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        optimizer=_adadelta if recipe.optimizer == "adadelta" else None,
        gradient_clip=recipe.gradient_clip,
        measure=lambda model: {"dev_accuracy": float((predicted(model, *dev[:2]) == dev[2]).float().mean())},
        highest="dev_accuracy",
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=recipe.hardware,
        name=f"{name}-{seed}",
    )
    save_trained(model, folder, history, settings)
    write_definitions(dictionary, Path(folder) / DICTIONARY)
    np.savez(
        Path(folder) / PREDICTIONS, **{split: predicted(model, *parts[split][:2]).numpy() for split in ("dev", "test")}
    )
    return checkpoints


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
    found = [
        model(torch.cat([one, other]).to(device)).argmax(1).cpu()
        for one, other in zip(premises.split(AT_ONCE), hypotheses.split(AT_ONCE), strict=True)
    ]
    model.train(was_training)
    return torch.cat(found)


def _numbers(model: DefinitionNLI, split: Split) -> tuple[Tensor, Tensor, Tensor]:
    both = model.numbers(split.first + split.second)
    place = {label: number for number, label in enumerate(model.labels)}
    first, second = both.split(len(split.labels))
    return first, second, torch.tensor([place[label] for label in split.labels])


def _dictionary(data: Data, recipe: Recipe, seed: int) -> Dictionary:
    """The headwords of a run, the most frequent first."""
    frequent = [word for word in data.words if word in data.dictionary][: recipe.headwords]
    dictionary = {word: data.dictionary[word] for word in frequent}
    return shuffled(dictionary, seed) if recipe.dictionary == "shuffled" else dictionary


def _adadelta(parameters: Iterable[nn.Parameter], learning_rate: float) -> torch.optim.Optimizer:
    return torch.optim.Adadelta(parameters, learning_rate, rho=0.9)
