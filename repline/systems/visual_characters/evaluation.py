"""All tasks measured: dictionary, unseen characters, similarity, softmax peaks, neighbours, tags, translations."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.replication.bootstrap import merge_replicates
from repline.glyphs import bitmaps as glyphs
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.glosses.gloss_scores import (
    read_gloss_models,
    score_glosses,
    score_softmax,
    training_counts,
)
from repline.systems.visual_characters.glosses.gloss_training import read_gloss_data
from repline.systems.visual_characters.neighbours import neighbours
from repline.systems.visual_characters.settings import Settings
from repline.systems.visual_characters.tagging.tagger_scores import score_taggers
from repline.systems.visual_characters.translation.translator_scores import score_translators
from repline.systems.visual_characters.tuning import tuned_losses
from repline.systems.visual_characters.word_similarity import score_similarity
from repline.training.convergence import not_converged
from repline.training.run import runs


class Corpora(NamedTuple):
    """Folders of the corpora that models are tested on.

    Attributes:
        words: as of `repline.systems.visual_characters.corpus.write_words`.
        tagged: by name, as of `write_tagged` there.
        glyphs: as of `repline.glyphs.bitmaps.write`.
    """

    words: Path
    tagged: Mapping[str, Path]
    glyphs: Path


class Models(NamedTuple):
    """Folders of runs, each as of `repline.systems.visual_characters.tuning.tune`.

    Attributes:
        glosses: by encoder.
        taggers: by corpus and tagger.
        translators: by encoder.
    """

    glosses: Mapping[str, Path]
    taggers: Mapping[str, Mapping[str, Path]]
    translators: Mapping[str, Path]


def evaluate(models: Models, corpora: Corpora, settings: Settings) -> Evaluation:
    """Measure every task, by encoder; the detail `neighbours` is for the figure.

    Args:
        models: the folders of all trained models.
        corpora: the test data.
        settings: which corpora have the tags of jieba, how texts are translated, and which characters are shown.

    Raises:
        InputError: a folder without runs or without a corpus.
    """
    bitmaps = glyphs.read(corpora.glyphs)
    data = read_gloss_data(corpora.words, bitmaps)
    gloss_models = {name: read_gloss_models(folder, bitmaps) for name, folder in models.glosses.items()}
    encoders = {name: [model.encoder for model in seed_models] for name, seed_models in gloss_models.items()}
    counts = training_counts(data)
    scored_pairs = read_rows(corpora.words, "similarity", bitmaps).get("all", [])
    parts = [
        score_glosses(gloss_models, data),
        score_similarity(encoders, scored_pairs, bitmaps, counts > 0),
        score_softmax(gloss_models, data),
    ]
    for corpus, folders in models.taggers.items():
        tags = score_taggers(folders, corpora.tagged[corpus], bitmaps, settings.tagged[corpus].pku_tags)
        parts.append(Evaluation.side_by_side({"tagging": Evaluation.side_by_side({corpus: tags})}))
    pairs = read_rows(corpora.words, "pairs", bitmaps)
    translations = score_translators(models.translators, pairs, bitmaps, settings.decoding)
    parts.append(Evaluation.side_by_side({"translation": translations}))
    tables = {name: seed_models[0].cached_table()[1:] for name, seed_models in encoders.items()}
    nearest = neighbours(tables, bitmaps, (counts.nonzero()[:, 0] - 1).tolist(), settings.shown)

    drawn = {"ink": float(bitmaps.pixels.mean()), "collisions": len(glyphs.collisions(bitmaps))}
    metrics: Metrics = {"glyphs": {**read_card(corpora.glyphs)["counts"], **drawn}, "neighbours": nearest.overlaps}
    for part in parts:
        metrics |= part.metrics
    metrics["tagging"] = {name: scores for part in parts for name, scores in part.metrics.get("tagging", {}).items()}
    for name, folder in models.glosses.items():
        size = sum(parameter.numel() for parameter in encoders[name][0].parameters())
        metrics["glosses"][name] |= tuned_losses(folder) | {"encoder_parameters": size}
    replicates = merge_replicates(*filter(None, (part.replicates for part in parts)))
    details = {"neighbours": nearest}
    return Evaluation(
        metrics, replicates, details, not_converged=unconverged_groups(models, list(metrics.get("similarity", {})))
    )


def unconverged_groups(models: Models, similarity_sets: Sequence[str]) -> list[str]:
    """The groups of metrics with a run that ended while its loss on dev still fell, see `training.convergence`.

    Args:
        similarity_sets: names of the tests of similarity, which measure the encoders of the dictionary task.
    """
    glosses = not_converged({name: runs(folder) for name, folder in models.glosses.items()})
    tasks = ["glosses", "softmax", *(f"similarity.{name}" for name in similarity_sets)]
    taggers = {
        f"tagging.{corpus}.{name}": runs(folder)
        for corpus, folders in models.taggers.items()
        for name, folder in folders.items()
    }
    translators = {f"translation.{name}": runs(folder) for name, folder in models.translators.items()}
    return [f"{task}.{name}" for task in tasks for name in glosses] + not_converged(taggers | translators)
