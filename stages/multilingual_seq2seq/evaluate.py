"""data/models/multilingual_seq2seq -> data/evaluation/multilingual_seq2seq: metrics, claims, figures, plots."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.multilingual_seq2seq.aligned_words import aligned_word_vectors, mean_vectors
from repline.systems.multilingual_seq2seq.corpus import Data, read_data
from repline.systems.multilingual_seq2seq.evaluation import Items, accuracies, measured, most_frequent, resampled
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.settings import Settings, read
from repline.systems.multilingual_seq2seq.training import Recipe, embed, new_model
from repline.systems.multilingual_seq2seq.translation import bleu
from stages import run
from stages.conclusion import conclude
from stages.multilingual_seq2seq.figures import figures, rows
from stages.multilingual_seq2seq.places import CORPORA, MODELS

TOLD = ("train_translation", "train_similarity", "train_norm")


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated = {}
    for name in settings.corpora:
        tests = [CORPORA / test for test, one in settings.tests.items() if one.corpus == name]
        data = read_data(CORPORA / name, tests)
        runs = _runs(settings, name, data)
        metrics[name] = {variant: accuracies(own) for variant, own in runs.items()}
        for variant, recipe in settings.recipes(name).items():
            folders = [MODELS / name / variant / f"seed-{seed}" for seed in settings.seeds_of(name, variant)]
            metrics[name][variant]["training"] = mean_of_runs([_told(folder) for folder in folders])
            if recipe.get("kind") != "bag":
                model = pretrained(MultilingualEncoderDecoder, folders[0])
                told = settings.translated.model_dump()
                metrics[name][variant]["bleu"] = bleu(model, data, settings.corpora[name].pairs, **told)
        metrics[name]["most_frequent"] = most_frequent(data)
        repeated[name] = side_by_side(**{variant: resampled(own) for variant, own in runs.items()})
    conclude("multilingual_seq2seq", metrics, figures(metrics), rows(metrics), side_by_side(**repeated))


def _runs(settings: Settings, name: str, data: Data) -> dict[str, list[Items]]:
    """By encoder, what each run of it gets right: the variants, one that is not trained, and the peer."""
    penalties = settings.classifier.penalties
    found: dict[str, list[Items]] = {}
    recipes = settings.recipes(name)
    for variant in recipes:
        ways = settings.ways(name, variant)
        for seed in settings.seeds_of(name, variant):
            model = pretrained(MultilingualEncoderDecoder, MODELS / name / variant / f"seed-{seed}")
            found.setdefault(variant, []).append(measured(partial(embed, model), data, penalties, ways))
            print(f"{name}, {variant}, seed {seed}: measured", flush=True)
    first = Recipe(**next(iter(recipes.values())))
    untrained = new_model(data, first, settings.corpora[name].seeds[0]).eval()
    ways = settings.ways(name, "untrained")
    found["untrained"] = [measured(partial(embed, untrained), data, penalties, ways)]
    vectors = aligned_word_vectors(data, dimensions=settings.aligned_words.dimensions)
    found["aligned_words"] = [measured(mean_vectors(vectors), data, penalties, ways)]
    return found


def _told(model: Path) -> dict[str, float]:
    """What the training tells of the epoch that was kept, and which one it was."""
    history = json.loads((model / "training.json").read_text(encoding="utf-8"))["history"]
    kept = int(np.argmax([record["dev_retrieval"] for record in history]))
    return {"epoch": kept + 1} | {key.removeprefix("train_"): history[kept][key] for key in TOLD}


if __name__ == "__main__":
    run(main)
