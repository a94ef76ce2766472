"""Train the network on one task, keeping the weights of the epoch that was best on dev."""

from pathlib import Path
from typing import Annotated, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from repline.evaluation.multi_label import multi_label_f1
from repline.parameters import Count, Section, Share
from repline.systems.entity_documents.documents import Documents
from repline.systems.entity_documents.model import DocumentClassifier
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit, save_trained
from repline.training.settings import Training, settings_of
from repline.vectors.store import words_and_matrix

TOGETHER = 8  # batches in a turn of the loop
SCORES = "scores.npz"  # beside a model: the probabilities of dev and test


class Layer(Section):
    """Convolutions of several widths side by side, with so many filters each."""

    widths: Annotated[list[Count], Field(min_length=1)]
    filters: Count


class Recipe(Training):
    """The parameters of `train_classifier`.

    Attributes:
        longest: tokens of a document that are read.
        minimum_count: words that occur at least so often in training have a vector of their own.
        hidden: of `DocumentClassifier`.
    """

    dimensions: Count
    layers: Annotated[list[Layer], Field(min_length=1)]
    longest: Count
    minimum_count: Count
    hidden: Count | None
    dropout: Share


def train_classifier(
    documents: Documents,
    folder: str | Path,
    scratch: str | Path,
    *,
    task: str,
    vectors: str | Path | None,
    name: str,
    seed: int,
    threads: int = 1,
    **knobs: Unpack[Recipe],
) -> Path:
    """Train one network with Adam, and save it into `folder` with the probabilities of dev and test, `scores.npz`.

    The weights are those of the epoch with the highest micro-F1 on dev, at 0.5.

    Args:
        task: whose labels are learned.
        vectors: a folder of vectors that the words' own begin as; None for random ones.
        scratch: checkpoints go to a folder in it, named by everything that the result depends on.
        name: of the run, unique in scratch.

    Returns:
        the folder of this run's checkpoints.

    Raises:
        InputError: vectors of other dimensions, or that cannot be read.
    """
    recipe = Recipe(**knobs)
    torch.manual_seed(seed)
    gold = documents.gold[task]
    words, start = documents.words(recipe.minimum_count), None
    dimensions = recipe.dimensions
    if vectors is not None:
        start = _vectors_of(words, vectors)
        dimensions = start[0].shape[1]  # those of vectors from elsewhere are as they are
    model = DocumentClassifier(
        documents.labels[task],
        words,
        dimensions,
        [layer.model_dump() for layer in recipe.layers],
        recipe.dropout,
        recipe.hidden,
    )
    rates = (gold["train"].sum(axis=0) + 0.5) / (len(gold["train"]) + 1)
    given = start or (torch.zeros(len(words), dimensions), torch.zeros(len(words), dtype=torch.bool))
    model.begin(*given, torch.tensor(rates, dtype=torch.float32))
    ids = {part: model.numbers(documents.tokens[part], recipe.longest) for part in ("train", "dev", "test")}
    # three-dimensional, as `batches` cuts what has two dimensions to the longest document
    data = ids["train"], torch.from_numpy(gold["train"]).float()[:, None]
    settings = {"task": task, "seed": seed} | settings_of(recipe)
    weights = [value for _, value in sorted(model.state_dict().items())]
    mark = fingerprint(
        model, settings | {"threads": threads}, (*weights, *data, ids["dev"]), loss=label_loss, hardware=recipe.hardware
    )
    checkpoints = Path(scratch) / f"entity_documents-{name}-{task}-{seed}-{mark}"
    history = fit(
        model,
        label_loss,
        batches(data, recipe.batch, seed=seed, lengths=(ids["train"] > 0).sum(1).clamp(min=1)),
        epochs=recipe.epochs,
        learning_rate=recipe.learning_rate,
        gradient_clip=recipe.gradient_clip,
        measure=lambda model: {"dev_micro_f1": _micro(model, ids["dev"], gold["dev"])},
        highest="dev_micro_f1",
        seed=seed,
        checkpoints=checkpoints,
        together=TOGETHER,
        threads=threads,
        hardware=recipe.hardware,
        name=f"{task}-{name}-{seed}",
    )
    save_trained(model, folder, history, settings)
    scores = {part: model.probabilities(ids[part]).numpy() for part in ("dev", "test")}
    np.savez(Path(folder) / SCORES, **scores)
    return checkpoints


def label_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Binary cross-entropy, its mean over labels and documents. batch: (tokens [B, T], labels [B, 1, C])."""
    ids, gold = batch
    return binary_cross_entropy_with_logits(model(ids), gold[:, 0])


def _vectors_of(words: list[str], place: str | Path) -> tuple[Tensor, Tensor]:
    """The vectors [V, d] of words, zero for those that `place` does not have, and which it has [V]."""
    names, matrix = words_and_matrix(place)
    index = {word: row for row, word in enumerate(names)}
    known = np.array([word in index for word in words], bool)
    found = np.zeros((len(words), matrix.shape[1]), np.float32)
    found[known] = matrix[[index[word] for word in words if word in index]]
    return torch.from_numpy(found), torch.from_numpy(known)


def _micro(model: DocumentClassifier, ids: Tensor, gold: NDArray) -> float:
    return float(multi_label_f1(gold, model.probabilities(ids).numpy() >= 0.5)["micro"][0])
