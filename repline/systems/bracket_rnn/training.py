"""Train the models of the Bracket-RNN system: a plain LSTM, and the readers of bracketed text."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.utils.data import DataLoader

from repline.cards import read_card
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.parameters import Json
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM
from repline.systems.bracket_rnn.corpus import BracketedCorpus
from repline.systems.bracket_rnn.likelihood import fit_probe
from repline.systems.bracket_rnn.model import BracketRNN
from repline.systems.bracket_rnn.settings import Layers, Merging, Recipe
from repline.training.fit import fit
from repline.training.history import History
from repline.training.language_model_batches import END, IGNORED, contiguous, padded
from repline.training.language_models import run_language_model
from repline.training.run import Run
from repline.use.corpus_spelling import CorpusSpelling
from repline.use.folders import describe


def train(recipe: Recipe, text: BracketedCorpus, this_run: Run) -> None:
    """Train one language model of bracketed text, and save it with its history, training.json.

    Args:
        text: what `open_corpus` reads for the recipe.

    Raises:
        InputError: a corpus that is too small, or sizes that make no model.
    """
    try:
        model = build_model(len(text), recipe, this_run.seed)
    except ValueError as error:
        raise InputError(f"{this_run.name}: {error}") from None
    training, validation = (
        stream_batches(
            text,
            split,
            recipe.batch,
            recipe.steps,
            predict=recipe.predict,
            random_steps=recipe.random_steps and split == "train",
            seed=this_run.seed,
            shuffle=split == "train",
        )
        for split in ("train", "validation")
    )

    def fit_with_probe(*arguments: Any, **options: Any) -> History:
        history = fit(*arguments, **options)
        if isinstance(model, BracketRNN) and not recipe.predict:
            batches = stream_batches(text, "train", recipe.batch, recipe.steps, predict=True, seed=this_run.seed)
            fit_probe(model, batches)
        return history

    run_language_model(
        model,
        training,
        validation,
        recipe,
        this_run,
        full_steps=recipe.steps if recipe.random_steps else None,
        data=[array for split in ("train", "validation") for array in (text.ids(split), text.sentences(split))],
        train=fit_with_probe,
    )
    describe(
        this_run.folder, "bracket_rnn", "words" if recipe.variant == "lstm" else "brackets", _raw_input(recipe, text)
    )


def _raw_input(recipe: Recipe, text: BracketedCorpus) -> dict[str, Json]:
    """What raw text needs: the words, how they are spelt, and, for a reader of brackets, which phrases are optional."""
    values: dict[str, Json] = {
        "words": text.words,
        "text": CorpusSpelling.of_corpus(text.corpus.folder).record(),
        "single_sentences": recipe.steps is None,
    }
    if text.folder is not None and recipe.variant != "lstm":
        parameters = read_card(text.folder)["parameters"]
        names = ("optional", "required", "minimum_length", "collapse")
        values["constituents"] = {name: parameters[name] for name in names}
    return values


def open_corpus(corpus: str | Path, constituents: str | Path, recipe: Recipe) -> BracketedCorpus:
    """The text that a recipe reads.

    Args:
        corpus: a folder of `repline.corpora.language_modeling.corpus.build`.
        constituents: of `repline.systems.bracket_rnn.corpus.write`, made of it.

    Raises:
        InputError: a corpus that has fewer words.
    """
    view = LanguageModelingCorpus.load(corpus, recipe.vocabulary, recipe.minimum_count)
    first = dict.fromkeys(("validation", "test"), recipe.evaluation_sentences)
    return BracketedCorpus(
        view,
        Path(constituents),
        recipe.brackets,
        recipe.shortest,
        recipe.longest,
        first | {"train": recipe.train_sentences},
    )


def build_model(vocabulary: int, recipe: Recipe, seed: int) -> AWDLSTM:
    """A model with random parameters that depend on the seed; AWD-LSTM and Bracket-RNN share those that both have.

    Raises:
        ValueError: sizes that no model has.
    """
    torch.manual_seed(seed)
    layers = recipe.model_dump(include=set(Layers.model_fields))
    if recipe.variant == "lstm":
        return AWDLSTM(vocabulary, **layers)
    return BracketRNN(vocabulary, recipe.variant, **layers, **recipe.model_dump(include=set(Merging.model_fields)))


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
        others: as in `Recipe`.
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
