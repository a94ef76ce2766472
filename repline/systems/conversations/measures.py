"""Measures of every model and their bootstrap replicates: replies, inference, similarity, questions.

A run is one seed of a variant. Numbers are by part that pairs belong to (a source, or a genre), and for `all` of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import spearmanr

from repline.evaluation.correlation import is_constant
from repline.evaluation.evaluations import Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import bootstrap, merge_replicates, side_by_side
from repline.systems.conversations.corpus import Inference, Sentences, Turns, pack
from repline.systems.conversations.encoder import encoded
from repline.systems.conversations.model import ConversationEncoder
from repline.systems.conversations.response_ranking import WordOverlap, blocks, precisions, ranks_of
from repline.systems.conversations.settings import ALL

Ranks = Mapping[str, NDArray[np.float64]]  # by source, and for all sources
Similar = Mapping[str, Mapping[str, NDArray[np.floating]]]  # by tuning and split, a number for each pair


def tested_messages(turns: Turns) -> dict[str, NDArray[np.int64]]:
    """The messages of the test conversations by source, and of all of them."""
    return {ALL: turns.of_split("test")} | {name: splits["test"] for name, splits in turns.messages.items()}


def ranked_conversations(turns: Turns, *, candidates: int, seed: int) -> dict[str, NDArray[np.int64]]:
    """The number of the conversation of every ranked message, by source, in the order of the ranks.

    Args:
        candidates, seed: as of the ranks, see `model_ranks`.
    """
    return {
        name: turns.conversations[messages[blocks(len(messages), candidates, seed).ravel()]]
        for name, messages in tested_messages(turns).items()
    }


@torch.no_grad()
def model_ranks(
    model: ConversationEncoder, sentences: Sentences, turns: Turns, *, candidates: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    """The rank of the true reply of every tested message, by source.

    Args:
        sentences: the turns as numbers of the model's words.
        candidates: replies that each message has to choose from; seed: of how pairs are shuffled.
    """
    tested = tested_messages(turns)
    rows = np.unique(np.concatenate([tested[ALL], tested[ALL] + 1]))
    u = encoded(model, sentences, torch.from_numpy(rows))  # [N, m]
    v = model.replies(u.to(next(model.parameters()).device)).cpu()
    ranks = {}
    for name, messages in tested.items():
        first, second = np.searchsorted(rows, messages), np.searchsorted(rows, messages + 1)

        def scores(block: NDArray, first: NDArray = first, second: NDArray = second) -> NDArray:
            return (u[first[block]] @ v[second[block]].T).numpy()

        ranks[name] = ranks_of(blocks(len(messages), candidates, seed), turns.texts[messages + 1], scores)
    return ranks


def word_overlap_ranks(turns: Turns, *, candidates: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Ranks by TF-IDF, with document frequencies of the training messages."""

    def texts(rows: NDArray) -> list[list[str]]:
        return turns.tokens.take(rows).to_pylist()

    ranker = WordOverlap(texts(turns.of_split("train")))
    ranks = {}
    for name, messages in tested_messages(turns).items():
        scores = ranker.scores(texts(messages), texts(messages + 1))
        ranks[name] = ranks_of(blocks(len(messages), candidates, seed), turns.texts[messages + 1], scores)
    return ranks


@torch.no_grad()
def correct_labels(model: ConversationEncoder, pairs: Inference) -> NDArray[np.bool_]:
    """Whether the model predicts the label of each test pair [P]."""
    number_of = {word: number for number, word in enumerate(model.words, 1)}
    first, second = (encoded(model, pack(side["test"], number_of)) for side in (pairs.first, pairs.second))
    device = next(model.parameters()).device
    return (model.infer(first.to(device), second.to(device)).argmax(1).cpu() == pairs.numbers("test")).numpy()


def pearson(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Pearson's r of two arrays [n]; 0 where one side is constant, rounding apart."""
    if is_constant(first) or is_constant(second):
        return 0.0
    first, second = first - first.mean(), second - second.mean()
    length = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second) / length if length > 0 else 0.0


