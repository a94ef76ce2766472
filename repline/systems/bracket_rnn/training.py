"""Train the models of the Bracket-RNN system: a plain LSTM, and the readers of bracketed text."""

from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.utils.data import DataLoader

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.parameters import Count, NotNegative, part
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM, Layers
from repline.systems.bracket_rnn.corpus import BracketedCorpus, Brackets
from repline.systems.bracket_rnn.likelihood import fit_probe
from repline.systems.bracket_rnn.model import BracketRNN, Sizes
from repline.training.fingerprint import fingerprint
from repline.training.fit import save_trained
from repline.training.language_model_batches import END, IGNORED, contiguous, padded
from repline.training.language_models import language_modeling_loss, train_language_model
from repline.training.settings import Training, settings_of


class Run(Sizes, Training):
    """The parameters of `train_bracket_rnn`, beside those of the model.

    brackets: none, tree, or random: what the input has of them.
    variant: lstm, the AWD-LSTM that knows no brackets; or one of `repline.systems.bracket_rnn.model`.
    vocabulary, minimum_count: as for `LanguageModelingCorpus.load`.
    shortest, longest: words of a sentence; others are left out, in all splits.
    train_sentences, evaluation_sentences: the first so many of them; None for all.
    batch: sentences side by side, sorted by length, or, with `steps`, rows of a stream.
    steps: length of the segments of a stream whose state and stack are carried; None for single sentences.
    random_steps: draw the lengths of segments, see `contiguous`.
    optimizer, weight_decay, patience: as for `repline.training.language_models.train_language_model`.
    """

    brackets: Brackets
    variant: Literal["lstm", "A", "B", "C", "linear"]
    vocabulary: Count | None
    minimum_count: Count
    shortest: Count
    longest: Count | None
    train_sentences: Count | None
    evaluation_sentences: Count | None
    steps: Count | None = None
    random_steps: bool = False
    optimizer: Literal["adam", "sgd", "nt-asgd"] = "adam"
    weight_decay: NotNegative = 0.0
    patience: Count | None = None


