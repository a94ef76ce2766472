"""Train an encoder on the dictionary task."""

from pathlib import Path
from typing import Unpack

import torch
from torch import Tensor

from repline.glyphs import bitmaps as glyphs
from repline.parameters import Count
from repline.systems.visual_characters.character_numbers import character_ids, padded
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.fitting import Shape, checkpoint_folder, fit_all_epochs, show
from repline.systems.visual_characters.glosses.gloss_model import GlossModel, gloss_loss
from repline.training.batches import batches
from repline.training.fit import save_trained
from repline.training.settings import Training, settings_of

TOGETHER = 16  # batches in a turn of the loop


class GlossRecipe(Training, Shape):
    """The parameters of `train_glosses`: the encoder, and how it is trained."""

    dimensions: Count


def train_glosses(
    corpus: str | Path,
    drawn: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[GlossRecipe],
) -> Path:
    """Train one model, and save that of the epoch with the lowest dev loss into `folder`.

    Args:
        corpus: the folder of `repline.systems.visual_characters.corpus.build`.
        drawn: the folder of the characters' bitmaps.
        scratch: for checkpoints.
        name: shown in progress lines.
        seed: of the first weights and the order of the batches.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.
    """
    chosen = GlossRecipe(**knobs)
    bitmaps = glyphs.read(drawn)
    data = {split: gloss_tensors(corpus, split, bitmaps) for split in ("train", "dev")}
    glosses = sum(map(len, read_rows(corpus, "glosses").values()))
    torch.manual_seed(seed)
    n = len(bitmaps.characters)
    model = GlossModel(glosses, chosen.kind, n, chosen.dimensions, chosen.features, chosen.channels)
    show(model.encoder, bitmaps, data["train"][0])
    settings = {"seed": seed} | settings_of(chosen)
    tensors = (torch.from_numpy(bitmaps.pixels).to(torch.uint8), *data["train"], *data["dev"])
    checkpoints = checkpoint_folder(
        scratch, name, model, gloss_loss, chosen, settings=settings, threads=threads, tensors=tensors
    )
    history = fit_all_epochs(
        model,
        gloss_loss,
        batches(data["train"], chosen.batch, seed=seed),
        batches(data["dev"], 1000, shuffle=False),
        chosen,
        checkpoints=checkpoints,
        together=TOGETHER,
        name=name,
        seed=seed,
        threads=threads,
    )
    save_trained(model, folder, history, settings)
    return checkpoints


def gloss_tensors(corpus: str | Path, split: str, bitmaps: glyphs.Bitmaps) -> tuple[Tensor, Tensor]:
    """Characters of the words [N, T], 0 behind the end, and their glosses [N, M], -1 behind the last."""
    rows = read_rows(corpus, "words", bitmaps).get(split, [])
    numbers = {row["gloss"]: number for number, row in enumerate(read_rows(corpus, "glosses")["all"])}
    targets = padded([[numbers[gloss] for gloss in row["glosses"]] for row in rows], -1)
    return character_ids([row["word"] for row in rows], bitmaps), targets
