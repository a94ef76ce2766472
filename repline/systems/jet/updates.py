"""The compiled loop that trains words, terms and entities: stochastic gradient steps, position by position.

At each position there is a group of targets for the word and one for each term that ends there; a group has one set of
contexts and negatives, rows of the context table:

    word          contexts: the words around it
    term          contexts: the words before its first and behind its last token
    its entities  the term's contexts and negatives, each with the weight 1 / |E_t|

All updates of one position are computed from the old values, and then applied together.
"""

import numpy as np

from repline.vectors.negative_sampling import (
    LEAST_RATE,
    below,
    compiled,
    drawn_word,
    log_logistic,
    longest_piece,
    uniform,
)

MEASURED = 16  # the objective of every 16th place is measured


@compiled
def add_group(vectors, contexts, targets, weights, rows, positives, rate, changes, deltas, measured):
    """Write the gradients of one group and return its objective.

        O(v) = sum over contexts of log s(c . v) + sum over negatives of log s(-n . v),    group: sum of weight * O(v)

    Args:
        vectors, contexts: float32 [., d], the two tables, unchanged.
        targets, weights: int64 and float32 [k], rows of `vectors`.
        rows: int64 [m], rows of `contexts`: the first `positives` are the contexts, the others negatives.
        rate: the learning rate.
        changes, deltas: float32 [k, d] and [m, d], written: rate times the gradients of the targets and of the rows.
        measured: whether the objective is wanted.

    Returns:
        the group's objective, 0 if it is not wanted.

    Source: section 3.1 and 3.2.
    """
    d = vectors.shape[1]
    total = 0.0
    changes[: len(targets)] = 0
    deltas[: len(rows)] = 0
    for k in range(len(targets)):
        vector, change, weight = vectors[targets[k]], changes[k], weights[k]
        for m in range(len(rows)):
            context, delta = contexts[rows[m]], deltas[m]
            dot = np.float32(0)
            for e in range(d):
                dot += vector[e] * context[e]
            sign = dot if m < positives else -dot
            if measured:
                total += weight * log_logistic(sign)
            wrong = np.float32(1) / (np.float32(1) + np.exp(sign))  # 1 - s(sign)
            factor = rate * weight * wrong if m < positives else -rate * weight * wrong
            for e in range(d):
                change[e] += factor * context[e]
                delta[e] += factor * vector[e]
    return total


@compiled
def fill_contexts(sentence, first, last, reach, rows, count):
    """Write the words around the tokens first..last to `rows` from `count` on; returns the new count.

    Args:
        sentence: its words [n], -1 where there is a hole: a rare word, or one that is left out as too frequent.
        reach: places to the left and to the right; holes count.
    """
    for position in range(max(0, first - reach), min(len(sentence), last + reach + 1)):
        if (position < first or position > last) and sentence[position] >= 0:
            rows[count] = sentence[position]
            count += 1
    return count


@compiled
def fill_negatives(rows, positives, negative, state, threshold, alias):
    """Draw `negative` words for each of the first `positives` rows, except that row itself; the new count."""
    count = positives
    for row in range(positives):
        for _ in range(negative):
            word = drawn_word(state, threshold, alias)
            if word != rows[row]:
                rows[count] = word
                count += 1
    return count


@compiled
def train_sentences(
    sentences, words, keep, keep_terms, threshold, alias, mentions, candidates, bases, vectors, contexts, options,
    progress, state, room,
):  # fmt: skip
    """Go through some sentences once.

    Args:
        sentences: int64 [s + 1] offsets in `words`, int32 [n], -1 for a rare word.
        keep, keep_terms: float32 [V] and [T], the probability that an occurrence stays.
        threshold, alias: arguments of `drawn_word`.
        mentions: (terms, first, last) in the order of `last`. candidates: (offsets, entities) of each term.
        bases: the rows of `vectors` where terms and entities begin; words begin at 0.
        options: (window, negative, learning rate).
        progress: int64 [2], tokens seen so far in all passes and tokens of all passes; the first is counted up.
        state: uint64 [1] of the random numbers.
        room: (targets, rows) that a place can have at most.

    Returns:
        (the sum of the objective over the measured places, how many weighted pairs of target and context it has).
    """
    window, negative, first_rate = options
    terms, first, last = mentions
    offsets, entities = candidates
    d = vectors.shape[1]
    targets, weights = np.empty(room[0], np.int64), np.empty(room[0], np.float32)
    rows = np.empty(room[1], np.int64)
    changes, deltas = np.empty((room[0], d), np.float32), np.empty((room[1], d), np.float32)
    buffer = np.empty(longest_piece(sentences), np.int64)
    total, pairs, trained_positions = 0.0, 0.0, 0
    mention = np.searchsorted(last, sentences[0])
    for number in range(len(sentences) - 1):
        start, end = sentences[number], sentences[number + 1]
        for token in range(start, end):
            word = words[token]
            stays = word >= 0 and (keep[word] >= 1 or uniform(state) < keep[word])
            buffer[token - start] = word if stays else -1
        sentence = buffer[: end - start]
        share = 1 - progress[0] / (progress[1] + 1)
        rate = np.float32(first_rate * max(share, LEAST_RATE))
        progress[0] += end - start
        for position in range(end - start):
            reach = window - below(state, window)
            measured = trained_positions % MEASURED == 0
            filled_targets = filled_rows = 0
            if sentence[position] >= 0:
                positives = fill_contexts(sentence, position, position, reach, rows, 0)
                if positives:
                    filled_rows = fill_negatives(rows, positives, negative, state, threshold, alias)
                    targets[0], weights[0] = sentence[position], 1
                    filled_targets = 1
                    total += add_group(
                        vectors, contexts, targets[:1], weights[:1], rows[:filled_rows], positives, rate, changes,
                        deltas, measured,
                    )  # fmt: skip
                    pairs += positives * measured
            while mention < len(terms) and last[mention] == start + position:
                term, begin = terms[mention], first[mention] - start
                mention += 1
                if keep_terms[term] < 1 and uniform(state) >= keep_terms[term]:
                    continue
                here = rows[filled_rows:]
                positives = fill_contexts(sentence, begin, position, reach, here, 0)
                if not positives:
                    continue
                drawn = fill_negatives(here, positives, negative, state, threshold, alias)
                group = filled_targets
                targets[group], weights[group] = bases[0] + term, 1
                filled_targets += 1
                size = offsets[term + 1] - offsets[term]
                for entry in range(offsets[term], offsets[term + 1]):
                    targets[filled_targets] = bases[1] + entities[entry]
                    weights[filled_targets] = np.float32(1) / np.float32(size)
                    filled_targets += 1
                total += add_group(
                    vectors, contexts, targets[group:filled_targets], weights[group:filled_targets], here[:drawn],
                    positives, rate, changes[group:], deltas[filled_rows:], measured,
                )  # fmt: skip
                pairs += (2 if size else 1) * positives * measured
                filled_rows += drawn
            for k in range(filled_targets):
                vector, change = vectors[targets[k]], changes[k]
                for e in range(d):
                    vector[e] += change[e]
            for m in range(filled_rows):
                context, delta = contexts[rows[m]], deltas[m]
                for e in range(d):
                    context[e] += delta[e]
            trained_positions += filled_targets > 0
    return total, pairs
