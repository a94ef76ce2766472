"""data/models/lexical_contrast and tests of antonymy -> data/evaluation/lexical_contrast: metrics, claims, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.seed_means import mean_of_runs
from repline.systems.lexical_contrast.antonyms import Question, closest_opposite, contrast, looked_up
from repline.systems.lexical_contrast.settings import read
from repline.vectors.normalisation import unit_length
from stages import run, word_vectors
from stages.conclusion import conclude
from stages.lexical_contrast import figures
from stages.lexical_contrast.measure import SIMILARITY, spaces
from stages.lexical_contrast.prepare import FOLDER, PARTS, read_sets

RELATED = 3  # of the options of a made question: the opposite and two synonyms


def main() -> None:
    settings, configurations = read()
    words, matrix = word_vectors.vectors(settings.vectors, settings.words)
    sets = read_sets(words)
    questions = [Question(line[0], tuple(line[1:]), 0, RELATED) for line in read_lines(FOLDER / "questions.tsv", 6)]
    contrasts = {name: read_contrast(word_vectors.DATA / settings.contrast, name) for name in PARTS}
    outside = np.setdiff1d(np.arange(len(words)), np.concatenate(list(sets.values())))
    metrics: dict[str, Any] = {
        "constraints": {name: len(pairs) for name, pairs in sets.items()},
        "lookup": looked_up(questions, {frozenset((words[i], words[j])) for i, j in sets["ant"].tolist()}),
        "unconstrained_words": len(outside),
    }
    for name, embeddings in spaces(configurations, words, matrix):
        metrics[name] = mean_of_runs([of_space(embedding, questions, contrasts) for embedding in embeddings])
        metrics[name]["contrast"] = {Path(settings.contrast).name: metrics[name]["contrast"]}
        metrics[name]["outside_moved"] = max(
            moved(embedding.matrix[outside], matrix[outside]) for embedding in embeddings
        )
        metrics[name]["seeds"] = len(embeddings)
    for source in settings.benchmarks:
        for test, found in json.loads((SIMILARITY / f"{source}.json").read_text(encoding="utf-8")).items():
            metrics.setdefault("pairs_in", {})[test] = found.pop("pairs_in")
            for name, scores in found.items():
                metrics[name][test] = scores
    shown = ["start", *configurations]
    conclude("lexical_contrast", metrics, figures.figures(metrics, shown), figures.plots(metrics, shown))


def of_space(embedding: Any, questions: list[Question], contrasts: dict[str, Any]) -> dict[str, Any]:
    """Tasks 2 and 3 in one space."""
    return {
        "opposites": {
            "farthest": closest_opposite(embedding, questions)["f1"],
            "nearest": closest_opposite(embedding, questions, "nearest")["f1"],
            "related": closest_opposite(embedding, questions, related=True)["f1"],
        },
        "contrast": {name: contrast(embedding, *parts) for name, parts in contrasts.items()},
    }


def moved(vectors: np.ndarray, start: np.ndarray) -> float:
    """The largest change of a value, compared with the start as it is or scaled to unit length, whichever is nearer."""
    return float(min(np.abs(vectors - start).max(initial=0), np.abs(vectors - unit_length(start)).max(initial=0)))


def read_contrast(folder: Path, part_of_speech: str) -> tuple[tuple[list, np.ndarray], ...]:
    """Validation and test pairs of one part of speech: (pairs, labels) each."""
    result = []
    for part in ("val", "test"):
        path = folder / f"{part_of_speech}-pairs.{part}"
        rows = read_lines(path, 3)
        if wrong := [row for row in rows if row[2] not in ("0", "1")]:
            raise InputError(f"{path}: expected 1 (antonyms) or 0 (synonyms) as the third field, found {wrong[0]}")
        result.append(([(row[0], row[1]) for row in rows], np.array([int(row[2]) for row in rows])))
    return tuple(result)


def read_lines(path: Path, fields: int) -> list[list[str]]:
    """Lines of some fields between tabs."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; lexical_contrast.contrast names its folder") from None
    rows = [line.strip().split("\t") for line in lines if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) != fields:
            raise InputError(f"{path}, line {number}: expected {fields} fields between tabs, found {len(row)}")
    return rows


if __name__ == "__main__":
    run(main)
