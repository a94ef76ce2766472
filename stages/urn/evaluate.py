"""data/models/urn, data/corpora/{dyck,agreement} -> data/evaluation/urn: metrics, claims, plots, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch

from repline import parameters
from repline.corpora import dyck
from repline.evaluation import claims, published, rotation_tables
from repline.evaluation.closing_brackets import closing_accuracy, majority, predicted_closings
from repline.evaluation.number_agreement import agreement_accuracy
from repline.files import new_folder, write_json
from repline.models.urn import URN, LSTMReader, UnconstrainedRecurrence
from repline.report import charts
from repline.training.urn import after_start, agreement_tensors, next_character_loss
from stages import run, threads

MODELS = Path("data/models/urn")
CORPORA = Path("data/corpora")
CLASSES = {"turn": URN, "full": URN, "arbitrary": UnconstrainedRecurrence, "lstm": LSTMReader}
NAMES = {
    "turn": "k-TURN",
    "full": "Full-URN",
    "arbitrary": "arbitrary matrices",
    "lstm": "LSTM",
    "majority": "majority",
}
KINDS = dict(zip(("round", "curly", "square", "angle", "sign"), dyck.KINDS, strict=True))
VERBS = ["is", "are", "was", "were", "has", "have", "which"]
IRRELEVANT = [".", "the", "his", "its", "also", "their"]
FREQUENT_NOUNS = 50  # of each number, for the mean distances


def main() -> None:
    torch.set_num_threads(threads())
    values = parameters.read()
    paper = published.read("stages/urn/published.yaml")
    metrics = {"dyck": evaluate_dyck(), "agreement": evaluate_agreement(paper)}
    with new_folder("data/evaluation/urn") as folder:
        write_json(folder / "metrics.json", metrics)
        write_json(
            folder / "claims.json", claims.check(claims.read("stages/urn/claims.yaml"), metrics, values["profile"])
        )
        write_json(folder / "figures.json", figures(metrics))
        for task, by in (("dyck", "attractors"), ("dyck", "depth"), ("agreement", "attractors")):
            write_json(
                folder / "plots" / f"{task}_by_{by}.json", curve_rows(metrics[task], by, first=int(by == "depth"))
            )
        write_json(folder / "plots" / "dyck_effects.json", effect_rows(metrics["dyck"]["turn"]))
    for claim in json.loads(Path("data/evaluation/urn/claims.json").read_text(encoding="utf-8")):
        print(f"{claim['verdict']:>8}  {claim['text']}")


def evaluate_dyck() -> dict[str, Any]:
    train, test = (_strings(part) for part in ("train", "test"))
    everywhere = torch.from_numpy(test)
    result: dict[str, Any] = {}
    for variant in CLASSES:
        models = _models("dyck", variant)
        with torch.inference_mode():
            logits = [model(after_start(everywhere)) for model in models]
            losses = [float(next_character_loss(lambda _, given=given: given, (everywhere,))) for given in logits]
        result[variant] = closing_accuracy([predicted_closings(given.numpy()) for given in logits], test) | {
            "validation_loss": float(np.mean(losses)),
            "train_loss": _final_training_loss("dyck", variant),
            "seeds": len(models),
        }
        if variant == "turn":
            result[variant] |= _mean_of(
                [rotation_tables.bracket_tables(model.matrix, model.phrase, KINDS, model.k) for model in models]
            )
            similarity = rotation_tables.plane_similarities(models[0].matrix("("), models[0].matrix("["), models[0].k)
            result[variant]["plane_similarity"] = {
                "round_square": similarity
            }  # of the first seed: planes do not average
    result["majority"] = closing_accuracy([majority(train, test)], test)
    return result


def evaluate_agreement(paper: dict[str, Any]) -> dict[str, Any]:
    path = CORPORA / "agreement" / "test.parquet"
    ids, lengths, number = agreement_tensors(path)
    attractors = pq.read_table(path)["attractors"].to_numpy()
    plural = number.numpy()
    _, _, train_number = agreement_tensors(CORPORA / "agreement" / "train.parquet")
    result: dict[str, Any] = {}
    for variant in ("turn", "lstm"):
        models = _models("agreement", variant)
        predictions = [_predict_number(model, ids, lengths) for model in models]
        result[variant] = agreement_accuracy(predictions, plural, attractors) | {
            "train_loss": _final_training_loss("agreement", variant),
            "seeds": len(models),
        }
        if variant == "turn":
            result[variant] |= _mean_of([_word_tables(model, paper) for model in models])
    commonest = np.full_like(plural, int(train_number.float().mean() > 0.5))
    result["majority"] = agreement_accuracy([commonest], plural, attractors)
    return result


def figures(metrics: dict[str, Any]) -> list[dict[str, Any]]:
    brackets, verbs = (
        {NAMES[name]: values for name, values in metrics[task].items()} for task in ("dyck", "agreement")
    )
    turn = metrics["dyck"]["turn"]
    signs = {
        f"{name}_{end}": pair[place] for name, pair in KINDS.items() for place, end in enumerate(("open", "close"))
    }
    turns = {signs[name]: angles for name, angles in turn["angles"].items()}
    similarity = turn["plane_similarity"]["round_square"]
    places = [f"plane {number + 1}" for number in range(len(similarity))]
    return [
        charts.record(
            "dyck-attractors",
            "Closing brackets, by attractors",
            "Accuracy on strings nested deeper than any seen in training; Wilson 95 % intervals, runs pooled.",
            charts.accuracy_curves(brackets, "attractors", 0, "attractors"),
        ),
        charts.record(
            "dyck-depth",
            "Closing brackets, by depth",
            "The hard cases lie deep inside a nesting; training stops at depth 3.",
            charts.accuracy_curves(brackets, "depth", 1, "nesting depth of the pair"),
        ),
        charts.record(
            "agreement-attractors",
            "Verb number, by attractors",
            "Accuracy of singular against plural; read it beside the majority line.",
            charts.accuracy_curves(verbs, "attractors", 0, "attractors"),
        ),
        charts.record(
            "dyck-effects",
            "Average effect of brackets and matching pairs",
            "A matching pair is nearly the identity: what it did to the state is undone.",
            charts.bars(_effects_by_sign(turn), "|Q − I|²"),
        ),
        charts.record(
            "agreement-effects",
            "Average effect of frequent words",
            "How far each word's matrix is from the identity.",
            charts.bars(metrics["agreement"]["turn"]["effects"], "|Q − I|²"),
        ),
        charts.record(
            "dyck-signatures",
            "Signatures",
            "The rotation angles of each symbol as dials: 0° points up, 180° down.",
            charts.dials(turns),
        ),
        charts.record(
            "dyck-planes",
            "Rotation planes of ( and [",
            "Similarity of each pair of planes, by increasing angle: 2 is the same plane, 0 an orthogonal one.",
            charts.heatmap(
                similarity, [f"( {place}" for place in places], [f"[ {place}" for place in places], "similarity"
            ),
        ),
    ]


def curve_rows(task: dict[str, Any], by: str, first: int) -> list[dict[str, Any]]:
    """One row a model and group, for DVC's plots."""
    return [
        {"model": NAMES[name], by: first + place, "accuracy": value, "low": low, "high": high}
        for name, values in task.items()
        for place, (value, low, high) in enumerate(
            zip(*(values[f"accuracy_by_{by}{end}"] for end in ("", "_low", "_high")), strict=True)
        )
        if value is not None
    ]


