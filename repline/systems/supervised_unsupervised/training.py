"""Train one encoder with one or two losses, keeping the weights of the epoch that was best on dev.

    mean over pairs of  -log P(label)  +  weight * (R(premise) + R(hypothesis))

R is of `Reconstruction`. The authors' program has R of the hypothesis alone.
"""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from repline.evaluation.sentences.sentence_encoders import write_encoder
from repline.systems.supervised_unsupervised.corpus import SPLITS, Data, lengths_of
from repline.systems.supervised_unsupervised.model import InferSent
from repline.systems.supervised_unsupervised.reconstruction import Reconstruction
from repline.systems.supervised_unsupervised.settings import Corpus, Recipe
from repline.systems.supervised_unsupervised.state_probe import probe_errors
from repline.training.batches import batches
from repline.training.history import History, Record
from repline.training.run import Run, run
from repline.use.folders import describe
from repline.use.stored_vectors import store_vectors

MEASURED = "measured.npz"  # next to a model
PAIR_BATCH = 256  # pairs, in prediction
BATCHES_PER_TURN = 8  # of the training loop
DECAY, SHRINK, MIN_LEARNING_RATE = 0.99, 5.0, 1e-5  # of the learning rate of InferSent's SGD
Batch = tuple[Tensor, ...]


