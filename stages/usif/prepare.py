"""data/<usif.pairs, usif.labelled, usif.unigrams> -> data/corpora/usif: pairs, labelled sentences, word counts."""

from pathlib import Path

from repline.errors import InputError
from repline.parameters import read, section
from repline.systems.usif.corpus import prepare
from repline.systems.usif.similarity_words import similarity_words
from stages import run


def main() -> None:
    values = section(read(), "usif")
    folders = {}
    for name in ("pairs", "labelled", "unigrams"):
        if not isinstance(values.get(name), str) or not values[name]:
            raise InputError(f"params.yaml: usif.{name} should be a folder of data/, found {values.get(name)!r}")
        folders[name] = Path("data") / values[name]
    counts = prepare("data/corpora/usif", similarity_words, **folders)["counts"]
    print(
        f"data/corpora/usif: {counts['pairs']} pairs, {counts['labelled']} labelled sentences, "
        f"{counts['unigrams']} counted words"
    )


if __name__ == "__main__":
    run(main)
