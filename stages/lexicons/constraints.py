"""data/<place> -> data/lexicons/constraints/NAME: synonym and antonym pairs of one entry of lexicons.constraints."""

import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.cards import card_or_files, write_card
from repline.errors import InputError
from repline.files import new_folder
from repline.lexicons.constraints import read_pairs, wordnet_antonyms, wordnet_synonyms, write_constraints
from repline.lexicons.wordnet import storage as wordnet_files
from stages import run
from stages.lexicons.settings import check


def main() -> None:
    entries = {entry["name"]: entry for entry in check(parameters.read())["constraints"]}
    if len(sys.argv) != 2 or sys.argv[1] not in entries:
        raise InputError(f"expected a name of lexicons.constraints, one of: {', '.join(entries)}")
    entry = entries[sys.argv[1]]
    place = Path("data") / entry["place"]
    pairs = of_wordnet(place, entry) if (place / "synsets.parquet").exists() else of_files(place, entry)
    card = card_or_files(place)
    folder = Path("data/lexicons/constraints") / entry["name"]
    with new_folder(folder) as partial:
        for kind in ("synonyms", "antonyms"):
            write_constraints(partial / f"{kind}.parquet", {entry["name"]: pairs[kind]})
        write_card(
            partial,
            name=entry["name"],
            description="Pairs of synonyms and of antonyms, unordered",
            licence=card["licence"],
            sources=[card],
            parameters=entry,
            counts={kind: len(found) for kind, found in pairs.items()},
        )
    print(f"{folder}: {len(pairs['synonyms'])} pairs of synonyms, {len(pairs['antonyms'])} of antonyms")


def of_wordnet(place: Path, entry: dict[str, Any]) -> dict[str, list]:
    """Pairs from the synsets of a stored wordnet."""
    found = wordnet_files.load(place)
    return {
        "synonyms": wordnet_synonyms(found),
        "antonyms": wordnet_antonyms(found, indirect=entry.get("indirect_antonyms", False)),
    }


def of_files(place: Path, entry: dict[str, Any]) -> dict[str, list]:
    """Pairs from the files that the entry names; none of the kind that it does not name."""
    return {
        kind: read_pairs(place / entry[kind], language=entry.get("language")) if entry.get(kind) else []
        for kind in ("synonyms", "antonyms")
    }


if __name__ == "__main__":
    run(main)