class TwoLosses(nn.Module):
    """InferSent, the maps of its second loss if it has one, and the fixed vectors of the words.

    Args:
        vectors: [V + 1, d]
        weight: lambda; with 0 the second loss is not computed.
    """

    vectors: Tensor

    def __init__(self, model: InferSent, reconstruction: Reconstruction | None, vectors: Tensor, weight: float):
        super().__init__()
        self.model, self.reconstruction, self.weight = model, reconstruction, weight
        self.register_buffer("vectors", vectors, persistent=False)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Logits [B, labels] and the second loss of each pair [B]. batch: premises [B, T], hypotheses [B, T]."""
        numbers = torch.cat(batch[:2])
        lengths, vectors = lengths_of(numbers), self.vectors[numbers]  # [2B], [2B, T, d]
        states = self.model.states(vectors, lengths)  # [2B, T, l]
        logits = self.model(*self.model.pooled(states, lengths).chunk(2))
        if self.reconstruction is None or not self.weight:
            return logits, logits.new_zeros(len(logits))
        if self.reconstruction.reduction == "authors":
            return logits, self.reconstruction(*(both.chunk(2)[1] for both in (states, vectors, lengths)))
        first, second = self.reconstruction(states, vectors, lengths).chunk(2)
        return logits, first + second

    @torch.no_grad()
    def predicted(self, premises: Tensor, hypotheses: Tensor) -> Tensor:
        """The most probable label of each pair as a number: premises [B, T], hypotheses [B, T] -> [B]."""
        device, labels = self.vectors.device, []
        for pair in zip(premises.split(PAIR_BATCH), hypotheses.split(PAIR_BATCH), strict=True):
            numbers = torch.cat(pair).to(device)
            sentences = self.model.encode(self.vectors[numbers], lengths_of(numbers))
            labels.append(self.model(*sentences.chunk(2)).argmax(1).cpu())
        return torch.cat(labels)


def two_losses(network: TwoLosses, batch: Batch) -> tuple[Tensor, int, dict[str, Tensor]]:
    """The weighted sum of both losses, the number of pairs, and each loss. batch: premises, hypotheses, labels [B]."""
    logits, second = network(batch)
    labels, reconstruction = cross_entropy(logits, batch[2]), second.mean()
    loss = labels + network.weight * reconstruction if network.weight else labels
    return loss, len(logits), {"labels": labels, "reconstruction": reconstruction}


def train(recipe: Recipe, data: Data, words: str | Path, corpus: Corpus, this_run: Run) -> None:
    """Train a model and save it, with what `measured` says of it on test.

    The saved model is an encoder of sentences; it leaves out the maps of the second loss.

    Args:
        data: the corpus that `write_data` made with the settings `corpus`.
        words: the folder of all word vectors, for words of other texts. The suite of sentences reads them there; the
            saved model has a copy of frequent ones.
    """
    network = begin(data, recipe, this_run.seed)
    parts = {split: (*data.pairs[split][:2], data.numbers(split)) for split in SPLITS}
    dev = parts["dev"]
    lengths = torch.maximum(*map(lengths_of, parts["train"][:2]))
    maps = network.reconstruction and sum(weights.numel() for weights in network.reconstruction.parameters())
    run(
        network,
        two_losses,
        batches(parts["train"], recipe.batch, seed=this_run.seed, lengths=lengths, padded=(0, 1)),
        recipe,
        this_run,
        saved=network.model,
        data=(network.vectors, *parts["train"], *dev),
        records=lambda history: {"parameters_of_the_second_loss": maps or 0},
        optimizer=torch.optim.SGD if recipe.optimizer == "sgd" else None,
        schedule=shrinking if recipe.optimizer == "sgd" else None,
        until=_spent if recipe.optimizer == "sgd" else None,
        measure=lambda model: {"dev_accuracy": float((model.predicted(*dev[:2]) == dev[2]).float().mean())},
        highest="dev_accuracy",
        batches_per_turn=BATCHES_PER_TURN,
    )
    np.savez(this_run.folder / MEASURED, allow_pickle=False, **measured(network, data))
    options = {"lower_case": corpus.lower_case, "spread": corpus.spread}
    write_encoder(this_run.folder, "supervised_unsupervised", vectors=str(words), **options)
    store_vectors(this_run.folder, words, data.words)
    shares = data.numbers("train").bincount(minlength=len(data.labels)) / len(data.pairs["train"].labels)
    describe(this_run.folder, "supervised_unsupervised", "inference", options | {"shares": shares.tolist()})


def begin(data: Data, recipe: Recipe, seed: int) -> TwoLosses:
    """A network with its first weights; those of encoder and classifier depend on the seed, not on the second loss."""
    torch.manual_seed(seed)
    dimensions = data.vectors.shape[1]
    model = InferSent(data.labels, dimensions, recipe.units, recipe.hidden, recipe.nonlinear, recipe.padded_maximum)
    reconstruction = recipe.kind and Reconstruction(
        recipe.kind,
        model.size,
        dimensions,
        reduction=recipe.reduction,
        forward_share=recipe.forward_share,
        reversed_targets=recipe.reversed_targets,
        seed=seed,
    )
    return TwoLosses(model, reconstruction, data.vectors, recipe.weight)


def measured(network: TwoLosses, data: Data) -> dict[str, np.ndarray]:
    """Predicted labels of the test pairs, as numbers, and squared errors of predicted word vectors.

    Returns:
        `labels` [B]; by each term of the second loss `held_out.<term>` [B, 2]: of both sentences of a pair, the sum of
        squared errors and the number of places; the same by each target `probe.<target>`, of `probe_errors`.
    """
    test = data.pairs["test"]
    arrays = {"labels": network.predicted(test.first, test.second).numpy()}
    if network.reconstruction is not None:
        sides = [_errors(network, network.reconstruction, numbers) for numbers in (test.first, test.second)]
        arrays |= {f"held_out.{term}": (sides[0][term] + sides[1][term]).numpy() for term in sides[0]}
    probed = probe_errors(network.model, network.vectors, data)
    return arrays | {f"probe.{target}": errors for target, errors in probed.items()}


@torch.no_grad()
def _errors(network: TwoLosses, reconstruction: Reconstruction, sentences: Tensor) -> dict[str, Tensor]:
    """Sum of squared errors and number of target words of each sentence [N, 2], by term."""
    by_term: dict[str, list[Tensor]] = {}
    for numbers in sentences.to(network.vectors.device).split(PAIR_BATCH):
        lengths, vectors = lengths_of(numbers), network.vectors[numbers]
        states = network.model.states(vectors, lengths)
        for term, errors in reconstruction.errors(states, vectors, lengths).items():
            by_term.setdefault(term, []).append(torch.stack(errors, 1).double().cpu())
    return {term: torch.cat(errors) for term, errors in by_term.items()}


def shrinking(optimizer: torch.optim.Optimizer, history: History) -> None:
    """InferSent's schedule: the rate times 0.99 after each epoch, and divided by 5 after one not best on dev."""
    *before, last = [record["dev_accuracy"] for record in history]
    factor = DECAY if not before or last > max(before) else DECAY / SHRINK
    for group in optimizer.param_groups:
        group["lr"] *= factor


def _spent(record: Record) -> bool:
    """Whether the learning rate of an epoch was below the smallest one, so that training stops."""
    return record["learning_rate"] < MIN_LEARNING_RATE
