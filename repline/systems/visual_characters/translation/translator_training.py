"""Train a translator: its decoder as a language model first, then all of it."""

import torch
from torch import Tensor

from repline.glyphs.bitmaps import Bitmaps
from repline.systems.visual_characters.character_numbers import character_ids, known_characters
from repline.systems.visual_characters.character_pictures import describe_characters
from repline.systems.visual_characters.corpus import PairRow, Rows
from repline.systems.visual_characters.settings import Decoding, TranslatorRecipe
from repline.systems.visual_characters.translation.translation_pairs import PAD, Pair, target_ids, target_vocabulary
from repline.systems.visual_characters.translation.translator import Translator, language_model_loss, translation_loss
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.history import History
from repline.training.optimizers.schedules import halving
from repline.training.padded_rows import padded_rows
from repline.training.run import Run, first_weights, run

LOWEST_RATE = 1e-5


def train_translator(
    recipe: TranslatorRecipe, pairs: Rows, bitmaps: Bitmaps, this_run: Run, decoding: Decoding | None = None
) -> None:
    """Train one translator, and save that of the epoch with the lowest dev loss.

    Args:
        recipe: of the model and both trainings.
        pairs: of train and dev, with `source` and `target`, see `repline.systems.visual_characters.corpus.read_rows`.
        bitmaps: of all characters.
        this_run: seed, folder and hardware of the training.
        decoding: how the saved model translates, unless it is told otherwise; None for the default.
    """
    words = target_vocabulary([Pair(row["source"], row["target"]) for row in pairs["train"]], recipe.minimum_count)
    train, dev = (pair_tensors(pairs[split], bitmaps, words) for split in ("train", "dev"))
    characters = len(bitmaps.characters)
    torch.manual_seed(this_run.seed)
    model = Translator(
        words,
        recipe.kind,
        characters,
        recipe.dimensions,
        recipe.features,
        recipe.channels,
        recipe.units,
        recipe.layers,
        recipe.decoder_units,
        recipe.dropout,
    )
    model.encoder.show(torch.from_numpy(bitmaps.pixels))
    model.encoder.known = known_characters(train[0], characters)
    pretraining = _train_decoder(model, recipe, train, dev, this_run) if recipe.pretraining_epochs else []
    run(
        model,
        translation_loss,
        batches(train, recipe.batch, seed=this_run.seed),
        recipe,
        this_run,
        data=(model.encoder.bitmaps, *train, *dev),
        records=lambda _: {"pretraining": pretraining},
        validation=batches(dev, recipe.batch, shuffle=False),
        patience=recipe.epochs,
        schedule=halving(recipe.constant_epochs, LOWEST_RATE),
    )
    describe_characters(this_run.folder, "translator", bitmaps, {"decoding": (decoding or Decoding()).model_dump()})


def _train_decoder(
    model: Translator, recipe: TranslatorRecipe, train: tuple[Tensor, Tensor], dev: tuple[Tensor, Tensor], this_run: Run
) -> History:
    """Train the decoder of a model in place, as a language model of the target sentences."""
    hardware = this_run.hardware_for(recipe)
    mark = fingerprint(
        model,
        {"seed": this_run.seed, "threads": this_run.threads} | recipe.record(),
        (*first_weights(model), *train, *dev),
        loss=language_model_loss,
        code_digest=this_run.code_digest,
        hardware=hardware,
    )
    return fit(
        model,
        language_model_loss,
        batches(train, recipe.batch, seed=this_run.seed),
        validation=batches(dev, recipe.batch, shuffle=False),
        epochs=recipe.pretraining_epochs,
        patience=recipe.pretraining_epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=this_run.seed,
        checkpoints=this_run.checkpoint_folder(mark, "language-model"),
        threads=this_run.threads,
        hardware=hardware,
        checkpointing=this_run.checkpointing,
        name=f"{this_run.title}-language-model",
    )


def pair_tensors(rows: list[PairRow], bitmaps: Bitmaps, words: list[str]) -> tuple[Tensor, Tensor]:
    """Characters [N, S], 0 behind the end; symbols [N, T] from BEGIN to END, PAD behind it."""
    numbers = {word: number for number, word in enumerate(words)}
    ids = character_ids([row["source"] for row in rows], bitmaps)
    return ids, torch.from_numpy(padded_rows(target_ids([row["target"] for row in rows], numbers), PAD))
