"""How much there is in scenes: sentences, gaps, relations, items, classes; as in the table of the paper."""

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

from repline.corpora.scenes.scene import RELATIONS, Scene, Triplet, items_of, name_of
from repline.reading.conllu import cycle


class Spread(TypedDict):
    """Least, mean and most of a scene."""

    least: int
    mean: float
    most: int


class TripletStatistics(TypedDict):
    """How much the triplets of scenes hold, see `triplet_statistics`."""

    relations_by_type: dict[str, int]
    relations: Spread
    items: Spread
    classes: Spread


class SceneStatistics(TripletStatistics):
    """How much there is in scenes, see `scene_statistics`."""

    scenes: int
    sentences: int
    gapped_sentences: int
    gaps: int
    sentences_with_cycles: int
    gaps_by_tag: dict[str, int]


def scene_statistics(scenes: Sequence[Scene]) -> SceneStatistics:
    """Counts over all scenes, and least, mean and most of a scene.

    Returns:
        `scenes, sentences, gapped_sentences, gaps, sentences_with_cycles`; `gaps_by_tag`, by coarse tag; and
        `triplet_statistics`.
    """
    sentences = [item for scene in scenes for item in scene.sentences]
    gapped = [item for scene in scenes for item in scene.gapped]
    gaps = Counter(item.words[position].tag[:2] for item in gapped for position in item.gaps)
    return {
        "scenes": len(scenes),
        "sentences": len(sentences),
        "gapped_sentences": len(gapped),
        "gaps": sum(gaps.values()),
        "sentences_with_cycles": sum(bool(cycle([word.head for word in item.words])) for item in sentences),
        "gaps_by_tag": dict(sorted(gaps.items())),
        **triplet_statistics([scene.triplets for scene in scenes]),
    }


def triplet_statistics(scenes: Sequence[Sequence[Triplet]]) -> TripletStatistics:
    """Relations, items and classes of a scene, and relations by their type.

    Args:
        scenes: the triplets of each scene.

    Returns:
        `relations_by_type`; and `relations, items, classes` of a scene: {least, mean, most}. Classes are the names of
        items that carry a number, as all but properties do.

    Source: Rekaby Salama et al. (2018), section 2 and Table 2.
    """
    types = Counter(triplet.relation for triplets in scenes for triplet in triplets)
    items = [items_of(triplets) for triplets in scenes]
    return {
        "relations_by_type": {kind: types[kind] for kind in RELATIONS},
        "relations": _spread([len(triplets) for triplets in scenes]),
        "items": _spread([len(scene_items) for scene_items in items]),
        "classes": _spread([len({name_of(item) for item in scene_items}) for scene_items in items]),
    }


def _spread(numbers: Sequence[int]) -> Spread:
    return {"least": min(numbers), "mean": sum(numbers) / len(numbers), "most": max(numbers)}
