"""Retrieval and document classification by encoders: hits item by item, the metrics of all runs, and replicates."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import bootstrap, merge_replicates, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.multilingual_seq2seq.aligned_words import aligned_word_vectors, mean_vectors
from repline.systems.multilingual_seq2seq.corpus import Data
from repline.systems.multilingual_seq2seq.documents import (
    CutDocuments,
    Embed,
    classify,
    document_vectors,
    labelled_documents,
)
from repline.systems.multilingual_seq2seq.encoding import embed
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.retrieval import HitTable, averages, translations_found
from repline.systems.multilingual_seq2seq.settings import USUAL, WAYS, Corpus, Measurement, Recipe
from repline.systems.multilingual_seq2seq.splits import part_of
from repline.systems.multilingual_seq2seq.training import kept_epoch, new_model, selects_epoch
from repline.systems.multilingual_seq2seq.translation import bleu
from repline.training.convergence import not_converged

REPORTED = ("train_translation", "train_similarity", "train_norm")

ItemPath = tuple[str, ...]
Items = dict[ItemPath, NDArray[np.bool_]]  # by the path in the metrics whose mean they are: which are right, [N]


def evaluate(
    data: Data, models: Mapping[str, Sequence[Path]], untrained: Recipe, corpus: Corpus, measurement: Measurement
) -> Evaluation:
    """Retrieval, transfer of classes and BLEU of every variant on one corpus, of controls and of a baseline.

    Args:
        data: what the models were trained on, with the sets of further tests.
        models: by variant, the folder of each seed's model.
        untrained: of the models that are measured before training.
        corpus: how the models learned.
        measurement: how they are tested.

    Returns:
        metrics by the name of the variant, `untrained`, `aligned_words`, and `most_frequent`.
    """
    measure = partial(measured, data=data, penalties=measurement.classifier.penalties, documents=CutDocuments(data))
    runs: dict[str, list[Items]] = {}
    for variant, folders in models.items():
        networks = [pretrained(MultilingualEncoderDecoder, folder) for folder in folders]
        runs[variant] = [measure(partial(embed, network), ways=corpus.ways(variant)) for network in networks]
    networks = [new_model(data, untrained, seed).eval() for seed in range(corpus.untrained)]
    runs["untrained"] = [measure(partial(embed, network), ways=corpus.ways("untrained")) for network in networks]
    vectors = aligned_word_vectors(data, dimensions=measurement.aligned_words.dimensions)
    runs["aligned_words"] = [measure(mean_vectors(vectors), ways=corpus.ways("aligned_words"))]
    metrics: Metrics = {encoder: accuracies(encoder_runs) for encoder, encoder_runs in runs.items()}
    for variant, folders in models.items():
        metrics[variant]["training"] = mean_of_runs([reported_epoch(folder) for folder in folders])
        network = pretrained(MultilingualEncoderDecoder, folders[0])
        if network.kind != "bag":
            metrics[variant]["bleu"] = bleu(network, data, corpus.pairs, measurement.translated)
    metrics["most_frequent"] = most_frequent(data)
    replicates = side_by_side(**{encoder: resampled(encoder_runs) for encoder, encoder_runs in runs.items()})
    selected = {variant: folders for variant, folders in models.items() if selects_epoch(folders[0])}
    return Evaluation(metrics, replicates, not_converged=not_converged(selected, "dev_retrieval"))


def reported_epoch(folder: Path) -> dict[str, float]:
    """The epoch whose weights a trained model has, and the parts of its training loss there."""
    record = kept_epoch(folder)
    return {"epoch": record["epoch"]} | {key.removeprefix("train_"): record[key] for key in REPORTED}


def measured(
    embed: Embed,
    data: Data,
    penalties: Sequence[float],
    ways: Sequence[str] = USUAL,
    documents: CutDocuments | None = None,
) -> Items:
    """Whether an encoder is right, item by item, for every test.

    Args:
        embed: sentences to vectors.
        penalties: of the classifier, see `classify`.
        ways: of `WAYS`, to make a vector of a document; without any, documents are not classified.
        documents: of `data`; None: they are cut here.

    Returns:
        retrieval.SET.A.B, distinct.SET.A.B (without texts that occurred before), and for each collection of documents
        transfer.COLLECTION.WAY.zero_shot.A.B, .targeted.A.B and .one_out.B: of classes learned in A, asked in B.
    """
    items = _retrieved(embed, data)
    return items | _classified(embed, documents or CutDocuments(data), penalties, ways) if ways else items


def _retrieved(embed: Embed, data: Data) -> Items:
    items: Items = {}
    for name, texts in data.sets.items():
        if part_of(name) not in (None, ("own", "test")):
            continue
        sought = np.flatnonzero(texts.learned)
        vectors = {language: embed([ids[row] for row in sought]) for language, ids in texts.ids.items()}
        once = np.isin(sought, texts.distinct)
        for kind, rows in (("retrieval", np.ones(len(sought), bool)), ("distinct", once)):
            hits = translations_found(
                {language: language_vectors[rows] for language, language_vectors in vectors.items()}
            )
            items |= _table((kind, name.replace("/", "_")), hits)
    return items


def _classified(embed: Embed, documents: CutDocuments, penalties: Sequence[float], ways: Sequence[str]) -> Items:
    items: Items = {}
    for collection, parts in documents.collections.items():
        labels = {
            part: {language: language_documents.labels for language, language_documents in by_language.items()}
            for part, by_language in parts.items()
        }
        for cut in dict.fromkeys(WAYS[way][0] for way in ways):
            gathers = {way: WAYS[way][1] for way in ways if WAYS[way][0] == cut}
            vectors = {
                part: {
                    language: document_vectors(
                        documents.pieces(collection, part, language, cut), [*gathers.values()], embed
                    )
                    for language in by_language
                }
                for part, by_language in parts.items()
            }
            for way, gather in gathers.items():
                gathered = {
                    part: {language: by_gather[gather] for language, by_gather in by_language.items()}
                    for part, by_language in vectors.items()
                }
                classified = classify(gathered, labels, penalties)
                path = ("transfer", collection, way)
                items |= _table((*path, "zero_shot"), classified.zero_shot)
                items |= _table((*path, "targeted"), classified.targeted)
                items |= {(*path, "one_out", language): hits for language, hits in classified.one_out.items()}
    return items


def accuracies(runs: Sequence[Items]) -> dict[str, Metric]:
    """Mean accuracies over runs and items, nested, with the averages of each table languages x languages."""
    return mean_of_runs([_nested({path: float(hits.mean()) for path, hits in run.items()}) for run in runs])


def resampled(runs: Sequence[Items]) -> list[Replicate]:
    """Replicates of `accuracies`: runs and items are resampled, the same ones for all numbers of as many items."""
    sizes = sorted({len(hits) for hits in runs[0].values()})
    groups = []
    for size in sizes:
        items_of_size = [{path: hits for path, hits in run.items() if len(hits) == size} for run in runs]

        def measure(run: Items, items: NDArray[np.integer]) -> dict[str, Metric]:
            return _nested({path: float(hits[items].mean()) for path, hits in run.items()})

        groups.append(bootstrap(measure, items_of_size, items=size))
    return merge_replicates(*groups)


def most_frequent(data: Data) -> dict[str, dict[str, float]]:
    """A control: by collection of documents and language, the share of the most frequent label of training in test."""
    shares: dict[str, dict[str, float]] = {}
    for collection, parts in labelled_documents(data).items():
        shares[collection] = {}
        for language, documents in parts["test"].items():
            learned = parts["train"][language].labels
            label = max(sorted(set(learned)), key=learned.count)
            shares[collection][language] = float(np.mean([true == label for true in documents.labels]))
    return shares


def _table(path: ItemPath, table: HitTable) -> Items:
    return {(*path, source, target): hits for source, row in table.items() for target, hits in row.items()}


def _nested(values: Mapping[ItemPath, float]) -> dict[str, Metric]:
    tree: Metrics = {}
    for path, value in values.items():
        node = tree
        for step in path[:-1]:
            node = node.setdefault(step, {})
        node[path[-1]] = value
    for path in {path[:-2] for path in values if path[-2] != "one_out"}:
        node = tree
        for step in path:
            node = node[step]
        node |= averages({source: dict(row) for source, row in node.items()})
    for path in {path[:-1] for path in values if path[-2] == "one_out"}:
        node = tree
        for step in path:
            node = node[step]
        node["mean"] = float(np.mean(list(node.values())))
    return tree
