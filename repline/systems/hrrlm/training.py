"""Train HRRLM at word level, and the tied LSTM, its baseline, on the words of a corpus for language modelling."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

import numpy as np
import torch
from pydantic import Field
from torch.utils.data import DataLoader

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.parameters import Count, NotNegative, Positive, part
from repline.pretrained import Model, pretrained
from repline.systems.hrrlm.model import HRRLM, Bindings, Layers, TiedLSTM
from repline.training.fingerprint import fingerprint
from repline.training.fit import save_trained
from repline.training.language_model_batches import contiguous, sentence_batches
from repline.training.language_models import language_modeling_loss, train_language_model
from repline.training.settings import Training, settings_of

Batching = Literal["contiguous", "sentences"]
MODELS = {"hrrlm": HRRLM, "tied": TiedLSTM}


class Words(Bindings, Training):
    """The parameters of `train_words`, beside those of the model.

    model: HRRLM, or the tied LSTM, for which those that the two do not share mean nothing.
    annealing_epochs: epochs until the second alpha is 1; 0 for no annealing.
    batching: contiguous (the stream in `batch` rows, cut every `steps` words, the state carried), or sentences
        (`batch` sentences apart from each other, each from the zero state).
    decay: factor of the learning rate after an epoch that did not improve the validation loss.
    train_tokens: the first so many words of train; None for all.
    evaluation_tokens: the first so many of validation, and of test in the evaluation; None for all.
    """

    model: Literal["hrrlm", "tied"] = "hrrlm"
    annealing_epochs: NotNegative = 2.0
    batching: Batching = "contiguous"
    batch: Count = 20
    steps: Count = 35
    epochs: Count = 39
    optimizer: Literal["adam", "sgd"] = "sgd"
    learning_rate: Positive = 1.0
    decay: Annotated[float, Field(gt=0, lt=1)] | None = None
    gradient_clip: Positive | None = 5.0
    patience: Count | None = None
    train_tokens: Count | None = None
    evaluation_tokens: Count | None = None


def train_words(
    corpus: LanguageModelingCorpus,
    folder: str | Path,
    scratch: str | Path,
    *,
    variant: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Words],
) -> Path:
    """Train one model, and save it into `folder` (with its history, training.json).

    Args:
        corpus: a view whose words are the model's vocabulary.
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        variant: the name of these settings, for messages and training.json.
        threads: as in `repline.training.fit`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Raises:
        InputError: sizes that no model has.

    Source: sections 3.2 and 4.1, appendix A.
    """
    recipe = Words(**knobs)
    training = loader(
        corpus, "train", recipe.batching, recipe.batch, recipe.steps, seed=seed, tokens=recipe.train_tokens
    )
    torch.manual_seed(seed)
    if recipe.model == "hrrlm":
        options = part(Bindings, recipe) | {"annealing": round(recipe.annealing_epochs * len(training))}
    else:
        options = part(Layers, recipe)
    try:
        built = MODELS[recipe.model](corpus.words, **options)
    except ValueError as error:
        raise InputError(f"hrrlm, variant {variant}: {error}; lower fillers or width, or raise dimensions") from None
    unused = {*Bindings.model_fields, "annealing_epochs"}
    settings = {"variant": variant, "seed": seed} | {
        key: value for key, value in settings_of(recipe).items() if key not in unused
    }
    data = [corpus.ids(split) for split in ("train", "validation")]
    marks = settings | {"threads": threads, "options": options, "words": corpus.words}
    mark = fingerprint(built, marks, data, loss=language_modeling_loss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"hrrlm-{variant}-{seed}-{mark}"
    history = train_language_model(
        built,
        training,
        loader(corpus, "validation", recipe.batching, recipe.batch, recipe.steps, tokens=recipe.evaluation_tokens),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        optimizer=recipe.optimizer,
        decay=recipe.decay,
        gradient_clip=recipe.gradient_clip,
        patience=recipe.patience,
        seed=seed,
        checkpoints=checkpoints,
        name=f"hrrlm {variant} {seed}",
        threads=threads,
        hardware=recipe.hardware,
    )
    save_trained(built, folder, history, settings | options)
    return checkpoints


def loader(
    corpus: LanguageModelingCorpus,
    split: str,
    batching: Batching,
    batch: int,
    steps: int,
    *,
    seed: int | None = None,
    tokens: int | None = None,
) -> DataLoader:
    """The batches of a split.

    Args:
        batching, batch, steps: as in `train_words`.
        seed: shuffles sentences, for training; None leaves them in their order.
        tokens: the first so many words only (sentences that end within them); None for all.
    """
    if batching == "contiguous":
        return contiguous(corpus.ids(split)[:tokens], batch, steps)
    sentences = sentences_within(corpus, split, tokens)
    return sentence_batches(corpus, split, batch, seed or 0, shuffle=seed is not None, sentences=sentences)


def sentences_within(corpus: LanguageModelingCorpus, split: str, tokens: int | None) -> int | None:
    """How many sentences end within the first so many words of a split; None for all words is None for all."""
    return None if tokens is None else int((np.asarray(corpus.sentences(split))[1:] <= tokens).sum())


def load_model(
    folder: str | Path, corpus: LanguageModelingCorpus, settings: Mapping[str, Any] | None = None
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
    return checked_model(kind, folder, corpus, settings)


def checked_model(
    kind: type[Model], folder: str | Path, corpus: LanguageModelingCorpus, settings: Mapping[str, Any] | None = None
) -> Model:
    """A saved model of one class in evaluation mode; InputError as for `load_model`."""
    model = pretrained(kind, folder, settings)
    words = getattr(model, "word_level", model).words
    if words != corpus.words:
        raise InputError(
            f"{folder}: the model is of {len(words):,} words that are not the {len(corpus.words):,} of "
            f"{corpus.folder}; train both on one corpus with one vocabulary"
        )
    return model
