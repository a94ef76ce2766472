"""Train a translator: its decoder as a language model first, then all of it."""

from pathlib import Path
from typing import Annotated, Any, Unpack

import torch
from pydantic import Field
from torch import Tensor

from repline.glyphs import bitmaps as glyphs
from repline.parameters import Count, Share
from repline.systems.visual_characters.character_numbers import character_ids, padded
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.fitting import Shape, checkpoint_folder, fit_all_epochs, show
from repline.systems.visual_characters.translation.translation_pairs import PAD, Pair, target_ids, target_vocabulary
from repline.systems.visual_characters.translation.translator import Translator, language_model_loss, translation_loss
from repline.training.batches import batches
from repline.training.fit import save_trained
from repline.training.history import History, Loss
from repline.training.optimizers.schedules import halving
from repline.training.settings import Training, settings_of

LOWEST = 1e-5  # learning rate


class TranslatorRecipe(Training, Shape):
    """The parameters of `train_translator`.

    constant_epochs: before the learning rate is halved every epoch.
    pretraining_epochs: of the decoder alone, as a language model.
    minimum_count: of a target word in training; rarer ones are one symbol.
    The others are those of `Translator`.
    """

    dimensions: Count
    units: Count = 512
    layers: Count = 2
    decoder_units: Annotated[list[Count], Field(min_length=1)]
    dropout: Share = 0.2
    constant_epochs: Count = 4
    pretraining_epochs: Annotated[int, Field(ge=0)] = 20
    minimum_count: Count = 2


def train_translator(
    corpus: str | Path,
    drawn: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[TranslatorRecipe],
) -> Path:
    """Train one translator, and save that of the epoch with the lowest dev loss into `folder`.

    Args:
        corpus, drawn, scratch, name, seed: as in `train_glosses`.

    Returns:
        the folder of this run's checkpoints.
    """
    recipe = TranslatorRecipe(**knobs)
    bitmaps = glyphs.read(drawn)
    rows = read_rows(corpus, "pairs", bitmaps)
    words = target_vocabulary([Pair(row["source"], row["target"]) for row in rows["train"]], recipe.minimum_count)
    data = {split: pair_tensors(rows[split], bitmaps, words) for split in ("train", "dev")}
    torch.manual_seed(seed)
    n = len(bitmaps.characters)
    model = Translator(
        words,
        recipe.kind,
        n,
        recipe.dimensions,
        recipe.features,
        recipe.channels,
        recipe.units,
        recipe.layers,
        recipe.decoder_units,
        recipe.dropout,
    )
    show(model.encoder, bitmaps, data["train"][0])
    settings = {"seed": seed} | settings_of(recipe)
    tensors = (torch.from_numpy(bitmaps.pixels).to(torch.uint8), *data["train"], *data["dev"])
    checkpoints = checkpoint_folder(
        scratch, name, model, translation_loss, recipe, settings=settings, threads=threads, tensors=tensors
    )

    def train(loss: Loss, epochs: int, part: str, **more: Any) -> History:
        return fit_all_epochs(
            model,
            loss,
            batches(data["train"], recipe.batch, seed=seed),
            batches(data["dev"], recipe.batch, shuffle=False),
            recipe,
            checkpoints=checkpoints / part,
            name=f"{name}-{part}",
            seed=seed,
            epochs=epochs,
            threads=threads,
            **more,
        )

    before: History = []
    if recipe.pretraining_epochs:
        before = train(language_model_loss, recipe.pretraining_epochs, "language-model")
    history = train(translation_loss, recipe.epochs, "translation", schedule=halving(recipe.constant_epochs, LOWEST))
    save_trained(model, folder, history, settings, pretraining=before)
    return checkpoints


def pair_tensors(rows: list[dict[str, Any]], bitmaps: glyphs.Bitmaps, words: list[str]) -> tuple[Tensor, Tensor]:
    """Characters [N, S], 0 behind the end; symbols [N, T] from BEGIN to END, PAD behind it."""
    numbers = {word: number for number, word in enumerate(words)}
    ids = character_ids([row["source"] for row in rows], bitmaps)
    return ids, padded(target_ids([row["target"] for row in rows], numbers), PAD)
