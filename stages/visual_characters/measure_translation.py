"""Translators on the test sentences: perplexity, BLEU greedy and with beam search, BLEU by frequency of characters."""

from typing import Any

import numpy as np
import torch

from repline.evaluation.replication.bootstrap import bootstrap
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs.bitmaps import Bitmaps
from repline.pretrained import pretrained
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.evaluation import bleu, bleu_items, perplexity_items
from repline.systems.visual_characters.settings import Decoding
from repline.systems.visual_characters.translation.translation_pairs import frequency_buckets
from repline.systems.visual_characters.translation.translator import Translator
from repline.systems.visual_characters.translation.translator_training import pair_tensors
from stages.visual_characters import paths
from stages.visual_characters.measure_glosses import Measured, record

BLOCK = 100  # sentences at a time


def translation(encoders: list[str], bitmaps: Bitmaps, decoding: Decoding) -> Measured:
    """Of each encoder: perplexity of the test, BLEU of greedy and of beam search, and by the buckets of table 5."""
    rows = read_rows(paths.WORDS, "pairs", bitmaps)
    test = rows["test"]
    buckets = frequency_buckets([row["source"] for row in test], [row["source"] for row in rows["train"]])
    inside = {name: np.isin(np.arange(len(test)), places) for name, places in buckets.items()}
    folders = {name: paths.runs(paths.translator(name)) for name in encoders}
    runs = []
    examples: dict[str, list[str]] = {}
    for seed in range(len(next(iter(folders.values())))):
        items: dict[str, Any] = {}
        for name, of_seeds in folders.items():
            model = pretrained(Translator, of_seeds[seed])
            model.encoder.show(torch.from_numpy(bitmaps.pixels))
            items[name], found = _items(model, test, bitmaps, decoding)
            examples.setdefault(name, [" ".join(words) for words in found[:10]])
        runs.append(items)

    def measure(run: dict[str, Any], chosen: np.ndarray) -> dict[str, Any]:
        scores: dict[str, Any] = {}
        for name, items in run.items():
            loss, symbols = items["losses"][chosen].sum(0)
            scores[name] = {
                "perplexity": float(np.exp(loss / symbols)),
                "greedy": bleu(items["greedy"][chosen].sum(0)),
                "bleu": bleu(items["beam"][chosen].sum(0)),
            }
            for bucket, rows_of in inside.items():
                scores[name][bucket] = bleu(items["beam"][chosen[rows_of[chosen]]].sum(0))
        return scores

    metrics = mean_of_runs([measure(run, np.arange(len(test))) for run in runs])
    for name in encoders:
        metrics[name] |= record(paths.translator(name))
    shown = [{"source": row["source"], "reference": " ".join(row["target"])} for row in test[:10]]
    for name, lines in examples.items():
        for line, text in zip(shown, lines, strict=True):
            line[name] = text
    sizes = {name: len(part) for name, part in rows.items()}
    return metrics | {"pairs": sizes, "examples": shown}, bootstrap(measure, runs, len(test))


def _items(
    model: Translator, test: list[dict[str, Any]], bitmaps: Bitmaps, decoding: Decoding
) -> tuple[dict[str, np.ndarray], list[list[str]]]:
    ids, symbols = pair_tensors(test, bitmaps, model.words)
    options = {"longest": decoding.longest, "length_power": decoding.length_power}
    found: dict[str, list[list[str]]] = {"greedy": [], "beam": []}
    for part in ids.split(BLOCK):
        found["greedy"] += model.translate(part, beam=1, **options)
        found["beam"] += model.translate(part, beam=decoding.beam, **options)
    references = [row["target"] for row in test]
    counts = {name: bleu_items(sentences, references) for name, sentences in found.items()}
    return counts | {"losses": perplexity_items(model, ids, symbols, block=1)}, found["beam"]
