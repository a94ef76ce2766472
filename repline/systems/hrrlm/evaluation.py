"""Evaluate the models of both levels: perplexity, decomposition, tests of word vectors, roles of chunks."""

import functools
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow.compute as pc
from torch import nn

from repline.cards import read_card
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.perplexity import RowLikelihoods, row_likelihoods
from repline.evaluation.replication.bootstrap import bootstrap, merge_replicates, resampled_seeds, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.evaluation.word_vectors.analogy import analogy
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.hrrlm.chunk_model import ChunkHRRLM
from repline.systems.hrrlm.chunk_roles import ROLES, roles_of
from repline.systems.hrrlm.chunk_space import NEIGHBOURS, cluster_table, hit_rates, role_purity
from repline.systems.hrrlm.chunk_training import chunk_fillers, chunked_sentences, load_chunks
from repline.systems.hrrlm.decomposition import CATEGORIES, decomposition, pair_space, verb_pairs
from repline.systems.hrrlm.extrinsic.reader import Counts
from repline.systems.hrrlm.extrinsic.tasks import PAPER_TASKS
from repline.systems.hrrlm.intrinsic_tests import QUESTIONS, intrinsic_scores, pair_answers
from repline.systems.hrrlm.model import HRRLM, TiedLanguageModel
from repline.systems.hrrlm.resampled_scores import WordRun, margins, perplexity_replicates, word_replicates
from repline.systems.hrrlm.settings import Batching, Measurement, Settings, WordRecipe
from repline.systems.hrrlm.training import load_model, loader, sentences_within
from repline.systems.hrrlm.word_spaces import SPECIAL, spaces
from repline.training.convergence import not_converged
from repline.training.history import History
from repline.training.language_model_batches import IGNORED
from repline.training.language_models import negative_log_likelihood

CONTIGUOUS = "_contiguous"  # ends the names of variants whose other half reads sentences
CONVERGED = "_converged"  # ends the names of variants that train until validation stops improving
COMPARED_WHEN_CONVERGED = ("validation_perplexity", "test_perplexity", "intrinsic_mean", "extrinsic_mean")


def evaluate(
    settings: Settings,
    corpus: LanguageModelingCorpus,
    chunk_corpus: LanguageModelingCorpus,
    models: Mapping[str, Sequence[Path]],
    raw: Path,
    extrinsic: Mapping[str, Mapping[str, Counts]],
) -> Evaluation:
    """Every variant of the word level, and the chunk level.

    Args:
        corpus, chunk_corpus: views of the corpora of both levels, with the words of the models.
        models: by variant of the word level, and under "chunks", the folder of each seed's model.
        raw: the folder of the tests of word vectors.
        extrinsic: by variant and task, what a reader of its vectors gets right.

    Returns:
        among the details: `clusters` of the commonest noun phrase, and `model`, the first HRRLM.

    Raises:
        InputError: a model that is missing, or was trained by another recipe or on other words.
    """
    metrics: Metrics = {"words": {}}
    by_item: dict[str, list[WordRun]] = {}
    word_seeds: dict[str, list[Metrics]] = {}
    measurement = settings.evaluation
    for variant, recipe in settings.words.variants.items():
        measured = []
        for folder in models[variant]:
            history = json.loads((folder / "training.json").read_text(encoding="utf-8"))["history"]
            model = load_model(folder, corpus, recipe.record())
            measured.append(word_level(model, corpus, recipe, history, measurement, raw))
        word_seeds[variant] = _same_epochs([run_metrics for run_metrics, _ in measured])
        by_item[variant] = [items for _, items in measured]
        metrics["words"][variant] = mean_of_runs(word_seeds[variant])
    for variant, tasks in extrinsic.items():
        metrics["words"][variant] |= extrinsic_scores(tasks)
    start_recipe = settings.words.variants[settings.vectors]
    clusters: Metrics = {}
    chunk_seeds, chunk_rows = [], []
    for folder, words in zip(models["chunks"], models[settings.vectors], strict=True):
        numbers, tables, rows = chunk_level(
            load_chunks(folder, chunk_corpus, settings.chunks.record()),
            load_model(words, chunk_corpus),
            chunk_corpus,
            start_recipe,
            settings.chunks.maximum_tokens,
            measurement,
        )
        chunk_seeds.append(numbers)
        chunk_rows.append(rows)
        clusters = clusters or tables  # of the first run
    metrics["chunks"] = mean_of_runs(chunk_seeds)
    sources = read_card(corpus.folder)["sources"]
    metrics |= penn_treebank(settings, sources, metrics)
    replicates = [
        {**part, **penn_treebank(settings, sources, dict(part))}
        for part in merge_replicates(
            side_by_side(words=_seed_replicates(word_seeds), chunks=resampled_seeds(chunk_seeds)),
            side_by_side(
                words=merge_replicates(word_replicates(by_item), extrinsic_replicates(extrinsic)),
                chunks=_chunk_replicates(chunk_rows),
            ),
        )
    ]
    first = load_model(models[settings.vectors][0], corpus, start_recipe.record())
    # without a patience, claims say after how many epochs two models are compared, and are judged there
    patient = [name for name, recipe in settings.words.variants.items() if recipe.patience is not None]
    words_unfinished = not_converged({name: models[name] for name in patient})
    unfinished = [f"words.{name}.{measure}" for name in words_unfinished for measure in COMPARED_WHEN_CONVERGED]
    unfinished += not_converged({"chunks": models["chunks"]})
    return Evaluation(metrics, replicates, {"clusters": clusters, "model": first}, unfinished)


