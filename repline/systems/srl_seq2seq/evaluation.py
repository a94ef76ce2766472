"""Faithfulness of outputs and F1 of their labels: counts of each instance, and measures of sums of the counts.

Every measure is a ratio of sums, so an instance is a row of numbers, and a resample of the test sentences is one
product of how often each instance was drawn with these rows.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from repline.corpora.srl.linearisation import read_target
from repline.corpora.srl.propositions import PREDICATE, Argument
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import REPLICATES, drawn_runs, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.weighted_draws import draws
from repline.evaluation.role_scores import precision_recall_f1, role_counts, whole_arguments
from repline.systems.srl_seq2seq.baselines import frequent_label, noun_chunks, unlabelled
from repline.systems.srl_seq2seq.corpus import Data, Instance
from repline.systems.srl_seq2seq.settings import Analysis, Ranges
from repline.systems.srl_seq2seq.training import PLAIN, read_outputs
from repline.training.convergence import not_converged

LENGTHS, DISTANCES, POSITIONS = ("short", "middle", "long"), ("near", "middle", "far"), ("begin", "middle", "end")
NUMBERS = ("none", "one", "more")  # of missing or excess arguments
COUNTS = ("correct", "excess", "missed")


class Measured(NamedTuple):
    """Measures of all seeds, see `over_runs`, and their replicates; `seeds` has f1_min of each."""

    values: Metrics
    replicates: list[Any]


def evaluate(data: Data, models: Mapping[str, Sequence[Path]], analysis: Analysis) -> Evaluation:
    """Measures of every variant and decoding on test, and of the baselines.

    Args:
        data: what the models were trained on.
        models: by variant, the folder of each seed's model.
        analysis: labels and ranges that are reported.

    Returns:
        Metrics of each variant (`<variant>_<decoding>` for further decodings) and of the `baselines`, their replicates,
        and the confusion of labels by the first variant's first seed.
    """
    test = data.instances["test"]
    outputs = outputs_of(models)
    systems = {name: measured(test, runs, analysis.ranges, analysis.shown) for name, runs in outputs.items()}
    baselines = {
        name: measured(test, [output], analysis.ranges, analysis.shown)
        for name, output in _baselines(data, analysis).items()
    }
    replicates = {name: system.replicates for name, system in systems.items()}
    replicates["baselines"] = side_by_side(**{name: system.replicates for name, system in baselines.items()})
    metrics = {name: system.values for name, system in systems.items()}
    first = next(iter(outputs))
    return Evaluation(
        metrics | {"baselines": {name: system.values for name, system in baselines.items()}},
        side_by_side(**replicates),
        {"confusion": confusion(test, outputs[first][0], analysis.shown)},
        not_converged(models, "validation_loss"),
    )


def outputs_of(models: Mapping[str, Sequence[Path]]) -> dict[str, list[list[list[str]]]]:
    """The outputs of each seed, by variant, with the name of the decoding behind it where it is not the plain one."""
    outputs: dict[str, list[list[list[str]]]] = {}
    for variant, folders in models.items():
        for folder in folders:
            for decoding, tokens in read_outputs(folder).items():
                outputs.setdefault(variant if decoding == PLAIN else f"{variant}_{decoding}", []).append(tokens)
    return outputs


def _baselines(data: Data, analysis: Analysis) -> dict[str, list[list[str]]]:
    test = data.instances["test"]
    outputs = {"frequent_label": frequent_label(data.instances["train"], test), "unlabelled": unlabelled(test)}
    if all(instance.tags is not None for instance in test):
        outputs["noun_chunks"] = noun_chunks(test, analysis.agent, analysis.patient)
    return outputs


def instance_counts(
    instances: Sequence[Instance], outputs: Sequence[Sequence[str]], ranges: Ranges, labels: Sequence[str]
) -> tuple[list[str], NDArray[np.float64]]:
    """Names of the columns, and a row of counts for each instance [N, K].

    Args:
        outputs: tokens, of each instance.
        labels: whose spans are counted one by one.
    """
    names = ["items", "same_length", "exact_copy", "brackets", "bracketed", "perfect", "duplicates"]
    names += [f"{way}.{what}" for way in ("min", "max") for what in COUNTS]
    names += [f"span.{kind}" for kind in ("exact", "partial", "none", "right")]
    names += [f"{what}.{number}" for what in ("missing", "excess") for number in NUMBERS]
    names += [f"length.{group}.{what}" for group in LENGTHS for what in COUNTS]
    names += [f"distance.{group}.{what}" for group in DISTANCES for what in COUNTS]
    names += [f"position.{group}.{what}" for group in POSITIONS for what in ("words", "errors")]
    names += [f"label.{label}.{what}" for label in labels for what in ("spans", "right")]
    column_of = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(instances), len(names)))
    for row, instance, output in zip(table, instances, outputs, strict=True):
        for name, count in _counts(instance, output, ranges).items():
            if name in column_of:
                row[column_of[name]] += count
    return names, table


def measures(names: Sequence[str], sums: NDArray[np.float64]) -> dict[str, Metric]:
    """The measures, in percent, of sums [K] of columns; None where there is nothing to divide by.

    same_length, exact_copy, brackets, bracketed, perfect, duplicates: shares of the outputs; an output without any
    bracket is balanced (brackets), and not bracketed. f1_min: where the number of words is
    not that of the source, nothing was found; f1_max: there all gold arguments were; precision and recall are those of
    f1_min. spans: of the found spans, by their overlap with gold ones, and of the exact ones those labelled right.
    position: the share of words with another tag, in outputs of the right number of words.
    """
    sum_of = dict(zip(names, sums.tolist(), strict=True))
    shares: Metrics = {
        name: _percent(sum_of[name], sum_of["items"])
        for name in ("same_length", "exact_copy", "brackets", "bracketed", "perfect", "duplicates")
    }
    shares["precision"], shares["recall"], shares["f1_min"] = precision_recall_f1(
        *(sum_of[f"min.{what}"] for what in COUNTS)
    )
    shares["f1_max"] = precision_recall_f1(*(sum_of[f"max.{what}"] for what in COUNTS))[2]
    kinds = ("exact", "partial", "none")
    spans = sum(sum_of[f"span.{kind}"] for kind in kinds)
    shares["spans"] = {kind: _percent(sum_of[f"span.{kind}"], spans) for kind in kinds}
    shares["spans"]["labelled_right"] = _percent(sum_of["span.right"], sum_of["span.exact"])
    readable = sum_of["same_length"]
    for what in ("missing", "excess"):
        shares[what] = {number: _percent(sum_of[f"{what}.{number}"], readable) for number in NUMBERS}
    for what, groups in (("length", LENGTHS), ("distance", DISTANCES)):
        shares[what] = {}
        for group in groups:
            counts = [sum_of[f"{what}.{group}.{count}"] for count in COUNTS]
            shares[what][group] = precision_recall_f1(*counts)[2] if any(counts) else None
    shares["position"] = {
        group: _percent(sum_of[f"position.{group}.errors"], sum_of[f"position.{group}.words"]) for group in POSITIONS
    }
    labels = [name.split(".")[1] for name in names if name.startswith("label.") and name.endswith(".spans")]
    shares["labels"] = {
        label.replace("-", "_"): _percent(sum_of[f"label.{label}.right"], sum_of[f"label.{label}.spans"])
        for label in labels
    }
    return shares


def measured(
    instances: Sequence[Instance], runs: Sequence[Sequence[Sequence[str]]], ranges: Ranges, labels: Sequence[str]
) -> Measured:
    """The measures of a system, and replicates that draw its runs and the test sentences.

    A sentence is drawn with all of its instances, one for each predicate: they share words and arguments.

    Args:
        runs: the outputs of each seed.
    """
    counted = [instance_counts(instances, outputs, ranges, labels) for outputs in runs]
    names = counted[0][0]
    tables = [table for _, table in counted]
    times = draws(len(instances), REPLICATES, groups=[instance.sentence for instance in instances])  # [R, N]

    def resample(replicate: int) -> dict[str, Metric]:
        return over_runs(names, [times[replicate] @ tables[run] for run in drawn_runs(len(tables), replicate)])

    sums = [table.sum(0) for table in tables]
    seeds = [measures(names, run_sums)["f1_min"] for run_sums in sums]
    replicates = [resample(replicate) for replicate in range(REPLICATES)]
    return Measured(over_runs(names, sums) | {"seeds": seeds}, replicates)


def over_runs(names: Sequence[str], sums: Sequence[NDArray[np.float64]]) -> dict[str, Metric]:
    """The mean of the runs' measures; the rates of single labels are of all runs' spans together.

    A rare label without an exact span in one run would have no mean.

    Args:
        sums: of the columns, of each run [K].
    """
    return mean_of_runs([measures(names, run_sums) for run_sums in sums]) | {
        "labels": measures(names, np.sum(sums, axis=0))["labels"]
    }


class Confused(TypedDict):
    """How often spans with a gold label have a label in the output, in percent of the gold label's spans."""

    gold: str
    found: str
    percent: float | None
    count: int


