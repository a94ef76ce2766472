"""Perplexities of bracketed text: of the words given the brackets, and of words and brackets together."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import torch

from repline.cards import read_card
from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.pretrained import pretrained
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.resampled_perplexity import Splits, perplexity_replicates, text_likelihoods
from repline.systems.bracket_rnn.settings import Recipe, Settings
from repline.systems.bracket_rnn.training import open_corpus, parameters_of
from repline.training.convergence import not_converged

LARGEST_EXPONENT = 700  # of exp in float64
POSTER_WORDS = 10_000  # of the Penn Treebank


def evaluate(
    settings: Settings, models: Mapping[str, Sequence[Path]], corpus: str | Path, constituents: str | Path
) -> Evaluation:
    """Perplexities of every run on validation and test, and how many optional constituents the corpus has.

    Args:
        models: by run, the folder of each seed's model.
        corpus: a folder of `repline.corpora.language_modeling.corpus.build`.
        constituents: of `repline.systems.bracket_rnn.corpus.write`, made of it.

    Raises:
        InputError: a folder without a model, or with one of another configuration or vocabulary.
    """
    metrics: Metrics = {}
    replicates: dict[str, list[Replicate]] = {}
    for name, recipe in settings.runs.items():
        seed_scores = [evaluate_model(folder, recipe, corpus, constituents) for folder in models[name]]
        curves = [cast(list[float], measures.pop("by_epoch")) for measures, _ in seed_scores]
        reached_by_all = [sum(values) / len(values) for values in zip(*curves, strict=False)]
        metrics[name] = mean_of_runs([measures for measures, _ in seed_scores]) | {"by_epoch": reached_by_all}
        replicates[name] = perplexity_replicates([likelihoods for _, likelihoods in seed_scores])
    counts = read_card(constituents)["counts"]
    per_sentence = {"train_pairs_per_sentence": counts["train_pairs"] / counts["train_sentences"]}
    metrics["constituents"] = {settings.constituents.scheme: {**counts, **per_sentence}}
    metrics["poster_sizes"] = parameters_at_poster_sizes()
    trained = {name: models[name] for name in settings.runs}
    return Evaluation(metrics, side_by_side(**replicates), not_converged=not_converged(trained))


def evaluate_model(
    folder: Path, recipe: Recipe, corpus: str | Path, constituents: str | Path
) -> tuple[dict[str, Metric], Splits]:
    """The measures of one model, and the likelihoods of the sentences of each split; `by_epoch` of its own epochs."""
    text = open_corpus(corpus, constituents, recipe)
    model = load_model(folder, recipe, len(text))
    history = json.loads((folder / "training.json").read_text(encoding="utf-8"))["history"]
    splits = {
        split: text_likelihoods(model, text, split, recipe.batch, recipe.steps) for split in ("validation", "test")
    }
    measures: Metrics = {"parameters": parameters_of(model), "predict": int(recipe.predict)}
    for split, (words, kinds) in splits.items():
        only_words, symbols = words.total(), kinds.total()
        joint = only_words.jointly(symbols) if symbols.words else only_words
        measures[split] = {"perplexity": only_words.perplexity, "joint": joint.perplexity, "words": only_words.words}
        measures[split] |= {"brackets": max(symbols.words - only_words.words, 0)}
    measures["by_epoch"] = perplexity_by_epoch(history, measures["validation"], recipe.predict)
    return measures, splits


def parameters_at_poster_sizes() -> dict[str, Metric]:
    """Parameters of the poster's four models at its sizes, which are the classes' defaults; none of them is trained.

    Returns:
        lstm1, lstm3, bracket1, bracket3: the AWD-LSTM and the Bracket-RNN of one and of three layers.

    Source: Paranjape, Reddy & Manning, the table of results.
    """
    counts: dict[str, Metric] = {}
    with torch.device("meta"):
        for name, network in (("lstm", AWDLSTM), ("bracket", BracketRNN)):
            for layers in (1, 3):
                counts[f"{name}{layers}"] = parameters_of(network(POSTER_WORDS, layers=layers))
    return counts


def load_model(folder: Path, recipe: Recipe, vocabulary: int) -> AWDLSTM:
    """A trained model; InputError if the folder holds one of another configuration or vocabulary."""
    model = pretrained(AWDLSTM if recipe.variant == "lstm" else BracketRNN, folder, recipe.record())
    if model.vocabulary != vocabulary:
        raise InputError(
            f"{folder}: the model has {model.vocabulary:,} words, and the corpus has {vocabulary:,}; train it again"
        )
    return model


def perplexity_by_epoch(
    history: Sequence[Mapping[str, float]], validation: Mapping[str, float], predict: bool
) -> list[float]:
    """Validation perplexity per word after each epoch: the joint one where brackets are predicted, else given them.

    A loss is a mean over all that is predicted, words and brackets, and a perplexity is per word.
    """
    predicted = validation["words"] + (validation["brackets"] if predict else 0)
    return [
        math.exp(min(record["validation_loss"] * predicted / validation["words"], LARGEST_EXPONENT))
        for record in history
    ]
