"""Train HRRLM at word level, and the tied LSTM, its baseline, on the words of a corpus for language modelling."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.parameters import JsonObject
from repline.pretrained import pretrained
from repline.systems.hrrlm.model import HRRLM, TiedLSTM
from repline.systems.hrrlm.settings import Batching, WordRecipe
from repline.training.language_model_batches import contiguous, sentence_batches
from repline.training.language_models import run_language_model
from repline.training.run import Run
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import describe

MODELS: dict[str, type[HRRLM | TiedLSTM]] = {"hrrlm": HRRLM, "tied": TiedLSTM}


def train_words(recipe: WordRecipe, corpus: LanguageModelingCorpus, this_run: Run) -> None:
    """Train one model of words, and save it.

    Args:
        corpus: a view whose words are the model's vocabulary.

    Raises:
        InputError: sizes that no model has.

    Source: sections 3.2 and 4.1, appendix A.
    """
    training = loader(corpus, "train", recipe, seed=this_run.seed, tokens=recipe.train_tokens)
    torch.manual_seed(this_run.seed)
    sizes = recipe.sizes()
    if recipe.model == "hrrlm":
        sizes["annealing"] = round(recipe.annealing_epochs * len(training))
    try:
        build: Callable[..., HRRLM | TiedLSTM] = MODELS[recipe.model]
        model = build(corpus.words, **sizes)
    except ValueError as error:
        raise InputError(f"{this_run.name}: {error}; lower fillers or width, or raise dimensions") from None
    words = np.frombuffer("\n".join(corpus.words).encode(), np.uint8)
    run_language_model(
        model,
        training,
        loader(corpus, "validation", recipe, tokens=recipe.evaluation_tokens),
        recipe,
        this_run,
        data=[*(corpus.ids(split) for split in ("train", "validation")), words],
        settings={key: value for key, value in sizes.items() if key == "annealing"},
    )
    describe(
        this_run.folder,
        "hrrlm",
        recipe.model,
        {
            "text": CorpusSpelling.of_corpus(corpus.folder).record(),
            "single_sentences": recipe.batching == "sentences",
        },
    )


def loader(
    corpus: LanguageModelingCorpus,
    split: str,
    recipe: WordRecipe,
    *,
    batching: Batching | None = None,
    seed: int | None = None,
    tokens: int | None = None,
) -> DataLoader:
    """The batches of a split.

    Args:
        recipe: how the model is trained.
        batching: in place of that of the recipe.
        seed: shuffles sentences, for training; None leaves them in their order.
        tokens: the first N words only (sentences that end within them); None for all.
    """
    if (batching or recipe.batching) == "contiguous":
        return contiguous(corpus.ids(split)[:tokens], recipe.batch, recipe.steps)
    sentences = sentences_within(corpus, split, tokens)
    return sentence_batches(corpus, split, recipe.batch, seed or 0, shuffle=seed is not None, sentences=sentences)


def sentences_within(corpus: LanguageModelingCorpus, split: str, tokens: int | None) -> int | None:
    """How many sentences end within the first N words of a split; None for all words is None for all."""
    return None if tokens is None else int((np.asarray(corpus.sentences(split))[1:] <= tokens).sum())


def load_model(
    folder: str | Path, corpus: LanguageModelingCorpus, settings: JsonObject | None = None
) -> HRRLM | TiedLSTM:
    """The model that `train_words` saved, for evaluation.

    Args:
        settings: what it should have been trained with, see `repline.pretrained`.

    Raises:
        InputError: there is none, its files do not fit each other, it was trained with other settings, or it is of
            other words than the corpus.
    """
    try:
        recorded = json.loads((Path(folder) / "training.json").read_text(encoding="utf-8"))["settings"]
        kind = MODELS[recorded["model"]]
    except FileNotFoundError:
        raise InputError(f"{folder}: there is no trained model (training.json, config.json); train it first") from None
    except (KeyError, ValueError):
        raise InputError(f"{folder}: training.json names no model of words; train it again") from None
    model = pretrained(kind, folder, settings)
    check_words(model.words, folder, corpus)
    return model


def check_words(words: Sequence[str], folder: str | Path, corpus: LanguageModelingCorpus) -> None:
    """InputError naming the folder of a model whose words are not those of a corpus."""
    if words != corpus.words:
        raise InputError(
            f"{folder}: the model's {len(words):,} words are not the {len(corpus.words):,} of "
            f"{corpus.folder}; train both on one corpus with one vocabulary"
        )
