"""What lines of the Wikidata JSON dump say of names and types.

The dump is one JSON list with an entity a line. The names of an item are its label and its aliases in some languages;
P31 (instance of) gives its classes, P279 (subclass of) the classes above it. Properties and lexemes are left out.

Source: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from repline.corpora.freebase.dump_blocks import Found
from repline.corpora.freebase.name_tables import PAIRS, normalised

INSTANCE, SUBCLASS = "P31", "P279"


class WikidataScan:
    """Lines -> their pairs of names, of classes (`types`) and of classes above (`subclasses`), for `scan_dump`.

    Args:
        languages: of labels and aliases, as in the dump (en).
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self.languages = tuple(languages)

    def __call__(self, text: bytes) -> Found:
        pairs: dict[str, tuple[list[int], list[str]]] = {key: ([], []) for key in ("names", "types", "subclasses")}
        wrong, many, other_subjects = None, 0, 0
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip().removesuffix(b",")
            if line in (b"", b"[", b"]"):
                continue
            try:
                item = json.loads(line)
                if item["type"] != "item":
                    other_subjects += 1
                    continue
                entity = int(item["id"].removeprefix("Q"))
                values_by_table = {
                    "names": list(self._names(item)),
                    "types": list(_classes(item, INSTANCE)),
                    "subclasses": list(_classes(item, SUBCLASS)),
                }
            except (ValueError, KeyError, TypeError, AttributeError):
                many += 1
                shown = line[:60].decode("utf-8", "replace")
                wrong = wrong or (number, f"expected an entity of Wikidata as JSON, found {shown!r}")
                continue
            for key, values in values_by_table.items():
                pairs[key][0].extend([entity] * len(values))
                pairs[key][1].extend(values)
        tables = {
            key: pa.table([pa.array(entities, pa.int64()), pa.array(values, pa.string())], schema=PAIRS)
            for key, (entities, values) in pairs.items()
        }
        counts = {"wrong_lines": many, "other_subjects": other_subjects}
        names = normalised(tables["names"]["value"].combine_chunks(), counts)
        tables["names"] = tables["names"].set_column(1, PAIRS.field(1), names)
        return Found(tables, counts, wrong)

    def _names(self, item: dict[str, Any]) -> Iterator[str]:
        labels, aliases = item.get("labels") or {}, item.get("aliases") or {}  # an empty mapping is written as a list
        for language in self.languages:
            if language in labels:
                yield labels[language]["value"]
            if language in aliases:
                yield from (alias["value"] for alias in aliases[language])


def _classes(item: dict[str, Any], relation: str) -> Iterator[str]:
    claims = item.get("claims") or {}
    for claim in claims.get(relation, ()) if claims else ():
        if claim.get("rank") != "deprecated" and "datavalue" in claim["mainsnak"]:
            yield claim["mainsnak"]["datavalue"]["value"]["id"]
