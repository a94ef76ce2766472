"""Measures of ranks: mean rank, mean reciprocal rank, hits; by relation category; on resampled test triples.

"Hits@k" of the TransEA paper counts rank <= k + 1 with ties in the model's favour; it is given as `paper_hits_k`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from repline.graphs.filtered_ranking import SIDES, Ranks, Side

HITS = (1, 3, 10)
CATEGORIES = ("1-1", "1-N", "N-1", "N-N")
THRESHOLD = 1.5  # tails per head, or heads per tail, from which a side is "N"


BySide = dict[str, dict[str, NDArray[np.float64]]]  # by side (head, tail, all) and measure: [R]


def measures_of_ranks(ranks: Ranks) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Each measure of each query [Q], by protocol (raw, filtered); its mean over queries is the number.

    mr: the rank with ties at their mean; mrr: its reciprocal; mr_optimistic, mr_pessimistic; hits_k: rank <= k;
    paper_hits_k: at most k better ones, as the authors' program counts.
    """
    measures = {}
    for protocol in ("raw", "filtered"):
        mean, best, worst = (ranks.rank(protocol == "filtered", ties) for ties in ("mean", "optimistic", "pessimistic"))
        measures[protocol] = {"mr": mean, "mrr": 1 / mean, "mr_optimistic": best, "mr_pessimistic": worst}
        measures[protocol] |= {f"hits_{k}": (mean <= k).astype(float) for k in HITS}
        measures[protocol] |= {f"paper_hits_{k}": (best <= k + 1).astype(float) for k in HITS}
    return measures


def means(by_side: Mapping[Side, Mapping[str, Mapping[str, NDArray]]], weights: NDArray) -> dict[str, BySide]:
    """The numbers by protocol, side and measure for several weights of the test triples: [R] each.

    Args:
        by_side: of head and tail, what `measures_of_ranks` gives.
        weights: [R, Q], how often each triple counts; rows with no triple give NaN.

    Returns:
        {protocol: {head, tail, all: {measure: [R]}}}; all = (head + tail) / 2.
    """
    total = weights.sum(1).astype(float)
    total[total == 0] = np.nan
    numbers: dict[str, BySide] = {}
    for protocol, names in by_side["head"].items():
        stacked = [np.stack([*by_side[side][protocol].values()], 1) for side in SIDES]  # [Q, measures] each
        head, tail = (dict(zip(names, (weights @ measures / total[:, None]).T, strict=True)) for measures in stacked)
        numbers[protocol] = {"head": head, "tail": tail, "all": {name: (head[name] + tail[name]) / 2 for name in names}}
    return numbers


def relation_categories(triples: NDArray, relations: int) -> NDArray[np.int64]:
    """The category of every relation [m], an index of `CATEGORIES`; -1 for one without triples.

    Args:
        triples: [S, 3], all of the graph.

    Source: Bordes et al. 2013, section 4.3: "1" where the mean number of tails per head (heads per tail) is below 1.5.
    """
    several = []
    for column in (0, 2):  # tails per head, heads per tail
        pairs = np.unique(triples[:, [1, column]], axis=0)
        groups = np.bincount(pairs[:, 0], minlength=relations)
        per_group = np.bincount(triples[:, 1], minlength=relations) / np.maximum(groups, 1)
        several.append(per_group > THRESHOLD)
    many_tails, many_heads = several
    category = 2 * many_heads + many_tails  # 1-1, 1-N, N-1, N-N
    return np.where(np.bincount(triples[:, 1], minlength=relations) > 0, category, -1)


def lowest_reciprocal_rank(hits: Sequence[float]) -> float:
    """The lowest MRR that is possible with these hits at 1, 3 and 10: H1 + (H3 - H1)/3 + (H10 - H3)/10."""
    first, third, tenth = hits
    return first + (third - first) / 3 + (tenth - third) / 10
