"""The features of an arc as numbers, compiled: first-order templates of words and tags, and those of the context.

A feature is a family (0 linguistic, 1 to 8 the kinds of relations), a template, a binned distance (0: the feature is
taken alone) and up to four values; one whole number holds all of them, so that no two features fall together.

    family 4 bits | template 7 | distance 4 | value 16 | value 16 | value 8 | value 8

Words have numbers below 65,536, tags below 256. The first five of each stand for positions next to a sentence.

Source: the authors' code (RBGParser, MSTParser), first order; their paper does not list the templates.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from repline.caches.compiled_loops import ON_DISK

START, END, BETWEEN, ROOT, UNKNOWN = range(5)  # before and after a sentence, the other end of an arc
RESERVED = 5
MAX_WORDS, MAX_TAGS = 1 << 16, 1 << 8
MAX_SENTENCE_WORDS = 250  # words of a sentence
_DISTANCE = 48  # where its bits begin

LAYERS = ("form", "lemma", "tag", "coarse")
POSITIONS = ("h", "m", "h-1", "h+1", "m-1", "m+1")
# what a template may name, by number; 0 is nothing, b is a word between h and m
ATOMS = ["", *(f"{position}.{layer}" for layer in LAYERS for position in POSITIONS), "b.tag", "b.coarse"]
_B = ATOMS.index("b.tag")
_TAG_LAYERS, _WORD_LAYERS = ("tag", "coarse"), ("form", "lemma")

LINGUISTIC = [
    *(
        " ".join(f"{position}.{word}" for position in positions.split())
        for word in _WORD_LAYERS
        for positions in ("h", "m", "h m", "h-1", "h+1", "m-1", "m+1")
    ),
    *(
        " ".join(f"{position}.{tag}" for position in positions.split())
        for tag in _TAG_LAYERS
        for positions in (
            *("h", "m", "h m", "h b m", "h-1 h m m+1", "h m m+1", "h-1 h m", "h-1 m m+1", "h-1 h m+1"),
            *("h h+1 m-1 m", "h m-1 m", "h h+1 m", "h+1 m-1 m", "h h+1 m-1", "h-1 h m-1 m", "h h+1 m m+1"),
        )
    ),
    *(
        template.replace("W", word).replace("P", tag)
        for word in _WORD_LAYERS
        for tag in _TAG_LAYERS
        for template in (
            *("h.W m.W h.P m.P", "m.W h.P m.P", "h.W h.P m.P", "m.W h.P", "h.W m.P", "h.W h.P", "m.W m.P"),
        )
    ),
]
CONTEXT = [
    *(
        " ".join(f"{position}.{tag}" for position in positions.split())
        for tag in _TAG_LAYERS
        for positions in (
            *("h b m", "h h+1", "m m+1", "h-1 h", "m-1 m", "h m m+1", "h-1 h m", "h-1 m m+1", "h-1 h m+1"),
            *("h m-1 m", "h h+1 m"),
        )
    ),
    *(f"{position}.coarse" for position in POSITIONS),
    *(f"{position}.lemma" for position in POSITIONS),
    *("h.lemma h+1.lemma", "m.lemma m+1.lemma", "h-1.lemma h.lemma", "m-1.lemma m.lemma"),
    *("h.lemma h.tag m.tag", "m.lemma h.tag", "h.lemma m.tag", "h.form m.form", "h.lemma m.lemma", "h.tag m.tag"),
]


def _compiled(templates: list[str]) -> NDArray[np.int64]:
    """[T, 4] numbers of atoms. Those of words come first, where the key has room for them."""
    rows = np.zeros((len(templates), 4), np.int64)
    for row, template in zip(rows, templates, strict=True):
        atoms = template.split()
        words = [ATOMS.index(atom) for atom in atoms if atom.partition(".")[2] in _WORD_LAYERS]
        tags = [ATOMS.index(atom) for atom in atoms if atom.partition(".")[2] in _TAG_LAYERS]
        placed = [*words, *tags] if len(words) != 1 or len(tags) < 3 else [words[0], 0, *tags]
        row[: len(placed)] = placed
    return rows


# The linguistic templates that name words alone, tags alone, and both. Whole numbers of NumPy: for each Python number
# that a call names, numba would compile the function again.
WORDS, TAGS, BOTH, ALL = ((np.int64(a), np.int64(b)) for a, b in ((0, 14), (14, 46), (46, 74), (0, 128)))
NO_RELATION = np.int64(0)  # the family of the linguistic features
_LINGUISTIC, _CONTEXT = _compiled(LINGUISTIC), _compiled(CONTEXT)
MAX_FEATURES = 2 * (max(len(LINGUISTIC), len(CONTEXT)) + 2 * MAX_SENTENCE_WORDS)  # of one arc in one family


@njit(cache=ON_DISK)
def distance_bin(head: int, word: int) -> int:
    """1 to 7 where the head stands before the word, 8 to 14 behind it: 1, 2, 3, 4, 5, 6 to 10, more."""
    length = abs(head - word)
    size = length if length <= 5 else (6 if length <= 10 else 7)
    return size if head < word else size + 7


@njit(cache=ON_DISK)
def arc_features(
    encoded: NDArray[np.int64],
    h: int,
    m: int,
    family: int | np.int64,
    first: int | np.int64,
    last: int | np.int64,
    out: NDArray[np.int64],
) -> int:
    """Write the features of the arc from h to m into `out`, first alone, then with the distance; returns how many.

    Args:
        encoded: [4, n + 1], forms, lemmas, tags and coarse tags of the root and the words.
        family: 0 for the linguistic ones; else 1 and the index in `relations.KINDS` of a relation between the words.
        first, last: of the templates, from `first` on and before `last`: one of WORDS, TAGS, BOTH and ALL.
        out: with room for MAX_FEATURES.
    """
    templates = _LINGUISTIC if family == 0 else _CONTEXT
    size = encoded.shape[1]
    atoms = np.zeros(27, np.int64)
    for layer in range(4):
        for position in range(6):
            end, other_end = (h, m) if position in (0, 2, 3) else (m, h)
            where = end if position < 2 else (end - 1 if position % 2 == 0 else end + 1)
            if where < 0:
                value = START
            elif where >= size:
                value = END
            elif where == other_end:
                value = BETWEEN
            else:
                value = encoded[layer, where]
            atoms[1 + 6 * layer + position] = value
    count = 0
    for t in range(first, min(last, len(templates))):
        row = templates[t]
        base = (family << 59) | (t << 52)
        if row[1] >= _B:
            for b in range(min(h, m) + 1, max(h, m)):
                between = encoded[2 + row[1] - _B, b]
                out[count] = base | (atoms[row[0]] << 32) | (between << 16) | (atoms[row[2]] << 8)
                count += 1
        else:
            out[count] = base | (atoms[row[0]] << 32) | (atoms[row[1]] << 16) | (atoms[row[2]] << 8) | atoms[row[3]]
            count += 1
    distance = distance_bin(h, m) << _DISTANCE
    for position in range(count):
        out[count + position] = out[position] | distance
    return 2 * count