def confusion(instances: Sequence[Instance], outputs: Sequence[Sequence[str]], labels: Sequence[str]) -> list[Confused]:
    """Confusion of labels on exactly predicted spans: by gold label, percent that have each label in the output.

    Source: Daza & Frank 2018, figure 4.
    """
    table = {gold: dict.fromkeys([*labels, "other"], 0) for gold in labels}
    for instance, output in zip(instances, outputs, strict=True):
        reading = read_target(output)
        if len(reading.words) != len(instance.tokens):
            continue
        gold = {argument[1:]: argument.label for argument in instance.arguments}
        for label, first, last in reading.arguments:
            gold_label = gold.get((first, last), "")
            if gold_label in table:
                table[gold_label][label if label in labels else "other"] += 1
    return [
        {"gold": gold, "found": label, "percent": _percent(count, sum(row.values())), "count": count}
        for gold, row in table.items()
        for label, count in row.items()
    ]


def _counts(instance: Instance, output: Sequence[str], ranges: Ranges) -> dict[str, float]:
    reading = read_target(output)
    words = [token.lower() for token in instance.tokens]
    same = len(reading.words) == len(words)
    predicted = reading.arguments if same else []
    counts: dict[str, float] = {"items": 1, "same_length": same, "brackets": reading.balanced}
    counts["exact_copy"] = reading.words == words
    counts["bracketed"] = reading.balanced and bool(reading.arguments)
    lower_counts = role_counts(instance.arguments, predicted)
    upper_counts = lower_counts if same else role_counts(instance.arguments, instance.arguments)
    length = LENGTHS[_range(len(words), ranges.length)]
    for what, low, high in zip(COUNTS, lower_counts, upper_counts, strict=True):
        counts |= {f"min.{what}": low, f"max.{what}": high, f"length.{length}.{what}": low}
    counts["perfect"] = same and not lower_counts.excess and not lower_counts.missed
    _add_distances(counts, instance, predicted, ranges)
    if same:
        _add_spans(counts, instance, predicted)
        _add_numbers(counts, instance, predicted)
        _add_positions(counts, instance, predicted, ranges)
    return counts


