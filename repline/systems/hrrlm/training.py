"""Train HRRLM at word level, and the tied LSTM, its baseline, on the words of a corpus for language modelling."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field
from torch.utils.data import DataLoader

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.parameters import Count, Positive, Share
from repline.pretrained import Model, pretrained
from repline.systems.hrrlm.model import HRRLM, TiedLSTM
from repline.training.fit import fingerprint, save_trained
from repline.training.language_model_batches import contiguous, sentence_batches
from repline.training.language_models import train_language_model

Batching = Literal["contiguous", "sentences"]
NotNegative = Annotated[float, Field(ge=0)]
Decay = Annotated[float, Field(gt=0, lt=1)]
MODELS = {"hrrlm": HRRLM, "tied": TiedLSTM}


def train_words(
    corpus: LanguageModelingCorpus,
    folder: str | Path,
    scratch: str | Path,
    *,
    variant: str,
    seed: int,
    model: Literal["hrrlm", "tied"] = "hrrlm",
    dimensions: Count = 650,
    layers: Count = 2,
    dropout: Share = 0.5,
    bias: bool = True,
    fillers: Count = 2,
    width: Count = 320,
    bases: Literal["isometric", "fixed"] = "isometric",
    initial: Literal["orthonormal", "uniform"] = "orthonormal",
    beta: NotNegative = 1e-3,
    annealing_epochs: NotNegative = 2.0,
    batching: Batching = "contiguous",
    batch: Count = 20,
    steps: Count = 35,
    epochs: Count = 39,
    optimizer: Literal["adam", "sgd"] = "sgd",
    learning_rate: Positive = 1.0,
    decay: Decay | None = None,
    gradient_clip: Positive | None = 5.0,
    patience: Count | None = None,
    train_tokens: Count | None = None,
    evaluation_tokens: Count | None = None,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int = 1,
    strategy: str = "auto",
) -> Path:
    """Train one model, and save it into `folder` (with its history, training.json).

    Args:
        corpus: a view whose words are the model's vocabulary.
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        variant: the name of these settings, for messages and training.json.
        model: HRRLM, or the tied LSTM, for which fillers to annealing_epochs mean nothing.
        dimensions, layers, dropout, bias, fillers, width, bases, initial, beta: as in `HRRLM`.
        annealing_epochs: epochs until the second alpha is 1; 0 for no annealing.
        batching: contiguous (the stream in `batch` rows, cut every `steps` words, the state carried), or sentences
            (`batch` sentences apart from each other, each from the zero state).
        decay: factor of the learning rate after an epoch that did not improve the validation loss.
        train_tokens: the first so many words of train; None for all.
        evaluation_tokens: the first so many of validation, and of test in the evaluation; None for all.
        others: as in `repline.training.language_models.train_language_model`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Raises:
        InputError: sizes that no model has.

    Source: sections 3.2 and 4.1, appendix A.
    """
    training = loader(corpus, "train", batching, batch, steps, seed=seed, tokens=train_tokens)
    torch.manual_seed(seed)
    options: dict[str, Any] = {"dimensions": dimensions, "layers": layers, "dropout": dropout, "bias": bias}
    if model == "hrrlm":
        options |= {"fillers": fillers, "width": width, "bases": bases, "initial": initial, "beta": beta}
        options["annealing"] = round(annealing_epochs * len(training))
    try:
        built = MODELS[model](corpus.words, **options)
    except ValueError as error:
        raise InputError(f"hrrlm, variant {variant}: {error}; lower fillers or width, or raise dimensions") from None
    settings: dict[str, Any] = {
        "variant": variant,
        "model": model,
        "seed": seed,
        "batching": batching,
        "batch": batch,
        "steps": steps,
        "epochs": epochs,
        "optimizer": optimizer,
        "learning_rate": learning_rate,
        "decay": decay,
        "gradient_clip": gradient_clip,
        "patience": patience,
        "train_tokens": train_tokens,
        "evaluation_tokens": evaluation_tokens,
    }
    machine: dict[str, Any] = {"threads": threads, "accelerator": accelerator, "devices": devices}
    machine["strategy"] = strategy
    data = [torch.from_numpy(np.array(corpus.ids(split))) for split in ("train", "validation")]
    mark = fingerprint(built, settings | machine | {"options": options, "words": corpus.words}, data)
    checkpoints = Path(scratch) / f"hrrlm-{variant}-{seed}-{mark}"
    history = train_language_model(
        built,
        training,
        loader(corpus, "validation", batching, batch, steps, tokens=evaluation_tokens),
        epochs=epochs,
        learning_rate=learning_rate,
        optimizer=optimizer,
        decay=decay,
        gradient_clip=gradient_clip,
        patience=patience,
        seed=seed,
        checkpoints=checkpoints,
        name=f"hrrlm {variant} {seed}",
        **machine,
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
