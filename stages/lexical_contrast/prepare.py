"""Lexicons -> data/corpora/lexical_contrast: constraint sets as pairs of words, questions, pairs of two kinds."""

from repline.systems.lexical_contrast.corpus import write_data
from repline.systems.lexical_contrast.settings import load
from stages import run
from stages.folders import CORPORA


def main() -> None:
    folder = CORPORA / "lexical_contrast"
    counts = write_data(folder, load())
    print(f"{folder}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))


if __name__ == "__main__":
    run(main)
