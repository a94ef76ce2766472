"""data/models/rnn_cnn, data/evaluation/rnn_cnn/scores -> data/evaluation/rnn_cnn: metrics, claims, figures, plots."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.report import charts
from repline.systems.rnn_cnn.corpus import read_corpus
from repline.systems.rnn_cnn.evaluation import (
    held_out_numbers,
    held_out_replicates,
    task_numbers,
    task_replicates,
)
from repline.systems.rnn_cnn.settings import Settings, read, recipes
from repline.systems.rnn_cnn.training import HELD_OUT
from stages import run
from stages.conclusion import conclude
from stages.rnn_cnn.places import CORPORA, MODELS, SCORES


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated = {}
    for name in settings.corpora:
        metrics[name], repeated[name] = _of_corpus(settings, name)
    rows = [
        {"corpus": name, "variant": f"{name}: {variant}", "accuracy": of_variant["accuracy"]}
        for name, measured in metrics.items()
        for variant, of_variant in measured.items()
        if "accuracy" in of_variant
    ]
    conclude("rnn_cnn", metrics, _figures(metrics), {"accuracy": rows}, side_by_side(**repeated))


def _of_corpus(settings: Settings, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    scores = _scores(SCORES / f"{name}.json")
    numbers = {variant: task_numbers(seeds) for variant, seeds in scores.items()}
    of_tasks = side_by_side(**{variant: task_replicates(seeds) for variant, seeds in scores.items()})
    corpus, known = read_corpus(CORPORA / name), recipes(settings, name)
    of_text = {}
    for variant, knobs in known.items():
        following = corpus.following(corpus.pairs(knobs["targets"], held_out=True), knobs["targets"])
        unigram = {"unigram": corpus.unigram_nats(following)}
        seeds = [_held_out(MODELS / name / variant / f"seed-{seed}") | unigram for seed in settings.seeds]
        numbers[variant]["held_out"] = held_out_numbers(seeds)
        of_text[variant] = [{"held_out": part} for part in held_out_replicates(seeds)]
    numbers["counts"] = read_card(CORPORA / name)["counts"]
    return numbers, together(of_tasks, side_by_side(**of_text))


def _scores(path: Path) -> dict[str, list[dict[str, Any]]]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: the models of this corpus are not measured yet; run `dvc repro` for it") from None


def _held_out(model: Path) -> dict[str, np.ndarray]:
    with np.load(model / HELD_OUT, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def _figures(metrics: dict[str, Any]) -> list[dict[str, Any]]:
    figures = []
    for name, measured in metrics.items():
        models = [variant for variant in measured if variant != "counts"]
        tasks = [task for task, one in measured[models[0]].items() if isinstance(one, dict)]
        table = [[100 * measured[variant][task]["value"] for task in tasks] for variant in models]
        labels = [variant.replace("_", " ") for variant in models]
        caption = (
            "Accuracy in percent, or 100 times Pearson's correlation, means of seeds. The average of the pre-trained "
            "vectors and the untrained encoder are what a trained one has to beat."
        )
        chart = charts.heatmap(table, labels, [task.replace("_", " ") for task in tasks], "score")
        figures.append(charts.record(f"rnn_cnn-{name}", f"Tasks, {name}", caption, chart))
        held = {label: measured[variant]["held_out"] for label, variant in zip(labels, models, strict=True)
                if "held_out" in measured[variant]}  # fmt: skip
        bars = {variant: one["nats"] for variant, one in held.items()}
        bars |= {f"{variant}, sentence of another pair": one["swapped"] for variant, one in held.items()}
        bars["frequencies of words"] = next(iter(held.values()))["unigram"]
        caption = "Nats per word that follows a held-out sentence. Autoregressive decoders see the words before it too."
        chart = charts.bars(bars, "nats per word")
        figures.append(charts.record(f"rnn_cnn-{name}-nats", f"Words that follow, {name}", caption, chart))
    return figures


if __name__ == "__main__":
    run(main)
