"""Dictionary models measured: words of dev and test, words with unseen characters, peaks of the softmax encoders."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import bootstrap, resampled_seeds, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs.bitmaps import Bitmaps
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_numbers import character_counts
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.systems.visual_characters.glosses.gloss_model import GlossModel, gloss_losses, hits
from repline.systems.visual_characters.glosses.gloss_training import GlossData
from repline.training.run import runs

GlossModels = Mapping[str, Sequence[GlossModel]]  # by encoder, one a seed
Values = NDArray[np.floating]
PARTS = ("dev", "test", "unseen")


def read_gloss_models(folder: str | Path, bitmaps: Bitmaps) -> list[GlossModel]:
    """The dictionary models of all seeds, with the bitmaps of their characters.

    Raises:
        InputError: there is none, or it is made for other bitmaps.
    """
    models = [pretrained(GlossModel, run) for run in runs(folder)]
    for model in models:
        model.encoder.show(torch.from_numpy(bitmaps.pixels))
    return models


def training_counts(data: GlossData) -> Tensor:
    """How often each character stands in a training word [n + 1]."""
    return character_counts(data.words["train"][0], len(data.bitmaps.characters))


def score_glosses(models: GlossModels, data: GlossData) -> Evaluation:
    """Loss and hits at 10 on dev and test words, hits on words with unseen characters, by encoder."""
    parts = {part: data.words[part] for part in PARTS}
    seen = training_counts(data) > 0
    items_of_runs = [
        {name: _items(models_of_seeds[seed], parts, seen) for name, models_of_seeds in models.items()}
        for seed in range(len(next(iter(models.values()))))
    ]
    alone = ((parts["unseen"][0] > 0).sum(1) == 1).numpy()  # the unseen character is the whole word
    metrics: Metrics = {name: {} for name in models}
    replicates: list[list[Replicate]] = []
    for part, (ids, _) in parts.items():

        def measure(
            items: dict[str, dict[str, dict[str, NDArray]]], rows: NDArray[np.integer], part: str = part
        ) -> dict[str, Metric]:
            return {name: {part: _scores(items[name][part], rows, alone)} for name in items}

        every = np.arange(len(ids))
        for name, scores in mean_of_runs([measure(items, every) for items in items_of_runs]).items():
            metrics[name] |= scores
        replicates.append(bootstrap(measure, items_of_runs, len(ids)))
    counts = {part: len(ids) for part, (ids, _) in parts.items()} | {"unseen_alone": int(alone.sum())}
    merged = [
        {name: {key: value for part in row for key, value in part[name].items()} for name in models}
        for row in zip(*replicates, strict=True)
    ]
    return Evaluation({"glosses": metrics, "words": counts}, side_by_side(glosses=merged))


@torch.no_grad()
def gloss_items(model: GlossModel, ids: Tensor, targets: Tensor, block: int = 1000) -> dict[str, Values]:
    """The loss of each word in nats, and 1 if a gloss is among the ten most probable ones."""
    losses, hit = [], []
    for part, glosses in zip(ids.split(block), targets.split(block), strict=True):
        log_probabilities = model(part)
        losses.append(gloss_losses(log_probabilities, glosses))
        hit.append(hits(log_probabilities, glosses))
    return {"nll": torch.cat(losses).double().numpy(), "hits": torch.cat(hit).double().numpy()}


def score_softmax(models: GlossModels, data: GlossData) -> Evaluation:
    """The three largest activations of softmax encoders, on average over the characters of the training words.

    untrained: the scores of an encoder with random weights.
    """
    counts = training_counts(data)
    ids = counts.nonzero()[:, 0]
    pixels = torch.from_numpy(data.bitmaps.pixels)
    metrics: Metrics = {}
    replicates: list[Replicate] = []
    for name, models_of_seeds in models.items():
        if models_of_seeds[0].encoder.kind != "cnn_sm_fc":
            continue
        peaks = []
        for seed, model in enumerate(models_of_seeds):
            torch.manual_seed(seed)
            encoders = {"trained": model.encoder, "untrained": _untrained(model.encoder).show(pixels).eval()}
            peaks.append(
                {key: softmax_peaks(encoder.activations(ids), counts[ids]) for key, encoder in encoders.items()}
            )
        metrics[name] = mean_of_runs(peaks)
        replicates = [{**old, name: new} for old, new in zip(replicates or [{} for _ in peaks], peaks, strict=True)]
    return Evaluation({"softmax": metrics}, resampled_seeds(side_by_side(softmax=replicates)))


def softmax_peaks(activations: Tensor, counts: Tensor, first: int = 3) -> list[float]:
    """The largest activations of a character, on average over tokens.

    Args:
        activations: softmax over the features of each character [k, F].
        counts: tokens of each [k].

    Returns:
        means of the largest, the second and so on [first].
    """
    top = activations.topk(first, dim=1).values.double()  # [k, first]
    return ((top * counts[:, None]).sum(0) / counts.sum()).tolist()


def _items(model: GlossModel, parts: Mapping[str, tuple[Tensor, Tensor]], seen: Tensor) -> dict[str, dict[str, Values]]:
    """The values of each word, by the part of the data.

    Words of unseen: hits from all characters, and with the unseen ones left out; where none is left, from the bias
    alone. A table has no vectors of unseen characters, so that both are the same.
    """
    items = {part: gloss_items(model, *parts[part]) for part in ("dev", "test")}
    ids, targets = parts["unseen"]
    dropped = gloss_items(model, ids.where(seen[ids], 0), targets)["hits"]
    from_all = gloss_items(model, ids, targets)["hits"] if model.encoder.reads_pixels else dropped
    return items | {"unseen": {"all": from_all, "dropped": dropped}}


def _scores(
    items: Mapping[str, Values], rows: NDArray[np.integer], alone: NDArray[np.bool_]
) -> dict[str, float | None]:
    """The means of some items; those of unseen apart by whether the unseen character stands alone."""
    if "dropped" not in items:
        return {key: _mean(values[rows]) for key, values in items.items()}
    alone = alone[rows]
    from_all, dropped = items["all"][rows], items["dropped"][rows]
    return {
        "all": _mean(from_all[~alone]),
        "dropped": _mean(dropped[~alone]),
        "alone": _mean(from_all[alone]),
        "bias": _mean(dropped[alone]),
    }


def _mean(values: Values) -> float | None:
    return float(values.mean()) if len(values) else None


def _untrained(encoder: CharacterEncoder) -> CharacterEncoder:
    """A softmax encoder of the same shape with random weights."""
    convolutions = [layer for layer in encoder.pixel_layers().modules() if isinstance(layer, nn.Conv2d)]
    features, channels = convolutions[-1].out_channels, convolutions[0].out_channels
    return CharacterEncoder("cnn_sm_fc", len(encoder.known) - 1, encoder.dimensions, features, channels)
