"""Select the words of some ratings that have a vector: `python -m stages.concreteness.prepare taxonomy`.

data/<place of the ratings>, data/vectors -> data/corpora/concreteness/<ratings>
"""

from repline.reading.wrong_records import LeftOut
from repline.systems.concreteness.rated_words import match_ratings, write_rated_words
from repline.systems.concreteness.settings import load
from repline.vectors.formats import readers
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    name = argument("the name of some ratings", settings.ratings)
    ratings, vectors = DATA / settings.ratings[name].place, DATA / settings.vectors
    left_out, encoding = LeftOut(settings.ratings[name].on_error), settings.ratings[name].encoding
    rated = match_ratings(ratings, *readers.read(vectors), on_error=left_out, encoding=encoding)
    write_rated_words(CORPORA / "concreteness" / name, rated, ratings, vectors, left_out)
    print(f"{name}: {len(rated.words):,} rated words have a vector")


if __name__ == "__main__":
    run(main)
