"""Mark the terms of a terminology in the corpus: `python -m stages.jet.prepare wordnet` -> data/corpora/jet/wordnet."""

from repline.systems.jet.corpus import write
from repline.systems.jet.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA, LEXICONS


def main() -> None:
    settings = load()
    name = argument("the name of a terminology", settings.terminologies)
    folder = CORPORA / "jet" / name
    card = write(DATA / settings.corpus, LEXICONS / "jet" / name, folder, minimum_count=settings.minimum_count)
    counts = card["counts"]
    print(
        f"{folder}: {counts['tokens']:,} tokens, {counts['mentions']:,} mentions; frequent enough are "
        f"{counts['words']:,} words and {counts['terms']:,} terms of {counts['entities']:,} entities"
    )


if __name__ == "__main__":
    run(main)
