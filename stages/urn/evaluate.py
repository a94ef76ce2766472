"""data/models/urn, data/corpora/{dyck,agreement} -> data/evaluation/urn: metrics, claims, plots, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch

from repline.evaluation.claims import published
from repline.evaluation.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.urn import dyck, rotation_tables
from repline.systems.urn.closing_brackets import closing_accuracy, majority, predicted_closings
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.number_agreement import agreement_accuracy, word_tables
from repline.systems.urn.settings import Knobs, trainings
from repline.systems.urn.training import (
    after_start,
    agreement_tensors,
    next_character_loss,
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
    metrics = {"dyck": evaluate_dyck(brackets), "agreement": evaluate_agreement(verbs)}
    conclude("urn", metrics, figures.figures(metrics), figures.plots(metrics))


def evaluate_dyck(variants: dict[str, Knobs]) -> dict[str, Any]:
    """The accuracy of each variant and of the majority, and tables of the k-TURN's matrices."""
    train, test = (_strings(part) for part in ("train", "test"))
    ids = torch.from_numpy(test)
    result: dict[str, Any] = {}
    for variant, own in variants.items():
        models = _models("dyck", variant, own)
        with torch.inference_mode():
            logits = [model(after_start(ids)).numpy() for model in models]
            losses = [float(next_character_loss(model, (ids,))) for model in models]
        result[variant] = closing_accuracy([predicted_closings(run) for run in logits], test)
        result[variant] |= {"validation_loss": float(np.mean(losses)), "seeds": len(models)}
        result[variant] |= {"train_loss": _final_training_loss("dyck", variant)}
    turns = _models("dyck", "turn", variants["turn"])
    tables = [rotation_tables.bracket_tables(turn.matrix, turn.phrase, figures.KINDS, turn.k) for turn in turns]
    planes = rotation_tables.plane_similarities(turns[0].matrix("("), turns[0].matrix("["), turns[0].k)
    result["turn"] |= mean_of_runs(tables) | {"plane_similarity": {"round_square": planes}}  # planes: of the first run
    result["majority"] = closing_accuracy([majority(train, test)], test)
    return result


def evaluate_agreement(variants: dict[str, Knobs]) -> dict[str, Any]:
    """The same for the number of a verb."""
    folder = CORPORA / "agreement"
    ids, lengths, number = agreement_tensors(folder / "test.parquet")
    attractors = pq.read_table(folder / "test.parquet")["attractors"].to_numpy()
    result: dict[str, Any] = {}
    for variant, own in variants.items():
        models = _models("agreement", variant, own)
        predictions = [_predict_number(model, ids, lengths) for model in models]
        result[variant] = agreement_accuracy(predictions, number.numpy(), attractors)
        result[variant] |= {"train_loss": _final_training_loss("agreement", variant), "seeds": len(models)}
    vocabulary = pq.read_table(folder / "vocabulary.parquet").to_pylist()
    words = [row["item"] for row in _published("effects-of-words")]
    nouns = [row[key] for row in _published("distances-of-nouns") for key in ("item", "column")]
    turns = _models("agreement", "turn", variants["turn"])
    result["turn"] |= mean_of_runs(
        [word_tables(turn.matrix, vocabulary, words, dict.fromkeys(nouns)) for turn in turns]
    )
    train_number = agreement_tensors(folder / "train.parquet")[2]
    commonest = np.full(len(number), int(train_number.float().mean() > 0.5))
    result["majority"] = agreement_accuracy([commonest], number.numpy(), attractors)
    return result


def _strings(part: str) -> np.ndarray:
    return dyck.encode(pq.read_table(CORPORA / "dyck" / f"{part}.parquet")["string"].to_pylist())


def _models(task: str, variant: str, own: Knobs) -> list[Any]:
    runs = sorted((MODELS / f"{task}-{variant}").iterdir(), key=lambda run: int(run.name.removeprefix("seed-")))
    return [pretrained(CLASSES[variant], run, own) for run in runs]


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
    return next(
        found["rows"] for found in published.read("stages/urn/published.yaml")["tables"] if found["id"] == table
    )


if __name__ == "__main__":
    run(main)
