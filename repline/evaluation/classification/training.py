"""Training of every network that is compared: Adam, cross-entropy, the weights of the epoch that was best on dev."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.optim import Optimizer

from repline.corpora.labelled.classified_texts import Texts
from repline.evaluation.classification.recipes import Recipe
from repline.layers.document_network import DocumentNetwork, lengths
from repline.parameters import JsonObject
from repline.training.batches import batches
from repline.training.history import Loss
from repline.training.optimizers.adam import adam
from repline.training.run import Run, run
from repline.vectors.store import words_and_matrix

BATCHES_PER_TURN = 8  # of the training loop
SCORES = "scores.npz"  # next to a model: the probabilities of dev and test
SCALED_DEVIATION = 0.4  # standard deviation of vectors after `scaled`


def train_network(
    recipe: Recipe,
    texts: Texts,
    this_run: Run,
    *,
    build: Callable[..., DocumentNetwork],
    settings: JsonObject | None = None,
    vectors: str | Path | None = None,
    optimizer: Callable[[Iterable[nn.Parameter], float], Optimizer] | None = None,
    loss: Loss | None = None,
) -> None:
    """Train one network, and save it with the probabilities of dev and test, `scores.npz`.

    The weights of the epoch with the highest accuracy on dev are kept.

    Args:
        build: called with labels, words, dimensions, sentences and length, and the settings.
        settings: of the network alone.
        vectors: a folder of word vectors that the embedding starts from, after `scaled`; None starts at random.
        optimizer: (parameters, learning rate) -> optimiser; Adam by default. What it depends on belongs to `settings`.
        loss: as of `repline.training.fit.fit`; cross-entropy by default.

    Raises:
        InputError: vectors that cannot be read, or a mistake in the network's settings.
    """
    torch.manual_seed(this_run.seed)
    words = vocabulary(texts, recipe.minimum_count, recipe.unknown, this_run.seed)
    start = None if vectors is None else _vectors_of(words, vectors)
    dimensions = start[0].shape[1] if start else recipe.dimensions
    model = build(texts.labels, words, dimensions, recipe.sentences, recipe.length, **(settings or {}))
    if start:
        model.begin(*start)
    ids = {part: model.numbers(texts.sentences[part]) for part in ("train", "dev", "test")}
    gold = {part: torch.from_numpy(texts.gold[part]) for part in ids}
    enough = recipe.enough
    run(
        model,
        loss or label_loss,
        batches(
            (ids["train"], gold["train"]),
            recipe.batch,
            seed=this_run.seed,
            lengths=lengths(ids["train"]),
            padded=(0,),
        ),
        recipe,
        this_run,
        data=(ids["train"], gold["train"], ids["dev"], gold["dev"]),
        settings={"network": type(model).__name__} | dict(settings or {}),
        optimizer=optimizer or (lambda parameters, rate: adam(parameters, rate, betas=(0.9, recipe.beta2))),
        measure=lambda model: {"dev_accuracy": _accuracy(model, ids["dev"], gold["dev"])},
        until=None if enough is None else lambda epoch: epoch["dev_accuracy"] >= enough,
        highest="dev_accuracy",
        batches_per_turn=BATCHES_PER_TURN,
    )
    np.savez(
        this_run.folder / SCORES,
        allow_pickle=False,
        **{part: model.probabilities(ids[part]).numpy() for part in ("dev", "test")},
    )


def vocabulary(texts: Texts, minimum_count: int, unknown: float, seed: int) -> list[str]:
    """The words that get a vector of their own, most frequent first.

    Args:
        minimum_count: occurrences in training that a word needs.
        unknown: share of the words with one occurrence that are left out, drawn by the seed.
    """
    words = texts.words(minimum_count)
    if minimum_count > 1 or not unknown:
        return words
    seen_twice = len(texts.words(2))
    rng = np.random.default_rng(seed)
    return words[:seen_twice] + [word for word in words[seen_twice:] if rng.random() >= unknown]


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
    return (centred * SCALED_DEVIATION / max(centred.std(), 1e-12)).astype(np.float32)


def _vectors_of(words: list[str], folder: str | Path) -> tuple[Tensor, Tensor]:
    """The vectors [V, d] of words, zero for those that `folder` does not have, and which it has [V]."""
    names, stored = words_and_matrix(folder)
    matrix = scaled(np.asarray(stored))
    index = {word: row for row, word in enumerate(names)}
    present = np.array([word in index for word in words], bool)
    vectors = np.zeros((len(words), matrix.shape[1]), np.float32)
    vectors[present] = matrix[[index[word] for word in words if word in index]]
    return torch.from_numpy(vectors), torch.from_numpy(present)


def _accuracy(model: DocumentNetwork, ids: Tensor, gold: Tensor) -> float:
    return float((model.probabilities(ids).argmax(dim=1) == gold).float().mean())