def word_level(
    model: TiedLanguageModel,
    corpus: LanguageModelingCorpus,
    recipe: WordRecipe,
    history: History,
    measurement: Measurement,
    raw: Path,
) -> tuple[dict[str, Metric], WordRun]:
    """Perplexities, decomposition, and tests of word vectors of one run; and their answers item by item."""
    pairs = verb_pairs(*_questions(raw))
    words = corpus.words[SPECIAL:]
    embeddings = {name: Embedding(words, matrix[SPECIAL:]) for name, matrix in spaces(model).items()}
    parts = {name: decomposition(embedding, pairs) for name, embedding in embeddings.items()}
    rows = {split: word_rows(model, corpus, split, recipe) for split in ("validation", "test")}
    google = analogy(embeddings["composite"], *_questions(raw), method="mul", vocabulary=measurement.vocabulary)
    by_epoch = [math.exp(epoch["validation_loss"]) for epoch in history]
    run_metrics: Metrics = {
        "validation_perplexity": by_epoch[-1] if recipe.patience is None else min(by_epoch),  # of what was kept
        "validation_perplexity_by_epoch": by_epoch,
        "test_perplexity": rows["test"].total().perplexity,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "decomposition": parts,
        **intrinsic_scores(embeddings["composite"], measurement, google, raw),
        "analogies": _analogies(google),
    }
    if isinstance(model, HRRLM):
        run_metrics["embedding_parameters"] = model.embedding_parameters()
        if model.beta:
            run_metrics["isometric_distance"] = float(model.penalty().detach()) / model.beta
    differences = margins(cast(Mapping[str, Mapping[str, float | None]], parts))
    if differences:
        run_metrics["margins"] = differences
    by_category = {
        category: {name: pair_space(embedding, named) for name, embedding in embeddings.items()}
        for category, named in pairs.items()
    }
    return run_metrics, WordRun(rows, by_category, pair_answers(embeddings["composite"], measurement, raw))


def _same_epochs(seeds: Sequence[Metrics]) -> list[Metrics]:
    """The numbers of each seed, with the perplexity of the epochs that all seeds have; patience ends seeds apart."""
    epochs = min(len(numbers["validation_perplexity_by_epoch"]) for numbers in seeds)
    return [
        numbers | {"validation_perplexity_by_epoch": numbers["validation_perplexity_by_epoch"][:epochs]}
        for numbers in seeds
    ]


def word_rows(
    model: nn.Module,
    corpus: LanguageModelingCorpus,
    split: str,
    recipe: WordRecipe,
    batching: Batching | None = None,
) -> RowLikelihoods:
    """The likelihoods of the rows of a split, read in the way that the model was trained, or in another."""
    batches = loader(corpus, split, recipe, batching=batching, tokens=recipe.evaluation_tokens)
    nats = negative_log_likelihood(model)
    (likelihoods,) = row_likelihoods(lambda batch: (nats(batch),), batches, lambda batch: (batch[1] != IGNORED,))
    return likelihoods


def chunk_level(
    model: ChunkHRRLM,
    start: TiedLanguageModel,
    corpus: LanguageModelingCorpus,
    recipe: WordRecipe,
    maximum_tokens: int,
    measurement: Measurement,
) -> tuple[dict[str, Metric], dict[str, Metric], dict[str, RowLikelihoods]]:
    """Perplexity, and that of the model it started from; roles among neighbours and in clusters.

    Returns:
        the numbers; the clusters of the commonest noun phrase: {"phrase", "filler_1": table, ...}; and the likelihoods
        behind the perplexities, by their names. Without a parse there are no roles, and no clusters.
    """
    sentences_of = {
        "test_perplexity": word_rows(model.word_level, corpus, "test", recipe, "sentences"),
        "test_perplexity_before": word_rows(start, corpus, "test", recipe, "sentences"),
    }
    measures: Metrics = {name: rows.total().perplexity for name, rows in sentences_of.items()}
    rows = corpus.rows("test")
    if not {"head", "dep"} <= set(rows.column_names) or pc.list_flatten(rows["head"]).null_count:
        return measures, {}, sentences_of
    within = sentences_within(corpus, "test", recipe.evaluation_tokens)
    sentences = chunked_sentences(corpus, "test", maximum_tokens=maximum_tokens, sentences=within)
    chunks = chunk_fillers(model, sentences)
    roles, positions = zip(*roles_of(rows, chunks.names), strict=True)
    named = np.array([role is not None for role in roles])
    labels = [role for role in roles if role is not None]
    measures["roles"] = dict(sorted(Counter(labels).items()))
    phrases = Counter(
        sentences.phrases[kind]
        for kind, position in zip(chunks.kind, positions, strict=True)
        if position is not None and len(sentences.phrases[kind]) > 1 and 0 not in sentences.phrases[kind]
    )
    phrase, _ = min(phrases.items(), key=lambda item: (-item[1], item[0]), default=((), 0))
    same = np.flatnonzero([sentences.phrases[kind] == phrase for kind in chunks.kind])
    same = np.sort(np.random.default_rng(measurement.seed).permutation(same)[: measurement.occurrences])
    clusters: Metrics = {"phrase": " ".join(corpus.words[word] for word in phrase), "occurrences": len(same)}
    for filler in range(chunks.fillers.shape[1]):
        key, vectors = f"filler_{filler + 1}", chunks.fillers[:, filler]
        if len(labels) > max(NEIGHBOURS):
            measures[key] = hit_rates(vectors[named], labels)
            measures[key]["purity"] = role_purity(vectors[named], labels, clusters=len(ROLES), seed=measurement.seed)
        if len(same):
            labels_of_phrase = [positions[chunk] or "other" for chunk in same]
            clusters[key] = cluster_table(vectors[same], labels_of_phrase, seed=measurement.seed)
    return measures, clusters, sentences_of


