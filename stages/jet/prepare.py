"""The corpus with one terminology: `python -m stages.jet.prepare wordnet`; -> data/corpora/jet/<name>."""

import sys
from pathlib import Path

from repline.errors import InputError
from repline.parameters import arguments
from repline.systems.jet.corpus import write
from repline.systems.jet.settings import read
from stages import run
from stages.jet.terminology import FOLDER as TERMINOLOGIES

FOLDER = Path("data/corpora/jet")


def main() -> None:
    settings, terminologies, _ = read()
    if len(sys.argv) != 2 or sys.argv[1] not in terminologies:
        raise InputError(f"expected the name of a terminology, one of: {', '.join(terminologies)}")
    name = sys.argv[1]
    knobs = arguments(settings, of=write)
    counts = write(Path("data") / settings.corpus, TERMINOLOGIES / name, FOLDER / name, **knobs)["counts"]
    print(
        f"{FOLDER / name}: {counts['tokens']:,} tokens, {counts['mentions']:,} mentions; frequent enough are "
        f"{counts['words']:,} words and {counts['terms']:,} terms of {counts['entities']:,} entities"
    )


if __name__ == "__main__":
    run(main)
