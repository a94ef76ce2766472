"""Evaluate models: captions by BLEU and CIDEr-D, vectors by how well they predict parts of speech and positions."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.corpora.annotation import parsed
from repline.corpora.captions.caption_corpus import Captions
from repline.evaluation.caption_scores import Caption, bleu_counts, cider_d, corpus_bleu, distinct
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Arrays
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.replication.weighted_draws import numbers, replicates, weights_of
from repline.pretrained import pretrained
from repline.systems.tpgn import unbinding_vectors
from repline.systems.tpgn.corpus import Prepared, sentences
from repline.systems.tpgn.decoding import generate, readouts
from repline.systems.tpgn.model import TPGN, CaptionGenerator, CaptionLSTM
from repline.systems.tpgn.settings import COMPARED, Decoding, Settings
from repline.systems.tpgn.training import REGIMES
from repline.systems.tpgn.unbinding_vectors import Words
from repline.training.convergence import not_converged

KINDS: dict[str, type[CaptionGenerator]] = {"tpgn": TPGN, "lstm": CaptionLSTM}
PURITIES = (2, 10, 17)  # clusters: the paper's two numbers, and that of the parts of speech in its figure


class Examined(NamedTuple):
    """Words of a model's test captions, the cluster of each for ten clusters, and the measures of their vectors."""

    words: Words
    ten: NDArray[np.int64]
    measured: dict[str, Array]


class Example(NamedTuple):
    """The first run of a model as figures show it.

    Attributes:
        words: of its test captions; clusters: of each, for ten clusters.
        captions: of the test pictures, their words between spaces.
        curve: the perplexity on dev after each epoch.
    """

    words: Words
    clusters: NDArray[np.int64]
    captions: list[str]
    curve: list[float]


def evaluate(settings: Settings, models: Mapping[str, Sequence[Path]], data: Prepared) -> Evaluation:
    """Scores of the captions of every model, what its vectors know, and by how much the TPGN leads.

    Args:
        models: by name, the folder of each seed's run.
        data: what the models were trained on.

    Returns:
        the metrics and replicates by the name of the model; `examples` among the details, an `Example` by name.

    Raises:
        InputError: a model that is missing, or was trained by another recipe.
    """
    test = data.parts["test"]
    weights = weights_of(len(test.names))
    commonest = [commonest_caption(data.parts["train"])] * len(test.names)
    groups: dict[str, list[Any]] = {"constant": [scores(commonest, test.targets(), weights)]}
    metrics: Metrics = {}
    examples: dict[str, Example] = {}
    for name, folders in models.items():
        evaluated = [evaluate_run(settings, data, name, folder, weights) for folder in folders]
        groups[name] = [measured for measured, _, _ in evaluated]
        metrics[name] = numbers(groups[name]) | mean_of_runs([record for _, record, _ in evaluated])
        examples[name] = evaluated[0][2]
    metrics["constant"] = numbers(groups["constant"])
    pairs = zip(*(groups[name] for name in COMPARED), strict=True)
    groups["early"] = [_lead(tpgn["early"], lstm["early"]) for tpgn, lstm in pairs]
    metrics["early"] = numbers(groups["early"])
    repeated = side_by_side(**{name: replicates(runs) for name, runs in groups.items()})
    runs = {name: [folder / "stopped" for folder in folders] for name, folders in models.items()}
    unfinished = [f"{name}.{part}" for name in not_converged(runs) for part in ("stopped", "vectors")]
    return Evaluation(metrics, repeated, {"examples": examples}, unfinished)


def evaluate_run(
    settings: Settings, data: Prepared, name: str, folder: Path, weights: NDArray
) -> tuple[dict[str, Array], dict[str, int], Example]:
    """Measures of one training [1 + R] each, numbers of its training record, and an `Example` for figures.

    Args:
        name: of the model.
        folder: of the run, with the models of both regimes.
        weights: [1 + R, N], how often each test caption counts.
    """
    record = json.loads((folder / "stopped" / "training.json").read_text(encoding="utf-8"))
    curve = np.exp([epoch["validation_loss"] for epoch in record["history"]])
    fixed = settings.training.fixed_epochs
    constant = np.ones(len(weights))
    measured: dict[str, Array] = {
        "early": {f"epoch_{number}": constant * value for number, value in enumerate(curve[:fixed], start=1)},
        "perplexity": {"fixed": constant * curve[fixed - 1], "stopped": constant * curve.min()},
    }
    network = settings.models[name]
    trained_with = {"words": len(data.vocabulary), "features": data.features.shape[1]} | network.model_dump()
    captions: list[list[int]] = []
    for regime in REGIMES:
        model = pretrained(KINDS[network.kind], folder / regime, trained_with)
        measured[regime], captions = written(model, data, weights, settings.longest, settings.decoding)
    # of the model that was best on dev, which came last
    first = slice(settings.analysis.test_pictures)
    vectors = examined(
        model, data, captions[first], weights[:, first], longest=settings.longest, pictures=settings.analysis.pictures
    )
    measured["vectors"] = vectors.measured
    numbers_of = {"parameters": record["parameters"], "best_epoch": int(curve.argmin()) + 1, "epochs": len(curve)}
    texts = [" ".join(words) for words in sentences(captions, data.vocabulary)]
    return measured, numbers_of, Example(vectors.words, vectors.ten, texts, curve.tolist())


