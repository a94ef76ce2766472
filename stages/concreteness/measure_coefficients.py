"""Fit linear models of some ratings: `python -m stages.concreteness.measure_coefficients taxonomy`.

data/corpora/concreteness/<ratings> -> data/models/concreteness/coefficients/<ratings>.json
"""

from repline.files import write_json
from repline.systems.concreteness.coefficients import measured_coefficients
from repline.systems.concreteness.rated_words import read_rated_words
from repline.systems.concreteness.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, MODELS


def main() -> None:
    settings = load()
    name = argument("the name of some ratings", settings.ratings)
    rated = read_rated_words(CORPORA / "concreteness" / name)
    words = rated.sample(settings.coefficients.most, settings.coefficients.seed)
    write_json(MODELS / "concreteness" / "coefficients" / f"{name}.json", measured_coefficients(words))


if __name__ == "__main__":
    run(main)
