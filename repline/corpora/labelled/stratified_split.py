"""Splits that give each part the same share of every label."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from repline.corpora.labelled.recipes import Size
from repline.errors import InputError


def stratified(labels: Sequence[Hashable], sizes: Mapping[str, Size], rest: str, seed: int) -> list[str]:
    """The part of each of N documents.

    A part of n documents gets n times a label's share of them, rounded so that the sum is n (largest remainders); which
    ones is drawn by the seed.

    Args:
        labels: one a document.
        sizes: of the parts that are drawn, in this order.
        rest: the part of all other documents.

    Raises:
        InputError: the parts leave nothing for `rest`.
    """
    values, codes = np.unique(np.asarray(labels, dtype=object).astype(str), return_inverse=True)
    totals = np.bincount(codes, minlength=len(values))
    sizes_wanted = {part: round(size * len(codes)) if isinstance(size, float) else size for part, size in sizes.items()}
    if sum(sizes_wanted.values()) >= len(codes):
        request = " and ".join(f"{size} for {part}" for part, size in sizes_wanted.items())
        raise InputError(f"{len(codes)} documents cannot give {request} and leave some for {rest}")
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(np.flatnonzero(codes == code)) for code in range(len(values))]
    parts = np.full(len(codes), rest, dtype=object)
    taken = np.zeros(len(values), dtype=np.int64)
    for part, size in sizes_wanted.items():
        exact = size * totals / len(codes)
        counts = np.floor(exact).astype(np.int64)
        order = np.argsort(-(exact - counts), kind="stable")
        counts[order[: size - counts.sum()]] += 1
        counts = np.minimum(counts, totals - taken)
        for code, count in enumerate(counts):
            parts[orders[code][taken[code] : taken[code] + count]] = part
        taken += counts
    return parts.tolist()
