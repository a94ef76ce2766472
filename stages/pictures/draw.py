"""-> data/corpora/<name>: made pictures of words in several languages. `python -m stages.pictures.draw NAME`."""

from pathlib import Path

from repline.corpora.pictures.made_sets import draw_sets
from repline.lexicons.unigrams import read_unigrams
from repline.lexicons.wordnet import storage as wordnet_files
from stages import run
from stages.argument import argument
from stages.pictures import settings

WORDNET, UNIGRAMS = Path("data/lexicons/wordnet"), Path("data/raw/unigrams_wordfreq")


def main() -> None:
    made = settings.read().made
    name = argument("the name of made pictures", made)
    words = read_unigrams(next(UNIGRAMS.glob("*.msgpack.gz")))
    frequency = dict(zip(words["word"].to_pylist(), words["count"].to_pylist(), strict=True))
    folder = Path("data/corpora") / name
    counts = draw_sets(folder, wordnet_files.load(WORDNET), frequency, **made[name])["counts"]
    print(f"{folder}: {counts['pictures']:,} pictures of {counts['words']} words in {counts['languages']} languages")


if __name__ == "__main__":
    run(main)
