"""Optional Constituency Trees: the modifiers of a dependency parse as brackets around contiguous words.

A token whose relation to its head is *optional* (by a list of relations) makes the words of its whole subtree an
optional constituent, if they are contiguous and enough:

    reports of an imminent agreement circulated   ->   reports ( of an imminent agreement ) circulated

Two such spans are nested or apart, never crossing, so that two numbers per word hold the tree: how many brackets open
before it, and how many close after it. Words that a text leaves out (punctuation, say) are left out of the subtrees
before anything else is asked. A subtree with a gap is skipped and counted, its hull is never bracketed.

Notation: S sentences, N tokens of their parse, W words that are kept of them, K spans, T numbers of a text with its
sentence ends.

Source: Paranjape, Reddy & Manning, Incorporating Structure into Language Models; the paper names two relations, the
lists in settings.py are a reconstruction.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from repline.errors import InputError

OPEN, CLOSE = "(", ")"
WRITTEN = {OPEN: "-lrb-", CLOSE: "-rrb-"}  # what a bracket of the text itself becomes
_BLOCK = 4096  # sentences at once when random spans are drawn


@dataclass(frozen=True)
class Spans:
    """Spans of words, by sentence, then by start, longer ones first.

    Attributes:
        sentence: int64 [K].
        start, end: int64 [K], the first word and the one after the last, counted in the sentence.
    """

    sentence: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sentence)


def optional_tokens(relations: pa.Array, optional: Sequence[str], required: Sequence[str] = ()) -> NDArray[np.bool_]:
    """Which tokens are optional by their relation.

    Args:
        relations: N labels.
        optional: relations; `obl:*` is `obl` with all its subtypes (`obl:agent`), any other name only itself.
        required: exceptions to them, written in the same way.

    Returns:
        bool [N].

    Raises:
        InputError: a token without a relation, or tokens of which none has a relation that either list names, so that
            the lists are of another annotation scheme.
    """
    encoded = relations.dictionary_encode()
    if encoded.null_count:
        raise InputError("the corpus has tokens without a relation (column dep); take one that is parsed")
    labels = encoded.dictionary.to_pylist()
    is_optional = np.array([is_listed(label, optional) and not is_listed(label, required) for label in labels], bool)
    if len(labels) > 1 and not is_optional.any():
        raise InputError(
            f"none of the relations of the corpus ({', '.join(sorted(labels)[:12])}, ...) is optional by the list "
            f"({', '.join(optional)}); name the list of its annotation scheme"
        )
    return is_optional[encoded.indices.to_numpy()] if len(labels) else np.zeros(0, bool)


def optional_spans(
    heads: NDArray[np.integer],
    offsets: NDArray[np.int64],
    optional: NDArray[np.bool_],
    is_word: NDArray[np.bool_] | None = None,
    *,
    minimum_length: int = 2,
    collapse: bool = False,
) -> tuple[Spans, dict[str, int]]:
    """The optional constituents of parsed sentences.

    Args:
        heads: [N], counted in each sentence from 0, negative at a root.
        offsets: [S + 1], sentence s is the tokens offsets[s]..offsets[s + 1] - 1.
        optional: [N], of `optional_tokens`.
        is_word: [N], which tokens are words of the text; None for all.
        minimum_length: spans of fewer words are left out.
        collapse: keep one of several spans over the same words; else each of them is a pair of brackets.

    Returns:
        the spans, in words; and counts: `optional` subtrees with a word in them, those left out because they are
        `discontinuous`, `short` or, with `collapse`, `repeated`, and the `pairs` that are left.

    Raises:
        InputError: a head outside its sentence, or heads in a circle.
    """
    length = np.diff(offsets)
    sentence = np.repeat(np.arange(len(length)), length)  # [N]
    begin = offsets[:-1][sentence]  # [N]
    heads = np.asarray(heads, np.int64)
    wrong = heads >= length[sentence]
    if wrong.any():
        raise InputError(f"sentence {sentence[np.argmax(wrong)]}: a head is outside the sentence; parse it again")
    parent = np.where(heads < 0, -1, heads + begin)
    if is_word is None:
        is_word = np.ones(len(parent), bool)
    count = np.cumsum(is_word, dtype=np.int64)
    word = count  # [N] which word of its sentence
    if len(begin):
        word = count - 1 - (count - is_word.astype(np.int64))[begin]
    first, last, size = _extents(parent, sentence, word, is_word)
    has_words = optional & (size > 0)
    whole = last - first + 1 == size
    long = size >= minimum_length
    tokens = np.flatnonzero(has_words & whole & long)
    keys = np.stack([sentence[tokens], first[tokens], -last[tokens]])  # [3, K]
    keys = np.unique(keys, axis=1) if collapse else keys[:, np.lexsort(keys[::-1])]
    counts = {
        "optional": int(has_words.sum()),
        "discontinuous": int((has_words & ~whole).sum()),
        "short": int((has_words & whole & ~long).sum()),
        "repeated": len(tokens) - keys.shape[1],
        "pairs": keys.shape[1],
    }
    return Spans(keys[0], keys[1], 1 - keys[2]), counts


def random_spans(spans: Spans, lengths: NDArray[np.int64], seed: int) -> Spans:
    """Spans at random positions, none crossing another, as many per sentence and as long: the control.

    In each sentence the longest is placed first; every start at which a span crosses none of those before it is
    equally likely, and there always is one.

    Args:
        lengths: [S], words of each sentence.
        seed: of the draws.
    """
    size = spans.end - spans.start
    order = np.lexsort((-size, spans.sentence))
    sentence, size = spans.sentence[order], size[order]
    first = np.searchsorted(sentence, np.arange(len(lengths) + 1))  # [S + 1]
    start = np.zeros_like(size)
    for block in range(0, len(lengths), _BLOCK):
        generator = np.random.default_rng([seed, block // _BLOCK])
        rows = np.arange(block, min(block + _BLOCK, len(lengths)))
        for number in range(int(np.diff(first[rows[0] : rows[-1] + 2]).max(initial=0))):
            rows = rows[first[rows + 1] - first[rows] > number]
            here = first[rows] + number  # [R] the span to place in each sentence
            candidate = np.arange(int(lengths[rows].max()))  # [C]
            free = candidate + size[here, None] <= lengths[rows, None]  # [R, C]
            for earlier in (first[rows] + before for before in range(number)):
                a, b = start[earlier, None], start[earlier, None] + size[earlier, None]
                ends = candidate + size[here, None]
                free &= ~((candidate < a) & (a < ends) & (ends < b) | (a < candidate) & (candidate < b) & (b < ends))
            draw = np.where(free, generator.random(free.shape), -1.0)
            start[here] = draw.argmax(1)
    again = np.lexsort((-(start + size), start, sentence))
    return Spans(sentence[again], start[again], (start + size)[again])


def bracket_numbers(
    spans: Spans, sentences: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], dict[str, int]]:
    """Spans as two numbers per word of a text.

    Args:
        sentences: [S + 1], sentence s begins at sentences[s] of the text; a sentence may end with numbers that are in
            no span, such as `<eos>`.

    Returns:
        opening and closing, uint8 [T]: brackets before and after each word; and the deepest nesting, `depth`.
    """
    total = int(sentences[-1])
    begin = sentences[spans.sentence]
    opening = np.bincount(begin + spans.start, minlength=total).astype(np.uint8)
    closing = np.bincount(begin + spans.end - 1, minlength=total).astype(np.uint8)
    return opening, closing, {"depth": int(nesting(opening, closing).max(initial=0))}


def nesting(opening: NDArray[np.uint8], closing: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many brackets each word is in, [T]."""
    return np.cumsum(opening.astype(np.int64)) - np.cumsum(closing.astype(np.int64)) + closing


