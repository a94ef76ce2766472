"""CBOW on a bitext: a word is predicted from its own window, the windows of matching words, and the parallel sentence.

Notation: V = n + t words, d dimensions, u [V, d] vectors of contexts (the result), v [V, d] of targets.
Negative sampling stands for the softmax:  log P(w | h) = log σ(v_w · h) + Σ_n log σ(-v_n · h), over drawn words n.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.caches.compiled_loops import ON_DISK
from repline.systems.cjc.character_matching import token_matches
from repline.systems.cjc.parallel_sentences import Side
from repline.systems.cjc.settings import CBOW
from repline.vectors import denormals
from repline.vectors.negative_sampling import LEAST_RATE, compiled, keep_probabilities

DEFAULTS = CBOW()
TABLE = 1 << 20  # entries that negatives are drawn from
POWER = 0.75
MULTIPLIER, INCREMENT = np.uint64(25214903917), np.uint64(11)  # of word2vec's random numbers
SHIFT, MASK = np.uint64(16), np.uint64(0xFFFFFFFF)
UNIT = 1.0 / (1 << 32)


@denormals.as_zero()
def cbow_vectors(
    first: Side,
    second: Side,
    matches: sparse.csr_array,
    counts: NDArray[np.int64],
    recipe: CBOW = DEFAULTS,
    *,
    window: int = 5,
    seed: int = 0,
    report: Callable[[int], None] | None = None,
) -> NDArray[np.float32]:
    """Train SenBow (`matching`, lambda, = 0) or CJ-BOC.

    three_loss, eq. (5) of the paper: three predictions, each from the mean of one context, with their weights:

        log P(w | own window) + lambda log P(w | windows around matching words) + mu log P(w | parallel sentence)

    mix_hidden, what the authors' program does: one prediction from a mixed context, which trains the own window alone:

        h = f1 mean(own window) + f2 mean(windows around matching words) + f3 mean(parallel sentence)

    where nothing matches, or lambda is 0, f2 goes to the sentence; the two weights have no other part in this form.
    As in word2vec every word of a context gets the whole error, however many there are.

    Args:
        first, second: as many sentences on both sides, words numbered 0..n-1 and n..V-1.
        matches: bool [n, t], see `repline.systems.cjc.character_matching.word_matches`.
        counts: [V] occurrences of the words, by which negatives are drawn (to the power 0.75; from the words of both
            languages, or of the predicted word's own, as `negatives` says) and words left out.
        recipe: the form, lambda = `matching`, mu = `parallel`, f1 to f3 = `mix`, and the rest.
        window: the largest width; a width up to it is drawn for each word, its window and those of matching words.
        seed: of the first vectors and of all that is drawn.
        report: called with the iterations done.

    Returns:
        u [V, d]

    Raises:
        FloatingPointError: the training diverged.

    Source: Wang et al. 2018, eq. (5); https://github.com/jileiwang/CJC
    """
    n = matches.shape[0]
    rng = np.random.default_rng(seed)
    u = ((rng.random((len(counts), recipe.dimensions)) - 0.5) / recipe.dimensions).astype(np.float32)
    v = np.zeros_like(u)
    i, j = token_matches(first, second, matches)
    partners = (*_lists(i, j, len(first.ids)), *_lists(j, i, len(second.ids)))
    sides = first.ids, first.offsets, second.ids, second.offsets
    keep = _chance_to_stay(counts, n, recipe.sample)
    if recipe.negatives == "both":
        tables = (_negative_table(counts),) * 2
    else:
        tables = _negative_table(counts[:n]), n + _negative_table(counts[n:])
    state = np.array([rng.integers(1 << 62)], dtype=np.uint64)
    weights = float(recipe.matching), float(recipe.parallel), np.asarray(recipe.mix, np.float32)
    knobs = recipe.form == "mix_hidden", *weights, recipe.include_match, window, recipe.negative
    for iteration in range(recipe.iterations):
        shares_done = iteration / recipe.iterations, (iteration + 1) / recipe.iterations
        rates = [recipe.learning_rate * max(1 - share, LEAST_RATE) for share in shares_done]
        arguments: tuple[Any, ...] = (*sides, *partners, keep, *tables, u, v, state, *knobs, *rates)
        _epoch(*arguments)
        if report:
            report(iteration + 1)
    if not np.isfinite(u).all():
        raise FloatingPointError("CBOW: the vectors are not finite; take a smaller learning_rate")
    return u


def _negative_table(counts: NDArray) -> NDArray[np.int32]:
    """Words [TABLE], each as often as its count to the power 0.75 has a share in the sum."""
    weights = counts**POWER
    return np.searchsorted(np.cumsum(weights) / weights.sum(), (np.arange(TABLE) + 0.5) / TABLE).astype(np.int32)


def _lists(token_of_pair: NDArray, partner: NDArray, tokens: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The partners of each token: (starts [tokens + 1], partners)."""
    order = np.argsort(token_of_pair, kind="stable")
    return np.concatenate([[0], np.cumsum(np.bincount(token_of_pair, minlength=tokens))]).astype(np.int64), partner[
        order
    ]


def _chance_to_stay(counts: NDArray, n: int, sample: float) -> NDArray[np.float32]:
    """The chance of an occurrence to stay [V], by the share of its language."""
    return np.concatenate([keep_probabilities(side, sample, max(side.sum(), 1)) for side in (counts[:n], counts[n:])])


@numba.njit(cache=ON_DISK, inline="always")
def _draw(state: Any) -> Any:
    """The next 32 random bits."""
    state[0] = state[0] * MULTIPLIER + INCREMENT
    return (state[0] >> SHIFT) & MASK


@compiled
def _predict(hidden: Any, error: Any, word: int, v: Any, table: Any, negative: int, rate: float, state: Any) -> None:
    """A step on log P(word | hidden); `error` becomes the step of the hidden vector."""
    error[:] = 0
    for number in range(negative + 1):
        target, label = word, 1.0
        if number:
            target, label = table[_draw(state) % np.uint64(table.shape[0])], 0.0
            if target == word:
                continue
        row = v[target]
        product = np.float32(0)
        for k in range(hidden.shape[0]):
            product += hidden[k] * row[k]
        step = np.float32((label - 1 / (1 + np.exp(-product))) * rate)
        for k in range(hidden.shape[0]):
            error[k] += step * row[k]
            row[k] += step * hidden[k]


@compiled
def _add(words: Any, size: int, share: Any, u: Any, hidden: Any) -> None:
    """Add share x the mean of the first `size` words' vectors to the hidden vector."""
    factor = np.float32(share / size)
    for position in range(size):
        row = u[words[position]]
        for k in range(hidden.shape[0]):
            hidden[k] += factor * row[k]


@compiled
def _give(words: Any, size: int, u: Any, error: Any) -> None:
    """Add the error to the vectors of the first `size` words."""
    for position in range(size):
        row = u[words[position]]
        for k in range(error.shape[0]):
            row[k] += error[k]


@numba.njit(cache=ON_DISK, error_model="numpy")
def _sampled(ids: Any, start: int, stop: int, keep: Any, state: Any, words: Any, tokens: Any, position_of: Any) -> int:
    """Draw the tokens of a sentence that stay: words and numbers; `position_of` is the inverse, -1 for the others."""
    size = 0
    for token in range(start, stop):
        position_of[token - start] = -1
        if keep[ids[token]] < 1 and keep[ids[token]] < _draw(state) * UNIT:
            continue
        words[size], tokens[size], position_of[token - start] = ids[token], token, size
        size += 1
    return size


@numba.njit(cache=ON_DISK, error_model="numpy")
def _window(words: Any, size: int, center: Any, width: Any, included: bool, context: Any, so_far: int) -> int:
    """Append the words at most `width` from `center` to `context`; returns how many there are then."""
    for position in range(max(0, center - width), min(size, center + width + 1)):
        if (included or position != center) and so_far < context.shape[0]:
            context[so_far] = words[position]
            so_far += 1
    return so_far


@numba.njit(cache=ON_DISK, error_model="numpy")
def _longest(offsets: Any) -> int:
    longest = 0
    for sentence in range(offsets.shape[0] - 1):
        longest = max(longest, offsets[sentence + 1] - offsets[sentence])
    return longest


@numba.njit(cache=ON_DISK, error_model="numpy")
def _epoch(
    first_ids: Any,
    first_offsets: Any,
    second_ids: Any,
    second_offsets: Any,
    first_starts: Any,
    first_partners: Any,
    second_starts: Any,
    second_partners: Any,
    keep: Any,
    first_table: Any,
    second_table: Any,
    u: Any,
    v: Any,
    state: Any,
    mixed: bool,
    matching: float,
    parallel: float,
    mix: Any,
    include_match: bool,
    window: int,
    negative: int,
    rate_from: float,
    rate_to: float,
) -> None:
    """A pass over all pairs of sentences, both directions of each."""
    longest = max(_longest(first_offsets), _longest(second_offsets))
    words = np.empty((2, longest), np.int32)
    tokens = np.empty((2, longest), np.int64)
    position_of = np.empty((2, longest), np.int64)
    context = np.empty(2 * window, np.int32)
    matched_context = np.empty(longest * (2 * window + 1), np.int32)
    hidden, error = np.zeros(u.shape[1], np.float32), np.zeros(u.shape[1], np.float32)
    pairs = first_offsets.shape[0] - 1
    for pair in range(pairs):
        rate = rate_from + (rate_to - rate_from) * pair / pairs
        a, b = first_offsets[pair], second_offsets[pair]
        size_a = _sampled(first_ids, a, first_offsets[pair + 1], keep, state, words[0], tokens[0], position_of[0])
        size_b = _sampled(second_ids, b, second_offsets[pair + 1], keep, state, words[1], tokens[1], position_of[1])
        for side in range(2):
            size, size_other = (size_a, size_b) if side == 0 else (size_b, size_a)
            starts, partners = (first_starts, first_partners) if side == 0 else (second_starts, second_partners)
            start_other = b if side == 0 else a
            table = first_table if side == 0 else second_table
            here, there = words[side], words[1 - side]
            for center in range(size):
                width = window - np.int64(_draw(state) % np.uint64(window))
                size_own = _window(here, size, center, width, False, context, 0)
                size_near = 0
                if matching > 0:
                    token = tokens[side, center]
                    for number in range(starts[token], starts[token + 1]):
                        match = position_of[1 - side, partners[number] - start_other]
                        if match >= 0:
                            size_near = _window(
                                there, size_other, match, width, include_match, matched_context, size_near
                            )
                if mixed:
                    if size_own == 0:
                        continue
                    hidden[:] = 0
                    _add(context, size_own, mix[0], u, hidden)
                    near_share = mix[1] if size_near > 0 else np.float32(0)
                    if size_near > 0:
                        _add(matched_context, size_near, near_share, u, hidden)
                    if size_other > 0:
                        _add(there, size_other, mix[1] + mix[2] - near_share, u, hidden)
                    _predict(hidden, error, here[center], v, table, negative, rate, state)
                    _give(context, size_own, u, error)
                    continue
                if size_own > 0:
                    hidden[:] = 0
                    _add(context, size_own, 1.0, u, hidden)
                    _predict(hidden, error, here[center], v, table, negative, rate, state)
                    _give(context, size_own, u, error)
                if size_near > 0:
                    hidden[:] = 0
                    _add(matched_context, size_near, 1.0, u, hidden)
                    _predict(hidden, error, here[center], v, table, negative, rate * matching, state)
                    _give(matched_context, size_near, u, error)
                if size_other > 0 and parallel > 0:
                    hidden[:] = 0
                    _add(there, size_other, 1.0, u, hidden)
                    _predict(hidden, error, here[center], v, table, negative, rate * parallel, state)
                    _give(there, size_other, u, error)
