"""data/models/lexical_contrast and tests of antonymy -> data/evaluation/lexical_contrast: metrics, claims, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from repline.errors import InputError
from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import pair_cosines
from repline.systems.lexical_contrast import evaluation
from repline.systems.lexical_contrast.antonyms import Question, looked_up
from repline.systems.lexical_contrast.evaluation import in_constraints
from repline.systems.lexical_contrast.settings import read
from repline.vectors.normalisation import unit_length
from stages import run, word_vectors
from stages.conclusion import conclude
from stages.lexical_contrast import figures
from stages.lexical_contrast.measure import SIMILARITY, names, spaces
from stages.lexical_contrast.prepare import FOLDER, PARTS, SETS, constraints, read_sets


def main() -> None:
    settings, configurations = read()
    words, matrix = word_vectors.vectors(settings.vectors, settings.words)
    rows = read_sets(words)
    sets = {name: names(words, rows[name]) for name in SETS}
    questions = [
        Question(line[0], tuple(line[1:]), 0, evaluation.RELATED) for line in read_lines(FOLDER / "questions.tsv", 6)
    ]
    contrasts = {name: read_contrast(word_vectors.DATA / settings.contrast, name) for name in PARTS}
    outside = np.setdiff1d(np.arange(len(words)), np.concatenate([rows[name] for name in SETS]))
    metrics: dict[str, Any] = {
        "constraints": {name: len(pairs) for name, pairs in rows.items()},
        "lookup": looked_up(questions, sets["ant"]),
        "chance": {"opposites": 1 / len(questions[0].options), "related": 1 / evaluation.RELATED} if questions else {},
        "unconstrained_words": len(outside),
        "tests_in": overlap(questions, contrasts, sets),
    }
    weights = {name: weights_of(len(test[0])) for name, (_, test) in contrasts.items()}
    asked = weights_of(len(questions))
    start, repeated = Embedding(words, matrix), []
    for name, embeddings in spaces(configurations, start):
        chosen = configurations.get(name)  # None for the start
        given = chosen and names(words, np.concatenate(constraints(rows, chosen)))
        free = evaluation.free_of(questions, given)
        runs = []
        for embedding in embeddings:
            told = {
                part: evaluation.contrast_of(embedding, pairs, weights[part], given, start)
                for part, pairs in contrasts.items()
            }
            runs.append(
                {
                    "opposites": evaluation.opposites_of(embedding, questions, asked, free, start),
                    "contrast": {Path(settings.contrast).name: told},
                }
            )
        metrics[name] = numbers(runs)
        metrics[name]["opposites"]["unconstrained_questions"] = int(free.sum())
        for part, (_, (pairs, _)) in contrasts.items():
            told = metrics[name]["contrast"][Path(settings.contrast).name][part]
            told |= {"pairs": len(pairs), "kept": int(pair_cosines(embeddings[0], pairs)[1].sum())}
            if told["unconstrained"]:
                told["unconstrained"]["pairs"] = int((~in_constraints(pairs, given)).sum())
        metrics[name]["outside_moved"] = max(
            moved(embedding.matrix[outside], matrix[outside]) for embedding in embeddings
        )
        metrics[name]["seeds"] = len(embeddings)
        repeated.append(side_by_side(**{name: replicates(runs)}))
    for source in settings.benchmarks:
        folder = SIMILARITY / source
        for test, found in json.loads((folder / "scores.json").read_text(encoding="utf-8")).items():
            metrics.setdefault("pairs_in", {})[test] = found.pop("pairs_in")
            for name, scores in found.items():
                metrics[name][test] = scores
        repeated.append(read_replicates(folder / "replicates.parquet"))
    shown = ["start", *configurations]
    plots = figures.plots(metrics, shown)
    conclude("lexical_contrast", metrics, figures.figures(metrics, shown), plots, together(*repeated))


def overlap(questions: list[Question], contrasts: dict[str, Any], sets: dict[str, Any]) -> dict[str, Any]:
    """How many items of the tests of antonymy are constraints, by constraint set."""
    opposites = [(question.cue, question.options[question.answer]) for question in questions]
    pairs = {"questions": opposites} | {part: test[0] for part, (_, test) in contrasts.items()}
    return {
        test: {"pairs": len(found)} | {name: int(in_constraints(found, own).sum()) for name, own in sets.items()}
        for test, found in pairs.items()
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
