"""data/evaluation/extrofitting/lexicons -> data/evaluation/extrofitting: metrics, claims, plots, figures."""

import json
from collections.abc import Mapping
from typing import Any

from repline.evaluation.replication.bootstrap import together
from repline.evaluation.replication.replicate_files import overlay
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.parameters import load
from repline.systems.extrofitting.settings import Settings
from stages import run
from stages.conclusion import conclude
from stages.extrofitting import figures
from stages.extrofitting.measure import LEXICONS

WITHOUT_LEXICON = ("base", "centred", "whitened")  # the same for every lexicon


def main() -> None:
    settings = load(Settings, "extrofitting")
    metrics: dict[str, Any] = {name: {} for name in settings.vectors}
    repeated = []
    for lexicon in settings.lexicons:
        for source in settings.benchmarks:
            folder = LEXICONS / f"{lexicon}-{source}"
            found = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
            metrics = overlay(metrics, of_lexicon(found, lexicon))
            repeated.append([of_lexicon(part, lexicon) for part in read_replicates(folder / "replicates.parquet")])
    judged, parts = metrics, together(*repeated)
    if settings.words is not None:  # what is claimed of frequent words is judged where the rare ones are cut off
        judged, parts = metrics | {"cut": metrics}, [part | {"cut": part} for part in parts]
    conclude("extrofitting", judged, figures.figures(metrics), figures.plots(metrics), parts)


def of_lexicon(found: Mapping[str, Any], lexicon: str) -> dict[str, Any]:
    """What one lexicon gave, by vectors: under its name, but for the methods that use no lexicon."""
    result = {}
    for vectors, own in found.items():
        without = {method: own[method] for method in WITHOUT_LEXICON if method in own}
        result[vectors] = without | {lexicon: {key: value for key, value in own.items() if key not in without}}
    return result


if __name__ == "__main__":
    run(main)
