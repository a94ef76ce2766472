"""The dictionary models measured: words of dev and test, words with unseen characters, scored pairs of words."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from repline.evaluation.replication.bootstrap import bootstrap, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs.bitmaps import Bitmaps
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_numbers import character_counts, character_ids
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.systems.visual_characters.evaluation import gloss_items, resampled, softmax_peaks
from repline.systems.visual_characters.glosses.gloss_model import GlossModel
from repline.systems.visual_characters.glosses.gloss_training import gloss_tensors
from repline.systems.visual_characters.word_similarity import PairCosines, correlations, is_seen, pair_cosines
from stages.visual_characters import paths

Measured = tuple[dict[str, Any], list[dict[str, Any]]]  # metrics, and replicates of them


def models(encoder: str, bitmaps: Bitmaps) -> list[GlossModel]:
    """The models of all seeds, with the bitmaps of their characters."""
    found = [pretrained(GlossModel, run) for run in paths.runs(paths.glosses(encoder))]
    for model in found:
        model.encoder.show(torch.from_numpy(bitmaps.pixels))
    return found


def training_counts(bitmaps: Bitmaps) -> torch.Tensor:
    """How often each character stands in a training word [n + 1]."""
    return character_counts(gloss_tensors(paths.WORDS, "train", bitmaps)[0], len(bitmaps.characters))


def dictionary(found: dict[str, list[GlossModel]], bitmaps: Bitmaps) -> Measured:
    """Loss and hits at 10 on dev and test words; hits on words with unseen characters."""
    parts = {part: gloss_tensors(paths.WORDS, part, bitmaps) for part in ("dev", "test", "unseen")}
    seen = training_counts(bitmaps) > 0
    runs = []
    for seed in range(len(next(iter(found.values())))):
        items: dict[str, Any] = {}
        for name, of_seeds in found.items():
            model = of_seeds[seed]
            one = {part: gloss_items(model, *parts[part]) for part in ("dev", "test")}
            one["unseen"] = _unseen(model, *parts["unseen"], seen)
            items[name] = one
        runs.append(items)
    # words with unseen characters: several characters, or one alone, the unseen one
    lengths = (parts["unseen"][0] > 0).sum(1).numpy()
    alone = lengths == 1

    def measure(run: dict[str, Any], part: str, rows: np.ndarray) -> dict[str, Any]:
        scores: dict[str, Any] = {}
        for name, one in run.items():
            items = resampled(one[part], rows)
            if part == "unseen":
                chosen = alone[rows]
                scores[name] = {
                    part: {
                        "all": _mean(items["all"][~chosen]),
                        "dropped": _mean(items["dropped"][~chosen]),
                        "alone": _mean(items["all"][chosen]),
                        "bias": _mean(items["dropped"][chosen]),
                    }
                }
            else:
                scores[name] = {part: {key: _mean(values) for key, values in items.items()}}
        return scores

    metrics: dict[str, Any] = {name: {} for name in found}
    repeated: list[list[dict[str, Any]]] = []
    for part, (ids, _) in parts.items():
        every = np.arange(len(ids))
        for name, scores in mean_of_runs([measure(run, part, every) for run in runs]).items():
            metrics[name] |= scores
        repeated.append(bootstrap(lambda run, rows, part=part: measure(run, part, rows), runs, len(ids)))
    for name, of_seeds in found.items():
        metrics[name] |= record(paths.glosses(name)) | {"encoder_parameters": size(of_seeds[0].encoder)}
    merged = [_merged(rows) for rows in zip(*repeated, strict=True)]
    counts = {part: len(ids) for part, (ids, _) in parts.items()} | {"unseen_alone": int(alone.sum())}
    return {"glosses": metrics, "words": counts}, side_by_side(glosses=merged)


def similarity(found: dict[str, list[GlossModel]], bitmaps: Bitmaps) -> Measured:
    """Spearman's rho with people's scores, of every test of scored pairs, by seen and unseen characters."""
    rows = read_rows(paths.WORDS, "similarity", bitmaps).get("all", [])
    seen = training_counts(bitmaps) > 0
    metrics: dict[str, Any] = {}
    groups: dict[str, Any] = {}
    tables = {name: [model.encoder.cached_table() for model in of_seeds] for name, of_seeds in found.items()}
    for test in sorted({row["test"] for row in rows}):
        own = [row for row in rows if row["test"] == test]
        first, second = (character_ids([row[side] for row in own], bitmaps) for side in ("first", "second"))
        scores = np.array([row["score"] for row in own])
        known = is_seen(first, second, seen)
        runs = []
        for seed in range(len(next(iter(tables.values())))):
            runs.append({name: pair_cosines(of[seed], first, second, seen) for name, of in tables.items()})

        def measure(run: dict[str, PairCosines], chosen: np.ndarray, known=known, scores=scores) -> dict[str, Any]:
            return {
                name: correlations(
                    PairCosines(*(one[chosen] for one in cosines)),
                    scores[chosen],
                    known[chosen],
                    found[name][0].encoder.sees,
                )
                for name, cosines in run.items()
            }

        key = test.removesuffix("_trad").removesuffix("_translated").lower().replace("-", "_")
        key = f"wordsim_{key}" if key.isdigit() else key
        left = int((~known & ~np.isnan(next(iter(runs[0].values())).seen_only)).sum())
        metrics[key] = mean_of_runs([measure(run, np.arange(len(own))) for run in runs])
        metrics[key] |= {"pairs": len(own), "seen_pairs": int(known.sum()), "unseen_pairs_left": left}
        groups[key] = bootstrap(measure, runs, len(own))
    return {"similarity": metrics}, side_by_side(similarity=side_by_side(**groups)) if groups else []


def softmax(found: dict[str, list[GlossModel]], bitmaps: Bitmaps) -> Measured:
    """The three largest activations of softmax encoders, on average over the characters of the training words.

    untrained: the same of an encoder with random weights.
    """
    counts = training_counts(bitmaps)
    ids = counts.nonzero()[:, 0]
    metrics: dict[str, Any] = {}
    runs: list[dict[str, Any]] = []
    for name, of_seeds in found.items():
        if of_seeds[0].encoder.kind != "cnn_sm_fc":
            continue
        peaks = []
        for seed, model in enumerate(of_seeds):
            torch.manual_seed(seed)
            features, channels = model.encoder.network[0][-2].out_channels, model.encoder.network[0][1].out_channels
            start = CharacterEncoder("cnn_sm_fc", len(bitmaps.characters), model.encoder.dimensions, features, channels)
            start.show(torch.from_numpy(bitmaps.pixels))
            both = {"trained": model.encoder, "untrained": start.eval()}
            peaks.append({key: softmax_peaks(one.activations(ids), counts[ids]) for key, one in both.items()})
        metrics[name] = mean_of_runs(peaks)
        runs = [old | {name: new} for old, new in zip(runs or [{} for _ in peaks], peaks, strict=True)]
    return {"softmax": metrics}, side_by_side(softmax=runs)


def record(folder: Path) -> dict[str, Any]:
    """The chosen learning rate, the dev loss of all of them, and the train loss of the best epoch."""
    tuning = json.loads((folder / "tuning.json").read_text(encoding="utf-8"))
    losses = []
    for run in paths.runs(folder):
        history = json.loads((run / "training.json").read_text(encoding="utf-8"))["history"]
        losses.append(min(history, key=lambda epoch: epoch["validation_loss"])["train_loss"])
    rates = [float(rate) for rate in tuning["losses"]]
    edge = len(rates) > 1 and tuning["learning_rate"] in (min(rates), max(rates))
    return {
        "learning_rate": tuning["learning_rate"],
        "learning_rate_at_the_edge": edge,
        "dev_loss_of_rates": tuning["losses"],
        "train_loss": float(np.mean(losses)),
    }


def size(module: torch.nn.Module) -> int:
    """How many parameters it has."""
    return sum(parameter.numel() for parameter in module.parameters())


def _unseen(model: GlossModel, ids: torch.Tensor, targets: torch.Tensor, seen: torch.Tensor) -> dict[str, np.ndarray]:
    """Hits of each word: from all characters, and with the unseen ones left out; None left is the bias alone.

    A table has no vectors of unseen characters, so that both are the same of it.
    """
    kept = ids.where(seen[ids], 0)
    dropped = gloss_items(model, kept, targets)["hits"]
    return {"all": gloss_items(model, ids, targets)["hits"] if model.encoder.sees else dropped, "dropped": dropped}


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None


def _merged(parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    names = parts[0].keys()
    return {name: {key: value for part in parts for key, value in part[name].items()} for name in names}
