"""data/<usif.pairs, usif.labelled, usif.unigrams> -> data/corpora/usif: pairs, labelled sentences, word counts."""

from repline.systems.usif.corpus import prepare
from repline.systems.usif.settings import load
from repline.systems.usif.similarity_words import similarity_words
from stages import run
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    counts = prepare(
        CORPORA / "usif",
        similarity_words,
        pairs=DATA / settings.pairs,
        labelled=DATA / settings.labelled,
        unigrams=DATA / settings.unigrams,
        on_error=settings.on_error,
        encoding=settings.encoding,
    )["counts"]
    print(
        f"{CORPORA / 'usif'}: {counts['pairs']} pairs, {counts['labelled']} labelled sentences, "
        f"{counts['unigrams']} counted words"
    )


if __name__ == "__main__":
    run(main)
