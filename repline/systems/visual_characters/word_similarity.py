"""Similarity of words from their characters' vectors, compared with what people say.

The vector of a word is the mean of its characters' vectors. Pairs are of two kinds: seen, where training had every
character, and unseen. The vectors of unseen words are computed from all characters, or from the seen ones alone.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from repline.evaluation.correlation import spearman
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Metric, Replicate
from repline.evaluation.replication.bootstrap import bootstrap, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.glyphs.bitmaps import Bitmaps
from repline.systems.visual_characters.character_numbers import character_ids
from repline.systems.visual_characters.corpus import ScoredRow
from repline.systems.visual_characters.encoders import CharacterEncoder


class PairCosines(NamedTuple):
    """Cosine of each pair [N] from all characters, and from the seen ones; NaN where a word has none left."""

    every: NDArray[np.floating]
    seen_only: NDArray[np.floating]


def score_similarity(
    encoders: Mapping[str, Sequence[CharacterEncoder]],
    rows: Sequence[ScoredRow],
    bitmaps: Bitmaps,
    seen: Tensor,
) -> Evaluation:
    """Spearman's rho with people's scores, of every test of scored pairs, by seen and unseen characters.

    Args:
        encoders: by name, one a seed.
        rows: pairs with `test`, `first`, `second` and `score`.
        bitmaps: of all n characters.
        seen: [n + 1] bool, the characters of the training data.
    """
    tables = {name: [encoder.cached_table() for encoder in seed_encoders] for name, seed_encoders in encoders.items()}
    metrics: Metrics = {}
    replicates: dict[str, list[Replicate]] = {}
    for test in sorted({row["test"] for row in rows}):
        pairs = [row for row in rows if row["test"] == test]
        first, second = (character_ids([row[side] for row in pairs], bitmaps) for side in ("first", "second"))
        scores = np.array([row["score"] for row in pairs])
        seen_pairs = is_seen(first, second, seen)
        cosines_of_runs = [
            {name: pair_cosines(seed_encoders[seed], first, second, seen) for name, seed_encoders in tables.items()}
            for seed in range(len(next(iter(tables.values()))))
        ]

        def measure(
            cosines_of_run: dict[str, PairCosines],
            rows_drawn: NDArray[np.integer],
            seen_pairs: NDArray[np.bool_] = seen_pairs,
            scores: NDArray[np.floating] = scores,
        ) -> dict[str, Metric]:
            return {
                name: correlations(
                    PairCosines(*(values[rows_drawn] for values in cosines)),
                    scores[rows_drawn],
                    seen_pairs[rows_drawn],
                    encoders[name][0].reads_pixels,
                )
                for name, cosines in cosines_of_run.items()
            }

        name = _name(test)
        left = int((~seen_pairs & ~np.isnan(next(iter(cosines_of_runs[0].values())).seen_only)).sum())
        metrics[name] = mean_of_runs([measure(cosines, np.arange(len(pairs))) for cosines in cosines_of_runs])
        metrics[name] |= {"pairs": len(pairs), "seen_pairs": int(seen_pairs.sum()), "unseen_pairs_left": left}
        replicates[name] = bootstrap(measure, cosines_of_runs, len(pairs))
    return Evaluation(
        {"similarity": metrics}, side_by_side(similarity=side_by_side(**replicates)) if replicates else []
    )


def pair_cosines(table: Tensor, first: Tensor, second: Tensor, seen: Tensor) -> PairCosines:
    """Cosines of pairs of words.

    Args:
        table: vectors of the characters [n + 1, d], row 0 zero.
        first, second: characters of the words [N, T], 0 behind the end.
        seen: [n + 1] bool, those of the training data.
    """
    seen_characters = [ids.where(seen[ids], 0) for ids in (first, second)]
    return PairCosines(_cosines(table, first, second), _cosines(table, *seen_characters))


def is_seen(first: Tensor, second: Tensor, seen: Tensor) -> NDArray[np.bool_]:
    """Whether training had every character of a pair: [N]."""
    return ((seen[first] | (first == 0)).all(1) & (seen[second] | (second == 0)).all(1)).numpy()


def correlations(
    cosines: PairCosines, scores: NDArray[np.floating], seen: NDArray[np.bool_], reads_pixels: bool
) -> Mapping[str, float | None]:
    """Spearman's rho in the columns of the paper's table 7, ties at their mean rank.

    Args:
        cosines: of the pairs.
        scores: of people [N].
        seen: as of `is_seen`.
        reads_pixels: whether the encoder reads pixels; a table has no vectors of unseen characters.

    Returns:
        seen: on seen pairs; unseen_all and unseen_seen: on the others, from all characters and from the seen ones;
        common_all: unseen_all on the pairs that unseen_seen has, those where no word lost all of its characters. None
        where there are fewer than 3 pairs, or no vectors.
    """
    left = ~seen & ~np.isnan(cosines.seen_only)
    return {
        "seen": spearman(cosines.every[seen], scores[seen]),
        "unseen_all": spearman(cosines.every[~seen], scores[~seen]) if reads_pixels else None,
        "unseen_seen": spearman(cosines.seen_only[left], scores[left]),
        "common_all": spearman(cosines.every[left], scores[left]) if reads_pixels else None,
    }


def _name(test: str) -> str:
    """The name of a test among the metrics, a word: wordsim_240 for 240_trad."""
    name = test.removesuffix("_trad").removesuffix("_translated").lower().replace("-", "_")
    return f"wordsim_{name}" if name.isdigit() else name


def _cosines(table: Tensor, first: Tensor, second: Tensor) -> NDArray[np.floating]:
    first_sums, second_sums = (table[ids].sum(1) for ids in (first, second))  # means except for their length
    product = (first_sums * second_sums).sum(1) / (first_sums.norm(dim=1) * second_sums.norm(dim=1))  # 0 / 0 is NaN
    return product.double().numpy()
