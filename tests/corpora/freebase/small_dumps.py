"""A few triples of Freebase and a few entities of Wikidata, with what is difficult about them."""

import gzip
import json

NS = "http://rdf.freebase.com/ns/"
TYPE_MAP = "people.person\t/person\nbook.author\t/person/author\nlocation.citytown\t/location/city\nfood.food\t/food\n"


def triple(subject, predicate, target):
    return f"<{NS}{subject}>\t<{NS}{predicate}>\t{target}\t.\n"


def kind(subject, name):
    return triple(subject, "type.object.type", f"<{NS}{name}>")


def name(subject, text, predicate="type.object.name"):
    return triple(subject, predicate, text)


LINES = [
    kind("m.0b", "people.person"),
    kind("m.0b", "people.person"),  # twice
    kind("m.0b", "common.topic"),  # not in the map
    name("m.0b", '"Washington"@en'),
    name("m.0b", '"ワシントン"@ja'),
    name("m.0b", '"General  Washington"@en', "common.topic.alias"),
    triple("m.0b", "people.person.height_meters", '"1.88"'),
    kind("m.00b", "location.citytown"),  # another entity than m.0b
    name("m.00b", '"WASHINGTON"@en'),
    name("m.00b", '"The \\"Caf\\u00e9\\""@en', "common.topic.alias"),
    name("m.00b", f"<{NS}m.0b>"),  # a name that is no text
    name("m.00b", '"Washington"'),  # no language
    triple("m.00b", "type.object.type", '"people.person"'),  # a type that is one
    kind("g.11c", "people.person"),
    kind("g.11c", "book.author"),
    name("g.11c", '"Zoë"@en'),
    name("g.11c", '"a\\ttab"@en', "common.topic.alias"),
    name("people.person", '"Person"@en'),  # a subject of the schema
    "\n",
]
NAMES = {
    "washington": {"/person": 1, "/location/city": 1},
    "general washington": {"/person": 1},
    'the "café"': {"/location/city": 1},
    "zoë": {"/person": 1, "/person/author": 1},
    "a tab": {"/person": 1, "/person/author": 1},
}


def write_gzip(path, lines, members=1):
    """Lines in a gzip file of this many members, which break anywhere."""
    text = "".join(lines).encode()
    size = -(-len(text) // members)
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    path.write_bytes(b"".join(gzip.compress(part, mtime=0) for part in parts))
    return path


def item(identifier, label=None, aliases=(), instance=(), subclass=(), **more):
    def claim(target, rank="normal"):
        return {"rank": rank, "mainsnak": {"datavalue": {"value": {"id": target}}}}

    entity = {
        "type": "item",
        "id": identifier,
        "labels": {"en": {"language": "en", "value": label}, "de": {"value": f"{label} de"}} if label else [],
        "aliases": {"en": [{"value": part} for part in aliases]} if aliases else [],
        "claims": {"P31": [claim(part) for part in instance], "P279": [claim(part) for part in subclass]},
    }
    return entity | more


def wikidata(*entities):
    """The lines of a dump: one list."""
    return ["[\n", ",\n".join(json.dumps(part, ensure_ascii=False) for part in entities), "\n]\n"]
