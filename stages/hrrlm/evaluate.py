"""data/models/hrrlm, data/corpora, tests of word vectors -> data/evaluation/hrrlm: metrics, claims, plots, figures."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import read_card
from repline.evaluation.perplexity import RowLikelihoods
from repline.evaluation.replication.bootstrap import bootstrap, side_by_side, together
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.hrrlm import settings
from repline.systems.hrrlm.chunk_training import load_chunks, train_chunks
from repline.systems.hrrlm.extrinsic.reader import Counts
from repline.systems.hrrlm.extrinsic.tasks import PAPER_TASKS
from repline.systems.hrrlm.model import HRRLM
from repline.systems.hrrlm.resampled_scores import WordRun, perplexity_replicates, word_replicates
from repline.systems.hrrlm.settings import Knobs, Settings
from repline.systems.hrrlm.training import load_model, train_words
from stages import run
from stages.conclusion import conclude
from stages.hrrlm import figures, measure, paths

CONTIGUOUS = "_contiguous"  # ends the names of variants whose other half reads sentences


def main() -> None:
    chosen = settings.load()
    variants, chunk_knobs = settings.words(chosen, train_words), settings.chunks(chosen, train_chunks)
    corpus, how = paths.view(chosen), chosen.evaluation
    metrics: dict[str, Any] = {"words": {}}
    by_item: dict[str, list[WordRun]] = {}
    word_seeds: dict[str, list[dict[str, Any]]] = {}
    for variant, own in variants.items():
        found = []
        for folder in paths.runs(variant, chosen):
            record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
            model = load_model(folder, corpus, own)
            found.append(measure.word_level(model, corpus, record["settings"], record, how))
        word_seeds[variant], by_item[variant] = ([run[part] for run in found] for part in (0, 1))
        metrics["words"][variant] = mean_of_runs(word_seeds[variant])
        shown = metrics["words"][variant]
        print(
            f"{variant}: test perplexity {shown['test_perplexity']:.1f}, {_spaces(shown['decomposition'])}", flush=True
        )
    extrinsic = extrinsic_counts(chosen)
    for variant, tasks in extrinsic.items():
        metrics["words"][variant] |= extrinsic_scores(tasks)
    first = load_model(paths.runs(chosen.vectors, chosen)[0], corpus, variants[chosen.vectors])
    assert isinstance(first, HRRLM)
    clusters, chunk_seeds, chunk_rows = {}, [], []
    for folder, words in zip(paths.runs("chunks", chosen), paths.runs(chosen.vectors, chosen), strict=True):
        view = paths.chunk_view(chosen)
        numbers, tables, rows = measure.chunk_level(
            load_chunks(folder, view, chunk_knobs),
            load_model(words, view),
            view,
            json.loads((words / "training.json").read_text(encoding="utf-8"))["settings"],
            chunk_knobs.get("maximum_tokens", 60),
            how,
        )
        chunk_seeds.append(numbers)
        chunk_rows.append(rows)
        clusters = clusters or tables  # of the first run
    metrics["chunks"] = mean_of_runs(chunk_seeds)
    metrics |= penn_treebank(chosen, variants, metrics)
    repeated = [
        part | penn_treebank(chosen, variants, part)
        for part in together(
            side_by_side(words=_by_seed(word_seeds), chunks=chunk_seeds),
            side_by_side(
                words=together(word_replicates(by_item), extrinsic_replicates(extrinsic)),
                chunks=_chunk_replicates(chunk_rows),
            ),
        )
    ]
    conclude(
        "hrrlm",
        metrics,
        figures.figures(metrics, clusters, first, corpus, how),
        figures.plots(metrics, clusters),
        repeated,
    )


def extrinsic_counts(chosen: Settings) -> dict[str, dict[str, Counts]]:
    """{variant: {task: counts}} of the extrinsic tasks that the parameters name."""
    found: dict[str, dict[str, Counts]] = {}
    for task in chosen.extrinsic:
        table = pq.read_table(paths.extrinsic(task))
        for variant in dict.fromkeys(table["variant"].to_pylist()):
            own = table.filter(pc.equal(table["variant"], variant))
            found.setdefault(variant, {})[task] = Counts(*(own[name].to_numpy() for name in Counts._fields))
    return found


def extrinsic_scores(tasks: dict[str, Counts]) -> dict[str, Any]:
    """The score in each task; extrinsic_mean is over the paper's six, and None unless all of them are there."""
    scores = {task: counts.score() for task, counts in tasks.items()}
    mean = float(np.mean(list(scores.values()))) if len(scores) == PAPER_TASKS else None
    return {"extrinsic": scores, "extrinsic_mean": mean}


def extrinsic_replicates(variants: dict[str, dict[str, Counts]]) -> list[dict[str, Any]]:
    """The scores on resampled test sentences, the same for all variants."""

    def measure(task: str) -> Callable[[Counts, np.ndarray], dict[str, Any]]:
        return lambda counts, chosen: {"extrinsic": {task: counts.score(chosen)}}

    parts = [
        [{variant: one} for one in bootstrap(measure(task), [counts], len(counts.gold))]
        for variant, tasks in variants.items()
        for task, counts in tasks.items()
    ]
    return together(*parts)


def _by_seed(runs: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The metrics of every variant for the first seed, for the second, ..."""
    return [dict(zip(runs, row, strict=True)) for row in zip(*runs.values(), strict=True)]


def _chunk_replicates(runs: list[dict[str, RowLikelihoods]]) -> list[dict[str, Any]]:
    return together(*(perplexity_replicates(name, [run[name] for run in runs]) for name in runs[0]))


def penn_treebank(chosen: Settings, variants: dict[str, Knobs], metrics: dict[str, Any]) -> dict[str, Any]:
    """Test perplexities by batching and variant, if the words are those of the Penn Treebank."""
    source = json.dumps(read_card(paths.DATA / chosen.corpus)["sources"])
    if '"penn_treebank"' not in source:
        return {}
    found: dict[str, dict[str, float]] = {"contiguous": {}, "sentences": {}}
    for variant, own in variants.items():
        batching = own.get("batching", "contiguous")
        name = variant.removesuffix(CONTIGUOUS)
        found[batching][name] = metrics["words"][variant]["test_perplexity"]
    if chosen.chunks.corpus == chosen.corpus:
        found["sentences"]["chunks"] = metrics["chunks"]["test_perplexity"]
        found["sentences"]["before_chunks"] = metrics["chunks"]["test_perplexity_before"]  # the model they start from
    return {"penn_treebank": found}


def _spaces(parts: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} "
        + "/".join("-" if areas[truth] is None else f"{areas[truth]:.3f}" for truth in ("syntactic", "semantic"))
        for name, areas in parts.items()
    )


if __name__ == "__main__":
    run(main)
