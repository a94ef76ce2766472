"""The numbers of metrics.json: of one model at word level, of one at chunk level."""

import functools
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.evaluation.perplexity import RowLikelihoods, row_likelihoods
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.analogy import analogy
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.hrrlm.chunk_model import ChunkHRRLM
from repline.systems.hrrlm.chunk_roles import ROLES, roles_of
from repline.systems.hrrlm.chunk_space import NEIGHBOURS, cluster_table, hit_rates, role_purity
from repline.systems.hrrlm.chunk_training import chunk_fillers, chunked_sentences
from repline.systems.hrrlm.decomposition import CATEGORIES, decomposition, pair_space, verb_pairs
from repline.systems.hrrlm.model import HRRLM
from repline.systems.hrrlm.resampled_scores import WordRun, margins
from repline.systems.hrrlm.settings import Evaluation
from repline.systems.hrrlm.training import loader, sentences_within
from repline.training.language_model_batches import IGNORED
from repline.training.language_models import negative_log_likelihood
from stages.hrrlm.vectors import SPECIAL, spaces

RAW = Path("data/raw")
QUESTIONS = RAW / "word_benchmarks" / "questions-words.txt"  # of Google
PENALISED = {"similarity": "spearman_penalised", "categorization": "purity_penalised", "relations": "spearman"}
PAPER_TESTS = (  # Table 7, by the suite's names where it has them; ESSLLI 2008 is ESSLI.2c
    *("ap", "bless", "battig", "essli_1a", "essli_2b", "esslli_2008"),
    *("men", "mturk_287", "rg_65", "rw", "simlex_999", "tr9856", "wordsim_353", "wordsim_353_rel", "wordsim_353_sim"),
    *("google", "msr", "semeval_2012_2"),
)


def word_level(
    model: nn.Module, corpus: LanguageModelingCorpus, arguments: dict[str, Any], record: dict[str, Any], how: Evaluation
) -> tuple[dict[str, Any], WordRun]:
    """Perplexities, decomposition, and tests of word vectors of one run; and the first two item by item."""
    pairs = verb_pairs(*_questions())
    words = corpus.words[SPECIAL:]
    embeddings = {name: Embedding(words, matrix[SPECIAL:]) for name, matrix in spaces(model).items()}
    parts = {name: decomposition(embedding, pairs) for name, embedding in embeddings.items()}
    rows = {split: word_rows(model, corpus, split, arguments) for split in ("validation", "test")}
    google = analogy(embeddings["composite"], *_questions(), method="mul", vocabulary=how.vocabulary)
    by_epoch = [math.exp(epoch["validation_loss"]) for epoch in record["history"]]
    found: dict[str, Any] = {
        "validation_perplexity": by_epoch[-1] if arguments["patience"] is None else min(by_epoch),  # of what was kept
        "validation_perplexity_by_epoch": by_epoch,
        "test_perplexity": rows["test"].total().perplexity,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "decomposition": parts,
        **_intrinsic(embeddings["composite"], how, google),
        "analogies": _analogies(google),
    }
    if isinstance(model, HRRLM):
        found["embedding_parameters"] = model.embedding_parameters()
        if model.beta:
            found["isometric_distance"] = float(model.penalty().detach()) / model.beta
    differences = margins(parts)
    if differences:
        found["margins"] = differences
    by_category = {
        category: {name: pair_space(embedding, named) for name, embedding in embeddings.items()}
        for category, named in pairs.items()
    }
    return found, WordRun(rows, by_category)


def word_rows(
    model: nn.Module, corpus: LanguageModelingCorpus, split: str, arguments: dict[str, Any], batching: str | None = None
) -> RowLikelihoods:
    """The likelihoods of the rows of a split, read in the way that the model was trained, or in another."""
    how = batching or arguments["batching"], arguments["batch"], arguments["steps"]
    batches = loader(corpus, split, *how, tokens=arguments["evaluation_tokens"])
    nats = negative_log_likelihood(model)
    (found,) = row_likelihoods(lambda batch: (nats(batch),), batches, lambda batch: (batch[1] != IGNORED,))
    return found


