"""Train the models of the URN system on its two tasks: a Dyck language model, and the number of a verb."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.parameters import JsonObject
from repline.systems.urn import dyck
from repline.systems.urn.agreement.examples import Examples
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.systems.urn.settings import AgreementRecipe, DyckRecipe
from repline.training.batches import batches
from repline.training.run import Run, run
from repline.use.folders import describe

NUMBERS = ["singular", "plural"]
BATCHES_PER_TURN = 8  # of the training loop


def train_dyck(recipe: DyckRecipe, strings: NDArray[np.int64], this_run: Run) -> None:
    """Train one language model of the Dyck language, and save it.

    The loss is the cross-entropy of the next character, averaged over the characters of each string.

    Args:
        strings: [N, L], symbols of `repline.systems.urn.dyck.ALPHABET`.

    Source: Bernardy & Lappin 2022, section 5.
    """
    symbols = list(dyck.ALPHABET)
    torch.manual_seed(this_run.seed)
    model: nn.Module
    if recipe.model == "lstm":
        model = LSTMReader(symbols, symbols, recipe.embedding, recipe.units, recipe.dropout)
    elif recipe.model == "arbitrary":
        model = UnconstrainedRecurrence(symbols, symbols, recipe.n, recipe.dropout, recipe.parameter_masks)
    else:
        k = recipe.k if recipe.model == "turn" else None
        model = URN(symbols, symbols, recipe.n, k, recipe.dropout, recipe.parameter_masks)
    tensors = (torch.from_numpy(strings),)
    run(
        model,
        next_character_loss,
        batches(tensors, recipe.batch, seed=this_run.seed),
        recipe,
        this_run,
        data=tensors,
        settings={"task": "dyck"},
        batches_per_turn=BATCHES_PER_TURN,
    )
    describe(this_run.folder, "urn", "brackets", {"model": recipe.model})


def train_agreement(
    recipe: AgreementRecipe, examples: Examples, words: Sequence[str], splitter: str, this_run: Run
) -> None:
    """Train one classifier of verb number on the words before the verb, and save it.

    Args:
        words: the vocabulary, by number.
        splitter: of the texts, see `repline.segmentation.word_splitters`.

    Source: Bernardy & Lappin 2022, section 4.
    """
    torch.manual_seed(this_run.seed)
    model: nn.Module
    if recipe.model == "lstm":
        model = LSTMReader(words, NUMBERS, recipe.embedding, recipe.units, recipe.dropout)
    else:
        model = URN(words, NUMBERS, recipe.n, recipe.k, recipe.dropout)
    tensors = (examples.ids, examples.lengths, examples.number)
    run(
        model,
        number_loss,
        batches(tensors, recipe.batch, seed=this_run.seed, lengths=examples.lengths, padded=(0,)),
        recipe,
        this_run,
        data=tensors,
        settings={"task": "agreement"},
        batches_per_turn=BATCHES_PER_TURN,
    )
    plural = float(examples.number.double().mean())
    raw_input: JsonObject = {"model": recipe.model, "shares": [1 - plural, plural], "splitter": splitter}
    describe(this_run.folder, "urn", "verb_number", raw_input)


def next_character_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Mean cross-entropy of each character given those before it, in nats. batch: (ids [B, L],)."""
    (ids,) = batch
    return character_losses(model(after_start(ids)), ids).mean()


def character_losses(logits: Tensor, ids: Tensor) -> Tensor:
    """Cross-entropy of each character in nats. logits [B, L, V], ids [B, L] -> [B, L]."""
    classes_first = logits.flatten(0, 1).mT[None]  # [1, V, B * L]: a softmax over few classes is six times faster so
    return cross_entropy(classes_first, ids.flatten()[None], reduction="none").view_as(ids)


def after_start(ids: Tensor) -> Tensor:
    """What a language model reads to predict ids [B, L]: the start symbol, then all characters but the last."""
    return torch.cat([torch.full_like(ids[:, :1], dyck.START), ids[:, :-1]], dim=1)


def number_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Mean cross-entropy of the verb's number. batch: (ids [B, T], lengths [B], number [B])."""
    ids, lengths, number = batch
    return cross_entropy(model(ids, lengths), number)
