"""Predict ratings out of fold inside one language: `python -m stages.concreteness.within NAME`.

data/<place of NAME>, data/vectors -> data/models/concreteness/within/NAME/: predictions.parquet, coefficients.json.
"""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.files import new_folder, write_json
from repline.parameters import load
from repline.systems.concreteness.coefficient_controls import resampled_coefficients, shuffled_coefficients
from repline.systems.concreteness.folds import folds_of, out_of_fold
from repline.systems.concreteness.regressors import linear_coefficients
from repline.systems.concreteness.settings import Settings
from stages import run, threads
from stages.argument import argument
from stages.concreteness import rated_words, regressor_knobs


def main() -> None:
    settings = load(Settings, "concreteness")
    svr, ffn = regressor_knobs.svr(settings), regressor_knobs.ffn(settings)
    name = argument("the name of some ratings", settings.ratings)
    every = rated_words.rated(settings.ratings[name].place, *rated_words.vectors(settings.vectors))
    tables = []
    for part_name, part in settings.parts.items():
        for seed in part.seeds:
            chosen = every.chosen(part.most, seed)
            fold = folds_of(len(chosen.words), settings.folds, seed)
            found = out_of_fold(
                chosen.x,
                chosen.rows,
                chosen.ratings,
                fold,
                part.methods,
                rated_words.SCRATCH,
                svr=svr,
                ffn=ffn,
                seed=seed,
                threads=threads(),
                name=f"concreteness-{name}-{part_name}-{seed}",
            )
            print(f"{name} {part_name}, seed {seed}: {len(chosen.words)} words", flush=True)
            for target, predictions in found.items():
                tables += [_table(part_name, seed, fold, target, chosen, predictions)]
    largest = max(settings.parts.values(), key=lambda part: len(part.methods))
    chosen = every.chosen(largest.most, largest.seeds[0])
    with new_folder(rated_words.MODELS / "within" / name) as folder:
        pq.write_table(pa.concat_tables(tables, promote_options="default"), folder / "predictions.parquet")
        write_json(folder / "coefficients.json", _coefficients(chosen))


def _table(
    part: str, seed: int, fold: np.ndarray, target: str, words: rated_words.Rated, predictions: dict[str, np.ndarray]
) -> pa.Table:
    n = len(words.words)
    columns = {"part": [part] * n, "seed": [seed] * n, "fold": fold, "target": [target] * n, "word": words.words}
    return pa.table(columns | {"gold": words.ratings[target]} | predictions)


def _coefficients(words: rated_words.Rated) -> dict[str, dict[str, list]]:
    """target -> the coefficients of a linear model: `fitted` [d], `resampled` and `shuffled` lists of such."""
    found = {}
    for target in ("concreteness", "imageability"):
        if target in words.ratings:
            there = ~np.isnan(words.ratings[target])
            data = words.x[there], words.ratings[target][there]
            found[target] = {
                "fitted": linear_coefficients(*data).tolist(),
                "resampled": resampled_coefficients(*data),
                "shuffled": shuffled_coefficients(*data),
            }
    return found


if __name__ == "__main__":
    run(main)
