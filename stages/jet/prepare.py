"""The corpus with one terminology: `python -m stages.jet.prepare wordnet`; -> data/corpora/jet/<name>."""

from pathlib import Path

from repline.parameters import arguments
from repline.systems.jet.corpus import write
from repline.systems.jet.settings import read
from stages import run
from stages.argument import argument
from stages.jet.terminology import FOLDER as TERMINOLOGIES

FOLDER = Path("data/corpora/jet")


def main() -> None:
    settings, terminologies, _ = read()
    name = argument("the name of a terminology", terminologies)
    knobs = arguments(settings, of=write)
    counts = write(Path("data") / settings.corpus, TERMINOLOGIES / name, FOLDER / name, **knobs)["counts"]
    print(
        f"{FOLDER / name}: {counts['tokens']:,} tokens, {counts['mentions']:,} mentions; frequent enough are "
        f"{counts['words']:,} words and {counts['terms']:,} terms of {counts['entities']:,} entities"
    )


if __name__ == "__main__":
    run(main)
