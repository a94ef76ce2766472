"""Train an encoder on the dictionary task."""

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from repline.glyphs.bitmaps import Bitmaps
from repline.systems.visual_characters.character_numbers import character_ids, known_characters
from repline.systems.visual_characters.character_pictures import describe_characters
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.glosses.gloss_model import GlossModel, gloss_loss
from repline.systems.visual_characters.settings import GlossRecipe
from repline.training.batches import batches
from repline.training.padded_rows import padded_rows
from repline.training.run import Run, run

BATCHES_PER_TURN = 16  # of the training loop
DEV_BATCH = 1000  # words


class GlossData(NamedTuple):
    """The dictionary task as numbers.

    Attributes:
        bitmaps: of all n characters.
        glosses: names of the G glosses.
        words: by split, characters of the words [N, T], 0 behind the end, and their glosses [N, M], -1 behind the last.
            A training needs train and dev, which may be the same. An encoder that is a table learns vectors of the
            characters that train has twice or more; all others share one.
    """

    bitmaps: Bitmaps
    glosses: list[str]
    words: dict[str, tuple[Tensor, Tensor]]


def read_gloss_data(corpus: str | Path, bitmaps: Bitmaps) -> GlossData:
    """The words of `repline.systems.visual_characters.corpus.write_words` whose characters were all drawn."""
    names = read_rows(corpus, "glosses")["all"]
    numbers = {row["gloss"]: number for number, row in enumerate(names)}
    rows_of_splits = read_rows(corpus, "words", bitmaps)
    words = {}
    for split in ("train", "dev", "test", "unseen"):
        rows = rows_of_splits.get(split, [])
        targets = padded_rows([[numbers[gloss] for gloss in row["glosses"]] for row in rows], -1)
        words[split] = character_ids([row["word"] for row in rows], bitmaps), torch.from_numpy(targets)
    return GlossData(bitmaps, list(numbers), words)


def train_glosses(recipe: GlossRecipe, data: GlossData, this_run: Run) -> None:
    """Train one model with Adam, and save that of the epoch with the lowest dev loss."""
    train, dev = data.words["train"], data.words["dev"]
    characters = len(data.bitmaps.characters)
    torch.manual_seed(this_run.seed)
    model = GlossModel(len(data.glosses), recipe.kind, characters, recipe.dimensions, recipe.features, recipe.channels)
    model.encoder.show(torch.from_numpy(data.bitmaps.pixels))
    model.encoder.known = known_characters(train[0], characters)
    model.encoder.requires_grad_(recipe.trained)
    run(
        model,
        gloss_loss,
        batches(train, recipe.batch, seed=this_run.seed),
        recipe,
        this_run,
        data=(model.encoder.bitmaps, *train, *dev),
        validation=batches(dev, DEV_BATCH, shuffle=False),
        patience=recipe.epochs,  # unless the recipe has one: never stops early, keeps the best epoch
        batches_per_turn=BATCHES_PER_TURN,
    )
    describe_characters(this_run.folder, "glosses", data.bitmaps, {"glosses": data.glosses})
