"""Names for a terminology from the nouns of a wordnet, a Wikipedia, or a user's table."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.wikipedia.linked_text import PARTS, REDIRECTS, TITLES
from repline.errors import InputError, in_one_line, shown
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.noun_classes import noun_classes
from repline.reading.settings import Head
from repline.reading.table_fields import unquoted
from repline.reading.table_heads import WrongHead, below_head, is_head
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.systems.jet.settings import TerminologySource
from repline.systems.jet.terminology import ENTITIES, Names

HOPS = 8  # of redirects that lead to redirects
HEADS = {
    ("term", "entity", *types, *definition)
    for types in ((), ("type",), ("types",))
    for definition in ((), ("definition",), ("gloss",))
    if types or not definition
}
WITHOUT_TYPES = (["term", "entity", "definition"], ["term", "entity", "gloss"])
COMMENTS = "comments with a tab (lines that begin with #; a term with # stands in quotation marks)"


def names_of(source: TerminologySource, data: str | Path = "data", left_out: LeftOut | None = None) -> Names:
    """Read the names of a terminology; InputError as the functions below say.

    Args:
        data: the folder that the source is relative to.
        left_out: an account of the wrong lines of a table, which the caller reads later.
    """
    path = Path(data) / source.source
    match source.kind:
        case "wordnet":
            return wordnet_nouns(path)
        case "wikipedia":
            return wikipedia_names(path, anchors=source.anchors)
        case "table":
            reading = source.arguments(left_out)
            return table_names(path, head=source.head, **reading)


def wordnet_nouns(path: str | Path) -> Names:
    """The lemmas of noun synsets; a synset's type is its class, its definition the gloss.

    Its neighbours are its hypernyms and hyponyms, with those of instances.

    Raises:
        InputError: no wordnet, or one without classes of nouns.
    """
    wordnet = storage.read(path)
    classes = noun_classes(wordnet)
    row = {synset: number for number, synset in enumerate(classes)}
    texts, synset_of_text, rows = [], [], []
    for synset in (wordnet[identifier] for identifier in classes):
        texts += [lemma.replace("_", " ") for lemma in synset.lemmas]
        synset_of_text += [row[synset.id]] * len(synset.lemmas)
        near = [
            row[pointer.target] for pointer in synset.pointers if pointer.relation.endswith(("hypernym", "hyponym"))
        ]
        rows.append((synset.id, [classes[synset.id]], synset.gloss, near))
    return Names(pa.array(texts, pa.string()), np.array(synset_of_text, np.int32), _entities(rows))


def wikipedia_names(folder: str | Path, *, anchors: bool = True) -> Names:
    """Titles, redirects and the labels of links, for the articles they lead to; an entity is `new_york_city`.

    A target need not be an article of this Wikipedia: an excerpt has few.

    Args:
        folder: of `repline.corpora.wikipedia.linked_text`.
        anchors: whether the labels of links are names; the paper has titles and redirects alone.

    Raises:
        InputError: the folder is not there.
    """
    folder = Path(folder)
    try:
        titles = pq.read_table(folder / TITLES).column("title").to_pylist()
        redirects = pq.read_table(folder / REDIRECTS).to_pydict()
        links = pq.read_table(sorted(folder.glob(PARTS))).combine_chunks()
    except (FileNotFoundError, ValueError, pa.ArrowException) as error:
        raise InputError(
            f"{folder}: these are no links of a Wikipedia ({in_one_line(error)}); run `dvc repro` for them"
        ) from None
    leads = dict(zip(map(entity_of, redirects["title"]), map(entity_of, redirects["target"]), strict=True))
    texts = [*titles, *redirects["title"]]
    target_of_text = [*titles, *redirects["target"]]
    if anchors:
        link_column = links.column("links").combine_chunks().flatten()
        distinct_links = pa.table(
            {"label": link_column.field("label"), "target": link_column.field("target")}
        ).group_by(["label", "target"])
        distinct_links = distinct_links.aggregate([])
        texts += distinct_links.column("label").to_pylist()
        target_of_text += distinct_links.column("target").to_pylist()
    number: dict[str, int] = {}
    rows = [number.setdefault(resolved(title, leads), len(number)) for title in target_of_text]
    entities = _entities([(entity, [], "", []) for entity in number])
    return Names(pa.array(texts, pa.string()), np.array(rows, np.int32), entities)


def entity_of(title: str) -> str:
    """The identifier of an article, as WikiSRS has it: the title in lower case with underscores."""
    return title.strip().replace(" ", "_").lower()


def resolved(title: str, leads: dict[str, str]) -> str:
    """The article that a title means, through redirects."""
    entity = entity_of(title)
    for _ in range(HOPS):
        if entity not in leads:
            break
        entity = leads[entity]
    return entity


def table_names(
    path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8", head: Head = "auto"
) -> Names:
    """Names from a user's table, plain or `.gz`: term, entity and, optionally, types (separated by |) and a definition.

    Lines that begin with # are comments; a term that does stands in quotation marks.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.
        head: whether the first line names the columns; auto recognises term, entity, types and definition.

    Raises:
        InputError: no such file, or a line that has no term or no entity or more than four fields, with its number.
    """
    texts: list[str] = []
    entity_of_text: list[int] = []
    row_of_entity: dict[str, int] = {}
    types: list[dict[str, None]] = []
    definitions: list[str] = []
    for fields in _fields(Path(path), LeftOut.of(on_error), encoding, head):
        term, entity, kinds, definition = [*fields, "", ""][:4]
        row = row_of_entity.setdefault(entity, len(row_of_entity))
        if row == len(types):
            types.append({})
            definitions.append("")
        types[row] |= dict.fromkeys(kind.strip() for kind in kinds.split("|") if kind.strip())
        definitions[row] = definitions[row] or definition
        texts.append(term)
        entity_of_text.append(row)
    if not texts:
        raise InputError(f"{path}: expected a term and an entity a line, found none")
    rows = [(entity, list(types[row]), definitions[row], list[int]()) for entity, row in row_of_entity.items()]
    return Names(pa.array(texts, pa.string()), np.array(entity_of_text, np.int32), _entities(rows))


def _fields(path: Path, left_out: LeftOut, encoding: str, head: Head) -> Iterator[list[str]]:
    def is_head_line(line: str) -> bool:
        words = unquoted_fields(line)
        if head != "no" and [word.lower() for word in words] in WITHOUT_TYPES:
            raise WrongHead(
                "expected the types in front of the definitions; put an empty column there, or set "
                "head to no where this line is a record"
            )
        return is_head(head, words, HEADS)

    lines = without_comments(visible_lines(path, encoding, left_out), left_out)
    for line, text in below_head(path, lines, left_out, is_head_line):
        fields = unquoted_fields(text)
        with left_out:
            if not 2 <= len(fields) <= 4 or not fields[0] or not fields[1]:
                expected = "a term and an entity between tabs, and where known types and a definition"
                problem = f"expected {expected}, found {len(fields)} fields: {shown(text)}"
                raise WrongRecord(path, f"line {line}", problem, "no term and entity")
            yield fields


def without_comments(lines: Iterable[tuple[int, str]], left_out: LeftOut) -> Iterator[tuple[int, str]]:
    """The lines of a table that do not begin with #, with their numbers.

    The account counts comments with a tab, which may be records: of a term as #metoo, or taken out by their writer.
    """
    for number, line in lines:
        if not line.startswith("#"):
            yield number, line
        elif "\t" in line:
            left_out.pass_over(COMMENTS)


def unquoted_fields(line: str) -> list[str]:
    """The fields of a line between tabs, without the quotation marks that enclose them."""
    return [unquoted(field.strip()).strip() for field in line.split("\t")]


def _entities(rows: list[tuple]) -> pa.Table:
    columns = list(zip(*rows, strict=True))
    return pa.Table.from_arrays(
        [pa.array(list(column), kind) for column, kind in zip(columns, ENTITIES.types, strict=True)], schema=ENTITIES
    )