def check_balanced(opening: NDArray[np.uint8], closing: NDArray[np.uint8], sentences: NDArray[np.int64]) -> None:
    """InputError naming the first sentence whose brackets do not match, or are open at its end."""
    balance = np.cumsum(opening.astype(np.int64)) - np.cumsum(closing.astype(np.int64))
    wrong = balance < 0
    if len(balance):
        wrong[np.asarray(sentences[1:]) - 1] |= balance[np.asarray(sentences[1:]) - 1] != 0
    if wrong.any():
        row = int(np.searchsorted(sentences, np.argmax(wrong), side="right")) - 1
        raise InputError(f"sentence {row}: its brackets are not balanced; make the brackets of the corpus again")


def linearise(
    ids: NDArray[np.integer], opening: NDArray[np.uint8], closing: NDArray[np.uint8], open_id: int, close_id: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """A text with its brackets in line: those that open before a word, the word, those that close after it.

    Args:
        ids: [T]; opening, closing: [T].
        open_id, close_id: the numbers of the two brackets.

    Returns:
        int32 [T + brackets], and the position of each word in it, int64 [T].
    """
    opens, closes = opening.astype(np.int64), closing.astype(np.int64)
    ends = np.cumsum(opens + 1 + closes)  # [T]
    positions = ends - 1 - closes
    stream = np.full(int(ends[-1]) if len(ends) else 0, open_id, np.int32)
    stream[np.repeat(positions, closes) + 1 + _ranks(closes)] = close_id
    stream[positions] = ids
    return stream, positions


def is_listed(label: str, patterns: Sequence[str]) -> bool:
    """Whether a relation is one of a list, see `optional_tokens`."""
    return any(
        label == pattern or (pattern.endswith(":*") and f"{label}:".startswith(pattern[:-1])) for pattern in patterns
    )


def _extents(
    parent: NDArray[np.int64], sentence: NDArray[np.int64], word: NDArray[np.int64], is_word: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """First and last word and number of words of every token's subtree, from the leaves to the roots."""
    far = np.iinfo(np.int64).max // 2
    first, last, size = np.where(is_word, word, far), np.where(is_word, word, -1), is_word.astype(np.int64)
    longest = int(np.bincount(sentence).max(initial=0))
    depth = np.zeros(len(parent), np.int64)
    active, above = np.arange(len(parent)), parent  # the tokens that have an ancestor this many steps up, and which
    for step in range(longest + 1):
        active, above = active[above >= 0], above[above >= 0]
        if step == longest and len(active):
            raise InputError(f"sentence {sentence[active[0]]}: its heads go in a circle; parse it again")
        depth[active] += 1
        above = parent[above]
    order = np.argsort(-depth, kind="stable")
    for tokens in np.split(order, np.flatnonzero(np.diff(depth[order])) + 1):
        if len(tokens) and depth[tokens[0]]:
            up = parent[tokens]
            np.minimum.at(first, up, first[tokens])
            np.maximum.at(last, up, last[tokens])
            np.add.at(size, up, size[tokens])
    return first, last, size


def _ranks(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, ..., c - 1 for each c of `counts`, in a row."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
