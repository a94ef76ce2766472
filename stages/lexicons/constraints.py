"""data/<place> -> data/lexicons/constraints/NAME: synonym and antonym pairs of one entry of lexicons.constraints."""

from pathlib import Path

from repline.cards import card_or_files, write_card
from repline.files import new_folder
from repline.lexicons.constraints import read_pairs, wordnet_antonyms, wordnet_synonyms, write_constraints
from repline.lexicons.wordnet import storage as wordnet_files
from repline.parameters import arguments, load
from stages import run
from stages.argument import argument
from stages.lexicons.settings import Constraints, Settings


def main() -> None:
    entries = load(Settings, "lexicons").constraints
    name = argument("a name of lexicons.constraints", entries)
    entry = entries[name]
    place = Path("data") / entry.place
    pairs = of_wordnet(place, entry) if (place / "synsets.parquet").exists() else of_files(place, entry)
    card = card_or_files(place)
    folder = Path("data/lexicons/constraints") / name
    with new_folder(folder) as partial:
        for kind in ("synonyms", "antonyms"):
            write_constraints(partial / f"{kind}.parquet", {name: pairs[kind]})
        write_card(
            partial,
            name=name,
            description="Pairs of synonyms and of antonyms, unordered",
            licence=card["licence"],
            sources=[card],
            parameters={"name": name} | arguments(entry),
            counts={kind: len(found) for kind, found in pairs.items()},
        )
    print(f"{folder}: {len(pairs['synonyms'])} pairs of synonyms, {len(pairs['antonyms'])} of antonyms")


def of_wordnet(place: Path, entry: Constraints) -> dict[str, list]:
    """Pairs from the synsets of a stored wordnet."""
    found = wordnet_files.load(place)
    return {
        "synonyms": wordnet_synonyms(found),
        "antonyms": wordnet_antonyms(found, indirect=entry.indirect_antonyms),
    }


def of_files(place: Path, entry: Constraints) -> dict[str, list]:
    """Pairs from the files that the entry names; none of the kind that it does not name."""
    files = {"synonyms": entry.synonyms, "antonyms": entry.antonyms}
    return {kind: read_pairs(place / file, language=entry.language) if file else [] for kind, file in files.items()}


if __name__ == "__main__":
    run(main)
