"""data/<dictionary, pairs, similarity> -> data/corpora/visual_characters/words: words with glosses, and pairs."""

from repline.systems.visual_characters.corpus import write_words
from repline.systems.visual_characters.settings import load
from stages import run
from stages.folders import CORPORA

WORDS = CORPORA / "visual_characters" / "words"


def main() -> None:
    counts = write_words(WORDS, load())["counts"]
    print(f"{WORDS}: " + ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    run(main)
