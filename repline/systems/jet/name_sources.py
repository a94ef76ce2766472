"""Names for a terminology from the nouns of a wordnet, a Wikipedia, or a user's table."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.corpora.wikipedia.linked_text import PARTS, REDIRECTS, TITLES
from repline.errors import InputError, in_one_line, shown
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.noun_classes import noun_classes
from repline.systems.jet.settings import TerminologySource
from repline.systems.jet.terminology import ENTITIES, Names
from repline.text_files import unquoted, visible_lines
from repline.wrong_records import LeftOut, OnError, WrongRecord

HOPS = 8  # of redirects that lead to redirects


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
            return table_names(path, on_error=left_out or source.on_error, encoding=source.encoding)


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


def table_names(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> Names:
    """Names from a user's table, plain or `.gz`: term, entity and, optionally, types (separated by |) and a definition.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, or a line that has no term or no entity or more than four fields, with its number.
    """
    texts: list[str] = []
    entity_of_text: list[int] = []
    row_of_entity: dict[str, int] = {}
    types: list[dict[str, None]] = []
    definitions: list[str] = []
    for fields in _fields(Path(path), LeftOut.of(on_error), encoding):
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


def _fields(path: Path, left_out: LeftOut, encoding: str) -> Iterator[list[str]]:
    for line, text in visible_lines(path, encoding, left_out):
        if not text.strip() or text.startswith("#"):
            continue
        fields = [unquoted(field.strip()).strip() for field in text.split("\t")]
        with left_out:
            if not 2 <= len(fields) <= 4 or not fields[0] or not fields[1]:
                expected = "a term and an entity between tabs, and where known types and a definition"
                problem = f"expected {expected}, found {len(fields)} fields: {shown(text)}"
                raise WrongRecord(path, f"line {line}", problem, "no term and entity")
            yield fields


def _entities(rows: list[tuple]) -> pa.Table:
    columns = list(zip(*rows, strict=True))
    return pa.Table.from_arrays(
        [pa.array(list(column), kind) for column, kind in zip(columns, ENTITIES.types, strict=True)], schema=ENTITIES
    )
