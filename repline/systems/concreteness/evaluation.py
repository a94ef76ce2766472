"""How well predicted ratings correlate with those of people: out of fold, across languages; what coefficients show."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.errors import InputError, in_one_line
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Measures, Metric
from repline.evaluation.replication.bootstrap import merge_replicates, side_by_side
from repline.evaluation.word_vectors.similarity import pearson, spearman
from repline.systems.concreteness.approximate_randomization import randomization_test
from repline.systems.concreteness.coefficients import coefficient_mass
from repline.systems.concreteness.rating_correlations import fold_correlations
from repline.systems.concreteness.resampled_correlations import resampled_folds, resampled_words
from repline.systems.concreteness.training import PREDICTIONS
from repline.systems.concreteness.transfer import ALIGNMENTS, BY_ALIGNMENT

EVERYWHERE = ("svr", "ffn", "dic_backoff", "ceiling")  # the dictionary alone does not reach all words
PAIRS = (("svr", "ffn"), ("svr", "dic"), ("ffn", "dic"))  # that are tested against each other
KEYS = ("run", "fold", "target", "word", "gold")  # columns of predictions that are no method


def evaluate_within(parts: Mapping[str, Sequence[Path]], shuffles: int) -> Evaluation:
    """Part -> target -> method -> correlations, and the p of support vectors against the networks in the first run.

    Replicates are of Spearman's rho: drawn runs on drawn words, the same words in every part.

    Args:
        parts: by the name of a part of the rated words, the folders of its runs.
        shuffles: of the randomisation test.

    Raises:
        InputError: a run without predictions.
    """
    tables = {part: _predictions(runs) for part, runs in parts.items()}
    vocabulary = sorted({word for table in tables.values() for word in table["word"].to_pylist()})
    number = {word: row for row, word in enumerate(vocabulary)}
    methods = dict.fromkeys(name for table in tables.values() for name in table.column_names if name not in KEYS)
    return Evaluation.side_by_side(
        {
            part: Evaluation.side_by_side(
                {
                    target: _in_part(rows, [name for name in methods if name in table.column_names], number, shuffles)
                    for target, rows in _by_target(table)
                }
            )
            for part, table in tables.items()
        }
    )


def evaluate_across(folder: Path, shuffles: int) -> Evaluation:
    """Target -> Spearman's rho by method on all words and on those that the dictionary reaches; p; the alignments.

    Replicates are of the correlations and the loss, on drawn words of the second language.

    Args:
        folder: what `repline.systems.concreteness.transfer.train_across` wrote.

    Raises:
        InputError: it is not there.
    """
    table, aligned = _read(folder / PREDICTIONS), _read(folder / BY_ALIGNMENT)
    targets = Evaluation.side_by_side({target: _in_transfer(rows, shuffles) for target, rows in _by_target(table)})
    maps = json.loads((folder / ALIGNMENTS).read_text(encoding="utf-8"))["maps"]
    gold = _column(aligned, "gold")
    rated = ~np.isnan(gold)
    predictions = {name: _column(aligned, name)[rated] for name in maps}
    alignments = {name: maps[name] | {"svr": spearman(values, gold[rated])} for name, values in predictions.items()}
    resampled = [
        {"alignments": {name: {"svr": rho} for name, rho in rhos.items()}}
        for rhos in resampled_words(gold[rated], predictions)
    ]
    return Evaluation(targets.metrics | {"alignments": alignments}, merge_replicates(targets.replicates, resampled))


def evaluate_coefficients(path: Path) -> Evaluation:
    """Target -> the mass of the coefficients, and `shuffled`: the mean, lowest and highest of shuffled ratings.

    Replicates are of the mass, for models of drawn words.

    Args:
        path: what `repline.systems.concreteness.coefficients.measured_coefficients` gave, as JSON.
    """
    coefficients = json.loads(path.read_text(encoding="utf-8"))
    return Evaluation.side_by_side(
        {target: _mass(model_coefficients) for target, model_coefficients in coefficients.items()}
    )


def _in_part(rows: pa.Table, methods: Sequence[str], number: Mapping[str, int], shuffles: int) -> Evaluation:
    """The predictions of all runs for one target, of words that have these numbers."""
    gold, run, fold = (_column(rows, key) for key in ("gold", "run", "fold"))
    predictions = {method: _column(rows, method) for method in methods}
    metrics: Metrics = {method: fold_correlations(gold, values, run, fold) for method, values in predictions.items()}
    first = (run == run[0]) & ~np.isnan(gold)
    metrics["words"] = int(first.sum())
    if "ffn" in predictions:
        pair = (predictions[method][first] for method in ("svr", "ffn"))
        metrics["p_svr_ffn"] = randomization_test(gold[first], *pair, shuffles=shuffles)
    words = np.array([number[word] for word in rows["word"].to_pylist()])
    resampled = resampled_folds(words, len(number), gold, predictions, run, fold)
    return Evaluation(metrics, [{method: {"spearman": rho} for method, rho in rhos.items()} for rhos in resampled])


def _in_transfer(rows: pa.Table, shuffles: int) -> Evaluation:
    """The predictions for one target in the second language."""
    gold = _column(rows, "gold")
    rated = ~np.isnan(gold)
    gold, values = gold[rated], {method: _column(rows, method)[rated] for method in (*EVERYWHERE, "dic")}
    everywhere = {method: values[method] for method in EVERYWHERE}
    covered = ~np.isnan(values["dic"])
    metrics: Metrics = {
        "all": {method: spearman(predicted, gold) for method, predicted in everywhere.items()},
        "covered": {method: spearman(predicted[covered], gold[covered]) for method, predicted in values.items()},
        "pearson": {method: pearson(predicted, gold) for method, predicted in everywhere.items()},
        "words": int(rated.sum()),
        "coverage": float(covered.sum() / rated.sum()),
    }
    if covered.sum() > 1:
        metrics["p"] = {
            f"{first}_{second}": randomization_test(
                gold[covered], values[first][covered], values[second][covered], shuffles=shuffles
            )
            for first, second in PAIRS
        }
    resampled = {
        "all": resampled_words(gold, everywhere),
        "covered": resampled_words(gold, values | {"dic": np.nan_to_num(values["dic"])}, of=covered),
    }
    lost = [{"loss": _loss(rhos)} for rhos in resampled["all"]]
    replicates = [_there({**row, **loss}) for row, loss in zip(side_by_side(**resampled), lost, strict=True)]
    return Evaluation(metrics | _there({"loss": _loss(metrics["all"])}), replicates)


def _loss(correlations: Mapping[str, float | None]) -> float | None:
    """The share of the rho inside the second language that is lost on the way."""
    reached, ceiling = correlations["svr"], correlations["ceiling"]
    return 1 - reached / ceiling if reached and ceiling else None


def _there(values: Measures) -> dict[str, Metric]:
    return {key: value for key, value in values.items() if value is not None}


def _mass(coefficients: Mapping[str, list[Any]]) -> Evaluation:
    """The mass of the coefficients of one target, and of models of shuffled ratings."""
    controls = [coefficient_mass(values) for values in coefficients["shuffled"]]
    halves = [control["mass_of_half"] for control in controls]
    shuffled = {
        "mass_of_half": float(np.mean(halves)),
        "lowest": min(halves),
        "highest": max(halves),
        "cumulative": np.mean([control["cumulative"] for control in controls], axis=0).tolist(),
    }
    resampled = [coefficient_mass(values) for values in coefficients["resampled"]]
    return Evaluation(
        {**coefficient_mass(coefficients["fitted"]), "shuffled": shuffled},
        [{key: cast(Metric, value) for key, value in mass.items() if key != "cumulative"} for mass in resampled],
    )


def _predictions(runs: Sequence[Path]) -> pa.Table:
    """The predictions of several runs, which `run` numbers."""
    tables = [_read(folder / PREDICTIONS) for folder in runs]
    return pa.concat_tables(
        table.append_column("run", pa.array([number] * len(table))) for number, table in enumerate(tables)
    )


def _by_target(table: pa.Table) -> list[tuple[str, pa.Table]]:
    targets = pc.unique(table["target"]).to_pylist()
    return [(target, table.filter(pc.field("target") == target)) for target in targets]


def _read(path: Path) -> pa.Table:
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: the predictions cannot be read ({in_one_line(error)}); train again") from None


def _column(table: pa.Table, name: str) -> NDArray:
    return table[name].to_numpy()
