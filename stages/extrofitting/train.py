"""Fit one lexicon into the vectors: `python -m stages.extrofitting.train wordnet_all`.

data/<extrofitting.vectors>, data/<place of the lexicon> -> data/vectors/extrofitting-<lexicon>{,-edges,-retrofitting}
"""

import sys
from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.systems.extrofitting.model import extrofit
from repline.vectors.normalisation import unit_length
from repline.vectors.retrofitting import retrofit
from repline.vectors.store import save
from stages import run, word_vectors

SMOOTHING = 1e-5  # of the length, as the programs of retrofitting and extrofitting divide
DESCRIPTIONS = {
    "extrofitting": "Vectors whitened by the covariance within the synonym classes of a lexicon",
    "edges": "Vectors whitened by the covariance of the differences of neighbours in a lexicon",
    "retrofitting": "Vectors pulled towards the mean of their neighbours in a lexicon",
}


def main() -> None:
    settings = check(parameters.section(parameters.read(), "extrofitting"))
    lexicon = the_lexicon(settings, sys.argv[1:2])
    words, matrix, edges = read(settings, lexicon)
    seed = settings["orders"][0]
    for method, description in DESCRIPTIONS.items():
        if method == "retrofitting":
            fitted = retrofit(matrix, edges, **settings["retrofitting"])
        else:
            fitted = extrofit(matrix, edges, labels="edges" if method == "edges" else "notebook", seed=seed)
        save(
            folder(lexicon["name"], method),
            words,
            fitted,
            description=description,
            licence="that of the vectors, and of the lexicon",
            sources=[word_vectors.source(settings["vectors"]), word_vectors.source(lexicon["place"])],
            parameters={"method": method, "lexicon": lexicon} | {key: settings[key] for key in SHARED},
            totals={"edges": len(edges)},
            tools=["scipy"],
        )
        print(f"{folder(lexicon['name'], method)}: {len(words)} words, {len(edges)} edges", flush=True)


SHARED = ("words", "plain_words", "orders", "retrofitting")


def read(settings: dict[str, Any], lexicon: dict[str, Any]) -> tuple[list[str], Any, Any]:
    """The words, the vectors at length one, and the edges of the lexicon between them."""
    words, matrix = word_vectors.vectors(settings["vectors"], settings["words"])
    edges = word_vectors.edges(
        lexicon["place"], words, relations=lexicon.get("relations"), plain=settings["plain_words"]
    )
    return words, unit_length(matrix, SMOOTHING), edges


def folder(lexicon: str, method: str) -> Path:
    """Where the vectors of one lexicon and method lie."""
    return Path("data/vectors") / ("-".join(["extrofitting", lexicon, method][: 2 if method == "extrofitting" else 3]))


def the_lexicon(settings: dict[str, Any], arguments: list[str]) -> dict[str, Any]:
    """The entry of `extrofitting.lexicons` that the command line names."""
    names = [lexicon["name"] for lexicon in settings["lexicons"]]
    if len(arguments) != 1 or arguments[0] not in names:
        raise InputError(f"expected the name of a lexicon, one of: {', '.join(names)}")
    return settings["lexicons"][names.index(arguments[0])]


def check(section: dict[str, Any]) -> dict[str, Any]:
    """The section `extrofitting`; InputError on any mistake in it."""
    settings = parameters.bind(_settings, section, "extrofitting")
    parameters.bind(retrofit, settings["retrofitting"], "extrofitting.retrofitting")
    for number, lexicon in enumerate(settings["lexicons"]):
        at = f"extrofitting.lexicons[{number}]"
        parameters.bind(_lexicon, lexicon if isinstance(lexicon, dict) else {"name": lexicon}, at)
        if not lexicon["name"].isidentifier():
            raise InputError(f"params.yaml: {at}.name should be a word like wordnet_all, found {lexicon['name']!r}")
    for key in ("lexicons", "benchmarks", "orders"):
        if not settings[key]:
            raise InputError(f"params.yaml: extrofitting.{key} is empty; name at least one")
    if settings["words"] is not None and settings["words"] < 2:
        raise InputError(f"params.yaml: extrofitting.words should be at least 2, or null, found {settings['words']}")
    return settings


def _settings(
    *,
    vectors: str,
    words: int | None,
    lexicons: list,
    benchmarks: list[str],
    plain_words: bool,
    orders: list[int],
    retrofitting: dict,
    sample: int,
) -> None:
    """The schema of the section."""


def _lexicon(*, name: str, place: str, relations: list[str] | None = None) -> None:
    """The schema of one lexicon."""


if __name__ == "__main__":
    run(main)