@functools.cache
def _questions(raw: Path) -> tuple[list[tuple[str, str, str, str]], list[str]]:
    """Google's analogies, which every run is asked."""
    return read_analogies(raw / QUESTIONS)


def _analogies(google: Metrics) -> dict[str, Metric]:
    """Google's analogies by 3CosMul: all, the two halves, the verb categories, every section."""
    sections = google["sections"]
    halves = {"syntax": [name for name in sections if name.startswith("gram")]}
    halves["semantics"] = [name for name in sections if name not in halves["syntax"]]
    accuracies: dict[str, Metric] = {"overall": google["accuracy"], "questions": google["kept"]}
    for half, names in halves.items():
        questions = sum(sections[name]["kept"] for name in names)
        accuracies[half] = sum(sections[name]["correct"] for name in names) / questions if questions else None
    for category in CATEGORIES:
        name = next(name for name in sections if name.endswith(category))
        accuracies[category.replace("-", "_")] = sections[name]["accuracy"]
    accuracies["sections"] = {
        name: {key: section[key] for key in ("correct", "kept")} for name, section in sections.items()
    }
    return accuracies


def extrinsic_scores(tasks: Mapping[str, Counts]) -> dict[str, Metric]:
    """The score in each task; extrinsic_mean is over the paper's six, and None unless all of them are there."""
    scores = {task: counts.score() for task, counts in tasks.items()}
    mean = float(np.mean(list(scores.values()))) if len(scores) == PAPER_TASKS else None
    return {"extrinsic": scores, "extrinsic_mean": mean}


def extrinsic_replicates(variants: Mapping[str, Mapping[str, Counts]]) -> list[Replicate]:
    """The scores on resampled test sentences, the same for all variants."""

    def measure(task: str) -> Callable[[Counts, np.ndarray], dict[str, Metric]]:
        return lambda counts, sentences: {"extrinsic": {task: counts.score(sentences)}}

    parts = [
        [{variant: replicate} for replicate in bootstrap(measure(task), [counts], len(counts.gold))]
        for variant, tasks in variants.items()
        for task, counts in tasks.items()
    ]
    return merge_replicates(*parts)


def _seed_replicates(runs: Mapping[str, Sequence[Metrics]]) -> list[Replicate]:
    """The metrics of every variant on drawn seeds, of which variants may have different numbers."""
    return side_by_side(**{variant: resampled_seeds(seeds) for variant, seeds in runs.items()})


def _chunk_replicates(runs: list[dict[str, RowLikelihoods]]) -> list[Replicate]:
    return merge_replicates(*(perplexity_replicates(name, [run[name] for run in runs]) for name in runs[0]))


def penn_treebank(settings: Settings, sources: Any, metrics: Metrics) -> dict[str, dict[str, dict[str, float]]]:
    """Test perplexities by batching and variant, if the words are those of the Penn Treebank.

    Of a variant that is trained for some epochs and until it converges, the second counts.

    Args:
        sources: of the corpus, as its card has them.
    """
    if '"penn_treebank"' not in json.dumps(sources):
        return {}
    perplexities: dict[str, dict[str, float]] = {"contiguous": {}, "sentences": {}}
    for variant in sorted(settings.words.variants, key=lambda name: name.endswith(CONVERGED)):
        if variant not in metrics["words"]:
            continue
        recipe = settings.words.variants[variant]
        name = variant.removesuffix(CONTIGUOUS).removesuffix(CONVERGED)
        perplexities[recipe.batching][name] = metrics["words"][variant]["test_perplexity"]
    if settings.chunks.corpus == settings.corpus:
        perplexities["sentences"]["chunks"] = metrics["chunks"]["test_perplexity"]
        perplexities["sentences"]["before_chunks"] = metrics["chunks"][
            "test_perplexity_before"
        ]  # the model they start from
    return {"penn_treebank": perplexities}
