"""Train a tagger on the characters' vectors of a trained encoder, fixed or adapted."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

import torch
from pydantic import Field
from torch import Tensor
from torch.optim import Adagrad

from repline.errors import InputError
from repline.glyphs import bitmaps as glyphs
from repline.parameters import Count, Share
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_numbers import character_counts, character_ids, padded
from repline.systems.visual_characters.corpus import read_rows, text_of
from repline.systems.visual_characters.fitting import KNOWN_FROM, checkpoint_folder, fit_all_epochs
from repline.systems.visual_characters.glosses.gloss_model import GlossModel
from repline.systems.visual_characters.tagging.tagged_text import labels
from repline.systems.visual_characters.tagging.tagger import Tagger, tagger_loss
from repline.training.batches import batches
from repline.training.fit import save_trained
from repline.training.settings import Training, settings_of

Mode = Literal["fix", "adapt"]
TOGETHER = 8  # batches in a turn of the loop


class TaggerRecipe(Training):
    """The parameters of `train_tagger`; those of the model are `Tagger`'s."""

    hidden: Count = 512
    dilations: Annotated[list[Count], Field(min_length=1)]
    iterations: Count = 1
    dropout: Share = 0.1
    output_dropout: Share = 0.5


def train_tagger(
    corpus: str | Path,
    drawn: str | Path,
    start: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    mode: Mode,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[TaggerRecipe],
) -> Path:
    """Train one tagger with AdaGrad, and save that of the epoch with the lowest dev loss into `folder`.

    Args:
        start: the folder of a `GlossModel`, whose encoder is taken.
        mode: fix the characters' vectors, or adapt the encoder.
        corpus, drawn, scratch, name, seed: as in `train_glosses`.

    Returns:
        the folder of this run's checkpoints.
    """
    recipe = TaggerRecipe(**knobs)
    bitmaps = glyphs.read(drawn)
    names = label_names(corpus)
    data = {split: tagged_tensors(corpus, split, bitmaps, names) for split in ("train", "dev")}
    torch.manual_seed(seed)
    model = tagger_of(start, names, bitmaps, mode, recipe, data["train"][0])
    settings = {"seed": seed, "mode": mode} | settings_of(recipe)
    weights = [value for _, value in sorted(model.state_dict().items())]
    tensors = (*weights, *data["train"], *data["dev"])
    checkpoints = checkpoint_folder(
        scratch, f"{name}-{mode}", model, tagger_loss, recipe, settings=settings, threads=threads, tensors=tensors
    )
    lengths = {split: (ids > 0).sum(1) for split, (ids, _) in data.items()}
    history = fit_all_epochs(
        model,
        tagger_loss,
        batches(data["train"], recipe.batch, seed=seed, lengths=lengths["train"]),
        batches(data["dev"], recipe.batch, shuffle=False, lengths=lengths["dev"]),
        recipe,
        optimizer=lambda weights, rate: Adagrad([one for one in weights if one.requires_grad], rate),
        checkpoints=checkpoints,
        together=TOGETHER,
        name=f"{name}-{mode}",
        seed=seed,
        threads=threads,
    )
    save_trained(model, folder, history, settings)
    return checkpoints


def tagger_of(
    start: str | Path, names: list[str], bitmaps: glyphs.Bitmaps, mode: Mode, recipe: TaggerRecipe, training: Tensor
) -> Tagger:
    """A tagger with the encoder of a trained dictionary model.

    The table learns the characters of its own training data; where those of the dictionary are not among them, they
    begin as its unknown character.
    """
    first = pretrained(GlossModel, start)
    first.encoder.show(torch.from_numpy(bitmaps.pixels))
    shape = encoder_arguments(start)
    model = Tagger(
        names,
        **shape,
        hidden=recipe.hidden,
        dilations=recipe.dilations,
        iterations=recipe.iterations,
        dropout=recipe.dropout,
        output_dropout=recipe.output_dropout,
        fixed=mode == "fix",
    )
    if mode == "fix":
        model.vectors.copy_(first.encoder.cached_table())
        return model
    model.encoder.load_state_dict(first.encoder.state_dict())
    if model.encoder.table is not None:
        known = first.encoder.known
        here = character_counts(training, len(bitmaps.characters)) >= KNOWN_FROM
        with torch.no_grad():
            model.encoder.table.weight[~known] = model.encoder.table.weight[0].clone()
        model.encoder.known = known | here
    model.encoder.show(torch.from_numpy(bitmaps.pixels))
    return model


def encoder_arguments(folder: str | Path) -> dict[str, Any]:
    """Those of `CharacterEncoder`, from the config.json of a model that has one."""
    config: Mapping[str, Any] = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    return {name: config[name] for name in ("kind", "characters", "dimensions", "features", "channels")}


def label_names(corpus: str | Path) -> list[str]:
    """The labels of the training sentences, sorted."""
    rows = read_rows(corpus, "tagged").get("train", [])
    tags = {tag for row in rows for tag in row["tag"]}
    if not tags:
        raise InputError(f"{corpus}: there is no tagged sentence to train on")
    return sorted(f"{part}-{tag}" for part in "BI" for tag in tags)


def tagged_tensors(corpus: str | Path, split: str, bitmaps: glyphs.Bitmaps, names: list[str]) -> tuple[Tensor, Tensor]:
    """Characters [N, T], 0 behind the end, and numbers of their labels [N, T].

    A tag that training does not have counts as the first label; sentences with it are never judged by the loss alone.
    """
    rows = read_rows(corpus, "tagged", bitmaps).get(split, [])
    numbers = {label: number for number, label in enumerate(names)}
    found = [labels(list(zip(row["tokens"], row["tag"], strict=True))) for row in rows]
    ids = character_ids([text_of("tagged", row) for row in rows], bitmaps)
    return ids, padded([[numbers.get(label, 0) for label in sentence] for sentence in found], 0)