def _add_distances(counts: dict[str, float], instance: Instance, predicted: Sequence[Argument], ranges: Ranges) -> None:
    if instance.predicate is None:
        return
    gold, guessed = set(whole_arguments(instance.arguments)), set(whole_arguments(predicted))
    for what, arguments in zip(COUNTS, (gold & guessed, guessed - gold, gold - guessed), strict=True):
        for argument in arguments:
            distance = min(
                max(first - instance.predicate, instance.predicate - last, 1) for first, last in argument.spans
            )  # in words
            _add(counts, f"distance.{DISTANCES[_range(distance, ranges.distance)]}.{what}")


def _add_spans(counts: dict[str, float], instance: Instance, predicted: Sequence[Argument]) -> None:
    gold = {argument[1:]: argument.label for argument in instance.arguments if argument.label != PREDICATE}
    for label, first, last in predicted:
        if label == PREDICATE:
            continue
        if (first, last) in gold:
            gold_label = gold[first, last]
            _add(counts, "span.exact")
            _add(counts, "span.right", gold_label == label)
            _add(counts, f"label.{gold_label}.spans")
            _add(counts, f"label.{gold_label}.right", gold_label == label)
        else:
            overlaps = any(begin <= last and first <= end for begin, end in gold)
            _add(counts, "span.partial" if overlaps else "span.none")


def _add_numbers(counts: dict[str, float], instance: Instance, predicted: Sequence[Argument]) -> None:
    gold, guessed = ([argument.label for argument in whole_arguments(side)] for side in (instance.arguments, predicted))
    for what, labels, other_labels in (("missing", gold, guessed), ("excess", guessed, gold)):
        number = sum(max(labels.count(label) - other_labels.count(label), 0) for label in set(labels))
        counts[f"{what}.{NUMBERS[min(number, 2)]}"] = 1
    counts["duplicates"] = len(set(guessed)) < len(guessed)


def _add_positions(counts: dict[str, float], instance: Instance, predicted: Sequence[Argument], ranges: Ranges) -> None:
    true, guessed = (_tags(len(instance.tokens), side) for side in (instance.arguments, predicted))
    for position, (gold_tag, predicted_tag) in enumerate(zip(true, guessed, strict=True)):
        group = POSITIONS[_range(position, ranges.position)]
        _add(counts, f"position.{group}.words")
        _add(counts, f"position.{group}.errors", gold_tag != predicted_tag)


def _tags(words: int, arguments: Sequence[Argument]) -> list[str]:
    tags = [""] * words
    for label, first, last in arguments:
        tags[first : last + 1] = [f"B-{label}", *[f"I-{label}"] * (last - first)]
    return tags


def _add(counts: dict[str, float], name: str, number: float = 1) -> None:
    counts[name] = counts.get(name, 0) + number


def _range(value: int, edges: Sequence[int]) -> int:
    return sum(value >= edge for edge in edges)


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None
