"""data/models/image_lexicon -> data/evaluation/image_lexicon: metrics, claims, figures, plots."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from repline.cards import card_or_files
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, replicates
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet.synsets import WordNet
from repline.systems.image_lexicon import evaluation, set_counts
from repline.systems.image_lexicon.evaluation import Items
from repline.systems.image_lexicon.image_words import WordList, of_table
from repline.systems.image_lexicon.polysemy import mean_senses, senses
from repline.systems.image_lexicon.settings import read
from stages import run
from stages.conclusion import conclude
from stages.image_lexicon import figures

HEADLINE = ("emoji", "made")  # the first of these runs that there is


def main() -> None:
    settings, runs = read()
    place = Path("data") / settings.wordnet
    wordnet, version = wordnet_files.read(place), card_or_files(place)["name"]
    metrics: dict[str, Any] = {"runs": {}, "lists": {}, "senses": {version: {}}}
    repeated: dict[str, Any] = {}
    dispersed: dict[str, Any] = {}
    for name, knobs in runs.items():
        folder = Path("data/models/image_lexicon") / name
        lists = of_table(pq.read_table(folder / "entries.parquet"))
        found = _run(folder, lists, wordnet)
        dispersed[name] = found.pop("dispersed")
        counted = found.pop("counted")
        metrics["runs"][name] = numbers([found]) | counted
        repeated[name] = replicates([found])
        label = Path(knobs["lists"]).name
        if label not in metrics["lists"]:
            metrics["lists"][label] = set_counts.list_counts(lists)
            entries = [(entry.source, entry.pos) for entry in next(iter(lists.values())).entries]
            metrics["senses"][version][label] = mean_senses(wordnet, entries)
        print(f"{name}: AVGMAX MRR {metrics['runs'][name]['methods']['avgmax']['all']['mrr']:.3f}", flush=True)
    repeats = side_by_side(runs=side_by_side(**repeated))
    chosen = next((name for name in HEADLINE if name in runs), next(iter(runs)))
    for part in (metrics, *repeats):
        part["headline"] = part["runs"][chosen]["methods"]["avgmax"]["all"]["mrr"]
    conclude("image_lexicon", metrics, figures.figures(metrics, dispersed), figures.plots(metrics), repeats)


def _run(folder: Path, lists: dict[str, WordList], wordnet: WordNet) -> dict[str, Any]:
    """All numbers of one run as arrays [1 + R]; and `counted`, which are not resampled; and extremes of dispersion."""
    source = next(iter(lists.values())).source
    translations, dispersions = (pq.read_table(folder / f"{one}.parquet") for one in ("translations", "dispersions"))
    items = Items(lists)
    found = evaluation.translation_scores(translations, items)
    found["dispersion"] = evaluation.dispersion_scores(dispersions, lists, items)
    words = {word for word, _ in items.number}
    found["explained"] = evaluation.explanations(translations, dispersions, senses(wordnet, words), source, items)
    counted = {
        "usable": set_counts.usable_counts(translations),
        "pictures": set_counts.set_sizes(dispersions),
        "twins": json.loads((folder / "twins.json").read_text(encoding="utf-8"))["mutual"],
    }
    return found | {"counted": counted, "dispersed": set_counts.extremes(dispersions, lists, source)}


if __name__ == "__main__":
    run(main)
