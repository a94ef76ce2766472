"""Draw synthetic pictures of words in several languages: `python -m stages.pictures.draw NAME`.

params.yaml:pictures.made -> data/corpora/<name>
"""

from repline.corpora.pictures.made_sets import draw_sets
from repline.lexicons.unigrams import read_unigrams
from repline.lexicons.wordnet import storage
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, LEXICONS, RAW
from stages.pictures.settings import load


def main() -> None:
    drawn_sets = load().made
    name = argument("the name of made pictures", drawn_sets)
    words = read_unigrams(next((RAW / "unigrams_wordfreq").glob("*.msgpack.gz")))
    frequency = dict(zip(words["word"].to_pylist(), words["count"].to_pylist(), strict=True))
    folder = CORPORA / name
    counts = draw_sets(folder, storage.load(LEXICONS / "wordnet"), frequency, drawn_sets[name])["counts"]
    print(f"{folder}: {counts['pictures']:,} pictures of {counts['words']} words in {counts['languages']} languages")


if __name__ == "__main__":
    run(main)
