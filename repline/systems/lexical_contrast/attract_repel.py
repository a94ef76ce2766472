"""Attract-Repel: bring the words of some pairs near each other and drive those of others apart, by small batches.

    attract = Σ over places  max(0, δ_att + u·u_t - u·u_p)
    repel   = Σ over places  max(0, δ_rpl + u·u_p - u·u_t)
    + k λ Σ over places  1/2 |x0 - u|²,    u = x / |x|

Every place has a word, its partner p and a negative example t, another word of the batch: the most similar one when
attracting, the least similar one when repelling, or with a probability a random one. The factor k and the distance
to u in place of x are those of the authors' program; that a word is never its own negative is not.

Notation: V words, d dimensions, k pairs a batch with 2k places (k left words, then k right ones), m different words in
a batch. x is `x` [m, d] of `matrix` [V, d], x0 `original`, the vectors before; δ_att and δ_rpl are `attract_margin` and
`repel_margin`, λ `regularisation`, the probability `mix`; u_t of every place is chosen by `negatives` [2k].

A step is one batch of one kind: gradients of the same word are summed, clipped to [-2, 2], and applied by Adagrad with
a state of its own for each kind. The 2k hinges are one sparse m x m matrix of coefficients C, and the gradient by all
u is (C + Cᵀ) u: two small matrix products a step.

Rows are brought to length one by `repline.vectors.normalisation`; pairs come from
`repline.systems.lexical_contrast.constraint_rows`.

Source: Mrkšić, Vulić, Ó Séaghdha, Leviant, Reichart, Gašić, Korhonen and Young 2017, "Semantic Specialization of
Distributional Word Vector Spaces using Monolingual and Cross-Lingual Constraints"; Vulić & Korhonen 2018, section 3;
what the papers leave unsaid is as in github.com/nmrksic/attract-repel.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.systems.lexical_contrast.constraint_rows import with_directions
from repline.systems.lexical_contrast.settings import AttractRepel
from repline.vectors.normalisation import unit_length

Kind = Literal["attract", "repel"]
CLIP = 2.0
AS_PUBLISHED = AttractRepel()
ACCUMULATOR = 0.1  # of Adagrad, at the start


def attract_repel(
    matrix: NDArray,
    attract: NDArray,
    repel: NDArray,
    recipe: AttractRepel = AS_PUBLISHED,
    *,
    seed: int = 0,
    report: Callable[[int, float], None] | None = None,
) -> NDArray:
    """Vectors of length one in which the pairs to attract are near, and those to repel far apart.

    An epoch makes floor(n / batch) steps of each kind in a random order, over the shuffled pairs; the rest is left out.

    Args:
        matrix: [V, d] float; read only. Its lengths matter: Adagrad works on x, so a longer vector turns more slowly.
        attract, repel: [n, 2] int, rows of the matrix, different unordered pairs; empty for none.
        recipe: how long, how fast, with which margins.
        seed: of the order of the pairs and steps, and of the random negatives.
        report: called after each epoch with its number from 1 and the mean cost of a pair.

    Returns:
        [V, d] of the type of `matrix`; a word without constraints keeps its direction exactly. A vector of length zero
        has none, so pairs of its word are left out.

    Raises:
        ValueError: pairs of a wrong form, of a word with itself or twice; fewer pairs than a batch.

    Source: Mrkšić et al. 2017, section 3; Vulić and Korhonen 2018, section 3.
    """
    batch = recipe.batch
    attract, repel = (_checked(pairs, matrix, batch) for pairs in (attract, repel))
    result = unit_length(matrix)
    if not len(attract) + len(repel) or not recipe.epochs:
        return result
    rows, compact_pairs = np.unique(np.concatenate([attract, repel]), return_inverse=True)  # only these words can move
    compact_pairs = compact_pairs.reshape(-1, 2)
    pairs = {"attract": compact_pairs[: len(attract)], "repel": compact_pairs[len(attract) :]}
    margin = {"attract": recipe.attract_margin, "repel": recipe.repel_margin}
    original = np.array(matrix[rows])
    vectors = original.copy()
    state = {kind: np.full_like(vectors, ACCUMULATOR) for kind in pairs if len(pairs[kind])}
    random = np.random.default_rng(seed)
    for epoch in range(1, recipe.epochs + 1):
        total, steps = 0.0, 0
        for kind, words, position_words, replacement in _epoch(pairs, batch, recipe.mix, random):
            x = vectors[words]
            cost, gradient = cost_and_gradient(
                x, position_words, kind, margin[kind], replacement, original[words], batch * recipe.regularisation
            )
            vectors[words] = x - adagrad(gradient, state[kind], words, recipe.learning_rate)
            total, steps = total + cost, steps + 1
        if report:
            report(epoch, total / (steps * batch))
    moved = (vectors != original).any(1)  # a word whose pairs were in no batch has not
    result[rows[moved]] = unit_length(vectors[moved])
    return result


def cost_and_gradient(
    x: NDArray,
    position_words: NDArray,
    kind: Kind,
    margin: float,
    replacement: NDArray | None = None,
    original: NDArray | None = None,
    weight: float = 0.0,
) -> tuple[float, NDArray]:
    """The cost of a batch and its gradient by every word's vector.

    Args:
        x: [m, d], the different words of the batch.
        position_words: [2k], which of them stands at each place; place i + k is the partner of place i.
        replacement: [2k], the place whose word is the negative instead, -1 to search for it; None to search for all.
        original: [m, d], x0, and weight = k lambda; 0 for no regularisation.

    Returns:
        The cost; [m, d], orthogonal to x row by row, since the cost depends on directions only.
    """
    m, k = len(x), len(position_words) // 2
    length = np.sqrt(np.einsum("md,md->m", x, x))[:, None]  # [m, 1]
    u = x / length
    similarity = u @ u.T  # [m, m]
    partner = np.concatenate([position_words[k:], position_words[:k]])  # [2k]
    negative = negatives(similarity, position_words, partner, kind)
    if replacement is not None:
        negative = np.where(replacement >= 0, position_words[replacement], negative)
    near, far = position_words * m + partner, position_words * m + negative  # [2k], places in the flat m x m
    sign = 1.0 if kind == "attract" else -1.0
    flat = similarity.ravel()
    hinge = margin + sign * (flat[far] - flat[near])  # [2k]
    active = (sign * (hinge > 0)).astype(x.dtype)
    coefficients = np.zeros((m, m), x.dtype)
    np.add.at(coefficients.reshape(-1), far, active)
    np.subtract.at(coefficients.reshape(-1), near, active)
    cost = float(np.maximum(hinge, 0).sum())
    by_u = (coefficients + coefficients.T) @ u  # [m, d]
    if weight:
        apart, times = u - original, np.bincount(position_words, minlength=m)
        by_u += (weight * times).astype(x.dtype)[:, None] * apart
        cost += weight / 2 * float(times @ np.einsum("md,md->m", apart, apart))
    return cost, (by_u - np.einsum("md,md->m", by_u, u)[:, None] * u) / length


def negatives(similarity: NDArray, position_words: NDArray, partner: NDArray, kind: Kind) -> NDArray[np.int64]:
    """The negative of every place: the most (attract) or least (repel) similar word but itself and its partner.

    Args:
        similarity: [m, m], of the different words of a batch.
        position_words, partner: [2k], the word at each place and the other word of its pair.

    Returns:
        [2k], words 0..m-1.
    """
    candidates = similarity[position_words] if kind == "attract" else -similarity[position_words]  # [2k, m], a copy
    every = np.arange(len(position_words))
    candidates[every, position_words] = candidates[every, partner] = -np.inf
    return candidates.argmax(1)


def adagrad(gradient: NDArray, state: NDArray, rows: NDArray, learning_rate: float) -> NDArray:
    """What to subtract from `rows`; their state grows by the square of the clipped gradient, in place.

        g <- clip(g, -2, 2);   s <- s + g^2;   step = rate g / sqrt(s)

    Args:
        gradient: [m, d]; state: [V, d]; rows: [m], different.
    """
    gradient = np.minimum(np.maximum(gradient, -CLIP), CLIP)  # what numpy.clip does, without its overhead
    grown = state[rows] + gradient * gradient
    state[rows] = grown
    return learning_rate * gradient / np.sqrt(grown)


def _epoch(pairs: dict[str, NDArray], batch: int, mix: float, random: np.random.Generator):
    """The steps of one epoch: (kind, different words [m], the word at each place [2k], replacement [2k])."""
    steps = {kind: len(rows) // batch for kind, rows in pairs.items()}
    order = random.permutation(np.repeat([0, 1], [steps["attract"], steps["repel"]]))
    drawn = {}
    for kind, count in steps.items():
        shuffled = pairs[kind][random.permutation(len(pairs[kind]))[: count * batch]].reshape(count, batch, 2)
        pair_of_place = np.tile(np.arange(batch), 2)  # the pair of each place
        other_pair = (pair_of_place + random.integers(1, batch, (count, 2 * batch))) % batch
        side = random.integers(0, 2, (count, 2 * batch))
        replaced = random.random((count, 2 * batch)) < mix
        rows = _different(shuffled.transpose(0, 2, 1).reshape(count, 2 * batch))  # left words, then right ones
        drawn[kind] = iter(zip(*rows, np.where(replaced, other_pair + side * batch, -1), strict=True))
    for step in order:
        kind = ("attract", "repel")[step]
        yield kind, *next(drawn[kind])


def _different(rows: NDArray) -> tuple[list[NDArray], NDArray]:
    """`np.unique` with the inverse of every row of [n, 2k] at once: n arrays of different values, [n, 2k] places."""
    order = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=1)
    new = np.diff(ordered, axis=1, prepend=-1) != 0
    inverse = np.empty_like(order)
    np.put_along_axis(inverse, order, np.cumsum(new, axis=1) - 1, axis=1)
    return np.split(ordered[new], np.cumsum(new.sum(1))[:-1]) if len(rows) else [], inverse


def _checked(pairs: NDArray, matrix: NDArray, batch: int) -> NDArray[np.int64]:
    """The pairs whose words have directions; ValueError where they are wrong, or too few for a batch."""
    pairs, words = np.asarray(pairs), len(matrix)
    if not pairs.size:
        return np.empty((0, 2), np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise ValueError(f"pairs should be an [n, 2] array of rows of the matrix, found {pairs.dtype} {pairs.shape}")
    if pairs.min() < 0 or pairs.max() >= words:
        raise ValueError(f"a pair names row {pairs.max() if pairs.max() >= words else pairs.min()} of {words}")
    low, high = pairs.min(1), pairs.max(1)
    if (low == high).any():
        raise ValueError(f"row {low[low == high][0]} is paired with itself")
    if len(np.unique(low.astype(np.int64) * words + high)) < len(pairs):
        raise ValueError("a pair is there twice; give different unordered pairs")
    directed = with_directions(pairs, matrix)
    if len(directed) < batch:
        excluded = len(pairs) - len(directed)
        why = f" ({excluded} more have a word whose vector is zero)" if excluded else ""
        raise ValueError(f"{len(directed)} pairs make no batch of {batch}{why}; choose a smaller batch")
    return directed.astype(np.int64)
