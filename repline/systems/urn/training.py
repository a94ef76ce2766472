"""Train the models of the URN system on its two tasks: a Dyck language model, and the number of a verb."""

from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

import pyarrow.parquet as pq
import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.parameters import Count, Share
from repline.systems.urn import dyck
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import Loss
from repline.training.settings import Training, settings_of

Size = Annotated[int, Field(ge=2)]  # of a square matrix
NUMBERS = ["singular", "plural"]
TOGETHER = 8  # batches in a turn of the loop


class Recipe(Training):
    """What both tasks have among their parameters: `n`, `k`, `dropout` are of the matrix models, `embedding`, `units`,
    `dropout` of the LSTM; `batch` is in strings or in examples."""

    n: Size
    dropout: Share
    k: Count | None = None
    units: Count = 50


class DyckRecipe(Recipe):
    """The parameters of `train_dyck`."""

    embedding: Count = 12


class AgreementRecipe(Recipe):
    """The parameters of `train_agreement`."""

    embedding: Count = 50


def train_dyck(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    variant: Literal["turn", "full", "arbitrary", "lstm"],
    seed: int,
    threads: int = 1,
    **knobs: Unpack[DyckRecipe],
) -> Path:
    """Train one language model of the Dyck language, and save it into `folder` (with its history, training.json).

    The loss is the cross-entropy of the next character, averaged over the characters of each string.

    Args:
        corpus: the folder of `repline.systems.urn.dyck.generate`.
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        variant: turn (k-TURN), full (Full-URN), arbitrary (unconstrained matrices) or lstm.
        threads: as in `repline.training.fit`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Source: Bernardy & Lappin 2022, section 5.
    """
    recipe = DyckRecipe(**knobs)
    settings = {"task": "dyck", "variant": variant, "seed": seed} | settings_of(recipe)
    symbols = list(dyck.ALPHABET)
    torch.manual_seed(seed)
    model: nn.Module
    if variant == "lstm":
        model = LSTMReader(symbols, symbols, recipe.embedding, recipe.units, recipe.dropout)
    elif variant == "arbitrary":
        model = UnconstrainedRecurrence(symbols, symbols, recipe.n, recipe.dropout)
    else:
        model = URN(symbols, symbols, recipe.n, recipe.k if variant == "turn" else None, recipe.dropout)
    ids = torch.from_numpy(dyck.encode(pq.read_table(Path(corpus) / "train.parquet")["string"].to_pylist()))
    return _fit_and_save(model, next_character_loss, (ids,), folder, scratch, settings, recipe, threads)


def train_agreement(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    variant: Literal["turn", "lstm"],
    seed: int,
    threads: int = 1,
    **knobs: Unpack[AgreementRecipe],
) -> Path:
    """Train one classifier of verb number on the words before the verb, and save it into `folder`.

    Args:
        corpus: the folder of `repline.systems.urn.agreement.corpus.extract`.
        variant: turn (k-TURN; Full-URN when k is None) or lstm.
        others, and what is returned: as in `train_dyck`.

    Source: Bernardy & Lappin 2022, section 4.
    """
    recipe = AgreementRecipe(**knobs)
    settings = {"task": "agreement", "variant": variant, "seed": seed} | settings_of(recipe)
    words = pq.read_table(Path(corpus) / "vocabulary.parquet")["word"].to_pylist()
    torch.manual_seed(seed)
    model: nn.Module
    if variant == "lstm":
        model = LSTMReader(words, NUMBERS, recipe.embedding, recipe.units, recipe.dropout)
    else:
        model = URN(words, NUMBERS, recipe.n, recipe.k, recipe.dropout)
    tensors = agreement_tensors(Path(corpus) / "train.parquet")
    return _fit_and_save(model, number_loss, tensors, folder, scratch, settings, recipe, threads)


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


def agreement_tensors(path: str | Path) -> tuple[Tensor, Tensor, Tensor]:
    """One part of the agreement corpus: ids [N, T] padded on the right with 0, lengths [N], number [N] (0 singular)."""
    table = pq.read_table(path, columns=["ids", "singular"])
    column = table["ids"].combine_chunks()
    offsets = torch.from_numpy(column.offsets.to_numpy().astype("int64"))
    flat = torch.from_numpy(column.flatten().to_numpy().astype("int64"))
    lengths = offsets.diff()
    places = torch.arange(int(lengths.max()) if len(lengths) else 0)
    ids = torch.zeros(len(lengths), len(places), dtype=torch.long)
    ids[places < lengths[:, None]] = flat
    return ids, lengths, (~torch.from_numpy(table["singular"].to_numpy(zero_copy_only=False).copy())).long()


def _fit_and_save(
    model: nn.Module,
    loss: Loss,
    tensors: tuple[Tensor, ...],
    folder: str | Path,
    scratch: str | Path,
    settings: dict[str, Any],
    recipe: Recipe,
    threads: int,
) -> Path:
    name = "-".join(str(settings[key]) for key in ("task", "variant", "seed"))
    mark = fingerprint(model, settings | {"threads": threads}, tensors, loss=loss, hardware=recipe.hardware)
    checkpoints = Path(scratch) / f"urn-{name}-{mark}"
    history = fit(
        model,
        loss,
        batches(tensors, recipe.batch, seed=settings["seed"], lengths=tensors[1] if len(tensors) > 1 else None),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        seed=settings["seed"],
        checkpoints=checkpoints,
        together=TOGETHER,
        name=name,
        threads=threads,
        hardware=recipe.hardware,
    )
    save_trained(model, folder, history, settings)
    return checkpoints
