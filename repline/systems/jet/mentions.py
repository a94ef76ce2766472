"""Find all mentions of a terminology's terms in a text, overlapping ones included, by a trie of tokens.

Tokens and nodes are numbers. The first token of a term leads to its node by a table, each further one by a hash table
of (node, token), so a position of the text costs one look-up more than the longest match there has tokens.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.vectors.negative_sampling import compiled

NONE = np.int32(-1)


class Trie(NamedTuple):
    """A trie of terms by their tokens.

    Attributes:
        first: int32 [V], the node of each token as the first one, -1 for none.
        keys: int64 [2^n], node << 32 | token of each arc, -1 for an empty slot. nodes: int32 [2^n] where it leads.
        terms: int32 [nodes], the term that ends at each node, -1 for none.
    """

    first: NDArray[np.int32]
    keys: NDArray[np.int64]
    nodes: NDArray[np.int32]
    terms: NDArray[np.int32]


class Mentions(NamedTuple):
    """Mentions in the order of their last tokens, of the same last token the longest first.

    Attributes:
        terms: int32 [m]. first, last: int64 [m], positions of the first and the last token.
    """

    terms: NDArray[np.int32]
    first: NDArray[np.int64]
    last: NDArray[np.int64]


def trie_of(tokens: NDArray[np.int32], offsets: NDArray[np.int64], vocabulary: int) -> Trie:
    """A trie of terms.

    Args:
        tokens, offsets: term t is `tokens[offsets[t] : offsets[t + 1]]`; one with a token of -1 is left out.
        vocabulary: V, how many tokens there are.
    """
    slots = 1 << max(4, int(2 * max(len(tokens), 1) - 1).bit_length())
    first, terms = np.full(vocabulary, NONE), np.full(len(tokens) + 1, NONE)
    keys, nodes = np.full(slots, -1, np.int64), np.full(slots, NONE)
    node_count = _grow(tokens, offsets, first, keys, nodes, terms)
    return Trie(first, keys, nodes, terms[:node_count].copy())


def find_mentions(tokens: NDArray[np.int32], sentences: NDArray[np.int64], trie: Trie) -> Mentions:
    """All mentions of the trie's terms within the sentences.

    Args:
        tokens: of a text, -1 for those that are in no term. sentences: [s + 1] offsets in it.
    """
    room = len(tokens) + 16
    while True:
        terms, first, last = np.empty(room, np.int32), np.empty(room, np.int64), np.empty(room, np.int64)
        number = _find(tokens, sentences, *trie, terms, first, last)
        if number <= room:
            break
        room = number
    order = np.argsort(last[:number], kind="stable")  # they are found in the order of their first tokens
    return Mentions(terms[order], first[order], last[order])


@compiled
def _slot(keys, key):
    """The slot of a key, or the empty one where it belongs."""
    mask = np.uint64(len(keys) - 1)
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = (mixed ^ (mixed >> np.uint64(32))) & mask
    while keys[slot] != key and keys[slot] != -1:
        slot = (slot + np.uint64(1)) & mask
    return slot


@compiled
def _grow(tokens, offsets, first, keys, nodes, terms):
    node_count = 0
    for term in range(len(offsets) - 1):
        has_all_tokens = offsets[term + 1] > offsets[term]
        for position in range(offsets[term], offsets[term + 1]):
            has_all_tokens = has_all_tokens and tokens[position] >= 0
        if not has_all_tokens:
            continue
        node = np.int32(-1)
        for position in range(offsets[term], offsets[term + 1]):
            token = tokens[position]
            if node < 0:
                if first[token] < 0:
                    first[token] = node_count
                    node_count += 1
                node = first[token]
            else:
                key = (np.int64(node) << 32) | np.int64(token)
                slot = _slot(keys, key)
                if keys[slot] == -1:
                    keys[slot] = key
                    nodes[slot] = node_count
                    node_count += 1
                node = nodes[slot]
        terms[node] = term
    return node_count


@compiled
def _find(tokens, sentences, first, keys, nodes, terms, found_terms, starts, ends):
    """Write mentions into the arrays as far as there is room; returns how many mentions there are."""
    room, number = len(found_terms), 0
    for sentence in range(len(sentences) - 1):
        end = sentences[sentence + 1]
        for start in range(sentences[sentence], end):
            if tokens[start] < 0:
                continue
            node = first[tokens[start]]
            position = start
            while node >= 0:
                if terms[node] >= 0:
                    if number < room:
                        found_terms[number] = terms[node]
                        starts[number] = start
                        ends[number] = position
                    number += 1
                position += 1
                if position == end or tokens[position] < 0:
                    break
                slot = _slot(keys, (np.int64(node) << 32) | np.int64(tokens[position]))
                node = nodes[slot] if keys[slot] != -1 else np.int32(-1)
    return number
