import numpy as np
import pytest

from repline.systems.context_parser.features import (
    ALL,
    ATOMS,
    BOTH,
    CONTEXT,
    LAYERS,
    LINGUISTIC,
    MAX_FEATURES,
    RESERVED,
    TAGS,
    WORDS,
    arc_features,
    distance_bin,
)
from repline.systems.context_parser.sparse_weights import FREE, new_table, slot, table_of, with_doubled_capacity


def as_words(encoded, h, m, family):
    """The features as their templates say, spelled out."""
    named = ("start", "end", "between")
    size = encoded.shape[1]

    def value(position, layer):
        where = {"h": h, "m": m}[position[0]] + int(position[1:] or 0)
        if where < 0 or where >= size:
            return named[where >= size]
        if position[1:] and where == (m if position[0] == "h" else h):
            return named[2]
        return encoded[LAYERS.index(layer), where]

    features = []
    for template in LINGUISTIC if family == 0 else CONTEXT:
        atoms = [atom.split(".") for atom in template.split()]
        middles = range(min(h, m) + 1, max(h, m)) if any(position == "b" for position, _ in atoms) else [None]
        for b in middles:
            values = [
                encoded[LAYERS.index(layer), b] if position == "b" else value(position, layer)
                for position, layer in atoms
            ]
            features.append((family, template, *values))
    distance = distance_bin(h, m)
    return [(*feature, 0) for feature in features] + [(*feature, distance) for feature in features]


def numbers(encoded, h, m, family, templates=ALL):
    out = np.empty(MAX_FEATURES, np.int64)
    return out[: arc_features(encoded, h, m, family, *templates, out)].tolist()


def test_numbers_and_templates_tell_the_same_arcs_apart():
    random = np.random.default_rng(0)
    seen = {}
    for _ in range(6):
        encoded = random.integers(RESERVED, RESERVED + 6, (4, 9))
        encoded[:, 0] = 3
        for h, m in ((0, 1), (1, 2), (2, 1), (3, 7), (7, 3), (0, 8), (8, 7)):
            for family in (0, 1, 8):
                words, keys = as_words(encoded, h, m, family), numbers(encoded, h, m, family)
                assert len(words) == len(keys)
                for word, key in zip(sorted(words, key=str), sorted(keys), strict=True):
                    assert key >= 0, word
                assert len(set(words)) == len(set(keys))
                # features come in the order of the templates, alone and then with the distance
                for word, key in zip(words, keys, strict=True):
                    assert seen.setdefault(key, word) == word
    assert len(set(seen.values())) == len(seen)


def test_the_three_groups_are_all_linguistic_templates():
    encoded = np.random.default_rng(1).integers(RESERVED, 30, (4, 8))
    parts = [key for group in (WORDS, TAGS, BOTH) for key in numbers(encoded, 2, 6, 0, group)]
    assert sorted(parts) == sorted(numbers(encoded, 2, 6, 0))
    layers = [{atom.split(".")[1] for atom in template.split()} for template in LINGUISTIC]
    assert all(named <= {"form", "lemma"} for named in layers[slice(*WORDS)])
    assert all(named <= {"tag", "coarse"} for named in layers[slice(*TAGS)])
    assert all(named & {"form", "lemma"} and named & {"tag", "coarse"} for named in layers[slice(*BOTH)])
    assert BOTH[1] == len(LINGUISTIC)


def test_distances_have_fourteen_bins():
    assert [distance_bin(0, word) for word in (1, 2, 5, 6, 10, 11, 90)] == [1, 2, 5, 6, 6, 7, 7]
    assert [distance_bin(word, 0) for word in (1, 2, 5, 6, 10, 11, 90)] == [8, 9, 12, 13, 13, 14, 14]


def test_templates_name_atoms():
    assert len(set(LINGUISTIC)) == len(LINGUISTIC) and len(set(CONTEXT)) == len(CONTEXT)
    assert {atom for template in (*LINGUISTIC, *CONTEXT) for atom in template.split()} <= set(ATOMS)


def test_plain_python_gives_the_same_numbers():
    encoded = np.random.default_rng(2).integers(RESERVED, 30, (4, 6))
    out = np.empty(MAX_FEATURES, np.int64)
    for family in (0, 5):
        count = arc_features.py_func(encoded, 4, 1, family, *ALL, out)
        assert out[:count].tolist() == numbers(encoded, 4, 1, family)


@pytest.mark.parametrize("many", [1, 40, 3000])
def test_a_table_keeps_every_weight_also_when_it_grows(many):
    random = np.random.default_rng(many)
    keys = np.unique(random.integers(0, 1 << 62, many))
    weights = random.normal(size=len(keys))
    table, values = table_of(keys, weights)
    assert [values[slot(table, key)] for key in keys] == weights.tolist()
    assert table[slot(table, int(keys.max()) + 1)] == FREE
    slots, first, second = new_table(2)
    for number, key in enumerate(keys.tolist()):
        if 2 * (number + 1) > len(slots):
            slots, first, second = with_doubled_capacity(slots, first, second)
        entry = slot(slots, key)
        slots[entry], first[entry], second[entry] = key, weights[number], number
    assert [first[slot(slots, key)] for key in keys] == weights.tolist()
    assert [second[slot(slots, key)] for key in keys] == list(range(len(keys)))