def effect_rows(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"symbol": name, "effect": value} for name, value in _effects_by_sign(turn).items()]


def _effects_by_sign(turn: dict[str, Any]) -> dict[str, float]:
    single = {KINDS[name.split("_")[0]][name.endswith("close")]: value for name, value in turn["effects"].items()}
    return single | {KINDS[name]: value for name, value in turn["pair_effects"].items()}


def _strings(part: str) -> np.ndarray:
    return dyck.encode(pq.read_table(CORPORA / "dyck" / f"{part}.parquet")["string"].to_pylist())


def _models(task: str, variant: str) -> list[Any]:
    folders = sorted(
        (MODELS / f"{task}-{variant}").iterdir(), key=lambda folder: int(folder.name.removeprefix("seed-"))
    )
    return [CLASSES[variant].from_pretrained(folder).eval() for folder in folders]


def _final_training_loss(task: str, variant: str) -> float:
    histories = [
        json.loads(path.read_text()) for path in sorted((MODELS / f"{task}-{variant}").glob("*/training.json"))
    ]
    return float(np.mean([training["history"][-1]["train_loss"] for training in histories]))


def _predict_number(model: Any, ids: torch.Tensor, lengths: torch.Tensor, batch: int = 1024) -> np.ndarray:
    parts = []
    with torch.inference_mode():
        for start in range(0, len(ids), batch):
            longest = int(lengths[start : start + batch].max())
            parts += [model(ids[start : start + batch, :longest], lengths[start : start + batch]).argmax(-1)]
    return torch.cat(parts).numpy()


def _word_tables(model: URN, paper: dict[str, Any]) -> dict[str, Any]:
    """Effects of the paper's words, distances of its nouns and of the corpus's own frequent nouns."""
    tables = {table["id"]: table["rows"] for table in paper["tables"]}
    words = [row["item"] for row in tables["effects-of-words"] if row["item"] in model.index]
    vocabulary = pq.read_table(CORPORA / "agreement" / "vocabulary.parquet").to_pylist()
    nouns = {
        number: [row["word"] for row in vocabulary if row["noun_number"] == number][:FREQUENT_NOUNS]
        for number in ("singular", "plural")
    }
    paper_nouns = ["article", "year", "area", "world", "family", "articles", "years", "areas", "worlds", "families"]
    known = [noun for noun in paper_nouns if noun in model.index]
    result: dict[str, Any] = {"effects": rotation_tables.effects(model.matrix, words)}
    if known:
        table = rotation_tables.distances(model.matrix, known)
        result["distances"] = {
            first: {second: float(table[row, column]) for column, second in enumerate(known) if column > row}
            for row, first in enumerate(known[:-1])
        }
    result |= rotation_tables.number_clusters(model.matrix, nouns["singular"], nouns["plural"])
    for name, group in (("effect_verbs", VERBS), ("effect_irrelevant", IRRELEVANT)):
        present = [word for word in group if word in model.index]
        if present:
            result[name] = float(np.mean(list(rotation_tables.effects(model.matrix, present).values())))
    return result


def _mean_of(runs: list[Any]) -> Any:
    """The mean, number by number, of nested metrics of equal form."""
    if isinstance(runs[0], dict):
        return {key: _mean_of([run[key] for run in runs]) for key in runs[0]}
    if isinstance(runs[0], list):
        return [_mean_of(list(items)) for items in zip(*runs, strict=True)]
    return float(np.mean(runs))


if __name__ == "__main__":
    run(main)
