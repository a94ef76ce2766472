"""What a trained classifier needs to type raw names, written next to its weights."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.files import link_or_copy
from repline.pretrained import pretrained
from repline.systems.name_typing.corpus import Names
from repline.systems.name_typing.evaluation import best_threshold, probabilities
from repline.systems.name_typing.model import CLASSIFIERS
from repline.systems.name_typing.settings import Classifier
from repline.use.folders import describe
from repline.vectors.store import VECTORS, VOCABULARY


class RawNames(NamedTuple):
    """The types and the vector space that a classifier keeps to type any name.

    Attributes:
        types: names of the T types.
        vectors: a folder with the word vectors of the space, such as `write_data` of `corpus` leaves.
    """

    types: Sequence[str]
    vectors: Path


def describe_classifier(
    folder: str | Path, classifier: Classifier, names: Mapping[str, Names], raw_names: RawNames
) -> None:
    """Copy the word vectors to a saved classifier, and write its types, their shares and the threshold tuned on dev.

    Args:
        folder: of the saved classifier.
        classifier: its name.
        names: that it was trained on, and dev.
        raw_names: what is kept.
    """
    folder = Path(folder)
    for name in (VECTORS, VOCABULARY):
        link_or_copy(raw_names.vectors / name, folder / name)
    dev = names["dev"]
    threshold = best_threshold(probabilities(pretrained(CLASSIFIERS[classifier], folder), dev), dev.covered_labels)
    shares = names["train"].covered_labels.mean(0)
    describe(
        folder,
        "name_typing",
        "name_types",
        {
            "classifier": classifier,
            "types": list(raw_names.types),
            "shares": shares.tolist(),
            "threshold": threshold,
        },
    )
