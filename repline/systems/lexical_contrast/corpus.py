"""Constraint sets between the words of a vocabulary, and tests of antonymy: written as files, and read again.

constraints.parquet                         set, left, right: pairs of words; the set held_out is of pairs of the tests
questions.tsv                               a cue and five options, the opposite first
{adjective,noun,verb}-pairs.{val,test}      word, word, 1 for antonyms and 0 for synonyms
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import source_of, write_card
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.lexicons.constraints import Pair, read_constraints, wordnet_antonyms, wordnet_synonyms
from repline.lexicons.vocabulary_edges import graph_tables
from repline.lexicons.word_graph import relation_matrix
from repline.lexicons.wordnet import storage
from repline.parameters import nearest
from repline.reading.text_files import filled_lines, numbered_lines
from repline.reading.wrong_records import LeftOut
from repline.systems.lexical_contrast.antonyms import Question
from repline.systems.lexical_contrast.constraint_rows import attract_and_repel, expanded_antonyms, pair_rows, pair_set
from repline.systems.lexical_contrast.settings import Configuration, ConstraintSet, Settings
from repline.systems.lexical_contrast.wordnet_contrasts import contrast_pairs, held_out, opposite_questions
from repline.vectors.formats import readers

CONSTRAINTS, QUESTIONS = "constraints.parquet", "questions.tsv"
SETS = get_args(ConstraintSet)
HELD_OUT = "held_out"
PARTS_OF_SPEECH = {"adjective": "a", "noun": "n", "verb": "v"}
VALIDATION = 0.2  # of the pairs made from WordNet
_QUESTION_LINE = re.compile(r"(\S+)\s*:((?:\s+\S+)+?)\s+::\s+(\S+)")  # adroit: prim unskillful apt :: unskillful
OPTIONS, RELATED = 5, 3  # of a question; the opposite and two synonyms are related to the cue

Labelled = tuple[Sequence[tuple[str, str]], NDArray[np.int64]]  # pairs, and 1 for antonyms, 0 for synonyms
Contrasts = dict[str, tuple[Labelled, Labelled]]  # validation and test pairs, by part of speech


class Space(NamedTuple):
    """The vectors that are specialised, and the constraint sets between them.

    Attributes:
        words: [V].
        matrix: [V, d].
        sets: pairs of rows by name [n, 2], HELD_OUT among them.
    """

    words: list[str]
    matrix: NDArray
    sets: dict[str, NDArray[np.int64]]

    def pairs(self, configuration: Configuration) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The pairs of rows that a configuration attracts, and those that it repels."""
        left_out = self.sets[HELD_OUT] if configuration.hold_out else None
        return attract_and_repel(self.sets, configuration.attract, configuration.repel, left_out)

    def word_pairs(self, rows: NDArray) -> frozenset[frozenset[str]]:
        """Pairs of rows [n, 2] as unordered pairs of words."""
        return frozenset(frozenset((self.words[first], self.words[second])) for first, second in rows.tolist())


def write_data(folder: str | Path, settings: Settings, data: str | Path = "data") -> dict[str, int]:
    """Write the constraint sets, and the tests that WordNet gives; returns how much there is of each.

    Args:
        folder: replaces what was there.
        data: where vectors and lexicons lie.

    Raises:
        InputError: a lexicon that `settings` name is not there, or is malformed.
    """
    data = Path(data)
    words = readers.read(data / settings.vectors, limit=settings.words)[0]
    sets = _constraint_sets(settings, words, data)
    with new_folder(folder) as partial:
        counts, kept_for_tests = _write_tests(partial, words, settings, data)
        sets[HELD_OUT] = pair_rows(kept_for_tests, words)
        rows = [(name, words[first], words[second]) for name in sets for first, second in sets[name].tolist()]
        columns = [pa.array([row[column] for row in rows], pa.string()) for column in range(3)]
        table = pa.table(columns, names=["set", "left", "right"])
        pq.write_table(table, partial / CONSTRAINTS, compression="zstd")
        counts = {name: len(pairs) for name, pairs in sets.items()} | counts
        sources = [f"lexicons/constraints/{name}" for name in settings.constraints]
        write_card(
            partial,
            name="lexical_contrast",
            description="Pairs of words that attract or repel, and tests of antonymy made from WordNet",
            licence="that of the lexicons",
            sources=[source_of(column, data) for column in (*sources, settings.hypernyms, "lexicons/wordnet")],
            parameters=settings.model_dump(include={"words", "constraints", "hypernyms", "question_seed", "held_out"}),
            counts=counts,
        )
    return counts


def read_space(folder: str | Path, settings: Settings, data: str | Path = "data") -> Space:
    """The vectors, and the constraint sets that `write_data` wrote into `folder`."""
    words, matrix = readers.read(Path(data) / settings.vectors, limit=settings.words)
    table = pq.read_table(Path(folder) / CONSTRAINTS)
    names = np.array(table["set"].to_pylist())
    row_of = {word: row for row, word in enumerate(words)}
    sides = [[row_of[word] for word in table[side].to_pylist()] for side in ("left", "right")]
    pairs = np.array(sides, np.int64).T  # [n, 2]
    return Space(words, np.array(matrix), {name: pair_set(pairs[names == name]) for name in (*SETS, HELD_OUT)})


