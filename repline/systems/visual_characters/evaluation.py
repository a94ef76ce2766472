"""What each task measures, for every test item, so that resamples of the items are sums."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU
from torch import Tensor

from repline.systems.visual_characters.glosses.gloss_model import GlossModel, gloss_losses, hits
from repline.systems.visual_characters.tagging.tagged_text import f1, span_counts, spans
from repline.systems.visual_characters.translation.translator import Translator, translation_loss

Counts = NDArray[np.int64]
ORDERS = 4  # of BLEU's n-grams


@torch.no_grad()
def gloss_items(model: GlossModel, ids: Tensor, targets: Tensor, block: int = 1000) -> dict[str, NDArray[np.floating]]:
    """Of each word: the loss in nats, and 1 if a gloss is among the ten most probable ones."""
    losses, found = [], []
    for part, wanted in zip(ids.split(block), targets.split(block), strict=True):
        log_probabilities = model(part)
        losses.append(gloss_losses(log_probabilities, wanted))
        found.append(hits(log_probabilities, wanted))
    return {"nll": torch.cat(losses).double().numpy(), "hits": torch.cat(found).double().numpy()}


def tagging_items(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> Counts:
    """`span_counts` of each sentence, from labels of characters: [N, 5]."""
    rows = [span_counts(spans(one), spans(two)) for one, two in zip(gold, found, strict=True)]
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


def tagging_scores(counts: Counts, characters: int) -> dict[str, float]:
    """F1 of words with their tags, of words, and the share of characters with the right tag, from sums of items [5]."""
    gold, found, right, places, tags = counts.tolist()
    return {"f1": f1(gold, found, right), "words": f1(gold, found, places), "tags": tags / characters}


@torch.no_grad()
def perplexity_items(model: Translator, ids: Tensor, symbols: Tensor, block: int = 200) -> NDArray[np.floating]:
    """Of each block of pairs: the sum of the losses in nats, and the symbols [blocks, 2]."""
    rows = []
    for part in zip(ids.split(block), symbols.split(block), strict=True):
        loss, number = translation_loss(model, part)
        rows.append((float(loss) * number, number))
    return np.array(rows)


def bleu_items(found: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Counts:
    """What BLEU adds up over sentences [N, 10]: right n-grams, n-grams of the system, the lengths of system, reference.

    Sentences are put together with blanks, which sacrebleu's tokenisation 13a takes apart again.
    """
    metric = BLEU(effective_order=True)
    rows = []
    for one, two in zip(found, references, strict=True):
        score = metric.sentence_score(" ".join(one), [" ".join(two)])
        rows.append((*score.counts, *score.totals, score.sys_len, score.ref_len))
    return np.array(rows, dtype=np.int64).reshape(-1, 2 * ORDERS + 2)


def bleu(counts: Counts) -> float:
    """sacrebleu's corpus score, from the sum of items [10]; no n-gram right at some order is smoothed as it does."""
    numbers = counts.tolist()
    right, every = numbers[:ORDERS], numbers[ORDERS : 2 * ORDERS]
    return float(BLEU.compute_bleu(right, every, *numbers[2 * ORDERS :], smooth_method="exp").score)


def softmax_peaks(activations: Tensor, counts: Tensor, first: int = 3) -> list[float]:
    """The largest activations of a character, on average over tokens.

    Args:
        activations: softmax over the features of each character [k, F].
        counts: tokens of each [k].

    Returns:
        means of the largest, the second and so on [first].
    """
    top = activations.topk(first, dim=1).values.double()  # [k, first]
    return ((top * counts[:, None]).sum(0) / counts.sum()).tolist()


def resampled(items: Mapping[str, Any], rows: NDArray[np.integer]) -> dict[str, Any]:
    """The same items of every array in nested mappings."""
    return {key: resampled(value, rows) if isinstance(value, Mapping) else value[rows] for key, value in items.items()}
