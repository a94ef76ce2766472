"""data/models/concreteness -> data/evaluation/concreteness: metrics, claims, plots, figures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.evaluation.word_vectors.similarity import pearson, spearman
from repline.parameters import load
from repline.systems.concreteness.approximate_randomization import randomization_test
from repline.systems.concreteness.coefficient_mass import coefficient_mass
from repline.systems.concreteness.rating_correlations import fold_correlations
from repline.systems.concreteness.settings import Settings
from stages import run
from stages.conclusion import conclude
from stages.concreteness import figures

MODELS = Path("data/models/concreteness")
KEYS = ("part", "seed", "fold", "target", "word", "gold")


def main() -> None:
    settings = load(Settings, "concreteness")
    metrics = {
        "within": {name: evaluate_within(name, settings.shuffles) for name in settings.ratings},
        "across": {settings.across.name: evaluate_across(settings.shuffles)},
        "spread": {name: _spread(name) for name in settings.ratings},
    }
    conclude("concreteness", metrics, figures.figures(metrics), figures.plots(metrics))


def evaluate_within(name: str, shuffles: int) -> dict[str, Any]:
    """part -> target -> method -> correlations, and the p of SVR against the networks in the first run."""
    table = pq.read_table(MODELS / "within" / name / "predictions.parquet")
    result: dict[str, Any] = {}
    for part in pc.unique(table["part"]).to_pylist():
        in_part = table.filter(pc.field("part") == part)
        result[part] = {}
        for target in pc.unique(in_part["target"]).to_pylist():
            rows = in_part.filter(pc.field("target") == target)
            gold, seed, fold = (_column(rows, key) for key in ("gold", "seed", "fold"))
            found: dict[str, Any] = {}
            for method in rows.column_names:
                if method not in KEYS and rows[method].null_count < len(rows):
                    found[method] = fold_correlations(gold, _column(rows, method), seed, fold)
            first = (seed == seed[0]) & ~np.isnan(gold)
            found["words"] = int(first.sum())
            if "ffn" in found:
                pair = (_column(rows, method)[first] for method in ("svr", "ffn"))
                found["p_svr_ffn"] = randomization_test(gold[first], *pair, shuffles=shuffles)
            result[part][target] = found
            shown = ", ".join(
                f"{key} {value['spearman']:.3f}" for key, value in found.items() if key in figures.METHODS
            )
            print(f"{name} {part} {target} ({found['words']} words): {shown}", flush=True)
    return result


def evaluate_across(shuffles: int) -> dict[str, Any]:
    """target -> method -> Spearman on all words, on those that the dictionary reaches, p; and the alignments."""
    folder = MODELS / "across"
    table = pq.read_table(folder / "predictions.parquet")
    result: dict[str, Any] = {}
    for target in pc.unique(table["target"]).to_pylist():
        rows = table.filter(pc.field("target") == target)
        gold = _column(rows, "gold")
        rated = ~np.isnan(gold)
        covered = rated & ~np.isnan(_column(rows, "dic"))
        values = {method: _column(rows, method) for method in ("svr", "ffn", "dic", "dic_backoff", "ceiling")}
        everywhere = [method for method in values if method != "dic"]
        found: dict[str, Any] = {
            "all": {method: spearman(values[method][rated], gold[rated]) for method in everywhere},
            "covered": {method: spearman(values[method][covered], gold[covered]) for method in values},
            "pearson": {method: pearson(values[method][rated], gold[rated]) for method in everywhere},
            "words": int(rated.sum()),
            "coverage": float(covered.sum() / rated.sum()),
        }
        if covered.sum() > 1:
            found["p"] = {
                f"{one}_{other}": randomization_test(
                    gold[covered], values[one][covered], values[other][covered], shuffles=shuffles
                )
                for one, other in (("svr", "ffn"), ("svr", "dic"), ("ffn", "dic"))
            }
        if found["all"]["svr"] and found["all"]["ceiling"]:
            found["loss"] = 1 - found["all"]["svr"] / found["all"]["ceiling"]
        result[target] = found
        shown = ", ".join(f"{method} {value:.3f}" for method, value in found["all"].items() if value is not None)
        print(f"across, {target} ({found['words']} words, {found['coverage']:.0%} in the dictionary): {shown}")
    aligned = json.loads((folder / "alignments.json").read_text(encoding="utf-8"))
    rows = pq.read_table(folder / "by_alignment.parquet")
    gold = _column(rows, "gold")
    there = ~np.isnan(gold)
    for name, found in aligned["maps"].items():
        found["svr"] = spearman(_column(rows, name)[there], gold[there])
    return result | {"alignments": aligned["maps"]}


def _spread(name: str) -> dict[str, Any]:
    text = (MODELS / "within" / name / "coefficients.json").read_text(encoding="utf-8")
    return {target: coefficient_mass(values) for target, values in json.loads(text).items()}


def _column(table: pa.Table, name: str) -> np.ndarray:
    return table[name].to_numpy() if table[name].null_count == 0 else np.array(table[name].to_pylist(), float)


if __name__ == "__main__":
    run(main)
