"""Train the models of the URN system on its two tasks: a Dyck language model, and the number of a verb."""

from pathlib import Path
from typing import Annotated, Any, Literal

import pyarrow.parquet as pq
import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.parameters import Count, Positive, Share
from repline.systems.urn import dyck
from repline.systems.urn.model import URN, LSTMReader, UnconstrainedRecurrence
from repline.training.batches import batches
from repline.training.fit import fingerprint, fit, save_trained

DyckVariant = Literal["turn", "full", "arbitrary", "lstm"]
AgreementVariant = Literal["turn", "lstm"]
Size = Annotated[int, Field(ge=2)]  # of a square matrix
NUMBERS = ["singular", "plural"]


def train_dyck(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    variant: DyckVariant,
    seed: int,
    n: Size,
    dropout: Share,
    learning_rate: Positive,
    epochs: Count,
    batch: Count,
    k: Count | None = None,
    embedding: Count = 12,
    units: Count = 50,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int = 1,
    strategy: str = "auto",
) -> Path:
    """Train one language model of the Dyck language, and save it into `folder` (with its history, training.json).

    The loss is the cross-entropy of the next character, averaged over the characters of each string.

    Args:
        corpus: the folder of `repline.systems.urn.dyck.generate`.
        scratch: checkpoints go to a folder in it, named by everything the result depends on.
        variant: turn (k-TURN), full (Full-URN), arbitrary (unconstrained matrices) or lstm.
        n, k, dropout: of the matrix models; `embedding`, `units`, `dropout` of the LSTM.
        threads, accelerator, devices, strategy: as in `repline.training.fit`.

    Returns:
        the folder of this run's checkpoints, to be removed once the model is where it belongs.

    Source: Bernardy & Lappin 2022, section 5.
    """
    settings = {"task": "dyck"} | _settings(locals())
    symbols = list(dyck.ALPHABET)
    torch.manual_seed(seed)
    model: nn.Module
    if variant == "lstm":
        model = LSTMReader(symbols, symbols, embedding, units, dropout)
    elif variant == "arbitrary":
        model = UnconstrainedRecurrence(symbols, symbols, n, dropout)
    else:
        model = URN(symbols, symbols, n, k if variant == "turn" else None, dropout)
    ids = torch.from_numpy(dyck.encode(pq.read_table(Path(corpus) / "train.parquet")["string"].to_pylist()))
    return _fit_and_save(
        model,
        next_character_loss,
        (ids,),
        folder,
        scratch,
        settings=settings,
        machine={"threads": threads, "accelerator": accelerator, "devices": devices, "strategy": strategy},
    )


def train_agreement(
    corpus: str | Path,
    folder: str | Path,
    scratch: str | Path,
    *,
    variant: AgreementVariant,
    seed: int,
    n: Size,
    dropout: Share,
    learning_rate: Positive,
    epochs: Count,
    batch: Count,
    k: Count | None = None,
    embedding: Count = 50,
    units: Count = 50,
    threads: int = 1,
    accelerator: str = "auto",
    devices: int = 1,
    strategy: str = "auto",
) -> Path:
    """Train one classifier of verb number on the words before the verb, and save it into `folder`.

    Args:
        corpus: the folder of `repline.systems.urn.agreement.corpus.extract`.
        variant: turn (k-TURN; Full-URN when k is None) or lstm.
        others, and what is returned: as in `train_dyck`.

    Source: Bernardy & Lappin 2022, section 4.
    """
    settings = {"task": "agreement"} | _settings(locals())
    words = pq.read_table(Path(corpus) / "vocabulary.parquet")["word"].to_pylist()
    torch.manual_seed(seed)
    model: nn.Module
    if variant == "lstm":
        model = LSTMReader(words, NUMBERS, embedding, units, dropout)
    else:
        model = URN(words, NUMBERS, n, k, dropout)
    ids, lengths, number = agreement_tensors(Path(corpus) / "train.parquet")
    return _fit_and_save(
        model,
        number_loss,
        (ids, lengths, number),
        folder,
        scratch,
        settings=settings,
        machine={"threads": threads, "accelerator": accelerator, "devices": devices, "strategy": strategy},
    )


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


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """What a training depends on, of all that it was given."""
    apart = ("corpus", "folder", "scratch", "threads", "accelerator", "devices", "strategy")
    return {key: value for key, value in given.items() if key not in apart}


def _fit_and_save(model, loss, tensors, folder, scratch, *, settings, machine) -> Path:
    name = "-".join(str(settings[key]) for key in ("task", "variant", "seed"))
    mark = fingerprint(model, settings | machine, tensors)
    checkpoints = Path(scratch) / f"urn-{name}-{mark}"
    lengths = tensors[1] if len(tensors) > 1 else None
    history = fit(
        model,
        loss,
        batches(tensors, settings["batch"], seed=settings["seed"], lengths=lengths),
        epochs=settings["epochs"],
        learning_rate=settings["learning_rate"],
        seed=settings["seed"],
        checkpoints=checkpoints,
        name=name,
        **machine,
    )
    save_trained(model, folder, history, settings)
    return checkpoints
