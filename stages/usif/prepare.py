"""data/<usif.pairs, usif.labelled, usif.unigrams> -> data/corpora/usif: pairs, labelled sentences, word counts."""

from pathlib import Path

from repline.parameters import load
from repline.systems.usif.corpus import prepare
from repline.systems.usif.settings import Settings
from repline.systems.usif.similarity_words import similarity_words
from stages import run


def main() -> None:
    settings = load(Settings, "usif")
    folders = {name: Path("data") / getattr(settings, name) for name in ("pairs", "labelled", "unigrams")}
    counts = prepare("data/corpora/usif", similarity_words, **folders)["counts"]
    print(
        f"data/corpora/usif: {counts['pairs']} pairs, {counts['labelled']} labelled sentences, "
        f"{counts['unigrams']} counted words"
    )


if __name__ == "__main__":
    run(main)
