"""The compiled loop that trains all models: stochastic gradient steps of the objective in `model`, token by token.

A model differs from the others only in which bags of vectors predict the target word, so there is one loop:

    for each token t:  fill the bags -> h_k -> for the target and each negative: the errors of all h_k -> the members

Words, characters and components are rows of one matrix of input vectors; `Subwords` says which rows are whose.
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

CONTEXT_WORDS, CONTEXT_CHARACTERS, CONTEXT_COMPONENTS, OWN_CHARACTERS, OWN_COMPONENTS, COMPOSED_CONTEXT = range(6)
MEASURED = 16  # the objective of every 16th token is measured


@compiled
def _add_all(rows, first, last, members, count):
    for position in range(first, last):
        members[count] = rows[position]
        count += 1
    return count


@compiled
def fill_bag(kind, sentence, low, high, center, characters, components, composes, members, weights):
    """The members of one bag for the token at `center`, whose context is [low, high) without it.

    Args:
        characters, components: (rows, offsets) of each word.
        composes: [V] bool, the words that COMPOSED_CONTEXT takes with their characters.
        members, weights: written: rows of the input matrix, and their weights, of sum one.

    Returns:
        how many members; a member occurs as often as it is there.
    """
    count = 0
    if kind in (OWN_CHARACTERS, OWN_COMPONENTS):
        rows, offsets = characters if kind == OWN_CHARACTERS else components
        word = sentence[center]
        count = _add_all(rows, offsets[word], offsets[word + 1], members, count)
    elif kind == COMPOSED_CONTEXT:
        share = np.float32(1) / np.float32(high - low - 1)
        rows, offsets = characters
        for position in range(low, high):
            if position == center:
                continue
            word = sentence[position]
            inside = offsets[word + 1] - offsets[word]
            with_characters = composes[word] and inside > 0
            members[count] = word
            weights[count] = share * np.float32(0.5) if with_characters else share
            count += 1
            if with_characters:
                start = count
                count = _add_all(rows, offsets[word], offsets[word + 1], members, count)
                for member in range(start, count):
                    weights[member] = share * np.float32(0.5) / np.float32(inside)
        return count
    else:
        rows, offsets = components if kind == CONTEXT_COMPONENTS else characters
        for position in range(low, high):
            if position == center:
                continue
            word = sentence[position]
            if kind == CONTEXT_WORDS:
                members[count] = word
                count += 1
            else:
                count = _add_all(rows, offsets[word], offsets[word + 1], members, count)
    if count:
        share = np.float32(1) / np.float32(count)
        for member in range(count):
            weights[member] = share
    return count


@compiled
def step(
    inputs, outputs, target, negatives, drawn, members, weights, ends, bags, consistency, divided, rate, h, errors, g,
    measured, objective,
):  # fmt: skip
    """One step of gradient ascent for one token, in place.

        objective = sum_k [log s(o_t . h_k) + sum_n log s(-o_n . h_k)]  + log s(o_t . mean_k h_k), with consistency

    The mean of the dot products is the dot product of the mean, so consistency costs one logistic function.

    Args:
        inputs, outputs: float32 [rows, d] and [V, d].
        target: the word t. negatives: the first `drawn` are used, and t is not among them.
        members, weights, ends: of all bags, one after another; bag k ends at ends[k].
        bags: how many.
        divided: whether a member gets the gradient times its weight, or, as in word2vec, the whole.
        rate: the learning rate.
        h, errors: float32 [>= bags, d], and g: float32 [>= bags]; work space. Afterwards `errors` holds
            rate * d objective / d h_k.
        measured: whether the objective before the step is written to `objective`, float64 [>= bags + 1]: of each bag,
            and behind them of the consistency.
    """
    d = inputs.shape[1]
    start = 0
    for k in range(bags):
        sums, change = h[k], errors[k]
        for e in range(d):
            sums[e] = 0
            change[e] = 0
        for member in range(start, ends[k]):
            vector, weight = inputs[members[member]], weights[member]
            for e in range(d):
                sums[e] += weight * vector[e]
        start = ends[k]
    if measured:
        objective[: bags + 1] = 0
    for position in range(drawn + 1):
        positive = position == 0
        output = outputs[target] if positive else outputs[negatives[position - 1]]
        mean = np.float32(0)
        for k in range(bags):
            vector = h[k]
            dot = np.float32(0)
            for e in range(d):
                dot += vector[e] * output[e]
            mean += dot
            sign = dot if positive else -dot
            wrong = np.float32(1) / (np.float32(1) + np.exp(sign))  # 1 - s(sign)
            if measured:
                objective[k] += log_logistic(sign)
            g[k] = rate * wrong if positive else -rate * wrong
        if positive and consistency:
            mean /= np.float32(bags)
            wrong = np.float32(1) / (np.float32(1) + np.exp(mean))
            if measured:
                objective[bags] = log_logistic(mean)
            for k in range(bags):
                g[k] += rate * wrong / np.float32(bags)
        for k in range(bags):
            change, factor = errors[k], g[k]
            for e in range(d):
                change[e] += factor * output[e]
        for k in range(bags):
            vector, factor = h[k], g[k]
            for e in range(d):
                output[e] += factor * vector[e]
    start = 0
    for k in range(bags):
        change = errors[k]
        for member in range(start, ends[k]):
            vector = inputs[members[member]]
            weight = weights[member] if divided else np.float32(1)
            for e in range(d):
                vector[e] += weight * change[e]
        start = ends[k]


@compiled
def train_sentences(
    sentences, words, keep, threshold, alias, subwords, inputs, outputs, kinds, options, progress, state, longest
):
    """Go through some sentences once.

    Args:
        sentences: int64 [s + 1] offsets in `words`, int32 [n].
        keep: float32 [V], the probability that an occurrence of a word stays.
        threshold, alias: arguments of `drawn_word`.
        subwords: (characters, components, composes) of `fill_bag`.
        kinds: int64 [K], the bags.
        options: (window, negative, consistency, divided, learning rate).
        progress: int64 [2], words seen so far in all passes and words of all passes; the first is counted up.
        state: uint64 [1] of the random numbers.
        longest: members that all bags of a token can have together.

    Returns:
        (the sum of the objective over tokens, how many tokens).
    """
    window, negative, consistency, divided, first_rate = options
    characters, components, composes = subwords
    d = inputs.shape[1]
    members, weights = np.empty(longest, np.int64), np.empty(longest, np.float32)
    ends, negatives = np.empty(len(kinds), np.int64), np.empty(max(negative, 1), np.int64)
    h, errors = np.empty((len(kinds), d), np.float32), np.empty((len(kinds), d), np.float32)
    g, objective = np.empty(len(kinds), np.float32), np.zeros(len(kinds) + 1)
    sentence = np.empty(longest_piece(sentences), np.int64)
    total, tokens = 0.0, 0
    for number in range(len(sentences) - 1):
        length = 0
        for position in range(sentences[number], sentences[number + 1]):
            word = words[position]
            if keep[word] >= 1 or uniform(state) < keep[word]:
                sentence[length] = word
                length += 1
        share = 1 - progress[0] / (progress[1] + 1)
        rate = np.float32(first_rate * max(share, LEAST_RATE))
        progress[0] += sentences[number + 1] - sentences[number]
        for center in range(length):
            reach = window - below(state, window)
            low, high = max(0, center - reach), min(length, center + reach + 1)
            if high - low < 2:
                continue
            drawn = 0
            for _ in range(negative):
                word = drawn_word(state, threshold, alias)
                if word != sentence[center]:
                    negatives[drawn] = word
                    drawn += 1
            bags = filled = 0
            for kind in kinds:
                count = fill_bag(
                    kind,
                    sentence,
                    low,
                    high,
                    center,
                    characters,
                    components,
                    composes,
                    members[filled:],
                    weights[filled:],
                )
                if count:
                    filled += count
                    ends[bags] = filled
                    bags += 1
            if bags:
                measured = tokens % MEASURED == 0
                step(
                    inputs, outputs, sentence[center], negatives, drawn, members, weights, ends, bags, consistency,
                    divided, rate, h, errors, g, measured, objective,
                )  # fmt: skip
                if measured:
                    total += objective[0]
                tokens += 1
    return total, tokens
