"""Rate the whole vocabulary: data/<ratings>, data/vectors -> data/lexicons/concreteness, most frequent words first."""

from repline.systems.concreteness.rated_words import match_ratings
from repline.systems.concreteness.settings import load
from repline.systems.concreteness.training import train_lexicon
from repline.vectors.formats import readers
from stages import run
from stages.folders import DATA

SEED = 0  # of the choice of words that are fitted on


def main() -> None:
    settings = load()
    lexicon = settings.lexicon
    words, vectors = readers.read(DATA / settings.vectors)
    rated = match_ratings(DATA / lexicon.ratings, words, vectors).sample(lexicon.most, SEED)
    folder = DATA / "lexicons" / "concreteness"
    train_lexicon(lexicon, settings.svr, rated, words, vectors, folder, vectors=settings.vectors)
    print(f"{len(words[: lexicon.words])} words")


if __name__ == "__main__":
    run(main)
