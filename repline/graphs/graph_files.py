"""Readers of knowledge graphs in a folder: id files (OpenKE), triples as text, numbers of entities.

    id files    entity2id.txt, relation2id.txt (a count, then `name<TAB>id`); train2id.txt or triple2id.txt,
                valid2id.txt, test2id.txt (a count, then `head tail relation`, in this order)
    text        triples.tsv, or train, valid (also dev, val, validation) and test as .tsv or .txt: head, relation, tail
                between tabs (PyKEEN's sets)
    numbers     numbers.tsv: entity, attribute, value between tabs, by name; or attr2id.txt and attrm2id.txt (a count,
                then `entity attribute value` by id), with attribute_entity2id.txt where these have ids of their own

Each may be compressed. A head that names the columns of triples or numbers may have them in any order. A line
that is wrong stops the reading, or is left out and counted: `on_error`. Quotation marks around a field are no part of a
name, nor are angle brackets around an attribute of numbers (`<age>`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import product
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from repline.errors import InputError, readable, shown
from repline.graphs.knowledge_graph import SPLITS, KnowledgeGraph, Numbers
from repline.reading.file_names import files_by_name
from repline.reading.settings import DEV_NAMES, Head
from repline.reading.table_fields import finite_number, unquoted, whole_number
from repline.reading.table_heads import head_columns, rows_below_head
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

SPLIT_FILES = {"train": ("train2id", "triple2id"), "valid": ("valid2id",), "test": ("test2id",)}
TRIPLE = (  # names of the columns in heads
    {"head", "subject", "h", "s", "source", "from"},
    {"relation", "predicate", "r", "p", "label", "edge"},
    {"tail", "object", "t", "o", "target", "to"},
)
NUMBER = ({"entity", "head", "subject"}, {"attribute", "relation", "predicate"}, {"value", "number", "object"})
NO_TESTS = "the graph has no test triples; name them test.tsv, beside those of training in train.tsv"
Item = TypeVar("Item")


class Lines:
    """Reads lines by a function; those that it refuses stop the reading, or are left out and counted in the notes."""

    def __init__(self, on_error: OnError | LeftOut, encoding: str = "utf-8", head: Head = "auto"):
        self.left_out, self.encoding, self.head = LeftOut.of(on_error), encoding, head
        self.notes = list[str]()

    def read(
        self, path: Path, parse: Callable[[str], Item], counted: bool = False, columns: Sequence[Set[str]] = ()
    ) -> list[Item]:
        """The parsed lines of a file, blank lines left out.

        Args:
            parse: turns a line into an item; its ValueError says what is wrong with the line.
            counted: whether the first line says how many lines follow.
            columns: what a head calls each column, for a table that may have one.

        Raises:
            InputError: a wrong line, or a number of lines that differs from the count.
        """
        items = list[Item]()
        lines = visible_lines(path, self.encoding, self.left_out)
        expected = _count(path, lines) if counted else None
        heads = set(product(*columns))
        seen = 0

        def columns_of(line: str) -> Sequence[int] | None:
            return head_columns(self.head, line.split("\t"), heads) if columns else None

        try:
            for number, line in rows_below_head(path, lines, self.left_out, columns_of):
                seen += 1
                try:
                    items.append(parse(line))
                except ValueError as error:
                    kind = re.sub(r"\d+", "N", re.split("; |, found", str(error))[0])
                    self.left_out.add(WrongRecord(path, f"line {number}", str(error), kind))
        except WrongRecord:
            raise
        except InputError as error:
            if self.left_out.on_error == "stop" or "compression is damaged" not in str(error):
                raise
            self.notes.append(str(error))
        if expected is not None and seen != expected:
            self.note_or_stop(f"{path}: its first line announces {expected} lines, found {seen}; the file may be cut")
        return items

    def note_or_stop(self, problem: str) -> None:
        """Note a problem of a whole file; InputError where a wrong line would end the reading, too."""
        if self.left_out.on_error == "stop":
            raise InputError(problem)
        self.notes.append(problem)


class NameIds:
    """Ids of names in the order of their first lines, and the names that stand both with and without marks around."""

    def __init__(self) -> None:
        self.ids = dict[str, int]()
        self._first_with_marks, self._with_and_without = set[str](), dict[str, None]()

    def id_of(self, name: str, field: str) -> int:
        """The id of a name that a field holds; a new one where the name is new."""
        has_marks = field.strip() != name
        if name not in self.ids:
            self.ids[name] = len(self.ids)
            if has_marks:
                self._first_with_marks.add(name)
        elif has_marks != (name in self._first_with_marks):
            self._with_and_without[name] = None
        return self.ids[name]

    def notes(self, what: str, marks: str) -> list[str]:
        """A note that counts the names that stand with and without marks, where there are some."""
        names = list(self._with_and_without)
        if not names:
            return []
        problem = f"names of {what} stand with and without {marks}, and were read as one each; the first is"
        return [f"{len(names)} {problem} {shown(names[0])}"]


def without_marks(field: str) -> str:
    """The name that a field holds: without outer blanks and the quotation marks that enclose it."""
    return unquoted(field.strip()).strip()


def without_brackets(attribute: str) -> str:
    """The name of an attribute without the angle brackets that enclose it.

    >>> without_brackets(f"<{'age'}>"), without_brackets("<10"), without_brackets(">10")
    ('age', '<10', '>10')
    """
    inner = attribute[1:-1].strip()
    encloses = attribute.startswith("<") and attribute.endswith(">") and inner and not {"<", ">"} & set(inner)
    return inner if encloses else attribute


def read_graph(
    folder: str | Path, on_error: OnError | LeftOut = "stop", *, encoding: str = "utf-8", head: Head = "auto"
) -> KnowledgeGraph:
    """Read the graph in a folder with the splits of its files; triples.tsv is all training, numbers are not scaled.

    Repeated triples, and later values of an entity's attribute, are left out and counted in the notes.

    Args:
        on_error: at a wrong line; or an account of them, which the caller reads later.
        encoding: of files without a byte order mark.
        head: whether tables of triples and numbers begin with the names of their columns.

    Raises:
        InputError: no triples there, or a wrong line.
    """
    folder, lines = Path(folder), Lines(on_error, encoding, head)
    graph = (_read_ids if find(folder, "entity2id") else _read_names)(folder, lines)
    if not len(graph.triples):
        raise InputError(f"{folder}: expected triples, found none in its files")
    _, first = np.unique(graph.triples, axis=0, return_index=True)
    if len(first) < len(graph.triples):
        lines.notes.append(f"{len(graph.triples) - len(first)} repeated triples were left out")
        first.sort()
        graph.triples, graph.split = graph.triples[first], graph.split[first]
    graph.attributes, graph.numbers = _read_numbers(folder, graph.entities, lines)
    graph.notes = lines.notes + lines.left_out.notes()
    return graph


def repeated_tests(
    folder: str | Path, on_error: OnError | LeftOut = "stop", *, encoding: str = "utf-8", head: Head = "auto"
) -> int:
    """How many distinct test triples `read_graph` leaves out of a folder, since train or valid has them, too.

    Args:
        on_error, encoding, head: as of `read_graph`.
    """
    folder, lines = Path(folder), Lines(on_error, encoding, head)
    graph = (_read_ids if find(folder, "entity2id") else _read_names)(folder, lines)
    is_test = graph.split == SPLITS.index("test")
    test, others = (set(map(tuple, graph.triples[part].tolist())) for part in (is_test, ~is_test))
    return len(test & others)


def find(folder: Path, *stems: str) -> Path | None:
    """The first of the files named `stems` that is in the folder, as .txt or .tsv, plain or compressed; else None."""
    files = files_by_name(folder)
    names = (f"{stem}.{kind}" for stem in stems for kind in ("txt", "tsv"))
    return next((files[name] for name in names if name in files), None)


def _read_ids(folder: Path, lines: Lines) -> KnowledgeGraph:
    names = []
    for stem in ("entity2id", "relation2id"):
        path = find(folder, stem)
        if path is None:
            raise InputError(f"{folder}: expected relation2id.txt beside entity2id, found no such file")
        names.append(read_dictionary(path, lines))
    entities, relations = names

    def triple(line: str) -> tuple[int, int, int]:
        head, tail, relation = _fields(line.split(), "head tail relation")
        return _id(head, entities, "entity"), _id(relation, relations, "relation"), _id(tail, entities, "entity")

    parts = {}
    for split, stems in SPLIT_FILES.items():
        path = find(folder, *stems)
        if path:
            parts[split] = lines.read(path, triple, counted=True)
    return KnowledgeGraph(entities, relations, *_triples(parts))


def _read_names(folder: Path, lines: Lines) -> KnowledgeGraph:
    valid = [path for name in DEV_NAMES if (path := find(folder, name))]
    if len(valid) > 1:
        raise InputError(f"{valid[0]} and {valid[1].name} are both the part valid; keep one of the two")
    files = {"train": find(folder, "train"), "valid": next(iter(valid), None), "test": find(folder, "test")}
    if not files["train"]:
        files = {"train": find(folder, "triples")}
    if not files["train"]:
        raise InputError(
            f"{folder}: there is no graph; expected triples.tsv, train.tsv (or .txt) with valid and test, or "
            "entity2id.txt with its id files"
        )
    entities, relations = NameIds(), NameIds()

    def triple(line: str) -> tuple[int, int, int]:
        fields = line.split("\t")
        names = _fields(fields, "head, relation, tail between tabs")
        head, relation, tail = zip(names, fields, strict=True)
        pair = entities.id_of(*head), entities.id_of(*tail)
        return pair[0], relations.id_of(*relation), pair[1]

    parts = {split: lines.read(path, triple, columns=TRIPLE) for split, path in files.items() if path}
    lines.notes += [*entities.notes("entities", "quotation marks"), *relations.notes("relations", "quotation marks")]
    return KnowledgeGraph(list(entities.ids), list(relations.ids), *_triples(parts))


def _read_numbers(folder: Path, entities: Sequence[str], lines: Lines) -> tuple[list[str], Numbers]:
    """The attributes, and the numbers of the entities of the graph."""
    index = {name: position for position, name in enumerate(entities)}
    named, numbered = find(folder, "numbers"), find(folder, "attrm2id")
    if named:
        attributes = NameIds()

        def number(line: str) -> tuple[int, int, float]:
            fields = line.split("\t")
            entity, attribute, value = _fields(fields, "entity, attribute, value between tabs")
            measured = finite_number(value)
            return index.get(entity, -1), attributes.id_of(without_brackets(attribute), fields[1]), measured

        rows = lines.read(named, number, columns=NUMBER)
        names = list(attributes.ids)
        lines.notes += attributes.notes("attributes", "quotation marks or angle brackets")
    elif numbered:
        path = find(folder, "attr2id")
        if path is None:
            raise InputError(f"{folder}: expected attr2id.txt beside attrm2id, found no such file")
        names = read_dictionary(path, lines)
        entity_file = find(folder, "attribute_entity2id")
        entity_names = read_dictionary(entity_file, lines) if entity_file else list(entities)
        entity_ids = [index.get(name, -1) for name in entity_names]

        def number(line: str) -> tuple[int, int, float]:
            entity, attribute, value = _fields(line.split(), "entity attribute value")
            return (
                entity_ids[_id(entity, entity_names, "entity")],
                _id(attribute, names, "attribute"),
                finite_number(value),
            )

        rows = lines.read(numbered, number, counted=True)
    else:
        return [], Numbers()
    return names, _numbers(rows, lines)


def _numbers(rows: list[tuple[int, int, float]], lines: Lines) -> Numbers:
    """The first number of each entity and attribute; rows with an entity outside the graph (-1) are left out."""
    pairs = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2)
    values = np.array([row[2] for row in rows], dtype=np.float64)
    _, first = np.unique(pairs, axis=0, return_index=True)
    first.sort()
    selected = first[pairs[first, 0] >= 0]
    unknown_entities = int((pairs[:, 0] < 0).sum())
    for count, what in (
        (unknown_entities, "of no entity of the graph"),
        (len(rows) - unknown_entities - len(selected), "repeated"),
    ):
        if count:
            lines.notes.append(f"{count} numbers that are {what} were left out")
    return Numbers(pairs[selected, 0], pairs[selected, 1], values[selected], np.zeros(len(selected), dtype=np.int64))


def read_dictionary(path: Path, lines: Lines) -> list[str]:
    """Names in the order of their ids, from lines `name<TAB>id` below a count; ids are 0, 1, ... in any order.

    Raises:
        InputError: a wrong line, other ids, or a name with several ids.
    """

    def entry(line: str) -> tuple[str, int]:
        name, number = _fields(line.rstrip().rsplit(None, 1), "a name and its id")
        if "\t" in name:
            raise ValueError(f"expected a name and its id, found {name.count(chr(9)) + 2} fields")
        return name, whole_number(number)

    entries = sorted(lines.read(path, entry, counted=True), key=lambda pair: pair[1])
    for expected_id, (name, number) in enumerate(entries):
        if number != expected_id:
            raise InputError(
                f"{path}: expected the ids 0, 1, 2, ..., found {shown(number)} ({shown(name)}) in the "
                f"place of {expected_id}"
            )
    names = [name for name, _ in entries]
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        ids = readable(", ".join(str(number) for name, number in entries if name == repeated[0]))
        problem = f"{len(repeated)} names with several ids; the first is {shown(repeated[0])}, with the ids {ids}"
        lines.note_or_stop(f"{path}: expected a name of its own for each id, found {problem}")
    return names


def _triples(parts: dict[str, list[tuple[int, int, int]]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = [row for triples in parts.values() for row in triples]
    split = [np.full(len(triples), SPLITS.index(name), dtype=np.int64) for name, triples in parts.items()]
    return np.array(rows, dtype=np.int64).reshape(-1, 3), np.concatenate([np.zeros(0, np.int64), *split])


def _fields(fields: list[str], expected: str) -> list[str]:
    count = 2 if expected == "a name and its id" else 3
    if len(fields) != count:
        raise ValueError(f"expected {expected}, found {len(fields)} fields")
    fields = [without_marks(field) for field in fields]
    if "" in fields:
        raise ValueError(f"expected {expected}, and field {fields.index('') + 1} is empty")
    return fields


def _id(text: str, names: Sequence[str], what: str) -> int:
    number = whole_number(text)
    if not 0 <= number < len(names):
        raise ValueError(f"there is no {what} {number}; ids are 0 to {len(names) - 1}")
    return number


def _count(path: Path, lines: Iterator[tuple[int, str]]) -> int:
    _, first = next(lines, (0, ""))
    if not first.strip().isdecimal():
        raise InputError(f"{path}, line 1: expected the number of lines that follow, found {shown(first)}")
    return int(first.strip())
