"""data/models/context_parser/completions -> data/evaluation/context_parser: metrics, claims, figures, plots."""

from pathlib import Path
from typing import Any

import numpy as np

from repline.corpora.scenes.scene import items_of
from repline.evaluation.resampling import bootstrap, side_by_side
from repline.systems.context_parser.author_outputs import SETTINGS, read_outputs
from repline.systems.context_parser.completions import prediction, read_completions
from repline.systems.context_parser.corpus import Fold, read_folds
from repline.systems.context_parser.error_classes import error_shares
from repline.systems.context_parser.evaluation import Measured, counts, measured, measures
from repline.systems.context_parser.settings import Settings, read
from stages import run
from stages.conclusion import conclude
from stages.context_parser import figures
from stages.context_parser.places import COMPLETIONS


def main() -> None:
    settings = read()
    metrics: dict[str, Any] = {}
    repeated = {}
    for name, knobs in settings.corpora.items():
        folds = _folds(knobs)
        metrics[name], of_scenes = _of_corpus(folds, read_completions(COMPLETIONS / name))
        scenes = len(of_scenes.right_by_chance)
        repeated[name] = bootstrap(lambda one, drawn: one.of(drawn), [of_scenes], items=scenes)
    first = next(iter(settings.corpora))
    metrics["headline"] = _headline(metrics[first], settings)
    repeated["headline"] = [_headline(one, settings) for one in repeated[first]]
    if settings.authors is not None:
        metrics["authors"] = _of_authors(settings.authors, _folds(settings.corpora[first]))
    shown, plots = figures.figures(metrics, settings), figures.plots(metrics, settings)
    conclude("context_parser", metrics, shown, plots, side_by_side(**repeated))


def _folds(knobs: dict[str, Any]) -> list[Fold]:
    return read_folds(Path("data") / knobs["corpus"], **{key: knobs[key] for key in knobs if key != "corpus"})


def _of_corpus(folds: list[Fold], completed: dict[str, list[dict]]) -> tuple[dict[str, Any], Measured]:
    sentences = [one for fold in folds for one in fold.test]
    predicted = {name: [prediction(row) for row in rows] for name, rows in completed.items()}
    of_scenes = measured(sentences, predicted, [len(items_of(one.triplets)) for one in sentences])
    found = of_scenes.of(np.arange(len(of_scenes.right_by_chance)))
    for name, rows in completed.items():
        candidates = [row["candidates"] for row in rows]
        found[name] |= {"searched": sum(row["searched"] for row in rows) / sum(candidates)}
        found[name] |= {"errors": error_shares(sentences, predicted[name])}
        found[name] |= {"efi_by_fold": _by_fold(folds, predicted[name])}
    of_gap = [row["candidates"] for row in next(iter(completed.values()))]
    found["gaps"] = len(sentences)
    found["trained_on"] = [len(fold.train) for fold in folds]
    found["candidates"] = {
        "mean": float(np.mean(of_gap)),
        "median": float(np.median(of_gap)),
        "most": float(max(of_gap)),
    }
    return found, of_scenes


def _by_fold(folds: list[Fold], predicted: list) -> list[float]:
    found, start = [], 0
    for fold in folds:
        rows = [counts(*pair) for pair in zip(fold.test, predicted[start : start + len(fold.test)], strict=True)]
        found.append(measures(np.array(rows))["efi"])
        start += len(fold.test)
    return found


def _headline(found: dict[str, Any], settings: Settings) -> dict[str, float]:
    """The exact fillers of the first corpus, by setting."""
    return {name: found[name]["efi"] for name in settings.settings}


def _of_authors(source: str, folds: list[Fold]) -> dict[str, Any]:
    """The measures of the predictions that the authors ship, and the exact fillers of each fold (None: not shipped)."""
    found: dict[str, Any] = {}
    for setting in SETTINGS:
        by_fold = []
        for number, fold in enumerate(folds, start=1):
            predicted = read_outputs(Path("data") / source, setting, number, fold.test)
            pairs = zip(fold.test, predicted, strict=True) if predicted is not None else ()
            by_fold.append(np.array([counts(*pair) for pair in pairs]))
        there = [rows for rows in by_fold if len(rows)]
        found[setting] = measures(np.concatenate(there)) | {
            "sentences": sum(map(len, there)),
            "efi_by_fold": [measures(rows)["efi"] if len(rows) else None for rows in by_fold],
        }
    return found


if __name__ == "__main__":
    run(main)