def correlations(similar: NDArray[np.floating], scores: NDArray, groups: NDArray) -> dict[str, float]:
    """Pearson's r of similarities with scores [n]: of all pairs, and of each group that has a name."""
    similar = np.asarray(similar, np.float64)
    r = {ALL: pearson(similar, scores)}
    for name in sorted(set(groups.tolist()) - {""}):
        r[name] = pearson(similar[groups == name], scores[groups == name])
    return r


def similarity_metrics(
    similar: Similar, scores: Mapping[str, NDArray], groups: Mapping[str, NDArray]
) -> dict[str, Metric]:
    """Correlations with the scores, by tuning and split: r of the angle and of its cosine, and Spearman's rho."""
    metrics: Metrics = {}
    for tuning, splits in similar.items():
        metrics[tuning] = {}
        for split, values in splits.items():
            measured = correlations(values, scores[split], groups[split])
            measured["spearman"] = float(np.nan_to_num(spearmanr(values, scores[split]).statistic))
            measured["cosine"] = pearson(np.cos(values.astype(np.float64)), scores[split])
            metrics[tuning][split] = measured
    return metrics


def resampled_responses(runs: Sequence[Ranks], conversations: Mapping[str, NDArray[np.int64]]) -> list[Replicate]:
    """Replicates of P@N: seeds and conversations are resampled, the same ones for all variants.

    A conversation is drawn with all of its ranked messages: they share a subject and their writers.

    Args:
        conversations: the number of the conversation of each rank, of `ranked_conversations`.
    """
    return _by_part(runs, precisions, conversations)


def resampled_accuracy(runs: Sequence[NDArray[np.bool_]], groups: Sequence[str]) -> list[Replicate]:
    """Replicates of the accuracy of inference: seeds and groups of pairs are resampled, the same ones for all variants.

    Args:
        groups: of each pair [P], of `repline.systems.conversations.corpus.inference_groups`; a group is drawn whole.
    """
    return bootstrap(lambda right, rows: {"accuracy": float(right[rows].mean())}, runs, len(runs[0]), groups=groups)


def resampled_similarity(
    runs: Sequence[Similar], scores: Mapping[str, NDArray], groups: Mapping[str, NDArray]
) -> list[Replicate]:
    """Replicates of r by tuning and split: seeds and pairs are resampled."""
    parts = []
    for split in sorted({split for splits in runs[0].values() for split in splits}):

        def measure(run: Similar, rows: NDArray, split: str = split) -> dict[str, Metric]:
            return {
                tuning: {split: correlations(splits[split][rows], scores[split][rows], groups[split][rows])}
                for tuning, splits in run.items()
                if split in splits
            }

        parts.append(bootstrap(measure, runs, len(scores[split])))
    return merge_replicates(*parts)


def resampled_map(runs: Sequence[Mapping[str, NDArray[np.float64]]]) -> list[Replicate]:
    """Replicates of MAP by split: seeds and new questions are resampled."""
    return _by_part(runs, lambda ap: {"map": float(ap.mean())})


def mean_map(runs: Iterable[Mapping[str, NDArray[np.float64]]]) -> list[Replicate]:
    """MAP of each run by split."""
    return [{split: {"map": float(ap.mean())} for split, ap in run.items()} for run in runs]


def _by_part(
    runs: Sequence[Mapping[str, NDArray]],
    measure: Callable[[NDArray], Mapping[str, float]],
    groups: Mapping[str, NDArray] | None = None,
) -> list[Replicate]:
    """Replicates of a measure of each part; the parts have different items.

    Args:
        groups: of the items of each part; a group is drawn whole. None: each item is drawn for itself.
    """
    parts = {}
    for name, items in runs[0].items():
        run_values = [run[name] for run in runs]
        parts[name] = bootstrap(
            lambda values, rows: measure(values[rows]),
            run_values,
            len(items),
            groups=None if groups is None else groups[name],
        )
    return side_by_side(**parts)
