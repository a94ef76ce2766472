"""Pairs of names, and of entities where a set has them, with people's scores of how similar or related they are."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, shown
from repline.evaluation.replication.weighted_draws import MIN_PAIRS
from repline.evaluation.word_vectors.benchmark_files import read_pairs
from repline.reading.table_fields import finite_number, table_fields
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.systems.jet.model import Space, cosine

WIKISRS = ("Term1", "Term2", "String1", "String2", "Mean")  # entity, entity, name, name, score
RATINGS = "RawScores"  # of WikiSRS, the ratings of a pair in brackets: [97, 100]
UMNSRS = ("CUI1", "CUI2", "Term1", "Term2", "Mean")
METHODS = ("word", "term", "entity", "entity_word", "cross")


class EntityPairs(NamedTuple):
    """Pairs of one set.

    Attributes:
        names: [n] of (name, name). entities: [n] of (identifier, identifier), None for a set of names alone.
        scores: [n], larger for more similar ones.
        ratings: [n], those of each pair whose mean its score is; None for a set without them.
    """

    names: list[tuple[str, str]]
    entities: list[tuple[str, str]] | None
    scores: NDArray[np.float64]
    ratings: list[list[float]] | None = None


def read_entity_pairs(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> EntityPairs:
    """Pairs in the form of WikiSRS (tabs, no quotes), of UMNSRS (commas), or pairs of words as of `read_pairs`.

    A user's table has the header of WikiSRS: Term1, Term2 (entities), String1, String2 (names), Mean.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, a line with too few fields, or a score that is no number, with its line.
    """
    path, left_out = Path(path), LeftOut.of(on_error)
    _, header = next(_rows(path, encoding, LeftOut(left_out.on_error)), (0, []))
    for columns in (WIKISRS, UMNSRS):
        if set(columns) <= set(header):
            break
    else:
        pairs, scores = read_pairs(path, on_error=left_out, encoding=encoding)
        return EntityPairs(pairs, None, np.array(scores, np.float64))
    column_numbers = [header.index(column) for column in columns]
    entities, names, scores = [], [], []
    ratings: list[list[float]] = []
    for line, row in islice(_rows(path, encoding, left_out), 1, None):
        with left_out:
            if len(row) < len(header):
                problem = f"expected {len(header)} fields, found {len(row)}"
                raise WrongRecord(path, f"line {line}", problem, "a field is missing")
            *fields, score = (row[number].strip() for number in column_numbers)
            try:
                mean = finite_number(score)
            except ValueError:
                problem = f"expected a number as {columns[-1]}, found {shown(score)}"
                raise WrongRecord(path, f"line {line}", problem, "no number as the score") from None
            if RATINGS in header:
                ratings.append(_ratings(row[header.index(RATINGS)], path, line))
            scores.append(mean)
            entities.append((fields[0], fields[1]))
            names.append((fields[2], fields[3]))
    if not scores:
        raise InputError(f"{path}: expected at least one pair, found none")
    return EntityPairs(names, entities, np.array(scores), ratings if RATINGS in header else None)


def _ratings(field: str, path: Path, line: int) -> list[float]:
    try:
        return [finite_number(rating) for rating in field.strip().strip("[]").split(",") if rating.strip()]
    except ValueError:
        problem = f"expected numbers in brackets as {RATINGS}, found {shown(field)}"
        raise WrongRecord(path, f"line {line}", problem, "no numbers as the ratings") from None


def pair_scores(pairs: EntityPairs, space: Space) -> dict[str, tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    """Scores [n] of each method, and which pairs [n] it knows.

        word         cosine of the mean word vectors s1, s2 of the names
        term         cosine of the names' vectors as terms; of their words where a name is no term
        entity       cos(e1, e2); of names alone the largest over what they may mean
        entity_word  cos(e1, e2) + cos(s1, s2)
        cross        entity_word + cos(e1, s2) + cos(s1, e2)

    Methods that need vectors that the space lacks are left out.

    Source: section 5.2.
    """
    sides = [list(side) for side in zip(*pairs.names, strict=True)]
    (s1, have_words1), (s2, have_words2) = (space.mean_words(side) for side in sides)
    both_have_words = have_words1 & have_words2
    scores = {"word": (cosine(s1, s2), both_have_words)}
    if space.term_vectors is not None:
        (t1, have_terms1), (t2, have_terms2) = (space.term_or_words(side) for side in sides)
        scores["term"] = cosine(t1, t2), have_terms1 & have_terms2
    if space.entity_vectors is None:
        return scores
    nearest = [_nearest(space.entity_vectors, *pair) for pair in zip(*_meanings(pairs, space, sides), strict=True)]
    both_have_entities = np.array([pair is not None for pair in nearest])
    e1, e2 = (
        np.stack([space.entity_vectors[pair[side]] if pair else np.zeros(s1.shape[1]) for pair in nearest])
        for side in (0, 1)
    )
    entity, word = cosine(e1, e2), scores["word"][0]
    scores["entity"] = entity, both_have_entities
    scores["entity_word"] = entity + word, both_have_entities & both_have_words
    scores["cross"] = entity + word + cosine(e1, s2) + cosine(s1, e2), both_have_entities & both_have_words
    return scores


def shared(knows_by_method: dict[str, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Whether all methods know a pair [n], the paper's "filtered"; all False where they are fewer than three."""
    known_by_all = np.logical_and.reduce(list(knows_by_method.values()))
    return known_by_all if known_by_all.sum() >= MIN_PAIRS else np.zeros_like(known_by_all)


def _meanings(pairs: EntityPairs, space: Space, sides: list[list[str]]) -> list[list[NDArray]]:
    """For each side, the rows of the entities that each of its names may mean."""
    if pairs.entities is not None:
        rows = ([space.entity_rows.get(pair[side], -1) for pair in pairs.entities] for side in (0, 1))
        return [[np.array([row] if row >= 0 else [], np.int64) for row in side] for side in rows]
    return [
        [space.meanings(row) if row >= 0 else np.zeros(0, np.int64) for row in space.rows_of_terms(side)]
        for side in sides
    ]


def _nearest(entity_vectors: NDArray, first: NDArray, second: NDArray) -> tuple[int, int] | None:
    """The two nearest of the entities that two names may mean, as rows."""
    if not len(first) or not len(second):
        return None
    cosines = cosine(entity_vectors[first][:, None], entity_vectors[second][None])
    row, column = np.unravel_index(int(cosines.argmax()), cosines.shape)
    return int(first[row]), int(second[column])


def _rows(path: Path, encoding: str, left_out: LeftOut) -> Iterator[tuple[int, list[str]]]:
    lines = visible_lines(path, encoding, left_out)
    number, header = next(lines, (0, ""))
    tabs = "\t" in header
    yield number, [name.strip() for name in (header.split("\t") if tabs else table_fields(header, ","))]
    for number, text in lines:
        if text.strip():
            yield number, text.split("\t") if tabs else table_fields(text, ",")
