"""Train the network on one task, keeping the weights of the epoch that was best on dev."""

import shutil
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from repline.corpora.entities.gazetteers import FILE
from repline.evaluation.multi_label import careful_thresholds, multi_label_f1
from repline.systems.entity_documents.corpus import Documents
from repline.systems.entity_documents.model import DocumentClassifier
from repline.systems.entity_documents.settings import Recipe
from repline.training.batches import batches
from repline.training.run import Run, run
from repline.use.folders import describe
from repline.vectors.store import words_and_matrix

BATCHES_PER_TURN = 8  # of the training loop
SCORES = "scores.npz"  # in a model's folder: the probabilities of dev and test


def train(
    recipe: Recipe,
    documents: Documents,
    task: str,
    this_run: Run,
    vectors: str | Path | None = None,
    names: str | Path | None = None,
) -> None:
    """Train one network with Adam, and save it with the probabilities of dev and test, `scores.npz`.

    The weights are those of the epoch with the highest micro-F1 on dev, at 0.5. The folder also has what raw documents
    need: thresholds, and how names are found.

    Args:
        documents: in the way of writing names of the recipe.
        task: whose labels are learned.
        vectors: a folder of vectors that the words begin with; None for random ones.
        names: the gazetteer file that the rules for names used; None for none.

    Raises:
        InputError: vectors that cannot be read.
    """
    torch.manual_seed(this_run.seed)
    gold = documents.gold[task]
    words, start = documents.words(recipe.minimum_count), None
    dimensions = recipe.dimensions
    if vectors is not None:
        start = _vectors_of(words, vectors)
        dimensions = start[0].shape[1]
    layers = [layer.model_dump() for layer in recipe.layers]
    model = DocumentClassifier(documents.labels[task], words, dimensions, layers, recipe.dropout, recipe.hidden)
    rates = (gold["train"].sum(axis=0) + 0.5) / (len(gold["train"]) + 1)
    initial_vectors = start or (torch.zeros(len(words), dimensions), torch.zeros(len(words), dtype=torch.bool))
    model.begin(*initial_vectors, torch.tensor(rates, dtype=torch.float32))
    ids = {part: model.numbers(documents.tokens[part], recipe.longest) for part in ("train", "dev", "test")}
    data = ids["train"], torch.from_numpy(gold["train"]).float()
    run(
        model,
        label_loss,
        batches(data, recipe.batch, seed=this_run.seed, lengths=(ids["train"] > 0).sum(1).clamp(min=1), padded=(0,)),
        recipe,
        this_run,
        data=(*data, ids["dev"], torch.from_numpy(gold["dev"])),
        settings={"task": task},
        measure=lambda model: {"dev_micro_f1": _micro(model, ids["dev"], gold["dev"])},
        highest="dev_micro_f1",
        batches_per_turn=BATCHES_PER_TURN,
    )
    dev, test = (model.probabilities(ids[part]).numpy() for part in ("dev", "test"))
    np.savez(this_run.folder / SCORES, dev=dev, test=test, allow_pickle=False)
    if names is not None:
        shutil.copyfile(names, this_run.folder / FILE)
    raw_input = {
        "mode": recipe.mode,
        "rules": list(documents.rules),
        "base": documents.base,
        "longest": recipe.longest,
        "thresholds": careful_thresholds(dev.astype(np.float64), gold["dev"]).tolist(),
        "shares": gold["train"].mean(axis=0).tolist(),
    }
    describe(this_run.folder, "entity_documents", "labels_of_documents", raw_input)


def label_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Binary cross-entropy, its mean over labels and documents. batch: (tokens [B, T], labels [B, C])."""
    ids, gold = batch
    return binary_cross_entropy_with_logits(model(ids), gold)


def _vectors_of(words: list[str], folder: str | Path) -> tuple[Tensor, Tensor]:
    """The vectors [V, d] of words in a folder, zero for a word without one, and whether each has one, bool [V]."""
    names, matrix = words_and_matrix(folder)
    index = {word: row for row, word in enumerate(names)}
    has_vector = np.array([word in index for word in words], bool)
    vectors = np.zeros((len(words), matrix.shape[1]), np.float32)
    vectors[has_vector] = matrix[[index[word] for word in words if word in index]]
    return torch.from_numpy(vectors), torch.from_numpy(has_vector)


def _micro(model: DocumentClassifier, ids: Tensor, gold: NDArray) -> float:
    return float(multi_label_f1(gold, model.probabilities(ids).numpy() >= 0.5)["micro"][0])
