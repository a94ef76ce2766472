"""What a trained network of documents needs to classify raw texts, written next to its weights."""

from pathlib import Path

import numpy as np

from repline.corpora.labelled.classified_texts import Texts
from repline.segmentation.recipes import BLANKS
from repline.use.folders import describe


def describe_network(folder: str | Path, system: str, network: str, texts: Texts) -> None:
    """Write how the texts of training were split, and the share of each label in training.

    Args:
        folder: of a saved `DocumentNetwork`, which has the vocabulary and the labels itself.
        system: whose `use.py` reads the folder by `repline.use.document_classifier.load_document_classifier`.
        network: the name of the network's class there.
        texts: that the network was trained on.
    """
    counts = np.bincount(texts.gold["train"], minlength=len(texts.labels))
    describe(
        folder,
        system,
        "text_classifier",
        {"network": network, "splitting": texts.splitting or BLANKS, "shares": (counts / counts.sum()).tolist()},
    )
