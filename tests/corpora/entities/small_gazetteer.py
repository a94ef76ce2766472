"""A few places and synsets in the files that a gazetteer is made of."""

import json
from pathlib import Path

from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet

COUNTRIES = {"FI": {"name": "Finland", "population": 5_500_000}, "FR": {"name": "France", "population": 67_000_000}}
CITIES = {
    "1": {"name": "Helsinki", "population": 600_000},
    "2": {"name": "Reading", "population": 240_000},
    "3": {"name": "Porvoo", "population": 50_000},
    "4": {"name": "Lincoln", "population": 290_000},
}
NAMES = "Helsinki\tGPE\tcities\nFinland\tGPE\tcountries,wordnet\nNew York City\tGPE\tcities\nNokia\tORG\n"


def write_places(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "countries.json").write_text(json.dumps(COUNTRIES))
    (folder / "cities.json").write_text(json.dumps(CITIES))
    (folder / "card.json").write_text(json.dumps({"name": "places", "licence": "CC BY 4.0", "files": []}))
    return folder


def wordnet() -> WordNet:
    def below(*targets, relation="hypernym"):
        return tuple(Pointer(relation, target) for target in targets)

    def instance(number, lemmas, target):
        return Synset(number, "n", lemmas, below(target, relation="instance_hypernym"))

    return WordNet(
        [
            Synset("organism", "n", ("organism",)),
            Synset("person", "n", ("person",), below("organism")),
            Synset("physicist", "n", ("physicist",), below("person")),
            Synset("district", "n", ("district",)),
            Synset("country", "n", ("administrative_district",), below("district")),
            Synset("reading", "n", ("reading",)),
            instance("lincoln", ("Lincoln", "Abraham_Lincoln"), "person"),
            instance("bohr", ("Bohr", "Niels_Bohr"), "physicist"),
            instance("finland", ("Finland", "Suomi"), "country"),
            instance("nothing", ("Hegira",), "reading"),
        ]
    )
