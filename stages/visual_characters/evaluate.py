"""data/models/visual_characters, data/corpora -> data/evaluation/visual_characters: metrics, claims, figures."""

from typing import Any

from repline.cards import read_card
from repline.evaluation.replication.bootstrap import together
from repline.glyphs import bitmaps as glyphs
from repline.systems.visual_characters import settings
from repline.systems.visual_characters.glosses.gloss_training import train_glosses
from repline.systems.visual_characters.tagging.tagger_training import train_tagger
from repline.systems.visual_characters.translation.translator_training import train_translator
from stages import run
from stages.conclusion import conclude
from stages.visual_characters import figures, paths
from stages.visual_characters.measure_glosses import dictionary, models, similarity, softmax
from stages.visual_characters.measure_tagging import tagging
from stages.visual_characters.measure_translation import translation


def main() -> None:
    chosen = settings.load()
    bitmaps = glyphs.read(paths.GLYPHS)
    metrics: dict[str, Any] = {"glyphs": _glyphs(bitmaps)}
    found = {name: models(name, bitmaps) for name in settings.trainings(chosen, "glosses", train_glosses).encoders}
    repeated = []
    for measure in (dictionary, similarity, softmax):
        measured, replicates = measure(found, bitmaps)
        metrics |= measured
        repeated.append(replicates)
    neighbours = figures.neighbours(found, bitmaps, chosen.shown)
    metrics["neighbours"] = neighbours.overlaps
    modes, (_, encoders) = settings.tagging(chosen, train_tagger)
    metrics["tagging"] = {}
    for name, corpus in chosen.tagged.items():
        runs_of = {f"{one}_{mode}": paths.runs(paths.tagger(name, one, mode)) for one in encoders for mode in modes}
        metrics["tagging"][name], replicates = tagging(name, runs_of, bitmaps, corpus.pku_tags)
        repeated.append([{"tagging": {name: one}} for one in replicates])
    translators = settings.trainings(chosen, "translation", train_translator).encoders
    metrics["translation"], replicates = translation(list(translators), bitmaps, chosen.decoding)
    repeated.append([{"translation": one} for one in replicates])
    shown = figures.figures(metrics, neighbours)
    conclude("visual_characters", metrics, shown, figures.plots(metrics), together(*filter(None, repeated)))


def _glyphs(bitmaps: glyphs.Bitmaps) -> dict[str, float]:
    counts = read_card(paths.GLYPHS)["counts"]
    return counts | {"ink": float(bitmaps.pixels.mean()), "collisions": len(glyphs.collisions(bitmaps))}


if __name__ == "__main__":
    run(main)
