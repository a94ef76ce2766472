"""data/models/concreteness -> data/evaluation/concreteness: metrics, claims, plots, figures."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.evaluation.replication.bootstrap import side_by_side, together
from repline.evaluation.word_vectors.similarity import pearson, spearman
from repline.parameters import load
from repline.systems.concreteness.approximate_randomization import randomization_test
from repline.systems.concreteness.coefficient_mass import coefficient_mass
from repline.systems.concreteness.rating_correlations import fold_correlations
from repline.systems.concreteness.resampled_correlations import resampled_folds, resampled_words
from repline.systems.concreteness.settings import Settings
from stages import run
from stages.conclusion import conclude
from stages.concreteness import figures

MODELS = Path("data/models/concreteness")
EVERYWHERE = ("svr", "ffn", "dic_backoff", "ceiling")  # the dictionary alone does not reach all words
KEYS = ("part", "seed", "fold", "target", "word", "gold")


def main() -> None:
    settings = load(Settings, "concreteness")
    metrics = {
        "within": {name: evaluate_within(name, settings.shuffles) for name in settings.ratings},
        "across": {settings.across.name: evaluate_across(settings.shuffles)},
        "spread": {name: _spread(name) for name in settings.ratings},
    }
    repeated = side_by_side(
        within=side_by_side(**{name: repeat_within(name) for name in settings.ratings}),
        across=side_by_side(**{settings.across.name: repeat_across()}),
        spread=side_by_side(**{name: _repeat_spread(name) for name in settings.ratings}),
    )
    conclude("concreteness", metrics, figures.figures(metrics), figures.plots(metrics), repeated)


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


def repeat_within(name: str) -> list[dict[str, Any]]:
    """Spearman's rho of `evaluate_within` for drawn runs on drawn words, the same words in every part."""
    table = pq.read_table(MODELS / "within" / name / "predictions.parquet")
    number = {word: place for place, word in enumerate(sorted(set(table["word"].to_pylist())))}
    parts: dict[str, Any] = {}
    for part in pc.unique(table["part"]).to_pylist():
        targets = {}
        in_part = table.filter(pc.field("part") == part)
        for target in pc.unique(in_part["target"]).to_pylist():
            rows = in_part.filter(pc.field("target") == target)
            methods = [one for one in rows.column_names if one not in KEYS and rows[one].null_count < len(rows)]
            words = np.array([number[word] for word in rows["word"].to_pylist()])
            gold, seed, fold = (_column(rows, key) for key in ("gold", "seed", "fold"))
            predictions = {method: _column(rows, method) for method in methods}
            found = resampled_folds(words, len(number), gold, predictions, seed, fold)
            targets[target] = [{method: {"spearman": rho} for method, rho in one.items()} for one in found]
        parts[part] = side_by_side(**targets)
    return side_by_side(**parts)


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
        values = {method: _column(rows, method) for method in (*EVERYWHERE, "dic")}
        found: dict[str, Any] = {
            "all": {method: spearman(values[method][rated], gold[rated]) for method in EVERYWHERE},
            "covered": {method: spearman(values[method][covered], gold[covered]) for method in values},
            "pearson": {method: pearson(values[method][rated], gold[rated]) for method in EVERYWHERE},
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
        if (loss := _loss(found["all"])) is not None:
            found["loss"] = loss
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


def repeat_across() -> list[dict[str, Any]]:
    """The correlations of `evaluate_across`, and the loss, on drawn words of the second language."""
    folder = MODELS / "across"
    table = pq.read_table(folder / "predictions.parquet")
    targets: dict[str, Any] = {}
    for target in pc.unique(table["target"]).to_pylist():
        rows = table.filter(pc.field("target") == target)
        rated = ~np.isnan(_column(rows, "gold"))
        gold, *columns = (_column(rows, name)[rated] for name in ("gold", *EVERYWHERE))
        everywhere = dict(zip(EVERYWHERE, columns, strict=True))
        dictionary = _column(rows, "dic")[rated]
        covered = ~np.isnan(dictionary)
        parts = {"all": resampled_words(gold, everywhere)}
        parts["covered"] = resampled_words(gold, everywhere | {"dic": np.nan_to_num(dictionary)}, of=covered)
        parts["loss"] = [_loss(one) for one in parts["all"]]
        targets[target] = [{key: one for key, one in row.items() if one is not None} for row in side_by_side(**parts)]
    maps = pq.read_table(folder / "by_alignment.parquet")
    gold = _column(maps, "gold")
    there = ~np.isnan(gold)
    by_map = {name: _column(maps, name)[there] for name in maps.column_names if name not in ("word", "gold")}
    found = resampled_words(gold[there], by_map)
    alignments = [{"alignments": {name: {"svr": rho} for name, rho in one.items()}} for one in found]
    return together(side_by_side(**targets), alignments)


def _loss(correlations: Mapping[str, float | None]) -> float | None:
    """The share of the rho inside the second language that is lost on the way."""
    reached, ceiling = correlations["svr"], correlations["ceiling"]
    return 1 - reached / ceiling if reached and ceiling else None


def _spread(name: str) -> dict[str, Any]:
    """target -> the mass of the coefficients, and `shuffled`: the mean, lowest and highest of shuffled ratings."""
    found = {}
    for target, coefficients in _coefficients(name).items():
        controls = [coefficient_mass(values)["mass_of_half"] for values in coefficients["shuffled"]]
        shuffled = {"mass_of_half": float(np.mean(controls)), "lowest": min(controls), "highest": max(controls)}
        cumulative = np.mean([coefficient_mass(values)["cumulative"] for values in coefficients["shuffled"]], axis=0)
        shuffled["cumulative"] = cumulative.tolist()
        found[target] = coefficient_mass(coefficients["fitted"]) | {"shuffled": shuffled}
    return found


def _repeat_spread(name: str) -> list[dict[str, Any]]:
    targets = {}
    for target, coefficients in _coefficients(name).items():
        masses = (coefficient_mass(values) for values in coefficients["resampled"])
        targets[target] = [{key: mass[key] for key in mass if key != "cumulative"} for mass in masses]
    return side_by_side(**targets)


def _coefficients(name: str) -> dict[str, dict[str, list]]:
    return json.loads((MODELS / "within" / name / "coefficients.json").read_text(encoding="utf-8"))


def _column(table: pa.Table, name: str) -> np.ndarray:
    return table[name].to_numpy() if table[name].null_count == 0 else np.array(table[name].to_pylist(), float)


if __name__ == "__main__":
    run(main)
