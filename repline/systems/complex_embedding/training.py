"""Train a network on a corpus: complex and real networks with `own_label_loss`, peers with cross-entropy."""

from pathlib import Path

import torch
from torch import Tensor, nn

from repline.corpora.labelled.classified_texts import Texts
from repline.evaluation.classification.description import describe_network
from repline.evaluation.classification.peer_networks import PEERS
from repline.evaluation.classification.recipes import Recipe
from repline.evaluation.classification.training import train_network
from repline.layers.document_network import DocumentNetwork
from repline.systems.complex_embedding.model import BagOfStates, ComplexEmbedding, RealEmbedding
from repline.systems.complex_embedding.settings import Network
from repline.training.optimizers.unit_row_adam import UnitRowAdam
from repline.training.run import Run

KINDS: dict[str, type[DocumentNetwork]] = {"complex": ComplexEmbedding, "real": RealEmbedding, **PEERS}
MAX_LOG_PROBABILITY = -1e-12


def train(recipe: Recipe, network: Network, texts: Texts, this_run: Run, vectors: str | Path | None = None) -> None:
    """Train one network, and save it with the probabilities of dev and test and what raw texts need.

    Args:
        vectors: a folder of vectors, for networks that start from vectors.

    Raises:
        InputError: vectors that cannot be read, or fewer dimensions than labels.
    """
    build = KINDS[network.kind]
    bag = issubclass(build, BagOfStates)
    train_network(
        recipe,
        texts,
        this_run,
        build=build,
        settings=network.arguments(),
        vectors=vectors if network.start == "vectors" else None,
        optimizer=UnitRowAdam if bag else None,
        loss=own_label_loss if bag else None,
    )
    describe_network(this_run.folder, "complex_embedding", network.kind, texts)


def own_label_loss(model: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Binary cross-entropy of each label's probability with whether it is the gold one, the mean over B and C.

    Args:
        model: its outputs are the log probabilities of the labels, [B, C].
        batch: (numbers [B, m], labels [B]).

    Source: the authors' program, `binary_crossentropy` over one-hot labels.
    """
    ids, gold = batch
    log_shares = model(ids).clamp(max=MAX_LOG_PROBABILITY)
    log_complements = torch.log(-torch.expm1(log_shares))
    is_gold = nn.functional.one_hot(gold, log_shares.shape[1]).bool()
    return -torch.where(is_gold, log_shares, log_complements).mean()
