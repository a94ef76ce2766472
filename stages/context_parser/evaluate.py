"""data/models/context_parser/completions -> data/evaluation/context_parser: metrics, claims, figures, plots."""

from typing import Any

import numpy as np

from repline.evaluation.replication.bootstrap import bootstrap, side_by_side
from repline.systems.context_parser.completions import Completed, read_completions
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
    for name in (*settings.corpora, *settings.authors):
        completed = read_completions(COMPLETIONS / name)
        of_scenes = measured(completed.sentences, completed.predicted)
        metrics[name] = _of_corpus(completed, of_scenes)
        repeated[name] = bootstrap(lambda one, drawn: one.of(drawn), [of_scenes], items=len(of_scenes.gaps))
    first = next(iter(settings.corpora))
    metrics["headline"] = _headline(metrics[first], settings)
    repeated["headline"] = [_headline(one, settings) for one in repeated[first]]
    shown, plots = figures.figures(metrics, settings), figures.plots(metrics, settings)
    conclude("context_parser", metrics, shown, plots, side_by_side(**repeated))


def _of_corpus(completed: Completed, of_scenes: Measured) -> dict[str, Any]:
    found = of_scenes.of(np.arange(len(of_scenes.gaps)))
    for name, predicted in completed.predicted.items():
        candidates = sum(completed.candidates[name])
        found[name]["searched"] = sum(completed.searched[name]) / candidates if candidates else None
        found[name]["errors"] = error_shares(completed.sentences, predicted)
        found[name]["efi_by_fold"] = _by_fold(completed, name)
    of_gap = next(iter(completed.candidates.values()))
    return found | {
        "gaps": int(of_scenes.gaps.sum()),
        "candidates": {"mean": float(np.mean(of_gap)), "median": float(np.median(of_gap)), "most": max(of_gap)},
    }


def _by_fold(completed: Completed, setting: str) -> list[float | None]:
    rows: dict[int, list[np.ndarray]] = {fold: [] for fold in completed.folds}
    for fold, sentence, one in zip(completed.folds, completed.sentences, completed.predicted[setting], strict=True):
        if one is not None:
            rows[fold].append(counts(sentence, one))
    return [measures(np.array(of_fold))["efi"] if of_fold else None for of_fold in rows.values()]


def _headline(found: dict[str, Any], settings: Settings) -> dict[str, float]:
    """The exact fillers of the first corpus, by setting."""
    return {name: found[name]["efi"] for name in settings.settings}


if __name__ == "__main__":
    run(main)
