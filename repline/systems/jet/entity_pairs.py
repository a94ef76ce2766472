"""Pairs of names, and of entities where a set has them, with people's scores of how similar or related they are."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError
from repline.evaluation.replication.weighted_draws import MIN_PAIRS
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.systems.jet.model import Space, cosine
from repline.text_files import numbered_lines

WIKISRS = ("Term1", "Term2", "String1", "String2", "Mean")  # entity, entity, name, name, score
UMNSRS = ("CUI1", "CUI2", "Term1", "Term2", "Mean")
METHODS = ("word", "term", "entity", "entity_word", "cross")


class EntityPairs(NamedTuple):
    """Pairs of one set.

    Attributes:
        names: [n] of (name, name). entities: [n] of (identifier, identifier), None for a set of names alone.
        scores: [n], larger for more similar ones.
    """

    names: list[tuple[str, str]]
    entities: list[tuple[str, str]] | None
    scores: NDArray[np.float64]


def read_entity_pairs(path: str | Path) -> EntityPairs:
    """Pairs in the form of WikiSRS (tabs, no quotes), of UMNSRS (commas), or pairs of words as of `read_pairs`.

    A table of one's own has the header of WikiSRS: Term1, Term2 (entities), String1, String2 (names), Mean.

    Raises:
        InputError: no such file, a line with too few fields, or a score that is no number, with its line.
    """
    path = Path(path)
    rows = _rows(path)
    _, header = next(rows, (0, []))
    for columns in (WIKISRS, UMNSRS):
        if set(columns) <= set(header):
            break
    else:
        pairs, scores = read_pairs(path)
        return EntityPairs(pairs, None, np.array(scores, np.float64))
    places = [header.index(column) for column in columns]
    entities, names, scores = [], [], []
    for line, row in rows:
        if len(row) < len(header):
            raise InputError(f"{path}, line {line}: expected {len(header)} fields, found {len(row)}")
        *four, score = (row[place].strip() for place in places)
        try:
            scores.append(float(score))
        except ValueError:
            raise InputError(f"{path}, line {line}: expected a number as {columns[-1]}, found {score!r}") from None
        entities.append((four[0], four[1]))
        names.append((four[2], four[3]))
    if not scores:
        raise InputError(f"{path}: expected at least one pair, found none")
    return EntityPairs(names, entities, np.array(scores))


def pair_scores(pairs: EntityPairs, space: Space) -> dict[str, tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    """Scores [n] of each method, and which pairs [n] it knows.

        word         cosine of the mean word vectors s1, s2 of the names
        term         the same with the vector of a term, where the name is one
        entity       cos(e1, e2); of names alone the largest over what they may mean
        entity_word  cos(e1, e2) + cos(s1, s2)
        cross        entity_word + cos(e1, s2) + cos(s1, e2)

    Methods that need vectors that the space lacks are left out.

    Source: section 5.2.
    """
    sides = [list(side) for side in zip(*pairs.names, strict=True)]
    (s1, known1), (s2, known2) = (space.mean_words(side) for side in sides)
    worded = known1 & known2
    found = {"word": (cosine(s1, s2), worded)}
    if space.term_vectors is not None:
        (t1, termed1), (t2, termed2) = (space.term_or_words(side) for side in sides)
        found["term"] = cosine(t1, t2), termed1 & termed2
    if space.entity_vectors is None:
        return found
    nearest = [_nearest(space, *one) for one in zip(*_meanings(pairs, space, sides), strict=True)]
    meant = np.array([one is not None for one in nearest])
    e1, e2 = (
        np.stack([space.entity_vectors[one[side]] if one else np.zeros(s1.shape[1]) for one in nearest])
        for side in (0, 1)
    )
    entity, word = cosine(e1, e2), found["word"][0]
    found["entity"] = entity, meant
    found["entity_word"] = entity + word, meant & worded
    found["cross"] = entity + word + cosine(e1, s2) + cosine(s1, e2), meant & worded
    return found


def shared(known: dict[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """[n]: the pairs that all methods know, the paper's "filtered"; all False where they are fewer than three."""
    both = np.logical_and.reduce(list(known.values()))
    return both if both.sum() >= MIN_PAIRS else np.zeros_like(both)


def _meanings(pairs: EntityPairs, space: Space, sides: list[list[str]]) -> list[list[NDArray]]:
    """For each side the rows of entities that each of its items may be."""
    if pairs.entities is not None:
        rows = ([space.entity_rows.get(pair[side], -1) for pair in pairs.entities] for side in (0, 1))
        return [[np.array([row] if row >= 0 else [], np.int64) for row in side] for side in rows]
    return [
        [space.meanings(row) if row >= 0 else np.zeros(0, np.int64) for row in space.rows_of_terms(side)]
        for side in sides
    ]


def _nearest(space: Space, first: NDArray, second: NDArray) -> tuple[int, int] | None:
    """The nearest two of the entities that two names may mean."""
    if not len(first) or not len(second):
        return None
    cosines = cosine(space.entity_vectors[first][:, None], space.entity_vectors[second][None])
    row, column = np.unravel_index(int(cosines.argmax()), cosines.shape)
    return int(first[row]), int(second[column])


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    lines = numbered_lines(path)
    number, header = next(lines, (0, ""))
    tabs = "\t" in header
    yield number, [name.strip() for name in (header.split("\t") if tabs else next(csv.reader([header]), []))]
    for number, text in lines:
        if text.strip():
            yield number, text.split("\t") if tabs else next(csv.reader([text]))
