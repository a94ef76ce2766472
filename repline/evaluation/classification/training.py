"""One recipe for every network: Adam, cross-entropy, the weights of the epoch that was best on dev."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, Unpack

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer

from repline.corpora.labelled.classified_texts import Texts
from repline.layers.document_network import DocumentNetwork, lengths
from repline.parameters import Count, Positive
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.history import Loss
from repline.training.optimizers.adam import adam
from repline.training.settings import Training, settings_of
from repline.vectors.store import words_and_matrix

TOGETHER = 8  # batches in a turn of the loop
SCORES = "scores.npz"  # beside a model: the probabilities of dev and test
SIZE = 0.4  # standard deviation of given vectors after `scaled`


class Recipe(Training):
    """The parameters of `train_network`.

    Attributes:
        dimensions: of word vectors that begin at random; else those of the vectors.
        sentences, length: sentences of a document and words of a sentence that are read.
        minimum_count: words that occur at least so often in training have a vector of their own.
        beta2: of Adam.
        enough: training ends after the first epoch with this accuracy on dev; None for all epochs.
    """

    dimensions: Count
    sentences: Count
    length: Count
    minimum_count: Count
    beta2: Annotated[float, Field(gt=0, lt=1)] = 0.999
    enough: Positive | None = None


def train_network(
    texts: Texts,
    folder: str | Path,
    scratch: str | Path,
    *,
    build: Callable[..., DocumentNetwork],
    vectors: str | Path | None,
    name: str,
    seed: int,
    threads: int = 1,
    settings: dict[str, Any] | None = None,
    optimizer: Callable[[Iterable[nn.Parameter], float], Optimizer] | None = None,
    loss: Loss | None = None,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train one network, and save it into `folder` with the probabilities of dev and test, `scores.npz`.

    Args:
        build: called with labels, words, dimensions, sentences and length, and the settings.
        vectors: a folder of vectors that the words' own begin as, after `scaled`; None for random ones.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the run, unique in scratch.
        settings: of the network alone.
        optimizer: (parameters, learning rate) -> optimiser; Adam by default. What it depends on belongs to `settings`.
        loss: as of `repline.training.fit.fit`; cross-entropy by default.

    Returns:
        the folder of this run's checkpoints.

    Raises:
        InputError: vectors that cannot be read, or a mistake in the network's settings.
    """
    recipe = Recipe(**knobs)
    torch.manual_seed(seed)
    words, start = texts.words(recipe.minimum_count), None
    if vectors is not None:
        start = _vectors_of(words, vectors)
    dimensions = start[0].shape[1] if start else recipe.dimensions
    model = build(texts.labels, words, dimensions, recipe.sentences, recipe.length, **(settings or {}))
    if start:
        model.begin(*start)
    ids = {part: model.numbers(texts.sentences[part]) for part in ("train", "dev", "test")}
    gold = {part: torch.from_numpy(texts.gold[part]) for part in ids}
    data = ids["train"], gold["train"]
    record = {"network": type(model).__name__, "seed": seed} | (settings or {}) | settings_of(recipe)
    weights = [value for _, value in sorted(model.state_dict().items())]
    mark = fingerprint(
        model,
        record | {"threads": threads},
        (*weights, *data, ids["dev"]),
        loss=loss or label_loss,
        hardware=recipe.hardware,
    )
    checkpoints = Path(scratch) / f"classification-{name}-{seed}-{mark}"
    enough = recipe.enough
    history = fit(
        model,
        loss or label_loss,
        batches(data, recipe.batch, seed=seed, lengths=lengths(ids["train"])),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        optimizer=optimizer or (lambda parameters, rate: adam(parameters, rate, betas=(0.9, recipe.beta2))),
        measure=lambda model: {"dev_accuracy": _accuracy(model, ids["dev"], gold["dev"])},
        until=None if enough is None else lambda epoch: epoch["dev_accuracy"] >= enough,
        highest="dev_accuracy",
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=recipe.hardware,
        name=f"{name}-{seed}",
    )
    save_trained(model, folder, history, record)
    np.savez(Path(folder) / SCORES, **{part: model.probabilities(ids[part]).numpy() for part in ("dev", "test")})
    return checkpoints


def label_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Cross-entropy, its mean over documents. batch: (numbers [B, S, L] or [B, L], labels [B])."""
    ids, gold = batch
    return cross_entropy(model(ids), gold)


def scaled(matrix: np.ndarray) -> np.ndarray:
    """Vectors [V, d] of unit length, their mean subtracted, over 2.5 times the deviation of all their numbers.

    Source: the authors' program of Gao et al. 2018.
    """
    unit = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    centred = unit - unit.mean()
    return (centred * SIZE / max(centred.std(), 1e-12)).astype(np.float32)


def _vectors_of(words: list[str], place: str | Path) -> tuple[Tensor, Tensor]:
    """The vectors [V, d] of words, zero for those that `place` does not have, and which it has [V]."""
    names, matrix = words_and_matrix(place)
    matrix = scaled(np.asarray(matrix))
    index = {word: row for row, word in enumerate(names)}
    known = np.array([word in index for word in words], bool)
    found = np.zeros((len(words), matrix.shape[1]), np.float32)
    found[known] = matrix[[index[word] for word in words if word in index]]
    return torch.from_numpy(found), torch.from_numpy(known)


def _accuracy(model: DocumentNetwork, ids: Tensor, gold: Tensor) -> float:
    return float((model.probabilities(ids).argmax(dim=1) == gold).float().mean())
