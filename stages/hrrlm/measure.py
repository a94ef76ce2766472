"""The numbers of metrics.json: of one model at word level, of one at chunk level."""

import copy
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.evaluation.perplexity import perplexity
from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.analogy import analogy
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.hrrlm.chunk_model import ChunkHRRLM
from repline.systems.hrrlm.chunk_roles import ROLES, roles_of
from repline.systems.hrrlm.chunk_space import NEIGHBOURS, cluster_table, hit_rates, role_purity
from repline.systems.hrrlm.chunk_training import chunk_fillers, chunked_sentences
from repline.systems.hrrlm.decomposition import CATEGORIES, decomposition, verb_pairs
from repline.systems.hrrlm.model import HRRLM
from repline.systems.hrrlm.settings import Evaluation
from repline.systems.hrrlm.training import loader
from repline.training.language_models import negative_log_likelihood
from stages.hrrlm.vectors import SPECIAL, spaces

RAW = Path("data/raw")
QUESTIONS = RAW / "word_benchmarks" / "questions-words.txt"  # of Google
PENALISED = {"similarity": "spearman_penalised", "categorization": "purity_penalised", "relations": "spearman"}


def word_level(
    model: nn.Module, corpus: LanguageModelingCorpus, arguments: dict[str, Any], record: dict[str, Any], how: Evaluation
) -> dict[str, Any]:
    """Perplexities, decomposition, and tests of word vectors of one run."""
    pairs = verb_pairs(*read_analogies(QUESTIONS))
    words = corpus.words[SPECIAL:]
    embeddings = {name: Embedding(words, matrix[SPECIAL:]) for name, matrix in spaces(model).items()}
    parts = {name: decomposition(embedding, pairs) for name, embedding in embeddings.items()}
    by_epoch = [math.exp(epoch["validation_loss"]) for epoch in record["history"]]
    found: dict[str, Any] = {
        "validation_perplexity": by_epoch[-1] if arguments["patience"] is None else min(by_epoch),  # of what was kept
        "validation_perplexity_by_epoch": by_epoch,
        "test_perplexity": word_perplexity(model, corpus, "test", arguments),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "decomposition": parts,
        **_intrinsic(embeddings["composite"], how),
        "analogies": _analogies(embeddings["composite"], how),
    }
    if isinstance(model, HRRLM):
        found["embedding_parameters"] = model.embedding_parameters()
        if model.beta:
            found["isometric_distance"] = float(model.penalty().detach()) / model.beta
    if "filler_2" in parts:
        form, meaning = (
            (parts[f"filler_{first}"][truth], parts[f"filler_{second}"][truth])
            for truth, first, second in (("syntactic", 1, 2), ("semantic", 2, 1))
        )
        found["margins"] = {
            truth: None if None in values else values[0] - values[1]
            for truth, values in (("syntactic", form), ("semantic", meaning))
        }
    return found


def word_perplexity(
    model: nn.Module, corpus: LanguageModelingCorpus, split: str, arguments: dict[str, Any], batching: str | None = None
) -> float:
    """Perplexity of a split, read in the way that the model was trained, or in another."""
    batches = loader(corpus, split, batching or arguments["batching"], arguments["batch"], arguments["steps"])
    return perplexity(negative_log_likelihood(model), batches)


def score_identity(model: HRRLM, corpus: LanguageModelingCorpus) -> float:
    """The largest difference, in double precision, between scores by fillers and by the composite vectors."""
    model = copy.deepcopy(model).double().eval()
    model.annealing = 0
    ids = torch.from_numpy(np.array(corpus.ids("test")[:50], dtype=np.int64))[None]
    with torch.inference_mode():
        state = tuple(part.double() for part in model.initial_state(1))
        outputs, _, _ = model.read(ids, state)
        hidden, _ = model(ids, state)
        tied = nn.functional.linear(outputs, model.word_vectors(), model.bias)
        return float((model.decode(hidden) - tied).abs().max())


def chunk_level(
    model: ChunkHRRLM,
    start: HRRLM,
    corpus: LanguageModelingCorpus,
    arguments: dict[str, Any],
    maximum_tokens: int,
    how: Evaluation,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Perplexity, and that of the model it started from; roles among neighbours and in clusters.

    Returns:
        the numbers, and the clusters of the commonest noun phrase: {"phrase", "filler_1": table, ...}. Without a parse
        there are no roles, and no clusters.
    """
    found: dict[str, Any] = {
        "test_perplexity": word_perplexity(model.word_level, corpus, "test", arguments, "sentences"),
        "test_perplexity_before": word_perplexity(start, corpus, "test", arguments, "sentences"),
    }
    rows = corpus.rows("test")
    if not {"head", "dep"} <= set(rows.column_names):
        return found, {}
    sentences = chunked_sentences(corpus, "test", maximum_tokens=maximum_tokens)
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
    return found, clusters


def _intrinsic(embedding: Embedding, how: Evaluation) -> dict[str, Any]:
    """Every test of the paper's suite that is there, as it scores them (missing words have the mean vector)."""
    scores: dict[str, float | None] = {}
    for source in how.benchmarks:
        for test in suite.tests_of(source):
            if test.task not in (*PENALISED, "analogy"):
                continue
            result = suite.evaluate(embedding, test, RAW / source, vocabulary=how.vocabulary, seed=how.seed)
            value = result["mul"]["accuracy"] if test.task == "analogy" else result[PENALISED[test.task]]
            scores[test.name.lower().replace("-", "_")] = value
    known = [score for score in scores.values() if score is not None]
    return {"intrinsic": scores, "intrinsic_mean": float(np.mean(known)) if known else None}


def _analogies(embedding: Embedding, how: Evaluation) -> dict[str, Any]:
    """Google's analogies by 3CosMul: all, the two halves, the verb categories, every section."""
    result = analogy(embedding, *read_analogies(QUESTIONS), method="mul", vocabulary=how.vocabulary)
    sections = result["sections"]
    halves = {"syntax": [name for name in sections if name.startswith("gram")]}
    halves["semantics"] = [name for name in sections if name not in halves["syntax"]]
    found: dict[str, Any] = {"overall": result["accuracy"], "questions": result["kept"]}
    for half, names in halves.items():
        kept = sum(sections[name]["kept"] for name in names)
        found[half] = sum(sections[name]["correct"] for name in names) / kept if kept else None
    for category in CATEGORIES:
        name = next(name for name in sections if name.endswith(category))
        found[category.replace("-", "_")] = sections[name]["accuracy"]
    found["sections"] = {name: {key: own[key] for key in ("correct", "kept")} for name, own in sections.items()}
    return found
