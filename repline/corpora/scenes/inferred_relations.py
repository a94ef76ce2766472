"""What follows from the triplets of a scene: what stands side by side, and what lies, stands or hangs.

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
    located = [one for one in triplets if one.relation == "Location"]
    if mentioned is not None:
        located = [one for one in located if one.argument in mentioned and one.predicate in mentioned]
    known = {frozenset((one.argument, one.predicate)) for one in triplets if one.relation == "NextTo"}
    inferred = []
    for number, one in enumerate(located):
        for other in located[number + 1 :]:
            pair = frozenset((one.argument, other.argument))
            if one.predicate == other.predicate and len(pair) == 2 and pair not in known:
                known.add(pair)
                inferred.append(Triplet(one.argument, "NextTo", other.argument))
    return inferred


def inferred_location_verbs(triplets: Sequence[Triplet], lemmas: Collection[str]) -> list[Triplet]:
    """What lies, stands and hangs on what, where a sentence has one of these lemmas; else nothing.

    Each place Z of a Location gets a sense k = 11, 12, ... in the order of the triplets. For every X at Z and each of
    the three verbs v: (X Agent v_k); and once (Z Theme v_k).
    """
    if not set(LOCATION_VERBS) & set(lemmas):
        return []
    located = [one for one in triplets if one.relation == "Location"]
    places = dict.fromkeys(one.predicate for one in located)
    inferred: list[Triplet] = []
    for sense, place in enumerate(places, start=FIRST_SENSE):
        for verb in LOCATION_VERBS:
            agents = dict.fromkeys(one.argument for one in located if one.predicate == place)
            inferred += [Triplet(item, "Agent", f"{verb}_{sense}") for item in agents]
            inferred.append(Triplet(place, "Theme", f"{verb}_{sense}"))
    return inferred