def chunk_level(
    model: ChunkHRRLM,
    start: HRRLM,
    corpus: LanguageModelingCorpus,
    arguments: dict[str, Any],
    maximum_tokens: int,
    how: Evaluation,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, RowLikelihoods]]:
    """Perplexity, and that of the model it started from; roles among neighbours and in clusters.

    Returns:
        the numbers; the clusters of the commonest noun phrase: {"phrase", "filler_1": table, ...}; and the likelihoods
        behind the perplexities, by their names. Without a parse there are no roles, and no clusters.
    """
    sentences_of = {
        "test_perplexity": word_rows(model.word_level, corpus, "test", arguments, "sentences"),
        "test_perplexity_before": word_rows(start, corpus, "test", arguments, "sentences"),
    }
    found: dict[str, Any] = {name: rows.total().perplexity for name, rows in sentences_of.items()}
    rows = corpus.rows("test")
    if not {"head", "dep"} <= set(rows.column_names):
        return found, {}, sentences_of
    within = sentences_within(corpus, "test", arguments["evaluation_tokens"])
    sentences = chunked_sentences(corpus, "test", maximum_tokens=maximum_tokens, sentences=within)
    chunks = chunk_fillers(model, sentences)
    roles, positions = zip(*roles_of(rows, chunks.names), strict=True)
    named = np.array([role is not None for role in roles])
    labels = [role for role in roles if role is not None]
    found["roles"] = dict(sorted(Counter(labels).items()))
    phrases = Counter(
        sentences.phrases[kind]
        for kind, position in zip(chunks.kind, positions, strict=True)
        if position is not None and len(sentences.phrases[kind]) > 1 and 0 not in sentences.phrases[kind]
    )
    phrase, _ = min(phrases.items(), key=lambda item: (-item[1], item[0]), default=((), 0))
    same = np.flatnonzero([sentences.phrases[kind] == phrase for kind in chunks.kind])
    same = np.sort(np.random.default_rng(how.seed).permutation(same)[: how.occurrences])
    clusters: dict[str, Any] = {"phrase": " ".join(corpus.words[word] for word in phrase), "occurrences": len(same)}
    for filler in range(chunks.fillers.shape[1]):
        key, vectors = f"filler_{filler + 1}", chunks.fillers[:, filler]
        if len(labels) > max(NEIGHBOURS):
            found[key] = hit_rates(vectors[named], labels)
            found[key]["purity"] = role_purity(vectors[named], labels, clusters=len(ROLES), seed=how.seed)
        if len(same):
            places = [positions[place] or "other" for place in same]
            clusters[key] = cluster_table(vectors[same], places, seed=how.seed)
    return found, clusters, sentences_of


@functools.cache
def _questions() -> tuple[list[tuple[str, str, str, str]], list[str]]:
    """Google's analogies, which every run is asked."""
    return read_analogies(QUESTIONS)


_items = functools.cache(suite.read)  # of a test


def _intrinsic(embedding: Embedding, how: Evaluation, google: dict[str, Any]) -> dict[str, Any]:
    """Every test at hand, as the paper scores them (missing words have the mean vector).

    Args:
        google: the result of Google's analogies by 3CosMul.

    Returns:
        intrinsic {test: score}; intrinsic_mean, over the paper's 18 tests, None unless all are there; and the mean over
        those of them that are, with their number.
    """
    scores: dict[str, float | None] = {}
    for source in how.benchmarks:
        for test in suite.tests_of(source):
            if test.task not in (*PENALISED, "analogy"):
                continue
            items = _items(test, RAW / source)
            if RAW / source / test.files[0] == QUESTIONS:
                value = google["accuracy"]
            elif test.task == "analogy":
                value = analogy(embedding, *items, method="mul", vocabulary=how.vocabulary)["accuracy"]
            else:
                value = suite.measure(embedding, test.task, items, seed=how.seed)[PENALISED[test.task]]
            scores[test.name.lower().replace("-", "_")] = value
    own = {name: scores[name] for name in PAPER_TESTS if scores.get(name) is not None}
    mean = float(np.mean(list(own.values()))) if own else None
    return {
        "intrinsic": scores,
        "intrinsic_mean": mean if len(own) == len(PAPER_TESTS) else None,
        "intrinsic_mean_at_hand": mean,
        "intrinsic_tests_at_hand": len(own),
    }


def _analogies(google: dict[str, Any]) -> dict[str, Any]:
    """Google's analogies by 3CosMul: all, the two halves, the verb categories, every section."""
    sections = google["sections"]
    halves = {"syntax": [name for name in sections if name.startswith("gram")]}
    halves["semantics"] = [name for name in sections if name not in halves["syntax"]]
    found: dict[str, Any] = {"overall": google["accuracy"], "questions": google["kept"]}
    for half, names in halves.items():
        kept = sum(sections[name]["kept"] for name in names)
        found[half] = sum(sections[name]["correct"] for name in names) / kept if kept else None
    for category in CATEGORIES:
        name = next(name for name in sections if name.endswith(category))
        found[category.replace("-", "_")] = sections[name]["accuracy"]
    found["sections"] = {name: {key: own[key] for key in ("correct", "kept")} for name, own in sections.items()}
    return found
