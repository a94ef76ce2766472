"""What the three trainings of this system share: the encoder's characters, the checkpoints, the call of `fit`."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from repline.glyphs.bitmaps import Bitmaps
from repline.parameters import Count, Section
from repline.systems.visual_characters.character_numbers import character_counts
from repline.systems.visual_characters.encoders import CharacterEncoder, Kind
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.history import History, Loss
from repline.training.settings import Training

KNOWN_FROM = 2  # times that a character occurs in training; rarer ones train the table's unknown character


class Shape(Section):
    """Of a `CharacterEncoder`, but for its dimensions."""

    kind: Kind
    features: int = 0
    channels: Count = 32


def show(encoder: CharacterEncoder, bitmaps: Bitmaps, training: Tensor) -> None:
    """Give an encoder the bitmaps, and tell it which characters its training texts [N, T] know."""
    encoder.show(torch.from_numpy(bitmaps.pixels))
    encoder.known = character_counts(training, len(bitmaps.characters)) >= KNOWN_FROM


def checkpoint_folder(
    scratch: str | Path,
    name: str,
    model: nn.Module,
    loss: Loss,
    recipe: Training,
    *,
    settings: Mapping[str, Any],
    threads: int,
    tensors: Iterable[Tensor],
) -> Path:
    """The folder of `scratch` for the checkpoints of one training, named by everything that its result depends on."""
    depends = {**settings, "threads": threads}
    mark = fingerprint(model, depends, tuple(tensors), loss=loss, hardware=recipe.hardware)
    return Path(scratch) / f"visual_characters-{name}-{recipe.learning_rate}-{settings['seed']}-{mark}"


def fit_all_epochs(
    model: nn.Module,
    loss: Loss,
    training: DataLoader,
    validation: DataLoader,
    recipe: Training,
    *,
    name: str,
    seed: int,
    epochs: int | None = None,
    **more: Any,
) -> History:
    """`fit` by a recipe, for all its epochs or so many; the weights of the epoch with the lowest dev loss stay."""
    epochs = epochs or recipe.epochs
    return fit(
        model,
        loss,
        training,
        validation=validation,
        epochs=epochs,
        patience=epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=seed,
        hardware=recipe.hardware,
        name=f"{name}-{recipe.learning_rate}-{seed}",
        **more,
    )
