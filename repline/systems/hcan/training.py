"""Train a network on a corpus: an HCAN, or a peer."""

from pathlib import Path

from repline.corpora.labelled.classified_texts import Texts
from repline.evaluation.classification.description import describe_network
from repline.evaluation.classification.peer_networks import PEERS
from repline.evaluation.classification.training import train_network
from repline.layers.document_network import DocumentNetwork
from repline.systems.hcan.model import HCAN
from repline.systems.hcan.settings import Network, Recipe
from repline.training.run import Run

KINDS: dict[str, type[DocumentNetwork]] = {"hcan": HCAN, **PEERS}


def train(recipe: Recipe, network: Network, texts: Texts, this_run: Run, vectors: str | Path | None = None) -> None:
    """Train one network, and save it with the probabilities of dev and test.

    Args:
        vectors: a folder of vectors, for networks that start from vectors.

    Raises:
        InputError: vectors that cannot be read, or heads that do not divide the size.
    """
    sizes = {"size": recipe.features, "heads": recipe.heads} if network.kind == "hcan" else {}
    train_network(
        recipe,
        texts,
        this_run,
        build=KINDS[network.kind],
        settings=network.arguments() | sizes,
        vectors=vectors if network.start == "vectors" else None,
    )
    describe_network(this_run.folder, "hcan", network.kind, texts)
