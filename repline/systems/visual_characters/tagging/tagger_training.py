"""Train a tagger on the characters' vectors of a trained encoder, fixed or adapted."""

import json
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.optim import Adagrad

from repline.errors import InputError
from repline.glyphs.bitmaps import Bitmaps
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_numbers import character_ids, known_characters
from repline.systems.visual_characters.character_pictures import describe_characters
from repline.systems.visual_characters.corpus import TaggedRow, read_rows, text_of
from repline.systems.visual_characters.encoders import Kind
from repline.systems.visual_characters.glosses.gloss_model import GlossModel
from repline.systems.visual_characters.settings import TaggerRecipe
from repline.systems.visual_characters.tagging.tagged_text import labels
from repline.systems.visual_characters.tagging.tagger import ENCODER, Tagger, tagger_loss
from repline.training.batches import batches
from repline.training.padded_rows import padded_rows
from repline.training.run import Run, run

BATCHES_PER_TURN = 8  # of the training loop


class TaggedData(NamedTuple):
    """Tagged sentences as numbers.

    Attributes:
        bitmaps: of all n characters.
        labels: of the training sentences, sorted.
        sentences: of train and dev, characters [N, T], 0 behind the end, and numbers of their labels [N, T].
    """

    bitmaps: Bitmaps
    labels: list[str]
    sentences: dict[str, tuple[Tensor, Tensor]]


def read_tagged_data(corpus: str | Path, bitmaps: Bitmaps) -> TaggedData:
    """The sentences of `repline.systems.visual_characters.corpus.write_tagged` whose characters were all drawn.

    A tag that training does not have counts as the first label; sentences with it are never judged by the loss alone.

    Raises:
        InputError: there is no sentence to train on.
    """
    names = label_names(read_rows(corpus, "tagged").get("train", []), corpus)
    numbers = {label: number for number, label in enumerate(names)}
    rows_of_splits = read_rows(corpus, "tagged", bitmaps)
    sentences = {}
    for split in ("train", "dev"):
        rows = rows_of_splits.get(split, [])
        labelled = [labels(list(zip(row["tokens"], row["tag"], strict=True))) for row in rows]
        ids = character_ids([text_of("tagged", row) for row in rows], bitmaps)
        label_ids = padded_rows([[numbers.get(label, 0) for label in sentence] for sentence in labelled], 0)
        sentences[split] = ids, torch.from_numpy(label_ids)
    return TaggedData(bitmaps, names, sentences)


def label_names(rows: list[TaggedRow], corpus: str | Path) -> list[str]:
    """The labels of the training sentences, sorted; InputError where there is none."""
    tags = {tag for row in rows for tag in row["tag"]}
    if not tags:
        raise InputError(f"{corpus}: there is no tagged sentence to train on")
    return sorted(f"{part}-{tag}" for part in "BI" for tag in tags)


def train_tagger(recipe: TaggerRecipe, data: TaggedData, dictionary_model: str | Path, this_run: Run) -> None:
    """Train one tagger with AdaGrad, and save that of the epoch with the lowest dev loss.

    Args:
        recipe: its mode says whether the characters' vectors are fixed, or the encoder is adapted.
        data: of one corpus.
        dictionary_model: the folder of a `GlossModel`, whose encoder is taken.
        this_run: seed, folder and hardware of the training.
    """
    train, dev = data.sentences["train"], data.sentences["dev"]
    torch.manual_seed(this_run.seed)
    model = tagger_of(dictionary_model, data.labels, data.bitmaps, recipe, train[0])
    run(
        model,
        tagger_loss,
        batches(train, recipe.batch, seed=this_run.seed, lengths=(train[0] > 0).sum(1), padded=(0, 1)),
        recipe,
        this_run,
        data=(*train, *dev),
        validation=batches(dev, recipe.batch, shuffle=False, lengths=(dev[0] > 0).sum(1), padded=(0, 1)),
        patience=recipe.epochs,
        optimizer=lambda weights, rate: Adagrad([weight for weight in weights if weight.requires_grad], rate),
        batches_per_turn=BATCHES_PER_TURN,
    )
    values: dict[str, Json] = {}
    if model.encoder is None:  # what draws a vector for a character that is not in the table
        values["encoder"] = cast(Json, encoder_arguments(dictionary_model))
        encoder = pretrained(GlossModel, dictionary_model).encoder
        save_file(encoder.state_dict(), this_run.folder / ENCODER)
    describe_characters(this_run.folder, "tagger", data.bitmaps, values)


def tagger_of(
    dictionary_model: str | Path, names: list[str], bitmaps: Bitmaps, recipe: TaggerRecipe, training: Tensor
) -> Tagger:
    """A tagger with the encoder of a trained dictionary model.

    The table learns the characters of the tagger's training data [N, T]; where those of the dictionary are not among
    them, they begin as its unknown character.
    """
    first = pretrained(GlossModel, dictionary_model)
    first.encoder.show(torch.from_numpy(bitmaps.pixels))
    model = Tagger(
        names,
        **encoder_arguments(dictionary_model),
        hidden=recipe.hidden,
        dilations=recipe.dilations,
        iterations=recipe.iterations,
        dropout=recipe.dropout,
        output_dropout=recipe.output_dropout,
        fixed=recipe.mode == "fix",
    )
    if model.encoder is None:
        model.vectors.copy_(first.encoder.cached_table())
        return model
    model.encoder.load_state_dict(first.encoder.state_dict())
    if model.encoder.table is not None:
        is_known = first.encoder.known
        with torch.no_grad():
            model.encoder.table.weight[~is_known] = model.encoder.table.weight[0].clone()
        model.encoder.known = is_known | known_characters(training, len(bitmaps.characters))
    model.encoder.show(torch.from_numpy(bitmaps.pixels))
    return model


class EncoderArguments(TypedDict):
    """What a `CharacterEncoder` is made with."""

    kind: Kind
    characters: int
    dimensions: int
    features: int
    channels: int


def encoder_arguments(folder: str | Path) -> EncoderArguments:
    """The arguments of `CharacterEncoder`, from the config.json of a model that has one."""
    config = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    return cast(EncoderArguments, {name: config[name] for name in EncoderArguments.__annotations__})
