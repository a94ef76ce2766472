"""Snapshot cards: what makes a corpus folder reproducible and citable.

A card says where the data came from (sources with sha256), under which licence, with which parameters and tool
versions it was made, and how much of it there is. It holds nothing that differs between two equal runs.

On disk (`card.json`) it is a Croissant document, which also lists the files and the columns of the tables, and says
where the data came from in the terms of PROV-O. What neither has a term for is under terms of this project, such as
`repline:sources`.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast

from repline import croissant
from repline.errors import InputError, in_one_line
from repline.files import write_json
from repline.parameters import Json, JsonObject, Values
from repline.version import VERSION


class CardFile(TypedDict):
    """A file that a card names: the kind of place it came from, and what a web server said of it, if there was one."""

    name: str
    sha256: str
    bytes: int
    rows: NotRequired[int]
    place: NotRequired[str]
    upstream: NotRequired[Any]


class NamedSource(TypedDict, total=False):
    """Where data came from: a file, or another folder with its whole card under `corpus` or `vectors`."""

    name: str
    sha256: str
    bytes: int
    steps: int | None
    corpus: "Card"
    vectors: "Card"


class TemplateName(TypedDict):
    """A name of a template of wikitext, how often it was met, and the words around it where it was dropped."""

    name: str
    count: int
    around: NotRequired[str]


class TemplateSummary(TypedDict):
    """Templates of wikitext, see `repline.corpora.wikipedia.wikitext.templates.TemplateCounts.summary`."""

    rendered: int
    silent: int
    dropped: int
    alone: int
    most_dropped: list[TemplateName]
    most_silent: list[TemplateName]


class Card(TypedDict, total=False):
    """What a card says, see `write_card`. That of raw files has `title`, `home`, `place`, `files`, and no counts."""

    name: str
    title: str
    home: str | None
    place: str
    description: str
    licence: str
    sources: list["Source"]
    parameters: Values
    counts: dict[str, int]
    tools: dict[str, str]
    notes: list[str]
    templates: TemplateSummary
    files: list[CardFile]


Source = NamedSource | Card

# of the card -> in the document
TERMS = {"name": "name", "description": "description", "licence": "license"} | {
    key: f"repline:{key}" for key in ("sources", "parameters", "counts", "tools", "notes")
}
OPTIONAL_TERMS = {"templates": "repline:templates"}  # of corpora that have them
TREEBANK = "treebank"  # the splitter of corpora and models that name none
SEGMENTERS = frozenset({"spacy", "jieba", "mecab-python3"})  # distributions that split raw text of a language


def _context(terms: Iterable[str]) -> dict[str, Json]:
    return {
        term: {"@id": term.replace("repline:", "urn:repline:"), "@type": "@json"}
        for term in terms
        if term.startswith("repline:")
    }


CONTEXT: dict[str, Json] = {"repline": "urn:repline:"} | _context(TERMS.values())


def write_card(
    folder: str | Path,
    *,
    name: str,
    description: str,
    licence: str,
    sources: Sequence[Source],
    parameters: JsonObject,
    counts: Mapping[str, int],
    tools: Sequence[str] = ("pyarrow",),
    templates: TemplateSummary | None = None,
    notes: Sequence[str] = (),
) -> Card:
    """Write `folder/card.json` and return the card.

    Args:
        folder: with all of its data; the document has the size and sha256 of every file.
        sources: each with at least `name` and `sha256`, as the card of `data/raw/<source>` has them, or the whole
            card of another corpus under `corpus`.
        parameters: the params section that made the corpus.
        counts: rows, sentences, tokens, documents, ...
        tools: distribution names whose versions influence the bytes.
        templates: of wikitext: how many left words and how many did not, with the most frequent names.
        notes: sentences a reader must know, e.g. "pages after byte 123 were lost".
    """
    card: Card = {
        "name": name,
        "description": description,
        "licence": licence,
        "sources": list(sources),
        "parameters": dict(parameters),
        "counts": dict(counts),
        "tools": {"repline": VERSION} | {tool: version(tool) for tool in sorted(tools)},
        "notes": list(notes),
    }
    document = croissant.describe(folder, name=name, description=description, licence=licence)
    terms, context = TERMS, CONTEXT
    if templates is not None:
        card["templates"] = templates
        terms = TERMS | OPTIONAL_TERMS
        context = CONTEXT | {
            term: {"@id": term.replace("repline:", "urn:repline:"), "@type": "@json"}
            for term in OPTIONAL_TERMS.values()
        }
    document["@context"] = {**croissant.CONTEXT, **context}
    document |= _lineage(name, sources, card["tools"])
    write_json(Path(folder) / croissant.CARD, document | {terms[key]: value for key, value in card.items()})
    return card


def _lineage(name: str, sources: Iterable[Source], tools: Mapping[str, str]) -> JsonObject:
    """What a data set was derived from, and by which software, in the terms of PROV-O.

    Source: Lebo, Sahoo & McGuinness 2013, "PROV-O: The PROV Ontology"; Croissant 1.1, "Provenance Representation".
    """
    software: list[Json] = [
        {"@type": "prov:SoftwareAgent", "name": tool, "version": release} for tool, release in tools.items()
    ]
    return {
        "prov:wasDerivedFrom": [_entity(cast(Mapping[str, Any], source)) for source in sources],
        "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "prov:label": f"Build {name}",
            "prov:wasAssociatedWith": software,
        },
    }


def _entity(source: Mapping[str, Any]) -> Json:
    """A source as an entity of PROV-O; a file is named by its sha256, a corpus has its own sources in turn."""
    card = source.get("corpus") or source.get("vectors") or source
    described: dict[str, Json] = {"@type": "prov:Entity", "name": str(card.get("name", source.get("name", "")))}
    if "sha256" in card:
        described |= {"@id": f"nih:sha-256;{card['sha256']}", "sha256": card["sha256"]}
    if card.get("home"):
        described["url"] = card["home"]
    if card.get("licence"):
        described["license"] = card["licence"]
    if card.get("sources"):
        described["prov:wasDerivedFrom"] = [_entity(part) for part in card["sources"]]
    if card.get("files"):
        described |= {"@type": "prov:Collection", "prov:hadMember": [_entity(file) for file in card["files"]]}
    return described


def read_card(folder: str | Path) -> Card:
    """The card of `folder`; InputError if the folder has none (it is then no finished corpus)."""
    path = Path(folder) / croissant.CARD
    try:
        return of_document(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise InputError(f"{path}: no card, so {folder} is not a finished corpus; run `dvc repro` for it") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not valid JSON ({in_one_line(error)}); make the folder again") from None


def of_document(document: JsonObject) -> Card:
    """The card, as `write_card` returned it, of what a card.json holds.

    A plain mapping, as it lies next to acquired files or files of a user's own, is a card already.
    """
    if "@context" not in document:
        return cast(Card, document)
    return cast(Card, {key: document[term] for key, term in (TERMS | OPTIONAL_TERMS).items() if term in document})


def language_of(card: Card) -> str | None:
    """The language that a card or one of the corpora among its sources names (`zh`, `zh-tw`); None where none does."""
    languages = (corpus.get("parameters", {}).get("language") for corpus in _corpora(card))
    return next((str(language) for language in languages if language), None)


def splitter_of(card: Card) -> str:
    """What split the words of a corpus, as its card or that of a corpus among its sources says.

    Returns:
        a name of `repline.segmentation.word_splitters`: the parameter `splitter`, or the language of a corpus that was
        made with a segmenter; `treebank` where no card says it.
    """
    for corpus in _corpora(card):
        parameters = corpus.get("parameters", {})
        if splitter := parameters.get("splitter"):
            return str(splitter)
        if parameters.get("language") and SEGMENTERS & set(corpus.get("tools", {})):
            return str(parameters["language"])
    return TREEBANK


def _corpora(card: Card) -> Iterator[Card]:
    """A card, and those of the corpora among its sources, each before its own sources."""
    yield card
    for source in cast(Sequence[NamedSource], card.get("sources", ())):
        if isinstance(source.get("corpus"), Mapping):
            yield from _corpora(source["corpus"])


def card_or_files(path: str | Path) -> Card:
    """The card of `path`; of files without one, their sha256 under their folder's name, licence "not stated".

    Args:
        path: a folder, or a single file.

    Raises:
        InputError: there is nothing at `path`.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    if (path / "card.json").exists():
        return read_card(path)
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    described: list[CardFile] = []
    for file in files:
        with open(file, "rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        described.append({"name": file.name, "sha256": digest, "bytes": file.stat().st_size})
    return {"name": path.name, "licence": "not stated", "files": described}


def source_of_file(file: CardFile) -> Source:
    """A file of a card as a source: its name, sha256 and size, without its path, which differs between machines."""
    entry: Mapping[str, object] = file
    return cast(NamedSource, {key: entry[key] for key in ("name", "sha256", "bytes") if key in entry})


def source_of(name: str, data: str | Path = "data") -> Source:
    """A place in data/ as a source in a card: its name, and its own card; of a file without one, the sha256."""
    path = Path(data) / name
    if (path / croissant.CARD).exists():
        return {"name": name, "corpus": read_card(path)}
    if path.is_file():
        with open(path, "rb") as file:
            return {"name": name, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    return {"name": name}


def card_of_source(source: str | Path) -> Card:
    """The card of a corpus that a setting names; of a user's own files, which need none, that of `card_or_files`.

    Raises:
        InputError: there is nothing at `source`.
    """
    return card_or_files(source) if Path(source).exists() else read_card(source)
