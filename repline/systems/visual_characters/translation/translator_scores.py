"""Translators on the test sentences: perplexity, BLEU greedy and with beam search, BLEU by frequency of characters."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sacrebleu.metrics import BLEU
from torch import Tensor

from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric
from repline.evaluation.replication.bootstrap import bootstrap
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs.bitmaps import Bitmaps
from repline.pretrained import pretrained
from repline.systems.visual_characters.corpus import PairRow, Rows
from repline.systems.visual_characters.settings import Decoding
from repline.systems.visual_characters.translation.translation_pairs import frequency_buckets
from repline.systems.visual_characters.translation.translator import Translator, translation_loss
from repline.systems.visual_characters.translation.translator_training import pair_tensors
from repline.systems.visual_characters.tuning import tuned_losses
from repline.training.run import runs

Counts = NDArray[np.int64]
ORDERS = 4  # of BLEU's n-grams
BLOCK = 100  # sentences at a time
EXAMPLES = 10  # sentences


def score_translators(folders: Mapping[str, Path], pairs: Rows, bitmaps: Bitmaps, decoding: Decoding) -> Evaluation:
    """Perplexity of the test, BLEU of greedy and of beam search, and by the buckets of table 5, by encoder.

    Args:
        folders: of the translators of all seeds, by encoder.
        pairs: of all splits, with `source` and `target`, see `repline.systems.visual_characters.corpus.read_rows`.
        bitmaps: of all characters.
        decoding: how sentences are translated.
    """
    test = pairs["test"]
    buckets = frequency_buckets([row["source"] for row in test], [row["source"] for row in pairs["train"]])
    in_bucket = {name: np.isin(np.arange(len(test)), rows) for name, rows in buckets.items()}
    runs_of = {name: runs(folder) for name, folder in folders.items()}
    items_of_runs = []
    examples = [{"source": row["source"], "reference": " ".join(row["target"])} for row in test[:EXAMPLES]]
    for seed in range(len(next(iter(runs_of.values())))):
        items: dict[str, dict[str, NDArray]] = {}
        for name, seed_runs in runs_of.items():
            model = pretrained(Translator, seed_runs[seed])
            model.encoder.show(torch.from_numpy(bitmaps.pixels))
            items[name], translations = _items(model, test, bitmaps, decoding)
            for example, words in zip(examples, translations, strict=False):
                example.setdefault(name, " ".join(words))
        items_of_runs.append(items)

    def measure(items: dict[str, dict[str, NDArray]], rows: NDArray[np.integer]) -> dict[str, Metric]:
        scores: Metrics = {}
        for name, values in items.items():
            loss, symbols = values["losses"][rows].sum(0)
            scores[name] = {
                "perplexity": float(np.exp(loss / symbols)),
                "greedy": bleu(values["greedy"][rows].sum(0)),
                "bleu": bleu(values["beam"][rows].sum(0)),
            }
            for bucket, inside in in_bucket.items():
                scores[name][bucket] = bleu(values["beam"][rows[inside[rows]]].sum(0))
        return scores

    metrics = mean_of_runs([measure(items, np.arange(len(test))) for items in items_of_runs])
    for name, folder in folders.items():
        metrics[name] |= tuned_losses(folder)
    metrics |= {"pairs": {name: len(rows) for name, rows in pairs.items()}, "examples": examples}
    return Evaluation(metrics, bootstrap(measure, items_of_runs, len(test)))


@torch.no_grad()
def perplexity_items(model: Translator, ids: Tensor, symbols: Tensor) -> NDArray[np.floating]:
    """The sum of the losses of each pair in nats, and its symbols [N, 2]."""
    rows = []
    for part in zip(ids.split(1), symbols.split(1), strict=True):
        loss, number = translation_loss(model, part)
        rows.append((float(loss) * number, number))
    return np.array(rows)


def bleu_items(translations: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> Counts:
    """The counts that BLEU sums over sentences [N, 10]: right n-grams, n-grams of the system, lengths of both sides.

    Sentences are put together with blanks, which sacrebleu's tokenisation 13a takes apart again.
    """
    metric = BLEU(effective_order=True)
    rows = []
    for translation, reference in zip(translations, references, strict=True):
        score = metric.sentence_score(" ".join(translation), [" ".join(reference)])
        rows.append((*score.counts, *score.totals, score.sys_len, score.ref_len))
    return np.array(rows, dtype=np.int64).reshape(-1, 2 * ORDERS + 2)


def bleu(counts: Counts) -> float:
    """sacrebleu's corpus score, from the sum of items [10]; no n-gram right at some order is smoothed as it does."""
    numbers = counts.tolist()
    n_right, every = numbers[:ORDERS], numbers[ORDERS : 2 * ORDERS]
    system_length, reference_length = numbers[2 * ORDERS :]
    return float(BLEU.compute_bleu(n_right, every, system_length, reference_length, smooth_method="exp").score)


def _items(
    model: Translator, test: list[PairRow], bitmaps: Bitmaps, decoding: Decoding
) -> tuple[dict[str, NDArray], list[list[str]]]:
    """The counts and losses of each pair, and the translations by beam search."""
    ids, symbols = pair_tensors(test, bitmaps, model.words)
    translations: dict[str, list[list[str]]] = {"greedy": [], "beam": []}
    greedy = decoding.model_copy(update={"beam": 1})
    for part in ids.split(BLOCK):
        translations["greedy"] += model.translate(part, greedy)
        translations["beam"] += model.translate(part, decoding)
    references = [row["target"] for row in test]
    counts = {name: bleu_items(sentences, references) for name, sentences in translations.items()}
    return counts | {"losses": perplexity_items(model, ids, symbols)}, translations["beam"]
