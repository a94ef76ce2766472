"""Candidate segmentations of words, found by word vectors alone.

The prefixes that a segmentation cuts off form a chain: araba, arabalar, arabalarım. A candidate stands where the
vectors of neighbours in the chain are near each other, since inflection keeps most of the meaning.

Source: Üstün and Can 2016, "Unsupervised Morphological Segmentation Using Neural Word Embeddings"; Üstün et al. 2018,
section 4.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.algebra.unit_rows import unit_rows
from repline.segmentation.morphology import Segmentation


class Candidate(NamedTuple):
    """A segmentation, and the mean cosine of the links of its chain (1 for the word as it is, which has none)."""

    morphs: Segmentation
    score: float


class Prefixes:
    """The words that may be parts of a chain, with their directions.

    Args:
        words: V different ones.
        vectors: [V, d].
        usable: [V] bool, the words that count; all by default.
    """

    def __init__(self, words: Sequence[str], vectors: NDArray, usable: NDArray[np.bool_] | None = None):
        self.directions = unit_rows(vectors).astype(np.float32, copy=False)
        rows = range(len(words)) if usable is None else np.flatnonzero(usable).tolist()
        self.rows = {words[row]: row for row in rows}

    def random_cosines(self, pairs: int = 100_000, seed: int = 0) -> NDArray[np.float32]:
        """[pairs]: cosines of words drawn at random; a threshold should lie above most of them."""
        rows = np.array(list(self.rows.values()))
        first, second = np.random.default_rng(seed).choice(rows, size=(2, pairs))
        return np.einsum("nd,nd->n", self.directions[first], self.directions[second])


def candidates(
    word: str, prefixes: Prefixes, *, threshold: float, segments: int, keep: int, shortest: int = 1
) -> list[Candidate]:
    """The candidate segmentations of a word that has a vector.

        p_1, p_1 p_2, ..., w:   cos(v(prefix_i), v(prefix_i+1)) > threshold at every split point

    Args:
        word: the word itself is always a candidate, and the last one.
        threshold: of each cosine in the chain.
        segments: K, the most morphs of a candidate.
        keep: S, the most candidates; of more, those with the highest mean cosine, the earlier found of equal ones.
        shortest: letters of the first morph, at least.

    Returns:
        At most `keep` candidates, the best first, the whole word last.
    """
    row_of_word = prefixes.rows.get(word)
    chains = [] if row_of_word is None else _chains(word, row_of_word, prefixes, threshold, segments, shortest)
    ordered = sorted(chains, key=lambda chain: -chain.score)
    return [*ordered[: keep - 1], Candidate((word,), 1.0)]


def unseen_candidates(
    word: str,
    prefixes: Prefixes,
    suffixes: Mapping[str, float],
    *,
    threshold: float,
    segments: int,
    keep: int,
    shortest: int = 1,
) -> list[Candidate]:
    """The candidate segmentations of a word without a vector: its own links cannot be looked at.

    The chain up to the last prefix is judged as in `candidates`. The last morph has to be one of `suffixes`, whose
    number, the mean cosine of the links that it made in other words, stands in for the link.

    Args:
        suffixes: last morphs of known words, see `suffix_links`.
        threshold, segments, keep, shortest: as in `candidates`.

    Returns:
        At most `keep` candidates, the best first; the word itself is none. Empty where no prefix is known.
    """
    segmentations = []
    for end in range(shortest, len(word)):
        prefix, suffix = word[:end], word[end:]
        row, link = prefixes.rows.get(prefix), suffixes.get(suffix)
        if row is None or link is None:
            continue
        segmentations.append(Candidate((prefix, suffix), link))
        for chain in _chains(prefix, row, prefixes, threshold, segments - 1, shortest):
            links = len(chain.morphs) - 1
            segmentations.append(Candidate((*chain.morphs, suffix), (chain.score * links + link) / (links + 1)))
    return sorted(
        (candidate for candidate in segmentations if len(candidate.morphs) <= segments),
        key=lambda candidate: -candidate.score,
    )[:keep]


def suffix_links(segmented: Iterable[Sequence[Candidate]], prefixes: Prefixes, least: int = 2) -> dict[str, float]:
    """The last morphs of candidates, and the mean cosine of their links; without those of fewer than `least` words."""
    links: dict[str, list[float]] = {}
    for segmentations in segmented:
        last: dict[str, float] = {}
        for morphs, _ in segmentations:
            if len(morphs) > 1:
                word = "".join(morphs)
                rows = prefixes.rows[word[: -len(morphs[-1])]], prefixes.rows[word]
                last[morphs[-1]] = float(np.dot(*prefixes.directions[list(rows)]))
        for suffix, cosine in last.items():
            links.setdefault(suffix, []).append(cosine)
    return {
        suffix: float(np.mean(segmentations)) for suffix, segmentations in links.items() if len(segmentations) >= least
    }


def longest_suffixes(
    word: str, suffixes: Iterable[str] | frozenset[str], *, segments: int, shortest: int = 2
) -> Segmentation:
    """The longest listed suffix cut off, again and again: a segmentation that needs a list and no vector.

    >>> longest_suffixes("kitaplardan", frozenset({"lar", "dan", "an"}), segments=4)
    ('kitap', 'lar', 'dan')

    Args:
        suffixes: a frozenset is used as it is.
        segments: the most morphs.
        shortest: letters of what is left, at least.
    """
    listed = suffixes if isinstance(suffixes, frozenset) else frozenset(suffixes)
    morphs: list[str] = []
    while len(morphs) < segments - 1:
        starts = (start for start in range(shortest, len(word)) if word[start:] in listed)
        start = next(starts, None)
        if start is None:
            break
        morphs.insert(0, word[start:])
        word = word[:start]
    return (word, *morphs)


def _chains(
    word: str, row_of_word: int, prefixes: Prefixes, threshold: float, segments: int, shortest: int
) -> list[Candidate]:
    """All chains of two morphs and more that end in `word`, by a walk from its end to its beginning."""
    ends = [end for end in range(shortest, len(word)) if word[:end] in prefixes.rows]
    if not ends or segments < 2:
        return []
    rows = [*(prefixes.rows[word[:end]] for end in ends), row_of_word]
    near = prefixes.directions[rows]
    cosines = near @ near.T  # [prefixes + 1, prefixes + 1]
    chains: list[Candidate] = []
    stack: list[tuple[int, Segmentation, float]] = [(len(ends), (), 0.0)]
    while stack:
        node, morphs, total = stack.pop()
        stop = ends[node] if node < len(ends) else len(word)
        for before in range(node):
            cosine = float(cosines[before, node])
            if cosine <= threshold:
                continue
            start = ends[before]
            later = (word[start:stop], *morphs)
            chains.append(Candidate((word[:start], *later), (total + cosine) / len(later)))
            if len(later) < segments - 1:
                stack.append((before, later, total + cosine))
    return chains
