"""The alignments that are compared: from many word pairs, few, those of equal spelling, or none."""

from collections.abc import Sequence

from numpy.typing import NDArray

from repline.vectors.alignment import (
    Pairs,
    least_squares_map,
    orthogonal_map,
    refine,
    unsupervised_map,
)


def alignments(
    a: NDArray, b: NDArray, seeds: Pairs, same: Pairs, *, pairs: Sequence[int], frequent: int
) -> dict[str, tuple[NDArray, int]]:
    """Maps of A onto B, by name, each with the number of pairs that it is made from.

    Supervised: `orthogonal_N` and `least_squares_N` from the first N seed pairs. Hardly supervised: `identical` from
    words spelled alike, `refined` by self-learning from the fewest seed pairs. `unsupervised`: from the spaces alone.

    Args:
        a: [V_a, d_a] of unit length, most frequent word first.
        b: [V_b, d_b] of unit length.
        seeds: [n, 2] rows of A and of B, best pairs first.
        same: [m, 2] pairs of words spelled alike; without them there is no `identical`.
        pairs: how many seed pairs; the first number makes the first map.
        frequent: words of each side that self-learning looks at.

    Source: Smith et al. 2017; Artetxe, Labaka & Agirre 2018 (see `repline.vectors.alignment`).
    """
    maps: dict[str, tuple[NDArray, int]] = {}
    for most in pairs:
        chosen = seeds[:most]
        sides = a[chosen[:, 0]], b[chosen[:, 1]]
        maps[f"orthogonal_{most}"] = orthogonal_map(*sides), len(chosen)
        maps[f"least_squares_{most}"] = least_squares_map(*sides), len(chosen)
    if len(same):
        maps["identical"] = orthogonal_map(a[same[:, 0]], b[same[:, 1]]), len(same)
    length = min(frequent, len(a), len(b))
    few = a[:length], b[:length]
    start = seeds[: min(pairs)]
    start = start[(start < length).all(axis=1)]
    if len(start):
        w, induced = refine(*few, start)
        maps["refined"] = w, len(induced)
    w, induced = unsupervised_map(*few)
    maps["unsupervised"] = w, len(induced)
    return maps
