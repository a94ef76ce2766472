"""data/models/urn, data/corpora/{dyck,agreement} -> data/evaluation/urn: metrics, claims, plots, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch

from repline.evaluation.claims import published
from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.urn import dyck, rotation_tables
from repline.systems.urn.closing_brackets import closing_accuracy, majority, predicted_closings
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.number_agreement import agreement_accuracy, word_tables
from repline.systems.urn.resampled_accuracy import accuracy_replicates, agreement_scores, closing_scores
from repline.systems.urn.settings import Knobs, trainings
from repline.systems.urn.training import (
    after_start,
    agreement_tensors,
    character_losses,
    train_agreement,
    train_dyck,
)
from stages import run
from stages.conclusion import conclude
from stages.urn import figures

MODELS = Path("data/models/urn")
CORPORA = Path("data/corpora")
CLASSES = {"turn": URN, "full": URN, "arbitrary": UnconstrainedRecurrence, "lstm": LSTMReader}


def main() -> None:
    _, brackets = trainings("dyck", train_dyck)
    _, verbs = trainings("agreement", train_agreement)
    dyck_metrics, dyck_replicates = evaluate_dyck(brackets)
    agreement_metrics, agreement_replicates = evaluate_agreement(verbs)
    metrics = {"dyck": dyck_metrics, "agreement": agreement_metrics}
    repeated = side_by_side(dyck=dyck_replicates, agreement=agreement_replicates)
    conclude("urn", metrics, figures.figures(metrics), figures.plots(metrics), repeated)


def evaluate_dyck(variants: dict[str, Knobs]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The accuracy of each variant and of the majority, and tables of the k-TURN's matrices; and their replicates."""
    train, test = (_strings(part) for part in ("train", "test"))
    ids = torch.from_numpy(test)
    result: dict[str, Any] = {}
    scores = {}
    for variant, own in variants.items():
        models = _models("dyck", variant, own)
        with torch.inference_mode():
            logits = [model(after_start(ids)) for model in models]
            losses = [character_losses(run, ids).double().mean(1).numpy() for run in logits]
        predictions = [predicted_closings(run.numpy()) for run in logits]
        scores[variant] = [
            closing_scores(predicted, test, loss) for predicted, loss in zip(predictions, losses, strict=True)
        ]
        result[variant] = closing_accuracy(predictions, test)
        result[variant] |= {"validation_loss": float(np.mean(losses)), "seeds": len(models)}
        result[variant] |= {"train_loss": _final_training_loss("dyck", variant)}
    turns = _models("dyck", "turn", variants["turn"])
    tables = [rotation_tables.bracket_tables(turn.matrix, turn.phrase, figures.KINDS, turn.k) for turn in turns]
    planes = [rotation_tables.plane_similarities(turn.matrix("("), turn.matrix("["), turn.k) for turn in turns]
    by_seed = [table | {"plane_similarity": {"round_square": own}} for table, own in zip(tables, planes, strict=True)]
    result["turn"] |= mean_of_runs(tables) | {"plane_similarity": {"round_square": planes[0]}}  # of the first run
    result["majority"] = closing_accuracy([majority(train, test)], test)
    return result, together(accuracy_replicates(scores), [{"turn": table} for table in by_seed])


def evaluate_agreement(variants: dict[str, Knobs]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The same for the number of a verb."""
    folder = CORPORA / "agreement"
    ids, lengths, number = agreement_tensors(folder / "test.parquet")
    attractors, plural = pq.read_table(folder / "test.parquet")["attractors"].to_numpy(), number.numpy()
    train_number = agreement_tensors(folder / "train.parquet")[2]
    predictions = {"majority": [np.full(len(number), int(train_number.float().mean() > 0.5))]}
    result: dict[str, Any] = {}
    for variant, own in variants.items():
        models = _models("agreement", variant, own)
        predictions[variant] = [_predict_number(model, ids, lengths) for model in models]
        result[variant] = agreement_accuracy(predictions[variant], plural, attractors)
        result[variant] |= {"train_loss": _final_training_loss("agreement", variant), "seeds": len(models)}
    result["majority"] = agreement_accuracy(predictions["majority"], plural, attractors)
    vocabulary = pq.read_table(folder / "vocabulary.parquet").to_pylist()
    words = [row["item"] for row in _published("effects-of-words")]
    nouns = [row[key] for row in _published("distances-of-nouns") for key in ("item", "column")]
    turns = _models("agreement", "turn", variants["turn"])
    tables = [word_tables(turn.matrix, vocabulary, words, dict.fromkeys(nouns)) for turn in turns]
    result["turn"] |= mean_of_runs(tables)
    scores = {
        name: [agreement_scores(predicted, plural, attractors) for predicted in runs]
        for name, runs in predictions.items()
    }
    return result, together(accuracy_replicates(scores), [{"turn": table} for table in tables])


def _strings(part: str) -> np.ndarray:
    return dyck.encode(pq.read_table(CORPORA / "dyck" / f"{part}.parquet")["string"].to_pylist())


def _models(task: str, variant: str, own: Knobs) -> list[Any]:
    runs = sorted((MODELS / f"{task}-{variant}").iterdir(), key=lambda run: int(run.name.removeprefix("seed-")))
    return [pretrained(CLASSES[own["model"]], run, own) for run in runs]


def _final_training_loss(task: str, variant: str) -> float:
    records = sorted((MODELS / f"{task}-{variant}").glob("*/training.json"))
    return float(np.mean([json.loads(path.read_text())["history"][-1]["train_loss"] for path in records]))


def _predict_number(model: Any, ids: torch.Tensor, lengths: torch.Tensor, batch: int = 1024) -> np.ndarray:
    parts = []
    with torch.inference_mode():
        for start in range(0, len(ids), batch):
            longest = int(lengths[start : start + batch].max())
            parts += [model(ids[start : start + batch, :longest], lengths[start : start + batch]).argmax(-1)]
    return torch.cat(parts).numpy()


def _published(table: str) -> list[dict[str, Any]]:
    return [row.as_json() for row in published.read("stages/urn/published.yaml").table(table).rows]


if __name__ == "__main__":
    run(main)
