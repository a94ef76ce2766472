"""The compiled loop of the order-aware models: stochastic gradient steps with negative sampling, token by token.

    SSKIP   for each word o at offset j from the centre c:  log s(u_jo . v_c) + sum_n log s(-u_jn . v_c)
    CWIN    h = [v_-w; ...; v_-1; v_1; ...; v_w]:           log s(u_c . h) + sum_n log s(-u_n . h)

s is the logistic function. With one matrix U for all offsets SSKIP is the skip-gram of word2vec; with u_c of equal
blocks CWIN scores as CBOW with the sum of the context.

Source: Ling, Dyer, Black & Trancoso 2015, "Two/Too Simple Adaptations of Word2Vec for Syntax Problems".
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

SSKIP, CWIN = range(2)
MEASURED = 16  # the objective of every 16th prediction is measured


@compiled
def step(h, outputs, rows, count, rate, change, measured):
    """One step of gradient ascent for one prediction; the outputs move, h does not.

    Args:
        h: float32 [m], what predicts.
        outputs: float32 [rows, m].
        rows: of the true word and of the wrong words, int64; the first `count` are used.
        change: float32 [m], written: rate * d objective / d h, with the outputs before the step.
        measured: whether the objective is computed.

    Returns:
        the objective before the step, 0 where it is not measured.
    """
    m = len(h)
    for e in range(m):
        change[e] = 0
    objective = np.float32(0)
    for row in range(count):
        output = outputs[rows[row]]
        dot = np.float32(0)
        for e in range(m):
            dot += h[e] * output[e]
        sign = dot if row == 0 else -dot
        wrong = np.float32(1) / (np.float32(1) + np.exp(sign))  # 1 - s(sign)
        if measured:
            objective += log_logistic(sign)
        g = rate * wrong if row == 0 else -rate * wrong
        for e in range(m):
            old = output[e]
            change[e] += g * old
            output[e] = old + g * h[e]
    return objective


@compiled
def draw(state, threshold, alias, target, negative, first, rows):
    """Draw wrong words; write the rows of the true word and of them, `first` added to each, and return how many.

    A drawn word that is the true one is left out.
    """
    rows[0] = first + target
    count = 1
    for _ in range(negative):
        word = drawn_word(state, threshold, alias)
        if word != target:
            rows[count] = first + word
            count += 1
    return count


@compiled
def train_sentences(sentences, words, keep, threshold, alias, inputs, outputs, kind, blocks, options, progress, state):
    """Go through some sentences once.

    Args:
        sentences: int64 [s + 1], offsets in `words`, int32 [n].
        keep: float32 [V], the probability that an occurrence of a word stays.
        threshold, alias: of `drawn_word`.
        inputs: float32 [V, d].
        outputs: float32 [2 w V, d], the matrices of the offsets one after another; for CWIN [V, 2 w d].
        kind: SSKIP or CWIN.
        blocks: int64 [2 w], for SSKIP the number of the matrix of each offset -w .. -1, 1 .. w.
        options: (window w, negative, learning rate).
        progress: int64 [2], words seen so far in all epochs and words of all epochs; the first is counted up.
        state: uint64 [1] of the random numbers.

    Returns:
        (the sum of the measured objectives, how many were measured).
    """
    window, negative, first_rate = options
    d, size = inputs.shape[1], len(keep)
    width = d if kind == SSKIP else 2 * window * d
    h, change = np.zeros(width, np.float32), np.zeros(width, np.float32)
    rows = np.zeros(negative + 1, np.int64)
    sentence = np.empty(longest_piece(sentences), np.int64)
    total, predictions, measures = 0.0, 0, 0
    for number in range(len(sentences) - 1):
        length = 0
        for position in range(sentences[number], sentences[number + 1]):
            word = words[position]
            if keep[word] >= 1 or uniform(state) < keep[word]:
                sentence[length] = word
                length += 1
        rate = np.float32(first_rate * max(1 - progress[0] / (progress[1] + 1), LEAST_RATE))
        progress[0] += sentences[number + 1] - sentences[number]
        for position in range(length):
            centre = sentence[position]
            if kind == SSKIP:
                reach = window - below(state, window)
                vector = inputs[centre]
                for context in range(max(0, position - reach), min(length, position + reach + 1)):
                    if context == position:
                        continue
                    offset = context - position + window - (1 if context > position else 0)
                    count = draw(state, threshold, alias, sentence[context], negative, blocks[offset] * size, rows)
                    measured = predictions % MEASURED == 0
                    total += step(vector, outputs, rows, count, rate, change, measured)
                    measures += measured
                    predictions += 1
                    for e in range(d):
                        vector[e] += change[e]
            elif length > 1:
                count = draw(state, threshold, alias, centre, negative, 0, rows)
                for offset in range(2 * window):
                    context = position + offset - window + (1 if offset >= window else 0)
                    part = h[offset * d : (offset + 1) * d]
                    if 0 <= context < length:
                        vector = inputs[sentence[context]]
                        for e in range(d):
                            part[e] = vector[e]
                    else:
                        for e in range(d):
                            part[e] = 0
                measured = predictions % MEASURED == 0
                total += step(h, outputs, rows, count, rate, change, measured)
                measures += measured
                predictions += 1
                for offset in range(2 * window):
                    context = position + offset - window + (1 if offset >= window else 0)
                    if 0 <= context < length:
                        vector = inputs[sentence[context]]
                        for e in range(d):
                            vector[e] += change[offset * d + e]
    return total, measures
