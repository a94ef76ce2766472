"""data/models/urn, data/corpora/{dyck,agreement} -> data/evaluation/urn: metrics, claims, plots, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch

from repline import parameters
from repline.evaluation.claims import published
from repline.evaluation.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.urn import dyck, rotation_tables
from repline.systems.urn.closing_brackets import closing_accuracy, majority, predicted_closings
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.number_agreement import agreement_accuracy, word_tables
from repline.systems.urn.training import after_start, agreement_tensors, next_character_loss
from stages import run
from stages.conclusion import conclude
from stages.urn import figures
from stages.urn.train import check

MODELS = Path("data/models/urn")
CORPORA = Path("data/corpora")
Settings = dict[tuple[str, str], dict[str, Any]]  # of the training of each task and variant
CLASSES = {"turn": URN, "full": URN, "arbitrary": UnconstrainedRecurrence, "lstm": LSTMReader}


def main() -> None:
    values = parameters.read()
    settings = check(values)
    metrics = {"dyck": evaluate_dyck(settings), "agreement": evaluate_agreement(settings)}
    conclude("urn", metrics, figures.figures(metrics), figures.plots(metrics))


def evaluate_dyck(settings: Settings) -> dict[str, Any]:
    train, test = (_strings(part) for part in ("train", "test"))
    ids = torch.from_numpy(test)
    result: dict[str, Any] = {}
    for variant in CLASSES:
        models = _models("dyck", variant, settings)
        with torch.inference_mode():
            logits = [model(after_start(ids)).numpy() for model in models]
            losses = [float(next_character_loss(model, (ids,))) for model in models]
        result[variant] = closing_accuracy([predicted_closings(run) for run in logits], test)
        result[variant] |= {"validation_loss": float(np.mean(losses)), "seeds": len(models)}
        result[variant] |= {"train_loss": _final_training_loss("dyck", variant)}
    turns = _models("dyck", "turn", settings)
    tables = [rotation_tables.bracket_tables(turn.matrix, turn.phrase, figures.KINDS, turn.k) for turn in turns]
    planes = rotation_tables.plane_similarities(turns[0].matrix("("), turns[0].matrix("["), turns[0].k)
    result["turn"] |= mean_of_runs(tables) | {"plane_similarity": {"round_square": planes}}  # planes: of the first run
    result["majority"] = closing_accuracy([majority(train, test)], test)
    return result


def evaluate_agreement(settings: Settings) -> dict[str, Any]:
    folder = CORPORA / "agreement"
    ids, lengths, number = agreement_tensors(folder / "test.parquet")
    attractors = pq.read_table(folder / "test.parquet")["attractors"].to_numpy()
    result: dict[str, Any] = {}
    for variant in ("turn", "lstm"):
        models = _models("agreement", variant, settings)
        predictions = [_predict_number(model, ids, lengths) for model in models]
        result[variant] = agreement_accuracy(predictions, number.numpy(), attractors)
        result[variant] |= {"train_loss": _final_training_loss("agreement", variant), "seeds": len(models)}
    vocabulary = pq.read_table(folder / "vocabulary.parquet").to_pylist()
    words = [row["item"] for row in _published("effects-of-words")]
    nouns = [row[key] for row in _published("distances-of-nouns") for key in ("item", "column")]
    turns = _models("agreement", "turn", settings)
    result["turn"] |= mean_of_runs(
        [word_tables(turn.matrix, vocabulary, words, dict.fromkeys(nouns)) for turn in turns]
    )
    train_number = agreement_tensors(folder / "train.parquet")[2]
    commonest = np.full(len(number), int(train_number.float().mean() > 0.5))
    result["majority"] = agreement_accuracy([commonest], number.numpy(), attractors)
    return result


def _strings(part: str) -> np.ndarray:
    return dyck.encode(pq.read_table(CORPORA / "dyck" / f"{part}.parquet")["string"].to_pylist())


def _models(task: str, variant: str, settings: Settings) -> list[Any]:
    runs = sorted((MODELS / f"{task}-{variant}").iterdir(), key=lambda run: int(run.name.removeprefix("seed-")))
    return [pretrained(CLASSES[variant], run, settings[task, variant]) for run in runs]


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
