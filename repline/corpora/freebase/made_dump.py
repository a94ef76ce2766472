"""A synthetic dump in the form of Freebase's RDF dump, of any size, with the oddities of the real one.

Every entity has types, names in some languages and aliases; most lines say something else. Among them are escaped and
plain characters beyond ASCII, escaped quotes, repeated triples, names that are no text and types that are one,
and subjects that are no entity.
"""

import gzip
from collections.abc import Iterator
from pathlib import Path
from random import Random

from repline.errors import InputError
from repline.files import new_file

FILE = "freebase-rdf-made.gz"
NS = "http://rdf.freebase.com/ns/"
TYPES = (
    ("common.topic", "people.person", "people.deceased_person"),
    ("common.topic", "people.person", "book.author"),
    ("common.topic", "people.person", "music.artist", "film.actor"),
    ("common.topic", "location.location", "location.citytown"),
    ("common.topic", "location.location", "geography.river", "geography.body_of_water"),
    ("common.topic", "film.film"),
    ("common.topic", "music.album"),
    ("common.topic", "organization.organization", "business.business_operation"),
    ("base.type_ontology.abstract", "user.somebody.default_domain.thing"),
)
SYLLABLES = ("ba", "lo", "mi", "ner", "tas", "vi", "ur", "kel", "son", "da", "rim", "po", "ga", "lin", "che", "wor")
OTHER_PREDICATES = (
    "type.object.key",
    "common.topic.notable_types",
    "people.person.date_of_birth",
    "music.release.track",
)
DIGITS = "0123456789bcdfghjklmnpqrstvwxyz_"
MEMBER = 1 << 24  # bytes of text in a gzip member, where there are several


def write(folder: str | Path, *, seed: int = 0, entities: int = 1000, members: bool = False) -> None:
    """Write `freebase-rdf-made.gz` into an existing folder.

    Args:
        entities: of about 4.5 kB each.
        members: whether the file is one of many gzip members, which processes can share, or one as the real dump.

    Raises:
        InputError: fewer than one entity.
    """
    if entities < 1:
        raise InputError(f"expected at least 1 entity, found {entities}")
    with new_file(Path(folder) / FILE) as partial, open(partial, "wb") as raw:
        size = 0
        file = gzip.GzipFile("", "wb", 6, raw, mtime=0)
        for block in _blocks(Random(seed), entities):
            size += len(block)
            file.write(block)
            if members and size >= MEMBER:
                file.close()
                file, size = gzip.GzipFile("", "wb", 6, raw, mtime=0), 0
        file.close()


def _blocks(random: Random, entities: int) -> Iterator[bytes]:
    for number in range(entities):
        yield "".join(f"{line}\t.\n" for line in _entity(random, number)).encode()


def _entity(random: Random, number: int) -> Iterator[str]:
    identifier = f"{'g' if number % 50 == 49 else 'm'}.0{_digits(number * 7919 + 1)}"
    subject = f"<{NS}{identifier}>"
    name = _name(random)
    for kind in TYPES[int(random.random() * len(TYPES))]:
        yield f"{subject}\t<{NS}type.object.type>\t<{NS}{kind}>"
        if number % 10 == 3:  # said twice
            yield f"{subject}\t<{NS}type.object.type>\t<{NS}{kind}>"
    yield f'{subject}\t<{NS}type.object.name>\t"{name}"@en'
    for language in ("de", "ja", "en-GB"):
        yield f'{subject}\t<{NS}type.object.name>\t"{name} {language}"@{language}'
    if number % 3 == 0:
        yield f'{subject}\t<{NS}common.topic.alias>\t"{_name(random)}"@en'
    if number % 7 == 0:
        yield f'{subject}\t<{NS}common.topic.alias>\t"The \\"{name}\\""@en'
    if number % 11 == 0:
        yield f'{subject}\t<{NS}common.topic.alias>\t"{name}\\u00e9"@en'
    if number % 13 == 0:
        yield f'{subject}\t<{NS}common.topic.alias>\t"{name}ü"@en'
    if number % 17 == 0:
        yield f"{subject}\t<{NS}type.object.name>\t<{NS}m.0{_digits(number)}>"  # a name that is no text
        yield f'{subject}\t<{NS}type.object.type>\t"people.person"'  # a type that is one
    if number % 19 == 0:
        yield f'<{NS}people.person.{name.lower()}>\t<{NS}type.object.name>\t"{name}"@en'  # of the schema
    for offset in range(28):
        predicate = OTHER_PREDICATES[(number + offset) % len(OTHER_PREDICATES)]
        target = f"<{NS}m.0{_digits(int(random.random() * 1e6))}>" if offset % 3 else f'"/en/{name.lower()}_{offset}"'
        yield f"{subject}\t<{NS}{predicate}>\t{target}"


def _name(random: Random) -> str:
    words = 1 + (random.random() < 0.4)
    parts = ("".join(SYLLABLES[int(16 * random.random() ** 1.5)] for _ in range(2)).capitalize() for _ in range(words))
    return " ".join(parts)


def _digits(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 32)
        digits = DIGITS[digit] + digits
    return digits or "0"
