"""A network of complex_embedding, or a peer, that classifies raw texts: `repline.load(folder).classify(texts)`."""

from repline.evaluation.classification.peer_networks import PEERS
from repline.layers.document_network import DocumentNetwork
from repline.systems.complex_embedding.model import ComplexEmbedding, RealEmbedding
from repline.use.document_classifier import DocumentClassifier, load_document_classifier
from repline.use.folders import Description

NETWORKS: dict[str, type[DocumentNetwork]] = {"complex": ComplexEmbedding, "real": RealEmbedding, **PEERS}


def load(description: Description) -> DocumentClassifier:
    """The classifier of a folder; InputError where it is damaged."""
    return load_document_classifier(description, NETWORKS)