def read_questions(folder: str | Path) -> list[Question]:
    """The questions that `write_data` wrote into `folder`, or those of its files `*.txt`.

    Each line of a text file is one question, such as `adroit: prim unskillful correct strong apt :: unskillful`: the
    cue, its options, and which of them is the opposite. Words are lower-cased.

    Raises:
        InputError: the folder has neither, or a line is no question.

    Source: Mohammad, Dorr, Hirst and Turney 2013, for the questions of the Graduate Record Examination in this form.
    """
    folder = Path(folder)
    if (folder / QUESTIONS).exists():
        rows = _read_lines(folder / QUESTIONS, 1 + OPTIONS)
        return [Question(cue, tuple(options), 0, RELATED) for _, (cue, *options) in rows]
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise InputError(
            f"{folder}: expected {QUESTIONS}, or questions as *.txt; lexical_contrast.questions names the folder"
        )
    left_out = LeftOut.of("stop")
    questions = [_question(path, *line) for path in files for line in filled_lines(path, "utf-8", left_out)]
    if not questions:
        raise InputError(f"{files[0]}: expected questions such as `cue: options :: opposite`, found none")
    return questions


def read_contrasts(folder: str | Path) -> Contrasts:
    """The labelled pairs of a folder, made from WordNet or of AntSynNET.

    Raises:
        InputError: a file is missing, or has a line that is no labelled pair.
    """
    folder = Path(folder)
    return {
        part: (_labelled_pairs(folder / f"{part}-pairs.val"), _labelled_pairs(folder / f"{part}-pairs.test"))
        for part in PARTS_OF_SPEECH
    }


def _constraint_sets(settings: Settings, words: list[str], data: Path) -> dict[str, NDArray[np.int64]]:
    """syn, ant, hyp1 and antexp between the rows of the vocabulary."""
    lexicons = data / "lexicons" / "constraints"
    written = sorted(path.name for path in lexicons.glob("*/"))
    pairs: dict[str, list[Pair]] = {"synonyms": [], "antonyms": []}
    for name in settings.constraints:
        if name not in written:
            raise InputError(f"params.yaml: lexical_contrast.constraints has no {shown(name)}{nearest(name, written)}")
        for kind, kind_pairs in pairs.items():
            path = lexicons / name / f"{kind}.parquet"
            if pq.read_metadata(path).num_rows:  # a lexicon may have one kind only
                kind_pairs += read_constraints(path)
    synonyms, antonyms = (pair_rows(kind_pairs, words) for kind_pairs in pairs.values())
    edges = graph_tables(data / settings.hypernyms)[1]
    above = relation_matrix(edges, words, relations=["hypernym"], binary=True).tocoo()
    sets = {"syn": synonyms, "ant": antonyms, "hyp1": pair_set(np.stack([above.row, above.col], axis=1))}
    return sets | {"antexp": expanded_antonyms(synonyms, antonyms)}


def _write_tests(folder: Path, words: list[str], settings: Settings, data: Path) -> tuple[dict[str, int], list[Pair]]:
    """Write the tests that WordNet gives; returns how much there is of each, and the pairs to be held out."""
    wordnet, seed = storage.load(data / "lexicons" / "wordnet"), settings.question_seed
    questions = opposite_questions(wordnet_antonyms(wordnet), wordnet_synonyms(wordnet), words, seed)
    _write_lines(folder / QUESTIONS, ([cue, *options] for cue, options in questions))
    counts, labelled = {"questions": len(questions)}, []
    for name, letter in PARTS_OF_SPEECH.items():
        antonyms, synonyms = wordnet_antonyms(wordnet, [letter]), wordnet_synonyms(wordnet, [letter])
        pairs = contrast_pairs(antonyms, synonyms, words, seed)
        cut = round(len(pairs) * VALIDATION)
        _write_lines(folder / f"{name}-pairs.val", pairs[:cut])
        _write_lines(folder / f"{name}-pairs.test", pairs[cut:])
        counts[f"{name}_pairs"] = len(pairs)
        labelled += pairs
    return counts, held_out(questions, labelled, settings.held_out, seed)


def _labelled_pairs(path: Path) -> Labelled:
    rows = _read_lines(path, 3)
    for number, (_, _, label) in rows:
        if label not in ("0", "1"):
            raise InputError(
                f"{path}, line {number}: expected 1 (antonyms) or 0 (synonyms) as the third field, found {shown(label)}"
            )
    return [(first, second) for _, (first, second, _) in rows], np.array([int(label) for _, (_, _, label) in rows])


def _question(path: Path, number: int, line: str) -> Question:
    """The question of a line: its opposite is the first option, and the only one that is related to the cue."""
    match = _QUESTION_LINE.fullmatch(line.strip().lower())
    if match is None:
        raise InputError(f"{path}, line {number}: expected `cue: options :: opposite`, found {shown(line)}")
    cue, opposite, options = match[1], match[3], match[2].split()
    if opposite not in options or len(options) < 2 or len(set(options)) < len(options):
        raise InputError(
            f"{path}, line {number}: expected two or more different options, the opposite {shown(opposite)} among "
            f"them, found {shown(match[2].strip())}"
        )
    return Question(cue, (opposite, *(option for option in options if option != opposite)), related=1)


def _write_lines(path: Path, rows: Iterable[Sequence[object]]) -> None:
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")


def _read_lines(path: Path, fields: int) -> list[tuple[int, list[str]]]:
    """The number and the fields of each line that is not blank."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file; lexical_contrast.contrast names its folder")
    rows = []
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        row = line.strip().split("\t")
        if len(row) != fields:
            raise InputError(f"{path}, line {number}: expected {fields} fields between tabs, found {len(row)}")
        rows.append((number, row))
    return rows
