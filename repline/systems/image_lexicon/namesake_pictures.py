"""How often the features of two pictures with one name, from two collections, are nearest to each other."""

import numpy as np

from repline.corpora.pictures.picture_features import PictureSets
from repline.vectors.normalisation import unit_length


def mutual_twins(pictures: PictureSets) -> float | None:
    """The share of names in both of the first two collections whose two pictures are nearest to each other.

    Only pictures with such names are looked among; None if there are no two collections, or fewer than two names.
    """
    rows_by_collection: dict[str, dict[str, int]] = {}
    for row, (collection, name) in enumerate(pictures.names):
        rows_by_collection.setdefault(collection, {})[name] = row
    if len(rows_by_collection) < 2:
        return None
    first, second = list(rows_by_collection.values())[:2]
    names = [name for name in first if name in second]
    if len(names) < 2:
        return None
    first_features, second_features = (
        unit_length(pictures.features[[side[name] for name in names]]) for side in (first, second)
    )
    cosines = first_features @ second_features.T
    diagonal = np.arange(len(names))
    return float(((cosines.argmax(1) == diagonal) & (cosines.argmax(0) == diagonal)).mean())
