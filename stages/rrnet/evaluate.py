"""data/models/rrnet and the corpora of the three tasks -> data/evaluation/rrnet: metrics, claims, plots, figures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from repline import parameters
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.evaluation.grouped_accuracy import accuracy_by
from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.pretrained import pretrained
from repline.systems.rrnet.evaluation import accuracies, accuracies_by_length, perplexities
from repline.systems.rrnet.language_model import RRNetLanguageModel
from repline.systems.rrnet.language_model_training import stream_perplexity, train_rrnet_language_model
from repline.systems.rrnet.model import operation_shares
from repline.systems.rrnet.settings import CORPORA, Knobs, corpus, trainings
from repline.systems.rrnet.tasks import ExpressionEvaluator, RelationClassifier
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors
from repline.systems.rrnet.training import train_expressions, train_relations
from stages import run
from stages.conclusion import conclude
from stages.rrnet import figures

MODELS, DATA = Path("data/models/rrnet"), Path("data")
BLOCK = 1000  # sequences at a time
Repeated = Sequence[Mapping[str, Any]]
MOST = 2000  # training expressions whose values are read off


def main() -> None:
    settings = {task: trainings(task, train) for task, (train, _) in TASKS.items()}
    metrics: dict[str, Any] = {task: {} for task in TASKS}
    repeated: dict[str, dict[str, Repeated]] = {task: {} for task in TASKS}
    for task, (_, evaluate) in TASKS.items():
        for variant, own in settings[task].items():
            print(f"{task}: {variant}", flush=True)
            metrics[task][variant], repeated[task][variant] = evaluate(variant, own)
    metrics["expressions"]["majority"] = majority_of_expressions(next(iter(settings["expressions"].values())))
    metrics["relations"]["majority"] = majority_of_relations()
    joined = side_by_side(**{task: side_by_side(**of_variants) for task, of_variants in repeated.items()})
    conclude("rrnet", metrics, figures.figures(metrics), figures.plots(metrics), joined)


def evaluate_expressions(variant: str, own: Knobs) -> tuple[dict[str, Any], Repeated]:
    """Exact matches by length, of the models after every number of epochs; runs are pooled. And their replicates."""
    folder = DATA / CORPORA["expressions"]
    lengths = _lengths()
    tests = [(length, expression_tensors(folder / "test.parquet", [length])) for length in lengths]
    train = expression_tensors(folder / "train.parquet", own["lengths"], own.get("expressions"))
    step = max(len(train[0]) // MOST, 1)
    groups = np.concatenate([np.full(len(values), length) for length, (_, _, values) in tests])  # [N]
    result: dict[str, Any] = {}
    repeated: dict[str, Repeated] = {}
    for epochs in own["epochs"]:
        correct, trained, operations = [], [], []
        models = _models("expressions", variant, ExpressionEvaluator, f"after-{epochs}", own)
        for model in models:
            found = [_values(model, *tensors) for _, tensors in tests]
            correct.append(np.concatenate([right for right, _ in found]))
            operations += [each for _, done in found for each in done]
            trained.append(_values(model, *(tensor[::step] for tensor in train))[0])
        measured = accuracy_by(np.concatenate(correct), np.tile(groups, len(models)), "length")
        measured |= {"train_accuracy": float(np.mean(trained)), "seeds": len(models)}
        measured["runs"] = {
            run.name.replace("-", "_"): accuracy_by(right, groups, "length")["accuracy_by_length"]
            for run, right in zip(_runs("expressions", variant, ""), correct, strict=True)
        }
        if operations:
            measured["operations"] = operation_shares(operations)
        result[f"after_{epochs}"] = measured
        last = together(accuracies_by_length(correct, groups), accuracies(trained, "train_accuracy"))
        repeated[f"after_{epochs}"] = last
    records = _records("expressions", variant, f"after-{epochs}")
    result |= measured | {"parameters": records[0]["parameters"], "train_loss": _loss(records)}
    return result, together(last, side_by_side(**repeated))


def evaluate_relations(variant: str, own: Knobs) -> tuple[dict[str, Any], Repeated]:
    """Accuracy by length; runs are pooled. And its replicates."""
    ids, words, relations, lengths = relation_tensors(DATA / CORPORA["relations"] / "test.parquet")
    name = f"after-{own['epochs'][-1]}"
    models = _models("relations", variant, RelationClassifier, name, own)
    correct = []
    for model in models:
        with torch.inference_mode():
            parts = [model(ids[rows], words[rows])[0].argmax(1) for rows in _blocks(words.amax(1))]
        order = torch.cat(list(_blocks(words.amax(1))))
        predicted = torch.empty_like(relations)
        predicted[order] = torch.cat(parts)
        correct.append((predicted == relations).numpy())
    result = accuracy_by(np.concatenate(correct), np.tile(lengths.numpy(), len(models)), "length")
    seen = lengths.numpy() <= own["longest"]
    pooled = np.stack(correct)
    records = _records("relations", variant, name)
    result |= {
        "accuracy_of_seen_lengths": float(pooled[:, seen].mean()),
        "accuracy_of_longer": float(pooled[:, ~seen].mean()),
        "parameters": records[0]["parameters"],
        "seeds": len(models),
        "train_loss": _loss(records),
    }
    return result, accuracies_by_length(correct, lengths.numpy())


def evaluate_language_model(variant: str, own: Knobs) -> tuple[dict[str, Any], Repeated]:
    """Perplexities, the state carried over the whole stream; the mean over runs. And their replicates."""
    view = LanguageModelingCorpus.load(DATA / corpus("language_model"), own["vocabulary"])
    models = _models("language_model", variant, RRNetLanguageModel, "", own)
    if any(model.words != view.words for model in models):
        raise InputError(f"{MODELS}/language_model-{variant}: its words are not those of {view.folder}; train it again")
    records = _records("language_model", variant, "")
    result: dict[str, Any] = {"parameters": records[0]["parameters"], "seeds": len(models)}
    runs = [stream_perplexity(model, view, "test", batch=own["batch"], steps=own["steps"]) for model in models]
    result["perplexity"] = float(np.mean([measured for measured, _, _ in runs]))
    if runs[0][1] is not None:
        result["operations"] = {name: float(np.mean([shares[name] for _, shares, _ in runs])) for name in runs[0][1]}
    result["validation_loss"] = float(np.mean([record["history"][-1]["validation_loss"] for record in records]))
    result["epochs"] = len(records[0]["history"])
    return result, perplexities([pieces for _, _, pieces in runs])


def majority_of_expressions(own: Knobs) -> dict[str, Any]:
    """What the most frequent value of the training expressions gets."""
    folder = DATA / CORPORA["expressions"]
    commonest = int(torch.bincount(expression_tensors(folder / "train.parquet", own["lengths"])[2]).argmax())
    correct, groups = [], []
    for length in _lengths():
        values = expression_tensors(folder / "test.parquet", [length])[2].numpy()
        correct.append(values == commonest)
        groups.append(np.full(len(values), length))
    return accuracy_by(np.concatenate(correct), np.concatenate(groups), "length")


def majority_of_relations() -> dict[str, Any]:
    """What the most frequent relation of the training pairs gets."""
    folder = DATA / CORPORA["relations"]
    commonest = int(torch.bincount(relation_tensors(folder / "train.parquet")[2]).argmax())
    _, _, relations, lengths = relation_tensors(folder / "test.parquet")
    return accuracy_by((relations == commonest).numpy(), lengths.numpy(), "length")


TASKS = {
    "expressions": (train_expressions, evaluate_expressions),
    "relations": (train_relations, evaluate_relations),
    "language_model": (train_rrnet_language_model, evaluate_language_model),
}


def _values(
    model: ExpressionEvaluator, ids: Tensor, lengths: Tensor, values: Tensor
) -> tuple[np.ndarray, list[Tensor]]:
    """Whether each value is right, and the operations that were done."""
    right, operations = torch.empty(len(ids), dtype=torch.bool), []
    for rows in _blocks(lengths):
        longest = int(lengths[rows].max())
        found, encoding = model.predict(ids[rows, :longest], lengths[rows])
        right[rows] = found == values[rows]
        operations += [] if encoding.operations is None else [encoding.operations]
    return right.numpy(), operations


def _blocks(lengths: Tensor) -> Iterator[Tensor]:
    """Rows, those of similar length together."""
    yield from lengths.argsort(stable=True).split(BLOCK)


def _lengths() -> list[int]:
    return parameters.section(parameters.read(), "rrnet.corpora.math_expressions")["lengths"]


def _runs(task: str, variant: str, name: str) -> list[Path]:
    folder = MODELS / f"{task}-{variant}"
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such model; run `python -m stages.rrnet.train_{task} {variant}`")
    runs = sorted(folder.iterdir(), key=lambda run: int(run.name.removeprefix("seed-")))
    return [run / name for run in runs]


def _models(task: str, variant: str, kind: Any, name: str, own: Knobs) -> list[Any]:
    """Those that are trained with `own`, the parameters of their training."""
    wanted = {key: value for key, value in own.items() if key != "epochs"}  # each is of one of these epochs
    return [pretrained(kind, run, wanted) for run in _runs(task, variant, name)]


def _records(task: str, variant: str, name: str) -> list[dict[str, Any]]:
    return [json.loads((run / "training.json").read_text()) for run in _runs(task, variant, name)]


def _loss(records: list[dict[str, Any]]) -> float:
    return float(np.mean([record["history"][-1]["train_loss"] for record in records]))


if __name__ == "__main__":
    run(main)