def _lead(tpgn: Mapping[str, NDArray], lstm: Mapping[str, NDArray]) -> dict[str, NDArray]:
    """Smallest and largest amount by which TPGN's perplexity is below the LSTM's, over the epochs before `fixed`."""
    leads = np.stack([lstm[epoch] - tpgn[epoch] for epoch in tpgn])
    return {"smallest_lead": leads.min(0), "largest_lead": leads.max(0)}


def scores(
    captions: Sequence[Caption], references: Sequence[Sequence[Caption]], weights: NDArray
) -> dict[str, NDArray[np.float64]]:
    """`bleu_1` to `bleu_4`, `cider_d`, `distinct` and `length`, each [1 + R].

    Args:
        weights: [1 + R, N], how often each caption counts.
    """
    total = weights.sum(1)
    lengths = np.array([len(caption) for caption in captions])
    return corpus_bleu(bleu_counts(captions, references), weights) | {
        "cider_d": weights @ cider_d(captions, references) / total,
        "length": weights @ lengths / total,
        "distinct": np.full(len(weights), float(distinct(captions))),
    }


def commonest_caption(captions: Captions) -> list[str]:
    """The caption that is the target of most training pictures, the first in the alphabet among equals."""
    counts: dict[tuple[str, ...], int] = {}
    for targets in captions.targets():
        for caption in targets:
            counts[tuple(caption)] = counts.get(tuple(caption), 0) + 1
    return list(min(counts.items(), key=lambda item: (-item[1], item[0]))[0])


def written(
    model: CaptionGenerator, data: Prepared, weights: NDArray, longest: int, decoding: Decoding
) -> tuple[dict[str, Arrays], list[list[int]]]:
    """The scores of greedy search and of any beam search on the test pictures, and the greedy captions."""
    test = data.parts["test"]
    captions = {"greedy": generate(model, data.features, test.rows, longest=longest)}
    if decoding.beam > 1:
        captions["beam"] = generate(
            model, data.features, test.rows, longest=longest, beam=decoding.beam, length_power=decoding.length_power
        )
    scores_by_search: dict[str, Arrays] = {
        name: scores(sentences(search_captions, data.vocabulary), test.targets(), weights)
        for name, search_captions in captions.items()
    }
    return scores_by_search, captions["greedy"]


def examined(
    model: CaptionGenerator, data: Prepared, captions: Sequence[Sequence[int]], weights: NDArray, *,
    longest: int, pictures: int,
) -> Examined:  # fmt: skip
    """Measure how well vectors of the words of test captions predict their parts of speech and positions.

    Args:
        captions: of the first test pictures.
        weights: [1 + R, N], how often each of these captions counts.
        pictures: number of training pictures whose captions the clusters are made from.
    """
    test, first = data.parts["test"], data.parts["train"].rows[:pictures]
    learned = readouts(model, data.features, first, generate(model, data.features, first, longest=longest))
    vectors = readouts(model, data.features, test.rows[: len(captions)], captions)
    words = unbinding_vectors.tagged_words(sentences(captions, data.vocabulary), vectors, parsed)
    clusters_by_number = {number: unbinding_vectors.clusters(learned, vectors, number) for number in PURITIES}
    measured: dict[str, Array] = {**unbinding_vectors.linear_readout(words, weights)}
    measured |= {
        f"purity_{number}": unbinding_vectors.purity(words, cluster, weights)
        for number, cluster in clusters_by_number.items()
    }
    measured["conformity"] = unbinding_vectors.conformity(words, clusters_by_number[2], weights)
    measured["positions"] = unbinding_vectors.position_clusters(words, clusters_by_number[10], weights)
    return Examined(words, clusters_by_number[10], measured)
