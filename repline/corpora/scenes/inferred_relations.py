"""Relations inferred from the triplets of a scene: which items stand side by side, and which lie, stand or hang.

Source: Rekaby Salama et al. (2018), section 3.1, and the authors' code where the paper is silent.
"""

from collections.abc import Collection, Sequence

from repline.corpora.scenes.scene import Triplet

LOCATION_VERBS = ("lie", "stand", "hang")
FIRST_SENSE = 11  # the senses of inferred verbs: lie_11; those of a scene's own verbs are below


def inferred_next_to(triplets: Sequence[Triplet], *, mentioned: Collection[str] | None = None) -> list[Triplet]:
    """(X NextTo Y) for every X and Y, in their order, that have the same Location and are not the same.

    Args:
        triplets: of the scene; pairs that they have already, in either order, are not inferred again.
        mentioned: the items that a sentence may speak of. The paper asks that X, Y and the location are among them;
            None, as in the authors' code, asks nothing.
    """
    located = [triplet for triplet in triplets if triplet.relation == "Location"]
    if mentioned is not None:
        located = [triplet for triplet in located if triplet.argument in mentioned and triplet.predicate in mentioned]
    known_pairs = {
        frozenset((triplet.argument, triplet.predicate)) for triplet in triplets if triplet.relation == "NextTo"
    }
    inferred = []
    for number, triplet in enumerate(located):
        for later in located[number + 1 :]:
            pair = frozenset((triplet.argument, later.argument))
            if triplet.predicate == later.predicate and len(pair) == 2 and pair not in known_pairs:
                known_pairs.add(pair)
                inferred.append(Triplet(triplet.argument, "NextTo", later.argument))
    return inferred


def inferred_location_verbs(triplets: Sequence[Triplet], lemmas: Collection[str]) -> list[Triplet]:
    """Items that lie, stand or hang, each with its support, where a sentence has such a lemma; else none.

    Each place Z of a Location gets a sense k = 11, 12, ... in the order of the triplets. For every X at Z and each of
    the three verbs v: (X Agent v_k); and once (Z Theme v_k).
    """
    if not set(LOCATION_VERBS) & set(lemmas):
        return []
    located = [triplet for triplet in triplets if triplet.relation == "Location"]
    locations = dict.fromkeys(triplet.predicate for triplet in located)
    inferred: list[Triplet] = []
    for sense, location in enumerate(locations, start=FIRST_SENSE):
        for verb in LOCATION_VERBS:
            agents = dict.fromkeys(triplet.argument for triplet in located if triplet.predicate == location)
            inferred += [Triplet(item, "Agent", f"{verb}_{sense}") for item in agents]
            inferred.append(Triplet(location, "Theme", f"{verb}_{sense}"))
    return inferred
