"""data/evaluation/extrofitting/lexicons -> data/evaluation/extrofitting: metrics, claims, plots, figures."""

import json
from pathlib import Path
from typing import Any

from repline.parameters import load
from repline.systems.extrofitting.settings import Settings
from stages import run
from stages.conclusion import conclude
from stages.extrofitting import figures
from stages.extrofitting.measure import LEXICONS, key

WITHOUT_LEXICON = ("base", "centred", "whitened")  # the same for every lexicon


def main() -> None:
    settings = load(Settings, "extrofitting")
    metrics = {key(Path(settings.vectors).name): of_vectors(settings)}
    judged = metrics
    if settings.words is not None:  # what is claimed of frequent words is judged where the rare ones are cut off
        judged = metrics | {"cut": metrics}
    conclude("extrofitting", judged, figures.figures(metrics), figures.plots(metrics))


def of_vectors(settings: Settings) -> dict[str, Any]:
    """The metrics of one table of vectors: those without a lexicon, and by lexicon those with it."""
    result: dict[str, Any] = {method: {} for method in WITHOUT_LEXICON}
    for lexicon in settings.lexicons:
        own: dict[str, Any] = {"orders": {}}
        for source in settings.benchmarks:
            part = json.loads((LEXICONS / f"{lexicon}-{source}.json").read_text(encoding="utf-8"))
            for method in WITHOUT_LEXICON:
                result[method] |= part.pop(method)
            for test in part["extrofitting"]:
                own["orders"][test] = [part[f"order_{seed}"][test]["spearman"] for seed in settings.orders]
            for name, value in part.items():
                if name.startswith("order_"):
                    continue
                own[name] = own.get(name, {}) | value if isinstance(value, dict) else value
        result[lexicon] = own
    return result


if __name__ == "__main__":
    run(main)