def train_bracket_rnn(
    corpus: str | Path,
    constituents: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Run],
) -> Path:
    """Train one language model of bracketed text, and save it into `folder` with its history, training.json.

    Args:
        corpus: a folder of `repline.corpora.language_modeling.corpus.build`.
        constituents: of `repline.systems.bracket_rnn.corpus.write`, made of it.
        folder: for the model.
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        name: of the run, for messages.
        threads: as for `repline.training.fit`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Raises:
        InputError: a corpus that is too small or has other words, brackets of another corpus, or a combination of
            parameters that makes no model.
    """
    recipe = Run(**knobs)
    given = {"name": name, "seed": seed, "threads": threads} | settings_of(recipe)
    if (recipe.variant == "lstm") != (recipe.brackets == "none"):
        raise InputError(
            f"bracket_rnn: the run {name!r} has the variant {recipe.variant!r} and the brackets {recipe.brackets!r}; "
            "the lstm reads no brackets, and every other one reads tree or random ones"
        )
    text = open_corpus(corpus, constituents, given)
    try:
        model = build_model(len(text), recipe, seed)
    except ValueError as error:
        raise InputError(f"bracket_rnn: the run {name!r}: {error}") from None
    predict, steps, batch = recipe.predict, recipe.steps, recipe.batch
    training, validation = (
        stream_batches(
            text,
            split,
            batch,
            steps,
            predict=predict,
            random_steps=recipe.random_steps and split == "train",
            seed=seed,
            shuffle=split == "train",
        )
        for split in ("train", "validation")
    )
    data = [array for split in ("train", "validation") for array in (text.ids(split), text.sentences(split))]
    mark = fingerprint(model, given, data, loss=language_modeling_loss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"bracket_rnn-{name}-{seed}-{mark}"
    history = train_language_model(
        model,
        training,
        validation,
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        seed=seed,
        checkpoints=checkpoints,
        optimizer=recipe.optimizer,
        weight_decay=recipe.weight_decay,
        gradient_clip=recipe.gradient_clip,
        patience=recipe.patience,
        full_steps=steps if recipe.random_steps else None,
        threads=threads,
        hardware=recipe.hardware,
        name=f"bracket_rnn {name}",
    )
    if isinstance(model, BracketRNN) and not predict:
        fit_probe(model, stream_batches(text, "train", batch, steps, predict=True, seed=seed))
    save_trained(model, folder, history, given)
    return checkpoints


def open_corpus(corpus: str | Path, constituents: str | Path, settings: dict[str, Any]) -> BracketedCorpus:
    """The text that a run reads, by its settings (the names are those of `train_bracket_rnn`)."""
    view = LanguageModelingCorpus.load(corpus, settings["vocabulary"], settings["minimum_count"])
    first = dict.fromkeys(("validation", "test"), settings["evaluation_sentences"])
    return BracketedCorpus(
        view,
        Path(constituents),
        settings["brackets"],
        settings["shortest"],
        settings["longest"],
        first | {"train": settings["train_sentences"]},
    )


def build_model(vocabulary: int, recipe: Run, seed: int) -> AWDLSTM:
    """A model with random parameters that depend on the seed; AWD-LSTM and Bracket-RNN share those that both have.

    Raises:
        ValueError: sizes that no model has.
    """
    torch.manual_seed(seed)
    if recipe.variant == "lstm":
        return AWDLSTM(vocabulary, **part(Layers, recipe))
    return BracketRNN(vocabulary, **part(Sizes, recipe))


def parameters_of(model: nn.Module) -> int:
    """How many numbers are trained, without the vectors of the two brackets, which are no words."""
    return sum(value.numel() for key, value in model.named_parameters() if not key.startswith("bracket"))


def stream_batches(
    text: BracketedCorpus,
    split: str,
    batch: int,
    steps: int | None = None,
    *,
    predict: bool,
    random_steps: bool = False,
    seed: int = 0,
    shuffle: bool = True,
) -> DataLoader:
    """Batches of bracketed text, as of `repline.training.language_model_batches`.

    Every word is predicted from the symbol before it, be it a word or a bracket. Rows of a stream begin with a
    sentence, so that no row has to close what another opened.

    Args:
        predict: whether brackets are targets; else they are IGNORED as such.
        others: as for `train_bracket_rnn`.
    """
    ids, sentences = text.ids(split), text.sentences(split)
    targets = ids if predict else np.where(ids < len(text), ids, IGNORED)
    inputs = np.append(END, ids[:-1])
    if steps is None:
        return padded(inputs, sentences[:-1], np.diff(sentences), batch, targets=targets, seed=seed, shuffle=shuffle)
    inputs, targets = _rows_of_sentences(inputs, targets, sentences, batch)
    return contiguous(inputs, batch, steps, targets=targets, random_steps=random_steps, seed=seed)


def _rows_of_sentences(inputs: NDArray, targets: NDArray, sentences: NDArray, batch: int) -> tuple[NDArray, NDArray]:
    """The stream in B rows of whole sentences, one after the other, the ends filled up with what is not predicted."""
    if len(sentences) - 1 < batch:
        raise InputError(
            f"expected a sentence for each of {batch} rows, found {len(sentences) - 1}; take a smaller batch"
        )
    inner = np.searchsorted(sentences, np.arange(1, batch) * (len(inputs) / batch))
    cuts = sentences[np.concatenate([[0], inner, [len(sentences) - 1]])]
    length = int(np.diff(cuts).max())
    rows = np.full((batch, length), END, inputs.dtype), np.full((batch, length), IGNORED, np.int64)
    for row, (begin, end) in enumerate(pairwise(cuts)):
        rows[0][row, : end - begin], rows[1][row, : end - begin] = inputs[begin:end], targets[begin:end]
    return rows[0].ravel(), rows[1].ravel()
