"""data/models/chinese_hybrid, data/raw -> data/evaluation/chinese_hybrid: metrics, claims, figures."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import language_of, read_card
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.chinese_hybrid import evaluation
from repline.systems.chinese_hybrid.settings import read
from repline.vectors import store
from stages import run
from stages.chinese_hybrid import figures
from stages.chinese_hybrid.prepare import FOLDER
from stages.conclusion import conclude

MODELS = Path("data/models/chinese_hybrid")
RAW = Path("data/raw")
# the sections of the published analogies have short names, as in the paper
SECTIONS = {"capital-common-countries": "capital", "city-in-state": "state", "family": "family"}
MADE = "word_benchmarks_zh_made"


def main() -> None:
    settings, models = read()
    card = read_card(FOLDER)
    metrics: dict[str, Any] = {"corpus": card["counts"], "tests": {}}
    repeated, nearest = [], {}
    tests: tuple[dict, dict] | None = None
    for name in models:
        runs, losses = [], []
        folders = sorted((MODELS / name).glob("seed-*"), key=lambda run: int(run.name.removeprefix("seed-")))
        for folder in folders:
            embedding = Embedding(*store.words_and_matrix(folder), ignore_case=False)
            if tests is None:  # all models have the same words
                tests = _tests(settings.benchmarks, language_of(card) or "zh", embedding)
                metrics["tests"] = {key: evaluation.counts(one) for key, one in tests[0].items()} | {
                    key: {"pairs": len(one[0])} for key, one in tests[1].items()
                }
            questions, pairs = tests
            found = {key: evaluation.analogies_of(embedding, one) for key, one in questions.items()}
            found |= {key: evaluation.similarity_of(embedding, *one) for key, one in pairs.items()}
            runs.append(found)
            losses.append(json.loads((folder / "losses.json").read_text(encoding="utf-8")))
            nearest.setdefault(name, evaluation.neighbours(embedding, settings.word))
        metrics[name] = numbers(runs) | {"losses": mean_of_runs(losses), "runs": len(runs)}
        repeated.append({name: replicates(runs)})
        shown = ", ".join(f"{key} {_shown(metrics[name][key])}" for key in (*tests[0], *tests[1]))
        print(f"{name}: {shown}", flush=True)
    together = side_by_side(**{name: parts for one in repeated for name, parts in one.items()})
    drawn = figures.figures(metrics, list(models), (settings.word, nearest))
    conclude("chinese_hybrid", metrics, drawn, figures.plots(metrics, list(models)), together)


def _tests(sources: list[str], language: str, embedding: Embedding) -> tuple[dict, dict]:
    """The sections of analogies, and the pairs with their scores and draws, by short names."""
    sections: dict[str, list] = {}
    pairs: dict[str, tuple] = {}
    for source in dict.fromkeys(sources):
        for test in suite.tests_of(source, language):
            items = suite.read(test, RAW / source)
            if test.task == "similarity":
                pairs[_key(test.name)] = (items[0], np.asarray(items[1]), weights_of(len(items[0])))
            elif test.task == "analogy":
                for question, section in zip(*items, strict=True):
                    named = f"made_{section}" if source == MADE else SECTIONS.get(section, _key(section))
                    sections.setdefault(named, []).append(question)
    return {name: evaluation.answerable(embedding, asked) for name, asked in sections.items()}, pairs


def _key(name: str) -> str:
    return re.sub(r"\W", "_", name.lower())


def _shown(found: dict[str, Any]) -> str:
    value = found.get("add", found.get("spearman"))
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    run(main)
