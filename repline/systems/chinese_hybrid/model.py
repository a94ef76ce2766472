"""What each model predicts a word from: bags of words, characters and components, around the word and in it.

    context_words       h1, of the context's words (CBOW)
    context_characters  h2, of all their characters
    context_components  h3, of all components of those
    own_characters      h4, of the characters of t
    own_components      h5, of the components of t
    composed_context    of (w + mean of its characters) / 2 over the context (CWE); of w alone for names

    max Σ_k [log σ(o_t · h_k) + Σ_n log σ(-o_n · h_k)]  +  log σ(o_t · mean_k h_k)        for each token t

A model has some of these bags, each the mean of input vectors; the words within a window around t are its context. The
last term, which is there with `consistency`, has no negatives. n are drawn from the words by their
count^0.75. A bag without members is left out, a token without context as well.

Notation: V words w, C characters c, P components p, d dimensions; the input vectors of all three are rows of `inputs`
[V + C + P, d], the output vectors o of words [V, d]; h_k are the bags of `KINDS`. A word's vector in the end is its
input vector, or with a composed context the composition: `word_vectors` [V, d].

The gradient steps lie in `repline.systems.chinese_hybrid.updates`, what is in a word in `.subwords`, the draw of
negatives in `repline.vectors.negative_sampling`.

Source: Chen & Sheng 2018, equations 1 to 7; the minus sign inside the negative term is missing in 7.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repline.systems.chinese_hybrid import updates
from repline.systems.chinese_hybrid.settings import Bag
from repline.systems.chinese_hybrid.subwords import Subwords

KINDS: dict[Bag, int] = {
    "context_words": updates.CONTEXT_WORDS,
    "context_characters": updates.CONTEXT_CHARACTERS,
    "context_components": updates.CONTEXT_COMPONENTS,
    "own_characters": updates.OWN_CHARACTERS,
    "own_components": updates.OWN_COMPONENTS,
    "composed_context": updates.COMPOSED_CONTEXT,
}


def kinds_of(bags: Sequence[Bag]) -> NDArray[np.int64]:
    """[K]: the bags by their numbers in `updates`."""
    return np.array([KINDS[bag] for bag in bags], dtype=np.int64)


def word_vectors(bags: Sequence[Bag], inputs: NDArray[np.float32], subwords: Subwords) -> NDArray[np.float32]:
    """The vectors of words that are evaluated: input vectors, or with a composed context the compositions of CWE.

    Args:
        bags: of the model; with a composed context a word's vector is composed of its own input vector and those of
            its characters.
        inputs: [V + C + P, d], of words, characters and components.

    Returns:
        [V, d].
    """
    words = inputs[: subwords.words]
    if "composed_context" not in bags:
        return words.copy()
    lengths = np.diff(subwords.character_offsets)
    composed = words.copy()
    is_composed = subwords.composes & (lengths > 0)
    # a sum over each word's characters, one word after another
    sums = np.add.reduceat(
        np.concatenate([inputs[subwords.character_rows], np.zeros_like(inputs[:1])]), subwords.character_offsets[:-1]
    )
    composed[is_composed] = (words[is_composed] + sums[is_composed] / lengths[is_composed, None].astype(np.float32)) / 2
    return composed
